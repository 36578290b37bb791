"""A country in a call: by code or by name, as agents and their users write it."""

from __future__ import annotations

from typing import Any

import pytest
from agents import HOST, legacy
from cases import cases
from conftest import Visit
from contract.visitor import Visitor
from mcp_calls import call

from app.features.mcp.tool import ToolError, argument_schema
from app.features.mcp.tools import TOOLS
from knowledge.markdown.tokens import estimate_tokens

NAMES = {
    "ae": (
        "AE",
        "ae",
        "UAE",
        "U.A.E.",
        "ARE",
        "United Arab Emirates",
        "emirates",
        "الإمارات",
        "Dubai",
        "دبي",
        "AED",
    ),
    "sa": (
        "sa",
        "KSA",
        "SAU",
        "Saudi Arabia",
        "Kingdom of Saudi Arabia",
        "السعودية",
        "سعودية",
        "Riyadh",
        "the Kingdom",
        "المملكة",
        "Saudia",
        "Khobar",
        "Mecca",
    ),
    "kw": (
        "kw",
        "Kuwait",
        "KUWAIT ",
        "State of Kuwait",
        "الكويت",
        "دولة الكويت",
        "KWD",
        "kwd",
        "kuwayt",
        "+965",
    ),
    "om": ("om", "Oman", "عمان", "عُمان", "سلطنة عمان", "the Sultanate", "السلطنة", "Nizwa"),
    "qa": ("QAT", "Qatar", "قطر", "Quatar"),
    "bh": ("BHR", "bahrain", "مملكة البحرين", "Bahrein", "bahraini"),
}


@cases(("slug", "name"), [(slug, name) for slug, names in NAMES.items() for name in names])
def test_a_country_is_understood_by_code_and_by_name(sample: Visitor, slug: str, name: str) -> None:
    """In both languages, with or without what belongs to the full name."""
    by_name = call(sample, "list_pages", country=name, limit=1)
    assert by_name["pages"][0]["id"].startswith(f"/{slug}/en")


@cases("name", ["France", "FR", "x", "العربية", "Oman and Kuwait", "zz" * 500])
def test_another_country_is_refused_with_those_of_the_site(sample: Visitor, name: str) -> None:
    """Also a name that fits two of them, or none."""
    with pytest.raises(ToolError, match="Send country as one of ae, sa, qa, om, kw, bh"):
        call(sample, "list_pages", country=name)


@cases(("slug", "name"), [(slug, name) for slug, names in NAMES.items() for name in names])
def test_search_takes_a_country_that_its_schema_does_not_name(
    sample: Visitor, slug: str, name: str
) -> None:
    """ChatGPT expects a query alone; other agents send what the other tools take."""
    found = call(sample, "search", query="price of Starter in Oman", country=name, lang="en")
    assert {each["id"][:6] for each in found["results"]} == {f"/{slug}/en"}
    listed = {tool.name: argument_schema(tool.arguments)["properties"] for tool in TOOLS}
    assert list(listed["search"]) == ["query"]


@cases(
    "name",
    ["KSA", "Saudi%20Arabia", "Riyadh", "SAR", "%D8%A7%D9%84%D8%B3%D8%B9%D9%88%D8%AF%D9%8A%D8%A9"],
)
def test_the_address_takes_the_same_names(site: Visitor, name: str) -> None:
    """`/mcp?country=KSA` is written by the same people."""
    params = {"name": "list_pages", "arguments": {"limit": 1}}
    replies = [
        legacy(site, "tools/call", params, target=f"/mcp?country={each}") for each in (name, "sa")
    ]
    assert replies[0].body == replies[1].body


def definitions(visitor: Visitor, query: str = "") -> list[dict[str, Any]]:
    """Return the tools as they are listed."""
    tools: list[dict[str, Any]] = legacy(visitor, "tools/list", target=f"/mcp{query}").json[
        "result"
    ]["tools"]
    return tools


def test_the_schema_lists_the_countries_of_the_site_with_their_names(site: Visitor) -> None:
    """In the language of the address, for each tool that takes a country."""
    taking = ["find_passages", "list_pages", "list_entries"]
    for query, name in (("", "Kuwait"), ("?lang=ar", "الكويت")):
        schemas = {
            each["name"]: each["inputSchema"]["properties"]["country"]
            for each in definitions(site, query)
            if "country" in each["inputSchema"]["properties"]
        }
        assert list(schemas) == taking
        for schema in schemas.values():
            assert [each["const"] for each in schema["oneOf"]] == list(NAMES_IN_ORDER)
            assert {"const": "kw", "title": name} in schema["oneOf"]


NAMES_IN_ORDER = ("ae", "sa", "qa", "om", "kw", "bh")


def test_the_definitions_of_the_sample_cost_few_tokens(site: Visitor) -> None:
    """With its six countries, in every list that a client reads."""
    assert estimate_tokens(str(definitions(site))) < 2_500


def test_a_site_without_countries_has_none_in_the_schema(visit: Visit) -> None:
    """It ignores the argument."""
    one = visit({"pages/a.md": "---\ntitle: A\n---\nText.\n"}, countries=False, mcp=True)
    asked = legacy(one, "tools/list", headers=HOST)
    for each in asked.json["result"]["tools"]:
        assert "oneOf" not in each["inputSchema"]["properties"].get("country", {})
