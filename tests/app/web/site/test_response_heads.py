"""The length of response heads: proxies read 4 KiB of one, and answer 502 to a longer one."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from cases import cases
from contract.visitor import Visitor
from gulf import write_site
from page_heads import HEAD_LIMIT, head_bytes, linked_canonical

from app.platform.limits.rate_limits import READS

ARABIC = "\u0645\u062f" * 61
"""A slug as long as a file name can be: 244 bytes, and 732 in a URL."""

PAGE = "---\ntitle: A page\n---\nText.\n"
FILES = {
    f"pages/{ARABIC}.md": PAGE,
    f"pages/{ARABIC}.ar.md": PAGE,
    f"cities/{ARABIC}.md": "---\ncountry: ae\nname: {en: x, ar: x}\n---\nText.\n",
}
LONG = quote(ARABIC)
SEARCH = quote("\U0001f600" * 100)
ADDRESSES = [
    pytest.param(f"/ae/en/{LONG}", id="page"),
    pytest.param(f"/ae/ar/{LONG}", id="page in Arabic"),
    pytest.param(f"/ae/en/{LONG}.md", id="per-format URL"),
    pytest.param(f"/ae/en/cities/{LONG}/{LONG}", id="page of a city"),
    pytest.param(f"/ae/en/blog?search={SEARCH}", id="list"),
    pytest.param(f"/ae/en/search?q={SEARCH}&kind=page,post,registry,author,tag", id="search"),
    pytest.param(f"/ae/en/search.json?q={SEARCH}", id="search as JSON"),
    pytest.param(f"/ae/en/{LONG}/?{'x' * 1_400}", id="redirect"),
    pytest.param(f"/ae/en/{LONG}/?{'x' * 8_000}", id="redirect with a long query"),
    pytest.param(f"/AE/en?{'x' * 8_000}", id="other spelling with a long query"),
    pytest.param(f"/ae/en/nothing?{'x' * 8_000}", id="missing page"),
    pytest.param(f"/api/public/v1/pages/{LONG}", id="API"),
    pytest.param(f"/api/public/pages/{'x' * 8_000}", id="alias"),
    pytest.param(f"/?{'x' * 8_000}", id="root"),
]
BASE_URL = "https://www." + "a" * 50 + ".example"


@pytest.fixture(scope="module")
def long_names(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """A site with a long name, an AI catalog, and files whose names cannot be longer."""
    content = write_site(tmp_path_factory.mktemp("long") / "content", FILES)
    with Visitor(content_dir=content, base_url=BASE_URL, mcp=True, cdn="vary") as visitor:
        yield visitor


@cases("accept", ["text/html", "text/markdown", "application/json"])
@cases("address", ADDRESSES)
def test_a_head_fits_whatever_the_address(long_names: Visitor, address: str, accept: str) -> None:
    """Links that would not fit are left out, and a redirect that would not is refused."""
    headers = {"Accept": accept, "Accept-Language": "ar", "Origin": "https://shop.example"}
    reply = long_names.get(address, headers)
    assert reply.status in (200, 302, 308, 404, 414)
    assert head_bytes(reply) < HEAD_LIMIT


def test_a_page_with_a_long_name_keeps_what_leads_to_its_forms(long_names: Visitor) -> None:
    """Its canonical URL and its markdown; the index of the site always."""
    path = f"/ae/en/{LONG}"
    html = long_names.get(path, {"Accept": "text/html"})
    assert html.status == 200
    assert linked_canonical(html) == BASE_URL + path
    assert f'<{BASE_URL}{path}.md>; rel="alternate"; type="text/markdown"' in html.links
    assert f'<{BASE_URL}/ae/en/llms.txt>; rel="describedby"' in html.links
    markdown = long_names.get(path, {"Accept": "text/markdown"})
    assert markdown.headers["Content-Location"] == f"{path}.md"
    assert linked_canonical(markdown) == BASE_URL + path


@pytest.mark.parametrize("path", [f"/ae/en/{LONG}/", "/AE/en"])
def test_a_redirect_that_does_not_fit_is_refused(long_names: Visitor, path: str) -> None:
    """It would lead to another page without its query. A campaign of a kilobyte fits."""
    refusal = long_names.get(f"{path}?{'x' * 3_000}", {"Accept": "application/json"})
    assert (refusal.status, refusal.json["error"]["message"]) == (414, "The URL is too long.")
    assert long_names.get(f"{path}?{'x' * 1_024}").status == 308


def test_an_alias_names_no_successor_that_is_too_long(long_names: Visitor) -> None:
    """Nothing stands at such a path."""
    short, long = (long_names.get(f"/api/public/pages/{'x' * size}") for size in (500, 2_000))
    assert "successor-version" in short.links
    assert "successor-version" not in long.links
    assert 'rel="deprecation"' in long.links


def test_the_headers_of_rate_limits_fit_too(long_names: Visitor) -> None:
    """They come with every response of the API."""
    path, peer = f"/api/public/v1/pages/{LONG}", "198.51.100.7"
    replies = [long_names.ask("GET", path, peer=peer) for _ in range(READS.limit + 1)]
    assert replies[-1].status == 429
    assert max(map(head_bytes, replies)) < HEAD_LIMIT // 2
