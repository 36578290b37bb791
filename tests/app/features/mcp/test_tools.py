"""Tests of what all tools share: their definitions, and how calls that do not fit are refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from agents import legacy, modern
from cases import cases
from conftest import examples
from contract.visitor import Visitor
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp_calls import call, context_of

from app.features.mcp.tool import (
    ToolError,
    argument_schema,
    call_tool,
    result_schema,
    tool_definition,
)
from app.features.mcp.tools import TOOLS
from knowledge.markdown.tokens import estimate_tokens
from llms.phrases import SiteWords


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _definition(tool: Any, words: SiteWords) -> dict[str, object]:
    return {
        "name": tool.name,
        "description": tool_definition(tool, (), words)["description"],
        "inputSchema": argument_schema(tool.arguments),
    }


def test_the_tools_are_these_in_this_order() -> None:
    """ChatGPT looks for the first two; a changed order invalidates caches of prompts."""
    assert [tool.name for tool in TOOLS] == [
        "search",
        "fetch",
        "find_passages",
        "list_pages",
        "list_entries",
    ]


def test_search_and_fetch_take_what_chatgpt_sends() -> None:
    """One argument each, by the names of its specification."""
    taken = {tool.name: list(argument_schema(tool.arguments)["properties"]) for tool in TOOLS}
    assert taken["search"] == ["query"]
    assert taken["fetch"] == ["id"]


def test_the_definitions_cost_few_tokens(sample: Visitor) -> None:
    """In them 40 tokens of each tool, 200 in all, say which questions it is for.

    Without `list_entries` and these, by o200k they are 527 and 887 tokens; the estimate is higher.
    """
    context = context_of(sample)
    words = SiteWords.of(context.view(context.locale))
    definitions = [_definition(tool, words) for tool in TOOLS]
    results = [result_schema(tool.result) for tool in TOOLS]
    assert estimate_tokens(_compact(definitions)) < 1_060
    assert estimate_tokens(_compact([*definitions, *results])) < 1_900


@cases("tool", TOOLS)
def test_schemas_have_no_references_and_no_titles(tool: Any) -> None:
    """Nor alternatives, null or further arguments: some clients understand none of them."""
    for schema in (argument_schema(tool.arguments), result_schema(tool.result)):
        text = _compact(schema)
        assert schema["type"] == "object"
        assert not any(word in text for word in ("$ref", "$defs", "anyOf", '"title":"', "null"))
    assert argument_schema(tool.arguments)["additionalProperties"] is False


@cases("tool", TOOLS)
def test_descriptions_say_what_tools_do_and_command_nothing(tool: Any) -> None:
    """Clients take commands for an injection; long texts cost tokens."""
    words = f"{tool.description} {tool.use}".lower().replace(".", " ").split()
    assert not {"must", "always", "never", "should", "you", "please"} & set(words)
    assert len(tool.description) < 300
    assert len(tool.title) < 40


@cases(
    ("name", "arguments", "sentence"),
    [
        ("search", {}, "query is required. Send query as a question or words."),
        (
            "search",
            {"userQuery": "x"},
            "There is no argument “userQuery”. Use “query” instead.",
        ),
        ("fetch", {"url": "x"}, "There is no argument “url”. Use “id” instead."),
        (
            "fetch",
            {"id": ""},
            "id: “” is not allowed. Send id as a path such as /sa/ar/faq or /sa/ar/faq#vat.",
        ),
        (
            "find_passages",
            {"query": "x", "limit": 11},
            "limit: “11” is not allowed. Send limit as an integer from 1 to 10.",
        ),
        (
            "find_passages",
            {"query": "x", "maxTokens": 300},
            "There is no argument “maxTokens”. Use “max_tokens” instead.",
        ),
        (
            "find_passages",
            {"query": "x", "language": "ar"},
            "There is no argument “language”. Use “lang” instead.",
        ),
        (
            "find_passages",
            {"query": "x", "lang": "fr"},
            "lang: “fr” is not allowed. Send lang as one of en, ar.",
        ),
        (
            "list_pages",
            {"updated_since": "yesterday"},
            (
                "updated_since: “yesterday” is not allowed."
                " Send updated_since as a date or RFC 3339 date-time."
            ),
        ),
        (
            "list_pages",
            {"zzz": 1},
            (
                "There is no argument “zzz”."
                " Allowed are country, lang, kind, updated_since, cursor, limit."
            ),
        ),
    ],
)
def test_a_call_that_does_not_fit_is_refused_in_one_sentence_with_the_remedy(
    sample: Visitor, name: str, arguments: dict[str, Any], sentence: str
) -> None:
    """Names that models confuse are told by the right one."""
    with pytest.raises(ToolError) as refusal:
        call(sample, name, **arguments)
    assert str(refusal.value) == sentence


def test_an_argument_that_is_null_counts_as_absent(sample: Visitor) -> None:
    """Some clients send all of them."""
    assert call(sample, "list_pages", kind=None, limit=None) == call(sample, "list_pages")


def test_a_long_wrong_value_is_not_repeated_whole(sample: Visitor) -> None:
    """An error of a few hundred characters is enough."""
    with pytest.raises(ToolError) as refusal:
        call(sample, "find_passages", query="x", kind="k" * 10_000)
    assert len(str(refusal.value)) < 400


_NAMES = sorted({name for tool in TOOLS for name in tool.arguments.model_fields})
_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(
        ["sa", "ar", "post", "2026-09-01", "/ae/en/erp#faq", "https://[", "e30", "stock"]
    ),
    st.lists(st.integers(), max_size=2),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(1))
@given(
    st.sampled_from(TOOLS),
    st.dictionaries(st.one_of(st.sampled_from(_NAMES), st.text(max_size=9)), _VALUES, max_size=3),
)
def test_whatever_is_sent_the_result_is_bounded_or_a_short_error(
    sample: Visitor, tool: Any, arguments: dict[str, Any]
) -> None:
    """In tokens, as the context of a model is."""
    called = json.loads(call_tool(tool, arguments, context_of(sample)).open_json + b"}")
    (content,) = called["content"]
    assert 0 < estimate_tokens(content["text"]) < (1_000 if called["isError"] else 25_000)


CALLS = [
    ("search", {"query": "موعد الفوترة الإلكترونية"}),
    ("fetch", {"id": "/sa/ar/erp"}),
    ("fetch", {"id": "/developers"}),
    ("find_passages", {"query": "VAT", "country": "sa"}),
    ("list_pages", {"lang": "ar", "limit": 5}),
    ("list_entries", {"kind": "products", "lang": "ar", "filter": {"prices": "..900"}}),
]


@cases(("name", "arguments"), CALLS)
def test_the_wire_carries_what_the_tool_returns_with_arabic_as_it_is(
    site: Visitor, name: str, arguments: dict[str, Any]
) -> None:
    """In both revisions, as an object and as compact text."""
    expected = call(site, name, **arguments)
    for request in (modern, legacy):
        result = request(site, "tools/call", {"name": name, "arguments": arguments}).json["result"]
        assert result["structuredContent"] == expected
        assert result["content"][0]["text"] == _compact(expected)


def test_resources_are_listed_and_read_over_the_wire(site: Visitor) -> None:
    """With what the protocol says of each, and by the template of pages."""
    (first, *_) = modern(site, "resources/list").json["result"]["resources"]
    assert {"uri", "name", "title", "description", "mimeType"} <= first.keys()
    (template,) = modern(site, "resources/templates/list").json["result"]["resourceTemplates"]
    assert template["uriTemplate"].endswith("/{country}/{lang}/{+path}.md")
    (read,) = modern(site, "resources/read", {"uri": first["uri"]}).json["result"]["contents"]
    assert read["text"] == site.get("/ae/en/llms.txt").text
