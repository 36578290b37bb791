"""Isolation of left-to-right parts in right-to-left text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape

from renderers.html.bidi import isolate_ltr

_REFERENCE = re.compile(r"\+\d[\d ()\u00a0-]{5,}\d|\d[\d.,]*(?:\s*[×÷=]\s*\d[\d.,]*)+")
"""Phone numbers and calculations, as a simple pattern that takes quadratic time."""


@given(st.text("12,.=× +-()a&\u00a0", max_size=24))
def test_only_phone_numbers_and_calculations_are_isolated(text: str) -> None:
    """The result does not depend on the surrounding text."""
    expected = _REFERENCE.sub(lambda match: f'<bdi dir="ltr">{match[0]}</bdi>', str(escape(text)))
    assert str(isolate_ltr(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,200 × 5 = 6,000", '<bdi dir="ltr">1,200 × 5 = 6,000</bdi>'),
        ("1,200", "1,200"),
        ("1,200 ×", "1,200 ×"),
        ("+971 4 555 0142", '<bdi dir="ltr">+971 4 555 0142</bdi>'),
        ("1 + 2", "1 + 2"),
    ],
)
def test_a_plain_number_is_not_isolated(text: str, expected: str) -> None:
    """It reads the same in both directions."""
    assert str(isolate_ltr(text)) == expected
