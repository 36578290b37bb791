"""MCP in the OpenAPI document."""

from __future__ import annotations

from typing import Any

import pytest
from agents import legacy, posted
from contract.validation import violations
from contract.visitor import Visitor
from openapi_spec_validator import validate


@pytest.fixture(scope="module")
def document(site: Visitor) -> dict[str, Any]:
    """The document of a service with MCP."""
    whole: dict[str, Any] = site.get("/openapi.json").json
    return whole


def test_the_path_is_there_only_if_it_is_answered(
    site: Visitor, sample: Visitor, document: dict[str, Any]
) -> None:
    """All else is the same."""
    without = sample.get("/openapi.json").json
    assert set(document["paths"]) - set(without["paths"]) == {"/mcp"}
    assert document["paths"] | without["paths"] == document["paths"]
    assert set(document["components"]["schemas"]) - set(without["components"]["schemas"]) == {
        "McpMessage",
        "McpAnswer",
    }


def test_the_document_is_valid_openapi(document: dict[str, Any]) -> None:
    """Against the schema of OpenAPI 3.1."""
    validate(document)


def test_it_tells_the_statuses_and_bodies_that_are_sent(
    site: Visitor, document: dict[str, Any]
) -> None:
    """Of a result, of errors, and of requests that are refused."""
    told = document["paths"]["/mcp"]["post"]["responses"]
    schemas = document["components"]["schemas"]
    replies = [
        legacy(site, "ping"),
        legacy(site, "tools/call", {"name": "no_such_tool"}),
        posted(site, b"{}"),
    ]
    for reply in replies:
        schema = told[str(reply.status)]["content"]["application/json"]["schema"]
        name = schema["$ref"].rpartition("/")[2]
        assert violations(schemas[name], reply.json) == []
    refused = (
        posted(site, b"{}", {"Host": "evil.example"}),
        posted(site, b"{}", {"Content-Type": "text/plain"}),
        site.get("/mcp"),
        legacy(site, "notifications/x"),
    )
    assert {str(reply.status) for reply in refused} <= set(told)


def test_every_property_has_a_description(site: Visitor) -> None:
    """In the document of its tag, which has no other operation."""
    document: dict[str, Any] = site.get("/openapi/mcp.json").json
    validate(document)
    assert list(document["paths"]) == ["/mcp"]
    schemas = document["components"]["schemas"]
    for name in ("McpMessage", "McpAnswer"):
        assert all(each["description"] for each in schemas[name]["properties"].values())
