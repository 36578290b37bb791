"""`majlis serve --reload`: a browser shows an edit by itself; in production nothing of it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from contract.visitor import write_tree
from live.chromium import chromium
from live.server import Server, client_of, eventually, majlis
from page_scripts import own_scripts, own_sources

from app.operations.live_reload import PATH

pytestmark = pytest.mark.slow

HTML = {"Accept": "text/html"}
FILES = {"pages/about.md": "---\ntitle: About\n---\nThe first text.\n"}
EDITED = "---\ntitle: About\n---\nThe second text.\n"
BROKEN = "---\ntitle: [About\n---\nNo text.\n"


def test_a_page_shows_an_edit_without_a_click(tmp_path: Path) -> None:
    """It stays as it is while an edit has an error, of which the terminal tells."""
    content = write_tree(tmp_path / "content", FILES)
    with Server(content, tmp_path, "--reload") as server, chromium() as browser:
        page = browser.new_page()
        faults: list[str] = []
        page.on("console", lambda message: faults.append(message.text))
        page.goto(f"{server.url}/en/about")
        page.get_by_text("The first text.").wait_for()
        server.write("pages/about.md", EDITED)
        page.get_by_text("The second text.").wait_for()
        says = server.says_from_now()
        server.write("pages/about.md", BROKEN)
        eventually(lambda: says("pages/about.md"))
        page.get_by_text("The second text.").wait_for()
        server.write("pages/about.md", FILES["pages/about.md"])
        page.get_by_text("The first text.").wait_for()
        assert [each for each in faults if "Content Security Policy" in each] == []
        with client_of(server.url) as client:
            assert client.get("/en/about.md").text.endswith("The first text.\n")


def test_without_the_option_there_is_nothing_of_it(server: Server) -> None:
    """No script, no policy that allows one, and no route."""
    with client_of(server.url) as client:
        pages = [client.get(path, headers=HTML) for path in ("/ae/en", "/sa/ar/contact", "/x")]
        assert client.get(PATH).status_code == 404
    for page in pages:
        assert (own_scripts(page.text), own_sources(page.headers)) == ([], set())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--host", "0.0.0.0"), "instead of 0.0.0.0"),  # noqa: S104  # which is refused
        (("--workers", "2"), "leave --workers out"),
    ],
)
def test_others_get_no_such_pages(options: tuple[str, ...], message: str, tmp_path: Path) -> None:
    """The command ends before it serves anybody."""
    content = write_tree(tmp_path / "content", FILES)
    ran = majlis("serve", str(content), "--port", "0", "--reload", *options, folder=tmp_path)
    assert ran.returncode != 0
    assert message in ran.stderr
