"""The VCL of the deployment guide, with a real Varnish and a real server."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest
from live.server import Server, client_of, eventually
from live.test_edge import API, ask, client_at
from live.varnish import varnish
from request_headers import CLIENTS, generated

pytestmark = pytest.mark.slow

PATHS = ("/sa/ar/erp", "/ae/en/pricing", "/robots.txt", "/ae/en/erp.md")
BROWSER = {"Accept": CLIENTS["Firefox"]}
AGENT = {"Accept": CLIENTS["Claude Code"]}


@pytest.fixture(scope="module")
def cache(site: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of Varnish in front of the sample content."""
    with varnish("docs/deploying.md", site.port, tmp_path_factory.mktemp("varnish")) as url:
        yield url


def test_the_answer_is_the_direct_one_whatever_the_headers(cache: str, site: Server) -> None:
    """Varnish honours Vary, so that browsers get HTML and agents markdown."""
    hits = 0
    with client_at(cache) as through, client_at(site.url) as direct:
        for number, headers in enumerate(generated(seed=3, number=60)):
            path = PATHS[number % len(PATHS)]
            expected = ask(direct, path, headers)
            for answer in (ask(through, path, headers) for _ in range(2)):
                assert answer[:3] == expected[:3], (path, headers, answer.cache)
                hits += answer.cache not in ("", "0")
    assert hits > 15


@pytest.mark.parametrize("path", ["/ae/en/erp", "/ae/en/erp.md", "/llms.txt"])
def test_public_answers_are_kept(cache: str, path: str) -> None:
    """HTML, per-format URLs and maps."""
    with client_at(cache) as client:
        eventually(lambda: int(ask(client, path, BROWSER).cache) > 0)


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        pytest.param("/ae/en/erp", AGENT, id="markdown by Accept"),
        pytest.param("/ae/en/erp", BROWSER | {"Accept-Language": "ar"}, id="suggestion"),
        pytest.param("/ae/en/contact", BROWSER, id="form"),
        pytest.param("/ae/en/nothing", BROWSER, id="missing page"),
        pytest.param("/", BROWSER, id="root"),
        pytest.param(f"{API}/pages", {}, id="API"),
    ],
)
def test_other_answers_are_not_kept(cache: str, path: str, headers: dict[str, str]) -> None:
    """What is private, what counts, and errors."""
    with client_at(cache) as client:
        assert [ask(client, path, headers).cache for _ in range(2)] == ["0", "0"]


@pytest.mark.parametrize("language", ["en", "ar-SA,ar", "de,fr;q=0.9"])
def test_readers_of_one_language_share_a_response(cache: str, language: str) -> None:
    """Whatever other languages they send: each such header would else be a copy of the page."""
    numbers = count()
    page = f"/{'sa/ar' if language[:2] == 'ar' else 'ae/en'}/pricing"

    def is_shared() -> bool:
        header = f"{language},x-{language[:2]}{next(numbers)};q=0.5"
        with client_at(cache) as client:
            return ask(client, page, BROWSER | {"Accept-Language": header}).cache not in ("", "0")

    eventually(is_shared)


def test_limits_of_the_api_count_every_request(cache: str) -> None:
    """For the address of the reader, not for that of Varnish."""
    with client_of(cache) as client:
        left = [int(client.get(f"{API}/pages").headers["RateLimit-Remaining"]) for _ in range(3)]
    assert left == [left[0], left[0] - 1, left[0] - 2]
