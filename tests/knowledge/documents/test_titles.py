"""Titles of documents whose front matter sets none."""

from __future__ import annotations

import pytest
from cases import cases
from conftest import NOW, Content, ViewOf, document_of

from knowledge.checks.content_linter import check_content
from knowledge.documents.body_opening import opening_heading
from knowledge.fields.blog_fields import PostFields
from knowledge.fields.content_types import PAGE, POST
from knowledge.resources.document_page import title_of
from knowledge.snapshot.loading import load_content


@cases(
    ("body", "title"),
    [
        pytest.param("# Hello\n\nText", "Hello", id="heading"),
        pytest.param("\n\n# Hello #\nText", "Hello", id="closed heading"),
        pytest.param("Hello *you*\n===\nText", "Hello you", id="underlined"),
        pytest.param("# The `code` of [us](/about) **now**", "The code of us now", id="markup"),
        pytest.param("# Caf&eacute; &amp; &#x1F600;", "Café & 😀", id="entities"),
        pytest.param(
            "# Go :rocket: at 10:30:20 :nothing:", "Go 🚀 at 10:30:20 :nothing:", id="emoji"
        ),
        pytest.param("# Hello {#there}", "Hello", id="anchor"),
        pytest.param("# Hello {: .no_toc }", "Hello", id="kramdown"),
        pytest.param("# Hello {#v1.2-there}", "Hello", id="anchor with dots"),
        pytest.param('# Hello {% addedin "1.0" %}', "Hello", id="Liquid"),
        pytest.param("# Hello <Badge text='1' />", "Hello", id="component"),
        pytest.param("<!-- a\n\nb -->\n\n# Hello", "Hello", id="comment above"),
        pytest.param("<script setup>\nx\n</script>\n\n# Hello", "Hello", id="script above"),
        pytest.param("import A from './a'\n\n# Hello", "Hello", id="import above"),
        pytest.param("# C#", "C#", id="a number sign of the text"),
        pytest.param("# مرحبا *بكم*", "مرحبا بكم", id="Arabic"),
        pytest.param("# ![logo](logo.png)", None, id="only an image"),
        pytest.param("## Hello", None, id="level 2"),
        pytest.param("#Hello", None, id="no blank"),
        pytest.param("    # Hello", None, id="code"),
        pytest.param("```\n# Hello\n```", None, id="fenced code"),
        pytest.param("Text\n\n# Hello", None, id="a later heading"),
        pytest.param("- a\n===", None, id="list"),
    ],
)
def test_the_opening_heading_is_a_title(body: str, title: str | None) -> None:
    """As plain text."""
    heading = opening_heading(body)
    assert (heading.text if heading else None) == title


@pytest.mark.parametrize(
    ("name", "text", "title"),
    [
        pytest.param("a", "---\ntitle: Given\n---\n# Hello", "Given", id="front matter"),
        pytest.param("a", "# Hello", "Hello", id="heading"),
        pytest.param("My Notes on VAT", "Text", "My Notes on VAT", id="name with spaces"),
        pytest.param("2020-01-02-hello-world", "Text", "Hello world", id="dated name"),
        pytest.param("snake_case_name", "Text", "Snake case name", id="underscores"),
        pytest.param("Rust.1.43.1", "Text", "Rust.1.43.1", id="dots"),
        pytest.param("iPhone-X", "Text", "IPhone X", id="capitals stay"),
        pytest.param("folder/Q&A/index", "Text", "Q&A", id="folder"),
        pytest.param("a", "---\nslug: other\n---\nText", "A", id="not the slug"),
    ],
)
def test_the_title_of_a_post(view_of: ViewOf, name: str, text: str, title: str) -> None:
    """Front matter, heading, file name, in this order."""
    view = view_of({f"posts/{name}.md": text})
    (post,) = view.resolve_all(POST)
    assert title_of(post) == title


@cases(
    ("text", "body"),
    [
        pytest.param("# Hello\n\nText", "\n\nText", id="it is the title"),
        pytest.param(
            "---\ntitle: Hello\n---\n# Hello\nText", "\n\nText", id="it repeats the title"
        ),
        pytest.param("---\ntitle: A\n---\n# Hello\nText", "\n# Hello\nText", id="another title"),
        pytest.param("---\nname: A\n---\n# Hello\nText", "\n# Hello\nText", id="a name"),
        pytest.param("# Hello", "", id="nothing else"),
        pytest.param("<!-- a -->\n# Hello\nText", "\n\nText", id="comment above"),
    ],
)
def test_a_title_is_not_shown_twice(text: str, body: str) -> None:
    """Another heading stays in the text."""
    assert document_of("industries/a.md", text).body == body


def test_lines_are_counted_from_the_top_of_the_file(content: Content) -> None:
    """Also below a heading that became the title."""
    root = content({"pages/a.md": "---\nid: x\n---\n\n# Hello\n\n[gone](/gone)"})
    problems = check_content(load_content(root), NOW)
    assert "pages/a.md:7" in [problem.location for problem in problems]


def test_each_language_has_its_own_title(view_of: ViewOf) -> None:
    """The heading of its file."""
    files = {"pages/a.md": "# Hello", "pages/a.ar.md": "# مرحبا"}
    titles = [
        title_of(page)
        for locale in ("ae/en", "sa/ar")
        for page in view_of(files, locale).resolve_all(PAGE)
    ]
    assert titles == ["Hello", "مرحبا"]


TEMPLATED = """---
title: "Report of {{ date }} for {% if x %}us{% endif %}"
excerpt: "Sum <%= total %> of `{{ code }}`"
tags: ["{{ tag }}", vat]
permalink: "/:year/{{ slug }}/"
---

Body <%= of %> it.
"""


def test_templates_in_front_matter_are_left_out_as_in_bodies(content: Content) -> None:
    """Of titles, summaries and lists; each is named with its line, and code stays."""
    untitled = '---\ntitle: "{{ title }}"\n---\n\n# From the text\n\nBody.\n'
    loaded = load_content(content({"posts/a.md": TEMPLATED, "posts/b.md": untitled}))
    one, other = (loaded.snapshot.entries[POST][slug].documents[0] for slug in "ab")
    assert one.fields.title == {"en": "Report of for us"}
    assert isinstance(one.fields, PostFields)
    assert one.fields.excerpt == {"en": "Sum of {{ code }}"}
    assert one.fields.tags == ["vat"]
    assert one.body.strip() == "Body  it."
    assert other.fields.title == {"en": "From the text"}
    found = [each for each in loaded.diagnostics if str(each.kind) == "foreign-syntax"]
    named = sorted((each.line, each.message.partition("”")[0][1:]) for each in found)
    expected = [
        (2, "{% endif %}"),
        (2, "{% if x %}"),
        (2, "{{ date }}"),
        (2, "{{ title }}"),
        (3, "<%= total %>"),
        (4, "{{ tag }}"),
        (8, "<%= of %>"),
    ]
    assert named == expected
