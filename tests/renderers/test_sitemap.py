"""The sitemap as a search engine has it: found through robots.txt, sound, and reciprocal."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest
from conftest import ViewOf, Visit
from contract.visitor import BASE_URL, NOW, Visitor
from usp.objects.page import SitemapPage
from usp.tree import sitemap_from_str, sitemap_tree_for_homepage
from usp.web_client.abstract_client import (
    AbstractWebClient,
    AbstractWebClientResponse,
    LocalWebClientSuccessResponse,
    WebClientErrorResponse,
)

from knowledge.resources.site_map import SiteMap, site_map
from renderers import sitemap
from renderers.sitemap import Limits

Fetch = Callable[[str], str | None]


class Client(AbstractWebClient):
    """Lets the parser read what a function gives, by path."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch

    def set_max_response_data_length(
        self,
        max_response_data_length: int | None,
    ) -> None:
        """No limit is needed: the parser has its own."""

    def get(self, url: str) -> AbstractWebClientResponse:
        """The text at a URL of the site."""
        text = self._fetch(url.removeprefix(BASE_URL))
        if text is None:
            return WebClientErrorResponse("Not found", retryable=False)
        return LocalWebClientSuccessResponse(url, text)


def pages_of(fetch: Fetch) -> list[SitemapPage]:
    """Every page that a search engine finds, starting from robots.txt."""
    client = Client(fetch)
    return list(
        sitemap_tree_for_homepage(
            f"{BASE_URL}/", web_client=client, use_known_paths=False
        ).all_pages()
    )


@pytest.fixture(scope="module")
def pages(sample: Visitor) -> list[SitemapPage]:
    """Of the sample content."""

    def fetch(path: str) -> str | None:
        reply = sample.get(path)
        return reply.text if reply.status == 200 else None

    return pages_of(fetch)


def test_each_page_stands_in_it_once(pages: list[SitemapPage]) -> None:
    """Absolute, and no twin among them."""
    urls = [page.url for page in pages]
    assert len(urls) == len(set(urls)) > 700
    assert [url for url in urls if not url.startswith(f"{BASE_URL}/")] == []
    assert [url for url in urls if url.endswith((".md", ".json", ".txt", ".xml"))] == []
    assert f"{BASE_URL}/developers" in urls


def test_every_page_answers_and_may_be_indexed(sample: Visitor, pages: list[SitemapPage]) -> None:
    """At its canonical address, with no word against it."""
    wrong = []
    for page in pages:
        path = page.url.removeprefix(BASE_URL)
        seo = sample.get(f"/api/public/v1/seo-page?path={path}").json
        if seo["noIndex"] or seo["canonical"] != page.url:
            wrong.append(page.url)
    assert wrong == []


def test_alternates_are_reciprocal(pages: list[SitemapPage]) -> None:
    """Each variant names itself, all others, and one page for readers of none."""
    tables = {page.url: page.alternates for page in pages}
    for url, table in tables.items():
        if table is None:
            assert url == f"{BASE_URL}/developers"
            continue
        hrefs = dict(table)
        assert url in hrefs.values()
        assert "x-default" in hrefs
        assert all(tables[href] == table for href in hrefs.values())


def test_head_header_and_sitemap_agree_on_alternates(
    sample: Visitor, pages: list[SitemapPage]
) -> None:
    """One table feeds all three, and seo-page."""
    for page in pages[::40]:
        if page.alternates is None:
            continue
        path = page.url.removeprefix(BASE_URL)
        reply = sample.get(path, {"Accept": "text/html"})
        seo = sample.get(f"/api/public/v1/seo-page?path={path}").json
        assert [(each["hreflang"], each["href"]) for each in seo["alternates"]] == page.alternates
        for tag, href in page.alternates:
            assert f'<{href}>; rel="alternate"; hreflang="{tag}"' in reply.links
            assert f'<link rel="alternate" hreflang="{tag}" href="{href}">' in reply.text


def test_last_modified_is_what_authors_say(view_of: ViewOf, visit: Visit) -> None:
    """No date where there is none, and none of a day to come."""
    files = {
        "pages/dated.md": "---\ntitle: A\nupdatedAt: 2026-03-01T08:00:00Z\n---\nText.\n",
        "pages/undated.md": "---\ntitle: A\n---\nText.\n",
        "pages/hasty.md": "---\ntitle: A\nupdatedAt: 2099-01-01\n---\nText.\n",
    }
    view = view_of(files)
    found = sitemap_from_str(rendered(site_map(view.snapshot, view.now), Limits()))
    dates = {page.url.rpartition("/")[2]: page.last_modified for page in found.all_pages()}
    assert dates["dated"] == datetime.fromisoformat("2026-03-01T08:00:00+00:00")
    assert (dates["undated"], dates["hasty"], dates["blog"]) == (None, None, None)


def test_no_page_of_the_sample_was_changed_in_the_future(pages: list[SitemapPage]) -> None:
    """And where an author says when, so does the sitemap."""
    dates = [page.last_modified for page in pages if page.last_modified]
    assert len(dates) > 300
    assert max(dates) <= NOW


def rendered(table: SiteMap, limits: Limits) -> str:
    """`/sitemap.xml` within these limits."""
    return sitemap.render(table, BASE_URL, limits).body.decode()


@pytest.mark.parametrize(
    "limits",
    [pytest.param(Limits(urls=30), id="URLs"), pytest.param(Limits(file_bytes=40_000), id="bytes")],
)
def test_a_large_sitemap_is_an_index_of_parts_within_the_limits(
    view_of: ViewOf, limits: Limits
) -> None:
    """Which together hold what one file would."""
    view = view_of({f"pages/p-{n}.md": "---\ntitle: {n}\n---\nText.\n" for n in range(40)})
    table = site_map(view.snapshot, view.now)
    whole = {page.url for page in sitemap_from_str(rendered(table, Limits())).all_pages()}

    def fetch(path: str) -> str | None:
        if path == "/robots.txt":
            return f"Sitemap: {BASE_URL}/sitemap.xml\n"
        if path == "/sitemap.xml":
            return rendered(table, limits)
        number = int(path.removeprefix("/sitemap-").removesuffix(".xml"))
        part = sitemap.render_part(table, BASE_URL, number, limits)
        if part is None:
            return None
        assert len(part.body) <= limits.file_bytes
        assert part.body.count(b"<loc>") <= limits.urls
        return part.body.decode()

    found = [page.url for page in pages_of(fetch)]
    assert len(found) == len(set(found))
    assert set(found) == whole
    assert "<sitemapindex" in rendered(table, limits)
    assert sitemap.render_part(table, BASE_URL, 0, limits) is None
    assert sitemap.render_part(table, BASE_URL, 10_000, limits) is None


@pytest.mark.parametrize("urls", range(13, 40))
def test_no_part_holds_one_url_too_many_and_none_ends_early(view_of: ViewOf, urls: int) -> None:
    """At each limit a part takes another page as long as the page's URLs all fit."""
    view = view_of({f"pages/p-{n}.md": "---\ntitle: A\n---\nText.\n" for n in range(6)})
    table, limits = site_map(view.snapshot, view.now), Limits(urls=urls)
    sizes = [len(table.unlocalized)]
    for page in table.pages:
        if sizes[-1] + len(page.locales) > urls:
            sizes.append(0)
        sizes[-1] += len(page.locales)
    parts = [
        sitemap.render_part(table, BASE_URL, number, limits) for number in range(1, len(sizes) + 2)
    ]
    assert [part.body.count(b"<loc>") for part in parts if part] == sizes
    assert max(sizes) <= urls
    assert parts[-1] is None


def test_a_small_sitemap_has_no_parts(sample: Visitor) -> None:
    """What no index names is not there."""
    assert sample.get("/sitemap-1.xml").status == 404
