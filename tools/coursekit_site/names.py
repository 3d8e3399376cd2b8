"""A page for every public name, from the docstrings: run as a program of its own, with the folder to write into."""

import sys
from pathlib import Path

import numpy.typing
from bs4 import BeautifulSoup

# What pdoc leaves hard to see: words on gray, and links that only their color tells from the text.
STYLE = """<style>
html .pdoc :is(.def, .pdoc-code :is(.nb, .bp, .k, .kc)) { color: #005500; }
html .pdoc .pdoc-code :is(.o, .mi, .mf, .m) { color: #444; }
.attribution { opacity: 1 !important; color: #444 !important; }
.decorator-explained { display: none; }
main a { text-decoration: underline !important; }
</style></head>"""


def main(folder: Path) -> None:
    # Said by its name, in place of the thirty types that it is made of; so this comes before coursekit is loaded.
    numpy.typing.ArrayLike = type("ArrayLike", (), {"__module__": "builtins"})  # type: ignore[assignment, misc]
    import pdoc

    from coursekit.core import validate

    validate.Floats = type("Floats", (), {"__module__": "builtins"})  # type: ignore[assignment, misc]
    pdoc.render.configure(show_source=False, search=False)
    modules = ("datasets", "losses", "penalties", "scaling", "steps")
    public = ("coursekit", *(f"coursekit.core.{name}" for name in modules), r"!coursekit\.plots\.\w+")
    pdoc.pdoc(*public, output_directory=folder)
    for page in folder.rglob("*.html"):
        icon = f'<link rel="icon" href="{"../" * len(page.relative_to(folder).parts)}icon.svg">'
        soup = BeautifulSoup(page.read_text("utf-8").replace("</head>", icon + STYLE), "html.parser")
        for link in soup.select("a.headerlink"):
            link["aria-label"] = f"Link to {str(link['href']).removeprefix('#')}"
        for block in soup.select("pre, .attr.function"):  # they scroll where a page is narrow
            block["tabindex"] = "0"
        page.write_text(str(soup), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
