"""Editing the content of a running server: what readers see, and when."""

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

API = "/api/public/v1"
_SLUGS = (f"live-{number}" for number in count(1))


@pytest.fixture
def slug(server: Server) -> Iterator[str]:
    """A page of the test's own; its file is gone afterwards, and so is every fault."""
    chosen = next(_SLUGS)
    yield chosen
    server.delete(f"pages/{chosen}.md")
    server.delete(f"posts/{chosen}.md")
    eventually(lambda: diagnostic(server) is None)


def page(title: str) -> str:
    """A page whose title stands in three places of one file."""
    return f"---\ntitle: {title}\nshortDescription: {title}\n---\n{title}\n"


def title(server: Server, slug: str) -> str | None:
    """The title a reader sees, or None where there is no such page."""
    body = server.json(f"{API}/pages/{slug}")
    return body["page"]["title"] if body else None


def shows(server: Server, slug: str, text: str) -> bool:
    """Whether a reader sees that title."""
    return title(server, slug) == text


def diagnostic(server: Server) -> str | None:
    """The first fault that health tells of."""
    told: str | None = server.json(f"{API}/health")["bootstrapError"]
    return told


def test_an_edit_is_live_within_a_second(server: Server, slug: str) -> None:
    """Five edits, the middle one counts: a busy machine may delay one."""
    seconds = []
    for version in ("1", "2", "3", "4", "5"):
        text = f"Version {version}"
        server.write(f"pages/{slug}.md", page(text))
        seconds.append(eventually(partial(shows, server, slug, text)))
    assert statistics.median(seconds) < 1.0


def test_an_edit_in_place_is_live_too(server: Server, slug: str) -> None:
    """As editors write that keep the file and replace its text."""
    path = write_tree(server.content, {f"pages/{slug}.md": page("Before")}) / f"pages/{slug}.md"
    eventually(lambda: title(server, slug) == "Before")
    path.write_text(page("After"))
    eventually(lambda: title(server, slug) == "After")


def test_a_new_post_appears_and_a_deleted_one_is_gone(server: Server, slug: str) -> None:
    """In the list, in search and on its own address."""
    server.write(f"posts/{slug}.md", "---\ntitle: Fresh\npublishedAt: 2026-01-01\n---\nText.\n")
    eventually(lambda: server.json(f"{API}/blog/posts/{slug}"))
    found = server.json(f"{API}/blog/posts?search=fresh")
    assert [item["slug"] for item in found["items"]] == [slug]
    server.delete(f"posts/{slug}.md")
    eventually(lambda: server.client_get(f"{API}/blog/posts/{slug}").status_code == 404)
    assert server.json(f"{API}/blog/posts?search=fresh")["items"] == []


def test_a_file_that_breaks_keeps_its_last_good_version(server: Server, slug: str) -> None:
    """Health names it by relative path; mending it clears health and shows the new text."""
    server.write(f"pages/{slug}.md", page("Good"))
    eventually(lambda: title(server, slug) == "Good")
    server.write(f"pages/{slug}.md", "---\ntitle: [Broken\n---\nBroken.\n")
    eventually(lambda: diagnostic(server) is not None)
    told = diagnostic(server) or ""
    assert told.startswith(f"pages/{slug}.md:")
    assert str(server.content) not in told
    assert title(server, slug) == "Good"
    assert server.client_get(f"{API}/health").status_code == 200
    server.write(f"pages/{slug}.md", page("Mended"))
    eventually(lambda: title(server, slug) == "Mended")
    assert diagnostic(server) is None


def test_a_broken_file_that_is_deleted_is_gone(server: Server, slug: str) -> None:
    """The last good version lasts only as long as the file."""
    server.write(f"pages/{slug}.md", page("Good"))
    eventually(lambda: title(server, slug) == "Good")
    server.write(f"pages/{slug}.md", "---\ntitle: [Broken\n---\n")
    eventually(lambda: diagnostic(server) is not None)
    server.delete(f"pages/{slug}.md")
    eventually(lambda: title(server, slug) is None)
    assert diagnostic(server) is None


def test_a_scheduled_post_appears_on_time_without_a_restart(server: Server, slug: str) -> None:
    """Not before its instant, and within a second after it, though answers are cached."""
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


def test_an_answer_that_changed_is_no_304(server: Server, slug: str) -> None:
    """A client that holds the old version gets the new one."""
    server.write(f"pages/{slug}.md", page("Old"))
    eventually(lambda: title(server, slug) == "Old")
    with server.client() as client:
        etag = client.get(f"{API}/pages/{slug}").headers["ETag"]
        known = {"If-None-Match": etag}
        assert client.get(f"{API}/pages/{slug}", headers=known).status_code == 304
        server.write(f"pages/{slug}.md", page("New"))
        eventually(lambda: client.get(f"{API}/pages/{slug}", headers=known).status_code == 200)


def test_readers_during_many_rewrites_see_whole_editions_only(server: Server, slug: str) -> None:
    """Four readers, a hundred rewrites: no 5xx, no half body, no mixed versions, no step back."""
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
    """The number in all three places of a page; they must agree."""
    assert response.status_code == 200
    body = response.json()["page"]
    texts = {body["title"], body["shortDescription"], body["sections"][0]["body"]}
    assert len(texts) == 1
    return int(texts.pop().removeprefix("Version "))


def test_a_content_folder_that_comes_late_is_served(tmp_path: Path) -> None:
    """503 until it is there, then 200, without a restart."""
    with Server(tmp_path / "content", tmp_path) as late:
        assert late.client_get(f"{API}/pages").status_code == 503
        assert late.client_get(f"{API}/health").status_code == 503
        write_tree(tmp_path / "content", {"pages/page.md": page("Here")})
        eventually(lambda: title(late, "page") == "Here")
        assert late.client_get(f"{API}/health").status_code == 200


def test_a_content_folder_that_goes_away_and_returns_is_served_again(tmp_path: Path) -> None:
    """As a deployment does that replaces the folder; meanwhile the last edition is served.

    Health agrees with the pages, which can be read: it is 200, and names the folder.
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


def test_a_link_to_the_content_folder_may_be_turned_to_another(tmp_path: Path) -> None:
    """As deployments do that keep several releases."""
    for name in ("First", "Second"):
        write_tree(tmp_path / name, {"pages/page.md": page(name)})
    link = tmp_path / "content"
    link.symlink_to(tmp_path / "First")
    with Server(link, tmp_path) as server:
        assert title(server, "page") == "First"
        (tmp_path / "next").symlink_to(tmp_path / "Second")
        (tmp_path / "next").replace(link)
        eventually(lambda: title(server, "page") == "Second")
