"""The front matter of `site/theme.md`: colours, shapes, fonts, logo and hero of a site.

Colours are in OKLCH, where equal steps look equal; their contrast is that of WCAG 2.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal, NamedTuple, Self

from pydantic import AfterValidator

from knowledge.diagnostics.diagnostic import DiagnosticKind
from knowledge.diagnostics.messages import Text
from knowledge.fields.field_types import ImagePath, InvalidValue, Omittable, PlainText
from knowledge.fields.front_matter import Common, Fields, front_matter
from knowledge.fields.json_schemas import written

SERVED_FONT = ".woff2"
"""The format of fonts that every browser reads."""

_VIDEOS = (".mp4", ".webm")
FONT_SUFFIXES = (SERVED_FONT, ".woff", ".ttf", ".otf", ".ttc", ".eot", ".svg")
"""Endings that say that a font is a file; one of them is served."""

_LENGTH = re.compile(r"0|\d{1,2}(?:\.\d{1,3})?(?:px|rem|em)")
_FAMILY = re.compile(r"[^\W_][\w .-]*(?:, ?[^\W_][\w .-]*)*")


def _colour(text: str) -> str:
    colour = Colour.parse(text)
    if colour is None:
        advice = Text('Write it as six hexadecimal digits in quotes, such as "#0f5c5c".')
        raise InvalidValue(Text("invalid colour"), advice, kind=DiagnosticKind.INVALID_COLOUR)
    return colour.hex


def _length(text: str) -> str:
    if not _LENGTH.fullmatch(text.strip()):
        raise InvalidValue(Text("invalid length"), Text("Write it as 0.5rem, 8px or 0."))
    return text.strip()


def is_font_file(text: str) -> bool:
    """Return whether a font is named by a file, not by its family."""
    return text.lower().endswith(FONT_SUFFIXES)


def _font(text: str) -> str:
    if not is_font_file(text) and not _FAMILY.fullmatch(text):
        advice = Text("Write the name of a font family, or the path of a .woff2 file.")
        raise InvalidValue(Text("invalid font"), advice, kind=DiagnosticKind.INVALID_FONT)
    return text


def _video(text: str) -> str:
    if not text.lower().endswith(_VIDEOS) or ":" in text:
        advice = Text("Write the path of an .mp4 or .webm file of the content folder.")
        raise InvalidValue(Text("invalid video"), advice)
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

Font = Annotated[PlainText, AfterValidator(_font), written({"type": "string", "minLength": 1})]
"""The name of a font family, or the path of a font file."""


VideoPath = Annotated[PlainText, AfterValidator(_video), written({"type": "string"})]
"""The path of a video of the content folder."""


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


LookName = Literal["plain", "editorial", "shop", "clinic", "public", "night"]
"""A whole of ground, header, footer, sizes, corners, fonts and layouts."""

HeroStyle = Literal["plain", "pattern", "picture"]
"""What is behind the text of a hero: one colour, circles, or a picture."""

HeroLayout = Literal["start", "end", "centred", "split", "panel"]
"""The words of a hero at its start, end or middle, in two halves, or in a panel."""

GroundName = Literal["accent", "deep", "paper", "sand"]
"""The ground of a block."""

Density = Literal["comfortable", "compact"]
"""How much room there is between and in the blocks of a page."""

HeaderLayout = Literal["row", "stacked"]
"""Logo and menu beside each other, or the menu below the logo."""

Scale = Literal["small", "medium", "large"]
"""The sizes of headings."""

CardLayout = Literal["grid", "list", "mosaic"]
"""Cards of one size, one below the other, or of several sizes."""

BlogLayout = Literal["grid", "magazine", "list"]
"""Posts as cards, with a large first one, or one below the other."""

SectionLayout = Literal["tinted", "lined", "boxed", "open"]
"""What separates the sections of a page: grounds, lines, boxes, or room alone."""


@front_matter
class HeroLook(Fields):
    """What is behind the text of the hero."""

    style: HeroStyle | None = None
    """`plain` has one colour, `pattern` circles, `picture` a picture; by default `pattern`."""

    image: ImagePath = None
    """The picture, which is only decoration."""

    video: VideoPath | None = None
    """A short video without sound, which plays in the place of the picture."""

    ground: GroundName | None = None
    """The ground of a hero without a picture; by default `deep`."""

    layout: HeroLayout | None = None
    """`start` (default), `end`, `centred`, `split` in halves, or a `panel` with round corners."""


@front_matter
class ThemeFields(Common):
    """`site/theme.md`."""

    has_texts: ClassVar[bool] = False
    keeps_lines: ClassVar[bool] = True

    look: LookName | None = None
    """A whole look; the keys below change parts of it."""

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

    footer: GroundName | None = None
    """The ground of the footer; by default `deep`."""

    cta: GroundName | None = None
    """The ground of calls to action; by default `deep`."""

    header_ground: GroundName | None = None
    """The ground of the header; by default `paper`."""

    sticky_header: bool | None = None
    """`true` keeps logo and menu in view on wide screens."""

    header: HeaderLayout | None = None
    """`row`, the default, has logo and menu in one line, `stacked` the menu below the logo."""

    density: Density | None = None
    """How much room there is in pages: `comfortable`, the default, or `compact`."""

    scale: Scale | None = None
    """The sizes of headings: `small`, `medium` or `large`; by default `medium`."""

    cards: CardLayout | None = None
    """Cards of lists: `grid` (default), `list` or `mosaic`."""

    blog: BlogLayout | None = None
    """Posts of the blog: `grid` (default), `magazine` or `list`."""

    sections: SectionLayout | None = None
    """What separates sections: `tinted` grounds (default), `lined`, `boxed` or `open`."""


_HEX = re.compile(r"#?([0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)
_FLARE = 0.05
"""The light that a screen adds to every colour, in the formula of contrast."""

_MIDDLE = 0.18
"""The luminance from which on dark text has more contrast with a ground than light text."""

_STEPS = 18
"""Halvings of a search: beyond the precision of 8 bits a channel."""


class Colour(NamedTuple):
    """A colour in OKLCH: lightness from 0 to 1, chroma from 0, and hue in degrees."""

    lightness: float
    chroma: float
    hue: float

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Return a hexadecimal colour, `#rgb` or `#rrggbb`, or None.

        >>> Colour.parse("#0F5C5C").hex, Colour.parse("fff").hex, Colour.parse("teal")
        ('#0f5c5c', '#ffffff', None)
        """
        match = _HEX.fullmatch(text.strip())
        if match is None:
            return None
        digits = match[1] if len(match[1]) == 6 else "".join(2 * digit for digit in match[1])
        channels = (int(digits[start : start + 2], 16) / 255 for start in (0, 2, 4))
        return cls(*_oklch(*map(_to_linear, channels)))

    @property
    def hex(self) -> str:
        """The colour as `#rrggbb`; outside sRGB, that with the most chroma inside."""
        return "#" + "".join(f"{channel:02x}" for channel in self._channels)

    @property
    def luminance(self) -> float:
        """The relative luminance of the colour as shown, from 0 to 1."""
        red, green, blue = (_to_linear(channel / 255) for channel in self._channels)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    @property
    def is_light(self) -> bool:
        """Whether dark text has more contrast with the colour than light text."""
        return self.luminance >= _MIDDLE

    @property
    def _channels(self) -> tuple[int, int, int]:
        linear = _linear(self)
        if not _is_in_gamut(linear):
            low, high = 0.0, self.chroma
            for _ in range(_STEPS):
                middle = (low + high) / 2
                is_inside = _is_in_gamut(_linear(self._replace(chroma=middle)))
                low, high = (middle, high) if is_inside else (low, middle)
            linear = _linear(self._replace(chroma=low))
        red, green, blue = (round(255 * _to_gamma(part)) for part in linear)
        return red, green, blue

    def at(self, lightness: float, chroma: float | None = None) -> Self:
        """Return the hue with another lightness, and at most this chroma."""
        if not 0 < lightness < 1:
            return type(self)(float(lightness >= 1), 0, self.hue)
        limit = self.chroma if chroma is None else min(self.chroma, chroma)
        return self._replace(lightness=lightness, chroma=limit)

    def over(self, ground: Colour, opacity: float) -> Colour:
        """Return the colour that is seen if this one lies on another one, half transparent."""
        pairs = zip(self._channels, ground._channels, strict=True)
        mixed = (round(ground + opacity * (own - ground)) for own, ground in pairs)
        return Colour(*_oklch(*(_to_linear(channel / 255) for channel in mixed)))


WHITE = Colour(1, 0, 0)
BLACK = Colour(0, 0, 0)


def contrast(first: Colour, second: Colour) -> float:
    """Return the contrast of two colours by WCAG 2, from 1 to 21.

    >>> round(contrast(WHITE, BLACK), 1)
    21.0
    """
    dark, light = sorted((first.luminance, second.luminance))
    return (light + _FLARE) / (dark + _FLARE)


def readable(colour: Colour, grounds: Iterable[Colour], ratio: float = 4.5) -> Colour:
    """Return the nearest lightness of a colour that has a contrast with all grounds.

    Where none has it, the return value is black or white, whichever has more.
    """
    grounds = tuple(grounds)
    if all(contrast(colour, ground) >= ratio for ground in grounds):
        return colour
    luminances = [ground.luminance for ground in grounds]
    darkest = (min(luminances) + _FLARE) / ratio - _FLARE
    lightest = (max(luminances) + _FLARE) * ratio - _FLARE
    choices = []
    if darkest >= 0:
        choices.append(_with_luminance(colour, darkest, 0, rising=False))
    if lightest <= 1:
        choices.append(_with_luminance(colour, lightest, 1, rising=True))
    if not choices:
        choices = [BLACK, WHITE]
        return max(choices, key=lambda each: min(contrast(each, ground) for ground in grounds))
    return min(choices, key=lambda each: abs(each.lightness - colour.lightness))


def _with_luminance(colour: Colour, bound: float, end: float, *, rising: bool) -> Colour:
    """Return the colour at the lightness nearest to its own that is beyond a luminance."""
    near, far = colour.lightness, end
    for _ in range(_STEPS):
        middle = (near + far) / 2
        luminance = colour.at(middle).luminance
        is_beyond = luminance >= bound if rising else luminance <= bound
        near, far = (near, middle) if is_beyond else (middle, far)
    return colour.at(far)


def _to_linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def _to_gamma(part: float) -> float:
    part = min(1, max(0, part))
    return 12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055


def _is_in_gamut(linear: tuple[float, float, float]) -> bool:
    return all(-0.0005 <= part <= 1.0005 for part in linear)


# The matrices of Oklab: https://bottosson.github.io/posts/oklab/


def _oklch(red: float, green: float, blue: float) -> tuple[float, float, float]:
    long = math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    medium = math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    short = math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    lightness = 0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short
    a = 1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short
    b = 0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short
    return lightness, math.hypot(a, b), math.degrees(math.atan2(b, a))


def _linear(colour: Colour) -> tuple[float, float, float]:
    angle = math.radians(colour.hue)
    a, b = colour.chroma * math.cos(angle), colour.chroma * math.sin(angle)
    long = (colour.lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (colour.lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (colour.lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )
