"""A notebook's page as it is read: a title block, goals and code folded to one line each, numbers beside headings."""

from __future__ import annotations

import re

from bs4 import BeautifulSoup, Tag

from coursekit.core.text import counted
from coursekit_site.chapters import Chapter

TITLE, SECTION = re.compile(r"(\d+) · (.+)"), re.compile(r"(\d+\.\d+) (.+)")


def laid_out(soup: BeautifulSoup, chapter: Chapter) -> BeautifulSoup:
    """The page of a chapter, with what its reader may skip folded away."""
    _title(soup, chapter)
    _goals(soup)
    _numbers(soup)
    _code(soup)
    return soup


def _title(soup: BeautifulSoup, chapter: Chapter) -> None:
    """Over the title its number, how long it takes and what it needs; below it the question."""
    told = [f"{chapter.minutes} minutes"] * bool(chapter.minutes)
    if chapter.needs:
        numbers = " and ".join(", ".join(map(str, chapter.needs)).rsplit(", ", 1))
        told.append(f"you need chapter{'s' * (len(chapter.needs) > 1)} {numbers}")
    if (title := soup.h1) and (found := TITLE.match(title.text)):
        title.contents[0].replace_with(found[2].removesuffix("¶"))
        told.insert(0, f"Chapter {found[1]}")
    if title and told:
        title.insert_before(_made(soup, "p", " · ".join(told), "kicker"))
    if (about := soup.find("em", string=re.compile(r"about \d+ minutes"))) and about.parent:
        about.parent.decompose()
    if (bold := soup.find("strong", string="The question.")) and (asked := bold.parent):
        bold.decompose()
        asked.contents[0].replace_with(str(asked.contents[0]).lstrip())
        asked["class"] = "question"
        if asked.parent and asked.parent.name == "blockquote":
            asked.parent.unwrap()


def _goals(soup: BeautifulSoup) -> None:
    if (aim := soup.find("strong", string="Afterward you can")) and (cell := aim.find_parent(class_="rendered_html")):
        needs = "What you need, and what" if cell.find("strong", string="You need") else "What"
        fold = _made(soup, "details")
        for part in list(cell.contents):
            fold.append(part.extract())
        fold.insert(0, _made(soup, "summary", f"{needs} you will be able to do"))
        cell.append(fold)


def _numbers(soup: BeautifulSoup) -> None:
    for heading in soup.select("h2"):
        if found := SECTION.match(heading.text):
            heading.contents[0].replace_with(f" {str(heading.contents[0]).partition(' ')[2]}")
            heading.insert(0, _made(soup, "span", found[1], "number"))


def _code(soup: BeautifulSoup) -> None:
    """The code of a picture lies below it."""
    for cell in soup.select(".code_cell:has(.input)"):
        code = cell.select(".input")[0]
        lines = sum(map(bool, map(str.strip, code.text.splitlines())))
        fold = code.wrap(_made(soup, "details", name="ck-code"))
        fold.insert(0, summary := _made(soup, "summary", "Show the Python "))
        summary.append(_made(soup, "small", counted(lines, "line")))
        if cell.select_one(".output_wrapper img"):
            cell.append(fold.extract())


def _made(soup: BeautifulSoup, kind: str, text: str = "", name: str = "") -> Tag:
    made = soup.new_tag(kind, attrs={"class": name} if name else {})
    made.append(text)
    return made
