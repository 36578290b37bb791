"""Tables are parsed as by mistune, but in linear time."""

from __future__ import annotations

import mistune
from hypothesis import given
from hypothesis import strategies as st
from mistune.plugins.table import table

from knowledge.markdown import markdown_parser

LINES = st.sampled_from(
    [
        "a|b",
        "-|-",
        "a|b|c",
        "-|-|-",
        "|a|b|",
        "|-|-|",
        "a\\|b",
        "\\\\|b",
        "x",
        "",
        " |",
        "- a|b",
        "> a|b",
    ]
)
_MISTUNE = mistune.Markdown(renderer=None, plugins=[table])


@given(st.lists(LINES, max_size=12).map("\n".join))
def test_tables_are_those_of_mistune(text: str) -> None:
    """For any sequence of rows."""
    assert markdown_parser().parse(text)[0] == _MISTUNE.parse(text)[0]
