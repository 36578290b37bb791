"""Sections of a page's body."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from cases import cases
from conftest import NOW, document_of, locale_of
from hypothesis import given
from hypothesis import strategies as st

from knowledge.fields.content_types import PAGE
from knowledge.locales.locale import Country
from knowledge.sections.sections import document_sections, merged_sections, section_diagnostics
from knowledge.snapshot.layer_resolution import Entry, resolve

GOLDEN = Path(__file__).parent / "golden"


def ids(body: str) -> list[str]:
    """Return the section ids of a body."""
    return [section.id for section in document_sections(document_of("pages/a.md", body))]


def test_the_golden_page() -> None:
    """The sections are those of golden/sections.json."""
    document = document_of("pages/a.md", (GOLDEN / "sections.md").read_text())
    sections = json.loads(json.dumps([asdict(section) for section in document_sections(document)]))
    assert sections == json.loads((GOLDEN / "sections.json").read_text())


@cases(
    ("body", "expected"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("Text", ["intro"], id="text alone"),
        pytest.param("# Title\n\nText", ["intro"], id="other levels open no section"),
        pytest.param("## A\n\n### B", ["a"], id="a level-3 heading stays inside"),
        pytest.param("## A {#x}\n## B", ["x", "b"], id="explicit id"),
        pytest.param("## *Our* `team`", ["our-team"], id="markup is not part of an id"),
        pytest.param("## فريقنا", ["فريقنا"], id="Arabic"),
        pytest.param("## 🎉", ["section"], id="no letters for an id"),
        pytest.param("## A\n## A\n## A-2\n## A", ["a", "a-2", "a-2-2", "a-3"], id="same names"),
        pytest.param(":::{cta}\nx\n:::", ["cta"], id="directive without title"),
        pytest.param(":::{cta} Go on\nx\n:::", ["go-on"], id="directive with title"),
        pytest.param(":::{cta} Go\n:id: y\n\nx\n:::", ["y"], id="directive with id"),
    ],
)
def test_headings_and_directives_open_sections(body: str, expected: list[str]) -> None:
    """Ids are unique within a file."""
    assert ids(body) == expected


@cases("name", ["faq", "cta", "featureGrid", "bulletList", "image", "stats"])
def test_each_directive_gives_its_type(name: str) -> None:
    """Its title is the heading, and the rest is the body."""
    document = document_of("pages/a.md", f":::{{{name}}} Title\n* x\n:::")
    (section,) = document_sections(document)
    assert (section.type, section.heading, section.body) == (name, "Title", "* x")


def test_an_unknown_directive_is_plain_text_with_a_warning() -> None:
    """Its content is kept."""
    document = document_of("pages/a.md", "x\n\n:::{sidebar} Mind\nthis\n:::")
    assert [(s.type, s.body) for s in document_sections(document)][1] == ("richText", "this")
    (diagnostic,) = section_diagnostics(document)
    assert diagnostic.line == 3
    assert "“sidebar”" in diagnostic.message


def test_directive_syntax_never_reaches_a_reader() -> None:
    """An inner directive is replaced by its content."""
    body = "::::{cta} Outer\nbefore\n\n:::{stats} Inner\nwithin\n:::\n\nafter\n::::"
    (section,) = document_sections(document_of("pages/a.md", body))
    assert section.body == "before\n\nwithin\n\nafter"


@cases(
    ("option", "visible"),
    [
        ("false", False),
        ("False", False),
        ("no", False),
        ("off", False),
        ("true", True),
        ("x", True),
    ],
)
def test_a_directive_can_be_hidden(option: str, visible: bool) -> None:
    """`:visible:` accepts false, no and off."""
    document = document_of("pages/a.md", f":::{{cta}} x\n:visible: {option}\n\ny\n:::")
    assert document_sections(document)[0].visible is visible


def test_section_diagnostics_have_line_numbers() -> None:
    """For an unclosed directive and a duplicate id."""
    document = document_of("pages/a.md", "---\ntitle: x\n---\n## A\n\n## A\n\n:::{stats} open\nx")
    messages = {diagnostic.line: diagnostic.message for diagnostic in section_diagnostics(document)}
    assert "Duplicate section id" in messages[6]
    assert "never closed" in messages[8]
    assert set(messages) == {6, 8}


def test_a_closed_directive_with_a_reference_link_is_closed() -> None:
    """The appended definition does not hide the closing fence."""
    document = document_of("pages/a.md", ":::{cta} x\n[a]\n:::\n\n[a]: /b")
    assert list(section_diagnostics(document)) == []


@cases(
    "body",
    [
        pytest.param(":::{faq} x\n" * 2_000 + "The end.", id="never closed"),
        pytest.param(
            "\n".join(f"{':' * (100 - depth)}{{cta}} x" for depth in range(90))
            + "\nThe end.\n"
            + "\n".join(":" * (11 + depth) for depth in range(90)),
            id="all closed",
        ),
        pytest.param("- a\n:::{faq} x\n> b\n" * 1_000 + "\nThe end.", id="in lists and quotes"),
    ],
)
def test_the_nesting_of_directives_is_limited(body: str) -> None:
    """Beyond the limit only the fences are removed, with a warning."""
    document = document_of("pages/a.md", body)
    text = "\n".join(
        part
        for section in document_sections(document)
        for part in (section.body, *(item.text for item in section.items))
    )
    assert "The end." in text
    assert ":::" not in text
    assert any(
        "nested more than" in diagnostic.message for diagnostic in section_diagnostics(document)
    )


def test_layers_merge_by_id() -> None:
    """The same id replaces in place, a new one is appended, the others stay."""
    documents = (
        document_of("pages/a.md", "Hi\n\n## One\n\n1\n\n## Two\n\n2"),
        document_of("pages/a.sa.md", "## Three\n\n3\n\n## One\n\nsaudi"),
    )
    resolved = resolve(Entry(PAGE, "a", documents), locale_of("sa/en"), NOW)
    assert resolved is not None
    sections = [
        (section.id, section.body, str(doc.layer)) for section, doc in merged_sections(resolved)
    ]
    assert sections == [
        ("intro", "Hi", "global"),
        ("one", "saudi", "sa"),
        ("two", "2", "global"),
        ("three", "3", "sa"),
    ]


def merged_ids(*bodies: str) -> list[str]:
    """Return the section ids of a page that Saudi Arabia, then Riyadh add sections to."""
    paths = ("pages/a.md", "pages/a.sa.md", "pages/a.sa.riyadh.md")
    cities = {"riyadh": Country("SA")}
    documents = [document_of(path, body, cities) for path, body in zip(paths, bodies, strict=False)]
    resolved = resolve(Entry(PAGE, "a", tuple(documents)), locale_of("sa/en"), NOW, "riyadh")
    assert resolved is not None
    return [section.id for section, _ in merged_sections(resolved)]


BASE = "## One\n\n1\n\n## Two\n\n2\n\n:::{cta} Ask\n[us](/contact)\n:::"


@cases(
    ("layers", "expected"),
    [
        pytest.param(["## Three"], ["one", "two", "three", "ask"], id="the last cta stays last"),
        pytest.param(
            ["## Three", "## Four"], ["one", "two", "three", "four", "ask"], id="in each layer"
        ),
        pytest.param(
            [":::{cta} Three\n[us](/contact)\n:::"],
            ["one", "two", "three", "ask"],
            id="another cta",
        ),
        pytest.param(
            [":::{stats} A\n:after: one\n:::\n\n:::{stats} B\n:after: one\n:::"],
            ["one", "a", "b", "two", "ask"],
            id="after a section, in order",
        ),
        pytest.param(
            [":::{stats} A\n:before: one\n:::\n\n:::{stats} B\n:before: one\n:::"],
            ["a", "b", "one", "two", "ask"],
            id="before a section, in order",
        ),
        pytest.param(
            [":::{stats} A\n:after: ask\n:::"], ["one", "two", "ask", "a"], id="after the cta"
        ),
        pytest.param(
            [":::{stats} Two\n:before: one\n:::"], ["two", "one", "ask"], id="a replaced section"
        ),
        pytest.param(
            [":::{stats} A\n:after: none\n:::"], ["one", "two", "a", "ask"], id="unknown id"
        ),
    ],
)
def test_sections_of_layers_have_their_places(layers: list[str], expected: list[str]) -> None:
    """New ones come before a call to action at the end, or where they say."""
    assert merged_ids(BASE, *layers) == expected


markup = st.text(alphabet="ab #:{}`~*->\n\t123.|[]()!<&\\=_'\"ا", max_size=120)


@given(st.one_of(st.text(max_size=150), markup))
def test_any_markdown_has_sections_with_unique_ids(body: str) -> None:
    """Nothing is raised for any text."""
    document = document_of("pages/a.md", f"---\na: 1\n---\n{body}")
    sections = document_sections(document)
    assert len({section.id for section in sections}) == len(sections)
    assert all(section.id for section in sections)
    list(section_diagnostics(document))


paragraphs = st.lists(
    st.text(alphabet="abcXYZ019 ,.اعربي", min_size=1, max_size=40).map(
        lambda text: f"x{text.strip()}"
    ),
    min_size=1,
    max_size=6,
)


@given(
    paragraphs, st.lists(st.sampled_from(["## Part", ":::{cta} Go\nin\n:::", "* item"]), max_size=6)
)
def test_every_character_of_a_paragraph_survives(texts: list[str], between: list[str]) -> None:
    """In order, with any blocks between the paragraphs."""
    gaps = [*between, *[""] * len(texts)]
    body = "\n\n".join(part for pair in zip(texts, gaps, strict=False) for part in pair if part)
    sections = document_sections(document_of("pages/a.md", body))
    served = "\n\n".join(section.body for section in sections)
    position = 0
    for text in texts:
        position = served.index(text, position) + len(text)


def test_a_thousand_equal_headings_get_unique_ids() -> None:
    """A number that is another heading's id is skipped."""
    section_ids = ids("## Fixes 3\n\n" + "## Fixes\n\n" * 1_000)
    assert section_ids[:4] == ["fixes-3", "fixes", "fixes-2", "fixes-4"]
    assert len(set(section_ids)) == 1_001
