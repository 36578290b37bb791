"""The recipe of CONTRIBUTING.md for a front-matter field, performed on a copy of the service."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("knowledge", "renderers", "indexes", "llms", "app")
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
PROGRAM = """
import json, sys
from contract.visitor import Visitor
from datetime import UTC, datetime
from pathlib import Path
from knowledge.addresses import parse_address
from knowledge.content_view import ContentView
from knowledge.loading import load_content
from knowledge.locale import DEFAULT_LOCALE
from renderers.passages import page_passages

def passages(folder):
    now = datetime(2026, 11, 1, tzinfo=UTC)
    view = ContentView(load_content(folder).snapshot, DEFAULT_LOCALE, now, "")
    return [each.text for each in page_passages(view, parse_address("/blog/hello"))]

with Visitor(content_dir=Path(sys.argv[1])) as visitor:
    post = "/api/public/v1/blog/posts/hello"
    schemas = visitor.get("/openapi.json").json["components"]["schemas"]
    print(json.dumps({
        "json": visitor.get(post).json["post"],
        "empty": visitor.get("/api/public/v1/blog/posts/bare").json["post"],
        "html": visitor.get("/ae/en/blog/hello", {"Accept": "text/html"}).text,
        "arabic": visitor.get("/ae/ar/blog/hello", {"Accept": "text/html"}).text,
        "markdown": visitor.get("/ae/en/blog/hello", {"Accept": "text/markdown"}).text,
        "schema": schemas["PostBody"],
        "passages": passages(Path(sys.argv[1])),
    }))
"""


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, object]:
    """Add fields to `PostFields` in a copy, and return what that service shows of a post."""
    copy, content = tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("content")
    for package in PACKAGES:
        ignored = shutil.ignore_patterns("content", "__pycache__")
        shutil.copytree(
            ROOT / package, copy / package, ignore=ignored if package == "knowledge" else None
        )
    (copy / "knowledge/content").mkdir(exist_ok=True)
    schemas = copy / "knowledge/schemas.py"
    declared = re.sub(
        r"(class PostFields.*?)\n\n\n",
        rf"\1{FIELDS}\n\n",
        schemas.read_text("utf-8"),
        flags=re.DOTALL,
    )
    schemas.write_text(declared, "utf-8")
    (content / "posts").mkdir()
    (content / "posts/hello.md").write_text(POST, "utf-8")
    (content / "posts/hello.ar.md").write_text("---\ntitle: مرحبا\n---\nنص.\n", "utf-8")
    (content / "posts/bare.md").write_text("---\ntitle: Bare\n---\nText.\n", "utf-8")
    search_path = os.pathsep.join([str(copy), str(ROOT / "tests")])
    done = subprocess.run(  # this interpreter
        [sys.executable, "-P", "-c", PROGRAM, str(content)],
        env={**os.environ, "PYTHONPATH": search_path},
        check=True,
        stdout=subprocess.PIPE,
    )
    return dict(json.loads(done.stdout))


def test_one_line_shows_a_field_in_json(shown: Mapping[str, dict[str, object]]) -> None:
    """In the reader's language, and absent without a value."""
    values = {key: shown["json"][key] for key in ("author", "sources", "sponsored", "reviewed")}
    assert values == {
        "author": "Salma <b>",
        "sources": ["Gazette", "Bulletin"],
        "sponsored": False,
        "reviewed": "2026-05-02T00:00:00Z",
    }
    assert not shown["empty"].keys() & values


def test_one_line_shows_a_field_in_html_and_markdown(shown: Mapping[str, str]) -> None:
    """As a labelled fact in the reader's language."""
    assert "<dt>Author</dt><dd>Salma &lt;b&gt;</dd>" in shown["html"]
    assert "<dt>Sponsored</dt><dd>No</dd>" in shown["html"]
    assert "<dt>Reviewed</dt><dd>2 May 2026</dd>" in shown["html"]
    assert "<dt>الكاتب</dt><dd>سلمى</dd>" in shown["arabic"]
    assert "- **Sources**: Gazette · Bulletin" in shown["markdown"]


def test_one_line_shows_a_field_in_passages(shown: Mapping[str, list[str]]) -> None:
    """Before the text."""
    facts = ("**Author**: Salma <b>", "**Sources**: Gazette · Bulletin", "**Sponsored**: No")
    lines = "\n".join(f"- {each}" for each in (*facts, "**Reviewed**: 2 May 2026"))
    assert shown["passages"] == [f"{lines}\n\nText."]


def test_one_line_describes_a_field_in_the_contract(
    shown: Mapping[str, dict[str, dict[str, object]]],
) -> None:
    """With its meaning; it is not required."""
    assert shown["schema"]["properties"]["author"] == {
        "description": "who wrote it",
        "type": "string",
    }
    assert "author" not in shown["schema"]["required"]
