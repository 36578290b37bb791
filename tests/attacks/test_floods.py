"""Floods of expensive reads: they do not delay other readers, health checks or edits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from shutil import copytree

import httpx
import pytest
from live.fixtures import SAMPLE, made_of_sample, small_tree
from live.floods import flooded, get, heads_at_once, status_of, statuses
from live.nginx import Nginx, cached
from live.processes import cpu_seconds
from live.server import Server, client_of, eventually

pytestmark = pytest.mark.slow

API = "/api/public/v1"
FLOODER = "203.0.113.66"
NUMBERS = count(1)

READS = 40

FLOODS = [
    pytest.param("/ae/en/products?minPrice={}", id="pages"),
    pytest.param("/ae/en/search?q=invoice+{}", id="searches"),
    pytest.param(f"{API}/blog/posts?search=invoice+{{}}", id="searches of the API"),
    pytest.param("/ae/en/no-such-{}", id="missing pages"),
    pytest.param("/openapi.json?x={}", id="the contract"),
    pytest.param("/llms-full.txt?x={}", id="maps"),
]


@pytest.fixture(scope="module")
def flooded_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a copy of the sample content and a page that tests can edit."""
    work = tmp_path_factory.mktemp("flooded")
    content = work / "content"
    copytree(SAMPLE, content)
    small_tree(content)
    with Server(content, work, **made_of_sample()) as running:
        yield running


def numbered(target: str, client: str = "") -> Iterator[bytes]:
    """Return an endless iterator of different requests."""
    return (get(target.format(number), client) for number in NUMBERS)


def take(requests: Iterator[bytes], number: int) -> list[bytes]:
    """Return the next requests."""
    return [next(requests) for _ in range(number)]


def reads(server: Server) -> int:
    """Return the number of reads so far."""
    counts = server.json(f"{API}/health")["cache"]
    return int(counts["hits"]) + int(counts["misses"])


def wait_for_flood(server: Server) -> None:
    """Wait until the flood has begun."""
    before = reads(server)
    eventually(lambda: reads(server) > before + 100)


def misses(server: Server) -> int:
    """Return the number of cache misses."""
    number: int = server.json(f"{API}/health")["cache"]["misses"]
    return number


@pytest.mark.parametrize("target", ["/openapi.json", "/llms-full.txt", "/sitemap.xml", "/ae/en"])
def test_unknown_queries_are_answered_from_the_cache(site: Server, target: str) -> None:
    """200 such requests cause few cache misses and little processor time."""
    site.exchange(get(target))
    before, used = misses(site), cpu_seconds(site.process.pid)
    heads = [site.exchange(get(f"{target}?x={number}"))[0] for number in range(200)]
    assert statuses(heads) == {200: 200}
    # Each health request may miss as well, and so does every request after an index build.
    assert misses(site) - before < 10
    assert cpu_seconds(site.process.pid) - used < 2.5


def test_a_client_with_too_many_cache_misses_is_refused(site: Server) -> None:
    """It can still read cached responses; other clients are not limited."""
    requests = (get(f"/no-such-{number}", FLOODER) for number in NUMBERS)
    with client_of(site.url) as client:
        responses = [
            client.head(f"/no-such-{number}", headers={"X-Forwarded-For": FLOODER})
            for number in range(600)
        ]
    assert {response.status_code for response in responses} == {404}
    head, _ = site.exchange(next(requests))
    assert status_of(head) == 429
    assert b"retry-after: " in head.lower()
    site.exchange(get("/ae/en"))  # only now, as an index that was made meanwhile empties the cache
    assert status_of(site.exchange(get("/ae/en", FLOODER))[0]) == 200
    assert status_of(site.exchange(get(next(other_pages())))[0]) == 200


def other_pages() -> Iterator[str]:
    """Return paths of pages that have not been requested."""
    return (f"/ae/en/products?minPrice={number}" for number in NUMBERS)


def test_excess_searches_are_refused(site: Server) -> None:
    """With 503 and Retry-After, in the media type of the path."""
    target = f"{API}/blog/posts?search=invoice+{{}}"
    heads = heads_at_once(site, take(numbered(target), 100))
    assert set(statuses(heads)) == {200, 503}
    refused = [head.lower() for head in heads if status_of(head) == 503]
    assert all(b"retry-after: " in head for head in refused)
    assert all(b"content-type: application/json" in head for head in refused)
    assert status_of(site.exchange(next(numbered(target)))[0]) == 200


def test_one_client_cannot_use_the_whole_search_capacity(site: Server) -> None:
    """The searches of others are answered beside 40 of one client."""
    target = "/ae/en/search?q=invoice+{}"
    mine, others = numbered(target, "203.0.113.67"), numbered(target)
    heads = heads_at_once(site, [*take(mine, 40), *take(others, 8)])
    assert statuses(heads[:40])[503] >= 10
    assert statuses(heads[40:]) == {200: 8}


@pytest.mark.parametrize("target", FLOODS)
def test_cached_reads_do_not_wait_behind_a_flood(flooded_server: Server, target: str) -> None:
    """In a common queue, each cached read would wait for 20 computed responses."""
    server = flooded_server
    with client_of(server.url, headers={"Accept": "text/html"}) as reader:
        reader.get("/ae/en/page")
        with flooded(server.port, target, 20):
            wait_for_flood(server)
            before = misses(server)
            statuses = {reader.get("/ae/en/page").status_code for _ in range(READS)}
            computed = misses(server) - before
    assert statuses == {200}
    assert computed / READS < 6


@pytest.mark.parametrize("target", [FLOODS[0], FLOODS[1], FLOODS[-1]])
def test_an_edit_is_live_and_health_answers_during_a_flood(
    flooded_server: Server, target: str
) -> None:
    """They run in separate threads."""
    server, title = flooded_server, f"Edited {next(NUMBERS)}"
    with flooded(server.port, target, 20):
        wait_for_flood(server)
        server.write("pages/page.md", f"---\ntitle: {title}\n---\n")
        eventually(lambda: server.json(f"{API}/pages/page")["page"]["title"] == title, within=10)
        assert server.json(f"{API}/health")["ok"] is True


def test_the_printed_nginx_refuses_a_flood_of_pages(
    start: Callable[..., Server], tmp_path: Path
) -> None:
    """Before it reaches the service; other readers and the API are not affected."""
    server = start()
    with Nginx(cached(server), tmp_path / "nginx") as proxy:
        with client_of(proxy.url) as client:
            replies = enumerate(client.get(f"/ae/en/page?x={number}") for number in range(2_000))
            number, refusal = next((number, reply) for number, reply in replies if reply.is_error)
            assert number >= 600
            assert client.get(f"{API}/pages/page").status_code == 200
        with client_of(
            proxy.url, transport=httpx.HTTPTransport(local_address="127.0.0.2")
        ) as other:
            assert other.get("/ae/en/page").status_code == 200
    assert (refusal.status_code, int(refusal.headers["Retry-After"]) > 0) == (429, True)
