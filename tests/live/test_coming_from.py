"""docs/coming-from.md: each command and the script work, in the order of the guide."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import pytest
from contract.visitor import write_tree
from live.documents import blocks
from live.server import majlis
from live.terminal import Terminal, opened_terminal
from repositories import Origin
from wordpress_export import HEAD, ITEMS

from knowledge.fields.content_types import POST
from knowledge.snapshot.loading import load_content

pytestmark = pytest.mark.slow

HUGO = {
    "hugo.toml": "title = 'Old'\n[permalinks]\nposts = '/posts/:slug/'\n",
    "content/posts/old.md": "---\ntitle: Old\n---\nText {{< chart 1 >}}\n",
    "content/new.md": "---\ntitle: New\ndraft: true\n---\nText\n",
}


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    """A terminal in an empty folder."""
    with opened_terminal(tmp_path) as terminal:
        yield terminal


def test_the_commands_lead_to_content(terminal: Terminal, tmp_path: Path) -> None:
    """Of a generator, and of an export of WordPress."""
    write_tree(tmp_path / "path" / "to" / "checkout", HUGO)
    three, imported, wordpress, compared, check, redirect = blocks("docs/coming-from.md", "sh")
    origin = Origin(tmp_path)
    origin.push(HUGO)
    three = three.replace("https://git.example.com/handbook", f"file://{origin.path}")
    first, second, serve = three.split(" && ")
    assert "Hugo source imported into site" in terminal.run(first)
    assert "0 errors" in terminal.run(second)
    terminal.run(serve)  # until the service answers
    assert "Hugo source imported" in (output := terminal.run(imported))
    assert "content/new.md (draft: true)" in output
    (tmp_path / "uploads").mkdir()
    (tmp_path / "export.xml").write_text("".join([HEAD, *ITEMS, "</channel></rss>"]), "utf-8")
    command = wordpress.partition("\n")[2]  # the packages are installed
    assert "WordPress source imported" in terminal.run(command)
    write_tree(tmp_path / "path" / "to" / "public", {"posts/old/index.html": "<body>Text"})
    assert "1 of 1 old addresses lead to a page." in terminal.run(compared)
    assert "0 errors, 0 warnings" in terminal.run(check)
    assert "/blog/old" in terminal.run(redirect)


class Strapi(BaseHTTPRequestHandler):
    """Its API as versions 4 and 5 answer: one article on each of two pages, in two languages."""

    def do_GET(self) -> None:  # the name that http.server calls
        """Answer with a page of articles."""
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        page, language = int(query["pagination[page]"]), query["locale"]
        article = {
            "title": {"en": "Summer", "ar": "الصيف: نصائح"}[language],
            "slug": f"summer-{page}",
            "description": None,
            "publishedAt": "2025-06-01T08:00:00.000Z",
            "content": "Text.",
        }
        entry = {"id": page, "attributes": article} if page == 1 else {"id": page} | article
        body = {"data": [entry], "meta": {"pagination": {"page": page, "pageCount": 2}}}
        is_known = url.path == "/api/articles" and self.headers["Authorization"] == "Bearer t"
        self.send_response(200 if is_known else 403)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Write nothing to the output of the tests."""


def test_the_script_writes_the_articles_of_strapi(terminal: Terminal, tmp_path: Path) -> None:
    """All pages of both languages, as posts without a problem."""
    (script,) = blocks("docs/coming-from.md", "python")
    (tmp_path / "from_strapi.py").write_text(script, encoding="utf-8")
    server = HTTPServer(("127.0.0.1", 0), Strapi)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        url = f"http://127.0.0.1:{server.server_port}"
        terminal.run("majlis init my-site --kind blog --lang both\n")
        terminal.run(f"STRAPI_TOKEN=t python from_strapi.py {url} my-site\n")
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    posts = load_content(tmp_path / "my-site").snapshot.entries[POST]
    titles = {
        text for each in posts["summer-2"].documents for text in (each.fields.title or {}).values()
    }
    assert titles == {"Summer", "الصيف: نصائح"}
    assert "summer-1" in posts
    assert majlis("check", "my-site", folder=tmp_path).returncode == 0
