"""The course as a web site that needs no server: reading pages with live pictures, and a lab."""
