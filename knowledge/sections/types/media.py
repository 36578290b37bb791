"""Types of pictures and files: pictures, links to a video or a map, downloads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath
from urllib.parse import unquote

from knowledge.diagnostics.messages import Text
from knowledge.fields.file_types import ASSET_TYPES
from knowledge.locales import cldr
from knowledge.markdown.figures import figure_fields
from knowledge.markdown.inline import Reference, has_link, references
from knowledge.sections.section_type import (
    CALL_TO_ACTION,
    HERO,
    SECTION_TYPES,
    Fields,
    Lack,
    Section,
    SectionContext,
    SectionType,
    links,
)


def _figures(section: Section, _: SectionContext) -> Iterable[Fields]:
    return figure_fields(section.body)


def _opening(section: Section, _: SectionContext) -> Iterator[Fields]:
    """Yield one item with the first picture and the links of the text."""
    first = next(iter(figure_fields(section.body)), {})
    found = {key: first.get(key) for key in ("image", "href")} | {
        "links": links(section.body) or None
    }
    if any(found.values()):
        yield found


def _needs_picture(section: Section) -> Iterator[Lack]:
    if not figure_fields(section.body):
        message = Text("The section of type {} has no picture.", section.type)
        suggestion = Text("Begin a paragraph with one: ![description](/images/name.png).")
        yield Lack(section.line, message, suggestion)


def _needs_target(noun: str) -> Callable[[Section], Iterator[Lack]]:
    def lacks(section: Section) -> Iterator[Lack]:
        first = next(iter(figure_fields(section.body)), {})
        if not first.get("href"):
            message = Text("The section has no picture with a link to the {}.", noun)
            suggestion = Text("Write [![description](/images/name.png)](target).")
            yield Lack(section.line, message, suggestion)

    return lacks


def _no_words(section: Section) -> Iterator[Lack]:
    if not (section.heading or section.body):
        yield Lack(
            section.line, Text("The hero has neither a heading nor a text."), Text("Write one.")
        )


SECTION_TYPES.declare(
    SectionType(name=HERO, nearest=CALL_TO_ACTION, fields=_opening, lacks=_no_words)
)
SECTION_TYPES.declare(SectionType(name="mediaText", fields=_opening, lacks=_needs_picture))
for _name, _lacks in (
    ("logos", _needs_picture),
    ("gallery", _needs_picture),
    ("video", _needs_target("video")),
    ("map", _needs_target("map")),
):
    SECTION_TYPES.declare(SectionType(name=_name, nearest="image", fields=_figures, lacks=_lacks))


def _size(reference: Reference, context: SectionContext) -> int | None:
    return None if reference.is_image else context.file_size(unquote(reference.target))


def _suffix(reference: Reference) -> str:
    return PurePosixPath(unquote(reference.target)).suffix.lower()


_MARKS = {"ltr": "", "rtl": "\u200f"}
"""Behind a Latin word: without it, the number that follows is shown on its other side."""


def _with_sizes(section: Section, context: SectionContext) -> str:
    """Return the text with type and size behind each link to a file of the content folder."""
    body = section.body
    for reference in {each.target: each for each in references(body)}.values():
        size = _size(reference, context)
        if size is not None:
            kind = _suffix(reference)[1:].upper() + _MARKS[context.language.direction]
            about = context.language.comma.join((kind, cldr.file_size(size, context.language)))
            body = body.replace(f"]({reference.target})", f"]({reference.target}) ({about})")
    return body


def _downloads(section: Section, context: SectionContext) -> Iterator[Fields]:
    for reference in references(section.body):
        if not reference.is_image:
            yield {
                "title": reference.alt,
                "href": reference.target,
                "media_type": ASSET_TYPES.get(_suffix(reference), "").partition(";")[0] or None,
                "size": _size(reference, context),
            }


def _needs_file(section: Section) -> Iterator[Lack]:
    if not has_link(section.body):
        suggestion = Text("Write a list of links: - [Price list](/files/prices.pdf).")
        yield Lack(section.line, Text("The section has no link to a file."), suggestion)


SECTION_TYPES.declare(
    SectionType(
        name="downloads",
        nearest="bulletList",
        body=_with_sizes,
        fields=_downloads,
        lacks=_needs_file,
    )
)
