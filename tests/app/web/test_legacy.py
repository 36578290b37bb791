"""Legacy paths: their successors, and the deprecation headers of their responses."""

from __future__ import annotations

import pytest
from cases import cases
from contract.schemas import ENDPOINTS, SOFTWARE_DETAIL_ENDPOINT
from contract.visitor import Visitor

from app.web.http.response_headers import deprecated_paths

ROWS = (*ENDPOINTS, SOFTWARE_DETAIL_ENDPOINT)


def successor(visitor: Visitor, path: str) -> str | None:
    """Return the path that replaces a legacy one."""
    return deprecated_paths(visitor.quart).successor(path)


@cases(
    ("alias", "stable"),
    [pytest.param(alias, row.stable, id=alias) for row in ROWS for alias in row.legacy],
)
def test_each_alias_of_the_contract_has_its_stable_path(
    sample: Visitor, alias: str, stable: str
) -> None:
    """All parameters of the path are kept."""
    parts = {"slug": "point-of-sale", "kind": "module"}
    assert successor(sample, alias.format(**parts)) == stable.format(**parts)


@cases(
    "path",
    [
        *(pytest.param(row.example.partition("?")[0], id=row.stable) for row in ROWS),
        pytest.param("/", id="the root"),
        pytest.param("/api/public", id="a part of an alias"),
        pytest.param("/api/page", id="an alias without its slug"),
        pytest.param("/api/page/about/us", id="a slug of two parts"),
        pytest.param("/x/api/health", id="an alias further down"),
    ],
)
def test_other_paths_have_no_successor(sample: Visitor, path: str) -> None:
    """Stable paths have none either."""
    assert successor(sample, path) is None


@cases(
    "slug",
    [
        pytest.param("caf%C3%A9", id="percent-encoded"),
        pytest.param("{slug}", id="braces"),
        pytest.param("%7Bkind%7D", id="encoded braces"),
    ],
)
def test_a_slug_is_kept_as_it_was_sent(sample: Visitor, slug: str) -> None:
    """It is neither decoded nor interpreted as a template."""
    assert successor(sample, f"/api/page/{slug}") == f"/api/public/v1/pages/{slug}"


@cases(
    ("method", "target", "headers", "status", "stable"),
    [
        pytest.param("GET", "/api/homepage", {}, 200, "homepage", id="200"),
        pytest.param("HEAD", "/api/homepage", {}, 200, "homepage", id="HEAD"),
        pytest.param("GET", "/api/homepage", {"If-None-Match": "*"}, 304, "homepage", id="304"),
        pytest.param("GET", "/api/page/no-such", {}, 404, "pages/no-such", id="404"),
        pytest.param("POST", "/api/homepage", {}, 405, "homepage", id="405"),
        pytest.param("GET", "/api/homepage?lang=fr", {}, 400, "homepage", id="400"),
        pytest.param("GET", "/api/page/%zz", {}, 400, "pages/%25zz", id="malformed encoding"),
        pytest.param(
            "GET",
            "/api/software-detail/gadget/x",
            {},
            404,
            "locale-content/software/gadget/x",
            id="software detail",
        ),
    ],
)
def test_every_response_of_an_alias_has_the_deprecation_headers(
    sample: Visitor, method: str, target: str, headers: dict[str, str], status: int, stable: str
) -> None:
    """Errors and 304 too have Deprecation, Sunset, and Link to the policy and the successor."""
    reply = sample.ask(method, target, headers)
    assert reply.status == status
    assert reply.headers["Deprecation"] == "true"
    assert reply.headers["Sunset"] == "Sat, 01 Jan 2028 00:00:00 GMT"
    assert '</developers#versioning>; rel="deprecation"' in reply.links
    assert f'</api/public/v1/{stable}>; rel="successor-version"' in reply.links


@cases(
    "target",
    [
        pytest.param("/api/public/v1/homepage", id="200"),
        pytest.param("/api/public/v1/pages/no-such", id="404"),
        pytest.param("/api/no-such", id="unknown path"),
    ],
)
def test_other_responses_have_no_deprecation_headers(sample: Visitor, target: str) -> None:
    """A stable path is not deprecated."""
    reply = sample.get(target)
    assert not {"Deprecation", "Sunset"} & set(reply.headers.keys())
    assert "successor-version" not in reply.links
