"""The markdown parser."""

from __future__ import annotations

import mistune
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.markdown.parsed_blocks import parse_blocks
from knowledge.markdown.parser import MAX_EMPHASIS_MARKS, markdown_parser

headings = st.text("#a\\ \t\u00a0\x0b\x0c", max_size=10).map(lambda text: f"##{text}")


@given(headings)
def test_headings_are_those_of_mistune(heading: str) -> None:
    """With any closing characters."""
    assert markdown_parser().parse(heading)[0] == mistune.Markdown(renderer=None).parse(heading)[0]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("# a" + " " * 200_000 + "b", id="heading of spaces"),
        pytest.param("*a " * 50_000 + "b* " * 50_000, id="nested emphasis"),
        pytest.param("## a {#a}\n" * 20_000, id="headings"),
        pytest.param("[a]: b\n\n" * 20_000, id="definitions"),
        pytest.param("<div>\n\n" * 20_000, id="html"),
        pytest.param("a\n---\n" * 20_000, id="underlined headings"),
        pytest.param("[" * 100_000, id="brackets"),
        pytest.param("> " * 100_000, id="quotes"),
        pytest.param("- " * 100_000, id="lists"),
        pytest.param("`" * 100_000, id="ticks"),
        pytest.param("- a\n> b\n" * 2_000, id="alternating lists and quotes"),
        pytest.param("> a\n- b\n" * 2_000, id="alternating quotes and lists"),
        pytest.param("> - " * 20_000, id="lists in quotes"),
    ],
)
def test_long_texts_are_parsed_in_linear_time(text: str) -> None:
    """With quadratic time, this test would exceed its time limit."""
    assert parse_blocks(text) is not None
    assert markdown_parser().parse(text)[0] is not None


def test_the_number_of_emphasis_marks_is_limited() -> None:
    """Beyond the limit all marks of that run of text are plain text."""
    many = "*a* " * MAX_EMPHASIS_MARKS
    tokens = markdown_parser().parse(f"{many}\n\n*b*")[0]
    assert [
        token["children"][0]["type"]
        for token in tokens
        if isinstance(token, dict) and "children" in token
    ] == ["text", "emphasis"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(":::note\n" * 12_000, id="call-outs"),
        pytest.param("::::note\n:::tip\n" * 6_000, id="nested call-outs"),
        pytest.param("".join(":" * n + "note\n" for n in range(3, 440)), id="ever more colons"),
        pytest.param("> [!NOTE]\n> " * 7_000, id="quotes with markers"),
        pytest.param("a\n: b\n" * 15_000, id="definitions"),
        pytest.param("x\n" * 400 + ": b\n" * 20_000, id="definitions of a paragraph"),
        pytest.param("[^1]: a\n" * 12_000, id="notes"),
        pytest.param("[^" * 50_000, id="references"),
        pytest.param("[^1] " * 20_000 + "\n\n[^1]: a", id="references to one note"),
        pytest.param(
            "".join(f"x[^{n}]\n\n[^{n}]: see [^{n + 1}]\n\n" for n in range(3_000)), id="chain"
        ),
        pytest.param("# h\n\n[^a]\n\n" * 4_000 + "[^a]: " + "y " * 25_000, id="one long note"),
        pytest.param("- [ ] a\n" * 12_000, id="tasks"),
        pytest.param("$a " * 33_000, id="dollars"),
        pytest.param("$$\n" * 33_000, id="double dollars"),
        pytest.param("$`a " * 25_000, id="dollars and ticks"),
    ],
)
def test_long_extensions_are_parsed_in_linear_time(text: str) -> None:
    """With quadratic time, this test would exceed its time limit; nothing is repeated for ever."""
    blocks = parse_blocks(text)
    assert sum(len(block.text) for block in blocks) <= 3 * len(text)
    assert markdown_parser().parse(text)[0] is not None
