"""Social cards and icons on the wire, and what the head of a page says of them."""

from __future__ import annotations

import os
import re
from io import BytesIO
from pathlib import Path

import PIL.Image
import pytest
from cases import cases
from conftest import Visit
from contract.visitor import Visitor
from pictures import picture, svg

import app.features.images.pictures
from app.features.images.pictures import Drawings
from app.features.images.store import ImageStore

HTML = {"Accept": "text/html"}
PAGE = "---\ntitle: {en: Prices, ar: الأسعار}\n---\nText."
POST = "---\ntitle: {en: P, ar: م}\ncoverImage: /images/a.jpg\n---\nText."
PRODUCT = "---\nid: 1\nsku: '1'\ntitle: P\nprices: {AED: '1.00'}\nimage: /images/a.jpg\n---\nx"


def social(visitor: Visitor, path: str) -> dict[str, str]:
    """Return the properties of the picture in the head of a page."""
    html = visitor.get(path, HTML).body.decode()
    found = re.findall(r'<meta property="og:image(?::([a-z]+))?" content="([^"]*)"', html)
    assert 'name="twitter:card" content="summary_large_image"' in html
    return {name or "url": value for name, value in found}


def local(url: str) -> str:
    """Return the path of an absolute URL."""
    return "/" + url.split("/", 3)[3]


@cases("path", ["/ae/en/erp", "/sa/ar/erp", "/sa/ar", "/ae/ar/no-such-page"])
def test_every_page_has_a_card(sample: Visitor, path: str) -> None:
    """It is a PNG of the size that the head tells, cached for ever."""
    found = social(sample, path)
    assert (found["type"], found["width"], found["height"]) == ("image/png", "1200", "630")
    assert found["alt"]
    reply = sample.get(local(found["url"]))
    assert reply.headers["Content-Type"] == "image/png"
    assert reply.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert PIL.Image.open(BytesIO(reply.body)).size == (1200, 630)
    assert sample.get(local(found["url"])).body == reply.body


def test_a_card_follows_its_page(visit: Visit) -> None:
    """Another title has another path; the old one shows the new card, but not for ever."""
    visitor = visit({"pages/x.md": PAGE})
    english, arabic = (social(visitor, f"/ae/{language}/x") for language in ("en", "ar"))
    assert english["url"] != arabic["url"]
    assert "Prices" in english["alt"]
    assert "الأسعار" in arabic["alt"]
    other = re.sub("/cards/[0-9a-f]+/", f"/cards/{'0' * 24}/", local(english["url"]))
    reply = visitor.get(other)
    assert reply.status == 200
    assert reply.body == visitor.get(local(english["url"])).body
    assert "immutable" not in reply.headers["Cache-Control"]


@pytest.mark.parametrize(
    "path", ["/ae/en/none.png", "/nowhere.png", "/ae/en/x.md.png", "/ae/en/x", "/../x.png", ".png"]
)
def test_there_are_cards_of_pages_only(visit: Visit, path: str) -> None:
    """Nobody can have another text drawn."""
    visitor = visit({"pages/x.md": PAGE})
    assert visitor.get(f"/static/cards/{'0' * 24}{path}").status == 404


def test_a_page_with_a_wide_picture_shows_it(visit: Visit) -> None:
    """Networks get a variant of 1,200 pixels."""
    visitor = visit(
        {"posts/p.md": POST, "products/p.md": PRODUCT, "images/a.jpg": picture("JPEG", 2400, 1200)}
    )
    for path in ("/ae/en/blog/p", "/ae/en/products/p"):
        found = social(visitor, path)
        assert (found["type"], found["width"], found["height"]) == ("image/jpeg", "1200", "600")
        reply = visitor.get(local(found["url"]))
        assert PIL.Image.open(BytesIO(reply.body)).size == (1200, 600)


def test_what_a_picture_shows_is_told(visit: Visit) -> None:
    """As its author says it; without that the title of the page is."""
    kind = "---\nsingular: Room\nplural: Rooms\nfields:\n  picture: {type: image}\n---\n"
    room = "---\ntitle: Suite\npicture: /images/a.jpg\n{}---\n"
    files = {
        "_kinds/rooms.md": kind,
        "rooms/told.md": room.format("pictureAlt: A bed by the sea\n"),
        "rooms/untold.md": room.format(""),
        "posts/p.md": POST.replace("\n---\nText", "\ncoverImageAlt: A port\n---\nText"),
        "products/p.md": PRODUCT.replace("\n---\nx", "\nimageAlt: A printer\n---\nx"),
        "images/a.jpg": picture("JPEG", 900, 500),
    }
    visitor = visit(files)
    pages = ("rooms/told", "rooms/untold", "blog/p", "products/p")
    alts = [social(visitor, f"/ae/en/{page}")["alt"] for page in pages]
    assert alts == ["A bed by the sea", "Suite", "A port", "A printer"]


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        pytest.param(picture("JPEG", 900, 500), "/images/a.jpg", id="wide enough"),
        pytest.param(picture("JPEG", 300, 200), "/static/cards/", id="too small"),
        pytest.param(picture("WEBP", 900, 500), "/static/cards/", id="another format"),
        pytest.param(b"nothing", "/static/cards/", id="no picture"),
    ],
)
def test_another_picture_is_shown_only_if_networks_can(
    visit: Visit, file: bytes, expected: str
) -> None:
    """Else the card is."""
    found = social(visit({"posts/p.md": POST, "images/a.jpg": file}), "/ae/en/blog/p")
    assert local(found["url"]).startswith(expected)


def test_a_picture_on_another_site_is_named_as_it_is(visit: Visit) -> None:
    """Its size is not known."""
    post = POST.replace("/images/a.jpg", "https://elsewhere.test/a.jpg")
    found = social(visit({"posts/p.md": post}), "/ae/en/blog/p")
    assert found["url"] == "https://elsewhere.test/a.jpg"
    assert "width" not in found


def test_the_content_may_have_a_card_of_its_own(visit: Visit) -> None:
    """All pages without a picture show it."""
    visitor = visit({"pages/x.md": PAGE, "images/social-card.png": picture("PNG", 1200, 630)})
    assert local(social(visitor, "/ae/en/x")["url"]) == "/images/social-card.png"


def test_the_icons_are_there_without_any_file(visit: Visit) -> None:
    """The head names them."""
    visitor = visit({"pages/x.md": PAGE})
    html = visitor.get("/ae/en/x", HTML).body.decode()
    assert '<link rel="icon" href="/favicon.ico" sizes="32x32">' in html
    assert '<link rel="apple-touch-icon" href="/apple-touch-icon.png">' in html
    icon = visitor.get("/favicon.ico")
    assert icon.headers["Content-Type"] == "image/x-icon"
    assert PIL.Image.open(BytesIO(icon.body)).info["sizes"] == {(16, 16), (32, 32), (48, 48)}
    touch = visitor.get("/apple-touch-icon.png")
    assert touch.headers["Content-Type"] == "image/png"
    assert PIL.Image.open(BytesIO(touch.body)).size == (180, 180)
    assert visitor.get("/favicon.ico", {"If-None-Match": icon.headers["ETag"]}).status == 304


def test_the_icons_follow_the_mark_and_files_of_the_content(visit: Visit) -> None:
    """The mark is drawn; a file of its own at the same path is sent as it is."""
    drawn = visit({"pages/x.md": PAGE}).get("/favicon.ico").body
    square = svg('viewBox="0 0 9 9"').replace(b"/>", b'><rect width="9" height="9"/></svg>')
    visitor = visit({"pages/x.md": PAGE, "images/favicon.svg": square})
    assert visitor.get("/favicon.ico").body != drawn
    assert b'type="image/svg+xml" href="/images/favicon.svg"' in visitor.get("/ae/en/x", HTML).body
    own = picture("ICO", 32, 32, "RGBA")
    assert visit({"pages/x.md": PAGE, "favicon.ico": own}).get("/favicon.ico").body == own


def test_only_the_newest_cards_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Variants are not cards."""
    monkeypatch.setattr(app.features.images.pictures, "MAX_CARDS", 2)
    store = ImageStore(tmp_path)
    for number, name in enumerate(("card-1.png", "icon-2.png", "card-3.png", "aa-480.webp")):
        store.get(name, lambda: b"picture")
        os.utime(tmp_path / name, (number, number))
    assert Drawings(lambda: tmp_path, store).prune() == 1
    assert store.read("card-1.png") is None
    assert all(map(store.read, ("icon-2.png", "card-3.png", "aa-480.webp")))


def test_the_screens_of_the_sample_keep_the_distances_of_their_letters() -> None:
    """Small letters would stand on whole pixels, apart from one another."""
    folder = Path("knowledge/content/images/screens")
    drawings = [path.read_text(encoding="utf-8") for path in folder.glob("*.svg")]
    assert drawings
    assert all('text-rendering="geometricPrecision"' in each for each in drawings)
