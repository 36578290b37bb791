"""Images: their sizes are read once from the files, and no file makes the load fail."""

from __future__ import annotations

import os

import pytest
from conftest import Content
from pictures import animation, bomb, picture, svg

from knowledge.diagnostics.diagnostic import DiagnosticKind as Kind
from knowledge.diagnostics.diagnostic import Severity
from knowledge.documents.images import NO_IMAGES, load_images
from knowledge.snapshot.loading import load_content

_ENTITIES = '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("name", "file", "size"),
    [
        pytest.param("a.jpg", picture("JPEG", 300, 200), (300, 200), id="JPEG"),
        pytest.param("a.jpg", picture("JPEG", 300, 200, turned=True), (200, 300), id="turned"),
        pytest.param("a.png", picture("PNG", 31, 20, "RGBA"), (31, 20), id="PNG with alpha"),
        pytest.param("a.webp", picture("WEBP", 30, 20), (30, 20), id="WebP"),
        pytest.param("a.avif", picture("AVIF", 32, 20), (32, 20), id="AVIF"),
        pytest.param("a.gif", animation(), (600, 300), id="animated GIF"),
        pytest.param("a.ico", picture("ICO", 32, 32, "RGBA"), (32, 32), id="ICO"),
        pytest.param("a.svg", svg('width="20" height="10px"'), (20, 10), id="SVG"),
        pytest.param("a.svg", svg('viewBox="0 0 30 20"'), (30, 20), id="SVG with a view box"),
        pytest.param("a.svg", svg('width="60" viewBox="0,0,30,20"'), (60, 40), id="SVG, one side"),
        pytest.param(
            "a.svg", svg('width="100%" height="100%" viewBox="0 0 3 2"'), (3, 2), id="SVG, percent"
        ),
        pytest.param("a.svg", svg(""), (300, 150), id="SVG without a size"),
        pytest.param("a.svg", svg('width="100%"'), (300, 150), id="SVG, percent without a box"),
        pytest.param("a.svg", svg('height="60"'), (300, 60), id="SVG, a height without a box"),
        pytest.param("a.svg", svg('width="1in" height="72pt"'), (96, 96), id="SVG, inches"),
        pytest.param(
            "a.svg",
            svg('width="9e9" height="9"', "<!-- <svg -->"),
            (1_000_000, 9),
            id="SVG, exponent",
        ),
        pytest.param(
            "a.svg", svg('width="9999999999" height="1"'), (1_000_000, 1), id="SVG, enormous"
        ),
        pytest.param("a.svg", svg("", _ENTITIES), None, id="SVG with entities"),
        pytest.param("a.svg", svg('viewBox="0 0 x y"'), None, id="SVG, not a number"),
        pytest.param("a.svg", b"<svg" + b" " * 200_000, None, id="SVG without end"),
        pytest.param("a.svg", b"<html/>", None, id="no SVG"),
        pytest.param("a.png", b"", None, id="an empty file"),
        pytest.param("a.jpg", b"<html></html>", None, id="no picture"),
        pytest.param("a.png", picture("PNG", 30, 20)[:20], None, id="cut in the head"),
    ],
)
def test_the_size_of_a_picture_is_that_of_its_file(
    content: Content, name: str, file: bytes, size: tuple[int, int] | None
) -> None:
    """What cannot be read has no size, and a warning that says what to do."""
    loaded = load_content(content({f"images/{name}": file}))
    image = loaded.snapshot.images.at(f"images/{name}")
    assert (image and (image.width, image.height)) == size
    faults = [each for each in loaded.diagnostics if each.path == f"images/{name}"]
    assert [each.kind for each in faults] == ([] if size else [Kind.UNREADABLE_IMAGE])
    assert all("Save it again" in each.suggestion for each in faults)


def test_a_bomb_is_refused_before_it_is_decoded(content: Content) -> None:
    """144 million pixels in 20 kB are a fault, which names the file and the limit."""
    file = bomb(12_000)
    assert len(file) < 200_000
    loaded = load_content(content({"images/bomb.png": file}))
    assert loaded.snapshot.images.at("images/bomb.png") is None
    [fault] = loaded.snapshot.images.diagnostics
    assert (fault.path, fault.kind) == ("images/bomb.png", Kind.TOO_MANY_PIXELS)
    assert fault.severity is Severity.WARNING
    assert "12000 × 12000" in fault.message
    assert "50 million" in fault.suggestion


def test_a_wrong_ending_is_a_fault_and_the_picture_is_shown(content: Content) -> None:
    """The format is that of the bytes."""
    images = load_content(content({"images/a.png": picture("JPEG", 30, 20)})).snapshot.images
    image = images.at("images/a.png")
    assert image is not None
    assert (image.format, image.width, image.height) == ("JPEG", 30, 20)
    [fault] = images.diagnostics
    assert (fault.path, fault.kind) == ("images/a.png", Kind.MISLABELLED_IMAGE)
    assert ".jpeg" in fault.suggestion


def test_a_picture_is_read_again_only_if_its_file_changed(content: Content) -> None:
    """An edit of a text reads no picture."""
    folder = content({"images/a.png": picture("PNG", 30, 20), "images/b.png": b""})
    first = load_content(folder)
    (folder / "pages").mkdir()
    (folder / "pages/x.md").write_text("---\ntitle: X\n---\nText.")
    second = load_content(folder, first)
    assert second.snapshot.images is first.snapshot.images
    (folder / "images/b.png").write_bytes(picture("PNG", 8, 9))
    third = load_content(folder, second)
    assert (
        third.snapshot.images.files["images/a.png"] is first.snapshot.images.files["images/a.png"]
    )
    changed = third.snapshot.images.at("images/b.png")
    assert changed is not None
    assert (changed.width, changed.height) == (8, 9)


def test_a_file_that_became_a_pipe_is_no_error(content: Content) -> None:
    """It is reported where its file is."""
    folder = content({"images/a.png": picture("PNG", 30, 20)})
    assets = load_content(folder).scanned.assets
    (folder / "images/a.png").unlink()
    os.mkfifo(folder / "images/a.png")
    images = load_images(folder, assets, NO_IMAGES)
    assert images.at("images/a.png") is None
    assert [(each.path, each.kind) for each in images.diagnostics] == [
        ("images/a.png", Kind.UNREADABLE_FILE)
    ]
