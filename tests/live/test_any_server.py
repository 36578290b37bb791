"""Any ASGI server answers alike: the fast front, stock Hypercorn with and without it, uvicorn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest
from live.fixtures import SAMPLE, made_of_sample
from live.server import Server, Way, client_of, next_client

pytestmark = pytest.mark.slow

BASE_URL = "https://www.wahat.example"
API = "/api/public/v1"
PAGES = 40
"""Pages that are compared, from all of the sitemap."""

OTHERS = (
    *(
        f"{API}/{name}"
        for name in ("site-settings", "countries", "homepage", "navigation", "pages")
    ),
    *(f"{API}/{name}" for name in ("cities?country=sa", "blog/posts?limit=3", "blog/homepage")),
    *(f"{API}/{name}" for name in ("locale-content/erp?country=sa&lang=ar", "search?q=invoice")),
    *(f"{API}/{name}" for name in ("seo-page?path=/ae/en", "pages/no-such", "pages?lang=fr", "no")),
    *(
        "/api/homepage",
        "/api/leads",
        "/",
        "/ae/en/no-such",
        "/llms.txt",
        "/robots.txt",
        "/openapi.json",
    ),
    *("/ae/en/pricing/", "/%zz", "/ae/en?x=%ff", "/.well-known/api-catalog"),
)
ACCEPTED = ("text/html", "text/markdown", "application/json", "application/xml", "image/png", "*/*")
ASKED: tuple[tuple[str, dict[str, str]], ...] = (
    *(("GET", {"Accept": each}) for each in ACCEPTED),
    ("GET", {"Accept": "text/html", "Accept-Encoding": "br"}),
    ("HEAD", {"Accept": "text/html"}),
    ("GET", {"If-None-Match": "*"}),
    ("GET", {"Range": "bytes=0-9"}),
    ("OPTIONS", {"Origin": "https://a.example", "Access-Control-Request-Method": "GET"}),
    ("DELETE", {}),
    ("POST", {"Content-Type": "application/json"}),
)
OF_THE_SERVER = frozenset({"connection", "date", "server", "x-request-id"})
OF_THE_TIME = re.compile(r"ratelimit")

Answer = tuple[int, list[tuple[str, str]], bytes]


@pytest.fixture(scope="module")
def clients(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[Way, httpx.Client]]:
    """Clients of the same site, served in each way."""
    with ExitStack() as stack:
        served, made = {}, {"BASE_URL": BASE_URL, **made_of_sample()}
        for each in Way:

            class Served(Server):
                way = each

            running = Served(SAMPLE, tmp_path_factory.mktemp("way"), **made)
            served[each] = stack.enter_context(client_of(stack.enter_context(running).url))
        yield served


def answer(client: httpx.Client, method: str, target: str, headers: dict[str, str]) -> Answer:
    """Return a response without what differs between servers, and between two requests."""
    sent = {**headers, "X-Forwarded-For": next_client()}
    response = client.request(method, target, headers=sent)
    told = [(name, value) for name, value in response.headers.items() if name not in OF_THE_SERVER]
    kept = sorted(pair for pair in told if not OF_THE_TIME.match(pair[0]))
    return response.status_code, kept, response.content


@pytest.mark.parametrize("way", [way for way in Way if way != Way.FRONT], ids=str)
def test_every_answer_is_that_of_the_fast_front(clients: dict[Way, httpx.Client], way: Way) -> None:
    """Status, headers and body, in each form and method; also of faults."""
    sitemap = clients[way].get("/sitemap.xml").text
    pages = re.findall(rf"<loc>{BASE_URL}([^<]+)</loc>", sitemap)
    targets = [*OTHERS, *pages[:: max(1, len(pages) // PAGES)]]
    assert len(targets) > len(OTHERS) + PAGES / 2
    differing = [
        (target, method, headers)
        for target in targets
        for method, headers in ASKED
        if answer(clients[way], method, target, headers)
        != answer(clients[Way.FRONT], method, target, headers)
    ]
    assert differing == []
