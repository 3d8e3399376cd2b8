"""The course's fonts, cut from Source Sans 3 and Source Serif 4: python .ci/fonts.py SANS SERIF, their unpacked npm packages."""
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables._k_e_r_n import KernTable_format_0

ROOT = Path(__file__).parents[1]
TEXT = "U+20-7E,U+A0-17F,U+370-3FF,U+2002-200B,U+2010-2026,U+2030,U+2032-2034,U+2039,U+203A,U+2044,U+20AC,U+2122"
SIGNS = ("U+2070-208E,U+2126,U+2150-215E,U+2190-2195,U+2202,U+2206,U+220F,U+2211-2215,U+2219,U+221A,U+221E,U+2229,U+222B,"
         "U+2248,U+2260-2265,U+25A0-25FF,U+2605,U+2606,U+2713,U+2717,U+27E8,U+27E9")


def cut(source, unicodes, features):
    options = subset.Options(layout_features=features, hinting=False, name_IDs=[0, 13, 14], notdef_outline=True)
    font = subset.load_font(str(source), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=subset.parse_unicodes(unicodes))
    cutter.subset(font)
    return font


def name(font, family, style):
    """Modified, they may not be called Source: it is a reserved name."""
    for number, text in {1: f"{family} {style}".removesuffix(" Regular"), 2: "Regular", 3: f"{family} {style}",
                         4: f"{family} {style}", 6: f"{family}-{style}".replace(" ", ""), 16: family, 17: style}.items():
        font["name"].setName(text, number, 3, 1, 0x409)


def kern(font):
    """Pairs for whoever reads no GPOS, among ASCII characters."""
    ascii = {font.getBestCmap()[code] for code in range(33, 127)}
    pairs = {}
    table = font["GPOS"].table
    wanted = sorted({k for record in table.FeatureList.FeatureRecord if record.FeatureTag == "kern"
                     for k in record.Feature.LookupListIndex})
    for lookup in (table.LookupList.Lookup[k] for k in wanted):
        found = {}
        for part in lookup.SubTable:
            part = getattr(part, "ExtSubTable", part)
            for k, left in enumerate(part.Coverage.glyphs):
                if left not in ascii:
                    continue
                if part.Format == 1:
                    values = [(r.SecondGlyph, r.Value1) for r in part.PairSet[k].PairValueRecord]
                else:
                    row = part.Class1Record[part.ClassDef1.classDefs.get(left, 0)].Class2Record
                    values = [(right, row[part.ClassDef2.classDefs.get(right, 0)].Value1) for right in ascii]
                for right, value in values:
                    if right in ascii:
                        found.setdefault((left, right), getattr(value, "XAdvance", 0) or 0)
        pairs |= {pair: value for pair, value in found.items() if value}
    made = KernTable_format_0()
    made.version, made.coverage, made.apple, made.kernTable = 0, 1, False, pairs
    font["kern"] = newTable("kern")
    font["kern"].version, font["kern"].kernTables = 0, [made]
    del font["GPOS"]


sans, serif = map(Path, sys.argv[1:])
for style in ("Regular", "Semibold"):
    font = cut(sans / "TTF" / f"SourceSans3-{style}.ttf", f"{TEXT},{SIGNS}", ["kern"])
    kern(font)
    for table in ("GSUB", "GDEF", "DSIG", "STAT", "BASE"):
        if table in font:
            del font[table]
    font["head"].unitsPerEm = 900  # its small letters are then as high as those of DejaVu Sans, and so is a line
    font["hhea"].ascent, font["hhea"].descent = 835, -212
    measures = font["OS/2"]
    measures.sTypoAscender, measures.sTypoDescender, measures.sTypoLineGap = 684, -216, 180
    measures.usWeightClass = {"Regular": 400, "Semibold": 700}[style]  # what is asked for is always "bold"
    name(font, "Course Sans", style)
    font.save(ROOT / "coursekit" / "plots" / "fonts" / f"CourseSans-{style}.ttf")
