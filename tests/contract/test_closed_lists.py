"""Closed lists of the API contract: the documents and all JSON of the sample have no other values.

The lists are written out here as the contract has them, independent of the code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from cases import cases
from contract.schemas import ENDPOINTS, example_in
from contract.visitor import BASE_URL, NOW, Visitor
from gulf import all_locales
from storefront.shop import TOKEN

from app.platform.settings import SAMPLE_CONTENT
from app.web.openapi.information import LEGACY_PATH, OPENAPI_PATH
from knowledge.resources.site_map import site_map
from knowledge.snapshot.loading import load_content
from renderers.blocks.context import with_markdown_links

Json = dict[str, Any]
SECTION_TYPES = ("richText", "faq", "cta", "featureGrid", "bulletList", "image", "stats")
LANGUAGES = ("en", "ar")
COUNTRIES = ("AE", "SA", "QA", "OM", "KW", "BH")
SLUGS = ("ae", "sa", "qa", "om", "kw", "bh")
SOFTWARE = ("module", "industry")
LISTS = {
    "ErrorDetail.code": (
        *("RESOURCE_NOT_FOUND", "VALIDATION_ERROR", "RATE_LIMITED"),
        *("CONFLICT", "SERVICE_UNAVAILABLE", "INTERNAL_ERROR"),
    ),
    "Lead.topic": ("demo", "pricing", "support", "other"),
    "Lead.localeLang": LANGUAGES,
    "SeoPage.lang": LANGUAGES,
    "SeoPage.dir": ("ltr", "rtl"),
    "LocaleMeta.resolvedFrom": ("global", "country_default", "locale_override", "city_override"),
    "PageSection.type": SECTION_TYPES,
    "PageSeo.robotsIndex": ("index", "noindex"),
    "PageSeo.robotsFollow": ("follow", "nofollow"),
    "SoftwareDetail.kind": SOFTWARE,
    "CountryItem.code": COUNTRIES,
    "CountryItem.slug": SLUGS,
    "CityItem.countryCode": COUNTRIES,
    "LocaleHint.countryCode": COUNTRIES,
    "LocaleHint.source": ("header", "fallback"),
    "LocaleRouting.country": SLUGS,
    "LocaleRouting.lang": LANGUAGES,
}
PARAMETERS = {
    "country": COUNTRIES,
    "lang": LANGUAGES,
    "kind": SOFTWARE,
    "localeContent.slug": ("erp", "solutions", "business-models", "faqs", "contact", "industries"),
}
ITEM = {"question", "answer"}
SECTION = {"id", "type", "visible", "heading", "body", "items", "layout"}


def options(document: Json, schema: Json) -> set[str]:
    """Return the values that a schema allows, null aside."""
    if "$ref" in schema:
        return options(document, document["components"]["schemas"][schema["$ref"].split("/")[-1]])
    if "anyOf" in schema:
        return set().union(*(options(document, each) for each in schema["anyOf"]))
    return set(schema.get("enum", () if schema.get("type") == "null" else ("anything",)))


@cases("place", LISTS)
def test_a_closed_list_of_the_contract_is_that_of_the_documents(
    sample: Visitor, place: str
) -> None:
    """Whatever the content of the site is."""
    component, name = place.split(".")
    found = {}
    for path in (OPENAPI_PATH, LEGACY_PATH):
        document = sample.get(path).json
        schema = document["components"]["schemas"].get(component)
        if schema is not None:
            found[path] = options(document, schema["properties"][name])
    assert found
    assert all(each == set(LISTS[place]) for each in found.values()), found


@pytest.mark.parametrize("path", [OPENAPI_PATH, LEGACY_PATH])
def test_parameters_have_the_options_of_the_contract(sample: Visitor, path: str) -> None:
    """In queries and paths."""
    document = sample.get(path).json
    seen = set()
    for route, operations in document["paths"].items():
        if not route.startswith("/api/"):
            continue
        for parameter in operations.get("get", {}).get("parameters", ()):
            reference = parameter.get("$ref", "").rpartition("/")[2]
            declared = document["components"]["parameters"].get(reference, parameter)
            name = declared["name"]
            if route.endswith("/locale-content/{slug}") and name == "slug":
                name = "localeContent.slug"
            is_added = route.endswith(("/changes", "/search")) or "/kinds/" in route
            if name in PARAMETERS and not is_added:
                seen.add(name)
                assert options(document, declared["schema"]) == set(PARAMETERS[name]), route
    assert seen == set(PARAMETERS)


def test_only_partners_get_another_code(sample: Visitor) -> None:
    """`UNAUTHORIZED` stands in the schema of their 401 alone, which no other operation has."""
    document = sample.get(OPENAPI_PATH).json
    schemas = document["components"]["schemas"]
    naming = {name for name, schema in schemas.items() if "UNAUTHORIZED" in str(schema)}
    assert naming == {"PartnerErrorDetail"}
    for route, operations in document["paths"].items():
        for operation in operations.values():
            assert ("401" in operation["responses"]) is bool(operation["security"]), route
            secured = route.startswith(("/api/orders", "/api/products", "/api/erp/orders"))
            assert bool(operation["security"]) is secured, route


def objects(value: object, name: str = "") -> Iterator[tuple[str, Json]]:
    """Yield the objects of a body, each with the name of the field in which it stands."""
    if isinstance(value, dict):
        yield name, value
        for key, child in value.items():
            yield from objects(child, key)
    elif isinstance(value, list):
        for child in value:
            yield from objects(child, name)


def strays(body: object) -> Iterator[str]:
    """Yield what a body has beside the lists of the contract."""
    fields = {
        "resolvedFrom": LISTS["LocaleMeta.resolvedFrom"],
        "robotsIndex": LISTS["PageSeo.robotsIndex"],
        "robotsFollow": LISTS["PageSeo.robotsFollow"],
        "countryCode": COUNTRIES,
        "lang": LANGUAGES,
        "dir": LISTS["SeoPage.dir"],
    }
    for name, each in objects(body):
        for field, allowed in fields.items():
            if each.get(field, allowed[0]) not in allowed:
                yield f"{field}: {each[field]}"
        if name == "error" and each["code"] not in LISTS["ErrorDetail.code"]:
            yield f"error.code: {each['code']}"
        if name == "sections":
            yield from _section_strays(each)


def _section_strays(section: Json) -> Iterator[str]:
    if section["type"] not in SECTION_TYPES:
        yield f"section.type: {section['type']}"
    yield from (f"section.{name}" for name in section.keys() - SECTION)
    if "items" in section and section["type"] != "faq":
        yield f"items of {section['type']}"
    yield from (f"item: {item}" for item in section.get("items", ()) if item.keys() != ITEM)
    if section["type"] != "faq" and not section.get("body"):
        yield f"the body of {section['id']} is empty"
    layout = section.get("layout", {"name": "", "entries": []})
    if layout.keys() != {"name", "entries"} or layout["name"] in SECTION_TYPES:
        yield f"layout: {layout}"


def test_every_response_of_the_api_has_only_values_of_the_contract(sample: Visitor) -> None:
    """Of every endpoint in every locale, errors and aliases included."""
    found: dict[str, list[str]] = {}
    for row in ENDPOINTS:
        for locale in all_locales():
            country = locale.country or COUNTRIES[0]
            target = example_in(row, country, locale.language)
            found |= {target: list(strays(sample.get(target).json))}
    missing = ("/api/no-such", "/api/public/v1/pages/no-such", "/api/public/v1/pages?lang=fr")
    found |= {target: list(strays(sample.get(target).json)) for target in missing}
    assert {target: each for target, each in found.items() if each} == {}


@pytest.fixture(scope="module")
def pages(sample: Visitor) -> Mapping[str, Json]:
    """The JSON of every page of the sample in every locale, by path."""
    site = site_map(load_content(SAMPLE_CONTENT, form_kinds=()).snapshot, NOW)
    paths = [
        locale.path + address.path for locale in all_locales() for address in site.addresses(locale)
    ]
    answers = {path: sample.get(path, {"Accept": "application/json"}) for path in paths}
    assert {path for path, reply in answers.items() if reply.status != 200} == set()
    return {path: reply.json for path, reply in answers.items()}


@pytest.mark.slow
def test_every_page_as_json_has_only_values_of_the_contract(pages: Mapping[str, Json]) -> None:
    """In its sections, and the fields of countries, languages, directions, robots and scopes."""
    found = {path: each for path, body in pages.items() if (each := list(strays(body)))}
    assert found == {}


@pytest.mark.slow
def test_the_sections_of_a_page_are_whole_in_json(
    sample: Visitor, pages: Mapping[str, Json]
) -> None:
    """Their bodies, and the questions of a `faq`, are the text of the page as markdown."""
    layouts, differing = set(), []
    for path, body in pages.items():
        sections = [each for name, each in objects(body) if name == "sections"]
        layouts |= {each["layout"]["name"] for each in sections if "layout" in each}
        if not sections:
            continue
        text = with_markdown_links("\n\n".join(chapters(sections)), BASE_URL)
        shown = sample.get(path, {"Accept": "text/markdown"}).text
        if text.rstrip() not in shown:
            differing.append(path)
    assert differing == []
    assert {"plans", "steps", "team", "quote"} <= layouts


def chapters(sections: list[Json]) -> Iterator[str]:
    """Yield headings and texts of sections as a client writes them that knows the contract only."""
    for section in sections:
        if "heading" in section:
            yield f"## {section['heading']}"
        if "body" in section:
            yield section["body"]
        for item in section.get("items", ()):
            yield f"### {item['question']}\n\n{item['answer']}"


@pytest.mark.parametrize(("locale", "price"), [("ae/en", "AED 399"), ("sa/ar", "399 ر.س.")])
def test_the_prices_of_plans_are_in_the_body(sample: Visitor, locale: str, price: str) -> None:
    """In the reader's words."""
    sections = sample.get(f"/{locale}/pricing.json").json["page"]["sections"]
    (plans,) = [each for each in sections if each.get("layout", {}).get("name") == "plans"]
    assert price in re.sub(r"\s", " ", plans["body"])
    assert plans["layout"]["entries"][0]["prices"][0]["amount"] == "399.00"


def test_ids_and_cursors_have_64_bits() -> None:
    """Of one type in path and body, so that generated clients pass one as the other."""
    with Visitor(erp_pull_api_token=TOKEN) as visitor:
        document = visitor.get(OPENAPI_PATH).json
    checked = set()
    for name, schema in fields(document):
        if re.search(r"^id$|Id$|_id$", name) and "integer" in str(schema):
            checked.add(name)
            kinds = {each["type"]: each.get("format") for each in schema.get("anyOf", [schema])}
            assert kinds["integer"] == "int64", (name, schema)
    assert {"id", "since_id", "nextSinceId"} <= checked
    paths = document["paths"]
    (path_id,) = [
        each for each in paths["/api/orders/{id}"]["get"]["parameters"] if each.get("in") == "path"
    ]
    order_id = document["components"]["schemas"]["Order"]["properties"]["id"]
    assert path_id["schema"]["type"] == order_id["type"] == "integer"


def fields(document: Json) -> Iterator[tuple[str, Json]]:
    """Yield the properties and parameters of a document."""
    for schema in document["components"]["schemas"].values():
        yield from schema.get("properties", {}).items()
    for operations in document["paths"].values():
        for operation in operations.values():
            for parameter in operation["parameters"]:
                if "schema" in parameter:
                    yield parameter["name"], parameter["schema"]
