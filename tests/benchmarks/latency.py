"""Latency of uncached reads, of cached reads by number of documents, and of an edit."""

from __future__ import annotations

import http.client
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from xml.etree import ElementTree as ET

import httpx
from benchmarks import servers
from benchmarks.corpus import write_posts
from benchmarks.figures import Figure
from benchmarks.load import load
from benchmarks.servers import running, running_process
from benchmarks.start import variables_in, wait_for_disk, wait_for_workers
from live.server import next_client

UNCACHED = (
    "Every page of two locales in the sitemap, in all three media types, one request at a time "
    "on one connection, from a service whose response cache holds nothing. The result for each "
    "page is the median of nine rounds; the ratio is to 3 ms."
)
BY_CONTENT = (
    "Services with different numbers of documents run on the serving core. wrk requests a "
    "cached page from them in turn, in five rounds. The result is the 99th percentile of the "
    "best round; the ratio is to the smallest service. “Live” is the time from writing a file "
    "to the first response that shows the edit, with requests sent continuously; the ratio is "
    "to one second. “Idle” is the CPU time of all threads of a service to which nobody sends "
    "anything, in half a minute for all services at once, before the first edit: after one, a scan "
    "of the whole folder follows within a minute. The ratio is to 0.2 % of one core."
)
_FORMS = ("text/html", "text/markdown", "application/json")
_LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
_LIMIT_MS = 3.0
_LOCALES = ("/ae/en", "/sa/ar")
_REPEATS = 9
_ROUNDS = 5
_HEALTH = "/api/public/v1/health"
_POSTS = "/api/public/v1/blog/posts"
_EDITS = ("First", "Next")
_LARGE, _LIVE_SECONDS_IF_LARGE = 100_000, 2.0
_IDLE_SECONDS, _IDLE_SHARE = 30.0, 0.002


def uncached() -> Iterator[Figure]:
    """Measure the median and the slowest page of each media type."""
    with running(servers.uncached(), _HEALTH) as port:
        sitemap = httpx.get(f"http://127.0.0.1:{port}/sitemap.xml").content
        locations = ET.fromstring(sitemap).iter(_LOC)  # noqa: S314  # our own
        every = {f"/{(each.text or '').split('/', 3)[3]}" for each in locations}
        paths = sorted(path for path in every if path.startswith(_LOCALES))
        connection = http.client.HTTPConnection("127.0.0.1", port)
        for form in _FORMS:
            rounds = [
                [_milliseconds(connection, path, form) for path in paths] for _ in range(_REPEATS)
            ]
            medians = dict(
                zip(paths, map(statistics.median, zip(*rounds, strict=True)), strict=True)
            )
            slowest = max(medians, key=lambda path: medians[path])
            most, middle = medians[slowest], statistics.median(medians.values())
            subject = f"uncached {form}"
            yield Figure(subject, "median page", middle, "ms", middle / _LIMIT_MS)
            what = f"slowest page, {slowest}"
            yield Figure(subject, what, most, "ms", most / _LIMIT_MS, at_most=1)


def _milliseconds(connection: http.client.HTTPConnection, path: str, form: str) -> float:
    """Return the milliseconds of one response."""
    headers = {"Accept": form, **_client_headers()}
    started = perf_counter()
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    response.read()
    if response.status != 200:
        raise RuntimeError(f"{path} returned {response.status}")
    return (perf_counter() - started) * 1_000


def _client_headers() -> dict[str, str]:
    """Return headers of a new client, so that no rate limit applies."""
    return {"X-Forwarded-For": next_client()}


def by_content(*counts: int) -> Iterator[Figure]:
    """Measure idle services, the 99th percentile of cached reads, and until an edit is live."""
    with ExitStack() as stack:
        ports, folders, processes = {}, {}, {}
        for number in counts:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            write_posts(folder / "content", number)
            server = running_process(servers.majlis(), _POSTS, variables_in(folder))
            ports[number], processes[number] = stack.enter_context(server)
            folders[number] = folder
            wait_for_disk(folder)
            wait_for_workers(processes[number], 1)
        yield from _idle(processes)
        slowest = dict.fromkeys(counts, float("inf"))
        for _ in range(_ROUNDS):
            for number, port in ports.items():
                p99 = load(port, _POSTS, "application/json").p99_ms
                slowest[number] = min(slowest[number], p99)
        least = slowest[counts[0]]
        for number in counts:
            subject = f"{number:,} documents, served"
            p99 = slowest[number]
            yield Figure(
                subject, "cached read, 99th percentile", p99, "ms", p99 / least, at_most=1.25
            )
            most = _LIVE_SECONDS_IF_LARGE if number > _LARGE else 1
            for which in _EDITS:
                live = _live(ports[number], folders[number] / "content", which)
                what = f"{which} edit, until it is live".lower()
                yield Figure(subject, what, live * 1_000, "ms", live, at_most=most)


def _idle(processes: Mapping[int, int]) -> Iterator[Figure]:
    """Measure the share of a core that services with so many documents use, if nobody asks."""
    for process in processes.values():
        wait_for_workers(process, 1)
    before = {number: _thread_seconds(process) for number, process in processes.items()}
    time.sleep(_IDLE_SECONDS)
    for number, process in processes.items():
        share = (_thread_seconds(process) - before[number]) / _IDLE_SECONDS
        subject, ratio = f"{number:,} documents, served", share / _IDLE_SHARE
        yield Figure(subject, "idle, of one core", share * 100, "%", ratio, at_most=1)


def _thread_seconds(process: int) -> float:
    """Return the CPU time of the threads of a process, to the nanosecond."""
    threads = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(each.read_text().split()[0]) for each in threads) / 1e9


def _live(port: int, folder: Path, word: str) -> float:
    """Return the seconds from a write to the first response that shows it."""
    path, post = "/api/public/v1/blog/posts/post-1", folder / "posts" / "post-1.md"
    text = post.read_text().replace('title: "', f'title: "{word} ', 1)
    with httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
        client.get(path, headers=_client_headers())
        started = perf_counter()
        post.write_text(text)
        while word not in client.get(path, headers=_client_headers()).json()["post"]["title"]:
            if perf_counter() - started > 60:
                raise RuntimeError("The edit did not become live within 60 seconds.")
    return perf_counter() - started
