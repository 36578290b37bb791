"""Tests of the resources."""

from __future__ import annotations

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import BASE_URL, Visitor
from mcp_calls import context_of

from app.features.mcp.resources import (
    UnknownResource,
    list_resources,
    list_templates,
    read_resource,
)


def test_the_guide_of_each_locale_is_listed_and_read(site: Visitor) -> None:
    """That of the call first; the bytes are those over HTTP."""
    context = context_of(site, "/sa/ar")
    entries = list_resources(context)
    assert entries[0].uri == f"{BASE_URL}/sa/ar/llms.txt"
    assert len({entry.uri for entry in entries}) == len(context.edition.snapshot.open_locales)
    for entry in entries[:3]:
        assert entry.title
        assert entry.description
        assert entry.media_type == "text/markdown"
        read = read_resource(context, entry.uri)
        assert read.text == site.get(entry.uri.removeprefix(BASE_URL)).text


@cases("path", ["/sa/ar/erp.md", "/ae/en/index.md", "/ae/en/cities/dubai/erp.md"])
def test_the_markdown_of_a_page_is_read_by_the_template(sample: Visitor, path: str) -> None:
    """Its URI is the URL of the markdown."""
    context = context_of(sample)
    (template,) = list_templates(context)
    _, country, lang, rest = path.removesuffix(".md").split("/", 3)
    uri = template.uri_template.format_map({"country": country, "lang": lang, "+path": rest})
    assert uri == BASE_URL + path
    read = read_resource(context, uri)
    assert (read.uri, read.media_type, read.text) == (uri, "text/markdown", sample.get(path).text)


@cases(
    "uri",
    [
        "",
        BASE_URL,
        f"{BASE_URL}/ae/en/erp",
        f"{BASE_URL}/ae/en/nothing.md",
        f"{BASE_URL}/fr/en/erp.md",
        f"{BASE_URL}/ae/en/llms-9.txt",
        f"{BASE_URL}/ae/en/erp.md?part=2",
        "/ae/en/erp.md",
        "https://elsewhere.test/ae/en/erp.md",
        "file:///etc/passwd",
    ],
)
def test_an_unknown_resource_is_refused(sample: Visitor, uri: str) -> None:
    """Pages that are missing, other forms, other sites and files of the machine."""
    with pytest.raises(UnknownResource):
        read_resource(context_of(sample), uri)


def test_a_huge_resource_comes_in_parts(visit: Visit) -> None:
    """Each ends with the URI of the next."""
    text = "## Part\n\n" + "Stock is counted every week. " * 100 + "\n\n"
    visitor = visit({"pages/guide.en.md": f"---\ntitle: Guide\n---\n{text * 20}"})
    uri = f"{BASE_URL}/ae/en/guide.md"
    first = read_resource(context_of(visitor), uri).text
    assert len(first) < 40_200
    assert first.endswith(f"\n\n> 1/2: <{uri}?part=2>\n")
    assert read_resource(context_of(visitor), f"{uri}?part=2").text.startswith("## Part")


def test_a_site_without_countries_has_a_template_without_them(visit: Visit) -> None:
    """And reads its pages by it."""
    visitor = visit({"pages/a.en.md": "---\ntitle: a\n---\nText"}, countries=False)
    context = context_of(visitor, "/en")
    (template,) = list_templates(context)
    assert template.uri_template == f"{BASE_URL}/{{lang}}/{{+path}}.md"
    assert "Text" in read_resource(context, f"{BASE_URL}/en/a.md").text
