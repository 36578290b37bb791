"""JSON Schemas of front matter: they accept and refuse what the service does."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
import yaml
from cases import cases
from conftest import Content
from jsonschema import Draft202012Validator

import knowledge
from knowledge.checks.front_matter_schema import front_matter_schema, schema_names
from knowledge.diagnostics.diagnostic import Severity
from knowledge.documents import front_matter
from knowledge.documents.content_path import parse_content_path
from knowledge.documents.files import SourceFile
from knowledge.snapshot.loading import load_content

SAMPLE = Path(knowledge.__file__).parent / "content"


class EditorLoader(yaml.SafeLoader):
    """Reads YAML as editors do, by YAML 1.2: dates and `yes` are strings."""


EditorLoader.yaml_implicit_resolvers = {
    first: [each for each in resolvers if each[0].rpartition(":")[2] not in ("timestamp", "bool")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
EditorLoader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile("^(?:true|false)$"), ["t", "f"]
)

FILES = {
    path.relative_to(SAMPLE).as_posix(): path.read_text("utf-8")
    for path in sorted(SAMPLE.rglob("*.md"))
    if not path.name.startswith("_")
}


@cache
def validator(name: str) -> Draft202012Validator:
    """Return the validator of a schema; all of them take a second, which no import may cost."""
    return Draft202012Validator(front_matter_schema(name))


def problems(name: str, text: str) -> list[str]:
    """Return what a schema says of front matter, as editors and as the service read it."""
    parts = front_matter.parse(SourceFile("x.md", f"---\n{text}\n---\n"))
    typed = yaml.load(text, EditorLoader)  # noqa: S506  # a safe loader
    return [
        f"{list(error.path)}: {error.message}"
        for value in (parts.metadata, typed or {})
        for error in validator(name).iter_errors(value)
    ]


def test_every_schema_is_valid_and_explains_every_key() -> None:
    """In JSON Schema 2020-12."""
    for name in schema_names():
        schema = front_matter_schema(name)
        Draft202012Validator.check_schema(schema)
        for block in (schema, *schema["$defs"].values()):
            for key, value in block.get("properties", {}).items():
                assert value.get("description") or key in ("en", "ar"), f"{name}: {key}"


def test_the_sample_is_valid() -> None:
    """Every file, under the schema of its kind."""
    places = load_content(SAMPLE).places
    seen = set()
    for path, text in FILES.items():
        parsed = parse_content_path(path, places)
        assert parsed is not None
        name = f"site-{parsed.slug}" if parsed.kind.singletons else parsed.kind.singular
        raw = front_matter.parse(SourceFile(path, text)).raw
        assert problems(name, raw) == [], path
        seen.add(name)
    # The sample describes no tag, and declares no kind and no form.
    assert seen | {"tag", "kind", "form"} == set(schema_names())


FAULTS = [
    ("page", "published: perhaps"),
    ("page", "publishedAt: next Tuesday"),
    ("page", "publishedAt: 2026-13-01"),
    ("page", "title: [a, b]"),
    ("page", "countries: [ae, xx]"),
    ("page", "countries: xx"),
    ("page", "lang: '!'"),
    ("page", "sortOrder: soon"),
    ("page", "sortOrder: 1.5"),
    ("page", "seo: yes"),
    ("page", "seo: {robotsIndex: maybe}"),
    ("page", "seo: {noIndex: sometimes}"),
    ("page", "seo: {canonicalUrl: 'javascript:alert(1)'}"),
    ("post", "tags: {a: b}"),
    ("testimonial", "rating: 9"),
    ("testimonial", "rating: '0.5'"),
    ("testimonial", "rating: good"),
    ("product", "id: 0"),
    ("product", "stock: -1"),
    ("product", "prices: {KWD: cheap}"),
    ("product", "prices: {KWD: -1}"),
    ("product", "prices: {Dinar: '1.000'}"),
    ("product", "taxCategory: X"),
    ("product", "specs: [{name: [a]}]"),
    ("country", "currency: Dirham"),
    ("city", "countryCode: XX"),
    ("site-navigation", "headerLinks: [{active: perhaps}]"),
    ("site-home", "stats: {items: 3}"),
]


@pytest.mark.parametrize(("name", "text"), FAULTS)
def test_a_fault_that_check_refuses_is_refused(name: str, text: str, content: Content) -> None:
    """With the same text, the service leaves out the file."""
    assert len(problems(name, text)) >= 1
    kind, _ = schema_names()[name]
    slug = name.partition("-")[2] if kind.singletons else {"country": "ae"}.get(name, "x")
    loaded = load_content(content({f"{kind}/{slug}.md": f"---\n{text}\n---\n\nText.\n"}))
    assert any(each.severity is Severity.ERROR for each in loaded.diagnostics)
    assert f"{kind}/{slug}.md" not in loaded.snapshot.by_path


ACCEPTED = [
    ("page", "title: {en: A, ar: ب}\npublished: no\nsortOrder: 3\nseo:\n"),
    ("page", "publishedAt: 2026-06-01 10:00:00 +0400\nupdatedAt: May 1, 2026\ncountries: AE, sa"),
    ("page", "unpublishAt: Fri, 01 May 2026 10:00:00 +0400\nlang: en-US\npublished: 2026-05-01"),
    ("post", "date: 2026-05-01\ndraft: true\ncategories: [a, b]\ntags: vat erp\ncover: {src: x}"),
    ("post", "taxonomies: {tags: [a], categories: [b]}\nsummary: S\nlastmod: 2026-05-01"),
    ("product", "id: '7'\nprices: {AED: 4250, kwd: '1.000'}\nstock: '0'\nactive: on"),
    ("testimonial", "rating: 4.5\nverified: yes"),
    ("testimonial", "rating: '5'\nimage: https://example.com/a.png"),
]


@cases(("name", "text"), ACCEPTED)
def test_what_the_guide_allows_is_accepted(name: str, text: str) -> None:
    """Other spellings, and the names from other generators."""
    assert problems(name, text) == []


def test_a_key_that_the_service_ignores_is_underlined() -> None:
    """It is a typing error in most cases."""
    assert problems("page", "titel: A") != []
    assert problems("page", "seo: {titel: A}") != []
