"""Cutting of texts into passages."""

from __future__ import annotations

import pytest
from cases import cases
from conftest import ViewOf
from hypothesis import given
from hypothesis import strategies as st

from knowledge.blocks.block import NO_ANCHOR
from knowledge.markdown.parsed_blocks import parse_blocks
from knowledge.markdown.tokens import estimate_tokens
from knowledge.resources.pages import page_detail
from knowledge.resources.passages import MAX_TOKENS, Part, cut, section_parts, text_part

SENTENCE = "The till keeps selling without internet and synchronises when the line is back."
PARAGRAPH = " ".join([SENTENCE] * 5)


def passages(text: str) -> list[str]:
    """Return the passages of a text without headings, the same if its blocks are not known yet."""
    found = list(cut([(block.type, block.text) for block in parse_blocks(text)]))
    assert list(cut(text_part((), NO_ANCHOR, text).blocks)) == found
    return found


def parts(view_of: ViewOf, body: str) -> list[Part]:
    """Return the parts of a page with this body."""
    view = view_of({"pages/a.md": f"---\ntitle: A\n---\n{body}"})
    return list(section_parts(page_detail(view, "a").resource.page.sections))


def test_a_short_text_is_one_passage() -> None:
    """Whatever its blocks are."""
    text = "A\n\n- b\n- c\n\n| d |\n|---|\n| e |"
    assert passages(text) == [text]


def test_a_long_text_is_cut_between_blocks_into_similar_sizes() -> None:
    """No passage has the last paragraph alone."""
    text = "\n\n".join([PARAGRAPH] * 4)
    assert passages(text) == ["\n\n".join([PARAGRAPH] * 2)] * 2


def test_a_code_block_and_a_paragraph_stay_whole() -> None:
    """Even if they are too long."""
    code = "```\n" + "\n\n".join([SENTENCE] * 20) + "\n```"
    long = " ".join([SENTENCE] * 20)
    assert passages(f"{code}\n\n{long}\n\nEnd.") == [code, f"{long}", "End."]


def test_a_table_is_cut_between_rows_and_repeats_its_head() -> None:
    """Each row is in one passage; link definitions are with each."""
    head = "| City | Text |\n|---|--:|"
    rows = [f"| {number} | [x] {SENTENCE} |" for number in range(40)]
    found = passages("\n".join((head, *rows)) + "\n\n[x]: /y")
    assert len(found) > 2
    assert all(text.startswith(f"{head}\n") and text.endswith("\n\n[x]: /y") for text in found)
    cut_rows = [line for text in found for line in text.split("\n")[2:] if line.startswith("|")]
    assert cut_rows == rows
    assert max(map(estimate_tokens, found)) < 1.3 * MAX_TOKENS


@cases("marker", ["-", "*", "10."])
def test_a_list_is_cut_between_items(marker: str) -> None:
    """What belongs to an item stays with it: nested items, paragraphs and code."""
    inner = f"\n    - {SENTENCE}\n\n    {SENTENCE}\n\n    ```\n    - no item\n    ```"
    items = [f"{marker} {SENTENCE}{inner}" for _ in range(8)]
    found = passages("\n".join(items))
    assert len(found) > 2
    assert "\n".join(found) == "\n".join(items)
    assert all(text.startswith(f"{marker} ") for text in found)


def test_headings_open_parts_with_their_path_and_anchor(view_of: ViewOf) -> None:
    """A heading without text is in the paths below it; the last one has an empty part."""
    body = (
        "Zero.\n\n## A\n\nOne.\n\n### B\n\n#### C {#c}\n\nTwo.\n\n> ### Quoted\n\n"
        "### A\n\nThree.\n\n## D\n"
    )
    found = [
        (part.headings, part.anchor.id, [text for _, text in part.blocks])
        for part in parts(view_of, body)
    ]
    assert found == [
        ((), "intro", ["Zero."]),
        (("A",), "a", ["One."]),
        (("A", "B", "C"), "c", ["Two.", "> ### Quoted"]),
        (("A", "A"), "a-2", ["Three."]),
        (("D",), "d", []),
    ]


def test_each_question_is_a_part_with_its_answer(view_of: ViewOf) -> None:
    """The text before the first question is one of its own."""
    body = ":::{faq} Ask\n\nBefore.\n\n### Why?\n\nSo.\n\n### When?\n\n#### At night\n\nNow.\n:::"
    assert [(part.headings, part.anchor.id) for part in parts(view_of, body)] == [
        (("Ask",), "ask"),
        (("Ask", "Why?"), "why"),
        (("Ask", "When?", "At night"), "at-night"),
    ]


def test_the_items_of_a_feature_grid_stay_together(view_of: ViewOf) -> None:
    """Their terms are headings in HTML only."""
    body = ":::{featureGrid} Parts\n\n- **Stock**: by branch\n- **Sales**: by till\n:::"
    (part,) = parts(view_of, body)
    assert (part.headings, part.anchor.id) == (("Parts",), "parts")
    assert [text for _, text in part.blocks] == ["- **Stock**: by branch\n- **Sales**: by till"]


sentences = st.integers(min_value=1, max_value=40).map(lambda count: " ".join([SENTENCE] * count))


@given(st.lists(sentences, min_size=1, max_size=12))
def test_no_block_is_lost_and_passages_fit(blocks: list[str]) -> None:
    """A passage is too long only if it is one block."""
    found = list(cut([("paragraph", text) for text in blocks]))
    assert "\n\n".join(found) == "\n\n".join(blocks)
    for text in found:
        assert estimate_tokens(text) <= MAX_TOKENS + len(blocks) or text in blocks


@cases(
    "block",
    [
        pytest.param(":::note[Counting]\nClose the shop.\n\nThen count.\n:::", id="call-out"),
        pytest.param("> [!TIP]\n> Count.\n>\n> - twice", id="call-out as a quote"),
        pytest.param("Stock\n: What is there.\n\nTill\n: Where it is sold.", id="definitions"),
        pytest.param("```py\na = 1\n\nb = 2\n```", id="code"),
        pytest.param("Text[^1].\n\n[^1]: Note.\n\n    More.", id="footnote"),
    ],
)
def test_extensions_stay_whole(block: str) -> None:
    """Blocks with blank lines are not cut where they fit."""
    long = "Many words about the stock of the shop. " * 15
    found = passages(f"{long}\n\n{block}\n\n{long}")
    assert len(found) > 1
    assert any(block in text for text in found)
