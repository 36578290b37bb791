"""The front matter of `site/theme.md`: colours, shapes, fonts, logo and hero of a site."""

from __future__ import annotations

import re
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator

from knowledge.diagnostics.diagnostic import DiagnosticKind
from knowledge.fields.colours import Colour
from knowledge.fields.field_types import ImagePath, InvalidValue, Omittable, PlainText
from knowledge.fields.json_schemas import written
from knowledge.fields.schemas import Common, Fields, front_matter

SERVED_FONT = ".woff2"
"""The format of fonts that every browser reads."""

FONT_SUFFIXES = (SERVED_FONT, ".woff", ".ttf", ".otf", ".ttc", ".eot", ".svg")
"""Endings that say that a font is a file; one of them is served."""

_LENGTH = re.compile(r"0|\d{1,2}(?:\.\d{1,3})?(?:px|rem|em)")
_FAMILY = re.compile(r"[^\W_][\w .-]*(?:, ?[^\W_][\w .-]*)*")


def _colour(text: str) -> str:
    colour = Colour.parse(text)
    if colour is None:
        advice = 'Write it as six hexadecimal digits in quotes, such as "#0f5c5c".'
        raise InvalidValue("invalid colour", advice, kind=DiagnosticKind.INVALID_COLOUR)
    return colour.hex


def _length(text: str) -> str:
    if not _LENGTH.fullmatch(text.strip()):
        raise InvalidValue("invalid length", "Write it as 0.5rem, 8px or 0.")
    return text.strip()


def is_font_file(text: str) -> bool:
    """Return whether a font is named by a file, not by its family."""
    return text.lower().endswith(FONT_SUFFIXES)


def _font(text: str) -> str:
    if not is_font_file(text) and not _FAMILY.fullmatch(text):
        advice = "Write the name of a font family, or the path of a .woff2 file."
        raise InvalidValue("invalid font", advice, kind=DiagnosticKind.INVALID_FONT)
    return text


ColourCode = Annotated[
    PlainText,
    AfterValidator(_colour),
    written({"type": "string", "pattern": r"^\s*#?(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})\s*$"}),
]
"""A hexadecimal colour, `#rrggbb`."""

Length = Annotated[
    PlainText,
    AfterValidator(_length),
    written({"type": ["string", "number"], "pattern": rf"^\s*(?:{_LENGTH.pattern})\s*$"}),
]
"""A length of CSS."""

Font = Annotated[
    PlainText,
    AfterValidator(_font),
    written({"type": "string", "minLength": 1}),
]
"""The name of a font family, or the path of a font file."""


@front_matter
class DarkColours(Fields):
    """The given colours of dark pages; what is missing is derived from those of light pages."""

    accent: ColourCode | None = None
    """The colour of the brand on dark pages."""

    ink: ColourCode | None = None
    """The colour of text on dark pages."""

    paper: ColourCode | None = None
    """The ground of dark pages."""


@front_matter
class ScriptFonts(Fields):
    """The fonts of one script: each a family of the reader's system, or a woff2 file."""

    body: Omittable[Font] = None
    """The font of texts."""

    bold: Omittable[Font] = None
    """The file of semibold text; for a variable font, the same file as `body`."""

    heading: Omittable[Font] = None
    """The font of headings; by default that of texts."""


@front_matter
class Fonts(Fields):
    """The fonts of Latin and of Arabic text."""

    latin: Omittable[ScriptFonts] = None
    """The fonts of Latin text."""

    arabic: Omittable[ScriptFonts] = None
    """The fonts of Arabic text."""


@front_matter
class LogoForms(Fields):
    """The forms of the logo."""

    light: Omittable[ImagePath] = None
    """The logo on light grounds."""

    dark: Omittable[ImagePath] = None
    """The logo on dark grounds."""

    square: Omittable[ImagePath] = None
    """The square mark."""


HeroStyle = Literal["plain", "pattern", "picture"]
"""What is behind the text of a hero: one colour, circles, or a picture."""


@front_matter
class HeroLook(Fields):
    """What is behind the text of the hero."""

    style: HeroStyle | None = None
    """`plain` has one colour, `pattern` circles, `picture` a picture; by default `pattern`."""

    image: ImagePath = None
    """The picture, which is only decoration."""


@front_matter
class ThemeFields(Common):
    """`site/theme.md`."""

    has_texts: ClassVar[bool] = False
    keeps_lines: ClassVar[bool] = True

    accent: ColourCode | None = None
    """The colour of the brand: links, buttons, hero and footer."""

    ink: ColourCode | None = None
    """The colour of text; by default nearly black, with a hint of the accent."""

    paper: ColourCode | None = None
    """The ground of pages; by default white."""

    dark: DarkColours | None = None
    """The same colours for dark pages; by default derived from the light ones."""

    radius: Length | None = None
    """How round corners are: `0.75rem`, `8px`, `0`."""

    fonts: Fonts | None = None
    """The fonts of Latin and of Arabic text."""

    logo: LogoForms | None = None
    """The forms of the logo; they replace `logoUrl` of the settings."""

    hero: HeroLook | None = None
    """What is behind the text of the hero."""
