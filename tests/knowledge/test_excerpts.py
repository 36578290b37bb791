"""Excerpts of posts whose author wrote none."""

from __future__ import annotations

import pytest
from conftest import document_of

from knowledge.excerpts import first_paragraph

LONG = "\n\n".join(["## Heading"] * 400)


@pytest.mark.parametrize(
    ("body", "excerpt"),
    [
        pytest.param("One *line*.\n\nTwo.", "One line.", id="first paragraph"),
        pytest.param("# Title\n\n* list\n\nText", "Text", id="headings and lists are skipped"),
        pytest.param("![a](b.png)\n\nText", "Text", id="an image is skipped"),
        pytest.param("> quote", "", id="no paragraph"),
        pytest.param("", "", id="nothing"),
        pytest.param(f"{LONG}\n\nFar below.", "Far below.", id="far below"),
        pytest.param("x" * 3000, "x" * 3000, id="one long paragraph"),
        pytest.param(f"See [the *law*][l].\n\n{LONG}\n\n[l]: /x", "See the law.", id="reference"),
        pytest.param(f"[![b][i]][l]\n\nText\n\n{LONG}\n\n[l]: /x\n[i]:\n  /i", "Text", id="badges"),
        pytest.param(
            f"An [array] [^1]\n\n{LONG}\n\n[^1]: no definition", "An [array] [^1]", id="brackets"
        ),
        pytest.param(f"```\n{LONG}\n```\n\nText", "Text", id="a fence is not cut"),
    ],
)
def test_the_first_paragraph_in_plain_text(body: str, excerpt: str) -> None:
    """For posts of any length."""
    assert first_paragraph(document_of("posts/a.md", f"---\na: 1\n---\n{body}")) == excerpt
