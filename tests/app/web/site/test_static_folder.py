"""The folder `_static/` of a site: its stylesheet, fonts and images."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cases import cases
from conftest import Content, Visit
from contract.visitor import Visitor
from page_scripts import own_sources

from knowledge.diagnostics.diagnostic import DiagnosticKind, Severity
from knowledge.snapshot.loading import load_content
from renderers.html import styles

HTML = {"Accept": "text/html"}
STYLES = "body { background: url(fonts/a.woff2); }\n"
FILES: dict[str, str | bytes] = {
    "pages/about.md": "---\ntitle: About\n---\n![A mark](/_static/mark.svg)\n",
    "_static/site.css": STYLES,
    "_static/fonts/a.woff2": b"wOF2",
    "_static/mark.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "_static/page.html": "<script>alert(1)</script>",
    "_static/code.js": "alert(1)",
    "_static/note.md": "# Note",
    "_static/_draft.css": "x {}",
    "images/wild.css": "x {}",
}
LINK = re.compile(r'<link rel="stylesheet" href="([^"]+)">')


@pytest.fixture
def visitor(shared_visit: Visit) -> Visitor:
    """A site with a folder `_static/`."""
    return shared_visit(FILES)


def test_each_page_links_the_stylesheet_of_the_site_last(visitor: Visitor) -> None:
    """Pages, missing pages and the manual, at an address that names its content."""
    own = ""
    for path in ("/ae/en", "/ae/ar/about", "/ae/en/nothing", "/developers"):
        *built_in, own = LINK.findall(visitor.get(path, HTML).text)
        assert built_in[0].startswith("/static/")
        assert re.fullmatch(r"/_static/site\.css\?v=[0-9a-f]{16}", own), path
    reply = visitor.get(own)
    assert (reply.status, reply.text) == (200, STYLES)
    assert reply.headers["Content-Type"] == "text/css; charset=utf-8"
    assert "max-age=3600" in reply.headers["Cache-Control"]
    assert reply.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    ("path", "media_type"),
    [("/_static/fonts/a.woff2", "font/woff2"), ("/_static/mark.svg", "image/svg+xml")],
)
def test_fonts_and_images_are_served(visitor: Visitor, path: str, media_type: str) -> None:
    """At their paths, so that the stylesheet finds them beside it."""
    reply = visitor.get(path)
    assert (reply.status, reply.headers["Content-Type"]) == (200, media_type)
    assert "sandbox" in reply.headers["Content-Security-Policy"]


@cases(
    "path",
    [
        "/_static/page.html",
        "/_static/code.js",
        "/_static/note.md",
        "/_static/_draft.css",
        "/images/wild.css",
        "/_static/../pages/about.md",
    ],
)
def test_nothing_else_is_served(visitor: Visitor, path: str) -> None:
    """No HTML, no scripts, and stylesheets only from `_static/`."""
    assert visitor.get(path).status == 404


def test_a_page_has_the_same_policy_as_before(visitor: Visitor) -> None:
    """Styles and fonts of this site, no script of the folder."""
    page = visitor.get("/ae/en", HTML)
    policy = re.sub("script-src [^;]+; ", "", page.headers["Content-Security-Policy"])
    assert policy.startswith("default-src 'none'; style-src 'self'; font-src 'self';")
    assert own_sources(page.headers) == set()


def test_check_names_files_that_are_not_served(content: Content) -> None:
    """And nothing else in the folder."""
    loaded = load_content(content(FILES))
    (diagnostic,) = [
        each for each in loaded.diagnostics if each.kind is DiagnosticKind.UNSERVED_FILE
    ]
    assert "code.js" in diagnostic.message
    assert "page.html" in diagnostic.message
    assert "note.md" in diagnostic.message
    assert "site.css" not in diagnostic.message


def test_an_edited_stylesheet_has_another_address(content: Content) -> None:
    """After a reload of that file alone; a site without one links none."""
    root: Path = content(FILES)
    first = load_content(root)
    (root / "_static/site.css").write_text("p { color: red; }")
    second = load_content(root, first, {"_static/site.css"})
    assert first.snapshot.stylesheet
    assert second.snapshot.stylesheet
    assert first.snapshot.stylesheet.url != second.snapshot.stylesheet.url
    (root / "_static/site.css").unlink()
    assert load_content(root, second, {"_static/site.css"}).snapshot.stylesheet is None


PLACES = ("static/a.png", "static/img/a.png", "static/images/a.png", "static/cards/a/b.png")


def test_a_folder_named_static_is_served(visit: Visit, content: Content) -> None:
    """The service has its own files at such paths, which are named by hashes."""
    font = next(name for name in styles.files() if name.endswith(".woff2"))
    theirs = (
        styles.url(font)[1:],
        "static/images/0123456789abcdef01234567-480.png",
        "static/cards/0123456789abcdef01234567/en.png",
    )
    files = {**dict.fromkeys(PLACES, b"ours"), **dict.fromkeys(theirs, b"theirs")}
    visitor = visit(files)
    assert [visitor.get(f"/{path}").body for path in PLACES] == [b"ours"] * len(PLACES)
    assert visitor.get(styles.url(font)).body == styles.files()[font].content
    assert all(visitor.get(f"/{path}").body != b"theirs" for path in theirs)
    found = load_content(content(files)).diagnostics
    assert {each.path for each in found if each.severity is Severity.ERROR} == {*theirs}
