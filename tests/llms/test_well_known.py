"""The API catalog, security.txt and the site-wide Link header."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import BASE_URL, NOW, FakeClock, Visitor

PROFILE = "https://www.rfc-editor.org/info/rfc9727"


def test_the_api_catalog_is_a_linkset(sample: Visitor) -> None:
    """As in RFC 9727 and RFC 9264, each anchor has absolute targets by relation."""
    response = sample.get("/.well-known/api-catalog")
    media_type, _, profile = response.headers["Content-Type"].partition(";")
    assert (media_type, profile.strip()) == ("application/linkset+json", f'profile="{PROFILE}"')
    catalog, *apis = response.json["linkset"]
    assert catalog["anchor"] == f"{BASE_URL}/.well-known/api-catalog"
    assert [item["href"] for item in catalog["item"]]
    for api in apis:
        assert set(api) == {"anchor", "service-desc", "service-doc", "service-meta", "status"}
        targets = [target for name, links in api.items() if name != "anchor" for target in links]
        assert all(target["href"].startswith(f"{BASE_URL}/") for target in targets)
        assert all(target["type"] for target in targets)


def test_a_head_response_links_to_the_catalog(sample: Visitor) -> None:
    """RFC 9727 requires this, so that clients can discover the catalog without reading it."""
    response = sample.ask("HEAD", "/.well-known/api-catalog")
    assert (response.status, response.body) == (200, b"")
    assert '</.well-known/api-catalog>; rel="api-catalog"' in response.links


@pytest.mark.parametrize(
    "day", [NOW, datetime(2028, 2, 29, 23, 59, tzinfo=UTC), datetime(2026, 12, 31, tzinfo=UTC)]
)
def test_security_txt_expires_within_a_year(visit: Visit, clock: FakeClock, day: datetime) -> None:
    """It is valid for 330 to 366 days on any day."""
    clock.now = day
    text = visit({}).get("/.well-known/security.txt").text
    (expires,) = re.findall(r"^Expires: (.*)$", text, re.MULTILINE)
    assert timedelta(days=330) < datetime.fromisoformat(expires) - day <= timedelta(days=366)


def test_security_txt_has_a_contact(sample: Visitor, visit: Visit) -> None:
    """The contact is the e-mail address in the content, or else the contact page."""
    path = "/.well-known/security.txt"
    assert re.search(r"^Contact: mailto:\S+@\S+$", sample.get(path).text, re.MULTILINE)
    assert f"Contact: {BASE_URL}/ae/en/contact\n" in visit({}).get(path).text
    assert f"Canonical: {BASE_URL}{path}\n" in sample.get(path).text


@cases(
    ("method", "target", "headers", "status"),
    [
        pytest.param("GET", "/ae/en", {}, 200, id="page"),
        pytest.param("HEAD", "/ae/en/erp.json", {}, 200, id="HEAD of a per-format URL"),
        pytest.param("GET", "/", {}, 200, id="root"),
        pytest.param("GET", "/ae/en/erp/", {}, 308, id="redirect"),
        pytest.param("GET", "/ae/en/nothing", {}, 404, id="missing page"),
        pytest.param(
            "GET", "/ae/en/erp", {"Accept": "image/png"}, 406, id="no acceptable media type"
        ),
        pytest.param("POST", "/ae/en/erp", {}, 405, id="wrong method"),
        pytest.param("GET", "/ae/en/%zz", {}, 400, id="malformed"),
        pytest.param("GET", "/images/logo.svg", {}, 200, id="asset"),
        pytest.param("GET", "/llms.txt", {}, 200, id="llms.txt"),
        pytest.param("GET", "/api/public/v1/countries", {}, 200, id="api"),
        pytest.param("GET", "/api/countries", {}, 404, id="unknown api path"),
        pytest.param("GET", "/api/homepage", {}, 200, id="alias"),
        pytest.param("OPTIONS", "/api/public/v1/countries", {}, 204, id="preflight"),
    ],
)
def test_every_response_has_the_site_wide_links(
    sample: Visitor, method: str, target: str, headers: dict[str, str], status: int
) -> None:
    """Errors, redirects and files have them too."""
    response = sample.ask(method, target, headers)
    assert response.status == status
    assert_links(response.links, target, is_page=status not in (308, 405))


@cases("target", ["/ae/en", "/images/logo.svg", "/api/public/v1/cities"])
def test_a_304_has_the_site_wide_links(sample: Visitor, target: str) -> None:
    """It has them with and without the response cache."""
    etag = sample.get(target).headers["ETag"]
    response = sample.get(target, {"If-None-Match": etag})
    assert response.status == 304
    assert_links(response.links, target)


def assert_links(links: str, target: str, *, is_page: bool = True) -> None:
    """Check that the Link header has all four relations with absolute URLs.

    Of a page in a locale the guide is that of its locale, and the only one. A redirect and the
    refusal of a method are no pages, and have none.
    """
    in_locale = target == "/" or target.startswith("/ae/en")
    assert links.count('rel="describedby"') == is_page
    for relation, path in (
        ("api-catalog", "/.well-known/api-catalog"),
        ("service-desc", "/openapi.json"),
        ("service-doc", "/developers"),
        ("describedby", "/ae/en/llms.txt" if in_locale else "/llms.txt"),
    ):
        if is_page or relation != "describedby":
            assert f'<{BASE_URL}{path}>; rel="{relation}"' in links


def test_the_api_catalog_names_the_document_of_the_aliases(sample: Visitor) -> None:
    """The APIs below `/api` have more specific anchors, with the contract."""
    _, *apis = sample.get("/.well-known/api-catalog").json["linkset"]
    described = {api["anchor"]: api["service-desc"][0]["href"] for api in apis}
    assert described[f"{BASE_URL}/api"] == f"{BASE_URL}/openapi-legacy.json"
    assert described[f"{BASE_URL}/api/public/v1"] == f"{BASE_URL}/openapi.json"
