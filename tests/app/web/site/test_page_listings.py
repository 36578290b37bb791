"""The pages `modules`, `industries` and `cities` list those documents."""

from __future__ import annotations

import re

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import BASE_URL, Visitor

HTML, MARKDOWN = {"Accept": "text/html"}, {"Accept": "text/markdown"}
JSON = {"Accept": "application/json"}
TREE = {
    "pages/modules.md": "---\ntitle: Modules\n---\nWe begin with [stock](/modules/stock).\n",
    "pages/cities.md": "---\ntitle: Cities\n---\nText.\n",
    "registry/industries.md": "---\ntitle: Industries\n---\nText.\n",
    "modules/stock.md": "---\ntitle: Stock\n---\nText.\n",
    "modules/till.md": "---\ntitle: Till\nshortDescription: Sells.\n---\nText.\n",
    "industries/retail.md": "---\ntitle: ERP for retail\nname: Retail\n---\nText.\n",
    "cities/riyadh.md": "---\ncountryCode: SA\nname: Riyadh\n---\nText.\n",
    "cities/dubai.md": "---\ncountryCode: AE\nname: Dubai\n---\nText.\n",
}


@pytest.fixture
def site(shared_visit: Visit) -> Visitor:
    """Modules, an industry and two cities."""
    return shared_visit(TREE)


@cases(
    ("path", "listing"),
    [
        pytest.param(
            "/sa/en/modules",
            [
                {
                    "items": [
                        {"title": "Till", "path": "/sa/en/modules/till", "description": "Sells."}
                    ]
                }
            ],
            id="modules, without those that the text links to",
        ),
        pytest.param(
            "/sa/en/industries",
            [{"items": [{"title": "Retail", "path": "/sa/en/industries/retail"}]}],
            id="industries, on the registry page",
        ),
        pytest.param(
            "/sa/en/cities",
            [
                {
                    "title": "Saudi Arabia",
                    "items": [{"title": "Riyadh", "path": "/sa/en/cities/riyadh"}],
                },
                {
                    "title": "United Arab Emirates",
                    "items": [{"title": "Dubai", "path": "/ae/en/cities/dubai"}],
                },
            ],
            id="cities by country, the reader's first",
        ),
    ],
)
def test_a_page_lists_documents(site: Visitor, path: str, listing: list[dict[str, object]]) -> None:
    """In all three forms."""
    assert site.get(path, JSON).json["listing"] == listing
    page, text = site.get(path, HTML).text, site.get(path, MARKDOWN).text
    for found in re.findall(r'"path": "([^"]+)"', str(listing).replace("'", '"')):
        assert f'<a href="{found}">' in page
        assert f"({BASE_URL}{found}.md)" in text


def test_other_pages_list_nothing(shared_visit: Visit) -> None:
    """Nor does a page of that slug without such documents."""
    site = shared_visit({"pages/modules.md": TREE["pages/modules.md"], "pages/about.md": "Text.\n"})
    for slug in ("modules", "about"):
        assert "listing" not in site.get(f"/ae/en/{slug}", JSON).json
        assert "listing" not in site.get(f"/ae/en/{slug}", HTML).text


@cases(
    ("path", "parent"),
    [
        ("/modules/till", "modules"),
        ("/industries/retail", "industries"),
        ("/cities/riyadh", "cities"),
    ],
)
def test_breadcrumbs_lead_through_the_list(
    site: Visitor, shared_visit: Visit, path: str, parent: str
) -> None:
    """If there is such a page."""
    without = {file: text for file, text in TREE.items() if not file.endswith(f"/{parent}.md")}
    for visitor, is_there in ((site, True), (shared_visit(without), False)):
        crumbs = visitor.get(f"/sa/en{path}", HTML).text.partition('class="wrap crumbs"')[2]
        assert (f'<a href="/sa/en/{parent}">' in crumbs.partition("</nav>")[0]) is is_there
