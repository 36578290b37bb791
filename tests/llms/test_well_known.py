"""What machines find by convention: the API catalog, security.txt, the site-wide Link header."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from conftest import Visit
from contract.visitor import BASE_URL, NOW, FakeClock, Visitor

PROFILE = "https://www.rfc-editor.org/info/rfc9727"


def test_the_catalog_is_a_linkset_of_the_api(sample: Visitor) -> None:
    """By RFC 9727 and RFC 9264: contexts with targets by relation, all absolute."""
    reply = sample.get("/.well-known/api-catalog")
    media_type, _, profile = reply.headers["Content-Type"].partition(";")
    assert (media_type, profile.strip()) == ("application/linkset+json", f'profile="{PROFILE}"')
    catalog, *apis = reply.json["linkset"]
    assert catalog["anchor"] == f"{BASE_URL}/.well-known/api-catalog"
    assert [each["href"] for each in catalog["item"]]
    for api in apis:
        assert set(api) == {"anchor", "service-desc", "service-doc", "service-meta", "status"}
        targets = [target for name, each in api.items() if name != "anchor" for target in each]
        assert all(target["href"].startswith(f"{BASE_URL}/") for target in targets)
        assert all(target["type"] for target in targets)


def test_the_head_of_the_catalog_links_to_it(sample: Visitor) -> None:
    """So that a client need not read it to know that it is there."""
    reply = sample.ask("HEAD", "/.well-known/api-catalog")
    assert (reply.status, reply.body) == (200, b"")
    assert '</.well-known/api-catalog>; rel="api-catalog"' in reply.links


@pytest.mark.parametrize(
    "day", [NOW, datetime(2028, 2, 29, 23, 59, tzinfo=UTC), datetime(2026, 12, 31, tzinfo=UTC)]
)
def test_security_txt_expires_once_within_a_year(
    visit: Visit, clock: FakeClock, day: datetime
) -> None:
    """And never in less than eleven months, on whatever day it is asked for."""
    clock.now = day
    text = visit({}).get("/.well-known/security.txt").text
    (written,) = re.findall(r"^Expires: (.*)$", text, re.MULTILINE)
    assert timedelta(days=330) < datetime.fromisoformat(written) - day <= timedelta(days=366)


def test_security_txt_says_whom_to_write_to(sample: Visitor, visit: Visit) -> None:
    """The address of the content, else the contact page."""
    path = "/.well-known/security.txt"
    assert re.search(r"^Contact: mailto:\S+@\S+$", sample.get(path).text, re.MULTILINE)
    assert f"Contact: {BASE_URL}/ae/en/contact\n" in visit({}).get(path).text
    assert f"Canonical: {BASE_URL}{path}\n" in sample.get(path).text


@pytest.mark.parametrize(
    ("method", "target", "headers", "status"),
    [
        pytest.param("GET", "/ae/en", {}, 200, id="page"),
        pytest.param("HEAD", "/ae/en/erp.json", {}, 200, id="head of a twin"),
        pytest.param("GET", "/", {}, 200, id="root"),
        pytest.param("GET", "/ae/en/erp/", {}, 308, id="redirect"),
        pytest.param("GET", "/ae/en/nothing", {}, 404, id="missing page"),
        pytest.param("GET", "/ae/en/erp", {"Accept": "image/png"}, 406, id="no such form"),
        pytest.param("POST", "/ae/en/erp", {}, 405, id="wrong method"),
        pytest.param("GET", "/ae/en/%zz", {}, 400, id="malformed"),
        pytest.param("GET", "/images/logo.svg", {}, 200, id="asset"),
        pytest.param("GET", "/llms.txt", {}, 200, id="map"),
        pytest.param("GET", "/api/public/v1/countries", {}, 200, id="api"),
        pytest.param("GET", "/api/countries", {}, 404, id="unknown api path"),
        pytest.param("GET", "/api/homepage", {}, 200, id="alias"),
        pytest.param("OPTIONS", "/api/public/v1/countries", {}, 204, id="preflight"),
    ],
)
def test_every_answer_carries_the_site_wide_links(
    sample: Visitor, method: str, target: str, headers: dict[str, str], status: int
) -> None:
    """Errors, redirects and files as well."""
    reply = sample.ask(method, target, headers)
    assert reply.status == status
    assert_links(reply.links)


@pytest.mark.parametrize("target", ["/ae/en", "/images/logo.svg", "/api/public/v1/cities"])
def test_a_304_carries_them_too(sample: Visitor, target: str) -> None:
    """From the cache and from behind it."""
    etag = sample.get(target).headers["ETag"]
    reply = sample.get(target, {"If-None-Match": etag})
    assert reply.status == 304
    assert_links(reply.links)


def assert_links(links: str) -> None:
    """All four, absolute."""
    for relation, path in (
        ("api-catalog", "/.well-known/api-catalog"),
        ("service-desc", "/openapi.json"),
        ("service-doc", "/developers"),
        ("describedby", "/llms.txt"),
    ):
        assert f'<{BASE_URL}{path}>; rel="{relation}"' in links
