"""Keys of other generators that withhold a text, or keep it out of search engines."""

from __future__ import annotations

from typing import Any

from cases import cases
from conftest import Content

from knowledge.documents.front_matter import normalize_keys
from knowledge.documents.publication import publication_of
from knowledge.fields.content_types import POST
from knowledge.snapshot.loading import load_content

UNINDEXED: list[dict[str, Any]] = [
    {"noindex": "true"},
    {"noIndex": True},
    {"no_index": "yes"},
    {"robotsNoIndex": "true"},
    {"robots": "noindex, nofollow"},
    {"robots": ["none"]},
    {"sitemap": "false"},
    {"sitemap": {"disable": True}},
    {"sitemap_exclude": "true"},
    {"seo": {"noindex": "true"}},
    {"params": {"robotsNoIndex": True}},
    {"head": [{"tag": "meta", "attrs": {"name": "robots", "content": "noindex"}}]},
    {"head": [["meta", {"name": "robots", "content": "noindex"}]]},
]


@cases("metadata", UNINDEXED)
def test_a_text_out_of_search_engines_stays_out(metadata: dict[str, Any]) -> None:
    """It is published, but not indexed."""
    fields, _ = normalize_keys(POST, metadata)
    assert fields["seo"]["noIndex"] is True
    assert fields.get("published") is not False


INDEXED: list[dict[str, Any]] = [
    {"draft": "false"},
    {"hide": ["toc"]},
    {"status": "seedling"},
    {"published": "2026-01-01"},
    {"sitemap": {"priority": "0.5"}},
    {"robots": "index, follow"},
    {"visibility": "public"},
    {"build": {"list": "always", "render": "always"}},
    {"permalink": "/x/"},
    {"public": "true"},
]


@cases("metadata", INDEXED)
def test_other_values_withhold_nothing(metadata: dict[str, Any]) -> None:
    """They say that a text is public, or something else."""
    assert publication_of(metadata) == ("", "", ())


@cases(
    "text",
    [
        '{\n"title": "A", "date": "2026-01-01"\n}\n\nBody.\n',
        '---json\n{"title": "A", "date": "2026-01-01"}\n---\n\nBody.\n',
        '---toml\ntitle = "A"\ndate = 2026-01-01\n---\n\nBody.\n',
        "---yaml\ntitle: A\ndate: 2026-01-01\n---\n\nBody.\n",
        "---\ntitle: A\ndate: 2026-01-01\n...\n\nBody.\n",
        "---\nTitle: A\nDATE: 2026-01-01\n---\n\nBody.\n",
        "Title: A\nDate: 2026-01-01\nTags: a, b\n\nBody.\n",
    ],
)
def test_front_matter_of_each_form_is_read(text: str, content: Content) -> None:
    """In JSON, in a named block, closed by dots, with keys in capitals, without a fence."""
    loaded = load_content(content({"posts/a.md": text}))
    (document,) = loaded.snapshot.entries[POST]["a"].documents
    assert loaded.diagnostics == ()
    assert document.fields.title == {"en": "A"}
    assert f"{document.fields.published_at:%Y-%m-%d}" == "2026-01-01"
    assert document.body.strip() == "Body."


def test_a_value_that_is_not_understood_is_named(content: Content) -> None:
    """With its line; the document stays published."""
    loaded = load_content(content({"pages/a.md": "---\ntitle: A\nvisibility: team\n---\nBody.\n"}))
    (diagnostic,) = loaded.diagnostics
    assert (str(diagnostic.kind), diagnostic.line) == ("unclear-publication", 3)
    assert "“team” is not understood, so the document is published" in diagnostic.message
