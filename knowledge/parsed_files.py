"""Files as they were parsed, in a form that a disk can keep: a later load need not parse them.

What is kept of a file counts only for the same version of the file and of this code. A file is
left out if its document, or what is said of it, could differ at the next load: one that cannot be
served, one that is a link, and one that was modified so shortly before it was read that another
modification may have the same time (as git distrusts such files).
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Raw, Struct
from msgspec.msgpack import Decoder, Encoder

from knowledge.content_path import ContentPath
from knowledge.diagnostic_kinds import DiagnosticKind
from knowledge.diagnostics import Diagnostic, Severity
from knowledge.documents import LANGUAGE_SETS, Document
from knowledge.files import FileFingerprint
from knowledge.loaded_file import LoadedFile
from knowledge.locale import Language, OtherLanguage
from knowledge.parsed_values import DAMAGED, maker, packed_fields, unpacked

LIBRARIES = (
    *("babel", "lz4", "mistune", "msgspec", "phonenumbers", "pydantic", "pydantic-core"),
    *("python-frontmatter", "pyyaml"),
)
"""The distributions on which parsing depends."""

RACY_NS = 2_000_000_000
"""File systems have times of up to two seconds, in which one file may be written twice."""

_FILES_A_PART = 64
_MISSED_SHARE = 1 / 64


class _Diagnostic(Struct, array_like=True, gc=False):
    path: str
    message: str
    suggestion: str
    line: int
    severity: int
    kind: str
    column: int | None


class _Record(Struct, array_like=True, gc=False):
    fingerprint: tuple[int, ...]
    place: str
    """Slug and layer, which depend on the countries and cities of the site."""

    site_language: str
    diagnostics: list[_Diagnostic]
    chosen_slug: str | None
    language: str
    fields: list[Any]
    """The values of the fields of the model, which the name of the file decides."""

    compressed_body: bytes
    body_line: int
    digest: bytes
    states_language: bool
    has_english: bool
    has_arabic: bool
    letters: tuple[int, int]
    other_language: str | None
    inserted_lines: tuple[int, ...]
    excerpt_end: int
    key_lines: dict[str, int]


_LANGUAGES = {language.value: language for language in Language}
_ENCODER = Encoder()
_PART = Decoder(dict[str, Raw])
_RECORD = Decoder(_Record, ext_hook=unpacked)


@dataclass(slots=True)
class ParsedFiles:
    """What is kept of files, by path; none of it is decoded before it is asked for."""

    root: Path = field(default_factory=Path)
    records: Mapping[str, Raw] = field(default_factory=dict)
    missed: int = 0
    """How many files were parsed, because what is kept of them does not count."""

    def find(
        self, path: str, fingerprint: FileFingerprint, name: ContentPath, language: Language
    ) -> LoadedFile | None:
        """Return a file as it was parsed; None if it is another version, or cannot be read."""
        kept = self.records.get(path)
        found = self._decoded(kept, path, fingerprint, name) if kept is not None else None
        if found and found.is_valid_in(language) and os.access(f"{self.root}/{path}", os.R_OK):
            return found
        return None

    def is_outdated(self, files: int) -> bool:
        """Return whether another load would profit if `files` were written, after this one."""
        return self.missed > files * _MISSED_SHARE or len(self.records) > 2 * files

    def _decoded(
        self, kept: Raw, path: str, fingerprint: FileFingerprint, name: ContentPath
    ) -> LoadedFile | None:
        try:
            record = _RECORD.decode(kept)
            if record.fingerprint == fingerprint and record.place == _place(name):
                return _loaded(path, fingerprint, name, record)
        except DAMAGED:
            pass
        return None


def parts(
    files: Mapping[str, LoadedFile], links: frozenset[str], read_at_ns: int
) -> Iterator[bytes]:
    """Yield what is kept of files that were read at `read_at_ns` or later, in parts."""
    kept = (
        (path, record)
        for path, file in files.items()
        if path not in links and file.fingerprint.modified_ns + RACY_NS < read_at_ns
        if (record := _record(file)) is not None
    )
    while part := dict(islice(kept, _FILES_A_PART)):
        yield _ENCODER.encode(part)


def read_parts(root: Path, encoded: Iterable[bytes | memoryview]) -> ParsedFiles:
    """Return the files of parts; raises an error of `DAMAGED` if they are none."""
    records: dict[str, Raw] = {}
    for part in encoded:
        records |= _PART.decode(part)
    return ParsedFiles(root, records)


@cache
def parsing_version() -> str:
    """Return a digest of all that parsing depends on besides the file: the code and libraries."""
    digest = blake2b(platform.python_version().encode(), digest_size=16)
    for name in LIBRARIES:
        digest.update(f"{name} {version(name)}\0".encode())
    folder = Path(__file__).parent
    for path in sorted(folder.rglob("*.py")):
        digest.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def _place(name: ContentPath) -> str:
    return f"{name.slug}/{name.layer}"


def _record(file: LoadedFile) -> Raw | None:
    """Return what is kept of a file, or None if it must be parsed again."""
    document = file.document
    if document is None or any(each.severity is Severity.ERROR for each in file.diagnostics):
        return None
    try:
        return Raw(_ENCODER.encode(_record_of(file, document)))
    except (TypeError, ValueError, OverflowError):
        return None  # a value that the format does not have


def _record_of(file: LoadedFile, document: Document) -> _Record:
    return _Record(
        fingerprint=tuple(file.fingerprint),
        place=_place(file.name),
        site_language=file.site_language.value,
        diagnostics=[_diagnostic_record(each) for each in file.diagnostics],
        chosen_slug=document.chosen_slug,
        language=document.language.value,
        fields=packed_fields(document.fields),
        compressed_body=document.compressed_body,
        body_line=document.body_line,
        digest=document.digest,
        states_language=document.states_language,
        has_english=Language.EN in document.languages,
        has_arabic=Language.AR in document.languages,
        letters=document.letters,
        other_language=document.other_language and str(document.other_language),
        inserted_lines=document.inserted_lines,
        excerpt_end=document.excerpt_end,
        key_lines=dict(document.key_lines),
    )


def _loaded(
    path: str, fingerprint: FileFingerprint, name: ContentPath, record: _Record
) -> LoadedFile:
    make = maker(name.kind.model_for(name.slug).__qualname__)
    other = record.other_language
    document = Document(
        path=path,
        kind=name.kind,
        slug=name.slug,
        name=name.name,
        chosen_slug=record.chosen_slug,
        layer=name.layer,
        language=_LANGUAGES[record.language],
        fields=make(record.fields),
        compressed_body=record.compressed_body,
        body_line=record.body_line,
        digest=record.digest,
        states_language=record.states_language,
        languages=LANGUAGE_SETS[record.has_english, record.has_arabic],
        letters=record.letters,
        other_language=None if other is None else OtherLanguage(other),
        inserted_lines=record.inserted_lines,
        excerpt_end=record.excerpt_end,
        key_lines=record.key_lines,
    )
    diagnostics = tuple(map(_diagnostic, record.diagnostics)) if record.diagnostics else ()
    return LoadedFile(fingerprint, name, document, diagnostics, _LANGUAGES[record.site_language])


def _diagnostic_record(diagnostic: Diagnostic) -> _Diagnostic:
    return _Diagnostic(
        diagnostic.path,
        diagnostic.message,
        diagnostic.suggestion,
        diagnostic.line,
        diagnostic.severity.value,
        diagnostic.kind.value,
        diagnostic.column,
    )


def _diagnostic(record: _Diagnostic) -> Diagnostic:
    return Diagnostic(
        record.path,
        record.message,
        record.suggestion,
        record.line,
        Severity(record.severity),
        kind=DiagnosticKind(record.kind),  # type: ignore[call-arg]  # members have a code and a meaning
        column=record.column,
    )
