"""Tables of GitHub Flavored Markdown: ragged rows, without outer pipes, in quotes and lists."""

from __future__ import annotations

import pytest
from cases import cases

from knowledge.markdown.gfm import MAX_MISSING_CELLS
from knowledge.markdown.parser import Token, markdown_parser


def _tokens(text: str) -> list[Token]:
    tokens, _ = markdown_parser().parse(text)
    assert isinstance(tokens, list)
    return tokens


def _rows(tokens: list[Token]) -> list[list[str]]:
    """Return the texts of the cells of all tables, by row."""
    rows = []
    for token in tokens:
        if token["type"] in ("table_head", "table_row"):
            rows.append([_text(cell["children"]) for cell in token["children"]])
        else:
            rows += _rows(token.get("children", []))
    return rows


def _text(tokens: list[Token]) -> str:
    return "".join(token.get("raw", "") + _text(token.get("children", [])) for token in tokens)


@cases(
    ("text", "rows"),
    [
        pytest.param("a|b\n-|-\n1|2", [["a", "b"], ["1", "2"]], id="without outer pipes"),
        pytest.param("|a|b|\n|-|-|\n|1|", [["a", "b"], ["1", ""]], id="missing cells are empty"),
        pytest.param("|a|b|\n|-|-|\n1|2|3", [["a", "b"], ["1", "2"]], id="surplus is dropped"),
        pytest.param("|a|\n|-|\nx\n\ny", [["a"], ["x"]], id="a row needs no pipe"),
        pytest.param("|a|b|\n|-|-|", [["a", "b"]], id="only a header"),
        pytest.param("> |a|b|\n> |-|-|\n> |1|", [["a", "b"], ["1", ""]], id="in a quote"),
        pytest.param("- x\n\n  a|b\n  -|-\n  1|2", [["a", "b"], ["1", "2"]], id="in a list"),
        pytest.param("text\n|a|b|\n|-|-|\n|1|2|", [["a", "b"], ["1", "2"]], id="after a text"),
        pytest.param(r"|a \| b|" + "\n|-|\n|`c \\| d`|", [["a | b"], ["c | d"]], id="escape"),
        pytest.param("|a|b|\n|-|\n|1|2|", [], id="other number of delimiters"),
        pytest.param("|a|b|\n|-|x|\n|1|2|", [], id="no delimiters"),
        pytest.param("|a|\n|-|\n|1|\n> q", [["a"], ["1"]], id="a quote ends it"),
        pytest.param("|a|\n|-|\n|1|\n```\n|2|\n```", [["a"], ["1"]], id="code ends it"),
        pytest.param("|a|\n|-|\n|1|\n# h|", [["a"], ["1"]], id="a heading ends it"),
    ],
)
def test_a_table_has_the_cells_of_its_header(text: str, rows: list[list[str]]) -> None:
    """Missing ones are empty, surplus ones are dropped; other blocks end the table."""
    assert _rows(_tokens(text)) == rows


def test_a_long_header_does_not_fill_the_memory() -> None:
    """Rows beyond the limit of missing cells are no longer part of the table."""
    columns = 1_000
    rows = 2 * MAX_MISSING_CELLS // columns
    text = "|a" * columns + "|\n" + "|-" * columns + "|\n" + "x\n" * rows
    assert len(_rows(_tokens(text))) == 1 + MAX_MISSING_CELLS // (columns - 1)
