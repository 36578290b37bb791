"""Laws of the OpenAPI document: it is valid, whole, and what it says is what is answered."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import cycle
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from conftest import Visit
from contract.validation import FORMATS
from contract.visitor import BASE_URL, Reply, Visitor
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate
from storefront.receiver import answers
from storefront.shop import Shop

from app.http.legacy import SOFTWARE_DETAIL, SUNSET, successor
from app.http.path_templates import template
from app.openapi.route_specs import route_specs

Json = dict[str, Any]
LOCALES = [("SA", "en"), ("AE", "ar")]


TOKENS = [f"token-of-partner-{number}" for number in range(40)]
"""Several, so that no limit is met."""
_TOKENS = cycle(TOKENS)


@pytest.fixture(scope="session")
def shop() -> Iterator[Shop]:
    """The sample service with a partner interface, its sample orders, and a webhook."""
    with Shop(answers(200), erp_pull_api_token=",".join(TOKENS)) as opened:
        opened.take_samples()
        yield opened


@pytest.fixture(scope="session")
def document(sample: Visitor) -> Json:
    """The contract of the sample service, closed: schemas take no property they do not name."""
    found: Json = sample.get("/openapi.json").json
    for schema in found["components"]["schemas"].values():
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
    return found


@dataclass(frozen=True)
class Documented:
    """One operation of the document, at its path."""

    document: Json
    method: str
    path: str
    told: Json

    @property
    def parameters(self) -> list[Json]:
        """Its parameters."""
        return [resolved(self.document, each) for each in self.told["parameters"]]

    def ask(self, visitor: Visitor, target: str, headers: Mapping[str, str] | None = None) -> Reply:
        """What is answered to who may ask."""
        key = {"X-Ecom-Api-Token": next(_TOKENS)} if self.told["security"] else {}
        return visitor.ask(self.method.upper(), target, {**key, **(headers or {})})

    def response(self, status: int) -> Json:
        """What it says of a status; fails where it says nothing."""
        return resolved(self.document, self.told["responses"][str(status)])

    def target(self, **asked: str) -> str:
        """The request that its examples make, with these values in the place of theirs."""
        path, query = self.path, {}
        for each in self.parameters:
            value = asked.get(each["name"], each.get("example"))
            if each["in"] == "path":
                path = path.replace(f"{{{each['name']}}}", quote(str(value)))
            elif each["in"] == "query":
                query[each["name"]] = value
        return f"{path}?{urlencode(query)}" if query else path


def operations(document: Json) -> list[Documented]:
    """Every operation there is."""
    return [
        Documented(document, method, path, told)
        for path, methods in document["paths"].items()
        for method, told in methods.items()
    ]


def reads(document: Json) -> list[Documented]:
    """Every GET."""
    return [each for each in operations(document) if each.method == "get"]


def resolved(document: Json, node: Json) -> Json:
    """A node, or what it refers to."""
    if "$ref" not in node:
        return node
    found: Any = document
    for step in node["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    assert isinstance(found, dict)
    return found


def violations(document: Json, schema: Json, instance: object) -> list[str]:
    """Every way in which a value breaks a schema of the document."""
    validator = Draft202012Validator({**document, **schema}, format_checker=FORMATS)
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(instance)]


def test_the_document_is_valid_openapi(sample: Visitor) -> None:
    """By the specification's own schema, version 3.1."""
    document: Json = sample.get("/openapi.json").json
    validate(document)
    assert document["openapi"].startswith("3.1.")
    assert document["info"]["version"] == "1.0.0"
    assert document["servers"] == [{"url": BASE_URL}]


def test_every_route_is_in_the_document_and_nothing_else(sample: Visitor, document: Json) -> None:
    """Method and path of all that is served under `/api/`, HEAD and OPTIONS left out."""
    routes = {
        (method.lower(), template(rule.rule))
        for rule in sample.quart.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith("/api/")
    }
    assert {(each.method, each.path) for each in operations(document)} == routes


def test_every_operation_has_a_name_of_its_own_and_words(document: Json) -> None:
    """A readable operationId, a tag that is described, a summary and a description."""
    found = operations(document)
    names = [each.told["operationId"] for each in found]
    assert len(names) == len(set(names))
    assert [name for name in names if not re.fullmatch(r"[a-z][A-Za-z0-9]+", name)] == []
    tags = {tag["name"]: tag["description"] for tag in document["tags"]}
    for each in found:
        assert all(tags[tag] for tag in each.told["tags"])
        assert each.told["summary"]
        assert each.told["description"].startswith(each.told["summary"])


def test_every_declaration_names_the_variables_of_its_path(sample: Visitor) -> None:
    """Part for part."""
    for each in route_specs(sample.quart):
        assert len(each.variables) == len(each.operation.path), each.path


def test_every_alias_is_deprecated_and_shares_its_examples(document: Json) -> None:
    """And names the path that replaces it; no stable path is deprecated."""
    for each in operations(document):
        is_stable = successor(each.path) is None and each.path != SOFTWARE_DETAIL
        assert each.told.get("deprecated", False) is not is_stable
        assert (SUNSET in each.told["description"]) is not is_stable
        assert ("Sunset" in each.response(200)["headers"]) is not is_stable


@pytest.mark.parametrize(("country", "lang"), LOCALES)
def test_every_read_answers_as_documented(
    shop: Shop, document: Json, country: str, lang: str
) -> None:
    """With its own examples, in both languages: a 200 in the schema, and no other header."""
    found = reads(document)
    assert found
    for each in found:
        target = each.target(country=country, lang=lang)
        reply = each.ask(shop, target)
        assert reply.status == 200, target
        told = each.response(200)
        schema = told["content"]["application/json"]["schema"]
        assert violations(document, schema, reply.json) == [], target
        assert unfit_headers(document, told, reply) == [], target


def test_every_read_has_markdown_and_304_as_documented(shop: Shop, document: Json) -> None:
    """The second media type where there is one, and the answer to a client that has the body."""
    for each in reads(document):
        reply = each.ask(shop, each.target(), {"Accept": "text/markdown"})
        told = each.response(200)
        media_type = reply.headers["Content-Type"].partition(";")[0]
        assert media_type in told["content"]
        assert (media_type == "text/markdown") is (each.told["operationId"] != "previewOrder")
        assert unfit_headers(document, told, reply) == []
        known = each.ask(shop, each.target(), {"If-None-Match": "*"})
        assert known.status == 304
        assert unfit_headers(document, each.response(304), known) == []


COMMON_STATUSES = {
    "access-control-allow-origin",
    "access-control-expose-headers",
    "content-length",
    "content-type",
    "referrer-policy",
    "strict-transport-security",
    "x-content-type-options",
}
"""Headers of HTTP itself and of browsers' safety, which no operation has of its own."""


def unfit_headers(document: Json, told: Json, reply: Reply) -> list[str]:
    """Headers that stand on an answer undocumented, lack where they must, or break a schema."""
    documented = {
        name.lower(): resolved(document, header) for name, header in told["headers"].items()
    }
    sent = {name.lower() for name, _ in reply.headers}
    unfit = [f"{name} is undocumented" for name in sent - COMMON_STATUSES - documented.keys()]
    for name, header in documented.items():
        if name not in sent:
            unfit += [f"{name} lacks"] if header.get("required") else []
        else:
            unfit += violations(document, header["schema"], header_value(header, reply, name))
    return unfit


def header_value(header: Json, reply: Reply, name: str) -> object:
    """A header as its schema means it."""
    value = reply.headers[name]
    return int(value) if header["schema"]["type"] == "integer" else value


def test_every_status_that_can_be_brought_about_is_as_documented(
    shop: Shop, document: Json
) -> None:
    """400 for every operation, 404 for those that look for one thing, 401 without a token."""
    for each in reads(document):
        broken = each.ask(shop, f"{each.target().partition('?')[0]}?x=%zz")
        assert answered_as(each, broken) == 400
        if "404" in each.told["responses"]:
            nothing = "999" if each.told["security"] else "no-such-thing"
            unknown = {part["name"]: nothing for part in open_parts(each)}
            assert answered_as(each, each.ask(shop, each.target(**unknown))) == 404
        if each.told["security"]:
            assert answered_as(each, shop.get(each.target())) == 401


def test_what_is_always_refused_is_no_valid_parameter(document: Json) -> None:
    """No URL may hold the NUL character, and no word is an order's id."""
    for each in operations(document):
        for part in each.parameters:
            if part["in"] in ("path", "query"):
                assert violations(document, part["schema"], "a\0b"), (each.path, part["name"])
            if part["name"] == "id":
                assert violations(document, part["schema"], "module-inventory"), each.path
                assert violations(document, part["schema"], "7") == []


def open_parts(each: Documented) -> list[Json]:
    """The parts of a path that may be anything; else all of them."""
    parts = [part for part in each.parameters if part["in"] == "path"]
    return [part for part in parts if "enum" not in part["schema"]] or parts


def answered_as(each: Documented, reply: Reply) -> int:
    """The status of an error, once its body and headers are as documented."""
    told = each.response(reply.status)
    schema = told["content"]["application/json"]["schema"]
    assert violations(each.document, schema, reply.json) == []
    assert unfit_headers(each.document, told, reply) == []
    return reply.status


def test_a_page_that_is_elsewhere_is_answered_as_documented(
    sample: Visitor, document: Json
) -> None:
    """Rule 3: the 404 with its fallback."""
    target = "/api/public/v1/blog/posts/barcode-labels-that-scan?lang=ar"
    reply = sample.get(target)
    assert reply.json["fallback"]["lang"] == "en"
    each = next(each for each in reads(document) if each.told["operationId"] == "getPost")
    assert answered_as(each, reply) == 404


def test_every_operation_lists_what_can_happen_to_any(document: Json) -> None:
    """400, 429 and 500 everywhere, 304 for reads; 429 and 503 say when to come again."""
    for each in operations(document):
        assert {"200", "400", "429", "500"} <= each.told["responses"].keys()
        assert "RateLimit-Reset" in each.response(200)["headers"]
        for status in {"429", "503"} & each.told["responses"].keys():
            assert "Retry-After" in each.response(int(status))["headers"]


def examples(document: Json) -> Iterator[tuple[str, Json, object]]:
    """Every example of a body, a parameter or a header, with its schema and where it stands."""
    for each in operations(document):
        for parameter in each.parameters:
            if "example" in parameter:
                place = f"{each.path} {parameter['name']}"
                yield place, parameter["schema"], parameter["example"]
        for status in each.told["responses"]:
            for kind, content in each.response(int(status)).get("content", {}).items():
                for example in content.get("examples", {}).values():
                    shown = resolved(document, example)["value"]
                    yield f"{each.path} {status} {kind}", content["schema"], shown
    for name, header in document["components"]["headers"].items():
        yield name, header["schema"], header["example"]


def test_every_example_fits_its_schema(document: Json) -> None:
    """Bodies, parameters and headers; every success has one in both media types."""
    found = list(examples(document))
    assert [
        (place, problems)
        for place, schema, example in found
        if (problems := violations(document, schema, example))
    ] == []
    shown = {place for place, _, _ in found}
    for each in operations(document):
        assert {f"{each.path} 200 {kind}" for kind in each.response(200)["content"]} <= shown


def test_an_example_is_the_real_answer_cut_short(sample: Visitor, document: Json) -> None:
    """From the content that is served, not from somebody's mind."""
    each = next(each for each in reads(document) if each.told["operationId"] == "listCategories")
    shown = document["components"]["examples"]["listCategories"]["value"]
    assert shown["items"] == sample.get(each.target()).json["items"][:2]
    text = document["components"]["examples"]["listCategoriesMarkdown"]["value"]
    assert sample.get(each.target(), {"Accept": "text/markdown"}).text.startswith(text)


def test_absent_fields_are_left_out_and_null_is_named(document: Json) -> None:
    """Null passes just where the contract has it; what is sent may have it for a field unfilled."""
    nullable = {
        f"{name}.{field}"
        for name, schema in document["components"]["schemas"].items()
        for field, told in schema.get("properties", {}).items()
        if {"type": "null"} in told.get("anyOf", ()) and name != "Lead"
    }
    assert nullable == {
        "Health.bootstrapError",
        "LocalePage.citySlug",
        "LocaleRouting.redirect",
        "PostDetail.prev",
        "PostDetail.next",
        "OrderPagination.nextSinceId",
        "CataloguePagination.nextSinceId",
    }


def test_the_document_is_cached_as_every_read(sample: Visitor) -> None:
    """JSON, public, with an ETag; and readers' programs may fetch it in any Accept."""
    reply = sample.get("/openapi.json", {"Accept": "text/html"})
    assert reply.headers["Content-Type"] == "application/json"
    assert reply.headers["Cache-Control"].startswith("public, ")
    known = sample.get("/openapi.json", {"If-None-Match": reply.headers["ETag"]})
    assert (known.status, known.body) == (304, b"")


def test_a_folder_without_content_has_a_contract_too(visit: Visit) -> None:
    """The same operations; where there is nothing to show there is no example."""
    visitor = visit({})
    document: Json = visitor.get("/openapi.json").json
    validate(document)
    shown: Mapping[str, object] = document["components"]["examples"]
    assert "getPage" not in shown
    assert "listPages" in shown
    for each in reads(document):
        if "{" not in each.path and not each.told["security"]:
            assert visitor.get(each.target()).status == 200


def test_partners_may_send_their_token_in_either_header(document: Json) -> None:
    """Two schemes, either of which is enough, for the five operations and no other."""
    schemes = document["components"]["securitySchemes"]
    assert schemes["partnerBearer"]["scheme"] == "bearer"
    assert schemes["partnerKey"]["name"] == "X-Ecom-Api-Token"
    secured = {
        (each.method, each.path): each.told["security"]
        for each in operations(document)
        if each.told["security"]
    }
    assert set(secured) == {
        ("get", "/api/orders"),
        ("get", "/api/orders/{id}"),
        ("get", "/api/products"),
        ("get", "/api/erp/orders/{id}/preview"),
        ("post", "/api/erp/orders/{id}/push"),
    }
    either: list[Json] = [{"partnerBearer": []}, {"partnerKey": []}]
    assert all(schemes == either for schemes in secured.values())


def test_a_push_is_answered_as_documented(shop: Shop, document: Json) -> None:
    """200 when it has arrived, 404 where there is no such order, 401 without a token."""
    each = next(each for each in operations(document) if each.told["operationId"] == "pushOrder")
    reply = each.ask(shop, each.target())
    schema = each.response(200)["content"]["application/json"]["schema"]
    assert reply.status == 200
    assert violations(document, schema, reply.json) == []
    assert unfit_headers(document, each.response(200), reply) == []
    assert answered_as(each, each.ask(shop, each.target(id="999"))) == 404
    assert answered_as(each, shop.ask("POST", each.target())) == 401
    assert "202" in each.told["responses"]
