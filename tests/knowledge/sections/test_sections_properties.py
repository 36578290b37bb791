"""Properties of sections: written sections are parsed back unchanged."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from conftest import document_of
from hypothesis import given
from hypothesis import strategies as st

from knowledge.diagnostics.diagnostic import DiagnosticKind
from knowledge.sections.section_type import RICH_TEXT, Item, Section
from knowledge.sections.sections import DECLARED_SECTIONS, document_sections, section_diagnostics

pytestmark = pytest.mark.slow

words = st.text("abcxyzABC019اعربي", min_size=1, max_size=8)
lines = st.lists(words, min_size=1, max_size=5).map(" ".join)
paragraphs = st.lists(
    st.one_of(
        lines,
        lines.map("* {}".format),
        lines.map("### {}".format),
        lines.map("> {}".format),
        lines.map("```\n## no heading\n:::{{cta}} {}\n```".format),
        lines.map("    ## {} in code".format),
        lines.map("[{}](/page)".format),
    ),
    min_size=1,
    max_size=4,
).map("\n\n".join)
ids = st.from_regex(r"[a-z][a-z0-9]{0,9}(-[a-z0-9]{1,5})?", fullmatch=True)


def heading_source(section: Section) -> str:
    """Return the source of a section under a heading."""
    return f"## {section.heading} {{#{section.id}}}\n\n{section.body}"


def directive_source(section: Section) -> str:
    """Return the source of a section as a directive."""
    visible = "" if section.visible else ":visible: false\n"
    body = section.body or "\n\n".join(f"### {item.title}\n\n{item.text}" for item in section.items)
    return f":::{{{section.type}}} {section.heading}\n:id: {section.id}\n{visible}\n{body}\n:::"


def source(section: Section) -> str:
    """Return the source of a section."""
    return (heading_source if section.type == RICH_TEXT else directive_source)(section)


without_items = [
    name for name in DECLARED_SECTIONS.names[1:] if not DECLARED_SECTIONS.named(name).has_items
]
plain = st.builds(Section, id=ids, type=st.just(RICH_TEXT), heading=lines, body=paragraphs)
directives = st.builds(
    Section,
    id=ids,
    type=st.sampled_from(without_items),
    heading=lines,
    body=paragraphs,
    visible=st.booleans(),
)
questions = st.lists(
    st.builds(Item, title=lines, text=lines, options=st.just({})), min_size=1, max_size=3
)
faqs = st.builds(
    Section,
    id=ids,
    type=st.just("faq"),
    heading=lines,
    items=questions.map(tuple),
    visible=st.booleans(),
)
pages = st.lists(
    st.one_of(plain, directives, faqs), max_size=6, unique_by=lambda section: section.id
)


def without_lines(sections: Sequence[Section]) -> list[tuple[object, ...]]:
    """Return all fields of sections but their lines."""
    return [
        (each.id, each.type, each.heading, each.body, each.items, each.visible) for each in sections
    ]


@given(pages)
def test_sections_are_parsed_as_written(page: list[Section]) -> None:
    """Type, id, heading, body, questions and visibility, in order; the syntax is right."""
    document = document_of("pages/a.md", "\n\n".join(map(source, page)))
    assert without_lines(document_sections(document)) == without_lines(page)
    kinds = {diagnostic.kind for diagnostic in section_diagnostics(document)}
    assert kinds <= {DiagnosticKind.INCOMPLETE_SECTION}
