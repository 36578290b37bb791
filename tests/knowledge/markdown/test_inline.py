"""Inline markdown."""

from __future__ import annotations

import pytest
from cases import cases

from knowledge.markdown.inline import Reference, plain_line, plain_text, references, rewrite_targets


@cases(
    ("markdown", "plain"),
    [
        pytest.param("just  words\nhere", "just words here", id="blanks collapse"),
        pytest.param("**bold** and `code`", "bold and code", id="marks"),
        pytest.param("[text](/x) ![alt](y.png)", "text", id="links give text, images nothing"),
        pytest.param("see [a][b]\n\n[b]: /x", "see a", id="reference link"),
        pytest.param("a<b>b</b>", "ab", id="raw HTML is dropped"),
        pytest.param("a<br>b", "a b", id="a break separates words"),
        pytest.param("<div>\na <i>b</i>\n</div>", "a b", id="the text of a block of raw HTML"),
        pytest.param('a <img src="x" alt="b">', "a b", id="the alternative text of a raw image"),
        pytest.param("a <script>b()</script> c", "a c", id="a script goes with its content"),
        pytest.param("a <!-- b --> c", "a c", id="a comment is dropped"),
        pytest.param("Tom &amp; Jerry &copy;", "Tom & Jerry ©", id="entities"),
        pytest.param(r"\&amp; `&amp;`", "&amp; &amp;", id="no entities"),
        pytest.param("~~old~~ ~new~ 5~6", "old new 5~6", id="strikethrough"),
        pytest.param("see www.a.test/b.", "see www.a.test/b.", id="a bare address"),
        pytest.param(r"3 \* 4", "3 * 4", id="escape"),
        pytest.param("|A|B|\n|-|-|\n|1|*two*|", "A B 1 two", id="cells of a table"),
        pytest.param("- a\n- b\n## C\nd\n```\ne\n```", "a b C d e", id="blocks"),
        pytest.param("one\\\ntwo", "one two", id="line break"),
        pytest.param("فاتورة *ضريبية*", "فاتورة ضريبية", id="Arabic"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_plain_text_is_what_a_reader_sees(markdown: str, plain: str) -> None:
    """No markup, no images."""
    assert plain_text(markdown) == plain


@cases("line", ["1. Use *this*", "> *this*", "- *this*", "# *this*"])
def test_a_line_does_not_open_a_block(line: str) -> None:
    """A heading may start with a number."""
    assert plain_line(line) == line.replace("*", "")


def test_references_are_found_in_order() -> None:
    """Links and images, also in tables and lists, but not in code."""
    text = "[a](/a) ![b *c*](b.png)\n\n* [d](/d)\n\n| x |\n|---|\n| [e](/e) |\n\n`[f](/f)`"
    assert references(text) == (
        Reference("/a", False, "a"),
        Reference("b.png", True, "b c"),
        Reference("/d", False, "d"),
        Reference("/e", False, "e"),
    )


@cases(
    ("markdown", "rewritten"),
    [
        pytest.param("[a](b)", "[a](B)", id="link"),
        pytest.param('![a](b "T")', '![a](B "T")', id="image with title"),
        pytest.param("[a](<b>)", "[a](<B>)", id="in angle brackets"),
        pytest.param("[a](<b c.md#d> 'T')", "[a](<B C.MD#D> 'T')", id="with spaces"),
        pytest.param("[a]: b 'T'", "[a]: B 'T'", id="definition"),
        pytest.param("[![i](b)](c)", "[![i](B)](C)", id="image in a link"),
        pytest.param("`[a](b)` [c](d)", "`[a](b)` [c](D)", id="code span"),
        pytest.param("``[a](b)` ``", "``[a](b)` ``", id="longer ticks"),
        pytest.param("```\n[a](b)\n```\n[c](d)", "```\n[a](b)\n```\n[c](D)", id="fence"),
        pytest.param("~~~\n[a](b)", "~~~\n[a](b)", id="fence never closed"),
        pytest.param("``[a](b)`", "``[a](B)`", id="unclosed ticks"),
        pytest.param("```[a](b)`` `[c](d)`", "```[a](B)`` `[c](d)`", id="ticks of three lengths"),
        pytest.param("`a`[a](b)`[c](d)`", "`a`[a](B)`[c](d)`", id="two code spans"),
        pytest.param("`\n\n[a](b)`", "`\n\n[a](B)`", id="a backtick of each of two paragraphs"),
        pytest.param("```\n  ```\n[a](b)", "```\n  ```\n[a](B)", id="indented end of a fence"),
        pytest.param(
            "- ```\n  `\n\n  [a](b)\n  ```", "- ```\n  `\n\n  [a](b)\n  ```", id="fence of an item"
        ),
        pytest.param("- `\n- [a](b)`", "- `\n- [a](B)`", id="a backtick of each of two items"),
        pytest.param("no links", "no links", id="none"),
    ],
)
def test_targets_are_rewritten_in_place(markdown: str, rewritten: str) -> None:
    """The rest of the text stays unchanged."""
    assert rewrite_targets(markdown, str.upper) == rewritten
