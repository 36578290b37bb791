"""The value types of front matter, tested through whole documents."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from cases import cases
from conftest import document_of, set_values

from knowledge.diagnostics.diagnostic import ContentFileError
from knowledge.fields.blog_fields import PostFields


def read(line: str, folder: str = "products", suffix: str = "") -> dict[str, Any]:
    """Return the values of a file with this front matter line."""
    return set_values(document_of(f"{folder}/a{suffix}.md", f"---\n{line}\n---\nText").fields)


@cases(
    ("line", "moment"),
    [
        pytest.param("2026-05-01", datetime(2026, 5, 1, tzinfo=UTC), id="date is midnight UTC"),
        pytest.param(
            "2026-05-01T09:30:00+04:00", datetime(2026, 5, 1, 5, 30, tzinfo=UTC), id="ISO"
        ),
        pytest.param("2026-05-01T09:30:00Z", datetime(2026, 5, 1, 9, 30, tzinfo=UTC), id="Z"),
        pytest.param("2026-05-01 09:30", datetime(2026, 5, 1, 9, 30, tzinfo=UTC), id="no zone"),
        pytest.param(
            "2026-05-01 09:30:00 +0400", datetime(2026, 5, 1, 5, 30, tzinfo=UTC), id="Jekyll"
        ),
        pytest.param(
            "2026-05-01 09:30:00 UTC", datetime(2026, 5, 1, 9, 30, tzinfo=UTC), id="zone name"
        ),
        pytest.param("May 1, 2026", datetime(2026, 5, 1, tzinfo=UTC), id="American words"),
        pytest.param("1 May 2026", datetime(2026, 5, 1, tzinfo=UTC), id="words"),
        pytest.param("'Jul 08 2022'", datetime(2022, 7, 8, tzinfo=UTC), id="Astro's sample"),
        pytest.param("2026/05/01", datetime(2026, 5, 1, tzinfo=UTC), id="slashes"),
        pytest.param(
            "Fri, 01 May 2026 09:30:00 +0400", datetime(2026, 5, 1, 5, 30, tzinfo=UTC), id="mail"
        ),
    ],
)
def test_dates_are_parsed_in_common_formats(line: str, moment: datetime) -> None:
    """All are converted to UTC."""
    assert read(f"publishedAt: {line}")["published_at"] == moment


@cases(
    ("line", "field", "value"),
    [
        pytest.param("title: Hello", "title", {"en": "Hello"}, id="plain text"),
        pytest.param("title: {en: Hi, ar: مرحبا}", "title", {"en": "Hi", "ar": "مرحبا"}, id="both"),
        pytest.param("title: {en: Hi, ar: ~}", "title", {"en": "Hi"}, id="null inherits"),
        pytest.param("title: ''", "title", {"en": ""}, id="empty text overrides"),
        pytest.param("title: 2026", "title", {"en": "2026"}, id="a number is text"),
        pytest.param("title: no", "title", {"en": "no"}, id="no is text"),
        pytest.param("sku: 0012", "sku", "0012", id="leading zeros stay"),
        pytest.param("countries: sa, AE", "countries", ["SA", "AE"], id="countries in a line"),
        pytest.param("countries: [qa]", "countries", ["QA"], id="countries as list"),
        pytest.param("countries: []", "countries", [], id="empty list overrides"),
        pytest.param("lang: ar-SA", "lang", "ar", id="region is ignored"),
        pytest.param("published: no", "published", False, id="switch"),
        pytest.param("prices: {KWD: 1.250}", "prices", {"KWD": Decimal("1.250")}, id="exact money"),
        pytest.param("image: x.png", "image", "x.png", id="image"),
        pytest.param("image: {src: x.png}", "image", "x.png", id="nested image"),
        pytest.param("sortOrder: '7'", "sort_order", 7, id="number"),
    ],
)
def test_values_are_parsed_by_the_type_of_their_field(line: str, field: str, value: object) -> None:
    """Scalars are text; the field's type decides how they are parsed."""
    assert read(line)[field] == value


@cases(
    ("lines", "categories"),
    [
        pytest.param("category: a", ["a"], id="one"),
        pytest.param("category: [a, b]", ["a", "b"], id="a list"),
        pytest.param("categories: [a, b]", ["a", "b"], id="Jekyll's list"),
        pytest.param("categories: Company News, b", ["Company News", "b"], id="a line"),
        pytest.param("categories: [b, a]\ncategory: a", ["a", "b"], id="a main one"),
        pytest.param("categories: []", [], id="none"),
    ],
)
def test_all_categories_of_a_post_count(lines: str, categories: list[str]) -> None:
    """The main one is the first."""
    document = document_of("posts/a.md", f"---\n{lines}\n---\n")
    fields = document.fields
    assert isinstance(fields, PostFields)
    assert fields.all_categories == categories


@cases(
    ("lines", "authors"),
    [
        pytest.param("author: Jane", [{"name": {"en": "Jane"}}], id="name"),
        pytest.param("by: Jane Doe <j@x.org>", [{"name": {"en": "Jane Doe"}}], id="email"),
        pytest.param("authors: [A, B]", [{"name": {"en": "A"}}, {"name": {"en": "B"}}], id="names"),
        pytest.param(
            "author: {en: A, ar: أ}", [{"name": {"en": "A", "ar": "أ"}}], id="by language"
        ),
        pytest.param(
            "authors:\n- name: A\n  website: https://a.example\n  role: Editor\n  avatar: a.png",
            [
                {
                    "name": {"en": "A"},
                    "url": "https://a.example",
                    "title": {"en": "Editor"},
                    "image": "a.png",
                }
            ],
            id="details",
        ),
        pytest.param(
            "author: {name: A, url: 'javascript:alert(1)'}", [{"name": {"en": "A"}}], id="no URL"
        ),
        pytest.param("authors: []", [], id="none"),
    ],
)
def test_authors_are_read_in_all_their_forms(lines: str, authors: list[object]) -> None:
    """Those of Hugo, Jekyll, Docusaurus and Astro."""
    values = read(lines, "posts")["authors"]
    assert isinstance(values, list)
    assert values == authors


@cases("key", ["weight", "sidebar_position", "nav_order", "order"])
def test_the_order_of_other_generators_is_ours(key: str) -> None:
    """Their keys give the field that our `sortOrder` gives."""
    assert read(f"{key}: 3")["sort_order"] == 3


def test_a_plain_string_is_in_the_file_s_language() -> None:
    """The language is the name's suffix, else `lang`, else English."""
    assert read("title: x", suffix=".ar")["title"] == {"ar": "x"}
    assert read("lang: ar\ntitle: x")["title"] == {"ar": "x"}
    assert read("lang: ar\ntitle: x", suffix=".en")["title"] == {"en": "x"}


@cases(
    ("line", "value"),
    [
        pytest.param("tags: a, b c", ["a", "b c"], id="commas"),
        pytest.param("tags: a b", ["a", "b"], id="spaces"),
        pytest.param("tags: [a, ~, b]", ["a", "b"], id="list"),
        pytest.param("tags:\n- 2026\n- no", ["2026", "no"], id="numbers stay text"),
    ],
)
def test_tags_may_be_text_or_list(line: str, value: list[str]) -> None:
    """Other generators use both."""
    assert read(line, "posts")["tags"] == value


@cases(
    ("line", "words"),
    [
        pytest.param("publishedAt: soon", "publishedAt: invalid date “soon”", id="no date"),
        pytest.param(f'publishedAt: "2026{" " * 100}:"', "invalid date", id="long date"),
        pytest.param("publishedAt: 2026-02-30", "invalid date", id="no such day"),
        pytest.param("publishedAt: 0001-01-01T00:00:00+14:00", "out of range", id="before time"),
        pytest.param("published: maybe", "published: invalid value “maybe”", id="no boolean"),
        pytest.param("countries: [xx]", "unknown country “xx”", id="no country"),
        pytest.param("countries: {a: b}", "invalid list of countries", id="countries as mapping"),
        pytest.param("lang: xx", "unknown language “xx”", id="no language"),
        pytest.param("title: [a]", "invalid text", id="list as text"),
        pytest.param("prices: {AED: cheap}", "prices.AED", id="no amount"),
        pytest.param("prices: {AED: -1}", "invalid amount “-1”", id="negative"),
        pytest.param("prices: {AED: nan}", "invalid amount “nan”", id="not a number"),
        pytest.param("id: 0", "id: invalid value “0”", id="product id from 1"),
        pytest.param("stock: -1", "stock", id="negative stock"),
        pytest.param("taxCategory: Q", "taxCategory", id="tax category"),
        pytest.param("seo: {robotsIndex: maybe}", "seo.robotsIndex", id="nested"),
        pytest.param("sortOrder: first", "sortOrder", id="no number"),
    ],
)
def test_an_invalid_value_is_reported(line: str, words: str) -> None:
    """The diagnostic contains the key, the value and the line."""
    with pytest.raises(ContentFileError, match=words.partition("“")[0]) as caught:
        read(f"brand: x\n{line}")
    (diagnostic,) = caught.value.diagnostics
    assert words in diagnostic.message
    assert diagnostic.line == 3
