"""A CDN: Varnish with the VCL of the guide, which keeps pages for an hour and gets the purges."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from grp import getgrgid
from os import getgid
from pathlib import Path

import pytest
from contract.visitor import write_tree
from live.documents import blocks
from live.fixtures import PAGE, small_tree
from live.server import START, Server, eventually, free_port
from live.test_edge import ask, client_at
from live.varnish import varnish
from request_headers import CLIENTS

pytestmark = pytest.mark.slow

BROWSER = {"Accept": CLIENTS["Firefox"]}
AGENT = {"Accept": CLIENTS["Claude Code"]}
EDITED, OTHER = "/ae/en/page", "/ae/en/other"


@pytest.fixture(scope="module")
def cdn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, str]]:
    """A service with two workers, and the URL of Varnish in front of it, after the first purge."""
    port, work = free_port(), tmp_path_factory.mktemp("cdn")
    beside = tmp_path_factory.mktemp("varnish")
    content = write_tree(small_tree(work / "content"), {"pages/other.md": PAGE})
    options = ("--port", str(port), "--workers", "2")
    with (
        varnish("docs/cdn.md", port, beside) as url,
        Server(content, work, *options, CDN="vary", CDN_PURGE_URL=purge_url(url, beside)) as server,
    ):
        eventually(lambda: "succeeded" in server.log.read_text(), START)
        eventually(lambda: _is_kept(url, OTHER, BROWSER) and _is_kept(url, EDITED, BROWSER))
        yield server, url


def purge_url(url: str, beside: Path) -> str:
    """Return the setting that the commands of the guide print for a Varnish."""
    (commands,) = blocks("docs/cdn.md", "sh")
    group = getgrgid(getgid()).gr_name
    commands = commands.replace("/etc/varnish/", f"{beside}/").replace(
        "chgrp varnish", f"chgrp {group}"
    )
    script = ["sh", "-euc", commands]
    done = subprocess.run(script, check=True, capture_output=True, text=True)
    setting = done.stdout.strip().partition("=")[2]
    assert setting.count("varnish:6081") == 1
    return setting.replace("varnish:6081", url.removeprefix("http://"))


def _is_kept(url: str, path: str, headers: dict[str, str]) -> bool:
    with client_at(url) as client:
        return int(ask(client, path, headers).cache) > 0


def test_an_edit_is_shown_at_once_though_pages_are_kept_for_an_hour(
    cdn: tuple[Server, str],
) -> None:
    """The purge drops what the edit touched, in all forms, and nothing else."""
    server, url = cdn
    with client_at(url) as client:
        for number in range(3):
            eventually(lambda: int(ask(client, EDITED, AGENT).cache) > 0)
            text = f"Edited{number}."
            server.write("pages/page.md", f"---\ntitle: A page\n---\n{text}\n")
            for headers in (BROWSER, AGENT):
                eventually(lambda: text.encode() in ask(client, EDITED, headers).body)  # noqa: B023
            assert int(ask(client, OTHER, BROWSER).cache) > 0
        menu = "headerLinks:\n  - {label: Elsewhere, href: https://elsewhere.example}\n"
        server.write("site/navigation.md", f"---\n{menu}---\n")
        eventually(lambda: b"Elsewhere" in ask(client, OTHER, BROWSER).body)


def test_a_browser_is_never_shown_markdown(cdn: tuple[Server, str]) -> None:
    """Whoever asked before; and readers see none of the headers for the CDN."""
    _, url = cdn
    for _ in range(3):
        with client_at(url) as client:
            for headers, form in ((AGENT, "text/markdown"), (BROWSER, "text/html")):
                shown = client.get(EDITED, headers=headers).headers
                assert shown["Content-Type"].startswith(form)
                assert not {"cache-tag", "cdn-cache-control"} & set(shown)


def test_only_the_service_purges(cdn: tuple[Server, str]) -> None:
    """A program on the same machine that sends the same is refused without the secret."""
    _, url = cdn
    eventually(lambda: _is_kept(url, OTHER, BROWSER))
    everything = {"Cache-Tag": "all,edition"}
    with client_at(url) as client:
        assert client.get("/purge").status_code == 403
        assert client.post("/purge", headers=everything).status_code == 403
        wrong = client.post("/purge", headers=everything, auth=("majlis", "secret"))
        assert wrong.status_code == 403
    assert _is_kept(url, OTHER, BROWSER)
