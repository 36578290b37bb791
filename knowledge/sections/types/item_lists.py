"""Types whose items have a title, a text and a picture: steps, tabs, people."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from knowledge.sections.section_type import (
    SECTION_TYPES,
    Fields,
    Lack,
    Reader,
    Section,
    SectionType,
    text_item,
)


def _needs_items(nouns: str) -> Callable[[Section], Iterator[Lack]]:
    def lacks(section: Section) -> Iterator[Lack]:
        if not section.items:
            message = f"The section has no {nouns}."
            yield Lack(section.line, message, "Begin each with a heading of level 3: ### Title.")
        for item in section.items:
            if not item.text and not item.options:
                yield Lack(
                    item.line, f"“{item.title}” has no text.", "Write one below the heading."
                )

    return lacks


def _people(section: Section, _: Reader) -> Iterator[Fields]:
    return ({**text_item(item), "role": item.options.get("role")} for item in section.items)


SECTION_TYPES.declare(SectionType(name="steps", has_items=True, lacks=_needs_items("steps")))
SECTION_TYPES.declare(SectionType(name="tabs", has_items=True, lacks=_needs_items("tabs")))
SECTION_TYPES.declare(
    SectionType(
        name="team",
        has_items=True,
        item_options=frozenset({"role"}),
        fields=_people,
        lacks=_needs_items("people"),
    )
)
