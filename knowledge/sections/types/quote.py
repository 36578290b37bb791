"""Quotations: a testimonial, or words of their own and who said them."""

from __future__ import annotations

from collections.abc import Iterator

from knowledge.fields.slugs import slugify
from knowledge.markdown.figures import figure_fields
from knowledge.markdown.inline import plain_text
from knowledge.sections.section_type import (
    SECTION_TYPES,
    Fields,
    Lack,
    Reader,
    Section,
    SectionType,
)

QUOTED = "testimonial"
"""The option that names a testimonial."""


def _body(section: Section, reader: Reader) -> str:
    found = reader.testimonial(slugify(section.options.get(QUOTED, "")))
    if found is None:
        return section.body
    words = "\n".join(f"> {line}".rstrip() for line in found.words.splitlines())
    about = ", ".join(filter(None, (f"**{found.name}**" if found.name else "", found.about)))
    who = "\n".join(filter(None, (found.portrait, about)))
    return "\n\n".join(filter(None, (section.body, words, who)))


def _fields(section: Section, reader: Reader) -> Iterator[Fields]:
    found = reader.testimonial(slugify(section.options.get(QUOTED, "")))
    if found is not None:
        image = next(figure_fields(found.portrait), {}).get("image")
        yield {
            "title": found.name,
            "text": found.words,
            "role": found.about or None,
            "image": image,
        }


def _lacks(section: Section) -> Iterator[Lack]:
    if not section.options.get(QUOTED) and not plain_text(section.body):
        suggestion = "Write > and the words, or :testimonial: and the name of a file."
        yield Lack(section.line, "The quotation has no words.", suggestion)


SECTION_TYPES.declare(
    SectionType(name="quote", options=frozenset({QUOTED}), body=_body, fields=_fields, lacks=_lacks)
)
