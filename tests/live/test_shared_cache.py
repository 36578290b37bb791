"""A shared cache that ignores Vary, with a real nginx: browsers must not receive Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from command_line import run_majlis
from live.nginx import Nginx
from live.server import Server, client_of

pytestmark = pytest.mark.slow

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
AGENT = "text/markdown, text/html, */*"
FRONTEND = "application/json"

CACHE = """
  proxy_cache_path {work}/cache keys_zone=pages:1m;
  server {
    listen 127.0.0.1:{port};
    location / {
      proxy_pass <server>;
      proxy_cache pages;
      proxy_cache_key $uri$is_args$args;
      proxy_ignore_headers Vary;
      add_header X-Cache $upstream_cache_status always;
    }
  }
"""


@pytest.fixture
def cache(server: Server, tmp_path: Path) -> Iterator[str]:
    """The URL of a cache that stores one response per URL, independent of Accept."""
    with Nginx(CACHE.replace("<server>", server.url), tmp_path / "nginx") as running:
        yield running.url


def ask(cache: str, path: str, accept: str) -> httpx.Response:
    """Send a request through the cache."""
    with client_of(cache) as client:
        return client.get(path, headers={"Accept": accept})


@pytest.mark.parametrize("first", [AGENT, FRONTEND, "*/*", BROWSER])
@pytest.mark.parametrize("path", ["/ae/en/page", "/sa/ar/page", "/ae/en/nothing"])
def test_a_browser_is_never_shown_markdown_or_json(cache: str, path: str, first: str) -> None:
    """Whichever client requested the page before."""
    ask(cache, path, first)
    shown = ask(cache, path, BROWSER)
    assert shown.headers["Content-Type"].startswith("text/html")
    assert shown.text.startswith("<!doctype html>")


def test_shareable_responses_are_cached(cache: str) -> None:
    """HTML pages and per-format URLs are served from the cache."""
    for path, accept in (("/ae/en/page", BROWSER), ("/ae/en/page.md", AGENT)):
        results = [ask(cache, path, accept).headers["X-Cache"] for _ in range(2)]
        assert results == ["MISS", "HIT"]


def test_a_frontend_is_never_answered_markdown_by_the_api(cache: str) -> None:
    """The API's JSON may be cached; its Markdown may not."""
    path = "/api/public/v1/pages"
    ask(cache, path, AGENT)
    assert ask(cache, path, FRONTEND).headers["Content-Type"] == "application/json"


def test_the_doctor_names_such_a_cache(cache: str, server: Server, tmp_path: Path) -> None:
    """And a service that writes links with another address than the one by which it is reached."""
    variables = {
        "BASE_URL": cache,
        "PORT": str(server.port),
        "CONTENT_DIR": str(server.content),
        "TRUSTED_PROXIES": "127.0.0.0/8",
    }
    done = run_majlis("doctor", "--json", folder=tmp_path, variables=variables)
    told = json.loads(done.stdout)["findings"]
    assert [(each["check"], each["message"]) for each in told if each["level"] == "fault"] == [
        ("public address", "The service that answers writes links with another BASE_URL."),
        (
            "public address",
            "Clients who ask for HTML, markdown and HTML get text/html, text/html, text/html.",
        ),
    ]
