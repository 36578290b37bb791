"""Autofix: changes to the text of files that correct a fault and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import yaml as pyyaml
from pydantic.alias_generators import to_camel

from knowledge.checks.body_checks import MissingId, missing_ids, translations
from knowledge.diagnostics.diagnostic import ContentFileError, Diagnostic, DiagnosticKind
from knowledge.documents import front_matter
from knowledge.documents.content_path import ContentPath
from knowledge.documents.document import Document, parse_document
from knowledge.documents.files import SourceFile
from knowledge.documents.front_matter import FrontMatter, aliases_of, normalize_keys
from knowledge.fields import yaml
from knowledge.fields.yaml import UnquotedScalar, YamlError
from knowledge.snapshot.loading import LoadedContent
from knowledge.snapshot.snapshot import build_snapshot

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


_AMBIGUOUS = re.compile(r"[\w.:+-]+")
_LISTS = frozenset({"tags"})
"""The keys to which all items of a list belong; another one would lose those after the first."""


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


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces the characters from `start` to `end` of a line; the line counts from 1.

    `note` says what was fixed.
    """

    line: int
    start: int
    end: int
    text: str
    note: str


def apply(text: str, edits: Iterable[Edit]) -> str:
    r"""Return a text with edits that do not overlap; line ends stay as they are.

    A line feed in the text of an edit becomes the line end of its line.

    >>> apply("a: b\r\nc: d\r\n", [Edit(2, 3, 4, "e", "")])
    'a: b\r\nc: e\r\n'
    """
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda each: (each.line, each.start), reverse=True):
        line = lines[edit.line - 1]
        inserted = edit.text.replace("\n", "\r\n") if line.endswith("\r") else edit.text
        lines[edit.line - 1] = line[: edit.start] + inserted + line[edit.end :]
    return "\n".join(lines)


_TOML_TABLE = re.compile(r"^[^\S\n]*+\[", re.MULTILINE)


def rename(parts: FrontMatter, old: str, new: str) -> tuple[Edit, ...]:
    """Return the edits that rename a top-level key; none if it is not there.

    `draft: true` becomes `published: false`.
    """
    places = _toml_places(parts, old) if parts.is_toml else _yaml_places(parts, old)
    spans = next(places, None)
    if spans is None:
        return ()
    (line, start, end), value = spans
    if (old, new) != ("draft", "published"):
        return (Edit(line, start, end, new, f"{old} became {new}"),)
    note = f"{old} became {new}: false"
    return (Edit(line, start, end, new, note), Edit(*value, "false", ""))


Span = tuple[int, int, int]
"""A line, which counts from 1, and the columns of start and end."""


def _yaml_places(parts: FrontMatter, key: str) -> Iterator[tuple[Span, Span]]:
    node = pyyaml.compose(parts.raw, pyyaml.CSafeLoader)
    for name, value in node.value if isinstance(node, pyyaml.MappingNode) else ():
        if name.value == key:
            yield _span(parts, name), _span(parts, value)


def _span(parts: FrontMatter, node: pyyaml.Node) -> Span:
    end = node.end_mark.column if node.end_mark.line == node.start_mark.line else None
    start = node.start_mark.column
    return parts.raw_line + node.start_mark.line, start, start if end is None else end


def _toml_places(parts: FrontMatter, key: str) -> Iterator[tuple[Span, Span]]:
    table = _TOML_TABLE.search(parts.raw)
    top = parts.raw[: table.start()] if table else parts.raw
    assigned = re.compile(rf"^[ \t]*(\"?{re.escape(key)}\"?)[ \t]*=[ \t]*(\S+)")
    for number, line in enumerate(top.split("\n"), start=parts.raw_line):
        match = assigned.match(line)
        if match:
            yield (number, *match.span(1)), (number, *match.span(2))


_MAX_EDITS = 50
"""A text with more faults is left to its author; each edit parses the text again."""

_KEY = r"(?:\w[^:#\r]*+|(?:\"[^\"\r]*+\"|'[^'\r]*+')[ ]*+):"
_VALUE = re.compile(
    rf"(?P<head>[ ]*+(?:-[ ]++)*{_KEY}[ ]++|[ ]*+-[ ]++)"
    r"(?P<value>[^\s#](?:[^ \t\n]|[ \t]++(?!#))*?)(?P<tail>(?:[ \t]++#.*+)?[ \t]*+\r?)"
)
"""A key or a dash, a value on the same line, and a comment."""

_NEXT_ITEM = re.compile(rf"[ ]*+(?:-[ ]|{_KEY}(?:\s|$))")
_TABS = re.compile(r"[ ]*\t[ \t]*(?=\S)")
_SPACES = re.compile(r"[ ]+(?=\S)")
_DEFAULT_INDENT = 2


def yaml_fixes(text: str) -> Sequence[Edit] | None:
    """Return the edits after which a YAML text can be read; None if it cannot be fixed."""
    edits: list[Edit] = []
    width = _indentation(text)
    for _ in range(_MAX_EDITS):
        error = _error(text)
        if error is None:
            return edits
        line = [*text.split("\n"), ""][error.line - 1]
        edit = _spaces(line, error.line, width) or _quote(text, error)
        if edit is None:
            return None
        edits.append(edit)
        text = apply(text, [edit])
    return None


def _error(text: str) -> YamlError | None:
    try:
        yaml.load(text)
    except YamlError as error:
        return error
    return None


def _indentation(text: str) -> int:
    """Return the number of spaces of one level, as the text has it elsewhere."""
    matches = map(_SPACES.match, text.split("\n"))
    return min((len(match[0]) for match in matches if match), default=_DEFAULT_INDENT)


def _spaces(line: str, number: int, width: int) -> Edit | None:
    """Return the edit that replaces the tabs in the indentation of a line."""
    match = _TABS.match(line)
    if match is None:
        return None
    note = "tabs in the indentation became spaces"
    return Edit(number, 0, match.end(), match[0].replace("\t", " " * width), note)


def _quote(text: str, error: YamlError) -> Edit | None:
    """Return the edit that quotes the value in the line of an error."""
    lines = text.split("\n")
    match = _VALUE.fullmatch(lines[error.line - 1]) if error.line <= len(lines) else None
    if match is None or error.kind is DiagnosticKind.DUPLICATE_KEY:
        return None
    if _continues(match["head"], lines[error.line :]):
        return None
    quoted = _quoted(match["value"])
    if quoted is None:
        return None
    return Edit(error.line, *match.span("value"), quoted, f"{match['value']} is in quotes")


def _continues(head: str, following: Sequence[str]) -> bool:
    """Return whether the line after a value belongs to it."""
    first = next(iter(following), "")
    is_deeper = len(first) - len(first.lstrip(" ")) > len(head) - len(head.lstrip(" "))
    return bool(first.strip()) and is_deeper and not _NEXT_ITEM.match(first)


def _quoted(value: str) -> str | None:
    """Return a plain value in quotes, one in quotes with its inner ones escaped, else None.

    >>> _quoted("A: b"), _quoted("'it's'"), _quoted("[a, b"), _quoted("[Draft] A")
    ('"A: b"', "'it''s'", None, '"[Draft] A"')
    """
    first, last = value[0], value[-1]
    if first == last == "'" and len(value) > 2:
        return f"'{value[1:-1].replace(chr(39) * 2, chr(39)).replace(chr(39), chr(39) * 2)}'"
    closing = {"[": "]", "{": "}"}.get(first)
    if first in "\"'|>" or (closing and (last == closing or closing not in value)):
        return None
    if '"' in value or "\\" in value:
        return f"'{value.replace(chr(39), chr(39) * 2)}'"
    return f'"{value}"'
