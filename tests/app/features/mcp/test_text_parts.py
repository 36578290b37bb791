"""Tests of long texts in parts."""

from __future__ import annotations

import pytest
from cases import cases

from app.features.mcp.pages import MAX_CHARACTERS, text_parts
from knowledge.markdown.tokens import estimate_tokens

SENTENCE = "Stock is counted every week, branch by branch. "


@cases(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("Short.", id="a short text"),
        pytest.param(SENTENCE * 5_000, id="one paragraph"),
        pytest.param("x" * 200_000, id="one word"),
        pytest.param("🎉" * 60_000, id="signs"),
        pytest.param("\n" * 100_000 + "x", id="blank lines"),
        pytest.param("| a | b |\n" * 20_000, id="a table"),
        pytest.param("```\n" + "# code\n\n" * 10_000, id="code without an end"),
        pytest.param(("## A\n\n" + SENTENCE * 2_000 + "\n\n### B\n\nText\n\n") * 3, id="sections"),
    ],
)
def test_parts_fit_and_lose_nothing(text: str) -> None:
    """Within the limits of characters and of tokens, in as few parts as that allows."""
    parts = text_parts(text)
    assert all(len(part) <= MAX_CHARACTERS for part in parts)
    assert all(estimate_tokens(part) <= 20_000 for part in parts)
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert len(parts) <= len(text) // 9_000 + 1


def test_a_heading_in_code_is_no_border() -> None:
    """A part ends before the next real one."""
    code = "```\n# no heading\n" + SENTENCE * 500 + "\n```\n\n"
    text = f"# Title\n\n{code}## Real\n\n" + SENTENCE * 500
    first, second = text_parts(text)
    assert first.endswith("```")
    assert second.startswith("## Real")
