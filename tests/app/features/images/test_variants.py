"""Image variants on the wire: made at the first request, cached for ever, and never too large."""

from __future__ import annotations

import asyncio
import fcntl
import json
import re
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path

import PIL.Image
import pytest
from click.testing import CliRunner
from conftest import Content, Visit
from pictures import animation, bomb, picture, svg

from app.factory import create_app
from app.operations.cli import main
from app.settings import Settings

PAGE = "---\ntitle: {en: T, ar: ت}\n---\n![A](/images/a.jpg)"
LARGE = picture("JPEG", 2600, 1300, turned=True)


def variants_of(html: bytes) -> list[str]:
    """Return the paths of the variants that a page names."""
    return sorted(set(re.findall(r"/static/images/[0-9a-z.-]+", html.decode())))


def test_a_page_names_variants_that_are_served(visit: Visit, tmp_path: Path) -> None:
    """Each is of its width and format, smaller than the file, and cached for ever."""
    visitor = visit({"pages/x.md": PAGE, "images/a.jpg": LARGE}, image_dir=tmp_path / "images")
    paths = variants_of(visitor.get("/ae/en/x").body)
    assert [path.rpartition("-")[2] for path in paths] == ["480.webp", "960.webp"]
    for path in paths:
        reply = visitor.get(path)
        assert reply.status == 200
        assert reply.headers["Content-Type"] == "image/webp"
        assert reply.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        shown = PIL.Image.open(BytesIO(reply.body))
        assert shown.size == (int(path[-8:-5]), int(path[-8:-5]) * 2)
        assert visitor.get(path, {"If-None-Match": reply.headers["ETag"]}).status == 304
        assert visitor.ask("HEAD", path).headers == reply.headers
    made = {path.name for path in (tmp_path / "images").iterdir() if path.suffix == ".webp"}
    assert made == {path.rpartition("/")[2] for path in paths}


def test_a_file_that_is_too_wide_is_never_sent(visit: Visit) -> None:
    """Its own path leads to the largest variant; markdown and JSON keep it."""
    visitor = visit({"pages/x.md": PAGE, "images/a.jpg": picture("JPEG", 2600, 1300)})
    reply = visitor.get("/images/a.jpg")
    assert reply.status == 302
    shown = visitor.get(reply.headers["Location"])
    assert shown.headers["Content-Type"] == "image/jpeg"
    assert PIL.Image.open(BytesIO(shown.body)).size == (1600, 800)
    assert b"](https://www.wahat.example/images/a.jpg)" in visitor.get("/ae/en/x.md").body
    assert b"/images/a.jpg" in visitor.get("/ae/en/x.json").body


@pytest.mark.parametrize(
    "name", ["{}-481.webp", "{}-480.png", "{}-1600.webp", "{}-48.webp", "x", "", "{}-480.webp/x"]
)
def test_there_are_no_other_variants(visit: Visit, name: str) -> None:
    """Nobody can make the service draw other sizes."""
    visitor = visit({"pages/x.md": PAGE, "images/a.jpg": picture("JPEG", 1000, 500)})
    digest = variants_of(visitor.get("/ae/en/x").body)[0].rpartition("/")[2].partition("-")[0]
    assert visitor.get(f"/static/images/{name.format(digest)}").status == 404
    assert visitor.get(f"/static/images/{'0' * 24}-480.webp").status == 404


@pytest.mark.parametrize("width", [1000, 2600])
def test_a_truncated_file_is_sent_as_it_is(visit: Visit, width: int) -> None:
    """The path of its variant then returns the file, and does not stay in caches."""
    whole = picture("JPEG", width, 500, quality=95)
    cut = whole[: len(whole) // 2]
    visitor = visit({"pages/x.md": PAGE, "images/a.jpg": cut})
    for path in variants_of(visitor.get("/ae/en/x").body):
        reply = visitor.get(path)
        assert (reply.status, reply.body, reply.headers["Content-Type"]) == (200, cut, "image/jpeg")
        assert "immutable" not in reply.headers["Cache-Control"]


def test_other_files_are_sent_as_they_are(visit: Visit) -> None:
    """So are a bomb, an animation, an SVG, and what is no picture at all."""
    files = {
        "images/bomb.png": bomb(12_000),
        "images/a.gif": animation(),
        "images/huge.svg": svg('viewBox="0 0 90000 90000"', f"<!--{'x' * 70_000}-->"),
        "images/page.png": b"<html>",
    }
    visitor = visit(files)
    for path, content in files.items():
        assert visitor.get(f"/{path}").body == content


def test_the_check_names_what_is_wrong_with_pictures(content: Content) -> None:
    """Each with its file and what to do."""
    whole = picture("JPEG", 1000, 500, quality=95)
    folder = content(
        {
            "pages/x.md": PAGE,
            "images/a.jpg": whole,
            "images/bomb.png": bomb(12_000),
            "images/cut.jpg": whole[: len(whole) // 2],
            "images/wrong.png": whole,
            "images/none.webp": b"nothing",
        }
    )
    result = CliRunner().invoke(main, ["check", str(folder), "--format", "json"])
    assert result.exit_code == 1
    told = [
        each
        for each in json.loads(result.stdout)["diagnostics"]
        if each["file"].startswith("images/")
    ]
    assert all(each["fix"] for each in told)
    assert {each["file"]: each["code"] for each in told} == {
        "images/bomb.png": "too-many-pixels",
        "images/cut.jpg": "unreadable-image",
        "images/wrong.png": "mislabelled-image",
        "images/none.webp": "unreadable-image",
    }


def test_the_command_makes_all_variants_ahead(
    content: Content, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is of no use is gone; a picture that cannot be read ends the command with 1."""
    folder = content({"pages/x.md": PAGE, "images/a.jpg": LARGE})
    monkeypatch.setenv("CONTENT_DIR", str(folder))
    monkeypatch.setenv("IMAGE_DIR", str(tmp_path / "images"))
    result = CliRunner().invoke(main, ["images"])
    assert result.exit_code == 0
    assert result.output.startswith(f"{tmp_path / 'images'}: 3 variants, ")
    (folder / "images/a.jpg").write_bytes(picture("JPEG", 700, 350))
    result = CliRunner().invoke(main, ["images"])
    assert "1 variants, " in result.output
    assert result.output.endswith("; 3 deleted.\n")
    (folder / "images/a.jpg").write_bytes(picture("JPEG", 800, 350)[:-900])
    assert CliRunner().invoke(main, ["images"]).exit_code == 1


async def test_making_a_picture_holds_up_no_other_request(content: Content, tmp_path: Path) -> None:
    """It waits in a thread of its own; pages are served meanwhile."""
    folder = content({"pages/x.md": PAGE, "images/a.jpg": LARGE})
    made = tmp_path / "images"
    database = f"sqlite:///{tmp_path}/majlis.db"
    settings = Settings(
        _env_file=None,
        content_dir=folder,
        image_dir=made,
        index_dir=tmp_path / "index",
        database_url=database,
    )
    app = create_app(settings)
    async with app.test_app():
        client = app.test_client()
        html = await (await client.get("/ae/en/x", headers={"Accept": "text/html"})).get_data()
        assert isinstance(html, bytes)
        [path, *_] = variants_of(html)
        made.mkdir(exist_ok=True)
        with ExitStack() as locks:
            for number in range(16):
                lock = locks.enter_context((made / f".lock-{number}").open("w"))
                fcntl.flock(lock, fcntl.LOCK_EX)
            waiting = asyncio.create_task(app.test_client().get(path))
            for number in range(20):
                page = await client.get(f"/sa/en/x?{number}", headers={"Accept": "text/html"})
                assert page.status_code == 200
            assert not waiting.done()
        assert (await waiting).status_code == 200
