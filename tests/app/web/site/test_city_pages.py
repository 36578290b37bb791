"""Pages as the readers of a city see them: those that repeat the country's page lead to it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import BASE_URL, Visitor
from page_heads import linked_canonical, page_head

HTML = {"Accept": "text/html"}
CITY = "---\ncountryCode: SA\nname: {{en: {name}, ar: مدينة}}\n---\nText.\n"
FILES: Mapping[str, str] = {
    "cities/riyadh.md": CITY.format(name="Riyadh"),
    "cities/jeddah.md": CITY.format(name="Jeddah"),
    "registry/erp.md": "---\ntitle: ERP\n---\nFor all.\n",
    "registry/erp.ar.md": "---\ntitle: نظام\n---\nللجميع.\n",
    "registry/erp.sa.riyadh.md": "---\ntitle: ERP in Riyadh\n---\n",
    "registry/erp.sa.jeddah.ar.md": "---\ntitle: نظام جدة\n---\n",
    "pages/plans.md": "---\ntitle: Plans\n---\nText.\n",
    "pages/local.md": "---\ntitle: Local\ncountries: [AE]\n---\nText.\n",
    "pages/moved.md": "---\ntitle: Moved\nseo: {canonicalUrl: https://other.test/x}\n---\nText.\n",
}
OWN = ["/sa/en/cities/riyadh/erp", "/sa/ar/cities/jeddah/erp"]
REPEATED = {
    "/sa/ar/cities/riyadh/erp": "/sa/ar/erp",
    "/sa/en/cities/jeddah/erp": "/sa/en/erp",
    "/sa/en/cities/riyadh/plans": "/sa/en/plans",
    "/sa/ar/cities/jeddah/plans": "/sa/en/plans",
}


@pytest.fixture
def site(shared_visit: Visit) -> Visitor:
    """A site with two cities, each with a page of its own in one language."""
    return shared_visit(dict(FILES))


@cases(("path", "country"), REPEATED.items())
def test_a_page_that_repeats_the_country_s_is_canonical_to_it(
    site: Visitor, path: str, country: str
) -> None:
    """In the head, the Link header, the per-format URLs and the API; it answers as before."""
    reply = site.get(path, HTML)
    head = page_head(reply)
    assert reply.status == 200
    assert head
    assert (head.canonical, head.robots) == (BASE_URL + country, "index, follow")
    assert linked_canonical(reply) == BASE_URL + country
    assert head.alternates == {}
    for suffix in (".md", ".json"):
        assert linked_canonical(site.get(path + suffix)) == BASE_URL + country
    assert f'url: "{BASE_URL}{country}"' in site.get(f"{path}.md").text
    seo = site.get(f"/api/public/v1/seo-page?path={path}").json
    assert (seo["path"], seo["canonical"]) == (path, BASE_URL + country)
    assert site.get(country, HTML).status == 200


@cases("path", OWN)
def test_a_page_with_a_text_of_its_own_stays_itself(site: Visitor, path: str) -> None:
    """It is in the sitemap, and its table has itself alone: the other language has no such page."""
    head = page_head(site.get(path, HTML))
    assert head
    assert head.canonical == BASE_URL + path
    assert set(head.alternates.values()) == {BASE_URL + path}
    assert f"<loc>{BASE_URL}{path}</loc>" in site.get("/sitemap.xml").text


def test_what_only_repeats_is_in_no_map_and_no_link(site: Visitor) -> None:
    """Neither of the city's page nor of the switch of languages."""
    maps = ["/sitemap.xml", "/llms.txt", "/llms-full.txt", "/sa/en/llms.txt", "/sa/ar/llms.txt"]
    pages = [*OWN, "/sa/en/cities/riyadh", "/sa/en/cities/jeddah", "/sa/ar/cities/riyadh"]
    for source in (*maps, *pages, *(f"{page}.md" for page in pages)):
        text = site.get(source, HTML).text
        assert [path for path in REPEATED if f"{path}<" in text or f'{path}"' in text] == []
        assert [path for path in REPEATED if f"{path}.md)" in text] == []
    assert 'href="/sa/ar/erp"' in site.get("/sa/en/cities/riyadh/erp", HTML).text
    assert "/sa/en/cities/riyadh/erp" in site.get("/sa/en/cities/riyadh", HTML).text


def test_a_page_that_the_country_does_not_have_is_no_copy(shared_visit: Visit) -> None:
    """There is nothing that it repeats; nor is it one of another canonical URL."""
    files = {**FILES, "pages/own.md": "---\ntitle: Own\n---\nText.\n"}
    files["pages/own.sa.md"] = "---\npublishedAt: 2099-01-01\n---\n"
    files["pages/own.sa.riyadh.md"] = "---\npublishedAt: 2026-01-01\n---\n"
    site = shared_visit(files)
    path = "/sa/en/cities/riyadh/own"
    head = page_head(site.get(path, HTML))
    assert head
    assert head.canonical == BASE_URL + path
    assert site.get("/sa/en/own", HTML).status == 404
    moved = page_head(site.get("/sa/en/cities/riyadh/moved", HTML))
    assert moved
    assert moved.canonical == "https://other.test/x"
