"""The colours of a theme: all that pages use, derived from accent, ink and paper.

Every text has the contrast of WCAG AA with the grounds on which it stands, whatever the given
colours are. Each name is that of a variable in the styles of pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from knowledge.fields.theme_fields import BLACK, WHITE, Colour, contrast, readable

Palette = Mapping[str, str]
"""CSS colours by the names of their variables."""


class Brand(NamedTuple):
    """The colours that a theme gives for light or for dark pages."""

    accent: Colour
    ink: Colour | None = None
    paper: Colour | None = None


@lru_cache(256)
def palette(brand: Brand, *, dark: bool) -> Palette:
    """Return all colours of light or of dark pages."""
    return dict(_named(brand, dark=dark))


def scheme_of(colours: Palette) -> Literal["light", "dark"]:
    """Return whether a paper is light or dark, whichever readers prefer."""
    paper = Colour.parse(colours["paper"])
    return "light" if paper is None or paper.is_light else "dark"


TRANSLUCENT: Mapping[str, tuple[str, float]] = {
    "tint": ("paper", 0.11),
    "ornament": ("deep", 0.07),
    "ornament-clay": ("deep", 0.16),
}
"""The colours that lie on another one, and how opaque they are there."""


def _named(brand: Brand, *, dark: bool) -> Iterator[tuple[str, str]]:
    accent = brand.accent
    paper = brand.paper or (accent.at(0.195, 0.014) if dark else WHITE)
    page = _Page.of(paper, accent)
    own = {
        "paper": paper,
        "sand": page.sand,
        "card": page.card,
        "plate": accent.at(0.965, 0.012),
        "line": page.shade(0.115, 0.022),
        "code-line": page.ground(0.075, 0.045),
        **page.texts(brand),
        **_deep(accent, dark=dark),
        **_button(page, accent),
    }
    for name, colour in own.items():
        yield name, colour.hex
    yield "tint", f"{page.tint.hex}1c"
    yield "deep-line", "#ffffff2e"
    yield "mark", "#ffe08a"
    yield "on-mark", "#1d2322"
    yield "shade", "#00000029" if page.is_light else "#ffffff33"
    yield "shadow", "#0000002e"


TEXT_CONTRAST = 4.5
SHAPE_CONTRAST = 3.0
"""The contrast of borders of controls, focus rings and large text."""

_BASES: Mapping[str, tuple[str, str]] = {
    "good": ("#24643f", "#8fd0a6"),
    "code-key": ("#8a2f5e", "#f2a3c7"),
    "code-name": ("#1f5a96", "#8fc3f5"),
    "code-text": ("#2c6330", "#a5d6a0"),
    "code-number": ("#8c4a0f", "#efb583"),
    "code-type": ("#5a4a9c", "#c4b5f5"),
    "code-gone": ("#a02c2c", "#f5a3a3"),
    "tip": ("#24643f", "#8fd0a6"),
    "important": ("#5a4a9c", "#c4b5f5"),
    "warning": ("#8c4a0f", "#efb583"),
    "caution": ("#a02c2c", "#f5a3a3"),
}
"""The colours with a meaning of their own, on light and on dark grounds, before their contrast."""


class _Page(NamedTuple):
    """The grounds of a page, and the colours of what stands on them."""

    paper: Colour
    sand: Colour
    card: Colour
    accent: Colour
    """The accent, readable on all grounds."""

    @classmethod
    def of(cls, paper: Colour, accent: Colour) -> _Page:
        """Return the page of a paper."""
        page = cls(paper, paper, paper, accent)
        sand = page.ground(0.028, 0.011)
        card = page._raised()
        behind = (paper, sand, card)
        is_readable = all(contrast(accent, ground) >= TEXT_CONTRAST for ground in behind)
        nearest = accent if is_readable else readable(_warm(accent), behind)
        if nearest != accent and not page.is_light:
            # Light enough for small text, and not so vivid that it glares on a dark ground.
            nearest = readable(accent.at(max(accent.lightness, 0.76), 0.14), behind)
        return cls(*behind, nearest)

    @property
    def is_light(self) -> bool:
        """Whether text on this page is dark."""
        return self.paper.is_light

    def shade(self, step: float, chroma: float) -> Colour:
        """Return a shade of the paper that is darker on light pages, lighter on dark ones."""
        lightness = self.paper.lightness + (-step if self.is_light else step)
        hue = self.accent.hue if self.paper.chroma < chroma else self.paper.hue
        tinted = Colour(lightness, min(chroma, max(self.paper.chroma, self.accent.chroma)), hue)
        return tinted.at(lightness)

    def ground(self, step: float, chroma: float) -> Colour:
        """Return a shade of the paper on which the same texts can be read."""
        shade = self.shade(step, chroma)
        is_safe = shade.is_light is self.is_light
        return shade if is_safe else self.paper

    @property
    def tint(self) -> Colour:
        """The colour that lies thinly on the paper, in the heads of tables."""
        seen = self.accent.over(self.paper, TRANSLUCENT["tint"][1])
        is_safe = seen.is_light is self.is_light
        return self.accent if is_safe else (WHITE if self.is_light else BLACK)

    def _raised(self) -> Colour:
        """Return the ground of cards: a step lighter than the paper."""
        step = 0.015 if self.is_light else 0.055
        raised = self.paper.at(self.paper.lightness + step)
        return raised if raised.is_light is self.is_light else self.paper

    def texts(self, brand: Brand) -> Mapping[str, Colour]:
        """Return the colours of texts, readable on all grounds of the page."""
        tint = self.tint.over(self.paper, TRANSLUCENT["tint"][1])
        page = (self.paper, self.sand, self.card)
        lines = (*page, tint, self.ground(0.075, 0.045))
        own_ink = self.accent.at(0.25, 0.018) if self.is_light else self.accent.at(0.945, 0.008)
        ink = readable(brand.ink or own_ink, lines)
        middle = ink.lightness + 0.3 * (self.paper.lightness - ink.lightness)
        coloured = {
            name: readable(Colour.parse(light if self.is_light else dark) or BLACK, lines)
            for name, (light, dark) in _BASES.items()
        }
        return {
            "ink": ink,
            "soft": readable(ink.at(middle, 0.03), lines),
            "accent": self.accent,
            "link": readable(self.accent, lines),
            "clay": self.accent,
            "focus": self.accent,
            **coloured,
        }


def _deep(accent: Colour, *, dark: bool) -> Mapping[str, Colour]:
    """Return the colours of the hero, of calls to action and of the footer."""
    deep = _ground_of_hero(accent, dark=dark)
    ornament, clay = accent.at(0.9, 0.045), accent.at(0.66)
    behind = (
        deep,
        ornament.over(deep, TRANSLUCENT["ornament"][1]),
        clay.over(deep, TRANSLUCENT["ornament-clay"][1]),
    )
    light = readable(accent.at(0.965, 0.014), behind)
    soft = readable(accent.at(0.905, 0.02), behind)
    tinted = readable(accent.at(0.87, 0.07), behind)
    texts = (light, soft, tinted)
    scrim = readable(deep.at(deep.lightness + 0.1), texts)
    is_bright = min(contrast(accent, ground) for ground in (deep, scrim)) >= TEXT_CONTRAST
    button = accent if is_bright else light
    on_button = readable(deep if not is_bright else accent.at(0.22, 0.05), (button,))
    return {
        "deep": deep,
        "on-deep": light,
        "on-deep-soft": soft,
        "on-deep-clay": tinted,
        "ornament": ornament,
        "ornament-clay": clay,
        "deep-button": button,
        "deep-button-hover": _beyond(button, on_button),
        "on-deep-button": on_button,
        "scrim": scrim,
    }


def _ground_of_hero(accent: Colour, *, dark: bool) -> Colour:
    """Return a deep shade of the accent; of a bright one, which would be muddy, nearly grey."""
    if accent.lightness > _BRIGHT:
        return accent.at(0.27, 0.022)
    lightness = min(0.3, accent.lightness) if dark else min(0.86 * accent.lightness, 0.41)
    return accent.at(lightness, 0.6 * accent.chroma if dark else None)


def _warm(accent: Colour) -> Colour:
    """Return a yellow with a hint of orange, because dark yellow looks green."""
    is_yellow = _AMBER < accent.hue < _LIME
    return accent._replace(hue=_AMBER) if is_yellow else accent


def _button(page: _Page, accent: Colour) -> Mapping[str, Colour]:
    """Return the colours of buttons; the accent itself where text on it can be read."""
    button = accent if page.is_light else page.accent
    on_button = WHITE
    if contrast(WHITE, button) < TEXT_CONTRAST:
        darker = readable(button, (WHITE,))
        is_near = button.lightness - darker.lightness <= _NEAR
        button, on_button = (
            (darker, WHITE) if is_near else (button, readable(accent.at(0.22, 0.04), (button,)))
        )
    return {
        "button": button,
        "button-hover": _beyond(button, on_button),
        "on-button": on_button,
        "button-line": readable(button, (page.paper, page.sand, page.card), SHAPE_CONTRAST),
    }


_NEAR = 0.06
"""How much darker a button may be than the accent, so that white text can be read on it."""

_HOVER = 0.045
_BRIGHT = 0.7
"""The lightness of an accent from which on deep shades of it are muddy."""

_AMBER, _LIME = 76, 112
"""The hues between which dark shades look green."""


def _beyond(ground: Colour, text: Colour) -> Colour:
    """Return a ground one step further from the text on it."""
    step = _HOVER if text.luminance < ground.luminance else -_HOVER
    return ground.at(ground.lightness + step)
