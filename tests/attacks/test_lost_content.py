"""Content that is lost while the service runs: a mount, a folder, a permission."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from contract.visitor import write_tree
from live.permissions import started_under_permissions
from live.server import Server, client_of, eventually, free_port, majlis
from prometheus_client.parser import text_string_to_metric_families

API = "/api/public/v1"
PAGES = 40
WORKERS = 2

Start = Callable[..., Server]


def pages(title: str, number: int = PAGES) -> dict[str, str]:
    """So many pages of one title."""
    return {f"pages/lost-{each}.md": f"---\ntitle: {title}\n---\n" for each in range(number)}


def health(server: Server) -> httpx.Response:
    """What it says of itself."""
    return server.client_get(f"{API}/health")


def diagnostic(server: Server) -> str | None:
    """The first fault that health names."""
    told: str | None = health(server).json()["bootstrapError"]
    return told


def title(server: Server, slug: str = "lost-7") -> Any:
    """The title of a page, by the status where there is none."""
    response = server.client_get(f"{API}/pages/{slug}")
    return response.json()["page"]["title"] if response.status_code == 200 else response.status_code


def stale(port: int) -> dict[str, float]:
    """`majlis_content_stale` of the worker that is worst off, by reason."""
    with client_of(f"http://127.0.0.1:{port}") as client:
        families = text_string_to_metric_families(client.get("/metrics").text)
    samples = (sample for each in families for sample in each.samples)
    found = (each for each in samples if each.name == "majlis_content_stale")
    return {sample.labels["reason"]: sample.value for sample in found}


def ready(port: int) -> int:
    """The status of `/ready`."""
    with client_of(f"http://127.0.0.1:{port}") as client:
        return client.get("/ready").status_code


def is_told(port: int, reason: str) -> bool:
    """Whether the metric says so."""
    return stale(port)[reason] == 1


def is_well(port: int) -> bool:
    """Whether all workers serve what the folder holds."""
    return stale(port) == {"documents_deleted": 0, "folder_unreadable": 0}


def test_an_emptied_folder_leaves_every_page(tmp_path: Path, start: Start) -> None:
    """Two workers: health, the metric and the pages agree, and what returns is served at once.

    Then the same loss is accepted by the command, which has no connection to any of them.
    """
    content = write_tree(tmp_path / "content", pages("Here"))
    port = free_port()
    server = start("--port", str(free_port()), "--workers", str(WORKERS), METRICS_PORT=str(port))
    assert (title(server), is_well(port)) == ("Here", True)
    (content / "pages").rename(tmp_path / "away")
    eventually(partial(is_told, port, "documents_deleted"))
    eventually(lambda: "0 of 42 documents" in (diagnostic(server) or ""))
    seen = [title(server) for _ in range(10)]
    assert (seen, health(server).status_code, ready(port)) == (["Here"] * 10, 200, 200)
    (tmp_path / "away").rename(content / "pages")
    eventually(partial(is_well, port))
    assert {diagnostic(server) for _ in range(6)} == {None}

    shutil.rmtree(content / "pages")
    eventually(partial(is_told, port, "documents_deleted"))
    done = majlis("content", "accept", folder=tmp_path, variables={"CONTENT_DIR": str(content)})
    assert (done.returncode, done.stdout.split(".")[0]) == (0, "Accepted: 0 documents")
    eventually(lambda: {title(server) for _ in range(10)} == {404})
    assert is_well(port)
    assert server.client_get("/.majlis-accepted").status_code == 404


def test_a_release_that_lost_its_pages_is_accepted_by_a_restart(
    tmp_path: Path, start: Start
) -> None:
    """A link that turns to a release of three pages; SIGHUP is not needed for the next one."""
    one = write_tree(tmp_path / "one", pages("One"))
    two = write_tree(tmp_path / "two", pages("Two", 3))
    link = tmp_path / "link"
    link.symlink_to(one)
    server = start(CONTENT_DIR=str(link))
    turn(link, two)
    eventually(lambda: "3 of 40 documents" in (diagnostic(server) or ""))
    assert (title(server, "lost-1"), title(server, "lost-39")) == ("One", "One")
    turn(link, write_tree(tmp_path / "three", pages("Three")))
    eventually(lambda: title(server, "lost-1") == "Three")
    assert diagnostic(server) is None
    turn(link, two)
    eventually(lambda: diagnostic(server) is not None)
    with Server(link, tmp_path) as restarted:
        assert (title(restarted, "lost-1"), title(restarted, "lost-39")) == ("Two", 404)
        assert diagnostic(restarted) is None


def turn(link: Path, release: Path) -> None:
    """Turn a link at once, as deployments do."""
    beside = link.with_name("link.new")
    beside.symlink_to(release)
    beside.replace(link)


def test_of_a_folder_that_is_gone_pages_and_health_say_the_same(
    tmp_path: Path, start: Start
) -> None:
    """The service answers as before, so health is 200; it names the folder that it cannot read."""
    port = free_port()
    server = start(METRICS_PORT=str(port))
    (tmp_path / "content").rename(tmp_path / "away")
    eventually(partial(is_told, port, "folder_unreadable"))
    told = health(server)
    assert (told.status_code, ready(port), title(server, "page")) == (200, 200, "A page")
    assert (told.json()["ok"], told.json()["dataDirReadable"]) == (True, False)
    assert "cannot be read" in told.json()["bootstrapError"]
    assert str(tmp_path) not in told.text
    (tmp_path / "away").rename(tmp_path / "content")
    eventually(partial(is_well, port))
    assert (diagnostic(server), health(server).json()["dataDirReadable"]) == (None, True)


@pytest.mark.parametrize("is_from_the_start", [False, True])
def test_a_folder_without_permission_is_a_fault(
    tmp_path: Path, start: Start, is_from_the_start: bool
) -> None:
    """It keeps its documents, and an edit in it is live once it may be read again."""
    folder = write_tree(tmp_path / "content", {"posts/post.md": post("Before")}) / "posts"
    folder.chmod(0o000 if is_from_the_start else 0o755)
    server = started_under_permissions(start)
    try:
        folder.chmod(0o000)
        server.write("pages/page.md", "---\ntitle: Edited\n---\n")
        eventually(lambda: (diagnostic(server) or "").startswith("posts:"))
        eventually(lambda: title(server, "page") == "Edited")
        found = server.client_get(f"{API}/blog/posts/post").status_code
        assert (found, health(server).status_code) == (404 if is_from_the_start else 200, 200)
    finally:
        folder.chmod(0o755)
    eventually(lambda: diagnostic(server) is None)
    eventually(lambda: server.json(f"{API}/blog/posts/post"))
    server.write("posts/post.md", post("After"))
    eventually(lambda: server.json(f"{API}/blog/posts/post")["post"]["title"] == "After")


def post(title: str) -> str:
    """A post that is out."""
    return f"---\ntitle: {title}\npublishedAt: 2026-01-01\n---\nText.\n"
