"""Translations: the files of a document in another language than the file they translate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from knowledge.documents.document import Document
from knowledge.markdown.blocks import Block, parse_blocks, split_anchor
from knowledge.snapshot.layer_resolution import Entry


@dataclass(frozen=True, slots=True)
class MissingId:
    """A section of a translation without the id that the original sets; `line` is in the file."""

    line: int
    id: str
    is_directive: bool

    @property
    def text(self) -> str:
        """What sets the id: the end of a heading line, or an option below a directive's."""
        return f":id: {self.id}" if self.is_directive else f"{{#{self.id}}}"


@dataclass(frozen=True, slots=True)
class _Opening:
    """The line that opens a section: a level-2 heading, or a directive of some name."""

    line: int
    directive: str | None
    id: str | None


def translations(entry: Entry) -> Iterator[tuple[Document, Document]]:
    """Yield each original, a file without language suffix, and each of its translations."""
    originals = {
        (document.layer.country, document.layer.city): document
        for document in entry.documents
        if document.layer.language is None
    }
    for document in entry.documents:
        original = originals.get((document.layer.country, document.layer.city))
        if original is not None and document.language is not original.language:
            yield original, document


def changed_at(document: Document) -> datetime | None:
    """Return when the text of a file changed last, as its author says; None if unknown."""
    return document.fields.updated_at


def missing_ids(original: Document, translation: Document) -> list[MissingId]:
    """Return the ids that a translation lacks; none if its sections are not the same ones."""
    ours, theirs = _openings(original), _openings(translation)
    pairs = list(zip(ours, theirs, strict=False))
    if len(ours) != len(theirs) or not all(_is_same(*pair) for pair in pairs):
        return []
    return [
        MissingId(translation.body_line + each.line - 1, first.id, bool(each.directive))
        for first, each in pairs
        if first.id is not None and each.id is None
    ]


def _is_same(original: _Opening, translation: _Opening) -> bool:
    same_type = original.directive == translation.directive
    return same_type and translation.id in (None, original.id)


def _openings(document: Document) -> Sequence[_Opening]:
    openings = map(_opening, parse_blocks(document.body))
    return [opening for opening in openings if opening is not None]


def _opening(block: Block) -> _Opening | None:
    if block.directive is not None:
        options, (_, anchor) = block.directive.options, split_anchor(block.directive.title)
        return _Opening(block.line, block.directive.name, options.get("id") or anchor or None)
    if block.type == "heading" and block.level == 2:
        return _Opening(block.line, None, block.anchor or None)
    return None
