"""Latency: of reads that nobody asked for before, of cached ones by content, and of an edit."""

from __future__ import annotations

import http.client
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from time import perf_counter
from xml.etree import ElementTree as ET

import httpx
from benchmarks import servers
from benchmarks.corpus import write_posts
from benchmarks.figures import Figure
from benchmarks.load import load
from benchmarks.servers import running
from live.server import next_client

UNCACHED = (
    "Every page of two locales, as the sitemap has them, in all three forms, one request at a time "
    "on one connection, each with a query nobody sent before, so that nothing comes from memory. "
    "For each page the median of nine rounds; the ratio is to 3 ms."
)
BY_CONTENT = (
    "Services over a different number of documents, each on the serving core, asked in turn "
    "for a cached page by wrk, five rounds. The 99th percentile of the best round, to that of the "
    "smallest one. “Live” is the time from writing a file to the first answer that shows it, "
    "asked for all the time; the ratio is to one second."
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
_NUMBERS = count()


def uncached() -> Iterator[Figure]:
    """The slowest page of each form."""
    with running(servers.majlis_hypercorn(), _HEALTH) as port:
        sitemap = httpx.get(f"http://127.0.0.1:{port}/sitemap.xml").content
        locations = ET.fromstring(sitemap).iter(_LOC)  # noqa: S314  # our own
        every = {f"/{(each.text or '').split('/', 3)[3]}" for each in locations}
        paths = sorted(path for path in every if path.startswith(_LOCALES))
        connection = http.client.HTTPConnection("127.0.0.1", port)
        for form in _FORMS:
            rounds = [[_asked(connection, path, form) for path in paths] for _ in range(_REPEATS)]
            medians = dict(
                zip(paths, map(statistics.median, zip(*rounds, strict=True)), strict=True)
            )
            slowest = max(medians, key=lambda path: medians[path])
            most, middle = medians[slowest], statistics.median(medians.values())
            subject = f"uncached {form}"
            yield Figure(subject, "the page in the middle", middle, "ms", middle / _LIMIT_MS)
            what = f"the slowest, {slowest}"
            yield Figure(subject, what, most, "ms", most / _LIMIT_MS, at_most=1)


def _asked(connection: http.client.HTTPConnection, path: str, form: str) -> float:
    """Milliseconds of one answer."""
    headers = {"Accept": form, **_somebody()}
    started = perf_counter()
    connection.request("GET", f"{path}?never={next(_NUMBERS)}", headers=headers)
    response = connection.getresponse()
    response.read()
    if response.status != 200:
        raise RuntimeError(f"{path} answered {response.status}")
    return (perf_counter() - started) * 1_000


def _somebody() -> dict[str, str]:
    """Another client each time, so that no limit is met."""
    return {"X-Forwarded-For": next_client()}


def by_content(*counts: int) -> Iterator[Figure]:
    """The slowest percent of cached reads, and the time until an edit is live."""
    with ExitStack() as stack:
        ports, folders = {}, {}
        for number in counts:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            write_posts(folder, number)
            server = running(servers.majlis_hypercorn(), _POSTS, {"CONTENT_DIR": str(folder)})
            ports[number], folders[number] = stack.enter_context(server), folder
        slowest = dict.fromkeys(counts, float("inf"))
        for _ in range(_ROUNDS):
            for number, port in ports.items():
                p99 = load(port, _POSTS, "application/json").p99_ms
                slowest[number] = min(slowest[number], p99)
        least = slowest[counts[0]]
        for number in counts:
            subject = f"{number:,} documents, served"
            p99 = slowest[number]
            yield Figure(subject, "cached read, 99 %", p99, "ms", p99 / least, at_most=1.25)
            for which in _EDITS:
                live = _live(ports[number], folders[number], which)
                what = f"{which} edit, until it is live"
                yield Figure(subject, what, live * 1_000, "ms", live, at_most=1)


def _live(port: int, folder: Path, word: str) -> float:
    """Seconds from a write to the first answer that shows it."""
    path, post = "/api/public/v1/blog/posts/post-1", folder / "posts" / "post-1.md"
    text = post.read_text().replace('title: "', f'title: "{word} ', 1)
    with httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
        client.get(path, headers=_somebody())
        started = perf_counter()
        post.write_text(text)
        while word not in client.get(path, headers=_somebody()).json()["post"]["title"]:
            if perf_counter() - started > 60:
                raise RuntimeError("The edit never became live.")
    return perf_counter() - started
