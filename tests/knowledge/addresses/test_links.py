"""Links in content become site paths, tested through a content view."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cases import cases
from conftest import BASE_URL, NOW, ViewOf, locale_of

from knowledge.addresses.link_index import LinkIndex
from knowledge.addresses.links import is_external
from knowledge.views.content_view import ContentView, absolute

FILES: dict[str, str | bytes] = {
    "pages/pricing.md": "x",
    "registry/erp.md": "x",
    "posts/2026-01-01-first.md": "x",
    "modules/stock.md": "x",
    "cities/riyadh.md": "---\ncountryCode: SA\n---\nx",
    "images/a b(1).png": "x",
    "images/logo.svg": "x",
    "posts/bundle/index.md": "x",
    "posts/bundle/shot.png": "x",
}


@pytest.fixture
def view(view_of: ViewOf) -> ContentView:
    """Return a view of a small site for Arabic readers in Saudi Arabia."""
    return view_of(FILES, "sa/ar")


@pytest.mark.parametrize(
    ("source", "target", "path"),
    [
        pytest.param("pages/a.md", "/pricing", "/sa/ar/pricing", id="site path"),
        pytest.param("pages/a.md", "/", "/sa/ar", id="home"),
        pytest.param("pages/a.md", "/blog?page=2#x", "/sa/ar/blog?page=2#x", id="query and anchor"),
        pytest.param("pages/a.md", "pricing.md", "/sa/ar/pricing", id="file in the same folder"),
        pytest.param("pages/a.md", "../registry/erp.md#x", "/sa/ar/erp#x", id="file elsewhere"),
        pytest.param("posts/b.md", "2026-01-01-first.md", "/sa/en/blog/first", id="dated file"),
        pytest.param("posts/b.md", "/cities/riyadh", "/sa/ar/cities/riyadh", id="city"),
        pytest.param("posts/b.md", "../images/logo.svg", "/images/logo.svg", id="asset"),
        pytest.param("posts/bundle/index.md", "shot.png", "/posts/bundle/shot.png", id="bundle"),
        pytest.param("a.md", "/images/a%20b%281%29.png", "/images/a%20b%281%29.png", id="encoded"),
        pytest.param("a.md", "/developers#x", "/developers#x", id="outside the locales"),
        pytest.param("a.md", "/llms.txt", "/llms.txt", id="text for agents, outside the locales"),
        pytest.param("a.md", "/blog/feed.xml", "/sa/ar/blog/feed.xml", id="feed"),
        pytest.param("a.md", "/feed.xml", "/sa/ar/blog/feed.xml", id="feed of another site"),
        pytest.param("posts/b.md", "/feed/", "/sa/ar/blog/feed.xml", id="feed, as a folder"),
        pytest.param("a.md", "/index.xml#x", "/sa/ar/blog/feed.xml#x", id="feed of Hugo"),
        pytest.param("a.md", "/nowhere", "/nowhere", id="unknown path stays"),
        pytest.param("a.md", "gone.md", "gone.md", id="unknown file stays"),
        pytest.param("a.md", "../../../etc/passwd", "../../../etc/passwd", id="out of the folder"),
        pytest.param("a.md", "#part", "#part", id="anchor"),
        pytest.param("a.md", "https://x.test/pricing", "https://x.test/pricing", id="URL"),
        pytest.param("a.md", "//x.test/pricing", "//x.test/pricing", id="other host"),
        pytest.param("a.md", "mailto:a@x.test", "mailto:a@x.test", id="mail"),
        pytest.param("a.md", "", "", id="nothing"),
        pytest.param("a.md", "http://[bad", "http://[bad", id="rejected by urllib"),
    ],
)
def test_a_target_becomes_a_site_path(
    view: ContentView, source: str, target: str, path: str
) -> None:
    """A target that cannot be resolved stays as written."""
    assert view.path(target, source) == path


@pytest.mark.parametrize(
    ("locale", "target", "path"),
    [
        pytest.param(
            "ae/ar", "/cities/riyadh", "/sa/ar/cities/riyadh", id="another country's city"
        ),
        pytest.param("sa/ar", "/blog/english", "/sa/en/blog/english", id="no text in the language"),
        pytest.param("qa/ar", "/emirates", "/ae/ar/emirates", id="another country's page"),
        pytest.param("qa/ar", "/draft", "/qa/ar/draft", id="published nowhere"),
    ],
)
def test_a_link_points_to_the_nearest_locale_with_the_page(
    view_of: ViewOf, locale: str, target: str, path: str
) -> None:
    """In the reader's language if possible."""
    both = "title: {en: A, ar: أ}"
    files = {
        "cities/riyadh.md": f"---\ncountryCode: SA\n{both}\n---\nx",
        "posts/english.md": "---\ntitle: A\n---\nx",
        "pages/emirates.md": f"---\n{both}\ncountries: [AE]\n---\nx",
        "pages/emirates.ar.md": "س",
        "pages/draft.md": "---\npublished: false\n---\nx",
    }
    assert view_of(files, locale).path(target, "pages/a.md") == path


@cases(
    ("locale", "shown"),
    [
        ("sa/ar", "/images/screen.sa.ar.png"),
        ("sa/en", "/images/screen.sa.png"),
        ("kw/ar", "/images/screen.ar.png"),
        ("kw/en", "/images/screen.png"),
    ],
)
def test_a_picture_is_the_one_of_the_readers_country_and_language(
    view_of: ViewOf, locale: str, shown: str
) -> None:
    """A name with all suffixes stays, and so does a file that is no picture."""
    layers = ("", ".sa.ar", ".sa", ".ar")
    files: dict[str, str | bytes] = {f"images/screen{each}.png": "x" for each in layers}
    files |= {"pages/a.md": "x", "files/list.pdf": "x", "files/list.sa.pdf": "x"}
    view = view_of(files, locale)
    assert view.path("../images/screen.png", "pages/a.md") == shown
    assert view.path("/images/screen.sa.ar.png", "pages/a.md") == "/images/screen.sa.ar.png"
    assert view.path("/files/list.pdf", "pages/a.md") == "/files/list.pdf"


def test_links_in_markdown_stay_links(view: ContentView) -> None:
    """A path with blanks and brackets is still a URL after rewriting."""
    text = "![a](../images/a%20b%281%29.png) and [b](/pricing 'T')"
    expected = "![a](/images/a%20b%281%29.png) and [b](/sa/ar/pricing 'T')"
    assert view.markdown(text, "pages/a.md") == expected


@cases("target", ["#a", "//x", "http://x", "mailto:x", "tel:+971"])
def test_targets_with_a_scheme_or_host_are_external(target: str) -> None:
    """Anchors on the same page count as external too."""
    assert is_external(target)


def test_absolute_urls_are_encoded_once(view: ContentView) -> None:
    """Paths with letters outside ASCII, and paths that are already encoded."""
    assert view.absolute("/ae/ar/blog/مقال") == f"{BASE_URL}/ae/ar/blog/%D9%85%D9%82%D8%A7%D9%84"
    assert view.absolute("/images/a%20b.png") == f"{BASE_URL}/images/a%20b.png"
    assert absolute(BASE_URL, "https://x.test/a") == "https://x.test/a"


def test_a_view_changes_one_thing_at_a_time(view: ContentView) -> None:
    """`at` the instant, `for_locale` the locale."""
    later, english = NOW.replace(year=2027), locale_of("ae/en")
    assert view.at(later) == replace(view, now=later)
    assert view.at(None) is view
    assert view.for_locale(english) == replace(view, locale=english)
    assert view.at(later).snapshot is view.for_locale(english).snapshot is view.snapshot


def test_a_file_that_is_missing_is_looked_up_among_files_only(view: ContentView) -> None:
    """The first page with such a picture does not wait for the names of all pages."""
    assert view.path("/images/gone.png", "posts/b.md") == "/images/gone.png"
    assert view.path("/static/Logo.SVG", "posts/b.md") == "/images/logo.svg"
    assert LinkIndex not in view.snapshot.cache
