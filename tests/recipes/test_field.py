"""The recipe "A front-matter field", performed on a copy of the packages."""

from __future__ import annotations

import json
from typing import Any

import pytest
from recipes.copied_tree import CopiedTree

pytestmark = pytest.mark.slow

IMPORTS = "from knowledge.fields.field_types import (\n"
PLACE = 'class PostFields(Common):\n    """`posts/`."""\n'
FIELDS = """
    author: Annotated[LocalizedText | None, Shown("Author", "الكاتب", "who wrote it")] = None
    sources: Annotated[TextList | None, Shown("Sources", "المصادر")] = None
    sponsored: Annotated[bool | None, Shown("Sponsored", "برعاية")] = None
    reviewed: Annotated[UtcDateTime | None, Shown("Reviewed", "المراجعة")] = None
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
    """Add fields to `PostFields` in a copy, and return what that service shows of a post."""
    tree = CopiedTree(tmp_path_factory.mktemp("field"))
    module = "knowledge/fields/blog_fields.py"
    tree.replace(module, IMPORTS, f"{IMPORTS}    Shown,\n    UtcDateTime,\n")
    tree.replace(module, PLACE, PLACE + FIELDS)
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
    values = {key: shown["json"][key] for key in ("author", "sources", "sponsored", "reviewed")}
    assert values == {
        "author": "Salma <b>",
        "sources": ["Gazette", "Bulletin"],
        "sponsored": False,
        "reviewed": "2026-05-02T00:00:00Z",
    }
    assert not shown["empty"].keys() & values


def test_one_line_shows_a_field_in_html_and_markdown(shown: dict[str, Any]) -> None:
    """As a labelled fact in the reader's language."""
    assert "<dt>Author</dt><dd>Salma &lt;b&gt;</dd>" in shown["html"]
    assert "<dt>Sponsored</dt><dd>No</dd>" in shown["html"]
    assert "<dt>Reviewed</dt><dd>2 May 2026</dd>" in shown["html"]
    assert "<dt>الكاتب</dt><dd>سلمى</dd>" in shown["arabic"]
    assert "- **Sources**: Gazette · Bulletin" in shown["markdown"]


def test_one_line_describes_a_field_in_the_contract(shown: dict[str, Any]) -> None:
    """With its meaning; it is not required."""
    assert shown["schema"]["properties"]["author"] == {
        "description": "who wrote it",
        "type": "string",
    }
    assert "author" not in shown["schema"]["required"]


def test_one_line_shows_a_field_in_passages(shown: dict[str, Any]) -> None:
    """Behind the text, as on the page."""
    facts = ("**Author**: Salma \\<b>", "**Sources**: Gazette · Bulletin", "**Sponsored**: No")
    lines = "\n".join(f"- {each}" for each in (*facts, "**Reviewed**: 2 May 2026"))
    assert shown["passages"] == [f"Text.\n\n{lines}"]
