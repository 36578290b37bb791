"""Raw HTML outside HTML pages: its links, texts and what check tells of it."""

from __future__ import annotations

from conftest import document_of

from knowledge.checks.body_checks import removed_html
from knowledge.markdown.inline import Reference, references, rewrite_targets, without_html
from knowledge.markdown.parsed_blocks import parse_blocks


def test_links_of_raw_html_are_resolved_as_those_of_markdown() -> None:
    """In attributes with and without quotes, but not in code."""
    text = '<a href="b.md?x&amp;y">x</a> <img src=c.png> `<a href="b.md">`'
    rewritten = rewrite_targets(text, lambda target: f"/{target}")
    assert rewritten == '<a href="/b.md?x&amp;y">x</a> <img src="/c.png"> `<a href="b.md">`'


def test_a_target_that_stays_is_not_written_anew() -> None:
    """The author's spelling of the tag stays."""
    text = "<a  href='https://x.test/?a&b' >x</a>"
    assert rewrite_targets(text, str) == text


def test_links_of_raw_html_are_checked() -> None:
    """Links, images with their alternative texts, and media."""
    text = '<a href="b.md">x</a> <img src="c.png" alt="C">\n\n<video src="d.mp4"></video>'
    expected = (
        Reference("b.md", False, ""),
        Reference("c.png", True, "C"),
        Reference("d.mp4", False, ""),
    )
    assert references(text) == expected


def test_passages_have_no_tags() -> None:
    """What is removed with its content is in no passage; code stays."""
    text = (
        '<div align="center">\n\n**A** <img alt="B"> <script>c()</script>d `<e>` <https://f.test>'
    )
    assert without_html(text).split() == ["**A**", "B", "d", "`<e>`", "<https://f.test>"]


def test_headings_of_raw_html_are_headings_of_their_block() -> None:
    """With their texts and the ids that their author set."""
    (block,) = parse_blocks("<div>\n<h2 id='x'>A <i>b</i></h2>\n<h3>C</h3>\n</div>")
    assert block.type == "html"
    assert [*map(tuple, block.headings)] == [("A b", "x"), ("C", "")]


def test_check_names_what_pages_leave_out() -> None:
    """Once for each file, with the lines."""
    text = (
        "---\ntitle: A\n---\n<font>x</font>\n\n<script>\nfont()\n</script>\n\n"
        '- <b onclick="x">y</b> <font>z</font> `<u-v>`\n- <a href="javascript:x">y</a>\n'
    )
    (diagnostic,) = removed_html(document_of("posts/a.md", text))
    assert diagnostic.location == "posts/a.md:4"
    assert diagnostic.message == (
        "Pages leave out this HTML: <font> (lines 4, 10), <script> (line 6), "
        "onclick of <b> (line 10), href of <a> (line 11)."
    )


def test_check_is_silent_about_html_that_is_shown() -> None:
    """Also about tags in code."""
    text = "---\ntitle: A\n---\n<details open>\n\n`<script>`\n\n</details>\n"
    assert [*removed_html(document_of("posts/a.md", text))] == []
