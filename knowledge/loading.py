"""Reading: a content folder becomes a snapshot; what did not change is not read again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

from knowledge.changed_keys import changed_keys
from knowledge.content_path import ContentPath, ContentType, parse_content_path
from knowledge.diagnostics import ContentFileError, Diagnostic, Severity
from knowledge.documents import Document, parse_document
from knowledge.files import (
    DirectoryScan,
    FileFingerprint,
    read_document,
    recently_modified,
    rescan,
    scan,
)
from knowledge.locale import Country
from knowledge.schemas import SINGLETONS
from knowledge.snapshot import Snapshot, build_snapshot
from knowledge.word_lists import NO_WORD_LISTS, WORD_LISTS_FILE, WordLists, parse_word_lists


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """What reading one version of one file gave.

    `document` is that version's, or the last good one's where `diagnostics` tell of an error.
    """

    fingerprint: FileFingerprint
    name: ContentPath
    document: Document | None
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class LoadedContent:
    """One pass over the folder: the base of the next, and the snapshot to serve."""

    scanned: DirectoryScan
    files: Mapping[str, LoadedFile]
    snapshot: Snapshot
    diagnostics: tuple[Diagnostic, ...]
    word_lists: WordLists = NO_WORD_LISTS

    @property
    def document_count(self) -> int:
        """How many documents can be served."""
        return sum(file.document is not None for file in self.files.values())

    def is_equivalent_to(self, other: LoadedContent) -> bool:
        """Whether both found the same versions of the same files."""
        return (
            self.scanned == other.scanned
            and not changed_keys(self.files, other.files)
            and self.word_lists == other.word_lists
            and self.diagnostics == other.diagnostics
        )


_SITE = f"{ContentType.SITE}/"
_CITIES = f"{ContentType.CITY}/"
_SITE_DOCUMENTS = tuple(f"{_SITE}{name}." for name in SINGLETONS)
_NO_FILES: Mapping[str, LoadedFile] = {}
_VERSION_BYTES = 4_096
"""What a version of a file costs beside its text."""


def load_consistent(
    root: Path,
    previous: LoadedContent | None,
    changed: Collection[str] | None,
    wait: Callable[[], bool],
) -> LoadedContent:
    """Read what changed since `previous` as it all stood at one instant; raises OSError.

    A file that is written anew while others are read is read again, as a reading of some before
    and of others after would be of a state that never was. So is one that broke a moment ago and
    has no good version to stay: it may be half written. Where `wait` says that there is no more
    time the newest reading must do; the next one mends it.
    """
    loaded = load_content(root, previous, changed)
    while not _is_consistent(root, loaded, changed) and wait():
        loaded = load_content(root, loaded, changed)
    return loaded


def load_content(
    root: Path, previous: LoadedContent | None = None, changed: Collection[str] | None = None
) -> LoadedContent:
    """Read what is new or changed since `previous`; raises OSError without a folder.

    Where `changed` names all paths that may have changed, no others are looked at. A file that
    breaks keeps its last good version; one that is broken from the start is left out. Either
    way its faults are in the reading. Where nothing is new it is `previous` itself.
    """
    scanned = _scan(root, previous, changed)
    before = previous.files if previous else _NO_FILES
    # City files first: the names of all others may hold a city.
    of_cities, others = _split_city_files(scanned.documents)
    files = dict(_load_files(root, of_cities, {}, before, frozenset()))
    cities, city_diagnostics = _cities(files)
    changed_cities = changed_keys(previous.snapshot.cities if previous else {}, cities)
    files |= _load_files(root, others, cities, before, changed_cities)
    documents = {
        path: file.document
        for path, file in files.items()
        if file.document is not None and _has_place(file.document, cities)
    }
    snapshot, collisions = build_snapshot(
        documents, cities, scanned.assets, previous.snapshot if previous else None
    )
    lists, list_diagnostics = _word_lists(root, previous)
    diagnostics = (
        *scanned.diagnostics,
        *list_diagnostics,
        *city_diagnostics,
        *(
            diagnostic
            for file in files.values()
            if file.diagnostics
            for diagnostic in file.diagnostics
        ),
        *_unknown_files(scanned, files),
        *collisions,
    )
    loaded = LoadedContent(scanned, files, snapshot, diagnostics, lists)
    return previous if previous and loaded.is_equivalent_to(previous) else loaded


def _is_consistent(root: Path, loaded: LoadedContent, changed: Collection[str] | None) -> bool:
    broken = (loaded.files.get(diagnostic.path) for diagnostic in loaded.diagnostics)
    if any(
        file and file.document is None and recently_modified(file.fingerprint) for file in broken
    ):
        return False
    return _scan(root, loaded, changed).documents == loaded.scanned.documents


def stale_bytes(before: LoadedContent, after: LoadedContent) -> int:
    """What the files come to that the later reading has no longer, or in another version."""
    outdated = changed_keys(before.files, after.files) & before.files.keys()
    return sum(before.files[path].fingerprint.size + _VERSION_BYTES for path in outdated)


def _scan(
    root: Path, previous: LoadedContent | None, changed: Collection[str] | None
) -> DirectoryScan:
    if previous is None:
        return scan(root)
    if changed is None:
        return scan(root, previous.scanned)
    return rescan(root, previous.scanned, changed)


def _word_lists(
    root: Path, previous: LoadedContent | None
) -> tuple[WordLists, tuple[Diagnostic, ...]]:
    """The operator's words for search; a file that cannot be read keeps its last good ones."""
    if not (root / WORD_LISTS_FILE).exists():
        return NO_WORD_LISTS, ()
    try:
        return parse_word_lists(read_document(root, WORD_LISTS_FILE).text)
    except ContentFileError as broken:
        return previous.word_lists if previous else NO_WORD_LISTS, broken.diagnostics


def _has_place(document: Document, cities: Mapping[str, Country]) -> bool:
    """A city of no country is left out."""
    return document.kind is not ContentType.CITY or document.slug in cities


def _split_city_files(
    fingerprints: Mapping[str, FileFingerprint],
) -> tuple[Mapping[str, FileFingerprint], Mapping[str, FileFingerprint]]:
    """The city files, and all others."""
    of_cities = {
        path: fingerprint for path, fingerprint in fingerprints.items() if path.startswith(_CITIES)
    }
    if not of_cities:
        return of_cities, fingerprints
    return of_cities, {path: at for path, at in fingerprints.items() if path not in of_cities}


def _load_files(
    root: Path,
    fingerprints: Mapping[str, FileFingerprint],
    cities: Mapping[str, Country],
    before: Mapping[str, LoadedFile],
    changed_cities: AbstractSet[str],
) -> Iterator[tuple[str, LoadedFile]]:
    """Each file as it was before where nothing changed.

    A name that holds a city which came, went or moved (`changed_cities`) may mean something else
    now.
    """
    for path, fingerprint in fingerprints.items():
        known = before.get(path)
        is_same = known is not None and (
            known.fingerprint is fingerprint or known.fingerprint == fingerprint
        )
        if (
            known is not None
            and is_same
            and not (changed_cities and _contains_city(path, changed_cities))
        ):
            yield path, known
            continue
        name = parse_content_path(path, cities)
        if name is not None:
            yield path, _load_file(root, path, fingerprint, name, known)


def _contains_city(path: str, cities: AbstractSet[str]) -> bool:
    """Whether a part of the file's name is one of the cities."""
    return not cities.isdisjoint(path.rpartition("/")[2].split("."))


def _load_file(
    root: Path,
    path: str,
    fingerprint: FileFingerprint,
    name: ContentPath,
    before: LoadedFile | None,
) -> LoadedFile:
    last_good = None
    if before is not None and before.name == name:
        if before.fingerprint == fingerprint:
            return before
        last_good = before.document
    try:
        document, diagnostics = parse_document(read_document(root, path), name)
    except ContentFileError as broken:
        return LoadedFile(fingerprint, name, last_good, broken.diagnostics)
    return LoadedFile(fingerprint, name, document, diagnostics)


def _cities(files: Mapping[str, LoadedFile]) -> tuple[dict[str, Country], list[Diagnostic]]:
    """The cities there are, and faults of those that name no country."""
    cities: dict[str, Country] = {}
    diagnostics = []
    for path, file in files.items():
        if file.document is None or file.name.layer.language is not None:
            continue
        country = file.document.metadata.get("country_code")
        if country is not None:
            cities[file.name.slug] = country
        else:
            message = "countryCode is missing, so the city is left out."
            diagnostics.append(
                Diagnostic(path, message, "Add countryCode: AE (or SA, QA, OM, KW, BH).")
            )
    return cities, diagnostics


def _unknown_files(scanned: DirectoryScan, files: Mapping[str, LoadedFile]) -> Iterator[Diagnostic]:
    """Files that stand where nothing looks for them."""
    for path in sorted(scanned.documents.keys() - files.keys()):
        folder, _, rest = path.partition("/")
        message = (
            f"No kind of document is called “{folder}”."
            if rest
            else "The file stands in no folder of a kind."
        )
        yield _unknown_file(path, message, _known_folders())
    for path in files:
        if path.startswith(_SITE) and not path.startswith(_SITE_DOCUMENTS):
            known = "Name it " + ", ".join(f"{name}.md" for name in SINGLETONS) + "."
            yield _unknown_file(path, "site/ has no document of this name.", known)


def _known_folders() -> str:
    return "Move it to one of " + ", ".join(f"{kind}/" for kind in ContentType) + "."


def _unknown_file(path: str, message: str, suggestion: str) -> Diagnostic:
    return Diagnostic(path, message, suggestion, severity=Severity.WARNING)
