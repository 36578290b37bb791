"""The general laws of pages, API and maps, on sites of declared kinds alone: `docs/examples/`."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from cases import cases
from contract.adverts import LOCATION, Advert
from contract.test_openapi import closed, operations, violations
from contract.visitor import Visitor
from contract.walk import Walk
from examples import CLINIC, SITES
from json_ld import nodes_of
from openapi_spec_validator import validate
from page_heads import HEAD_LIMIT
from schema_org import as_list, vocabulary

from app.operations.cli import main
from knowledge.checks.rich_results import lacking
from knowledge.resources.site_map import site_map

NAMES = tuple(site.name for site in SITES)
FORMS = {
    "text/html": "text/html",
    "text/markdown": "text/markdown",
    "application/json": "application/json",
}
ERP = re.compile(
    r"\b(?:ERP|modules?|software|demos?|trials?|payroll|point of sale|invoicing)\b"
    r"|تخطيط الموارد|وحدات|برمجي|عرض توضيحي|نسخة تجريبية",
    re.IGNORECASE,
)
"""Words of a vendor of ERP, which no page of these sites has."""

HIDDEN = re.compile(r"<script.*?</script>|<[^>]*>", re.DOTALL)
"""What nobody reads of HTML."""


@pytest.fixture(scope="module")
def sites() -> Iterator[Mapping[str, Visitor]]:
    """A running service of each site, for tests that only read."""
    with ExitStack() as stack:
        yield {site.name: stack.enter_context(Visitor(content_dir=site)) for site in SITES}


@pytest.fixture(scope="module")
def walks(sites: Mapping[str, Visitor]) -> Mapping[str, Walk]:
    """A crawl of each site, from its maps on."""
    return {name: crawled(visitor) for name, visitor in sites.items()}


def crawled(visitor: Visitor) -> Walk:
    """Return a crawl from the maps, the home pages and an error."""
    walk = Walk(visitor)
    for path in ("/llms.txt", "/sitemap.xml", "/robots.txt", "/", "/nothing"):
        walk.start(path)
    for locale in locales(visitor):
        for name in ("", "/llms.txt", "/llms-full.txt"):
            walk.start(f"{locale}{name}", "text/html" if not name else None)
        walk.start(f"{locale}/nothing", "text/html")
    walk.finish()
    return walk


def locales(visitor: Visitor) -> list[str]:
    """Return the paths of the locales of a site."""
    snapshot = visitor.quart.extensions["majlis"].content_store.current.snapshot
    return [each.path for each in snapshot.open_locales]


def pages(visitor: Visitor) -> list[str]:
    """Return the paths of all pages in the sitemap."""
    return [Advert(url).path for url in LOCATION.findall(visitor.get("/sitemap.xml").text)]


@cases("name", NAMES)
def test_the_check_finds_nothing(name: str) -> None:
    """No error, no warning, and no notice."""
    site = next(each for each in SITES if each.name == name)
    with pytest.raises(SystemExit) as ended:
        main(["check", "--all", str(site)])
    assert not ended.value.code


@cases("name", NAMES)
def test_every_page_answers_in_every_form(sites: Mapping[str, Visitor], name: str) -> None:
    """In both languages, with Vary and an ETag; a request with the ETag gives 304."""
    visitor = sites[name]
    found = pages(visitor)
    assert {path.split("/")[2] for path in found if path.count("/") > 1} >= {"en", "ar"}
    for path in found:
        for accepted, media_type in FORMS.items():
            reply = visitor.get(path, {"Accept": accepted})
            answered = reply.headers["Content-Type"].partition(";")[0]
            assert (reply.status, answered) == (200, media_type), path
            assert {each.strip() for each in reply.headers["Vary"].split(",")} >= {"Accept"}
            again = {"Accept": accepted, "If-None-Match": reply.headers["ETag"]}
            assert visitor.get(path, again).status == 304
            assert "fallbackUsed: true" not in reply.text, path


@cases("name", NAMES)
def test_the_sitemap_has_every_document(sites: Mapping[str, Visitor], name: str) -> None:
    """Each published document and list of a declared kind, in each of its locales."""
    visitor = sites[name]
    snapshot = visitor.quart.extensions["majlis"].content_store.current.snapshot
    found = set(pages(visitor))
    for kind in snapshot.kinds.declared:
        for locale in snapshot.open_locales:
            listed = visitor.get(f"{locale.path}{kind.list_page.path}.json").json
            assert f"{locale.path}{kind.list_page.path}" in found
            assert {each["path"] for each in listed["items"]} <= found
            assert len(listed["items"]) == listed["total"] > 0
    assert len(site_map(snapshot, visitor.clock()).pages) > 15


@pytest.mark.slow
@cases("name", NAMES)
def test_every_advertised_address_answers(walks: Mapping[str, Walk], name: str) -> None:
    """With the advertised type; heads fit into the buffers of proxies."""
    walk = walks[name]
    assert walk.broken == []
    assert walk.with_request_host == []
    assert walk.longest_head < HEAD_LIMIT
    assert len(walk.seen) > 200


@pytest.mark.slow
@cases("name", NAMES)
def test_variants_name_each_other(walks: Mapping[str, Walk], name: str) -> None:
    """Each page is canonical to itself, and all its variants have the same table."""
    walk = walks[name]
    assert list(walk.one_sided()) == []
    assert walk.differing == []
    assert sum(bool(head.alternates) for head in walk.heads.values()) > 30


@pytest.mark.slow
@cases("name", NAMES)
def test_the_titles_for_search_engines_are_short_and_differ(
    walks: Mapping[str, Walk], name: str
) -> None:
    """They have up to 65 characters, and differ from all others of their locale."""
    heads = {
        url: head
        for url, head in walks[name].heads.items()
        if head.is_indexed and head.canonical == url and "?" not in url
    }
    assert {url: head.title for url, head in heads.items() if len(head.title) > 65} == {}
    titles = [(url.split("/")[3:5], head.title) for url, head in heads.items()]
    assert [each for each in titles if titles.count(each) > 1] == []


@cases("name", NAMES)
def test_the_contract_describes_the_answers(sites: Mapping[str, Visitor], name: str) -> None:
    """Valid OpenAPI, which each operation about kinds and pages follows."""
    visitor = sites[name]
    document = visitor.get("/openapi.json").json
    validate(document)
    document = closed(document)
    asked = [
        each
        for each in operations(document)
        if each.method == "get" and not each.operation["security"] and "/leads" not in each.path
    ]
    country, language = locales(visitor)[-1].strip("/").split("/")
    for each in asked:
        reply = visitor.get(each.target(country=country.upper(), lang=language))
        if reply.status == 200:
            schema = each.response(200)["content"]["application/json"]["schema"]
            assert violations(document, schema, reply.json) == [], each.path
    kinds = [each for each in asked if "/kinds/" in each.path]
    assert [visitor.get(each.target(country=country)).status for each in kinds] == [200, 200]


@cases("name", NAMES)
def test_schema_org_knows_what_pages_say(sites: Mapping[str, Visitor], name: str) -> None:
    """Each type and property of JSON-LD, with values of its types."""
    visitor, known = sites[name], vocabulary()
    problems = {
        path: found
        for path in pages(visitor)
        if path.startswith(tuple(locales(visitor)))
        for nodes in [nodes_of(visitor.get(path, {"Accept": "text/html"}).text)]
        if (found := [each for entry in nodes for each in known.problems(entry)])
    }
    assert problems == {}


@cases("name", NAMES)
def test_no_page_has_a_word_of_a_vendor_of_erp(sites: Mapping[str, Visitor], name: str) -> None:
    """In HTML and in markdown, in both languages."""
    visitor = sites[name]
    for path in pages(visitor):
        if path.startswith(tuple(locales(visitor))):
            text = visitor.get(path, {"Accept": "text/markdown"}).text
            assert ERP.findall(text) == [], path
            html = visitor.get(path, {"Accept": "text/html"}).text
            assert ERP.findall(HIDDEN.sub(" ", html)) == [], path


@cases(
    ("name", "path", "controls"),
    [
        ("clinic", "/sa/en/booking", ('type="date"', 'type="checkbox"', 'href="/sa/en/privacy"')),
        ("logistics", "/ae/ar/apply", ('type="file"', 'type="email"', 'href="/ae/ar/privacy"')),
    ],
)
def test_forms_are_declared_too(
    sites: Mapping[str, Visitor], name: str, path: str, controls: tuple[str, ...]
) -> None:
    """A booking with a date and consent, and an application with a file."""
    html = sites[name].get(path, {"Accept": "text/html"}).text
    assert [each for each in controls if each not in html] == []


def test_a_kind_needs_one_file(tmp_path: Path) -> None:
    """One declaration: the check finds nothing, and the list answers in each locale."""
    folder = tmp_path / "site"
    shutil.copytree(CLINIC, folder)
    text = "---\nsingular: { en: Award, ar: جائزة }\nplural: { en: Awards, ar: الجوائز }\n---\n"
    (folder / "_kinds/awards.md").write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["check", "--all", str(folder)])
    assert not ended.value.code
    with Visitor(content_dir=folder) as visitor:
        for locale in locales(visitor):
            page = visitor.get(f"{locale}/awards", {"Accept": "text/html"})
            assert page.status == 200
            assert {"en": "Awards", "ar": "الجوائز"}[locale[-2:]] in page.text
            assert visitor.get(f"{locale}/awards.json").json["total"] == 0


@cases("name", NAMES)
def test_every_thing_has_what_google_requires(sites: Mapping[str, Visitor], name: str) -> None:
    """Of a rich result of its type, on all pages: the nodes within a thing, too."""
    visitor = sites[name]
    lacks = {
        path: found
        for path in pages(visitor)
        if path.startswith(tuple(locales(visitor)))
        for nodes in [nodes_of(visitor.get(path, {"Accept": "text/html"}).text)]
        if (found := [each for node in nodes for each in _lacks(node)])
    }
    assert lacks == {}


def _lacks(node: Mapping[str, Any]) -> Iterator[str]:
    for type_ in as_list(node["@type"]):
        yield from (f"{type_}.{name}" for name, _ in lacking(type_, frozenset(node)))
        for name in PLACES.get(type_, ()):
            places = as_list(node.get(name))
            yield from (f"{type_}.{name}.address" for each in places if "address" not in each)


PLACES = {"JobPosting": ("jobLocation",), "EducationEvent": ("location",), "Event": ("location",)}
"""The places of which Google requires the address."""
