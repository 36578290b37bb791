"""The variables of the styles: they hold every colour, and each that is used exists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from cases import cases

from renderers.html import styles

WITH_COLOURS = {"colours.css", "variables.css"}
"""The colours of pages on screens and on paper."""

PARTS = sorted(path for path in styles.FOLDER.rglob("*.css") if path.name not in WITH_COLOURS)
NAMED_COLOURS = (
    "aqua|beige|black|blue|brown|crimson|cyan|fuchsia|gold|gr[ae]y|green|indigo|ivory|lime|magenta"
    "|maroon|navy|olive|orange|pink|purple|red|salmon|silver|tan|teal|tomato|violet|white|yellow"
)
LITERAL = re.compile(
    rf"#[0-9a-f]{{3,8}}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\("
    rf"|(?<![\w-])(?:(?:dark|light)?(?:{NAMED_COLOURS}))(?![\w-])",
    re.IGNORECASE,
)


def values(css: str) -> Iterator[str]:
    """Yield the values of all declarations, without comments, strings and URLs."""
    css = re.sub(r'/\*.*?\*/|"[^"]*"|url\([^)]*\)', "", css, flags=re.DOTALL)
    yield from re.findall(r"[\w-]+\s*:\s*([^;{}]+)[;}]", css)


@cases("path", PARTS)
def test_a_style_names_no_colour_of_its_own(path: Path) -> None:
    """Colours are variables, so that a theme replaces all of them."""
    found = [value for value in values(path.read_text()) if LITERAL.search(value)]
    assert not found, "define these colours in renderers/static/site/colours.css"


@cases(
    "css",
    ["a{color:#fff}", "a{background:rgb(0 0 0 / 9%)}", "a{border:1px solid DarkRed;}"],
)
def test_the_test_sees_literal_colours(css: str) -> None:
    """Hexadecimal, functional and named ones."""
    assert any(LITERAL.search(value) for value in values(css))


def test_each_variable_that_is_used_exists_and_each_that_exists_is_used() -> None:
    """A misspelt variable leaves a colour out without a word."""
    css = styles.files()["site.css"].content.decode()
    defined = set(re.findall(r"(--[\w-]+)\s*:", css))
    used = set(re.findall(r"var\((--[\w-]+)", css))
    assert used - defined == set()
    assert defined - used == set()
