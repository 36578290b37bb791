"""Which parts of a text keep their own direction."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape

from renderers.html.bidi import isolate_ltr

_MEANT = re.compile(r"\+\d[\d ()\u00a0-]{5,}\d|\d[\d.,]*(?:\s*[×÷=]\s*\d[\d.,]*)+")
"""Phone numbers and sums, in the shortest words; it takes the square of a text's length."""


@given(st.text("12,.=× +-()a&\u00a0", max_size=24))
def test_phone_numbers_and_sums_are_isolated_and_nothing_else(text: str) -> None:
    """Whatever stands around them."""
    meant = _MEANT.sub(lambda match: f'<bdi dir="ltr">{match[0]}</bdi>', str(escape(text)))
    assert str(isolate_ltr(text)) == meant


@pytest.mark.parametrize(
    ("text", "highlighted"),
    [
        ("1,200 × 5 = 6,000", '<bdi dir="ltr">1,200 × 5 = 6,000</bdi>'),
        ("1,200", "1,200"),
        ("1,200 ×", "1,200 ×"),
        ("+971 4 555 0142", '<bdi dir="ltr">+971 4 555 0142</bdi>'),
        ("1 + 2", "1 + 2"),
    ],
)
def test_a_number_alone_needs_no_mark(text: str, highlighted: str) -> None:
    """It has only one order."""
    assert str(isolate_ltr(text)) == highlighted
