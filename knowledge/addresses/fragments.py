"""Fragments of links: `#part` as other generators derive it from a heading, led to our id of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from urllib.parse import unquote

from knowledge.documents.document import Document
from knowledge.documents.post_blocks import post_blocks
from knowledge.locales.locale import Language
from knowledge.markdown import raw_html
from knowledge.markdown.anchors import Anchor, Heading
from knowledge.markdown.memoize import document_cache
from knowledge.sections.section_type import Section
from knowledge.sections.sections import document_sections, section_anchors
from knowledge.snapshot.layer_resolution import Entry

TOP = "main"
"""The id of a page's content, for links to the title."""


def current_fragment(entry: Entry, language: Language, fragment: str) -> str | None:
    """Return the id on a page that a fragment means, None if the page has no such heading.

    An id of the page is returned as it is. Other generators write the same heading without the
    punctuation that we turn into hyphens, or with another number if it is repeated.
    """
    wanted = unquote(fragment)
    key = _key(wanted)
    for document in _spoken(entry, language):
        ids = _ids(document)
        found = wanted if wanted in ids.exact else ids.by_key.get(key)
        if found is not None:
            return found
    return None


def _spoken(entry: Entry, language: Language) -> Iterator[Document]:
    documents = [document for document in entry.documents if document.language is language]
    return iter(documents or entry.documents)


class _Ids:
    """The ids on a page: as they are, and those of headings by what their texts share."""

    def __init__(self, headings: Iterator[tuple[str, Anchor]], title: str) -> None:
        self.exact: set[str] = set()
        self.by_key: dict[str, str] = {}
        repeated: dict[str, int] = {}
        for text, anchor in headings:
            self.exact |= {anchor.id, anchor.former} - {""}
            key = _key(text)
            number = repeated[key] = repeated.get(key, -1) + 1
            self.by_key.setdefault(f"{key}{number or ''}", anchor.id)
            self.by_key.setdefault(_key(anchor.id), anchor.id)
        if title:
            self.by_key.setdefault(_key(title), TOP)


@document_cache(4_096)
def _ids(document: Document) -> _Ids:
    titles = document.fields.title or {}
    found = _Ids(_headings(document), titles.get(str(document.language), ""))
    found.exact.update(raw_html.ids(document.body))
    return found


def _headings(document: Document) -> Iterator[tuple[str, Anchor]]:
    """Yield the texts of a document's headings with their anchors."""
    if not document.kind.has_sections:
        for block, anchors in post_blocks(document):
            yield from zip((heading.text for heading in block.headings), anchors, strict=True)
        return
    sections = document_sections(document)
    groups = chain.from_iterable(map(_section_headings, sections))
    for headings, anchors in zip(groups, section_anchors(sections), strict=True):
        yield from zip((heading.text for heading in headings), anchors, strict=True)


def _section_headings(section: Section) -> Iterator[tuple[Heading, ...]]:
    """Yield the headings of a section in the groups of `section_anchors`."""
    yield (Heading(section.heading), *section.headings)
    for item in section.items:
        yield (Heading(item.title), *item.headings)


def _key(text: str) -> str:
    """Return the letters and digits of a text.

    >>> _key("What's new?") == _key("whats-new") == _key("what-s-new")
    True
    """
    return "".join(filter(str.isalnum, text.casefold()))
