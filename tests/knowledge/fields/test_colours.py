"""Colours: parsing, contrast, and the nearest lightness that can be read."""

from __future__ import annotations

import pytest
from cases import cases
from hypothesis import example, given
from hypothesis import strategies as st

from knowledge.fields.theme_fields import BLACK, WHITE, Colour, contrast, readable

HEX = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")


def colour(text: str) -> Colour:
    """Return a valid colour."""
    parsed = Colour.parse(text)
    assert parsed is not None
    return parsed


@given(HEX)
def test_a_colour_is_written_as_it_was_read(text: str) -> None:
    """OKLCH loses nothing of 8 bits a channel."""
    assert colour(text).hex == text


@cases("text", ["", "teal", "#12", "#12345", "#gggggg", "rgb(1 2 3)", "#1234567"])
def test_what_is_no_hexadecimal_colour_is_refused(text: str) -> None:
    """Names and functions of CSS too."""
    assert Colour.parse(text) is None


@cases(
    ("first", "second", "ratio"),
    [
        pytest.param("#777777", "#ffffff", 4.48, id="grey"),
        pytest.param("#b3122a", "#ffffff", 6.92, id="red"),
        pytest.param("#ffe27a", "#ffffff", 1.28, id="yellow"),
        pytest.param("#0000ff", "#ffffff", 8.59, id="blue"),
    ],
)
def test_contrast_is_that_of_wcag(first: str, second: str, ratio: float) -> None:
    """The order of the colours does not matter."""
    assert round(contrast(colour(first), colour(second)), 2) == ratio
    assert contrast(colour(first), colour(second)) == contrast(colour(second), colour(first))


@given(HEX, HEX)
@example("#00000d", "#007f9a")  # only black passes
def test_the_nearest_readable_colour_passes_and_keeps_its_hue(text: str, ground: str) -> None:
    """A colour that passes stays; between black and white there is always one."""
    before, behind = colour(text), colour(ground)
    after = readable(before, [behind])
    assert contrast(colour(after.hex), behind) >= 4.5
    assert after.hue == before.hue
    if contrast(before, behind) >= 4.5:
        assert after == before


def test_where_no_colour_can_be_read_the_best_one_is_returned() -> None:
    """No colour has 4.5 to 1 on black and on white."""
    assert readable(colour("#b3122a"), [BLACK, WHITE, colour("#eeeeee")]) in (BLACK, WHITE)
