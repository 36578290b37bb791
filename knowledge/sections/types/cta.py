"""Calls to action: a text with one or two buttons."""

from __future__ import annotations

from collections.abc import Iterator

from knowledge.markdown.inline import has_link
from knowledge.sections.section_type import (
    CALL_TO_ACTION,
    SECTION_TYPES,
    Lack,
    Reader,
    Section,
    SectionType,
)


def _body(section: Section, reader: Reader) -> str:
    if has_link(section.body) or not reader.contact_link:
        return section.body
    return f"{section.body}\n\n{reader.contact_link}".strip()


def _lacks(section: Section) -> Iterator[Lack]:
    if not has_link(section.body):
        message = "The call to action has no link; its button leads to the page “contact”."
        yield Lack(section.line, message, "Add a link, such as [Contact us](/contact).")


SECTION_TYPES.declare(SectionType(name=CALL_TO_ACTION, body=_body, lacks=_lacks))
