"""The palette of a theme: every text can be read, whatever colours are given."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cases import cases
from colour_pairs import SHAPE_PAIRS, TEXT_PAIRS, grounds
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.fields.theme_fields import Colour, contrast
from knowledge.resources.palette import (
    SHAPE_CONTRAST,
    TEXT_CONTRAST,
    Brand,
    Palette,
    palette,
)

COLOURS = st.integers(0, 0xFFFFFF).map(lambda number: Colour.parse(f"#{number:06x}"))
BRANDS = st.builds(Brand, COLOURS, st.none() | COLOURS, st.none() | COLOURS)


def faint(colours: Palette) -> Iterator[tuple[str, str, float]]:
    """Yield the pairs of a palette with too little contrast."""
    parsed = {name: Colour.parse(value[:7]) for name, value in colours.items()}
    seen = grounds({name: colour for name, colour in parsed.items() if colour})
    for pairs, minimum in ((TEXT_PAIRS, TEXT_CONTRAST), (SHAPE_PAIRS, SHAPE_CONTRAST)):
        for texts, behind in pairs:
            for text in texts:
                for ground in behind:
                    ratio = contrast(seen[text], seen[ground])
                    if ratio < minimum:
                        yield text, ground, ratio


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(BRANDS, st.booleans())
def test_each_pair_of_a_random_theme_has_the_contrast_of_wcag_aa(brand: Brand, dark: bool) -> None:
    """In light and in dark, with any accent, ink and paper."""
    assert not list(faint(palette(brand, dark=dark)))


@cases("dark", [False, True])
@cases(
    "brand",
    [
        pytest.param(("#b3122a", None, None), id="red"),
        pytest.param(("#ffe27a", None, None), id="very light accent"),
        pytest.param(("#0f5c5c", None, "#0a0a0c"), id="very dark paper"),
        pytest.param(("#000000", None, None), id="black"),
        pytest.param(("#ffffff", "#ffffff", "#ffffff"), id="white on white"),
        pytest.param(("#808080", "#808080", "#767676"), id="grey on grey"),
    ],
)
def test_each_pair_of_a_hard_theme_has_the_contrast_of_wcag_aa(
    brand: tuple[str, str | None, str | None], dark: bool
) -> None:
    """Colours that are all alike, or at an end of the scale."""
    accent, ink, paper = (Colour.parse(each or "") for each in brand)
    assert accent is not None
    assert not list(faint(palette(Brand(accent, ink, paper), dark=dark)))


def test_colours_that_can_be_read_stay_as_given() -> None:
    """A red brand keeps its red for links and buttons."""
    red, ink = Colour.parse("#b3122a"), Colour.parse("#101010")
    assert red is not None
    colours = palette(Brand(red, ink), dark=False)
    assert {colours[name] for name in ("accent", "link", "button")} == {"#b3122a"}
    assert colours["ink"] == "#101010"
    assert colours["paper"] == "#ffffff"


def test_no_colour_of_a_red_brand_is_teal() -> None:
    """All but the colours with a meaning of their own have its hue, or none."""
    red = Colour.parse("#b3122a")
    assert red is not None
    own = {"mark", "on-mark", "good", "tip", "important", "warning", "caution", "shade", "shadow"}
    for dark in (False, True):
        for name, value in palette(Brand(red), dark=dark).items():
            colour = Colour.parse(value[:7])
            assert colour is not None
            if name not in own and not name.startswith("code-") and colour.chroma > 0.02:
                assert abs(colour.hue - red.hue) < 25, (name, value)


def test_a_light_accent_keeps_its_colour_on_buttons() -> None:
    """Their text is dark, and a line around them separates them from the paper."""
    yellow = Colour.parse("#ffe27a")
    assert yellow is not None
    colours = palette(Brand(yellow), dark=False)
    assert colours["button"] == colours["deep-button"] == "#ffe27a"
    dark = Colour.parse(colours["on-button"])
    assert dark is not None
    assert dark.luminance < yellow.luminance
    assert colours["button-line"] not in (colours["button"], colours["paper"])
    assert colours["link"] != "#ffe27a"
