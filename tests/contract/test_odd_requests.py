"""Odd requests: every response is one that the API contract allows, never a 500."""

from __future__ import annotations

from urllib.parse import quote, urlencode

import pytest
from cases import cases
from conftest import Visit, examples
from contract.schemas import ENDPOINTS, ERROR_ENVELOPE, MISSING_LOCALE_ENVELOPE, example_in
from contract.validation import violations
from contract.visitor import Reply, Visitor
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

KEYS = ("country", "lang", "category", "search", "page", "pageSize", "limit", "path")
WORDS = (
    "AE",
    "sa",
    "en",
    "AR",
    "1",
    "0",
    "-1",
    "24",
    "9" * 40,
    "1e9",
    "*",
    "?",
    "الضريبة",
    "ال",
    "١",
    "/sa/ar/erp",
    "//x",
    "/" * 50,
    "erp-guides",
    "\u202e",
    "\x7f",
    "😀",
    "a" * 3_000,
    "NaN",
    "[]",
    "{slug}",
    "%s",
    "' OR 1=1 --",
    "../../etc/passwd",
)

paths = st.sampled_from([row.example.partition("?")[0] for row in ENDPOINTS])
texts = st.one_of(st.sampled_from(WORDS), st.text(st.characters(codec="utf-8"), max_size=30))
names = st.one_of(st.sampled_from(KEYS), texts)
queries = st.lists(st.tuples(names, texts), max_size=5).map(urlencode)
raw_queries = st.text(st.sampled_from("&=;%+?/[]zf0A'<>\\"), max_size=30)
segments = texts.map(lambda text: quote(text, safe=""))
headers = st.dictionaries(
    st.sampled_from(
        ("Accept", "Accept-Encoding", "Accept-Language", "If-None-Match", "Origin", "Range")
    ),
    st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=30),
    max_size=3,
)
sweep = settings(
    max_examples=examples(2.5),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def is_allowed(reply: Reply) -> bool:
    """Return whether the API contract allows a response."""
    if reply.status in (200, 304):
        return True
    schema = MISSING_LOCALE_ENVELOPE if "fallback" in reply.json else ERROR_ENVELOPE
    return reply.status in (400, 404) and violations(schema, reply.json) == []


@cases("target", ["pages/a%00b", "blog/posts?search=%00", "seo-page?path=/%00"])
def test_the_nul_character_is_refused(sample: Visitor, target: str) -> None:
    """Its percent-encoding is valid, but no content contains it."""
    reply = sample.get(f"/api/public/v1/{target}")
    assert reply.status == 400
    assert reply.json["error"]["message"] == "URL: it contains a NUL character"


@sweep
@given(paths, queries)
@example("/api/public/v1/blog/posts", "page=" + "9" * 5_000)
@example("/api/public/v1/seo-page", "path=%2Fsa%2Far%2F..%2F..")
@example("/api/public/v1/seo-page", "path=%5B%3A%3A")
def test_odd_parameters_are_answered(sample: Visitor, path: str, query: str) -> None:
    """Well-formed queries with odd names and values, and with repeated names."""
    assert is_allowed(sample.get(f"{path}?{query}"))


@sweep
@given(paths, raw_queries)
def test_odd_query_strings_are_answered(sample: Visitor, path: str, query: str) -> None:
    """Query strings that no client would write."""
    assert is_allowed(sample.get(f"{path}?{query}"))


@sweep
@given(
    st.sampled_from(["/api/public/v1", "/api/public", "/api"]),
    st.lists(segments, min_size=1, max_size=5),
)
def test_odd_paths_are_answered(sample: Visitor, prefix: str, below: list[str]) -> None:
    """Any text in place of a slug, and any other path."""
    assert is_allowed(sample.get("/".join([prefix, *below])))


@sweep
@given(
    st.sampled_from(["pages", "blog/posts", "locale-content", "locale-content/software/module"]),
    segments.filter(bool),
    queries,
)
def test_odd_slugs_are_answered(sample: Visitor, path: str, slug: str, query: str) -> None:
    """Of the resources that have one, with any query."""
    assert is_allowed(sample.get(f"/api/public/v1/{path}/{slug}?{query}"))


@sweep
@given(paths, headers)
def test_odd_headers_are_answered(sample: Visitor, path: str, sent: dict[str, str]) -> None:
    """Any printable text in headers that the service reads."""
    assert is_allowed(sample.get(path, sent))


POST = "---\ntitle: A post\npublishedAt: 2026-01-01\ncategory: news\ntags: [a]\n---\nText.\n"
TREES = [
    pytest.param({}, id="no file at all"),
    pytest.param({"posts/a.md": POST, "posts/b.md": POST, "posts/c.ar.md": POST}, id="only posts"),
]


@pytest.mark.parametrize("files", TREES)
def test_every_endpoint_works_with_little_content(visit: Visit, files: dict[str, str]) -> None:
    """Missing content gives an empty list or 404, both matching the contract."""
    visitor = visit(files)
    for row in ENDPOINTS:
        for country, lang in (("AE", "en"), ("SA", "ar")):
            reply = visitor.get(example_in(row, country, lang))
            assert is_allowed(reply)
            if reply.status == 200:
                assert violations(row.schema, reply.json) == []
            else:
                assert "{" in row.stable


def test_lists_and_bundles_work_without_content(visit: Visit) -> None:
    """Every endpoint without a slug gives 200 for an empty folder."""
    visitor = visit({})
    answered = [row for row in ENDPOINTS if visitor.get(row.example).status == 200]
    assert answered == [row for row in ENDPOINTS if "{" not in row.stable]


def test_posts_alone_are_a_complete_blog(visit: Visit) -> None:
    """A folder of posts, as from another site generator, is sufficient."""
    visitor = visit({"posts/a.md": POST, "posts/b.md": POST})
    body = visitor.get("/api/public/v1/blog/posts").json
    assert [item["slug"] for item in body["items"]] == ["a", "b"]
    assert visitor.get("/api/public/v1/blog/posts/a").json["post"]["title"] == "A post"
    assert visitor.get("/api/public/v1/blog/homepage").json["featured"]["slug"] == "a"
