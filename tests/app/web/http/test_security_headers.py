"""Security headers of each form: what browsers may do with a body, and other sites with it."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import Visitor
from page_scripts import own_scripts, own_sources

from renderers.html.styles import source_of

API = "/api/public/v1"
ORIGIN = {"Origin": "https://shop.example"}
DATA = "default-src 'none'; frame-ancestors 'none'"
FEED = "/ae/en/blog/feed.xml"


def policies(sample: Visitor, target: str, accept: str = "*/*") -> tuple[str | None, ...]:
    """Return the Content-Security-Policy, and who may embed the body."""
    headers = sample.get(target, {"Accept": accept}).headers
    names = ("Content-Security-Policy", "Cross-Origin-Resource-Policy")
    return tuple(headers.get(name) for name in names)


CODE = "---\ntitle: Code\n---\n```sh\nexample install\n```\n"


def test_pages_with_code_have_a_script_of_their_own(shared_visit: Visit) -> None:
    """It copies the code; the policy of the page has its hash, that of other pages has not."""
    files = {"pages/code.md": CODE, "pages/prose.md": "---\ntitle: Prose\n---\nText.\n"}
    site = shared_visit(files, countries=False)
    page = site.get("/en/code", {"Accept": "text/html"})
    (script,) = own_scripts(page.text)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert own_sources(page.headers) == {f"'sha256-{digest}'"}
    assert 'data-copy="Copy" data-copied="Copied"' in page.text
    other = site.get("/en/prose", {"Accept": "text/html"})
    assert (own_scripts(other.text), own_sources(other.headers)) == ([], set())


def test_code_on_the_page_of_a_form_keeps_the_proof(shared_visit: Visit) -> None:
    """Both scripts may run."""
    site = shared_visit({"registry/contact.md": CODE}, countries=False, leads_proof="altcha")
    page = site.get("/en/contact", {"Accept": "text/html"})
    assert own_sources(page.headers) == {"'self'", *map(source_of, own_scripts(page.text))}


@cases(
    ("target", "accept"),
    [
        pytest.param(f"{API}/pages", "application/json", id="JSON of the API"),
        pytest.param(f"{API}/pages", "text/markdown", id="markdown of the API"),
        pytest.param(f"{API}/pages/nothing", "*/*", id="an error of the API"),
        pytest.param("/ae/en/erp", "application/json", id="a page as JSON"),
        pytest.param("/ae/en/erp", "text/markdown", id="a page as markdown"),
        pytest.param("/ae/en/nothing", "text/markdown", id="an error as markdown"),
        pytest.param("/llms.txt", "*/*", id="llms.txt"),
        pytest.param("/robots.txt", "*/*", id="plain text"),
        pytest.param("/ae/en/opensearch.xml", "*/*", id="XML"),
        pytest.param(FEED, "*/*", id="a feed"),
    ],
)
def test_data_loads_nothing_and_may_be_embedded(sample: Visitor, target: str, accept: str) -> None:
    """If a browser took it for a page, it could do nothing; other sites may use what is public."""
    assert policies(sample, target, accept) == (DATA, "cross-origin")


def test_pictures_may_be_shown_by_other_sites(sample: Visitor) -> None:
    """Such as social cards in previews of links."""
    assert policies(sample, "/favicon.ico")[1] == "cross-origin"
    assert policies(sample, "/images/logo.svg")[1] == "cross-origin"
    page = sample.get("/ae/en/erp", {"Accept": "text/html"}).text
    (card,) = re.findall(r'property="og:image" content="https://[^/]+([^"]+)"', page)
    assert policies(sample, card)[1] == "cross-origin"


@cases("path", ["/ae/en", "/sa/ar/erp", "/developers", "/ae/en/nothing"])
def test_a_page_asks_for_nothing_and_is_embedded_by_nobody(sample: Visitor, path: str) -> None:
    """It has no camera, no position and no payment, and no other site has its window."""
    headers = sample.get(path, {"Accept": "text/html"}).headers
    for power in ("camera", "geolocation", "payment"):
        assert f"{power}=()" in headers["Permissions-Policy"]
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    policy = re.sub(r"script-src [^;]+; ", "", headers["Content-Security-Policy"])
    assert policy.startswith("default-src 'none'; style-src 'self'; ")


def test_the_partner_interface_is_for_no_other_site(sample: Visitor) -> None:
    """Neither by CORS nor embedded."""
    assert policies(sample, "/api/erp/status") == (DATA, "same-origin")
    preflight = sample.ask("OPTIONS", "/api/orders", ORIGIN).headers
    assert not [name for name, _ in preflight if name.startswith("Access-Control")]


@cases("target", [f"{API}/pages", "/api/homepage", "/ae/en/erp.json"])
def test_scripts_of_other_sites_may_send_any_header(sample: Visitor, target: str) -> None:
    """Authorization is named, as `*` does not include it; some clients always send it."""
    asked = ORIGIN | {"Access-Control-Request-Method": "GET"}
    allowed = sample.ask("OPTIONS", target, asked).headers["Access-Control-Allow-Headers"]
    assert {name.strip() for name in allowed.split(",")} == {"*", "Authorization"}


@cases(
    "target",
    [f"{API}/pages", "/api/homepage", f"{API}/health", f"{API}/pages/nothing", "/api/nothing"],
)
def test_search_engines_do_not_list_the_api(sample: Visitor, target: str) -> None:
    """Its bodies are for programs; the page with the same text is listed."""
    assert sample.get(target).headers["X-Robots-Tag"] == "noindex"


@cases("accept", ["text/html", "text/markdown", "application/json"])
def test_a_page_is_listed_in_every_form(sample: Visitor, accept: str) -> None:
    """Its address has all of them, so that no form may forbid it."""
    assert "X-Robots-Tag" not in sample.get("/ae/en/erp", {"Accept": accept}).headers
