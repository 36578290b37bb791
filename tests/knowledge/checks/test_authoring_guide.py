"""The tables of keys in the guides for authors, compared with the front matter models."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_type_hints

import pytest
from cases import cases
from pydantic.alias_generators import to_camel

from knowledge.fields.blog_fields import PostFields
from knowledge.fields.content_types import CONTENT_TYPES, SITE, AnyContentType
from knowledge.fields.front_matter import Common, Fields, PageSeo
from knowledge.fields.own_fields import own_fields
from knowledge.fields.site_fields import NAMED_WORDS, NamedWords

DOCS = Path(__file__).parents[3] / "docs"
GUIDE = (DOCS / "authoring.md").read_text("utf-8")
TYPES = {
    "BilingualString": "text",
    r"list\[": "list",
    r"\bbool\b": "yes/no",
    "_utc_datetime": "date",
    "_price": "amount",
    "_image": "image",
    "int": "number",
}
"""The guide's words for types, by a pattern of the annotation."""

KEY = re.compile(r"`(\w+)`")


ELSEWHERE = {"_kinds": "kinds.md", "forms": "forms.md"}
"""The guides of content types that have one of their own."""


def section(heading: str) -> str:
    """Return the part of the guide below the heading that contains a text."""
    parts = re.split(r"^### ", GUIDE, flags=re.MULTILINE)
    return next(part for part in parts if heading in part.partition("\n")[0])


def documented(table: str) -> set[str]:
    """Return the keys in the first column of a table."""
    rows = (line for line in table.splitlines() if line.startswith("| `"))
    return {key for row in rows for key in KEY.findall(row.split("|")[1])}


def keys(model: type[Fields]) -> set[str]:
    """Return the keys of a model."""
    return set(map(to_camel, model.field_names))


def row(model: type[Fields], name: str) -> str:
    """Return the row of a key; its meaning is that of a declared field."""
    own = own_fields(model).get(name)
    meaning = own.declaration.meaning or "" if own else ""
    hint = repr(get_type_hints(model, include_extras=True)[name])
    written = next((word for sign, word in TYPES.items() if re.search(sign, hint)), "string")
    return f"| `{to_camel(name)}` | {written} | {meaning} | |"


@cases("kind", [kind for kind in CONTENT_TYPES if kind is not SITE])
def test_the_guide_has_the_keys_of_each_content_type(kind: AnyContentType) -> None:
    """No key is missing; none is left over but in guides of their own, which have more tables."""
    own = keys(kind.fields) - keys(Common)
    own_guide = ELSEWHERE.get(str(kind))
    text = (DOCS / own_guide).read_text("utf-8") if own_guide else section(f"`{kind}/`")
    table = documented(text)
    missing = [
        row(kind.fields, name) for name in kind.fields.field_names if to_camel(name) in own - table
    ]
    assert not missing, f"Add to {own_guide or 'authoring.md'}:\n" + "\n".join(missing)
    assert own_guide or table <= keys(kind.fields)


def test_the_guide_has_the_keys_of_every_kind() -> None:
    """With those of `seo`, in a table of its own."""
    common, seo = section("Every kind").split("| Key in `seo` |")
    assert documented(common) == keys(Common)
    assert documented(seo) == keys(PageSeo)


@cases(
    ("name", "expected"),
    [
        pytest.param("excerpt", "| `excerpt` | text |  | |", id="text"),
        pytest.param("tags", "| `tags` | list |  | |", id="list"),
        pytest.param("published_at", "| `publishedAt` | date |  | |", id="date"),
        pytest.param("cover_image", "| `coverImage` | image |  | |", id="image"),
        pytest.param("sort_order", "| `sortOrder` | number |  | |", id="number"),
        pytest.param("template", "| `template` | string |  | |", id="string"),
    ],
)
def test_a_missing_row_is_derived_from_the_model(name: str, expected: str) -> None:
    """The author of a field copies it from the message."""
    assert row(PostFields, name) == expected


def test_the_guide_has_all_words() -> None:
    """The table has no other key."""
    table = documented(section("Words"))
    missing = [
        f"| `{to_camel(name)}` | {NAMED_WORDS[name].default} | |"
        for name in NAMED_WORDS
        if to_camel(name) not in table
    ]
    assert not missing, "Add to the words in docs/authoring.md:\n" + "\n".join(missing)
    assert table == keys(NamedWords) - keys(Common)


@cases("name", [name for name in SITE.singletons if name != "words"])
def test_the_guide_has_the_keys_of_the_documents_of_site(name: str) -> None:
    """Each document has one row, with its blocks."""
    line = next(line for line in section("`site/`").splitlines() if f"`{name}.md`" in line)
    named = set(re.findall(r"\w+", line))
    assert keys(SITE.singletons[name]) - keys(Common) <= named
