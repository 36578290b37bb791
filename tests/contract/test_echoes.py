"""What a visitor sends never stands in a markdown answer or in a text for agents as a text of it.

A link hands an agent a stranger's words in the site's own document. So suggestions consist of
words of the site alone, and what an error repeats is one plain line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, unquote, urlencode

import pytest
from agents import legacy
from cases import cases
from contract.visitor import Reply, Visitor

from app.features.mcp.tools import TOOLS
from app.publishing.content.passage_finder import MAX_SUGGESTION
from knowledge.markdown.slugs import slugify

STRANGE = "zzqx"
HOSTILE = (
    f"How is the invioce\n\n# {STRANGE} heading\r\n\u2028* [{STRANGE}](https://{STRANGE}.example)"
    f" `{STRANGE}` **{STRANGE}** <b>{STRANGE}</b> | \x1b[2J\u202e"
)
"""A query of which one word is misspelt."""
QUERIES = ("q", "search", "category", "tag", "author", "page", "kind", "items", "sort", "brand")
PATHS = (
    *("", "/blog", "/search", "/products", "/products/compare", "/modules", "/industries"),
    *("/contact", "/pricing", "/cities", "/testimonials", "/erp"),
)
BELOW = ("", "/blog", "/blog/category", "/blog/tag", "/blog/author", "/products", "/cities", "/erp")


def without_targets(text: str, sent: str) -> str:
    """Return a text without what was sent as it is in addresses: encoded, or as a slug."""
    for each in (quote(sent, safe=""), quote(sent), urlencode({"": sent})[1:], slugify(sent)):
        text = text.replace(each, "")
    return text


def has_echo(reply: Reply) -> bool:
    """Return whether a markdown answer repeats what was sent, as markdown or as words."""
    return STRANGE in without_targets(reply.text, HOSTILE)


@cases("locale", ["/ae/en", "/sa/ar"])
@cases("path", PATHS)
@cases("name", QUERIES)
def test_no_markdown_answer_repeats_a_query(
    sample: Visitor, locale: str, path: str, name: str
) -> None:
    """Neither a page nor an error, whatever the parameter is about."""
    reply = sample.get(f"{locale}{path}?{urlencode({name: HOSTILE})}", {"Accept": "text/markdown"})
    assert not has_echo(reply)


@cases("locale", ["/ae/en", "/sa/ar", ""])
@cases("path", BELOW)
def test_no_markdown_error_repeats_a_path(sample: Visitor, locale: str, path: str) -> None:
    """The answer to a missing page has links to similar pages alone."""
    target = f"{locale}{path}/{quote(HOSTILE, safe='')}"
    for suffix, headers in (("", {"Accept": "text/markdown"}), (".md", {})):
        reply = sample.get(f"{target}{suffix}", headers)
        assert reply.status in (400, 404)
        assert not has_echo(reply)


@pytest.mark.parametrize(
    ("path", "suggestions"), [("/ae/en/search.md?q=", 3), ("/ae/en/blog.md?search=", 1)]
)
def test_a_suggestion_consists_of_words_of_the_site(
    sample: Visitor, path: str, suggestions: int
) -> None:
    """Also of a query that finds something, and however long it is."""
    known = (
        "invioce tax warehouse report payroll customer order product service supplier purchase "
        "branch stock price support training"
    )
    assert len(known) > MAX_SUGGESTION
    suggested = set()
    for query in (HOSTILE, known, f"# {known}"):
        text = sample.get(f"{path}{quote(query)}").text
        for line in text.splitlines():
            if "Did you mean" in line:
                suggested.add(query)
                shown = line.partition("[")[2].partition("]")[0]
                assert 0 < len(shown) <= MAX_SUGGESTION
                assert shown.replace(" ", "").isalnum()
                assert unquote(line.partition("=")[2].rstrip(")")).replace("+", " ") == shown
    assert len(suggested) == suggestions


@pytest.fixture(scope="module")
def mcp() -> Iterator[Visitor]:
    """The sample with MCP."""
    with Visitor(mcp=True) as visitor:
        yield visitor


@cases("tool", TOOLS)
def test_what_a_tool_repeats_is_one_plain_line(mcp: Visitor, tool: Any) -> None:
    """Of each argument, of the name of an argument and of that of the tool."""
    for name in (*tool.arguments.model_fields, HOSTILE):
        given = {"query": "invoice", "id": "/ae/en"} | {name: HOSTILE}
        known = {key: value for key, value in given.items() if key == name or key in names(tool)}
        assert_plain(legacy(mcp, "tools/call", {"name": tool.name, "arguments": known}))
    assert_plain(legacy(mcp, "tools/call", {"name": HOSTILE, "arguments": {}}))
    assert_plain(legacy(mcp, "resources/read", {"uri": HOSTILE}))
    assert_plain(legacy(mcp, HOSTILE))


def names(tool: Any) -> set[str]:
    """Return the names of a tool's arguments."""
    return {*tool.arguments.model_fields}


def assert_plain(reply: Reply) -> None:
    """Fail if a text of an answer has a line break, a sign of markdown or a control character."""
    for text in texts(json.loads(reply.text)):
        if STRANGE in text:
            assert text.isprintable()
            assert not set(text) & set("`*[]<>|")


def texts(value: Any) -> list[str]:
    """Return all texts of a JSON value, also in a text of JSON; data of errors are for programs."""
    if isinstance(value, dict):
        shown = (each for name, each in value.items() if name != "data")
        return [text for each in shown for text in texts(each)]
    if isinstance(value, list):
        return [text for each in value for text in texts(each)]
    if isinstance(value, str) and value.startswith("{"):
        return texts(json.loads(value))
    return [value] if isinstance(value, str) else []
