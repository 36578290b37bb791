"""Assets: the images of the content folder, and nothing else on the disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import Visitor

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><title>Secret or not</title></svg>'


@cases(
    ("path", "media_type"),
    [
        ("images/a.svg", "image/svg+xml"),
        ("images/a.png", "image/png"),
        ("images/a.jpg", "image/jpeg"),
        ("images/a.webp", "image/webp"),
        ("images/Photo%20%D8%A7.JPEG", "image/jpeg"),
        ("posts/x/cover.svg", "image/svg+xml"),
        ("files/terms.pdf", "application/pdf"),
    ],
)
def test_an_asset_is_served_as_it_is(shared_visit: Visit, path: str, media_type: str) -> None:
    """Its path is that of the file; its media type depends on the suffix."""
    visitor = shared_visit({path.replace("%20%D8%A7", " ا"): SVG})
    reply = visitor.get(f"/{path}")
    assert (reply.status, reply.body) == (200, SVG)
    assert reply.headers["Content-Type"] == media_type
    assert reply.headers["Cache-Control"].startswith("public")
    assert visitor.get(f"/{path}", {"If-None-Match": reply.headers["ETag"]}).status == 304
    assert visitor.ask("HEAD", f"/{path}").headers == reply.headers


@cases(
    ("path", "vary"),
    [
        pytest.param("/images/a.png", None, id="compressed already"),
        pytest.param("/files/terms.pdf", None, id="a document"),
        pytest.param("/images/a.svg", "Accept-Encoding", id="text"),
        pytest.param("/sitemap.xml", "Accept, Accept-Encoding", id="map"),
        pytest.param("/ae/en/index.xml", "Accept-Encoding", id="page as a sitemap"),
        pytest.param("/ae/en/llms.txt", "Accept, Accept-Encoding", id="text for agents"),
        pytest.param("/ae/en/none.md", "Accept, Accept-Encoding", id="no such page"),
        pytest.param("/ae/en/index.md", "Accept, Accept-Encoding", id="page as markdown"),
        pytest.param("/ae/en/index.json", "Accept-Encoding", id="page as JSON"),
        pytest.param("/ae/en", "Accept, Accept-Encoding", id="page"),
        pytest.param("/images/none.png", "Accept, Accept-Encoding", id="an error, negotiated"),
    ],
)
def test_vary_is_left_out_if_nothing_varies(
    shared_visit: Visit, path: str, vary: str | None
) -> None:
    """What is compressed already has one form; its 304 is the same, and errors are negotiated."""
    visitor = shared_visit(dict.fromkeys(("images/a.png", "images/a.svg", "files/terms.pdf"), SVG))
    coding = {"Accept-Encoding": "br"}
    reply = visitor.get(path, coding)
    assert reply.headers.get("Vary") == vary
    if reply.status == 200:
        again = visitor.get(path, {**coding, "If-None-Match": reply.headers["ETag"]})
        assert (again.status, again.headers.get("Vary")) == (304, vary)


def test_a_picture_may_not_run_scripts(shared_visit: Visit) -> None:
    """An SVG opened as a document has the origin of the site."""
    policy = (
        shared_visit({"images/a.svg": SVG}).get("/images/a.svg").headers["Content-Security-Policy"]
    )
    assert "sandbox" in policy
    assert "script-src" not in policy
    assert "default-src 'none'" in policy


@pytest.fixture
def guarded(visit: Visit, tmp_path: Path) -> Visitor:
    """A site with files that are not for visitors, beside one that is."""
    (tmp_path / "secret.svg").write_bytes(SVG)
    folder = tmp_path / "content"
    (folder / "images").mkdir(parents=True)
    (folder / "images/out.svg").symlink_to(tmp_path / "secret.svg")
    (folder / "linked").symlink_to(tmp_path)
    return visit(
        {
            ".env": "SECRET=1",
            ".hidden.svg": SVG,
            ".git/a.svg": SVG,
            "_drafts/a.svg": SVG,
            "images/.hidden.svg": SVG,
            "images/_draft.svg": SVG,
            "images/a.svg": SVG,
            "images/notes.txt": SVG,
            "images/page.html": SVG,
            "images/script.js": SVG,
            "pages/x.md": "---\ntitle: X\n---\nSecret.\n",
        }
    )


@cases(
    "target",
    [
        pytest.param("/../secret.svg", id="up"),
        pytest.param("/images/../../secret.svg", id="up from a folder"),
        pytest.param("/%2e%2e/secret.svg", id="up, encoded"),
        pytest.param("/images/%2e%2e/%2e%2e/secret.svg", id="up from a folder, encoded"),
        pytest.param("/..%2fsecret.svg", id="encoded slash"),
        pytest.param("/images/..%2f..%2fsecret.svg", id="encoded slashes"),
        pytest.param("/..%5csecret.svg", id="backslash"),
        pytest.param("/%252e%252e/secret.svg", id="encoded twice"),
        pytest.param("/images/./a.svg", id="a dot inside"),
        pytest.param("/images//a.svg", id="two slashes"),
        pytest.param("/images/a.svg/", id="a slash at the end"),
        pytest.param("//etc/passwd", id="an absolute path"),
        pytest.param("/{folder}/secret.svg", id="the whole path of the disk"),
        pytest.param("/%2F{folder}/secret.svg", id="the whole path, encoded slash"),
        pytest.param("/.env", id="the settings"),
        pytest.param("/.hidden.svg", id="a dotfile"),
        pytest.param("/.git/a.svg", id="a dot folder"),
        pytest.param("/images/.hidden.svg", id="a dotfile in a folder"),
        pytest.param("/_drafts/a.svg", id="a folder that is skipped"),
        pytest.param("/images/_draft.svg", id="a file that is skipped"),
        pytest.param("/images/notes.txt", id="a type that is not served"),
        pytest.param("/images/page.html", id="HTML is no asset"),
        pytest.param("/images/script.js", id="nor is a script"),
        pytest.param("/images", id="a folder"),
        pytest.param("/images/", id="a folder with a slash"),
        pytest.param("/images/out.svg", id="a link that leads out"),
        pytest.param("/linked/secret.svg", id="through a folder that is a link"),
        pytest.param("/pages/x.md", id="the source of a page"),
        pytest.param("/images/no-such.svg", id="nothing"),
    ],
)
def test_nothing_else_on_the_disk_can_be_fetched(
    guarded: Visitor, tmp_path: Path, target: str
) -> None:
    """The response is 404, whether or not the file exists."""
    assert guarded.get("/images/a.svg").status == 200
    reply = guarded.get(target.format(folder=str(tmp_path).lstrip("/")))
    assert reply.status == 404
    assert b"ecret or" not in reply.body


def test_an_asset_deleted_after_the_load_is_a_404(visit: Visit, tmp_path: Path) -> None:
    """A deletion before the next edition causes no 500."""
    visitor = visit({"images/a.svg": SVG})
    (tmp_path / "content/images/a.svg").unlink()
    assert visitor.get("/images/a.svg").status == 404


def test_all_images_in_lists_of_the_sample_exist(sample: Visitor) -> None:
    """Of posts and of testimonials."""
    posts = sample.get("/api/public/v1/blog/posts?pageSize=24").json["items"]
    praise = sample.get("/api/public/v1/testimonials").json["items"]
    images = {item.get("coverImage") or item.get("image") for item in (*posts, *praise)} - {None}
    assert images
    assert [path for path in images if sample.get(path).status != 200] == []
