"""Built-in templates in the sandbox of a site's templates."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from live.documents import ROOT

from app.operations.cli.rendering import _pages
from knowledge.addresses.addresses import Address
from knowledge.documents.site_files import TemplateFiles
from knowledge.fields.page_type import PageType
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_page import site_page
from knowledge.snapshot.loading import load_content
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView
from renderers.html import renderer as html
from renderers.html.renderer import FormState

CONTENT = ROOT / "knowledge" / "content"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
INERT = {"layout.html": '{% extends "majlis/layout.html" %}'}


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    """The sample content."""
    return load_content(CONTENT).snapshot


def pages_of_each_type(snapshot: Snapshot) -> Iterator[tuple[ContentView, Address]]:
    """Yield some pages of each type, in both languages."""
    count: Counter[PageType] = Counter()
    for view, address in _pages(snapshot, NOW):
        count[address.page] += 1
        if count[address.page] <= 4:
            yield view, address


def test_every_built_in_template_works_in_the_sandbox(snapshot: Snapshot) -> None:
    """With a template that changes nothing, each page is the same."""
    own = replace(snapshot, templates=TemplateFiles(texts=INERT), cache={})
    for view, address in pages_of_each_type(snapshot):
        state = {"contact": FormState("/x", errors={"email": "x"})}
        form = state if address.path == "/contact" else {}
        first = html.render(site_page(view, address, PageQuery()), form)
        second = html.render(site_page(replace(view, snapshot=own), address, PageQuery()), form)
        assert second.body == first.body, address
    assert [*own.templates.faults.diagnostics] == []


def test_the_guide_says_which_pages_have_a_template() -> None:
    """Its blocks are in docs/templates.md, which `majlis templates` prints."""
    guide = (ROOT / "docs/branding.md").read_text("utf-8")
    named = set(re.findall(r"^\| `([a-z_]+\.html)` \| [^|]+ \|$", guide, re.MULTILINE))
    built_in = {path.name for path in (ROOT / "renderers/templates").glob("*.html")}
    assert named == built_in - {"bare_error.html"}
