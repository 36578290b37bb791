"""Types with pictures: beside a text, in a row, in a grid, or as a link to a video or a map."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from knowledge.markdown.figures import figure_fields
from knowledge.sections.section_type import (
    CALL_TO_ACTION,
    SECTION_TYPES,
    Fields,
    Lack,
    Reader,
    Section,
    SectionType,
    links,
)


def _figures(section: Section, _: Reader) -> Iterable[Fields]:
    return figure_fields(section.body)


def _opening(section: Section, _: Reader) -> Iterator[Fields]:
    """Yield one item with the first picture and the links of the text."""
    first = next(figure_fields(section.body), {})
    found = {key: first.get(key) for key in ("image", "href")} | {
        "links": links(section.body) or None
    }
    if any(found.values()):
        yield found


def _needs_picture(section: Section) -> Iterator[Lack]:
    if next(figure_fields(section.body), None) is None:
        message = f"The section of type {section.type} has no picture."
        suggestion = "Begin a paragraph with one: ![description](/images/name.png)."
        yield Lack(section.line, message, suggestion)


def _needs_target(noun: str) -> Callable[[Section], Iterator[Lack]]:
    def lacks(section: Section) -> Iterator[Lack]:
        first = next(figure_fields(section.body), {})
        if not first.get("href"):
            message = f"The section has no picture with a link to the {noun}."
            suggestion = "Write [![description](/images/name.png)](target)."
            yield Lack(section.line, message, suggestion)

    return lacks


def _no_words(section: Section) -> Iterator[Lack]:
    if not (section.heading or section.body):
        yield Lack(section.line, "The hero has neither a heading nor a text.", "Write one.")


SECTION_TYPES.declare(
    SectionType(name="hero", nearest=CALL_TO_ACTION, fields=_opening, lacks=_no_words)
)
SECTION_TYPES.declare(SectionType(name="mediaText", fields=_opening, lacks=_needs_picture))
for _name, _lacks in (
    ("logos", _needs_picture),
    ("gallery", _needs_picture),
    ("video", _needs_target("video")),
    ("map", _needs_target("map")),
):
    SECTION_TYPES.declare(SectionType(name=_name, nearest="image", fields=_figures, lacks=_lacks))
