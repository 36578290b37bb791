"""A law: an empty text counts as absent, in every optional field, argument and parameter."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from agents import HOST
from cases import cases
from contract.visitor import Visitor
from mcp_calls import call
from pydantic import BaseModel
from storefront.pricing import Item, priced
from storefront.receiver import answers
from storefront.shop import BEARER, Shop

from app.features.feedback.routes import validate_feedback
from app.features.feedback.store import Feedback
from app.features.leads.model import Lead
from app.features.leads.submission import validate_lead
from app.features.mcp.tools import TOOLS
from app.features.orders.intake import checked_draft
from app.features.orders.order import OrderDraft
from app.web.openapi.information import LEGACY_PATH, OPENAPI_PATH
from app.web.openapi.operation import route_specs

Json = dict[str, Any]

EMPTY = ("", " ", "\t\n", "\u00a0")
READ_BY_BODY: Mapping[type[BaseModel], Callable[[Json], BaseModel]] = {
    Lead: lambda fields: validate_lead(fields, ["ae", "sa"]),
    Feedback: lambda fields: validate_feedback(fields, "https://a.example"),
}
REQUIRED: Mapping[type[BaseModel], Json] = {
    Lead: {"email": "noor@example.com"},
    Feedback: {"path": "/ae/en", "message": "The price is last year's."},
}
ARGUMENTS: Mapping[str, Json] = {
    "search": {"query": "stock"},
    "fetch": {"id": "/sa/ar/erp"},
    "find_passages": {"query": "stock"},
    "list_pages": {},
    "list_entries": {"kind": "products"},
}


@pytest.fixture(scope="module")
def shop() -> Iterator[Shop]:
    """The sample service with the partner interface, and sample orders."""
    with Shop(answers(200), mcp=True) as opened:
        opened.take_samples()
        yield opened


def optional(model: type[BaseModel]) -> list[str]:
    """Return the names of the fields that may be left out, as clients send them."""
    fields = model.model_fields.items()
    names = [field.alias or name for name, field in fields if not field.is_required()]
    return [name for name in names if name not in REQUIRED.get(model, ())]


def test_the_table_of_bodies_is_complete(sample: Visitor) -> None:
    """A new body of the API must be read by the same rule."""
    bodies = {spec.operation.body for spec in route_specs(sample.quart)} - {None}
    assert bodies == set(REQUIRED)


@cases(
    ("model", "name"),
    [
        pytest.param(model, name, id=f"{model.__name__}.{name}")
        for model in REQUIRED
        for name in optional(model)
    ],
)
def test_an_empty_field_of_a_body_counts_as_absent(model: type[BaseModel], name: str) -> None:
    """The same is read as from a body without it."""
    without = READ_BY_BODY[model](REQUIRED[model])
    for value in EMPTY:
        assert READ_BY_BODY[model]({**REQUIRED[model], name: value}) == without


@pytest.mark.parametrize("path", ["/api/public/v1/leads", "/api/leads"])
def test_an_enquiry_with_empty_fields_is_stored(shop: Shop, path: str) -> None:
    """A frontend sends all fields of its form."""
    shop.forget_leads()
    body = dict.fromkeys(optional(Lead), "")
    assert shop.post(path, REQUIRED[Lead] | body).status == 200
    (stored,) = shop.leads()
    assert stored.lead == Lead.model_validate(REQUIRED[Lead])


@cases("name", list(ARGUMENTS))
def test_an_empty_argument_of_a_tool_counts_as_absent(shop: Shop, name: str) -> None:
    """Models fill in all that the schema names."""
    (tool,) = (each for each in TOOLS if each.name == name)
    without = call(shop, name, **ARGUMENTS[name])
    for argument in optional(tool.arguments):
        for value in (*EMPTY, None):
            sent = ARGUMENTS[name] | {argument: value}
            assert call(shop, name, **sent) == without, (argument, value)


def test_the_table_of_arguments_is_complete() -> None:
    """Every tool is tried, with the arguments that it requires."""
    assert list(ARGUMENTS) == [tool.name for tool in TOOLS]


@cases("method", ["tools/list", "resources/list", "prompts/list", "ping"])
@cases("params", [None, {"cursor": ""}, {"cursor": None}])
def test_params_that_are_null_or_have_an_empty_cursor_are_none(
    shop: Shop, method: str, params: Json | None
) -> None:
    """Some clients send `"params": null` with each message."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method}
    without = shop.post("/mcp", message, HOST)
    assert without.status == 200
    assert shop.post("/mcp", {**message, "params": params}, HOST).body == without.body


@pytest.mark.parametrize("arguments", [None, ""])
def test_arguments_that_are_null_or_empty_are_none(shop: Shop, arguments: object) -> None:
    """For a tool that requires none."""
    params = {"name": "list_pages", "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    assert not shop.post("/mcp", message, HOST).json["result"]["isError"]


@cases("query", ["country=", "lang=", "country=%20&lang=%20"])
def test_an_empty_locale_in_the_address_of_mcp_counts_as_absent(shop: Shop, query: str) -> None:
    """The instructions name the locale."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
    message = {**message, "params": {"protocolVersion": "2025-06-18"}}
    assert shop.post(f"/mcp?{query}", message, HOST).body == shop.post("/mcp", message, HOST).body


@pytest.mark.parametrize("path", [OPENAPI_PATH, LEGACY_PATH])
def test_an_empty_query_parameter_counts_as_absent(shop: Shop, path: str) -> None:
    """In each operation of the documents, and for each parameter that may be left out."""
    document = shop.get(path).json
    tried = 0
    for template, methods in document["paths"].items():
        if "get" not in methods:
            continue
        parts = [_resolved(document, each) for each in methods["get"].get("parameters", [])]
        target, required = template, {}
        for part in parts:
            if part["in"] == "path":
                target = target.replace(f"{{{part['name']}}}", quote(str(part["example"])))
            elif part["in"] == "query" and part.get("required"):
                required[part["name"]] = part["example"]
        without = shop.get(f"{target}?{urlencode(required)}", BEARER)
        assert without.status == 200, target
        for part in parts:
            if part["in"] != "query" or part["name"] in required:
                continue
            for value in EMPTY:
                query = urlencode({**required, part["name"]: value})
                assert _answer(shop, f"{target}?{query}") == (200, without.body), (target, query)
                tried += 1
    assert tried > 20


def _answer(shop: Shop, target: str) -> tuple[int, bytes]:
    reply = shop.get(target, BEARER)
    return reply.status, reply.body


def _resolved(document: Json, node: Json) -> Json:
    if "$ref" not in node:
        return node
    target: Any = document
    for step in node["$ref"].removeprefix("#/").split("/"):
        target = target[step]
    return dict(target)


ADDRESS = {"countryCode": "SA", "city": "Riyadh"}
ORDER: Json = {
    **json.loads(json.dumps(priced([Item("A", Decimal("2.00"))], "SAR", number="WH-1"))),
    "billingAddress": ADDRESS,
    "shippingAddress": ADDRESS,
    "discounts": [{"amount": "1.00"}],
    "payments": [{"method": "card", "amount": "2.00", "status": "paid"}],
}


def test_an_empty_field_of_an_order_counts_as_absent() -> None:
    """At any depth: shops export all of their columns."""
    without = checked_draft(ORDER)
    tried = [(place, name) for place, model in _objects(without, ()) for name in optional(model)]
    assert len(tried) > 30
    for place, name in tried:
        if name not in _at(ORDER, place):
            for value in EMPTY:
                sent = json.loads(json.dumps(ORDER))
                _at(sent, place)[name] = value
                assert checked_draft(sent) == without, (place, name)


def _objects(
    value: object, place: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], type[BaseModel]]]:
    """Yield the place and the model of each object of an order."""
    if isinstance(value, tuple):
        for number, each in enumerate(value):
            yield from _objects(each, (*place, number))
    if isinstance(value, BaseModel):
        yield place, type(value)
        for name, field in type(value).model_fields.items():
            yield from _objects(getattr(value, name), (*place, field.alias or name))


def _at(order: Mapping[str, Any], place: tuple[str | int, ...]) -> Json:
    found: Any = order
    for step in place:
        found = found[step]
    return dict(found) if not isinstance(found, dict) else found


def test_an_order_is_tried_with_all_of_its_parts() -> None:
    """So that the law covers each model."""
    models = {model for _, model in _objects(checked_draft(ORDER), ())}
    assert OrderDraft in models
    assert len(models) == 8
