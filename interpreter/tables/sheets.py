"""Print a rule sheet: as text for the table, or as a page."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from html import escape
from typing import Final

from ..sheets.contrast import Contrast
from ..sheets.sheet import Line, Section, Sheet
from ..sheets.translation import Translation

_WIDTH: Final = 78
_STYLE: Final = """
body { max-width: 42em; margin: 2em auto; padding: 0 1em; font: 17px/1.5 serif; }
h1 { margin-bottom: 0; } h2 { margin-top: 1.6em; border-bottom: 1px solid #bbb; }
p { margin: .25em 0; } .house { background: #fff3c4; }
@media print { body { margin: 0; } .house { background: none; font-weight: bold; } }
"""
# What nobody has translated yet is English, and read from the left.
_ENGLISH: Final = ' lang="en" dir="ltr"'
HOUSE: Final = "House rule"


def render_text(sheet: Sheet, words: Translation) -> str:
    """Return a sheet as lines of text; what a house rule says is marked."""
    lines = [words.translate(sheet.name), "", *_wrap(words.translate(sheet.about), 0)]
    for section in sheet.sections:
        heading = words.translate(section.heading)
        lines += ["", heading, "-" * len(heading)]
        for line in section.lines:
            lines += _wrap(_mark(line, words), line.depth)
    return "\n".join(lines)


def render_contrast(contrast: Contrast) -> str:
    """Return what differs between two games as lines of text."""
    lines = [
        contrast.title,
        *(line for told in contrast.about for line in _wrap(told, 0)),
    ]
    for chapter in contrast.chapters:
        lines += ["", chapter.heading, "-" * len(chapter.heading)]
        for entry in chapter.entries:
            for depth, text in entry.lines:
                lines += _wrap(text, depth)
    return "\n".join(lines)


def _mark(line: Line, words: Translation) -> str:
    text = _tell(line, words)
    return f"{text}   [{words.translate(HOUSE)}]" if line.is_house else text


def _tell(line: Line, words: Translation) -> str:
    """Return a line in a language, or whole in English where a part is missing."""
    return line.fill(words.translate if _is_told(line, words) else str)


def _is_told(line: Line, words: Translation) -> bool:
    return all(map(words.has, line.texts))


def _wrap(text: str, depth: int) -> list[str]:
    indent = "  " * depth
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=f"{indent}- " if depth else "",
        subsequent_indent=f"{indent}  " if depth else "",
    )


def render_html(sheet: Sheet, words: Translation) -> str:
    """Return a sheet as a page that stands alone; right to left where that is read."""
    direction = "rtl" if words.is_right_to_left else "ltr"
    name = escape(words.translate(sheet.name))
    return "\n".join(
        [
            "<!doctype html>",
            f'<html lang="{words.language}" dir="{direction}">',
            f'<head><meta charset="utf-8"><title>{name}</title>',
            f"<style>{_STYLE}</style></head>",
            f"<body><h1{_english(sheet.name, words)}>{name}</h1>",
            f"<p{_english(sheet.about, words)}><em>"
            f"{escape(words.translate(sheet.about))}</em></p>",
            *(line for part in sheet.sections for line in _render_part(part, words)),
            "</body></html>",
        ]
    )


def _english(text: str, words: Translation) -> str:
    """Return what an element says of a text that may be in English still."""
    return "" if words.has(text) else _ENGLISH


def _render_part(section: Section, words: Translation) -> Iterator[str]:
    heading = escape(words.translate(section.heading))
    yield f"<h2{_english(section.heading, words)}>{heading}</h2>"
    for line in section.lines:
        text = escape(_mark(line, words))
        style = f' style="margin-inline-start:{line.depth * 1.4:g}em"'
        mark = ' class="house"' if line.is_house else ""
        english = "" if _is_told(line, words) else _ENGLISH
        yield f"<p{style if line.depth else ''}{mark}{english}>{text}</p>"


def as_json(sheet: Sheet, words: Translation) -> dict[str, object]:
    """Return a sheet as ``--json`` prints it."""
    return {
        "name": words.translate(sheet.name),
        "about": words.translate(sheet.about),
        "language": words.language,
        "right_to_left": words.is_right_to_left,
        "sections": [
            {
                "heading": words.translate(section.heading),
                "lines": [
                    {
                        "text": _tell(line, words),
                        "depth": line.depth,
                        "house_rule": line.is_house,
                    }
                    for line in section.lines
                ],
            }
            for section in sheet.sections
        ],
    }
