"""Downloads: a list of links to files, each with the type and size of its file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from urllib.parse import unquote

from knowledge.fields.file_types import ASSET_TYPES
from knowledge.locales import cldr
from knowledge.markdown.inline import Reference, has_link, references
from knowledge.sections.section_type import (
    SECTION_TYPES,
    Fields,
    Lack,
    Reader,
    Section,
    SectionType,
)


def _size(reference: Reference, reader: Reader) -> int | None:
    return None if reference.is_image else reader.file_size(unquote(reference.target))


def _suffix(reference: Reference) -> str:
    return PurePosixPath(unquote(reference.target)).suffix.lower()


def _body(section: Section, reader: Reader) -> str:
    """Return the text with type and size behind each link to a file of the content folder."""
    body = section.body
    for reference in {each.target: each for each in references(body)}.values():
        size = _size(reference, reader)
        if size is not None:
            about = f"{_suffix(reference)[1:].upper()}, {cldr.file_size(size, reader.language)}"
            body = body.replace(f"]({reference.target})", f"]({reference.target}) ({about})")
    return body


def _fields(section: Section, reader: Reader) -> Iterator[Fields]:
    for reference in references(section.body):
        if not reference.is_image:
            yield {
                "title": reference.alt,
                "href": reference.target,
                "media_type": ASSET_TYPES.get(_suffix(reference)),
                "size": _size(reference, reader),
            }


def _lacks(section: Section) -> Iterator[Lack]:
    if not has_link(section.body):
        suggestion = "Write a list of links: - [Price list](/files/prices.pdf)."
        yield Lack(section.line, "The section has no link to a file.", suggestion)


SECTION_TYPES.declare(
    SectionType(name="downloads", nearest="bulletList", body=_body, fields=_fields, lacks=_lacks)
)
