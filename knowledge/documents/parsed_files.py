"""Parsed files, cached on disk: a later start need not parse them.

A file of its own for each content folder: one record in MessagePack for each document, each with
a checksum. It counts only for the same version of the document and of this code. A
document is left out if it, or what is said of it, could differ at the next load: one that cannot
be served, one that is a link, and one that was modified so shortly before it was read that another
modification may have the same time (as git distrusts such files).

One process writes, all read. Neither fails: what is damaged is not used, and content is parsed.
Decoding makes objects of the types below and of front matter models only.
"""

import fcntl
import logging
import os
import platform
import struct
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache, lru_cache
from hashlib import blake2b
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from zlib import crc32

from msgspec import DecodeError
from msgspec.msgpack import Decoder, Encoder, Ext

from knowledge.diagnostics.diagnostic import Diagnostic, DiagnosticKind, Severity
from knowledge.diagnostics.messages import Text
from knowledge.documents.content_path import NOWHERE, ContentPath, Places
from knowledge.documents.document import LANGUAGE_SETS, Document, Reading
from knowledge.documents.files import DirectoryScan, FileFingerprint
from knowledge.fields.content_types import ContentType
from knowledge.fields.front_matter import DECLARED_MODELS, MODELS, Fields
from knowledge.fields.kind_fields import DECLARATIONS
from knowledge.fields.kinds import declared_type, type_key
from knowledge.fields.settings_fields import CountryFields
from knowledge.locales.locale import Country, Language, Layer, OtherLanguage, shared_layer

log = logging.getLogger(__name__)


RACY_NS = 2_000_000_000
"""File systems have times of up to two seconds, in which one file may be written twice."""


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """The result of loading one version of a file.

    If `diagnostics` contain an error, `document` is the last good version, or None.
    """

    fingerprint: FileFingerprint
    name: ContentPath
    document: Document | None
    diagnostics: tuple[Diagnostic, ...]
    site: Reading
    """How it was read where it does not say so itself."""

    def is_valid_in(self, site: Reading) -> bool:
        """Return whether the result is the same if the site is read in this way."""
        states = self.document is not None and self.document.states_language
        language = site.language if states else self.site.language
        return self.site._replace(language=language) == site


class KnownFiles(NamedTuple):
    """Files that need not be parsed again, and the site of which they were read."""

    files: Mapping[str, LoadedFile] = MappingProxyType({})
    places: Places = NOWHERE
    site: Reading = Reading()


_MISSED_SHARE = 1 / 64
_SUFFIX, _LOCK, _UNFINISHED = ".parsed", ".lock", "unfinished-"
_HEAD = struct.Struct(">II")
"""Before each record: its length and its checksum."""

_MAX_FOLDERS = 4
"""The content folders whose files are cached, those that were written last."""

_DAMAGED = (DecodeError, ValueError, LookupError, TypeError)
"""What decoding raises if the bytes were not made by encoding."""


class ParsedFiles:
    """The cache of one content folder, in a folder that several may share."""

    def __init__(self, folder: Path, content_dir: Path) -> None:
        self._folder = folder
        name = blake2b(os.fsencode(content_dir.absolute()), digest_size=8).hexdigest()
        self._file = folder / f"{name}{_SUFFIX}"
        self._cached = 0
        self.missed = 0
        """How many files were parsed, because the cache did not have this version."""

    def read(self, root: Path, scanned: DirectoryScan) -> KnownFiles:
        """Return the files that a scan found in the same version, and that can still be read."""
        records = _records(self._file)
        try:
            if next(records) != parsing_version().encode():
                return KnownFiles()
            self._cached, countries, cities, site = _DECODER.decode(next(records))
            decoded = (_loaded(_DECODER.decode(each), scanned.documents) for each in records)
            # A permission of a folder changes nothing of the file.
            files = {
                path: file
                for path, file in decoded
                if file and os.access(f"{root}/{path}", os.R_OK)
            }
        except (OSError, *_DAMAGED):
            return KnownFiles()
        places = Places({country: CountryFields() for country in countries}, cities)
        return KnownFiles(files, places, site)

    def is_outdated(self, files: int) -> bool:
        """Return whether another load would profit if `files` were written, after this one."""
        return self.missed > files * _MISSED_SHARE or self._cached > 2 * files

    def write(
        self, known: KnownFiles, links: frozenset[str], read_at_ns: int, yield_: Callable[[], None]
    ) -> None:
        """Replace the cache; do nothing if another process does, or if it cannot be written.

        The files were read at `read_at_ns` or later. `yield_` is called between two records.
        """
        cached = [
            file
            for path, file in known.files.items()
            if path not in links and _is_cacheable(file, read_at_ns)
        ]
        cities = dict(known.places.cities)
        site = _packed([len(cached), list(known.places.countries), cities, known.site])
        records = chain(
            (parsing_version().encode(), _ENCODER.encode(site)), _encoded(cached), (b"",)
        )
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with (self._folder / _LOCK).open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                for unfinished in self._folder.glob(f"{_UNFINISHED}*"):  # of a killed process
                    unfinished.unlink(missing_ok=True)
                self._replace(records, yield_)
                files = sorted(self._folder.glob(f"*{_SUFFIX}"), key=_written_ns, reverse=True)
                for file in files[_MAX_FOLDERS:]:
                    file.unlink(missing_ok=True)
        except BlockingIOError:
            return
        except OSError as error:
            log.warning("Parsed files are not kept for the next start: %s", error.strerror)

    def _replace(self, records: Iterable[bytes], yield_: Callable[[], None]) -> None:
        """Replace the file at once, so that no process reads half of it."""
        descriptor, name = tempfile.mkstemp(prefix=_UNFINISHED, dir=self._folder)
        unfinished = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as opened:
                for record in records:
                    yield_()
                    opened.write(_HEAD.pack(len(record), crc32(record)) + record)
            unfinished.replace(self._file)
        finally:
            unfinished.unlink(missing_ok=True)


LIBRARIES = (
    *("babel", "hijridate", "lz4", "mistune", "msgspec", "phonenumberslite", "pydantic"),
    *("pydantic-core", "python-frontmatter", "pyyaml"),
)
"""The distributions on which parsing depends."""


@cache
def parsing_version() -> str:
    """Return a digest of all that parsing depends on besides the file: the code and libraries."""
    digest = blake2b(platform.python_version().encode(), digest_size=16)
    for name in LIBRARIES:
        digest.update(f"{name} {version(name)}\0".encode())
    folder = Path(__file__).parents[1]
    for path in sorted((*folder.rglob("*.py"), *DECLARATIONS.iterdir())):
        digest.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def _written_ns(file: Path) -> int:
    with suppress(OSError):
        return file.stat().st_mtime_ns
    return 0


def _is_cacheable(file: LoadedFile, read_at_ns: int) -> bool:
    has_errors = any(each.severity is Severity.ERROR for each in file.diagnostics)
    is_old = file.fingerprint.modified_ns + RACY_NS < read_at_ns
    return is_old and file.document is not None and not has_errors


def _records(file: Path) -> Iterator[bytes]:
    """Yield the records; raises an error if one is damaged."""
    with file.open("rb") as opened:
        size = os.fstat(opened.fileno()).st_size
        while len(head := opened.read(_HEAD.size)) == _HEAD.size:
            length, checksum = _HEAD.unpack(head)
            record = opened.read(min(length, size))
            if len(record) != length or crc32(record) != checksum:
                break
            if not length:
                return
            yield record
    raise ValueError("The file is damaged or cut off.")


def _encoded(files: Iterable[LoadedFile]) -> Iterator[bytes]:
    """Yield the records of files, but for those with values that have no form."""
    for file in files:
        own = [getattr(file.document, name) for name in _OWN]
        record = [*file.fingerprint, file.name, own, file.diagnostics, file.site]
        with suppress(TypeError, ValueError, OverflowError):
            yield _ENCODER.encode(_packed(record))


_NAMED = ("kind", "slug", "name", "layer")
"""What a document has of its name."""


def _loaded(
    record: list[Any], found: Mapping[str, FileFingerprint]
) -> tuple[str, LoadedFile | None]:
    """Return a file by its path; None if it was not found in the same version.

    It has the fingerprint of `found`, which is in memory already.
    """
    *fingerprint, name, own, diagnostics, site = record
    named = {each: getattr(name, each) for each in _NAMED}
    document = Document(**named, **dict(zip(_OWN, own, strict=True)))
    path = document.path
    if found.get(path) != tuple(fingerprint):
        return path, None
    return path, LoadedFile(found[path], name, document, diagnostics, site)


_OWN = tuple(each.name for each in fields(Document) if each.name not in _NAMED)

_PLAIN = frozenset({type(None), bool, int, float, str, bytes})


def _value(value: object) -> object:
    """Return a value of a text as it is stored: a path, for example, as what it is printed as."""
    return value if type(value) in {*_PLAIN, Text, list, tuple} else str(value)


_FORMS: Mapping[type[Any], tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    Country: (str, Country),
    OtherLanguage: (str, OtherLanguage),
    Language: (str, Language),
    DiagnosticKind: (str, DiagnosticKind),  # type: ignore[dict-item]  # members have a code and a meaning
    Severity: (int, Severity),
    Decimal: (str, Decimal),
    datetime: (datetime.isoformat, datetime.fromisoformat),
    ContentType: (type_key, declared_type),
    Layer: (
        lambda layer: [layer.country, layer.city, layer.language],
        lambda values: shared_layer(*values),
    ),
    Reading: (list, lambda values: Reading(*values)),
    Text: (
        lambda text: [text.template, [*map(_value, text.values)], dict(text.named)],
        lambda parts: Text(parts[0], *parts[1], **parts[2]),
    ),
    frozenset: (
        sorted,
        lambda languages: LANGUAGE_SETS[Language.EN in languages, Language.AR in languages],
    ),
}
"""Of each type that MessagePack lacks, what becomes a value that it has, and what reverses that."""

_CODES = {kind: code for code, kind in enumerate(_FORMS)}
_READERS = tuple(read for _, read in _FORMS.values())
_TUPLE, _OBJECT = len(_FORMS), len(_FORMS) + 1
"""The codes of tuples, and of objects of front matter models and of `_CLASSES`.

The record of an object is the name of its class and its values.
"""

_CLASSES: Mapping[str, type[Any]] = {kind.__qualname__: kind for kind in (ContentPath, Diagnostic)}


def _packed(value: Any) -> Any:
    """Return a value as the encoder takes it; raises TypeError for one of another type."""
    kind = type(value)
    if kind in _PLAIN or (kind is datetime and value.tzinfo is UTC):
        return value
    if kind is list:
        return [*map(_packed, value)]
    if kind is dict and all(type(key) is str for key in value):
        return {key: _packed(item) for key, item in value.items()}
    if kind is tuple:
        return Ext(_TUPLE, _ENCODER.encode(_packed([*value])))
    if kind in _FORMS:
        return Ext(_CODES[kind], _ENCODER.encode(_packed(_FORMS[kind][0](value))))
    if kind in _CLASSES.values() or isinstance(value, Fields):
        _, names = _cached_class(kind.__qualname__)
        values = [getattr(value, name) for name in names]
        return Ext(_OBJECT, _ENCODER.encode(_packed([kind.__qualname__, *values])))
    raise TypeError(f"{kind} cannot be cached")


def _unpacked(code: int, content: memoryview) -> object:
    """Return the object of an extension; the hook of the decoder."""
    if code == _TUPLE:
        return tuple(_DECODER.decode(content))
    if code != _OBJECT:
        return _shared(code, bytes(content))
    name, *values = _DECODER.decode(content)
    kind, names = _cached_class(name)
    return kind(**dict(zip(names, values, strict=True)))


@lru_cache(1_024)
def _shared(code: int, content: bytes) -> object:
    """Return a value that never changes: equal ones are one object."""
    return _READERS[code](_DECODER.decode(content))


@lru_cache(1_024)
def _cached_class(name: str) -> tuple[type[Any], tuple[str, ...]]:
    """Return a class by name with the names of its values; raises KeyError for another."""
    kind: type[Any] = _CLASSES.get(name) or MODELS.get(name) or DECLARED_MODELS[name]
    return kind, tuple(each.name for each in fields(kind))


_ENCODER = Encoder()
_DECODER = Decoder(ext_hook=_unpacked)
