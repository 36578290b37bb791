"""Laws of HTTP over every route: headers, HEAD, conditions, aliases and errors."""

from __future__ import annotations

import re

import pytest
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
EVERY = [
    *(pytest.param(row.example, id=row.stable) for row in ENDPOINTS),
    *(
        pytest.param(legacy_example(row, alias), id=alias)
        for row in (*ENDPOINTS, SOFTWARE_DETAIL_ENDPOINT)
        for alias in row.legacy
    ),
]
MOMENTARY = re.compile(rb'"(dataDirCheckMs|uptimeSec|hits|misses)":\d+')


def settled(reply: Reply) -> bytes:
    """The body without the counters that health alone has."""
    return MOMENTARY.sub(rb"\1", reply.body)


@pytest.mark.parametrize("target", EVERY)
def test_every_get_has_the_headers_of_a_good_answer(sample: Visitor, target: str) -> None:
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


@pytest.mark.parametrize("target", EVERY)
def test_every_head_equals_its_get(sample: Visitor, target: str) -> None:
    """Status and headers, all of them but what counts milliseconds."""
    head, whole = sample.ask("HEAD", target), sample.get(target)
    assert head.status == whole.status
    different = {"etag", "content-length"} if "/health" in target else set()
    assert [
        name
        for name in {*head.headers.keys(), *whole.headers.keys()}
        if head.headers.getlist(name) != whole.headers.getlist(name)
        and name.lower() not in different
    ] == []


@pytest.mark.parametrize("target", [each for each in EVERY if "health" not in str(each.id)])
def test_every_answer_is_known_again(sample: Visitor, target: str) -> None:
    """Asked twice it is the same; with its ETag it is a 304 without body."""
    first, second = sample.get(target), sample.get(target)
    assert (first.body, first.headers["ETag"]) == (second.body, second.headers["ETag"])
    again = sample.get(target, {"If-None-Match": first.headers["ETag"]})
    assert (again.status, again.body) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert again.headers["Vary"] == first.headers["Vary"]


@pytest.mark.parametrize(
    ("row", "alias"), [each for each in ALIASES if "detail" not in str(each.id)]
)
def test_each_alias_answers_as_its_stable_path(sample: Visitor, row: Endpoint, alias: str) -> None:
    """Same status, same body; only the headers tell of the end."""
    old, new = sample.get(legacy_example(row, alias)), sample.get(row.example)
    assert (old.status, settled(old)) == (new.status, settled(new))
    assert {"Deprecation", "Sunset"} <= set(map(str.title, old.headers.keys()))
    assert not {"Deprecation", "Sunset"} & set(map(str.title, new.headers.keys()))


@pytest.mark.parametrize(("row", "alias"), ALIASES)
def test_each_alias_names_its_successor_and_the_successor_answers(
    sample: Visitor, row: Endpoint, alias: str
) -> None:
    """A client that follows the Link header arrives."""
    links = sample.get(legacy_example(row, alias)).links
    found = re.search(r'<([^>]+)>; rel="successor-version"', links)
    assert found
    query = row.example.partition("?")[2]
    assert sample.get(f"{found[1]}?{query}").status == 200
    assert '</developers#versioning>; rel="deprecation"' in links


def enveloped(reply: Reply) -> bool:
    """Whether an error has the shape, a matching code, and the manners of every answer."""
    codes = {400: "VALIDATION_ERROR", 404: "RESOURCE_NOT_FOUND", 405: "VALIDATION_ERROR"}
    return (
        violations(ERROR_ENVELOPE, reply.json) == []
        and reply.json["error"]["code"] == codes[reply.status]
        and reply.headers["Content-Type"] == "application/json"
        and reply.headers["Access-Control-Allow-Origin"] == "*"
        and "no-store" in reply.headers["Cache-Control"]
    )


@pytest.mark.parametrize("target", EVERY)
def test_every_route_refuses_other_methods_in_the_envelope(sample: Visitor, target: str) -> None:
    """405 with Allow."""
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        reply = sample.ask(method, target)
        assert reply.status == 405
        assert enveloped(reply)
        assert "GET" in reply.headers["Allow"]


@pytest.mark.parametrize("target", EVERY)
def test_every_route_refuses_malformed_encoding_in_the_envelope(
    sample: Visitor, target: str
) -> None:
    """400 wherever it stands: at the end of the path, in a key, in a value."""
    path, _, query = target.partition("?")
    for wrong in (f"{path}%zz?{query}", f"{path}?{query}&x=%ff", f"{path}?{query}&%=x"):
        reply = sample.get(wrong)
        assert reply.status == 400
        assert enveloped(reply)


@pytest.mark.parametrize("target", EVERY)
def test_what_lies_below_a_route_is_a_404_in_the_envelope(sample: Visitor, target: str) -> None:
    """Every path under `/api/` speaks the same, a slash at its end too."""
    path = target.partition("?")[0]
    for wrong in (f"{path}/", f"{path}/x/y/z/x/y/z", f"{path}.json.json", f"{path}/%00"):
        reply = sample.get(wrong)
        assert reply.status in (400, 404)
        assert enveloped(reply)
