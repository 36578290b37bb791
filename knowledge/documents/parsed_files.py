"""Files as they were parsed, in a form that a disk can keep: a later load need not parse them.

What is kept of a file counts only for the same version of the file and of this code. A file is
left out if its document, or what is said of it, could differ at the next load: one that cannot be
served, one that is a link, and one that was modified so shortly before it was read that another
modification may have the same time (as git distrusts such files).
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from itertools import chain, groupby, islice
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct
from msgspec.msgpack import Decoder, Encoder

from knowledge.diagnostics.diagnostic import Severity
from knowledge.documents.file_columns import decoded, encoded
from knowledge.documents.files import DirectoryScan
from knowledge.documents.loaded_file import LoadedFile
from knowledge.documents.parsed_values import DAMAGED
from knowledge.documents.places import NOWHERE, Places
from knowledge.fields.schemas import CountryFields
from knowledge.locales.locale import Country, Language

LIBRARIES = (
    *("babel", "lz4", "mistune", "msgspec", "phonenumbers", "pydantic", "pydantic-core"),
    *("python-frontmatter", "pyyaml"),
)
"""The distributions on which parsing depends."""

RACY_NS = 2_000_000_000
"""File systems have times of up to two seconds, in which one file may be written twice."""

_FILES_A_PART = 256
_MISSED_SHARE = 1 / 64


class KnownFiles(NamedTuple):
    """Files that need not be parsed again, and the site of which they were read."""

    files: Mapping[str, LoadedFile] = MappingProxyType({})
    places: Places = NOWHERE
    language: Language = Language.EN
    """The main one."""


class _Site(Struct, array_like=True, frozen=True):
    """The site of which files were read, and by whom."""

    files: int
    countries: list[str]
    cities: dict[str, str]
    language: str
    read_at_ns: int
    reader: list[int]
    """The user and the groups of the process."""


_ENCODER = Encoder()
_SITE = Decoder(_Site)
_NO_SITE = _Site(0, [], {}, Language.EN.value, 0, [])


@dataclass(slots=True)
class ParsedFiles:
    """What is kept of files, in parts; none of them is read before it is asked for."""

    root: Path = field(default_factory=Path)
    site: _Site = _NO_SITE
    parts: Iterable[bytes | memoryview] = ()
    """They are read once, and none counts if one is damaged."""

    missed: int = 0
    """How many files were parsed, because what is kept of them does not count."""

    def known(self, scanned: DirectoryScan) -> KnownFiles:
        """Return the files that a scan found in the same version, and that can still be read."""
        site = self.site
        try:
            countries = {Country(code): CountryFields() for code in site.countries}
            cities = {slug: Country(code) for slug, code in site.cities.items()}
            decoding = (decoded(part, scanned.documents) for part in self.parts)
            files = dict(chain.from_iterable(decoding))
            language = Language(site.language)
        except (OSError, *DAMAGED):
            return KnownFiles()
        if not self._may_be_read(scanned):
            files = {path: file for path, file in files.items() if self._is_readable(path)}
        return KnownFiles(files, Places(countries, cities), language)

    def _may_be_read(self, scanned: DirectoryScan) -> bool:
        """Return whether the same user read the files since permissions changed last."""
        site = self.site
        return scanned.changed_ns + RACY_NS < site.read_at_ns and site.reader == _reader()

    def _is_readable(self, path: str) -> bool:
        return os.access(f"{self.root}/{path}", os.R_OK)

    def is_outdated(self, files: int) -> bool:
        """Return whether another load would profit if `files` were written, after this one."""
        return self.missed > files * _MISSED_SHARE or self.site.files > 2 * files


def parts(known: KnownFiles, links: frozenset[str], read_at_ns: int) -> Iterator[bytes]:
    """Yield what is kept of files that were read at `read_at_ns` or later, in parts."""
    kept = [
        file
        for path, file in known.files.items()
        if path not in links and _is_kept(file, read_at_ns)
    ]
    yield _ENCODER.encode(_site(known, len(kept), read_at_ns))
    for _, alike in groupby(kept, key=_form):
        while batch := [*islice(alike, _FILES_A_PART)]:
            yield from _encoded(batch)


def _site(known: KnownFiles, files: int, read_at_ns: int) -> _Site:
    cities = {slug: str(country) for slug, country in known.places.cities.items()}
    countries = [*map(str, known.places.countries)]
    return _Site(files, countries, cities, known.language.value, read_at_ns, _reader())


def _is_kept(file: LoadedFile, read_at_ns: int) -> bool:
    has_errors = any(each.severity is Severity.ERROR for each in file.diagnostics)
    is_old = file.fingerprint.modified_ns + RACY_NS < read_at_ns
    return is_old and file.document is not None and not has_errors


def _form(file: LoadedFile) -> tuple[object, ...]:
    return file.name.kind, file.name.kind.model_for(file.name.slug)


def _encoded(files: Sequence[LoadedFile]) -> Iterator[bytes]:
    """Yield files in one part, or in more without a file whose values the format does not have."""
    try:
        yield encoded(files)
    except (TypeError, ValueError, OverflowError):
        middle = len(files) // 2
        if middle:
            yield from _encoded(files[:middle])
            yield from _encoded(files[middle:])


def _reader() -> list[int]:
    return [os.getuid(), os.getgid(), *os.getgroups()]


def read_parts(root: Path, encoded: Iterable[bytes | memoryview]) -> ParsedFiles:
    """Return the files of parts, of which the first is read; raises an error of `DAMAGED`."""
    parts = iter(encoded)
    return ParsedFiles(root, _SITE.decode(next(parts, b"")), parts)


@cache
def parsing_version() -> str:
    """Return a digest of all that parsing depends on besides the file: the code and libraries."""
    digest = blake2b(platform.python_version().encode(), digest_size=16)
    for name in LIBRARIES:
        digest.update(f"{name} {version(name)}\0".encode())
    folder = Path(__file__).parents[1]
    for path in sorted(folder.rglob("*.py")):
        digest.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes())
    return digest.hexdigest()
