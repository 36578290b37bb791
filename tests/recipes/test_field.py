"""The recipe "A front-matter field", performed on a copy of the packages."""

from __future__ import annotations

import json
from typing import Any

import pytest
from recipes.copied_tree import CopiedTree

pytestmark = pytest.mark.slow

FIELDS = """fields:
  author:
    type: localizedText
    label: { en: Author, ar: الكاتب }
    meaning: Who wrote it.
  sources: { type: list, label: { en: Sources, ar: المصادر } }
  sponsored: { type: boolean, label: { en: Sponsored, ar: برعاية } }
  reviewed: { type: date, label: { en: Reviewed, ar: المراجعة } }
"""
POST = """---
title: Hello
date: 2026-05-01
author: {en: Salma <b>, ar: سلمى}
sources: [Gazette, Bulletin]
sponsored: no
reviewed: 2026-05-02
---
Text.
"""
DOCUMENTS = {
    "knowledge/fields/declarations/posts.yaml": FIELDS,
    "knowledge/content/posts/hello.md": POST,
    "knowledge/content/posts/hello.ar.md": "---\ntitle: مرحبا\n---\nنص.\n",
    "knowledge/content/posts/bare.md": "---\ntitle: Bare\n---\nText.\n",
}
PASSAGES = """
import json
from datetime import UTC, datetime
from pathlib import Path
from knowledge.addresses.addresses import parse_address
from knowledge.views.content_view import ContentView
from knowledge.snapshot.loading import load_content
from renderers.markdown.passages import page_passages
snapshot = load_content(Path("knowledge/content").resolve()).snapshot
view = ContentView(snapshot, snapshot.locales.default, datetime(2026, 11, 1, tzinfo=UTC), "")
print(json.dumps([each.text for each in page_passages(view, parse_address("/blog/hello"))]))
"""
API = "/api/public/v1/blog/posts"


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Add fields to posts in a copy, and return what that service shows of a post."""
    tree = CopiedTree(tmp_path_factory.mktemp("field"))
    for path, text in DOCUMENTS.items():
        tree.write(path, text)
    full, empty, contract, html, arabic, markdown = tree.ask(
        (f"{API}/hello", {}),
        (f"{API}/bare", {}),
        ("/openapi.json", {}),
        ("/ae/en/blog/hello", {"Accept": "text/html"}),
        ("/ae/ar/blog/hello", {"Accept": "text/html"}),
        ("/ae/en/blog/hello", {"Accept": "text/markdown"}),
    )
    passages = tree.run(PASSAGES)
    assert passages.returncode == 0, passages.stderr
    return {
        "passages": json.loads(passages.stdout),
        "json": full.json["post"],
        "empty": empty.json["post"],
        "html": html.text,
        "arabic": arabic.text,
        "markdown": markdown.text,
        "schema": contract.json["components"]["schemas"]["PostBody"],
    }


def test_one_line_shows_a_field_in_json(shown: dict[str, Any]) -> None:
    """In the reader's language, and absent without a value."""
    assert shown["json"]["fields"] == {
        "author": "Salma <b>",
        "sources": ["Gazette", "Bulletin"],
        "sponsored": False,
        "reviewed": "2026-05-02T00:00:00Z",
    }
    assert "fields" not in shown["empty"]


def test_one_line_shows_a_field_in_html_and_markdown(shown: dict[str, Any]) -> None:
    """As a labelled fact in the reader's language."""
    assert "<dt>Author</dt><dd>Salma &lt;b&gt;</dd>" in shown["html"]
    assert "<dt>Sponsored</dt><dd>No</dd>" in shown["html"]
    assert "<dt>Reviewed</dt><dd>2 May 2026</dd>" in shown["html"]
    assert "<dt>الكاتب</dt><dd>سلمى</dd>" in shown["arabic"]
    assert "- **Sources**: Gazette, Bulletin" in shown["markdown"]


def test_one_line_describes_a_field_in_the_contract(shown: dict[str, Any]) -> None:
    """With its meaning; it is not required."""
    fields = shown["schema"]["properties"]["fields"]
    assert fields["properties"]["author"] == {
        "description": "Author. Who wrote it.",
        "type": "string",
    }
    assert "fields" not in shown["schema"]["required"]


def test_one_line_shows_a_field_in_passages(shown: dict[str, Any]) -> None:
    """Behind the text, as on the page."""
    facts = ("**Author**: Salma \\<b>", "**Sources**: Gazette, Bulletin", "**Sponsored**: No")
    lines = "\n".join(f"- {each}" for each in (*facts, "**Reviewed**: 2 May 2026"))
    assert shown["passages"] == [f"Text.\n\n{lines}"]
