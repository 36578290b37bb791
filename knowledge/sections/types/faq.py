"""Questions and answers."""

from __future__ import annotations

from collections.abc import Iterable

from knowledge.sections.section_type import FAQ, SECTION_TYPES, Fields, Reader, Section, SectionType


def _fields(section: Section, _: Reader) -> Iterable[Fields]:
    return ({"question": item.title, "answer": item.text} for item in section.items)


SECTION_TYPES.declare(SectionType(name=FAQ, has_items=True, fields=_fields))
