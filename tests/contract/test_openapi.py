"""The OpenAPI documents: valid, complete, and matched by the actual responses."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from cases import cases
from conftest import Visit
from contract.validation import FORMATS
from contract.visitor import BASE_URL, Reply, Visitor
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate
from storefront.receiver import answers
from storefront.shop import Shop

from app.web.http.response_headers import SUNSET
from app.web.legacy import ALIASES, SOFTWARE_DETAIL
from app.web.openapi.information import LEGACY_PATH, OPENAPI_PATH
from app.web.openapi.operation import route_specs, template

Json = dict[str, Any]
PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"
LOCALES = [("SA", "en"), ("AE", "ar")]


SENTENCE = re.compile(r"[A-Z`].+[.]", re.DOTALL)
TOKENS = [f"token-of-partner-{number}" for number in range(40)]
"""Several, so that no rate limit applies."""
_TOKENS = cycle(TOKENS)


@pytest.fixture(scope="session")
def shop() -> Iterator[Shop]:
    """The sample service with partner interface, sample orders and webhook."""
    with Shop(answers(200), erp_pull_api_token=",".join(TOKENS)) as opened:
        opened.take_samples()
        yield opened


@pytest.fixture(scope="session")
def contract(sample: Visitor) -> Json:
    """The document of the stable paths."""
    return closed(sample.get(OPENAPI_PATH).json)


@pytest.fixture(scope="session")
def legacy(sample: Visitor) -> Json:
    """The document of the aliases."""
    return closed(sample.get(LEGACY_PATH).json)


@pytest.fixture(scope="session", params=["contract", "legacy"])
def document(request: pytest.FixtureRequest) -> Json:
    """Either document."""
    document: Json = request.getfixturevalue(request.param)
    return document


def closed(document: Json) -> Json:
    """Return a document in which no object has properties that its schema does not define."""
    for schema in document["components"]["schemas"].values():
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
    return document


@dataclass(frozen=True)
class Documented:
    """One operation of the document, with its method and path."""

    document: Json
    method: str
    path: str
    operation: Json

    @property
    def parameters(self) -> list[Json]:
        """The parameters, with references resolved."""
        return [resolved(self.document, each) for each in self.operation["parameters"]]

    def ask(self, visitor: Visitor, target: str, headers: Mapping[str, str] | None = None) -> Reply:
        """Send a request, with a partner token if the operation requires one."""
        key = {"X-Ecom-Api-Token": next(_TOKENS)} if self.operation["security"] else {}
        return visitor.ask(self.method.upper(), target, {**key, **(headers or {})})

    def response(self, status: int) -> Json:
        """Return the documented response for a status; raises KeyError if there is none."""
        return resolved(self.document, self.operation["responses"][str(status)])

    def target(self, **values: str) -> str:
        """Build the request target from the examples, with `values` instead of some of them."""
        path, query = self.path, {}
        for parameter in self.parameters:
            name = parameter["name"]
            value = values.get(name, parameter.get("example"))
            if parameter["in"] == "path":
                path = path.replace(f"{{{name}}}", quote(str(value)))
            elif parameter["in"] == "query" and value is not None:
                query[name] = value
        return f"{path}?{urlencode(query)}" if query else path


def operations(document: Json) -> list[Documented]:
    """Return every operation of the API."""
    return [each for each in all_operations(document) if each.path.startswith("/api/")]


def all_operations(document: Json) -> list[Documented]:
    """Return every operation, also those of pages."""
    return [
        Documented(document, method, path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def reads(document: Json) -> list[Documented]:
    """Return every GET operation."""
    return [each for each in operations(document) if each.method == "get"]


def resolved(document: Json, node: Json) -> Json:
    """Return a node, or the node it refers to."""
    if "$ref" not in node:
        return node
    target: Any = document
    for step in node["$ref"].removeprefix("#/").split("/"):
        target = target[step]
    assert isinstance(target, dict)
    return target


def violations(document: Json, schema: Json, instance: object) -> list[str]:
    """Return every violation of a schema of the document."""
    validator = Draft202012Validator({**document, **schema}, format_checker=FORMATS)
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(instance)]


@pytest.mark.parametrize("path", [OPENAPI_PATH, LEGACY_PATH])
def test_the_document_is_valid_openapi(sample: Visitor, path: str) -> None:
    """Against the schema of OpenAPI 3.1."""
    document: Json = sample.get(path).json
    validate(document)
    assert document["openapi"].startswith("3.1.")
    assert document["info"]["version"] == "1.0.0"
    assert document["servers"] == [{"url": BASE_URL}]


def test_each_route_is_in_exactly_one_document(
    sample: Visitor, contract: Json, legacy: Json
) -> None:
    """Method and path of all routes under `/api/`, without HEAD and OPTIONS."""
    routes = {
        (method.lower(), template(rule.rule))
        for rule in sample.quart.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith("/api/")
    }
    documented = [(each.method, each.path) for each in operations(contract) + operations(legacy)]
    assert len(documented) == len(routes)
    assert set(documented) == routes


def test_every_operation_has_a_unique_id_and_a_description(document: Json) -> None:
    """A readable operationId, a described tag, a summary and a description."""
    documented = operations(document)
    names = [each.operation["operationId"] for each in documented]
    assert len(names) == len(set(names))
    assert [name for name in names if not re.fullmatch(r"[a-z][A-Za-z0-9]+", name)] == []
    tags = {tag["name"]: tag["description"] for tag in document["tags"]}
    for each in documented:
        assert all(tags[tag] for tag in each.operation["tags"])
        assert each.operation["summary"]
        assert each.operation["description"].startswith(each.operation["summary"])


def test_every_declaration_has_the_parameters_of_its_path(sample: Visitor) -> None:
    """As many as the rule of its route has variables."""
    for spec in route_specs(sample.quart):
        assert len(spec.variables) == len(spec.operation.path), spec.path


def test_aliases_and_only_aliases_are_deprecated(contract: Json, legacy: Json) -> None:
    """With their sunset date in the description, and a Sunset header."""
    assert set(legacy["paths"]) == {*ALIASES, SOFTWARE_DETAIL}
    for each in operations(contract) + operations(legacy):
        is_stable = each.path in contract["paths"]
        assert each.operation.get("deprecated", False) is not is_stable
        assert (SUNSET in each.operation["description"]) is not is_stable
        assert ("Sunset" in each.response(200)["headers"]) is not is_stable


@cases(("country", "lang"), LOCALES)
def test_every_get_responds_as_documented(
    shop: Shop, document: Json, country: str, lang: str
) -> None:
    """The example requests give 200 with the schema and no undocumented header."""
    documented = reads(document)
    assert documented
    for each in documented:
        target = each.target(country=country, lang=lang)
        reply = each.ask(shop, target)
        assert reply.status == 200, target
        response = each.response(200)
        schema = response["content"]["application/json"]["schema"]
        assert violations(document, schema, reply.json) == [], target
        assert header_violations(document, response, reply) == [], target


def test_every_get_has_markdown_and_304_as_documented(shop: Shop, document: Json) -> None:
    """All operations except the preview have markdown; conditional requests give 304."""
    for each in reads(document):
        reply = each.ask(shop, each.target(), {"Accept": "text/markdown"})
        response = each.response(200)
        media_type = reply.headers["Content-Type"].partition(";")[0]
        assert media_type in response["content"]
        assert (media_type == "text/markdown") is (each.operation["operationId"] != "previewOrder")
        assert header_violations(document, response, reply) == []
        not_modified = each.ask(shop, each.target(), {"If-None-Match": "*"})
        assert not_modified.status == 304
        assert header_violations(document, each.response(304), not_modified) == []


COMMON_HEADERS = {
    "access-control-allow-origin",
    "access-control-expose-headers",
    "content-length",
    "content-security-policy",
    "content-type",
    "cross-origin-resource-policy",
    "referrer-policy",
    "strict-transport-security",
    "x-content-type-options",
    "x-robots-tag",
}
"""Generic headers of HTTP, browsers and search engines, which no operation documents."""


def header_violations(document: Json, response: Json, reply: Reply) -> list[str]:
    """Return headers that are undocumented, missing although required, or invalid."""
    documented = {
        name.lower(): resolved(document, header) for name, header in response["headers"].items()
    }
    sent = {name.lower() for name, _ in reply.headers}
    problems = [f"{name} is undocumented" for name in sent - COMMON_HEADERS - documented.keys()]
    for name, header in documented.items():
        if name not in sent:
            problems += [f"{name} is missing"] if header.get("required") else []
        else:
            problems += violations(document, header["schema"], header_value(header, reply, name))
    return problems


def header_value(header: Json, reply: Reply, name: str) -> object:
    """Return the value of a header in the type of its schema."""
    value = reply.headers[name]
    return int(value) if header["schema"].get("type") == "integer" else value


def test_every_bound_of_a_number_responds_as_documented(shop: Shop, document: Json) -> None:
    """The least and the greatest value of each parameter give 200 with the schema."""
    bounds = [
        (each, {part["name"]: str(part["schema"][bound])})
        for each in reads(document)
        for part in each.parameters
        for bound in ("minimum", "maximum")
        if part["in"] == "query" and bound in part["schema"]
    ]
    assert bounds
    for each, value in bounds:
        reply = each.ask(shop, each.target(**value))
        assert reply.status == 200, (each.path, value)
        schema = each.response(200)["content"]["application/json"]["schema"]
        assert violations(document, schema, reply.json) == [], (each.path, value)


def test_error_statuses_are_as_documented(shop: Shop, document: Json) -> None:
    """400 for every GET, 404 for those that look up a document, 401 without a token."""
    for each in reads(document):
        malformed = each.ask(shop, f"{each.target().partition('?')[0]}?x=%zz")
        assert checked_status(each, malformed) == 400
        if "404" in each.operation["responses"]:
            value = "999" if each.operation["security"] else "no-such-thing"
            unknown = {part["name"]: value for part in open_parameters(each)}
            assert checked_status(each, each.ask(shop, each.target(**unknown))) == 404
        if each.operation["security"]:
            assert checked_status(each, shop.get(each.target())) == 401


def test_values_that_are_always_refused_violate_the_schema(document: Json) -> None:
    """The NUL character in any parameter, and a word as the id of an order."""
    for each in operations(document):
        for part in each.parameters:
            if part["in"] in ("path", "query"):
                assert violations(document, part["schema"], "a\0b"), (each.path, part["name"])
            if part["name"] == "id":
                assert violations(document, part["schema"], "module-inventory"), each.path
                number = 7 if part["schema"].get("type") == "integer" else "7"
                assert violations(document, part["schema"], number) == []


def test_patterns_of_words_mean_the_same_in_python_and_javascript(document: Json) -> None:
    """A word has the letters of ASCII only there, so that no Arabic question would be valid."""
    patterns = re.findall(r'"pattern": "([^"]*)"', json.dumps(document))
    assert patterns
    assert not [each for each in patterns if re.search(r"\\[wWbB]", each)]


ANNOTATIONS = {"$defs", "default", "description", "discriminator", "examples", "title"}


def test_schemas_have_only_keywords_of_json_schema(document: Json) -> None:
    """A bound under a name of Python's libraries, such as `ge`, would bind nobody."""
    known = {*Draft202012Validator.VALIDATORS, *ANNOTATIONS}
    unknown = [
        f"{location}/{name}"
        for location, schema in schemas_within(document["components"]["schemas"])
        if "type" in schema and not location.endswith("/properties")
        for name in schema
        if name not in known
    ]
    assert unknown == []


def open_parameters(each: Documented) -> list[Json]:
    """Return the path parameters without an enumeration; all if every one has one."""
    parts = [part for part in each.parameters if part["in"] == "path"]
    return [part for part in parts if "$ref" not in part["schema"]] or parts


def checked_status(each: Documented, reply: Reply) -> int:
    """Check body and headers of an error against the document; return its status."""
    response = each.response(reply.status)
    schema = response["content"]["application/json"]["schema"]
    assert violations(each.document, schema, reply.json) == []
    assert header_violations(each.document, response, reply) == []
    return reply.status


def test_a_page_of_another_locale_gives_404_as_documented(sample: Visitor, contract: Json) -> None:
    """The 404 has a fallback to the locale that has the page."""
    target = "/api/public/v1/blog/posts/barcode-labels-that-scan?lang=ar"
    reply = sample.get(target)
    assert reply.json["fallback"]["lang"] == "en"
    each = next(each for each in reads(contract) if each.operation["operationId"] == "getPost")
    assert checked_status(each, reply) == 404


def test_every_operation_lists_the_common_errors(document: Json) -> None:
    """400, 429 and 500 for all; 429 and 503 have Retry-After."""
    for each in operations(document):
        assert {"200", "400", "429", "500"} <= each.operation["responses"].keys()
        assert "RateLimit-Reset" in each.response(200)["headers"]
        for status in {"429", "503"} & each.operation["responses"].keys():
            assert "Retry-After" in each.response(int(status))["headers"]


def examples(document: Json) -> Iterator[tuple[str, Json, object]]:
    """Yield every example of a body, parameter or header as (location, schema, example)."""
    for each in operations(document):
        for parameter in each.parameters:
            if "example" in parameter:
                location = f"{each.path} {parameter['name']}"
                yield location, parameter["schema"], parameter["example"]
        for status in each.operation["responses"]:
            for kind, content in each.response(int(status)).get("content", {}).items():
                for example in content.get("examples", {}).values():
                    shown = resolved(document, example)["value"]
                    yield f"{each.path} {status} {kind}", content["schema"], shown
    for name, header in document["components"]["headers"].items():
        yield name, header["schema"], header["example"]


def test_every_example_matches_its_schema(document: Json) -> None:
    """Bodies, parameters and headers; every success has an example per media type."""
    all_examples = list(examples(document))
    assert [
        (location, problems)
        for location, schema, example in all_examples
        if (problems := violations(document, schema, example))
    ] == []
    shown = {location for location, _, _ in all_examples}
    for each in operations(document):
        assert {f"{each.path} 200 {kind}" for kind in each.response(200)["content"]} <= shown


def test_an_example_is_a_shortened_real_response(sample: Visitor, contract: Json) -> None:
    """Generated from the content that is served."""
    each = next(
        each for each in reads(contract) if each.operation["operationId"] == "listCategories"
    )
    shown = contract["components"]["examples"]["listCategories"]["value"]
    real = sample.get(each.target()).json["items"]
    assert len(shown["items"]) == 2
    for some, whole in zip(shown["items"], real, strict=False):
        assert some.keys() == whole.keys()
        assert all(
            text == whole[name] or str(whole[name]).startswith(text.removesuffix(" …"))
            for name, text in some.items()
        )
    text = contract["components"]["examples"]["listCategoriesMarkdown"]["value"]
    assert sample.get(each.target(), {"Accept": "text/markdown"}).text.startswith(text)


NULLABLE = {
    "Health.bootstrapError",
    "LocalePage.citySlug",
    "LocaleRouting.redirect",
    "PostDetail.prev",
    "PostDetail.next",
    "OrderPagination.nextSinceId",
    "CataloguePagination.nextSinceId",
}


def test_only_these_fields_are_nullable(contract: Json) -> None:
    """Other absent fields are omitted. In the body of a lead, every optional field may be null."""
    nullable = {
        f"{name}.{field}"
        for name, schema in contract["components"]["schemas"].items()
        for field, property_schema in schema.get("properties", {}).items()
        if {"type": "null"} in property_schema.get("anyOf", ()) and name != "Lead"
    }
    assert nullable == NULLABLE


@cases("path", [OPENAPI_PATH, LEGACY_PATH, "/openapi/blog.json"])
def test_the_document_is_cached_like_every_get(sample: Visitor, path: str) -> None:
    """JSON for any Accept header, public, with an ETag."""
    reply = sample.get(path, {"Accept": "text/html"})
    assert reply.headers["Content-Type"] == "application/json"
    assert reply.headers["Cache-Control"].startswith("public, ")
    again = sample.get(path, {"If-None-Match": reply.headers["ETag"]})
    assert (again.status, again.body) == (304, b"")


def test_the_document_is_valid_without_content(visit: Visit, contract: Json) -> None:
    """It has no operations and no examples of what is missing."""
    visitor = visit({})
    document: Json = visitor.get("/openapi.json").json
    validate(document)
    assert document["paths"].keys() < contract["paths"].keys()
    assert "/api/public/v1/blog/posts" not in document["paths"]
    shown: Mapping[str, object] = document["components"]["examples"]
    assert "getPage" not in shown
    assert "listPages" in shown
    for each in reads(document):
        if "{" not in each.path and not each.operation["security"]:
            assert visitor.get(each.target()).status == 200


def test_partners_may_send_their_token_in_either_header(contract: Json) -> None:
    """Two alternative schemes for the five partner operations, and no others."""
    schemes = contract["components"]["securitySchemes"]
    assert schemes["partnerBearer"]["scheme"] == "bearer"
    assert schemes["partnerKey"]["name"] == "X-Ecom-Api-Token"
    secured = {
        (each.method, each.path): each.operation["security"]
        for each in operations(contract)
        if each.operation["security"]
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


def test_a_push_responds_as_documented(shop: Shop, contract: Json) -> None:
    """200 when delivered, 404 for an unknown order, 401 without a token."""
    each = next(
        each for each in operations(contract) if each.operation["operationId"] == "pushOrder"
    )
    reply = each.ask(shop, each.target())
    schema = each.response(200)["content"]["application/json"]["schema"]
    assert reply.status == 200
    assert violations(contract, schema, reply.json) == []
    assert header_violations(contract, each.response(200), reply) == []
    assert checked_status(each, each.ask(shop, each.target(id="999"))) == 404
    assert checked_status(each, shop.ask("POST", each.target())) == 401
    assert "202" in each.operation["responses"]


def test_it_names_contact_and_licence(contract: Json) -> None:
    """Those of the site, and of the package."""
    project = tomllib.loads(PYPROJECT.read_text())["project"]
    assert contract["info"]["license"]["identifier"] == project["license"].partition(" ")[0]
    assert contract["info"]["contact"] == {
        "name": "Wahat",
        "url": f"{BASE_URL}/ae/en/contact",
        "email": "hello@wahat.example",
    }


def schemas_within(value: object, location: str = "") -> Iterator[tuple[str, Json]]:
    """Yield every object of a document with its location, without examples and their like."""
    if isinstance(value, dict):
        yield location, value
        for key, child in value.items():
            if key not in ("example", "examples", "value", "default") or location.endswith(
                "/properties"
            ):
                yield from schemas_within(child, f"{location}/{key}")
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from schemas_within(child, f"{location}/{index}")


def test_each_enumeration_stands_once(document: Json) -> None:
    """Those that occur several times have names, so that programs have one type for each."""
    found = [
        (location, tuple(schema["enum"]))
        for location, schema in schemas_within(document)
        if isinstance(schema.get("enum"), list)
    ]
    assert Counter(options for _, options in found).most_common(1)[0][1] == 1
    assert [options for _, options in found if len(set(options)) < len(options)] == []
    named = {location.rpartition("/")[2] for location, _ in found if location.count("/") == 3}
    assert {"Country", "CountrySlug", "Language", "Kind", "RegistryPage"} <= named


def test_each_tag_has_a_document_of_its_own(sample: Visitor, contract: Json) -> None:
    """Together they have each stable operation once, and no component that they do not use."""
    paths: dict[str, Json] = {}
    for tag in contract["tags"]:
        part: Json = sample.get(f"/openapi/{tag['name']}.json").json
        validate(part)
        assert part["tags"] == [tag]
        assert part["info"]["version"] == "1.0.0"
        assert not paths.keys() & part["paths"].keys()
        paths |= part["paths"]
        text = json.dumps(part)
        for kind, named in part["components"].items():
            if kind != "securitySchemes":
                assert [name for name in named if f'"#/components/{kind}/{name}"' not in text] == []
    assert paths == contract["paths"]


def test_the_document_of_a_tag_fits_into_a_context(sample: Visitor, contract: Json) -> None:
    """It has about 25,000 tokens at most, 8,000 of them for blocks."""
    paths = [f"/openapi/{tag['name']}.json" for tag in contract["tags"]]
    assert [path for path in paths if len(sample.get(path).body) > 86_000] == []


def test_an_unknown_tag_has_no_document(sample: Visitor) -> None:
    """Neither has that of a legacy route."""
    assert sample.get("/openapi/unknown.json").status == 404
    assert sample.get("/openapi/software.json").status == 404


def undescribed(document: Json) -> list[str]:
    """Return where a property, parameter or header has no description, or no sentence."""
    parts = document["components"]
    named: list[tuple[str, Json]] = [
        (f"{each.path} {parameter['name']}", parameter)
        for each in all_operations(document)
        for parameter in each.parameters
    ]
    named += [*parts["schemas"].items(), *parts["headers"].items(), *parts["responses"].items()]
    for location, schema in schemas_within(parts["schemas"]):
        if isinstance(schema.get("properties"), dict) and not location.endswith("/properties"):
            named += [(f"{location}/{name}", each) for name, each in schema["properties"].items()]
    return [name for name, each in named if not SENTENCE.fullmatch(each.get("description", ""))]


def test_everything_has_a_description(document: Json) -> None:
    """Write it below the field of the model, or as `description` of its `Field`."""
    assert undescribed(document) == []


@pytest.mark.parametrize(
    ("name", "path", "body"),
    [
        pytest.param("Lead", "/api/public/v1/leads", {"email": "noor@example.test"}, id="lead"),
        pytest.param(
            "Feedback",
            "/api/public/v1/feedback",
            {"path": "/ae/en/pricing", "message": "The price is last year's."},
            id="feedback",
        ),
    ],
)
def test_null_is_accepted_in_a_body_where_the_schema_says_so(
    visit: Visit, name: str, path: str, body: Json
) -> None:
    """And only there: each field is sent as null."""
    visitor = visit({})
    document: Json = visitor.get(OPENAPI_PATH).json
    schema = document["components"]["schemas"][name]
    for number, field in enumerate(schema["properties"]):
        sent = {**body, field: None}
        is_valid = not violations(document, schema, sent)
        reply = visitor.post(path, sent, peer=f"203.0.113.{number}")
        assert reply.status == (200 if is_valid else 400), field


def null_fields(value: object, name: str = "") -> set[str]:
    """Return the names of the fields of a body that are null."""
    if isinstance(value, dict):
        return set().union(*(null_fields(child, key) for key, child in value.items()))
    if isinstance(value, list):
        return set().union(*(null_fields(child, name) for child in value))
    return {name} if value is None else set()


def test_each_nullable_field_is_null_in_some_response(shop: Shop, contract: Json) -> None:
    """No other field is."""
    posts = shop.get("/api/public/v1/blog/posts?pageSize=24").json["items"]
    bodies = [each.ask(shop, each.target()).json for each in reads(contract)]
    bodies += [shop.get(f"/api/public/v1/blog/posts/{each['slug']}").json for each in posts]
    assert null_fields(bodies) == {name.partition(".")[2] for name in NULLABLE}


@pytest.mark.parametrize("lang", ["en", "ar"])
def test_pages_have_their_formats_as_documented(sample: Visitor, contract: Json, lang: str) -> None:
    """One path for each suffix describes all pages, with its example and its errors."""
    formats = [each for each in all_operations(contract) if not each.path.startswith("/api/")]
    assert [each.path for each in formats] == [
        "/{country}/{lang}/{slug}.md",
        "/{country}/{lang}/{slug}.json",
        "/{country}/{lang}/{slug}.xml",
    ]
    for each in formats:
        ((media_type, content),) = each.response(200)["content"].items()
        for slug in ("index", "erp", "blog"):
            reply = sample.get(each.target(lang=lang, slug=slug))
            assert reply.status == 200
            assert reply.headers["Content-Type"].partition(";")[0] == media_type
            assert header_violations(contract, each.response(200), reply) == []
        shown = content["examples"]["example"]["value"]
        assert violations(contract, content["schema"], shown) == []
        for status, slug in ((404, "no-such-page"), (308, "ERP"), (400, "a\0b")):
            reply = sample.get(each.target(slug=slug))
            assert reply.status == status
            response = each.response(status)
            assert header_violations(contract, response, reply) == []
            given = reply.headers.get("Content-Type", "").partition(";")[0]
            assert status == 308 or given in response["content"]
