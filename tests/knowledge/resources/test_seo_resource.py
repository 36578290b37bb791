"""SEO metadata for any public path."""

from __future__ import annotations

import pytest
from conftest import BASE_URL, ViewOf

from knowledge.addresses.addresses import split_locale
from knowledge.resources.seo import SeoPage, seo_page
from knowledge.views.content_view import ContentView

FILES: dict[str, str | bytes] = {
    "cities/riyadh.md": "---\ncountryCode: SA\nname: Riyadh\ntitle: Riyadh\n---\nx",
    "registry/erp.md": "---\ntitle: ERP\nshortDescription: D\nseo: {title: S}\n---\nx",
    "registry/erp.ar.md": "---\ntitle: نظام\n---\nا",
    "registry/contact.md": "---\ncountries: [ae, sa]\n---\nx",
    "pages/secret.md": "---\nseo: {noIndex: true, robotsFollow: nofollow}\n---\nx",
    "pages/no-index.md": "---\nseo: {robotsIndex: noindex}\n---\nx",
    "pages/copy.md": "---\nseo: {canonicalUrl: 'https://x.test/'}\n---\nx",
    "pages/draft.md": "---\ndraft: true\n---\nx",
    "posts/a.md": "---\ntitle: Post\n---\nFirst *paragraph*.",
    "posts/b.sa.ar.md": "---\ntitle: ب\n---\nا",
}


@pytest.fixture
def view(view_of: ViewOf) -> ContentView:
    """A small site."""
    return view_of(FILES)


def alternates(page: SeoPage) -> dict[str, str]:
    """Return the path of each alternate by hreflang."""
    return {link.hreflang: link.href.removeprefix(BASE_URL) for link in page.alternates}


def test_alternates_include_all_locales_and_the_generic_tags(view: ContentView) -> None:
    """The page itself is included; URLs are absolute."""
    page = seo_page(view, "/sa/ar/erp")
    assert len(page.alternates) == 12 + 3
    paths = alternates(page)
    assert paths["ar-SA"] == "/sa/ar/erp"
    assert (paths["en"], paths["ar"]) == ("/ae/en/erp", "/ae/ar/erp")
    assert paths["x-default"] == "/ae/en/erp"
    assert all(link.href.startswith(BASE_URL) for link in page.alternates)
    assert (page.lang, page.dir, page.title) == ("ar", "rtl", "نظام")


@pytest.mark.parametrize(
    "path",
    ["/ae/en", "/sa/ar/erp", "/ae/en/contact", "/ae/en/blog/a", "/sa/ar/blog/b", "/ae/en/blog"],
)
def test_alternates_are_reciprocal(view: ContentView, path: str) -> None:
    """Each alternate lists the same set, and is its own canonical URL."""
    page = seo_page(view, path)
    assert page.alternates
    for alternate in page.alternates:
        other = seo_page(view, alternate.href.removeprefix(BASE_URL))
        assert other.alternates == page.alternates
        assert other.canonical == alternate.href
        assert not other.no_index


def test_only_locales_with_their_own_text_are_alternates(view: ContentView) -> None:
    """Fallbacks and countries that the page excludes are not alternates."""
    assert set(alternates(seo_page(view, "/ae/en/contact"))) == {
        "en-AE",
        "en-SA",
        "en",
        "x-default",
    }
    assert alternates(seo_page(view, "/sa/ar/blog/b")) == {
        "ar-SA": "/sa/ar/blog/b",
        "ar": "/sa/ar/blog/b",
        "x-default": "/sa/ar/blog/b",
    }


def test_the_canonical_url_of_a_fallback_is_in_the_language_of_its_text(view: ContentView) -> None:
    """`lang` and `dir` report that language too."""
    page = seo_page(view, "/sa/ar/contact")
    assert page.canonical == f"{BASE_URL}/sa/en/contact"
    assert (page.lang, page.dir) == ("en", "ltr")


@pytest.mark.parametrize(
    ("path", "robots", "canonical"),
    [
        pytest.param("/ae/en/erp", "index, follow", "/ae/en/erp", id="as usual"),
        pytest.param("/ae/en/erp/", "index, follow", "/ae/en/erp", id="slash at the end"),
        pytest.param("/ae/en/erp?x=1#y", "index, follow", "/ae/en/erp", id="query and anchor"),
        pytest.param("ae/en/erp", "index, follow", "/ae/en/erp", id="no slash at the start"),
        pytest.param("/", "index, follow", "/ae/en", id="site root"),
        pytest.param("/ae/en/secret", "noindex, nofollow", "/ae/en/secret", id="noIndex"),
        pytest.param("/ae/en/no-index", "noindex, follow", "/ae/en/no-index", id="robotsIndex"),
        pytest.param("/sa/en/cities/riyadh", "index, follow", "/sa/en/cities/riyadh", id="city"),
    ],
)
def test_robots_and_canonical(view: ContentView, path: str, robots: str, canonical: str) -> None:
    """They follow the front matter; a noindex page has no alternates."""
    page = seo_page(view, path)
    assert page.robots == robots
    assert page.canonical == BASE_URL + canonical
    assert page.no_index is robots.startswith("noindex")
    assert bool(page.alternates) is not page.no_index


def test_a_canonical_url_in_the_front_matter_is_kept(view: ContentView) -> None:
    """It may be on another site."""
    assert seo_page(view, "/ae/en/copy").canonical == "https://x.test/"


@pytest.mark.parametrize(
    "path",
    [
        "/ae/en/gone",
        "/ae/en/draft",
        "/erp",
        "/fr/fr/erp",
        "/qa/en/contact",
        "/ae/en/blog/b",
        "/ae/en/cities/riyadh",
        "/ae/en/cities/nowhere/erp",
        "/ae/en/a/b/c/d",
        "//x.test",
    ],
)
def test_a_path_without_a_page_is_noindex(view: ContentView, path: str) -> None:
    """It still gets metadata: noIndex and no alternates."""
    page = seo_page(view, path)
    assert page.no_index
    assert page.alternates == []
    assert page.path == "/" + path.lstrip("/")
    assert page.lang == (((locale := split_locale(path)[0]) and locale.language) or "en")


@pytest.mark.parametrize(
    ("path", "title", "description"),
    [
        pytest.param("/ae/en/erp", "S", "D", id="seo title, short description"),
        pytest.param("/ae/en/blog/a", "Post", "First paragraph.", id="a post's excerpt"),
        pytest.param("/ae/en/contact", "Contact", None, id="no title: the slug"),
    ],
)
def test_title_and_description(
    view: ContentView, path: str, title: str, description: str | None
) -> None:
    """The most specific text wins."""
    page = seo_page(view, path)
    assert (page.title, page.description) == (title, description)
