"""HTTP behaviour of every route: headers, HEAD, conditional requests, aliases and errors."""

from __future__ import annotations

import re

import pytest
from cases import cases
from contract.schemas import (
    ENDPOINTS,
    ERROR_ENVELOPE,
    SOFTWARE_DETAIL_ENDPOINT,
    Endpoint,
    legacy_example,
)
from contract.validation import violations
from contract.visitor import Reply, Visitor

API = "/api/public/v1"
ALIASES = [
    pytest.param(row, alias, id=alias)
    for row in (*ENDPOINTS, SOFTWARE_DETAIL_ENDPOINT)
    for alias in row.legacy
]
TARGETS = [
    *(pytest.param(row.example, id=row.stable) for row in ENDPOINTS),
    *(
        pytest.param(legacy_example(row, alias), id=alias)
        for row in (*ENDPOINTS, SOFTWARE_DETAIL_ENDPOINT)
        for alias in row.legacy
    ),
]
COUNTERS = re.compile(rb'"(dataDirCheckMs|uptimeSec|hits|misses)":\d+')


def without_counters(reply: Reply) -> bytes:
    """Return the body without the counters of the health endpoint."""
    return COUNTERS.sub(rb"\1", reply.body)


@cases("target", TARGETS)
def test_every_get_has_the_headers_of_a_success(sample: Visitor, target: str) -> None:
    """Vary, a strong ETag, a caching policy, a type, a length, CORS and nosniff."""
    reply = sample.get(target)
    assert reply.status == 200
    assert {each.strip() for each in reply.headers["Vary"].split(",")} == {
        "Accept",
        "Accept-Encoding",
    }
    assert re.fullmatch(r'"[!#-~]+"', reply.headers["ETag"])
    assert reply.headers["Cache-Control"]
    assert reply.headers["Content-Type"] == "application/json"
    assert int(reply.headers["Content-Length"]) == len(reply.body)
    assert reply.headers["Access-Control-Allow-Origin"] == "*"
    assert reply.headers["X-Content-Type-Options"] == "nosniff"
    assert "Set-Cookie" not in reply.headers


@cases("target", TARGETS)
def test_every_head_equals_its_get(sample: Visitor, target: str) -> None:
    """Status and all headers, except those that depend on health's timing."""
    head, whole = sample.ask("HEAD", target), sample.get(target)
    assert head.status == whole.status
    different = {"etag", "content-length"} if "/health" in target else set()
    assert [
        name
        for name in {*head.headers.keys(), *whole.headers.keys()}
        if head.headers.getlist(name) != whole.headers.getlist(name)
        and name.lower() not in different
    ] == []


@cases("target", [each for each in TARGETS if "health" not in str(each.id)])
def test_every_response_can_be_revalidated(sample: Visitor, target: str) -> None:
    """A second request gives the same body; a request with its ETag gives 304 without body."""
    first, second = sample.get(target), sample.get(target)
    assert (first.body, first.headers["ETag"]) == (second.body, second.headers["ETag"])
    again = sample.get(target, {"If-None-Match": first.headers["ETag"]})
    assert (again.status, again.body) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert again.headers["Vary"] == first.headers["Vary"]


@cases(("row", "alias"), [each for each in ALIASES if "detail" not in str(each.id)])
def test_each_alias_answers_as_its_stable_path(sample: Visitor, row: Endpoint, alias: str) -> None:
    """Same status and body; only the alias has deprecation headers."""
    old, new = sample.get(legacy_example(row, alias)), sample.get(row.example)
    assert (old.status, without_counters(old)) == (new.status, without_counters(new))
    assert {"Deprecation", "Sunset"} <= set(map(str.title, old.headers.keys()))
    assert not {"Deprecation", "Sunset"} & set(map(str.title, new.headers.keys()))


@cases(("row", "alias"), ALIASES)
def test_each_alias_links_to_its_successor(sample: Visitor, row: Endpoint, alias: str) -> None:
    """A client that follows the Link header gets 200."""
    links = sample.get(legacy_example(row, alias)).links
    match = re.search(r'<([^>]+)>; rel="successor-version"', links)
    assert match
    query = row.example.partition("?")[2]
    assert sample.get(f"{match[1]}?{query}").status == 200
    assert '</developers#versioning>; rel="deprecation"' in links


def is_error_envelope(reply: Reply) -> bool:
    """Return whether an error matches its schema, with the code and headers for its status."""
    codes = {400: "VALIDATION_ERROR", 404: "RESOURCE_NOT_FOUND", 405: "VALIDATION_ERROR"}
    return (
        violations(ERROR_ENVELOPE, reply.json) == []
        and reply.json["error"]["code"] == codes[reply.status]
        and reply.headers["Content-Type"] == "application/json"
        and reply.headers["Access-Control-Allow-Origin"] == "*"
        and "no-store" in reply.headers["Cache-Control"]
    )


@cases("target", TARGETS)
def test_every_route_refuses_other_methods_in_the_envelope(sample: Visitor, target: str) -> None:
    """405 with an Allow header."""
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        reply = sample.ask(method, target)
        assert reply.status == 405
        assert is_error_envelope(reply)
        assert "GET" in reply.headers["Allow"]


@cases("target", TARGETS)
def test_every_route_refuses_malformed_encoding_in_the_envelope(
    sample: Visitor, target: str
) -> None:
    """400 for malformed encoding in the path, in a key or in a value."""
    path, _, query = target.partition("?")
    for path_or_query in (f"{path}%zz?{query}", f"{path}?{query}&x=%ff", f"{path}?{query}&%=x"):
        reply = sample.get(path_or_query)
        assert reply.status == 400
        assert is_error_envelope(reply)


@cases("target", TARGETS)
def test_paths_below_a_route_give_an_error_envelope(sample: Visitor, target: str) -> None:
    """Every unknown path under `/api/`, including one with a trailing slash."""
    path = target.partition("?")[0]
    for path_or_query in (f"{path}/", f"{path}/x/y/z/x/y/z", f"{path}.json.json", f"{path}/%00"):
        reply = sample.get(path_or_query)
        assert reply.status in (400, 404)
        assert is_error_envelope(reply)
