"""Excerpts of posts whose author wrote none."""

from __future__ import annotations

import pytest
from cases import cases
from conftest import document_of

from knowledge.documents.body import body_excerpt
from knowledge.resources.posts import lead_of

LONG = "\n\n".join(["## Heading"] * 400)


@cases(
    ("body", "excerpt"),
    [
        pytest.param("One *line*.\n\nTwo.", "One line.", id="first paragraph"),
        pytest.param("# Title\n\n* list\n\nText", "Text", id="headings and lists are skipped"),
        pytest.param("![a](b.png)\n\nText", "Text", id="an image is skipped"),
        pytest.param("> quote", "", id="no paragraph"),
        pytest.param("", "", id="nothing"),
        pytest.param(f"{LONG}\n\nFar below.", "Far below.", id="far below"),
        pytest.param("word " * 100, "word " * 59 + "word…", id="one long paragraph"),
        pytest.param("x" * 3000, "x" * 299 + "…", id="one long word"),
        pytest.param(f"See [the *law*][l].\n\n{LONG}\n\n[l]: /x", "See the law.", id="reference"),
        pytest.param(f"[![b][i]][l]\n\nText\n\n{LONG}\n\n[l]: /x\n[i]:\n  /i", "Text", id="badges"),
        pytest.param(
            f"An [array] [1]\n\n{LONG}\n\n[2]: /no-definition", "An [array] [1]", id="brackets"
        ),
        pytest.param(f"Text[^1].\n\n{LONG}\n\n[^1]: A note.", "Text.", id="far footnote"),
        pytest.param("Text[^1] of [b].\n\n[^1]: A note.\n\n[b]: /x", "Text of b.", id="footnote"),
        pytest.param(f"```\n{LONG}\n```\n\nText", "Text", id="a fence is not cut"),
    ],
)
def test_the_body_excerpt_in_plain_text(body: str, excerpt: str) -> None:
    """For posts of any length."""
    assert body_excerpt(document_of("posts/a.md", f"---\na: 1\n---\n{body}")) == excerpt


MARKS = ("<!-- more -->", "<!--more-->", "<!-- truncate -->", "{/*truncate*/}", "<!--EXCERPT-->")


@cases("mark", MARKS)
def test_a_mark_ends_the_excerpt(mark: str) -> None:
    """The text before it is the excerpt, also of several blocks; no reader sees the mark."""
    body = f"## Heading\n\nOne *line*.\n\n- item\n\n{mark}\n\nThe rest."
    document = document_of("posts/a.md", f"---\na: 1\n---\n{body}")
    assert body_excerpt(document) == "One line. item"
    assert document.body.strip() == body.replace(mark, "")


@cases(
    ("body", "excerpt"),
    [
        pytest.param("Short.<!--more--> Long.", "Short.", id="within a paragraph"),
        pytest.param("Short.\n<!--more-->\nLong.", "Short.", id="without blank lines"),
        pytest.param("<!--more-->\n\nFirst.", "First.", id="nothing before it"),
        pytest.param("`<!--more-->` is a mark.\n\nB", "<!--more--> is a mark.", id="code span"),
        pytest.param("A\n\n```\n<!--more-->\n```\n\nB", "A", id="code"),
        pytest.param(f"{'word ' * 100}\n\n<!--more-->\n\nB", "word " * 99 + "word", id="long"),
    ],
)
def test_where_a_mark_may_stand(body: str, excerpt: str) -> None:
    """Anywhere but in code, and the excerpt may be longer than one that is derived."""
    assert body_excerpt(document_of("posts/a.md", body)) == excerpt


def test_the_page_does_not_repeat_an_excerpt_of_several_paragraphs() -> None:
    """It is the beginning of the text, so it is not shown above it."""
    blocks = [("paragraph", "One[^1].\n\n[^1]: Note."), ("paragraph", "Two.")]
    assert lead_of("One. Two.", blocks) is None
    assert lead_of("Another.", blocks) == "Another."


def test_the_markup_of_a_summary_is_not_shown() -> None:
    """It becomes plain text, under each of its names."""
    written = (
        "First [link](https://example.com), **bold** and `code`.\n\n  Second &amp; <em>x</em>."
    )
    for path, key in (("posts/a.md", "summary"), ("pages/a.md", "description")):
        document = document_of(path, f"---\n{key}: |\n  {written}\n---\nText.\n")
        fields = document.fields
        shown = getattr(fields, "excerpt", None) or fields.short_description
        assert shown == {"en": "First link, bold and code. Second & x."}
