"""The course's fonts: python .ci/fonts.py SANS SERIF

Cut with fontTools and brotli from the unpacked npm packages source-sans 3.52.0 and source-serif 4.5.1. Changed, they
may not be called Source, which is a reserved name.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables._k_e_r_n import KernTable_format_0
from fontTools.varLib.instancer import instantiateVariableFont

ROOT = Path(__file__).parents[1]
LETTERS = "U+20-7E,U+A0-FF,U+131,U+152,U+153,U+391-3C9,U+3D5"
MARKS = "U+2002-200B,U+2010-2026,U+2030,U+2032,U+2033,U+2039,U+203A,U+2044,U+20AC"
SIGNS = "U+2070-208E,U+2150-215E,U+2190-2193,U+2202,U+2206,U+2211,U+2212,U+221A,U+221E,U+222B,U+2248,U+2260-2265"
MORE = "U+100-17F,U+2194,U+2195,U+220F,U+2213-2215,U+2219,U+2229,U+25A0-25FF,U+2605,U+2606,U+27E8,U+27E9"


def cut(font, unicodes, features):
    options = subset.Options(layout_features=features, hinting=False, name_IDs=[0, 13, 14], notdef_outline=True)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=subset.parse_unicodes(f"{unicodes},U+2713,U+2717"))
    cutter.subset(font)


def name(font, family, style):
    whole = f"{family} {style}"
    for number, text in {1: whole.removesuffix(" Regular"), 2: "Regular", 3: whole, 4: whole,
                         6: f"{family}-{style}".replace(" ", ""), 16: family, 17: style}.items():
        font["name"].setName(text, number, 3, 1, 0x409)


def kern(font):
    """Pairs of ASCII characters for whoever reads no GPOS."""
    ascii = {font.getBestCmap()[code] for code in range(33, 127)}
    pairs, table = {}, font["GPOS"].table
    wanted = {k for record in table.FeatureList.FeatureRecord for k in record.Feature.LookupListIndex}
    for lookup in (table.LookupList.Lookup[k] for k in sorted(wanted)):
        found = {}
        for part in lookup.SubTable:
            part = getattr(part, "ExtSubTable", part)
            for k, left in enumerate(part.Coverage.glyphs):
                if part.Format == 1:
                    values = [(record.SecondGlyph, record.Value1) for record in part.PairSet[k].PairValueRecord]
                else:
                    row = part.Class1Record[part.ClassDef1.classDefs.get(left, 0)].Class2Record
                    values = [(right, row[part.ClassDef2.classDefs.get(right, 0)].Value1) for right in ascii]
                for right, value in values:
                    if {left, right} <= ascii:
                        found.setdefault((left, right), getattr(value, "XAdvance", 0) or 0)
        pairs |= {pair: value for pair, value in found.items() if value}
    made = KernTable_format_0()
    made.version, made.coverage, made.apple, made.kernTable = 0, 1, False, pairs
    font["kern"] = newTable("kern")
    font["kern"].version, font["kern"].kernTables = 0, [made]


def for_pictures(source, style, weight):
    font = TTFont(source)
    cut(font, f"{LETTERS},{MARKS},{SIGNS},{MORE}", ["kern"])
    kern(font)
    for table in ("GPOS", "GSUB", "GDEF", "DSIG", "STAT", "BASE"):
        if table in font:
            del font[table]
    font["head"].unitsPerEm = 900  # its small letters are then as high as those of DejaVu Sans, and so is a line
    font["hhea"].ascent, font["hhea"].descent = 835, -212
    measures = font["OS/2"]
    measures.sTypoAscender, measures.sTypoDescender, measures.sTypoLineGap = 684, -216, 180
    measures.usWeightClass = weight
    name(font, "Course Sans", style)
    font.save(ROOT / "coursekit" / "plots" / "fonts" / f"CourseSans-{style}.ttf")


def for_pages(source, family, style, file, **axes):
    font = TTFont(source)
    cut(font, f"{LETTERS},{MARKS},{SIGNS}", ["kern", "liga"])
    instantiateVariableFont(font, axes, inplace=True)
    name(font, family, style)
    font.flavor = "woff2"
    font.save(ROOT / "tools" / "coursekit_site" / "fonts" / file)


sans, serif = map(Path, sys.argv[1:])
for_pictures(sans / "TTF" / "SourceSans3-Regular.ttf", "Regular", 400)
for_pictures(sans / "TTF" / "SourceSans3-Semibold.ttf", "Semibold", 700)  # what is asked for is always "bold"
for_pages(sans / "VF" / "SourceSans3VF-Upright.ttf", "Course Sans", "Regular", "sans.woff2", wght=(400, 400, 700))
for kind, file in (("Roman", "serif"), ("Italic", "serif-italic")):
    for_pages(serif / "VAR" / f"SourceSerif4Variable-{kind}.ttf", "Course Serif", kind.replace("Roman", "Regular"),
              f"{file}.woff2", opsz=18, wght=(400, 400, 700))
