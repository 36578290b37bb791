"""Autofix: changes to the text of files that correct a fault and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic.alias_generators import to_camel

from knowledge.checks.autofix_edits import Edit, apply, rename, yaml_fixes
from knowledge.checks.document_checks import MissingId, missing_ids, translations
from knowledge.diagnostics.diagnostic import ContentFileError, Diagnostic, DiagnosticKind
from knowledge.documents import front_matter
from knowledge.documents.content_path import ContentPath
from knowledge.documents.document import Document, parse_document
from knowledge.documents.files import SourceFile
from knowledge.documents.front_matter import aliases_of, normalize_keys
from knowledge.fields.yaml import UnquotedScalar
from knowledge.snapshot.loading import LoadedContent
from knowledge.snapshot.snapshot import build_snapshot

_AMBIGUOUS = re.compile(r"[\w.:+-]+")
_LISTS = frozenset({"tags"})
"""The keys to which all items of a list belong; another one would lose those after the first."""

_CLOSING_SIGNS = re.compile(r"(?<![ \t])(?:[ \t]++#++)?[ \t]*+\r?\Z")


@dataclass(frozen=True, slots=True)
class FixedFile:
    """What was fixed in one file: its text before and after, and the edits in their order."""

    path: str
    before: str
    after: str
    edits: tuple[Edit, ...]

    @property
    def notes(self) -> Iterator[tuple[int, str]]:
        """Yield line and description of each fixed fault."""
        for edit in sorted(self.edits, key=lambda each: each.line):
            if edit.note:
                yield edit.line, edit.note


def fix_folder(loaded: LoadedContent, read: Callable[[str], str | None]) -> Iterator[FixedFile]:
    """Yield the files that can be fixed; `read` returns a text with its line ends, or None."""
    texts = {path: text for path in loaded.files if (text := read(path)) is not None}
    fixed = {
        path: file
        for path, text in texts.items()
        if (file := _fixed(path, text, loaded.files[path].name)) is not None
    }
    for path, file in _with_ids(loaded, fixed).items():
        if file.text != texts[path]:
            yield FixedFile(path, texts[path], file.text, file.edits)


def _with_ids(loaded: LoadedContent, fixed: Mapping[str, _FixedText]) -> Mapping[str, _FixedText]:
    """Add the ids that translations lack."""
    documents = {path: file.document for path, file in fixed.items()}
    snapshot, _ = build_snapshot(documents, loaded.places, loaded.snapshot.assets)
    files = dict(fixed)
    for entry, translation in snapshot.by_path.values():
        for original, each in translations(entry) if entry.kind.has_sections else ():
            if each is translation:
                files[each.path] = files[each.path].with_ids(missing_ids(original, each))
    return files


@dataclass(frozen=True, slots=True)
class _FixedText:
    """The text of a file after edits; `document` is what it is read as."""

    text: str
    edits: tuple[Edit, ...]
    document: Document

    def with_ids(self, missing: Sequence[MissingId]) -> _FixedText:
        """Return the file with ids for some of its sections."""
        edits = tuple(_id_edit(self.text, each) for each in missing)
        return _FixedText(apply(self.text, edits), self.edits + edits, self.document)


def _fixed(path: str, text: str, name: ContentPath) -> _FixedText | None:
    """Return a file with its front matter fixed; None if a fault is left that stops it.

    `text` has any line ends; only line feeds, alone or after a carriage return, end a line.
    """
    read = _read(path, text, name)
    edits: tuple[Edit, ...] = ()
    if read is None:
        edits = tuple(_syntax(path, text))
        for edit in edits:  # each is about the text after the edits before it
            text = apply(text, (edit,))
        read = _read(path, text, name)
    if read is None:
        return None
    fixed = _FixedText(text, edits, read[0])
    unquoted = (  # texts that other tools read as another type
        (each.line, each.column - 1)
        for each in read[1]
        if each.kind is DiagnosticKind.UNQUOTED_VALUE and each.column
    )
    scalars = (*unquoted, *_ambiguous_numbers(path, text, name))
    fixed = _changed(fixed, _quotes(text, scalars), path, name)
    for origin, key in _foreign_keys(path, text, name):
        parts = front_matter.parse(_source(path, fixed.text))
        edits = rename(parts, origin, key) if parts.is_yaml or parts.is_toml else ()
        fixed = _changed(fixed, edits, path, name)
    return fixed


def _changed(
    before: _FixedText, change: tuple[Edit, ...], path: str, name: ContentPath
) -> _FixedText:
    """Return the file with a change, unless it would then be read differently."""
    text = apply(before.text, change)
    read = _read(path, text, name)
    if read is None or read[0].fields != before.document.fields:
        return before
    return _FixedText(text, before.edits + change, read[0])


def _source(path: str, text: str) -> SourceFile:
    return SourceFile(path, text.removeprefix("\ufeff").replace("\r\n", "\n"))


def _read(
    path: str, text: str, name: ContentPath
) -> tuple[Document, tuple[Diagnostic, ...]] | None:
    try:
        return parse_document(_source(path, text), name)
    except ContentFileError:
        return None


def _syntax(path: str, text: str) -> Iterator[Edit]:
    """Yield the edits of a front matter that is no YAML."""
    try:
        front_matter.parse(_source(path, text))
    except front_matter.InvalidYaml as invalid:
        for edit in yaml_fixes(invalid.raw) or ():
            yield replace(edit, line=invalid.raw_line - 1 + edit.line)
    except ContentFileError:
        return


Place = tuple[int, int]
"""A line, from 1, and a column, from 0."""


def _ambiguous_numbers(path: str, text: str, name: ContentPath) -> Iterator[Place]:
    """Yield the places of values such as `version: 1.10`, of keys that no field has."""
    parts = front_matter.parse(_source(path, text))
    model = name.kind.model_for(name.slug)
    known = {*map(to_camel, model.field_names), *aliases_of(name.kind)}
    for key, value in parts.metadata.items():
        if isinstance(value, UnquotedScalar) and value[-1].isdigit() and key not in known:
            line, column = value.place
            yield parts.raw_line - 1 + line, column - 1


def _quotes(text: str, places: Iterable[Place]) -> tuple[Edit, ...]:
    """Return the edits that put values in quotes."""
    lines = text.split("\n")
    edits = []
    for line, start in dict.fromkeys(places):
        match = _AMBIGUOUS.match(lines[line - 1], start)
        if match:
            note = f"{match[0]} is in quotes"
            edits.append(Edit(line, start, match.end(), f'"{match[0]}"', note))
    return tuple(edits)


def _foreign_keys(path: str, text: str, name: ContentPath) -> Iterator[tuple[str, str]]:
    """Yield the keys of other generators that are in use, and our key for each."""
    metadata = front_matter.parse(_source(path, text)).metadata
    _, origins = normalize_keys(name.kind, metadata)
    for key, origin in origins.items():
        value = metadata.get(origin)
        if not (isinstance(value, list) and len(value) > 1 and key not in _LISTS):
            yield origin, key


def _id_edit(text: str, missing: MissingId) -> Edit:
    line = text.split("\n")[missing.line - 1]
    note = f"the section has the id “{missing.id}” of the original"
    if missing.is_directive:
        end = len(line.rstrip("\r"))
        return Edit(missing.line, end, end, f"\n{missing.text}", note)
    closing = _CLOSING_SIGNS.search(line)
    start = closing.start() if closing else len(line)
    return Edit(missing.line, start, start, f" {missing.text}", note)
