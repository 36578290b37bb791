"""Content that becomes unavailable at runtime: a lost mount, folder or permission."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from contract.visitor import write_tree
from live.permissions import start_under_permissions
from live.server import Server, client_of, eventually, free_port, majlis
from prometheus_client.parser import text_string_to_metric_families

pytestmark = pytest.mark.slow

API = "/api/public/v1"
PAGES = 40
WORKERS = 2

Start = Callable[..., Server]


def pages(title: str, number: int = PAGES) -> dict[str, str]:
    """Build pages with the same title."""
    return {f"pages/lost-{index}.md": f"---\ntitle: {title}\n---\n" for index in range(number)}


def health(server: Server) -> httpx.Response:
    """Request the health endpoint."""
    return server.client_get(f"{API}/health")


def diagnostic(server: Server) -> str | None:
    """Return the first error that health reports."""
    error: str | None = health(server).json()["bootstrapError"]
    return error


def title(server: Server, slug: str = "lost-7") -> Any:
    """Return the title of a page, or the status if it is not 200."""
    response = server.client_get(f"{API}/pages/{slug}")
    return response.json()["page"]["title"] if response.status_code == 200 else response.status_code


def stale(port: int) -> dict[str, float]:
    """Return `majlis_content_stale` by reason, the maximum over all workers."""
    with client_of(f"http://127.0.0.1:{port}") as client:
        families = text_string_to_metric_families(client.get("/metrics").text)
    samples = (sample for family in families for sample in family.samples)
    matches = (sample for sample in samples if sample.name == "majlis_content_stale")
    return {sample.labels["reason"]: sample.value for sample in matches}


def ready(port: int) -> int:
    """Return the status of `/ready`."""
    with client_of(f"http://127.0.0.1:{port}") as client:
        return client.get("/ready").status_code


def is_stale(port: int, reason: str) -> bool:
    """Return whether the metric reports stale content for a reason."""
    return stale(port)[reason] == 1


def is_current(port: int) -> bool:
    """Return whether all workers serve the current content of the folder."""
    return stale(port) == {"documents_deleted": 0, "folder_unreadable": 0}


def test_pages_are_still_served_when_the_folder_is_emptied(tmp_path: Path, start: Start) -> None:
    """With two workers, health, metric and pages agree; restored files are served at once.

    Then `majlis content accept`, which has no connection to the workers, confirms the same loss.
    """
    content = write_tree(tmp_path / "content", pages("Here"))
    port = free_port()
    server = start("--port", str(free_port()), "--workers", str(WORKERS), METRICS_PORT=str(port))
    eventually(lambda: f"{WORKERS} of {WORKERS} workers are ready" in server.log.read_text())
    assert (title(server), is_current(port)) == ("Here", True)
    (content / "pages").rename(tmp_path / "away")
    eventually(partial(is_stale, port, "documents_deleted"))
    eventually(lambda: "6 of 48 documents" in (diagnostic(server) or ""))
    titles = [title(server) for _ in range(10)]
    assert (titles, health(server).status_code, ready(port)) == (["Here"] * 10, 200, 200)
    (tmp_path / "away").rename(content / "pages")
    eventually(partial(is_current, port))
    assert {diagnostic(server) for _ in range(6)} == {None}

    shutil.rmtree(content / "pages")
    eventually(partial(is_stale, port, "documents_deleted"))
    done = majlis("content", "accept", folder=tmp_path, variables={"CONTENT_DIR": str(content)})
    assert (done.returncode, done.stdout.split(".")[0]) == (0, "Accepted: 6 documents")
    eventually(lambda: {title(server) for _ in range(10)} == {404})
    assert is_current(port)
    assert server.client_get("/.majlis-accepted").status_code == 404


def test_a_release_without_most_pages_is_accepted_by_a_restart(
    tmp_path: Path, start: Start
) -> None:
    """A link is switched to a release of three pages; the next complete one needs no SIGHUP."""
    one = write_tree(tmp_path / "one", pages("One"))
    two = write_tree(tmp_path / "two", pages("Two", 3))
    link = tmp_path / "link"
    link.symlink_to(one)
    server = start(CONTENT_DIR=str(link))
    switch(link, two)
    eventually(lambda: "3 of 40 documents" in (diagnostic(server) or ""))
    assert (title(server, "lost-1"), title(server, "lost-39")) == ("One", "One")
    switch(link, write_tree(tmp_path / "three", pages("Three")))
    eventually(lambda: title(server, "lost-1") == "Three")
    assert diagnostic(server) is None
    switch(link, two)
    eventually(lambda: diagnostic(server) is not None)
    with Server(link, tmp_path) as restarted:
        assert (title(restarted, "lost-1"), title(restarted, "lost-39")) == ("Two", 404)
        assert diagnostic(restarted) is None


def switch(link: Path, release: Path) -> None:
    """Switch a link to another release atomically, as deployments do."""
    temporary = link.with_name("link.new")
    temporary.symlink_to(release)
    temporary.replace(link)


def test_health_reports_a_folder_that_is_gone(tmp_path: Path, start: Start) -> None:
    """The service answers as before, so the status is 200; the body reports the folder."""
    port = free_port()
    server = start(METRICS_PORT=str(port))
    (tmp_path / "content").rename(tmp_path / "away")
    eventually(partial(is_stale, port, "folder_unreadable"))
    report = health(server)
    assert (report.status_code, ready(port), title(server, "page")) == (200, 200, "A page")
    assert (report.json()["ok"], report.json()["dataDirReadable"]) == (True, False)
    assert "cannot be read" in report.json()["bootstrapError"]
    assert str(tmp_path) not in report.text
    (tmp_path / "away").rename(tmp_path / "content")
    eventually(partial(is_current, port))
    assert (diagnostic(server), health(server).json()["dataDirReadable"]) == (None, True)


@pytest.mark.parametrize("is_from_the_start", [False, True])
def test_a_folder_without_permission_is_reported(
    tmp_path: Path, start: Start, is_from_the_start: bool
) -> None:
    """Its documents stay available, and edits are live once it is readable again."""
    folder = write_tree(tmp_path / "content", {"posts/post.md": post("Before")}) / "posts"
    folder.chmod(0o000 if is_from_the_start else 0o755)
    server = start_under_permissions(start)
    try:
        folder.chmod(0o000)
        server.write("pages/page.md", "---\ntitle: Edited\n---\n")
        eventually(lambda: (diagnostic(server) or "").startswith("posts:"))
        eventually(lambda: title(server, "page") == "Edited")
        status = server.client_get(f"{API}/blog/posts/post").status_code
        assert (status, health(server).status_code) == (404 if is_from_the_start else 200, 200)
    finally:
        folder.chmod(0o755)
    eventually(lambda: diagnostic(server) is None)
    eventually(lambda: server.json(f"{API}/blog/posts/post"))
    server.write("posts/post.md", post("After"))
    eventually(lambda: server.json(f"{API}/blog/posts/post")["post"]["title"] == "After")


def post(title: str) -> str:
    """Build a published post."""
    return f"---\ntitle: {title}\npublishedAt: 2026-01-01\n---\nText.\n"
