"""An export behind nginx answers as the service does, but for what it tells."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from datetime import date
from hashlib import sha256
from html import unescape
from pathlib import Path
from shutil import copytree
from urllib.parse import quote, unquote

import httpx
import pytest
from command_line import run_majlis
from contract.visitor import Visitor, write_tree
from examples import CLINIC
from live.nginx import Nginx
from live.server import client_of

from app.operations.starters import write_starter
from app.platform.clock import utc_now
from knowledge.locales.locale import Language
from renderers.html.styles import SUGGEST, script_of

pytestmark = pytest.mark.slow

BASE_URL = "https://noor.test"
FILES: Mapping[str, str | bytes] = {
    "_redirects": "/old /services/heart-check 301\n/out https://other.test/x 302\n/gone / 410\n"
    "/news/* /blog/:splat 301\n",
    "posts/moved.md": "---\ntitle: Moved\npublishedAt: 2025-01-02\naliases: [/2019/moved.html]\n"
    "coverImage: /images/door.png\n---\nA text with [a file](/files/form.pdf).\n",
    "files/form.pdf": b"%PDF-1.4 form",
    "images/mark.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>',
    **{
        f"posts/news-{number}.md": f"---\ntitle: News {number}\npublishedAt: 2025-02-{number:02}\n"
        "---\nWhat is new.\n"
        for number in range(1, 13)
    },
    "posts/akhbar.ar.md": "---\ntitle: أخبار العيادة\npublishedAt: 2025-03-01\n---\nنص.\n",
    "registry/contact.md": "---\ntitle: Contact\n---\nWrite to us.\n",
    "registry/contact.ar.md": "---\ntitle: تواصل معنا\n---\nراسلنا.\n",
}
LINK = re.compile(r'\b(?:href|src|srcset|content)="([^"]*)"|<loc>([^<]*)')
ONLY_OF_SERVICE = re.compile(
    r"/(?:developers|openapi|api)\b|/\.well-known/(?!security)|.*/(?:opensearch\.xml|search)\b"
    r"|/static/\w+/page-"
)
STYLES = re.compile(r"/static/\w+/page-\w+\.css")
"""The stylesheet of a page; one without forms has fewer rules."""

GUIDES = re.compile(r".*/llms(?:-full)?\.txt|/sitemap\.xml|/robots\.txt")
"""The files that name what the export lacks."""
HOURS = re.compile(r"^opening:\n(?:  .*\n)+", re.MULTILINE)
"""Of a branch: an export does not say what is open now."""

DIFFERENCES = re.compile(
    r'<form class="(?:find|search)".*?</form>\n|<a class="seek".*?</a>\n|<link rel="search".*?>\n'
    r'|<li><a href="/developers[^"]*">.*?</a></li>\n'
    r'|,"potentialAction":\{.*?"query-input":"[^"]*"\}|<nav class="chips".*?</nav>\n'
    rf"|<script>{re.escape(str(script_of(SUGGEST)))}</script>\n?",
    re.DOTALL,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site in two countries and two languages, with redirects and files."""
    folder = copytree(CLINIC, tmp_path_factory.mktemp("site") / "content")
    write_tree(folder, FILES)
    for path in (folder / "branches").glob("*.md"):
        path.write_text(HOURS.sub("", path.read_text()))
    return folder


@pytest.fixture(scope="module")
def exported(folder: Path) -> Path:
    """The export of the site."""
    export(folder, folder.parent / "out")
    return folder.parent / "out"


def export(folder: Path, target: Path, *options: str) -> str:
    """Export a site, and return what the command says."""
    variables = {"BASE_URL": BASE_URL, "IMAGE_DIR": str(folder.parent / "pictures")}
    ran = run_majlis(
        *("export", str(folder), "--into", str(target)),
        *options,
        folder=folder.parent,
        variables=variables,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def static(exported: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of nginx, with nothing but what the export says."""
    server = (
        f"server {{ listen 127.0.0.1:{{port}}; root {exported}; include {exported}/nginx.conf; }}"
    )
    with (
        Nginx(server, tmp_path_factory.mktemp("nginx")) as nginx,
        client_of(nginx.url) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def service(folder: Path) -> Iterator[Visitor]:
    """The service of the same site."""
    with Visitor(utc_now, content_dir=folder, base_url=BASE_URL) as visitor:
        yield visitor


def linked(text: str) -> set[str]:
    """Return the paths of the site that a page names."""
    found = set()
    for groups in LINK.findall(text):
        for each in unescape("".join(groups)).split(","):
            url = each.strip().partition(" ")[0].partition("#")[0].removeprefix(BASE_URL)
            if url.startswith("/") and not url.startswith("//"):
                found.add(url)
    return found


def plain(path: str) -> str:
    """Return a path as the export has it: later pages of lists are no queries."""
    path, _, query = path.partition("?")
    if not query.startswith("page=") or not query[5:].isdecimal():
        return path
    beginning, dot, suffix = path.partition(".")
    return f"{beginning}/page/{query[5:]}{dot}{suffix}"


def test_the_export_answers_as_the_service_does(service: Visitor, static: httpx.Client) -> None:
    """All that can be reached from the home page: status, type, body and target of redirects."""
    waiting = ["/", "/robots.txt", "/sitemap.xml", "/old", "/ar/old", "/sa/ar/old"]
    differing: list[tuple[str, object, object]] = []
    waiting += ["/out", "/gone", "/2019/moved.html", "/sa/en/2019/moved.html", "/news/news-3"]
    seen, reached = set(waiting), set()
    styles: set[str] = set()
    while waiting:
        path = waiting.pop()
        ours = service.get(path)
        theirs = static.get(quote(unquote(plain(path))))
        kind = ours.headers.get("Content-Type", "")
        new = linked(ours.text) if kind.startswith(("text/html", "application/xml")) else set()
        new = {each for each in new if not ONLY_OF_SERVICE.match(each)} - seen
        seen |= new
        waiting += new
        reached.add(plain(path))
        if "?" in path and plain(path) == path.partition("?")[0]:
            continue  # a filter, or where an enquiry comes from
        expected = (ours.status, plain(ours.headers.get("Location", "")))
        location = theirs.headers.get("Location", "")
        found = (theirs.status_code, location.removeprefix(str(static.base_url).rstrip("/")))
        if found != expected:
            differing.append((path, expected, found))
        elif ours.status == 200 and theirs.headers["Content-Type"] != kind:
            differing.append((path, kind, theirs.headers["Content-Type"]))
        elif ours.status == 200 and not same(path, ours.body, theirs.content):
            differing.append((path, "body", ""))
        styles.update(STYLES.findall(theirs.text) if kind.startswith("text/html") else ())
    assert not differing, "\n".join(map(str, differing))
    assert {static.get(each).status_code for each in styles} == {200}
    assert {"/ae/en", "/ae/ar", "/sa/ar/blog", "/ae/en/blog/page/2.md"} <= reached


def same(path: str, ours: bytes, theirs: bytes) -> bool:
    """Return whether two bodies are equal, but for the differences that the export tells."""
    if GUIDES.fullmatch(path) or "/contact" in path or "/booking" in path:
        return True
    if b"<!doctype html>" not in ours[:20]:
        return re.sub(rb"\?page=(\d+)", rb"", ours) == re.sub(rb"/page/\d+", b"", theirs)
    shown = STYLES.sub("", DIFFERENCES.sub("", ours.decode()))
    shown = re.sub(r'(/[^"?<>\s]*?)(\.\w+)?\?page=(\d+)', r"\1/page/\3\2", shown)
    return re.sub(r"\s+", " ", shown) == re.sub(r"\s+", " ", STYLES.sub("", theirs.decode()))


def test_an_export_says_when_it_is_open_not_whether(tmp_path: Path) -> None:
    """What is open now is known to a service alone."""
    folder = copytree(CLINIC, tmp_path / "content")
    said = export(folder, tmp_path / "out")
    assert "what is open now" in said
    for suffix in (".html", ".md", ".json"):
        text = (tmp_path / f"out/sa/en/branches/olaya{suffix}").read_text()
        assert "8:00 to 22:00" in text, suffix
        assert not re.search("(?:Open|Closed) now", text), suffix


def test_what_is_missing_is_missing_in_the_language_of_its_path(static: httpx.Client) -> None:
    """Error pages, and what describes the export itself."""
    for path, language in {"/sa/ar/nothing": "ar", "/sa/en/nothing": "en", "/x": "en"}.items():
        page = static.get(path)
        assert page.status_code == 404
        assert f'<html lang="{language}"' in page.text
        assert "<form" not in page.text
    for path in ("/_headers", "/_redirects", "/nginx.conf", "/.majlis-export.json", "/404.html"):
        assert static.get(path).status_code == 404
    moved = static.get("/sa/ar/about/")
    assert (moved.status_code, moved.headers["Location"].endswith("/sa/ar/about")) == (308, True)
    page, picture = static.get("/sa/ar"), static.get("/images/mark.svg")
    assert "form-action 'self'" in page.headers["Content-Security-Policy"]
    assert picture.headers["Content-Security-Policy"].endswith("sandbox")
    assert static.get("/sa/ar/about.md").headers["X-Robots-Tag"] == "noindex"
    assert static.get("/api/public/v1/site-settings").json()["siteSettings"]


def test_no_file_names_what_needs_the_service(exported: Path) -> None:
    """No page, guide or map leads to the API, its manual, a search or a form."""
    files = [each for each in exported.rglob("*") if each.suffix in (".html", ".txt", ".xml")]
    assert len(files) > 100
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert "<form" not in text
        for absent in ("/developers", "/openapi", "/search", "opensearch", "POST "):
            assert absent not in text, (file, absent)


def test_a_second_export_changes_nothing(folder: Path, exported: Path) -> None:
    """Two are equal to the byte; files stay, and only those of an export are removed."""
    other = folder.parent / "other"
    export(folder, other)
    names = {str(each.relative_to(exported)) for each in exported.rglob("*") if each.is_file()}
    assert names == {str(each.relative_to(other)) for each in other.rglob("*") if each.is_file()}
    assert {
        each for each in names if (exported / each).read_bytes() != (other / each).read_bytes()
    } == set()
    (other / "CNAME").write_text("noor.test")
    written_at = {name: (other / name).stat().st_mtime_ns for name in names}
    post = folder / "posts" / "news-12.md"
    text = post.read_text()
    post.unlink()
    try:
        said = export(folder, other)
    finally:
        post.write_text(text)
    assert not (other / "ae/en/blog/news-12.html").exists()
    assert (other / "CNAME").exists()
    kept = {name for name in names if (other / name).exists()}
    rewritten = {each for each in kept if (other / each).stat().st_mtime_ns != written_at[each]}
    assert "ae/en/about.html" not in rewritten
    assert "ae/en/blog.html" in rewritten
    assert "needs a running service: search" in said


def test_a_folder_with_other_files_is_refused(folder: Path, tmp_path: Path) -> None:
    """An export writes into no folder that somebody else has filled."""
    (tmp_path / "thesis.txt").write_text("mine")
    ran = run_majlis(
        *("export", str(folder), "--into", str(tmp_path)),
        folder=folder.parent,
        variables={"BASE_URL": BASE_URL},
    )
    assert ran.returncode == 1
    assert "choose an empty folder" in ran.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["thesis.txt"]


def test_forms_can_go_to_a_service(folder: Path) -> None:
    """With a service the form stands on the page, and the policy lets browsers send it."""
    target = folder.parent / "with-service"
    export(folder, target, "--service", "https://forms.noor.test/")
    page = (target / "sa/ar/contact.html").read_text(encoding="utf-8")
    assert 'action="https://forms.noor.test/sa/ar/contact#' in page
    assert "form-action 'self' https://forms.noor.test;" in (target / "_headers").read_text()


def test_documentation_keeps_its_folders_and_its_script(tmp_path: Path) -> None:
    """A page of a folder stands beside the folder, and the host allows each script by its hash."""
    languages = [Language.EN, Language.AR]
    write_starter(tmp_path / "content", "docs", "Sanad", languages, (), date(2026, 1, 1))
    export(tmp_path / "content", tmp_path / "out")
    page = (tmp_path / "out/en/docs/v2/guide/install.html").read_text("utf-8")
    assert (tmp_path / "out/en/docs/v2/guide.html").exists()
    scripts = re.findall("<script>(.*?)</script>", page, re.DOTALL)
    digests = {b64encode(sha256(each.encode()).digest()).decode() for each in scripts}
    for name in ("_headers", "nginx.conf"):
        policies = re.findall("script-src ([^;]*);", (tmp_path / "out" / name).read_text("utf-8"))
        assert {f"'sha256-{each}'" for each in digests} in [{*each.split()} for each in policies]
