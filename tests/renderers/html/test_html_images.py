"""Images of pages: their sizes, when they are loaded, and what stands for a missing one."""

from __future__ import annotations

import re

import pytest
from conftest import ViewOf
from pictures import bomb, picture, svg
from renderers_html import TITLE, Files, images, page

from knowledge.addresses.addresses import parse_address
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_page import site_page
from renderers.html import renderer
from renderers.html.images import complete_images
from renderers.json import render_page
from renderers.markdown import renderer as markdown_renderer

PNG = picture("PNG", 300, 200)


@pytest.mark.parametrize(
    ("body", "width", "height"),
    [
        pytest.param("![A](/images/a.png)", "300", "200", id="markdown"),
        pytest.param("![A](../images/a.png)", "300", "200", id="relative"),
        pytest.param("![A](/images/a%20b.svg)", "40", "30", id="encoded"),
        pytest.param("<img src=/images/a.png alt=A>", "300", "200", id="raw HTML"),
        pytest.param('<p><img src="/images/a.png" alt=A width=150></p>', "150", "100", id="width"),
        pytest.param('<img src="/images/a.png" alt=A height=20>', "30", "20", id="height"),
        pytest.param('<img src="/images/a.png" alt=A width=9 height=9>', "9", "9", id="both"),
        pytest.param(":::{image} T\n![A](/images/a.png)\n:::", "300", "200", id="a section"),
    ],
)
def test_an_image_in_a_text_has_its_size(
    view_of: ViewOf, body: str, width: str, height: str
) -> None:
    """What its author wrote stays, and the other side follows from it."""
    files: Files = {
        "pages/x.md": TITLE + body,
        "images/a.png": PNG,
        "images/a b.svg": svg('viewBox="0 0 40 30"'),
    }
    [image] = images(page(view_of, files))
    assert (image["width"], image["height"]) == (width, height)


def test_every_picture_of_front_matter_has_its_size(view_of: ViewOf) -> None:
    """So has that of a card of a product, of its page, and the cover of a post."""
    cover = "---\ntitle: P\ncoverImage: /images/a.png\n---\nText."
    product = "---\nid: 1\nsku: '1'\ntitle: P\nprices: {AED: '1.00'}\nimage: /images/a.png\n---\nx"
    files: Files = {"posts/p.md": cover, "products/p.md": product, "images/a.png": PNG}
    for path in ("/blog", "/blog/p", "/products", "/products/p"):
        found = images(page(view_of, files, path))  # that of a product also opens in place
        sizes = {(image["width"], image["height"]) for image in found}
        assert sizes == {("300", "200")}, path


def test_the_logo_has_both_sides(view_of: ViewOf) -> None:
    """Its height is that of the header."""
    settings = "---\ntitle: S\nheader:\n  logoUrl: /images/a.png\n---\nText."
    files: Files = {"site/settings.md": settings, "pages/x.md": TITLE, "images/a.png": PNG}
    address = parse_address("/x")
    assert address
    html = renderer.render(site_page(view_of(files), address, PageQuery())).body.decode()
    [logo] = images(html)
    assert int(logo["width"]) == round(int(logo["height"]) * 1.5)
    assert "fetchpriority" not in logo


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        pytest.param("/images/a.png", r"/images/a\.[0-9a-f]{24}\.png", id="a file"),
        pytest.param("/images/none.png", None, id="missing"),
        pytest.param("https://e.test/a.png", "https://e.test/a.png", id="elsewhere"),
        pytest.param("/images/a.png 1x, /a.png 2x", "/images/a.png 1x, /a.png 2x", id="several"),
    ],
)
def test_the_form_of_an_image_for_some_readers_is_named_by_its_hash_too(
    view_of: ViewOf, body: str, shown: str | None
) -> None:
    """Readers for whom it is missing get the image."""
    image = '<img src="/images/a.png" alt="A">'
    files: Files = {"pages/x.md": TITLE, "images/a.png": PNG}
    html = f'<picture><source srcset="{body}" media="(min-width: 9px)">{image}</picture>'
    completed = complete_images(html, view_of(files))
    [source] = re.findall('<source srcset="([^"]*)" media="', completed) or [None]
    assert (source is None) == (shown is None)
    assert source is None or re.fullmatch(shown or "", source)
    assert 'width="300"' in completed


def test_the_forms_of_an_image_stand_beside_it(view_of: ViewOf) -> None:
    """For phones, for dark mode and for both; an image that has sources of its own keeps these."""
    names = ("a.svg", "a-phone.svg", "a-dark.svg", "a-phone-dark.svg")
    drawn = {f"images/{name}": svg('viewBox="0 0 40 30"') for name in names}
    image = '<img src="/images/a.svg" alt="A">'
    own = f'<picture><source srcset="/images/a-dark.svg">{image}</picture>'
    view = view_of({"pages/x.md": TITLE, **drawn})
    html = complete_images(f"<main>{image}{own}", view)
    [forms] = re.findall(r"<picture>((?:<source media[^>]*>)+)<img [^>]*></picture>", html)
    assert re.findall(r'media="([^"]*)" srcset="/images/([a-z-]*)', forms) == [
        ("(max-width: 40rem) and (prefers-color-scheme: dark)", "a-phone-dark"),
        ("(max-width: 40rem)", "a-phone"),
        ("(prefers-color-scheme: dark)", "a-dark"),
    ]
    assert forms.count('width="40" height="30"') == 3


def test_all_forms_of_a_page_have_the_picture_of_the_country_and_language(view_of: ViewOf) -> None:
    """Its form for phones is the one beside it."""
    names = ("a", "a.sa.ar", "a-phone", "a.sa.ar-phone")
    drawn = {f"images/{name}.svg": svg('viewBox="0 0 40 30"') for name in names}
    files: Files = {"pages/x.md": f"{TITLE}![A](../images/a.svg)", **drawn}
    address = parse_address("/x")
    assert address
    found = site_page(view_of(files, "sa/ar"), address, PageQuery())
    for render in (renderer.render, markdown_renderer.render, render_page):
        shown = re.findall(r"/images/(a[a-z.-]*)\.", render(found).body.decode())
        assert set(shown) - {"a.sa.ar-phone"} == {"a.sa.ar"}
        assert ("a.sa.ar-phone" in shown) == (render is renderer.render)


def test_captions_are_the_file_beside_a_video(view_of: ViewOf) -> None:
    """A video without such a file has none."""
    for count in (0, 1):
        files: dict[str, str | bytes] = {"a.vtt": "WEBVTT\n"} if count else {}
        body = ":::{video} T\n[![A](/a.svg)](/a.mp4)\n:::"
        files |= {"pages/x.md": TITLE + body, "a.svg": svg('viewBox="0 0 4 3"'), "a.mp4": "x"}
        assert page(view_of, files).count('kind="captions" src="/a.vtt"') == count


def test_the_first_image_is_loaded_at_once_and_others_later(view_of: ViewOf) -> None:
    """Only one is eager."""
    files: Files = {
        "pages/x.md": f"{TITLE}![A](/images/a.png)\n\n![B](/images/a.png)",
        "images/a.png": PNG,
    }
    first, second = images(page(view_of, files))
    assert (first.get("loading"), first["fetchpriority"]) == (None, "high")
    assert (second["loading"], second.get("fetchpriority")) == ("lazy", None)
    assert first["decoding"] == second["decoding"] == "async"


def test_an_image_below_the_fold_is_loaded_later(view_of: ViewOf) -> None:
    """There are two headings above it."""
    body = "## A\n\nText.\n\n## B\n\n![A](/images/a.png)"
    [image] = images(page(view_of, {"pages/x.md": TITLE + body, "images/a.png": PNG}))
    assert (image["loading"], image.get("fetchpriority")) == ("lazy", None)


@pytest.mark.parametrize(
    ("body", "files"),
    [
        pytest.param("![A & “map”](/images/a.png)", {}, id="no file"),
        pytest.param("![A & “map”](/images/a.png?1#2)", {}, id="no file, with a query"),
        pytest.param("![A & “map”](/images/a.png)", {"images/a.png": bomb(8_000)}, id="a bomb"),
    ],
)
def test_a_missing_image_shows_its_alternative_text(
    view_of: ViewOf, body: str, files: Files
) -> None:
    """It stands in the place of the image; the browser requests nothing."""
    html = page(view_of, {"pages/x.md": TITLE + body, **files})
    assert not images(html)
    assert '<span class="missing">A &amp; “map”</span>' in html


def test_a_missing_image_without_alternative_text_leaves_nothing(view_of: ViewOf) -> None:
    """A card without its picture has no empty box."""
    cover = "---\ntitle: P\ncoverImage: /images/none.png\n---\nText."
    html = page(view_of, {"posts/p.md": cover}, "/blog")
    assert "<img" not in html
    assert "missing" not in html


@pytest.mark.parametrize(
    ("source", "files"),
    [
        pytest.param("https://elsewhere.test/a.png", {}, id="another site"),
        pytest.param("/images/a.png", {"images/a.png": b"not a picture"}, id="unreadable"),
        pytest.param("/picture", {}, id="a path without an ending"),
    ],
)
def test_an_image_that_is_not_known_stays_as_it_is(
    view_of: ViewOf, source: str, files: Files
) -> None:
    """The browser may show it, or its alternative text."""
    [image] = images(page(view_of, {"pages/x.md": f"{TITLE}![A]({source})", **files}))
    assert (image["src"], image["alt"]) == (source, "A")
    assert "width" not in image
