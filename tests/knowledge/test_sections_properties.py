"""Laws of sections: what an author writes part by part is what readers get part by part."""

from __future__ import annotations

from collections.abc import Sequence

from conftest import document_of
from hypothesis import given
from hypothesis import strategies as st

from knowledge.sections import (
    DIRECTIVES,
    RICH_TEXT,
    Question,
    Section,
    document_sections,
    section_diagnostics,
)

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


def written_plainly(section: Section) -> str:
    """A part under a heading."""
    return f"## {section.heading} {{#{section.id}}}\n\n{section.body}"


def written_as_directive(section: Section) -> str:
    """A part between colons."""
    visible = "" if section.visible else ":visible: false\n"
    body = section.body or "\n\n".join(
        f"### {each.question}\n\n{each.answer}" for each in section.items
    )
    return f":::{{{section.type}}} {section.heading}\n:id: {section.id}\n{visible}\n{body}\n:::"


def written(section: Section) -> str:
    """As an author writes a part."""
    return (written_plainly if section.type == RICH_TEXT else written_as_directive)(section)


plain = st.builds(Section, id=ids, type=st.just(RICH_TEXT), heading=lines, body=paragraphs)
directives = st.builds(
    Section,
    id=ids,
    type=st.sampled_from(sorted(DIRECTIVES - {"faq"})),
    heading=lines,
    body=paragraphs,
    visible=st.booleans(),
)
questions = st.lists(st.builds(Question, question=lines, answer=lines), min_size=1, max_size=3)
faqs = st.builds(
    Section,
    id=ids,
    type=st.just("faq"),
    heading=lines,
    items=questions.map(tuple),
    visible=st.booleans(),
)
pages = st.lists(st.one_of(plain, directives, faqs), max_size=6, unique_by=lambda each: each.id)


def told(sections: Sequence[Section]) -> list[tuple[object, ...]]:
    """All of sections but where they stand."""
    return [
        (each.id, each.type, each.heading, each.body, each.items, each.visible) for each in sections
    ]


@given(pages)
def test_parts_come_back_as_they_were_written(page: list[Section]) -> None:
    """Type, id, heading, body, questions, visibility; in order, without a fault."""
    document = document_of("pages/a.md", "\n\n".join(map(written, page)))
    assert told(document_sections(document)) == told(page)
    assert list(section_diagnostics(document)) == []
