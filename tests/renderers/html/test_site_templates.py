"""Built-in templates in the sandbox of a site's templates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from examples import CLINIC
from examples import SITES as EXAMPLES
from jinja2 import nodes
from live.documents import ROOT

from app.operations.cli.rendering import _forms, _pages
from knowledge.addresses.addresses import Address
from knowledge.documents.site_files import TemplateFiles
from knowledge.locales.locale import Language
from knowledge.resources.product_list import COMPARISON_PAGE
from knowledge.resources.queries import (
    PageQuery,
    PostQuery,
    ProductQuery,
    ProductSort,
    SiteQuery,
)
from knowledge.resources.search import SEARCH_PAGE
from knowledge.resources.site_map import DEVELOPERS
from knowledge.resources.site_page import DocumentationPage, site_page
from knowledge.snapshot.loading import load_content
from knowledge.snapshot.snapshot import Snapshot
from renderers.html import renderer as html
from renderers.html.site_templates import built_in_trees
from renderers.html.templating import BUILT_IN, environment
from renderers.markdown.errors import ErrorPage

CONTENT = ROOT / "knowledge" / "content"
SITES = (CONTENT, ROOT / "docs", *EXAMPLES)
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)

INERT = {
    name: (
        BUILT_IN.get_source(environment(Language.EN), name)[0]
        if tree.find(nodes.Macro)
        else f'{{% extends "majlis/{name}" %}}'
    )
    for name, tree in built_in_trees().items()
}
"""A template of the site for each built-in one, which changes nothing.

What other templates import is no block, so that a site copies it.
"""


FOUND = PageQuery(
    search="app",
    posts=PostQuery(page_size=1, page=2),
    site=SiteQuery("app"),
    products=ProductQuery(max_price=Decimal(2000), sort=ProductSort.PRICE),
    compared=("pos-terminal-15", "tablet-11"),
)


def _rendered(snapshot: Snapshot) -> Iterator[tuple[str, bytes]]:
    """Yield each page, also with a query, its forms empty, refused and sent, and other pages."""
    pages = [*_pages(snapshot, NOW)]
    views = {view.locale: view for view, _ in pages}.values()
    pages += ((view, Address(each)) for view in views for each in (SEARCH_PAGE, COMPARISON_PAGE))
    for view, address in pages:
        for query in (PageQuery(), FOUND)[: 2 if address.page.parameters else 1]:
            page = site_page(view, address, query)
            for states in _forms(page, set()):
                elsewhere = view.snapshot.default_locale if query is FOUND else None
                body = html.render(page, states, elsewhere).body
                yield f"{view.locale.path}{address.path}", body
    for view in views:
        missing = ErrorPage(404, view.locale, "http://localhost", view=view)
        yield "404", html.render_error(missing).body
        yield "developers", html.render_document(DocumentationPage(view, DEVELOPERS, "# A")).body
        yield "notice", html.render_notice(view, "Title", "Text", "Button").body


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(site, id=site.name, marks=() if site == CLINIC else pytest.mark.slow)
        for site in SITES
    ],
)
def test_templates_that_change_nothing_change_no_byte(content: Path) -> None:
    """All pages of the sample and of the examples are rendered in the sandbox as without it."""
    snapshot, own = (load_content(content).snapshot for _ in range(2))
    own = replace(own, templates=TemplateFiles(texts=INERT))
    for (name, body), (_, in_sandbox) in zip(_rendered(snapshot), _rendered(own), strict=True):
        assert in_sandbox == body, name
    assert [*own.templates.faults.diagnostics, *own.left_out.diagnostics] == []


def test_the_guide_says_which_pages_have_a_template() -> None:
    """Its blocks are in docs/templates.md, which `majlis templates` prints."""
    guide = (ROOT / "docs/branding.md").read_text("utf-8")
    named = set(re.findall(r"^\| `([a-z_]+\.html)` \| [^|]+ \|$", guide, re.MULTILINE))
    built_in = {path.name for path in (ROOT / "renderers/templates").glob("*.html")}
    assert named == built_in - {"bare_error.html"}
