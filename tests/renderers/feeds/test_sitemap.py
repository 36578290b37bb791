"""The sitemap, read by a search engine's parser that starts at robots.txt."""

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
from renderers.feeds import sitemap
from renderers.feeds.sitemap import SitemapLimits

Fetch = Callable[[str], str | None]


class Client(AbstractWebClient):
    """A web client for the parser that gets each path from a function."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch

    def set_max_response_data_length(
        self,
        max_response_data_length: int | None,
    ) -> None:
        """Ignore the limit; the parser has its own."""

    def get(self, url: str) -> AbstractWebClientResponse:
        """Return the text at a URL of the site."""
        text = self._fetch(url.removeprefix(BASE_URL))
        if text is None:
            return WebClientErrorResponse("Not found", retryable=False)
        return LocalWebClientSuccessResponse(url, text)


def pages_of(fetch: Fetch) -> list[SitemapPage]:
    """Return all pages that a search engine finds, starting at robots.txt."""
    client = Client(fetch)
    return list(
        sitemap_tree_for_homepage(
            f"{BASE_URL}/", web_client=client, use_known_paths=False
        ).all_pages()
    )


@pytest.fixture(scope="module")
def pages(sample: Visitor) -> list[SitemapPage]:
    """Return the sitemap pages of the sample content."""

    def fetch(path: str) -> str | None:
        response = sample.get(path)
        return response.text if response.status == 200 else None

    return pages_of(fetch)


def test_each_page_is_listed_once(pages: list[SitemapPage]) -> None:
    """URLs are absolute, and none is a per-format URL."""
    urls = [page.url for page in pages]
    assert len(urls) == len(set(urls)) > 700
    assert [url for url in urls if not url.startswith(f"{BASE_URL}/")] == []
    assert [url for url in urls if url.endswith((".md", ".json", ".txt", ".xml"))] == []
    assert f"{BASE_URL}/developers" in urls


def test_every_page_exists_and_may_be_indexed(sample: Visitor, pages: list[SitemapPage]) -> None:
    """Its URL is canonical, and it has no `noIndex`."""
    wrong = []
    for page in pages:
        path = page.url.removeprefix(BASE_URL)
        seo = sample.get(f"/api/public/v1/seo-page?path={path}").json
        if seo["noIndex"] or seo["canonical"] != page.url:
            wrong.append(page.url)
    assert wrong == []


def test_alternates_are_reciprocal(pages: list[SitemapPage]) -> None:
    """Each variant lists itself, all other variants, and an `x-default`."""
    alternates = {page.url: page.alternates for page in pages}
    for url, links in alternates.items():
        if links is None:
            assert url == f"{BASE_URL}/developers"
            continue
        hrefs = dict(links)
        assert url in hrefs.values()
        assert "x-default" in hrefs
        assert all(alternates[href] == links for href in hrefs.values())


def test_head_and_sitemap_agree_on_alternates(sample: Visitor, pages: list[SitemapPage]) -> None:
    """So does `seo-page`. The Link header has none: dozens of them would not fit into it."""
    for page in pages[::40]:
        if page.alternates is None:
            continue
        path = page.url.removeprefix(BASE_URL)
        response = sample.get(path, {"Accept": "text/html"})
        seo = sample.get(f"/api/public/v1/seo-page?path={path}").json
        assert [(link["hreflang"], link["href"]) for link in seo["alternates"]] == page.alternates
        assert "hreflang" not in response.links
        for tag, href in page.alternates:
            assert f'<link rel="alternate" hreflang="{tag}" href="{href}">' in response.text


def test_last_modified_is_the_author_s_date(view_of: ViewOf, visit: Visit) -> None:
    """There is no date if the author gives none or one in the future."""
    files = {
        "pages/dated.md": "---\ntitle: A\nupdatedAt: 2026-03-01T08:00:00Z\n---\nText.\n",
        "pages/undated.md": "---\ntitle: A\n---\nText.\n",
        "posts/post.md": "---\ntitle: A\n---\nText.\n",
        "pages/future.md": "---\ntitle: A\nupdatedAt: 2099-01-01\n---\nText.\n",
    }
    view = view_of(files)
    tree = sitemap_from_str(rendered(site_map(view.snapshot, view.now), SitemapLimits()))
    dates = {page.url.rpartition("/")[2]: page.last_modified for page in tree.all_pages()}
    assert dates["dated"] == datetime.fromisoformat("2026-03-01T08:00:00+00:00")
    assert (dates["undated"], dates["future"], dates["blog"]) == (None, None, None)
    assert "products" not in dates  # a list of nothing


def test_no_date_is_in_the_future(pages: list[SitemapPage]) -> None:
    """More than 300 pages have a date, and none is in the future."""
    dates = [page.last_modified for page in pages if page.last_modified]
    assert len(dates) > 300
    assert max(dates) <= NOW


def rendered(pages: SiteMap, limits: SitemapLimits) -> str:
    """Return `/sitemap.xml` with these limits."""
    return sitemap.render(pages, BASE_URL, limits).body.decode()


@pytest.mark.parametrize(
    "limits",
    [
        pytest.param(SitemapLimits(urls=30), id="URLs"),
        pytest.param(SitemapLimits(file_bytes=40_000), id="bytes"),
    ],
)
def test_a_large_sitemap_is_an_index_of_parts_within_the_limits(
    view_of: ViewOf, limits: SitemapLimits
) -> None:
    """The parts together have the same URLs as one file without limits."""
    view = view_of({f"pages/p-{n}.md": "---\ntitle: {n}\n---\nText.\n" for n in range(40)})
    pages = site_map(view.snapshot, view.now)
    whole = {page.url for page in sitemap_from_str(rendered(pages, SitemapLimits())).all_pages()}

    def fetch(path: str) -> str | None:
        if path == "/robots.txt":
            return f"Sitemap: {BASE_URL}/sitemap.xml\n"
        if path == "/sitemap.xml":
            return rendered(pages, limits)
        number = int(path.removeprefix("/sitemap-").removesuffix(".xml"))
        part = sitemap.render_part(pages, BASE_URL, number, limits)
        if part is None:
            return None
        assert len(part.body) <= limits.file_bytes
        assert part.body.count(b"<loc>") <= limits.urls
        return part.body.decode()

    urls = [page.url for page in pages_of(fetch)]
    assert len(urls) == len(set(urls))
    assert set(urls) == whole
    assert "<sitemapindex" in rendered(pages, limits)
    assert sitemap.render_part(pages, BASE_URL, 0, limits) is None
    assert sitemap.render_part(pages, BASE_URL, 10_000, limits) is None


@pytest.mark.parametrize("urls", range(13, 40))
def test_parts_have_as_many_urls_as_the_limit_allows(view_of: ViewOf, urls: int) -> None:
    """A part includes the next page if all URLs of that page fit."""
    view = view_of({f"pages/p-{n}.md": "---\ntitle: A\n---\nText.\n" for n in range(6)})
    pages, limits = site_map(view.snapshot, view.now), SitemapLimits(urls=urls)
    sizes = [len(pages.unlocalized)]
    for page in pages.pages:
        if sizes[-1] + len(page.locales) > urls:
            sizes.append(0)
        sizes[-1] += len(page.locales)
    parts = [
        sitemap.render_part(pages, BASE_URL, number, limits) for number in range(1, len(sizes) + 2)
    ]
    assert [part.body.count(b"<loc>") for part in parts if part] == sizes
    assert max(sizes) <= urls
    assert parts[-1] is None


def test_a_small_sitemap_has_no_parts(sample: Visitor) -> None:
    """Part 1 does not exist if there is no index."""
    assert sample.get("/sitemap-1.xml").status == 404
