"""The markdown parser."""

from __future__ import annotations

import mistune
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.blocks import parse_blocks
from knowledge.markdown import MAX_EMPHASIS_MARKS, markdown_parser

headings = st.text("#a\\ \t\u00a0\x0b\x0c", max_size=10).map(lambda text: f"##{text}")


@given(headings)
def test_headings_are_those_of_mistune(heading: str) -> None:
    """Whatever closes them."""
    assert markdown_parser().parse(heading)[0] == mistune.Markdown(renderer=None).parse(heading)[0]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("# a" + " " * 200_000 + "b", id="heading of blanks"),
        pytest.param("*a " * 50_000 + "b* " * 50_000, id="nested emphasis"),
        pytest.param("## a {#a}\n" * 20_000, id="headings"),
        pytest.param("[a]: b\n\n" * 20_000, id="definitions"),
        pytest.param("<div>\n\n" * 20_000, id="html"),
        pytest.param("a\n---\n" * 20_000, id="underlined headings"),
        pytest.param("[" * 100_000, id="brackets"),
        pytest.param("> " * 100_000, id="quotes"),
        pytest.param("- " * 100_000, id="lists"),
        pytest.param("`" * 100_000, id="ticks"),
        pytest.param("- a\n> b\n" * 2_000, id="lists and quotes in turn"),
        pytest.param("> a\n- b\n" * 2_000, id="quotes and lists in turn"),
        pytest.param("> - " * 20_000, id="lists in quotes"),
    ],
)
def test_a_text_of_any_shape_is_parsed_in_good_time(text: str) -> None:
    """Where time grew with the square of the text, this test would not end."""
    assert parse_blocks(text) is not None
    assert markdown_parser().parse(text)[0] is not None


def test_emphasis_has_a_bound() -> None:
    """Signs beyond it are shown as they are, in that run of text only."""
    many = "*a* " * MAX_EMPHASIS_MARKS
    tokens = markdown_parser().parse(f"{many}\n\n*b*")[0]
    assert [
        each["children"][0]["type"]
        for each in tokens
        if isinstance(each, dict) and "children" in each
    ] == ["text", "emphasis"]
