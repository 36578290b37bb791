"""The configuration that `majlis nginx` prints, with a real nginx and a real server."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from live.nginx import Nginx, cached
from live.server import Server, client_of, eventually, set_next_client
from live.test_durability import exported
from request_headers import CLIENTS, generated

pytestmark = pytest.mark.slow

API = "/api/public/v1"
BROWSER = {"Accept": CLIENTS["Firefox"]}
COUNTRY = BROWSER | {"Accept-Language": "en", "CF-IPCountry": "SA"}
AGENT = {"Accept": CLIENTS["Claude Code"]}
KEPT = ("HIT", "STALE", "UPDATING")
PAGES = ("/sa/ar/erp", "/ae/en/pricing", "/ae/en/nothing", "/robots.txt", "/images/logo.svg")
COMPARED = (
    *("Content-Type", "Content-Encoding", "Content-Language", "Content-Location", "Cache-Control"),
    *("ETag", "Vary", "Link", "Location", "Last-Modified", "X-Robots-Tag"),
)


class Answer(NamedTuple):
    """What a client gets, as on the wire."""

    status: int
    headers: Mapping[str, str | None]
    body: bytes
    cache: str


def edge_of(server: Server, work: Path) -> Nginx:
    """Return nginx with the cache, which tells what it did and refuses no flood of this test."""
    told = "proxy_cache_lock on;\nadd_header X-Cache $upstream_cache_status always;"
    text = cached(server).replace("proxy_cache_lock on;", told)
    return Nginx(text.replace("rate=20r/s", "rate=2000r/s"), work)


@pytest.fixture(scope="module")
def edge(site: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of the cache in front of the sample content."""
    with edge_of(site, tmp_path_factory.mktemp("edge")) as running:
        yield running.url


def client_at(url: str) -> httpx.Client:
    """Create a client that sends only the headers of a test, from new addresses."""
    client = client_of(url, event_hooks={"request": [set_next_client]})
    for name in ("Accept", "Accept-Encoding", "User-Agent"):
        del client.headers[name]
    return client


def ask(client: httpx.Client, path: str, headers: Mapping[str, str]) -> Answer:
    """Send a request; a header without text is not sent."""
    sent = {name: value for name, value in headers.items() if value}
    with client.stream("GET", path, headers=sent) as reply:
        body = b"".join(reply.iter_raw())
    compared = {name: reply.headers.get(name) for name in COMPARED}
    return Answer(reply.status_code, compared, body, reply.headers.get("X-Cache", ""))


def twice(edge: str, path: str, headers: Mapping[str, str]) -> str:
    """Return what the cache says of the second of two requests."""
    with client_at(edge) as client:
        first, second = ask(client, path, headers), ask(client, path, headers)
    assert first[:3] == second[:3]
    return second.cache


def test_the_answer_is_the_direct_one_whatever_the_headers(edge: str, site: Server) -> None:
    """Status, headers and body, for hundreds of headers in turn, from the cache or not."""
    caches: list[str] = []
    with client_at(edge) as through, client_at(site.url) as direct:
        for number, headers in enumerate(generated(seed=2, number=200)):
            path = PAGES[number % len(PAGES)]
            expected = ask(direct, path, headers)
            for answer in (ask(through, path, headers) for _ in range(2)):
                assert answer[:3] == expected[:3], (path, headers, answer.cache)
                caches.append(answer.cache)
    assert sum(cache in KEPT for cache in caches) > 50
    assert "" in caches


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        pytest.param("/ae/en/erp", BROWSER, id="HTML"),
        pytest.param("/ae/en/erp", AGENT, id="markdown by Accept"),
        pytest.param("/ae/en/erp", {"Accept": CLIENTS["axios"]}, id="JSON by Accept"),
        pytest.param("/ae/en/erp.md", AGENT, id="markdown by suffix"),
        pytest.param("/ae/en/erp", BROWSER | {"Accept-Encoding": "gzip, br"}, id="compressed"),
        pytest.param("/ae/en/erp", BROWSER | {"Accept-Language": "en-GB,en;q=0.5"}, id="language"),
        pytest.param("/ae/en/llms.txt", {}, id="llms.txt"),
        pytest.param("/sitemap.xml", {}, id="sitemap"),
        pytest.param("/images/logo.svg", {"Accept": "image/svg+xml,*/*"}, id="image"),
        pytest.param("/ae/en/blog?page=2", BROWSER, id="query"),
    ],
)
def test_pages_maps_and_files_are_kept(edge: str, path: str, headers: Mapping[str, str]) -> None:
    """For the next one who asks."""
    eventually(lambda: twice(edge, path, headers) in KEPT)


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        pytest.param(f"{API}/pages", {}, id="API"),
        pytest.param(f"{API}/locale-hint", {}, id="hint"),
        pytest.param("/", {}, id="root"),
        pytest.param("/ae/en/nothing", BROWSER, id="missing page"),
        pytest.param("/ae/en/erp", BROWSER | {"Accept-Language": "ar"}, id="suggestion"),
        pytest.param("/ae/en/erp", COUNTRY, id="other country"),
        pytest.param("/ae/en/erp", {"Accept": "image/png"}, id="no acceptable form"),
        pytest.param("/ae/en/erp", {"Accept": "text/html;q=0.9"}, id="not decided"),
        pytest.param("/ae/en/erp", BROWSER | {"Accept-Encoding": "gzip;q=0"}, id="odd coding"),
        pytest.param("/ae/en/erp", BROWSER | {"Referer": "/x?utm_source=a"}, id="campaign"),
        pytest.param("/images/logo.svg", {"Range": "bytes=0-9"}, id="range"),
        pytest.param("/preview/nothing", BROWSER, id="preview"),
        pytest.param("/mcp", {}, id="MCP"),
    ],
)
def test_other_answers_are_not_kept(edge: str, path: str, headers: Mapping[str, str]) -> None:
    """Those for one reader, those that count, and errors."""
    assert twice(edge, path, headers) not in KEPT


def test_forms_of_the_contact_page_are_not_shared(edge: str) -> None:
    """Each reader gets a token."""
    with client_at(edge) as client:
        first, second = (ask(client, "/ae/en/contact", BROWSER) for _ in range(2))
    assert (first.status, second.cache in KEPT) == (200, False)
    assert first.headers["Cache-Control"] == "private, no-cache"


def test_odd_headers_share_an_entry(edge: str) -> None:
    """With those that choose the same form."""
    accepts = [*CLIENTS.values(), "text/html;level=1", "TEXT/HTML , x/y", "text/html,text/*;q=0.1"]
    path = "/qa/en/erp"
    html = [accept for accept in accepts if "markdown" not in accept.partition(",")[0]]
    html.remove(CLIENTS["axios"])

    def shared() -> bool:
        with client_at(edge) as client:
            _, *others = [ask(client, path, {"Accept": accept}).cache for accept in html]
        return all(cache in KEPT for cache in others)

    assert len(html) > 8
    eventually(shared)


def test_a_tag_is_answered_with_304_from_the_cache(edge: str) -> None:
    """With the headers of the 200, as by the service."""
    with client_at(edge) as client:
        full = ask(client, "/om/en/erp", BROWSER)
        tag = {"If-None-Match": str(full.headers["ETag"])}
        reply = ask(client, "/om/en/erp", BROWSER | tag)
    assert (reply.status, reply.body) == (304, b"")
    for name in ("ETag", "Cache-Control", "Vary"):
        assert reply.headers[name] == full.headers[name]


def test_an_answer_from_the_cache_has_no_request_id(edge: str) -> None:
    """As the log of the service has no line for it; any other answer has its own."""
    with client_at(edge) as client:
        ids = [client.get("/bh/en/erp", headers=BROWSER) for _ in range(2)]
        other = client.get(f"{API}/pages")
    for reply in ids:
        assert ("X-Request-Id" in reply.headers) is (reply.headers["X-Cache"] not in KEPT)
    assert other.headers["X-Request-Id"]


def test_an_edit_is_visible_within_two_seconds_of_being_live(
    start: Callable[..., Server], tmp_path: Path
) -> None:
    """On a page that is read all the time, and on one that nobody has asked for in between."""
    server = start()
    server.write("pages/quiet.md", "---\ntitle: Gazelle\n---\nText.\n")
    with edge_of(server, tmp_path / "nginx") as nginx, client_at(nginx.url) as client:

        def shows(path: str, title: str) -> bool:
            return title.encode() in ask(client, path, BROWSER).body

        eventually(lambda: shows("/ae/en/quiet", "Gazelle"))
        for name in ("page", "quiet"):
            server.write(f"pages/{name}.md", "---\ntitle: Falcon\n---\nText.\n")
        eventually(lambda: server.json(f"{API}/pages/page")["page"]["title"] == "Falcon")
        eventually(lambda: server.json(f"{API}/pages/quiet")["page"]["title"] == "Falcon")
        live = time.monotonic()
        eventually(lambda: shows("/ae/en/page", "Falcon") and time.monotonic() > live + 2)
        assert shows("/ae/en/quiet", "Falcon")


def test_leads_and_limits_are_exact(start: Callable[..., Server], tmp_path: Path) -> None:
    """Each lead is stored once, and the thirteenth of an address is refused."""
    server, path = start(), f"{API}/leads"
    with edge_of(server, tmp_path / "nginx") as nginx, client_of(nginx.url) as client:
        leads = [{"email": f"reader{number}@example.test"} for number in range(13)]
        replies = [client.post(path, json=lead) for lead in leads]
        reads = [client.get(f"{API}/pages/page") for _ in range(3)]
    assert [reply.status_code for reply in replies] == [200] * 12 + [429]
    stored = exported(tmp_path)
    assert sorted(lead["email"] for lead in stored) == sorted(lead["email"] for lead in leads[:12])
    left = [int(reply.headers["RateLimit-Remaining"]) for reply in reads]
    assert left == [left[0], left[0] - 1, left[0] - 2]
