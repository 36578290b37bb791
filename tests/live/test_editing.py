"""Editing the content of a running server: which version readers see, and when."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from threading import Barrier, Event

import httpx
import pytest
from contract.visitor import write_tree
from live.server import Server, eventually

pytestmark = pytest.mark.slow

API = "/api/public/v1"
_SLUGS = (f"live-{number}" for number in count(1))


@pytest.fixture
def slug(server: Server) -> Iterator[str]:
    """A slug for the test; its files are deleted afterwards, which clears all errors."""
    chosen = next(_SLUGS)
    yield chosen
    server.delete(f"pages/{chosen}.md")
    server.delete(f"posts/{chosen}.md")
    eventually(lambda: diagnostic(server) is None)


def page(title: str) -> str:
    """Build a page with the same text in three places."""
    return f"---\ntitle: {title}\nshortDescription: {title}\n---\n{title}\n"


def title(server: Server, slug: str) -> str | None:
    """Return the title of a page, or None if it does not exist."""
    body = server.json(f"{API}/pages/{slug}")
    return body["page"]["title"] if body else None


def shows(server: Server, slug: str, text: str) -> bool:
    """Return whether a page has this title."""
    return title(server, slug) == text


def diagnostic(server: Server) -> str | None:
    """Return the first error that health reports."""
    error: str | None = server.json(f"{API}/health")["bootstrapError"]
    return error


def test_an_edit_is_live_within_a_second(server: Server, slug: str) -> None:
    """The median of five edits counts, as a busy machine may delay one."""
    seconds = []
    for version in ("1", "2", "3", "4", "5"):
        text = f"Version {version}"
        server.write(f"pages/{slug}.md", page(text))
        seconds.append(eventually(partial(shows, server, slug, text)))
    assert statistics.median(seconds) < 1.0


def test_an_edit_in_place_is_live_too(server: Server, slug: str) -> None:
    """Some editors overwrite a file instead of replacing it."""
    path = write_tree(server.content, {f"pages/{slug}.md": page("Before")}) / f"pages/{slug}.md"
    eventually(lambda: title(server, slug) == "Before")
    path.write_text(page("After"))
    eventually(lambda: title(server, slug) == "After")


def test_a_new_post_appears_and_a_deleted_one_is_gone(server: Server, slug: str) -> None:
    """In the list, in search and at its URL."""
    server.write(f"posts/{slug}.md", "---\ntitle: Fresh\npublishedAt: 2026-01-01\n---\nText.\n")
    eventually(lambda: server.json(f"{API}/blog/posts/{slug}"))
    found = server.json(f"{API}/blog/posts?search=fresh")
    assert [item["slug"] for item in found["items"]] == [slug]
    server.delete(f"posts/{slug}.md")
    eventually(lambda: server.client_get(f"{API}/blog/posts/{slug}").status_code == 404)
    assert server.json(f"{API}/blog/posts?search=fresh")["items"] == []


def test_a_broken_file_keeps_its_last_valid_version(server: Server, slug: str) -> None:
    """Health reports its relative path; a corrected file clears the error."""
    server.write(f"pages/{slug}.md", page("Good"))
    eventually(lambda: title(server, slug) == "Good")
    server.write(f"pages/{slug}.md", "---\ntitle: [Broken\n---\nBroken.\n")
    eventually(lambda: diagnostic(server) is not None)
    error = diagnostic(server) or ""
    assert error.startswith(f"pages/{slug}.md:")
    assert str(server.content) not in error
    assert title(server, slug) == "Good"
    assert server.client_get(f"{API}/health").status_code == 200
    server.write(f"pages/{slug}.md", page("Mended"))
    eventually(lambda: title(server, slug) == "Mended")
    assert diagnostic(server) is None


def test_a_broken_file_that_is_deleted_is_gone(server: Server, slug: str) -> None:
    """The last valid version is served only as long as the file exists."""
    server.write(f"pages/{slug}.md", page("Good"))
    eventually(lambda: title(server, slug) == "Good")
    server.write(f"pages/{slug}.md", "---\ntitle: [Broken\n---\n")
    eventually(lambda: diagnostic(server) is not None)
    server.delete(f"pages/{slug}.md")
    eventually(lambda: title(server, slug) is None)
    assert diagnostic(server) is None


def test_a_scheduled_post_appears_on_time_without_a_restart(server: Server, slug: str) -> None:
    """Not before its time, and within a second after it, although responses are cached."""
    due = datetime.now(UTC) + timedelta(seconds=2)
    server.write(
        f"posts/{slug}.md", f"---\ntitle: Due\npublishedAt: {due.isoformat()}\n---\nText.\n"
    )

    def is_out() -> bool:
        asked = datetime.now(UTC)
        found = server.json(f"{API}/blog/posts/{slug}") is not None
        if found:
            assert datetime.now(UTC) >= due
        if asked > due + timedelta(seconds=1):
            assert found
        return found

    eventually(is_out)
    listed = server.json(f"{API}/blog/posts")
    assert slug in [item["slug"] for item in listed["items"]]


def test_a_changed_page_is_not_a_304(server: Server, slug: str) -> None:
    """A client with the old version receives the new one."""
    server.write(f"pages/{slug}.md", page("Old"))
    eventually(lambda: title(server, slug) == "Old")
    with server.client() as client:
        etag = client.get(f"{API}/pages/{slug}").headers["ETag"]
        known = {"If-None-Match": etag}
        assert client.get(f"{API}/pages/{slug}", headers=known).status_code == 304
        server.write(f"pages/{slug}.md", page("New"))
        eventually(lambda: client.get(f"{API}/pages/{slug}", headers=known).status_code == 200)


def test_readers_during_many_rewrites_see_whole_editions_only(server: Server, slug: str) -> None:
    """Four readers and 100 rewrites: no 5xx, and no incomplete, mixed or older version."""
    server.write(f"pages/{slug}.md", page("Version 0"))
    eventually(lambda: title(server, slug) == "Version 0")
    begun, done = Barrier(5, timeout=10), Event()

    def read() -> list[int]:
        with server.client() as client:
            seen = [version(client.get(f"{API}/pages/{slug}"))]
            begun.wait()
            while not done.is_set():
                seen.append(version(client.get(f"{API}/pages/{slug}")))
        return seen

    with ThreadPoolExecutor() as threads:
        readers: list[Future[list[int]]] = [threads.submit(read) for _ in range(4)]
        try:
            begun.wait()
            for number in range(1, 101):
                server.write(f"pages/{slug}.md", page(f"Version {number}"))
                if number % 20 == 0:
                    eventually(partial(shows, server, slug, f"Version {number}"))
        finally:
            done.set()
        seen = [reader.result() for reader in readers]
    assert all(versions == sorted(versions) for versions in seen)
    assert all(versions[0] == 0 for versions in seen)
    assert len({version for versions in seen for version in versions}) > 2


def version(response: httpx.Response) -> int:
    """Return the version of a page; all three places must agree."""
    assert response.status_code == 200
    body = response.json()["page"]
    texts = {body["title"], body["shortDescription"], body["sections"][0]["body"]}
    assert len(texts) == 1
    return int(texts.pop().removeprefix("Version "))


def test_a_content_folder_that_comes_late_is_served(tmp_path: Path) -> None:
    """503 until it exists, then 200, without a restart."""
    with Server(tmp_path / "content", tmp_path) as late:
        assert late.client_get(f"{API}/pages").status_code == 503
        assert late.client_get(f"{API}/health").status_code == 503
        write_tree(tmp_path / "content", {"pages/page.md": page("Here")})
        eventually(lambda: title(late, "page") == "Here")
        assert late.client_get(f"{API}/health").status_code == 200


def test_a_content_folder_that_goes_away_and_returns_is_served_again(tmp_path: Path) -> None:
    """A deployment may replace the folder; the last edition is served meanwhile.

    Health is 200, as the pages are available, and reports the folder.
    """
    folder = write_tree(tmp_path / "content", {"pages/page.md": page("First")})
    with Server(folder, tmp_path) as server:
        assert title(server, "page") == "First"
        folder.rename(tmp_path / "old")
        eventually(lambda: server.json(f"{API}/health")["dataDirReadable"] is False)
        assert title(server, "page") == "First"
        assert "cannot be read" in (diagnostic(server) or "")
        write_tree(folder, {"pages/page.md": page("Second")})
        eventually(lambda: title(server, "page") == "Second")
        server.write("pages/page.md", page("Third"))
        eventually(lambda: title(server, "page") == "Third")
        assert diagnostic(server) is None


def test_a_link_to_the_content_folder_can_be_switched(tmp_path: Path) -> None:
    """As in deployments that keep several releases."""
    for name in ("First", "Second"):
        write_tree(tmp_path / name, {"pages/page.md": page(name)})
    link = tmp_path / "content"
    link.symlink_to(tmp_path / "First")
    with Server(link, tmp_path) as server:
        assert title(server, "page") == "First"
        (tmp_path / "next").symlink_to(tmp_path / "Second")
        (tmp_path / "next").replace(link)
        eventually(lambda: title(server, "page") == "Second")
