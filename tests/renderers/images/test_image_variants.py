"""Image variants: which there are, how pages name them, and what is in them."""

from __future__ import annotations

from hashlib import blake2b
from io import BytesIO
from pathlib import Path

import PIL.Image
import pytest
from cases import cases
from conftest import ViewOf
from pictures import animation, picture, svg
from PIL import ImageCms
from renderers_html import TITLE, Files, images, page

import renderers.images.variants
from knowledge.documents.images import Image
from renderers.images.variants import (
    PictureBroken,
    Variant,
    check_decoding,
    encode,
    largest_still,
    social_image,
    srcset,
    variants,
)

DIGEST = "0123456789abcdef01234567"
WIDE = picture("JPEG", 1800, 900)


def image(width: int, alpha: bool = False) -> Image:
    """Return an image of this width."""
    return Image("images/a.png", width, 100, "PNG", DIGEST, alpha)


@cases(
    ("width", "names"),
    [
        pytest.param(300, [], id="small"),
        pytest.param(480, [], id="as wide as the smallest"),
        pytest.param(700, ["480.webp"], id="one"),
        pytest.param(1300, ["480.webp", "960.webp", "1200.jpg"], id="two, and one for networks"),
        pytest.param(
            4000,
            ["480.webp", "960.webp", "1600.webp", "1200.jpg", "1600.jpg"],
            id="all, and one instead of the file",
        ),
    ],
)
def test_only_smaller_variants_of_fixed_widths_exist(width: int, names: list[str]) -> None:
    """No URL can ask for another."""
    assert [f"{each.width}.{each.format}" for each in variants(image(width))] == names


def test_a_picture_with_alpha_keeps_it() -> None:
    """Where WebP cannot be sent, it is PNG."""
    [*_, social, still] = variants(image(4000, alpha=True))
    assert (social.format, still.format) == ("png", "png")
    assert social_image(image(4000, alpha=True)) == social
    assert largest_still(image(4000, alpha=True)) == still


@cases(
    ("width", "candidates"),
    [
        pytest.param(480, "", id="none"),
        pytest.param(700, "480w 700w", id="the file is the largest"),
        pytest.param(1800, "480w 960w 1600w", id="a variant is nearly as wide"),
        pytest.param(2600, "480w 960w 1600w", id="the file is never sent"),
    ],
)
def test_a_browser_is_offered_what_it_may_need(width: int, candidates: str) -> None:
    """The file itself is offered while it is small enough."""
    found = [each.split()[1] for each in filter(None, srcset(image(width), "/a.png").split(", "))]
    assert found == candidates.split()
    assert ("/a.png" in srcset(image(width), "/a.png")) is (candidates.endswith("700w"))


@cases(
    "name",
    ["", "a", f"{DIGEST}-480.gif", f"{DIGEST}-48000.webp", f"{DIGEST}-٤٨٠.webp", f"../{DIGEST}"],
)
def test_other_names_are_no_variants(name: str) -> None:
    """So no other file can be requested."""
    assert Variant.parse(name) is None


def decoded(content: bytes) -> PIL.Image.Image:
    """Return a picture of these bytes."""
    return PIL.Image.open(BytesIO(content))


def encoded(tmp_path: Path, content: bytes, width: int, form: str = "webp") -> bytes:
    """Return a variant of a file with this content."""
    path = tmp_path / "picture"
    path.write_bytes(content)
    with path.open("rb") as file:
        return encode(file, width, form)


@pytest.mark.parametrize("form", ["JPEG", "WEBP"])
def test_a_variant_is_turned_and_says_nothing_of_its_camera(tmp_path: Path, form: str) -> None:
    """A picture of a camera held upright has its left half above."""
    small = decoded(encoded(tmp_path, picture(form, 1200, 800, turned=True), 400))
    assert (small.format, small.size) == ("WEBP", (400, 600))
    above, below = small.convert("RGB").getpixel((200, 100)), small.getpixel((200, 500))
    assert isinstance(above, tuple)
    assert isinstance(below, tuple)
    assert above[0] > 150 > below[0]
    assert b"SECRET" not in encoded(tmp_path, picture(form, 1200, 800, turned=True), 400)
    assert not small.getexif()


@pytest.mark.parametrize(
    ("mode", "form", "channels"),
    [("RGBA", "png", "RGBA"), ("LA", "png", "RGBA"), ("P", "jpg", "RGB"), ("1", "jpg", "RGB")],
)
def test_a_variant_of_any_mode_can_be_shown(
    tmp_path: Path, mode: str, form: str, channels: str
) -> None:
    """Transparency stays where the format has it."""
    whole = PIL.Image.new("RGBA", (900, 600), (200, 30, 30, 128)).convert(mode)
    saved = BytesIO()
    whole.save(saved, "PNG")
    small = decoded(encoded(tmp_path, saved.getvalue(), 300, form))
    assert small.size == (300, 200)
    assert small.mode in (channels, "L")


def test_a_grey_picture_of_16_bits_keeps_its_tones(tmp_path: Path) -> None:
    """They are not cut off at 255."""
    saved = BytesIO()
    PIL.Image.new("I;16", (900, 600), 32_768).save(saved, "PNG")
    value = decoded(encoded(tmp_path, saved.getvalue(), 300)).convert("L").getpixel((9, 9))
    assert value == pytest.approx(128, abs=3)


def test_a_variant_has_the_colours_of_screens(tmp_path: Path) -> None:
    """They have no profile, and one that is broken does no harm."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    content = picture("JPEG", 1200, 800, icc_profile=profile)
    small = decoded(encoded(tmp_path, content, 400))
    assert "icc_profile" not in small.info
    assert encoded(tmp_path, picture("JPEG", 1200, 800, icc_profile=b"broken"), 400)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(picture("JPEG", 1200, 800, quality=95)[:-3_000], id="JPEG"),
        pytest.param(picture("PNG", 1200, 800, compress_level=0)[:-9_000], id="PNG"),
        pytest.param(picture("WEBP", 1200, 800)[:-500], id="WebP"),
        pytest.param(b"<html>", id="no picture"),
    ],
)
def test_a_file_that_is_cut_off_is_broken(tmp_path: Path, file: bytes) -> None:
    """It is found by making a variant, and by the check."""
    with pytest.raises(PictureBroken):
        encoded(tmp_path, file, 400)
    with (tmp_path / "picture").open("rb") as opened, pytest.raises(PictureBroken):
        check_decoding(opened)


def test_decoding_ends_at_its_deadline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file whose decoding takes long is read no further."""
    monkeypatch.setattr(renderers.images.variants, "MAX_SECONDS", -1.0)
    with pytest.raises(PictureBroken):
        encoded(tmp_path, picture("PNG", 3000, 3000), 400)


def test_a_page_offers_variants(view_of: ViewOf) -> None:
    """The width of its place tells the browser which one it needs."""
    cover = "---\ntitle: P\ncoverImage: /images/a.jpg\n---\n## A\n\n## B\n\n![B](/images/b.jpg)"
    files: Files = {"posts/p.md": cover, "images/a.jpg": WIDE, "images/b.jpg": WIDE}
    first, second = images(page(view_of, files, "/blog/p"))
    for each in (first, second):
        assert [part.split()[1] for part in each["srcset"].split(", ")] == ["480w", "960w", "1600w"]
        assert "46rem" in each["sizes"]
    [card] = images(page(view_of, files, "/blog"))
    assert "23rem" in card["sizes"]


def test_a_page_never_names_a_file_that_is_too_wide(view_of: ViewOf) -> None:
    """Its largest variant is the source."""
    files: Files = {
        "pages/x.md": f"{TITLE}![A](/images/a.jpg)",
        "images/a.jpg": picture("JPEG", 2400, 90),
    }
    html = page(view_of, files)
    [image] = images(html)
    assert image["src"].startswith("/static/images/")
    assert image["src"].endswith("-1600.jpg")
    assert (image["width"], image["height"]) == ("2400", "90")
    assert "/images/a.jpg" not in html.replace("/static/images/", "")


@pytest.mark.parametrize(
    ("name", "file"),
    [
        pytest.param("a.gif", animation(), id="GIF"),
        pytest.param("a.svg", svg('viewBox="0 0 5000 4000"'), id="SVG"),
        pytest.param("a.png", picture("PNG", 480, 300), id="small"),
    ],
)
def test_other_pictures_stay_as_they_are(view_of: ViewOf, name: str, file: bytes) -> None:
    """They have no variants."""
    files: Files = {"pages/x.md": f"{TITLE}![A](/images/{name})", f"images/{name}": file}
    [image] = images(page(view_of, files))
    digest = blake2b(file, digest_size=12).hexdigest()
    assert image["src"] == f"/images/a.{digest}{name[1:]}"
    assert not {"srcset", "sizes"} & image.keys()
    assert image["width"]
