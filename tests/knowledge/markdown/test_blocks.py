"""Markdown bodies as top-level blocks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cases import cases
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.markdown.inline import Reference, references
from knowledge.markdown.parsed_blocks import parse_blocks, split_anchor
from renderers.html.commonmark import render_markdown

GOLDEN = Path(__file__).parent / "golden"

words = st.sampled_from(["VAT", "invoice", "فاتورة", "*stock*", "`code`", "[a](/b)", "1.250"])
lines = st.lists(words, min_size=1, max_size=4).map(" ".join)
pieces = st.one_of(
    lines,
    lines.map(lambda line: f"# {line}"),
    lines.map(lambda line: f"## {line} {{#x}}"),
    lines.map(lambda line: f"> {line}"),
    st.lists(lines, min_size=1, max_size=3).map(lambda items: "\n".join(f"* {x}" for x in items)),
    st.lists(lines, min_size=1, max_size=3).map(lambda items: "\n".join(f"1. {x}" for x in items)),
    lines.map(lambda line: f"* {line}\n\n  {line}"),
    lines.map(lambda line: f"```\n{line}\n\n## {line}\n```"),
    lines.map(lambda line: f"    {line}"),
    lines.map(lambda line: f"| a | b |\n|---|---|\n| {line} | x |"),
    st.sampled_from(["---", "***", "![alt](x.png)", "<div>raw</div>", "Text\n==="]),
)
# mistune renders a quote after the list that ends it; test_blocks_have_mdast_names covers that.
_parts = st.tuples(pieces, st.sampled_from(["\n", "\n\n", "\n\n\n"])).map(
    lambda part: (part[0], "\n\n") if part[0].startswith(">") else part
)
bodies = st.lists(_parts, max_size=8).map(
    lambda parts: "".join(piece + gap for piece, gap in parts)
)


def html(text: str) -> str:
    """Return the rendered HTML without white space."""
    return "".join(render_markdown(text).split())


def test_the_golden_body() -> None:
    """The type, line and text of each block are those of golden/blocks.json."""
    body = (GOLDEN / "blocks.md").read_text()
    blocks = [{"line": b.line, "type": b.type, "text": b.text} for b in parse_blocks(body)]
    assert blocks == json.loads((GOLDEN / "blocks.json").read_text())


@pytest.mark.slow
@settings(max_examples=examples(4))
@given(bodies)
def test_the_joined_blocks_render_like_the_body(body: str) -> None:
    """Blocks joined by blank lines give the same HTML."""
    joined = "\n\n".join(block.text for block in parse_blocks(body))
    assert html(joined).replace("{#x}", "") == html(body).replace("{#x}", "")


@pytest.mark.slow
@settings(max_examples=examples(4))
@given(bodies)
def test_every_block_has_its_line(body: str) -> None:
    """Counted from 1 in the body: there its text begins."""
    for block in parse_blocks(body):
        first = block.text.split("\n")[0]
        assert body.split("\n")[block.line - 1].startswith(first.rstrip())


@given(st.text(max_size=200))
def test_any_text_has_blocks(body: str) -> None:
    """Nothing is raised, and line numbers never decrease."""
    blocks = parse_blocks(body)
    assert [block.line for block in blocks] == sorted(block.line for block in blocks)


@cases(
    ("body", "types"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("\n\n", [], id="blanks"),
        pytest.param("[a]: /b", [], id="only a definition"),
        pytest.param("text\n\n[a]: /b\n\ntext", ["paragraph"] * 2, id="definition between"),
        pytest.param("* a\n* b\n# C", ["list", "heading"], id="list interrupted by a heading"),
        pytest.param("* a\n```\nx\n```", ["list", "code"], id="list interrupted by a fence"),
        pytest.param("* a\n---\nb", ["list", "thematicBreak", "paragraph"], id="list, then rule"),
        pytest.param("> a\n* b\n# C", ["blockquote", "list", "heading"], id="quote, then list"),
        pytest.param("> a\n* b\n> c", ["blockquote", "list", "blockquote"], id="between quotes"),
        pytest.param("* a\n\n1. b", ["list", "list"], id="two lists"),
        pytest.param("![a](b.png)", ["image"], id="image alone"),
        pytest.param('![a](b.png "T")', ["image"], id="image with title"),
        pytest.param("![a](b.png) text", ["paragraph"], id="image in text"),
        pytest.param("Title\n---", ["heading"], id="underlined heading"),
        pytest.param("```\n:::{faq} x\n:::\n```", ["code"], id="directive in a fence"),
        pytest.param("    :::{faq} x\n    :::", ["code"], id="directive indented as code"),
        pytest.param(
            "a\n\n:::{faq} x\nb\n:::\n\nc", ["paragraph", "directive", "paragraph"], id="directive"
        ),
    ],
)
def test_blocks_have_mdast_names(body: str, types: list[str]) -> None:
    """Independent of the neighbouring blocks."""
    assert [block.type for block in parse_blocks(body)] == types


def test_reference_links_are_self_contained() -> None:
    """A block includes the link definitions that it uses, and no others."""
    first, second = parse_blocks("See [a] and [B][].\n\nNo link.\n\n[a]: /a\n[b]: /b 'T'\n[c]: /c")
    assert first.text == 'See [a] and [B][].\n\n[a]: /a\n[b]: /b "T"'
    assert second.text == "No link."


def test_reference_links_inside_a_directive_are_self_contained() -> None:
    """Its text is rendered without the rest of the body."""
    (block,) = parse_blocks(":::{cta} Go\nSee [a].\n:::\n\n[a]: /a")
    assert block.directive is not None
    assert block.directive.text == "See [a].\n\n[a]: /a"
    assert block.text.endswith(":::")


def test_a_directive_is_parsed() -> None:
    """Name, title, options and text; a longer fence may contain a shorter one."""
    (block,) = parse_blocks("::::{faq} Ask *us*\n:id: ask\n:visible: false\n\n:::\ntext\n::::")
    assert block.directive is not None
    assert (block.directive.name, block.directive.title) == ("faq", "Ask *us*")
    assert block.directive.options == {"id": "ask", "visible": "false"}
    assert block.directive.text == ":::\ntext"


def test_the_id_is_removed_from_a_heading() -> None:
    """Heading ids are an extension of CommonMark."""
    (block,) = parse_blocks("## Our team {#team}")
    assert (block.text, block.heading, block.anchor, block.level) == (
        "## Our team",
        "Our team",
        "team",
        2,
    )
    assert split_anchor("No {id}") == ("No {id}", "")


@cases("mark", ["- ", "> ", "> > "])
def test_a_link_definition_may_stand_in_a_list_or_quote(mark: str) -> None:
    """It gives the link its target, and holds no headings."""
    rest = mark.replace("-", " ")
    (block,) = parse_blocks(f"{mark}See [x].\n{rest}\n{rest}[x]: https://a.example\n")
    assert block.headings == ()
    assert references(block.text) == (Reference("https://a.example", False, "x"),)
