"""Reading: a content folder becomes a snapshot; what did not change is not read again."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from knowledge.documents import Document, parse_document
from knowledge.faults import BrokenFile, Fault, Severity
from knowledge.files import Listing, Stamp, list_again, list_files, read_document
from knowledge.locale import Country
from knowledge.names import Kind, Name, parse_name
from knowledge.schemas import SINGLETONS
from knowledge.snapshot import Snapshot, build_snapshot
from knowledge.word_lists import NO_WORD_LISTS, WORD_LISTS_FILE, WordLists, parse_word_lists


@dataclass(frozen=True, slots=True)
class FileReading:
    """What reading one version of one file gave.

    `document` is that version's, or the last good one's where `faults` tell of an error.
    """

    stamp: Stamp
    name: Name
    document: Document | None
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """One pass over the folder: the base of the next, and the snapshot to serve."""

    listing: Listing
    files: Mapping[str, FileReading]
    snapshot: Snapshot
    faults: tuple[Fault, ...]
    word_lists: WordLists = NO_WORD_LISTS


_SITE = f"{Kind.SITE}/"
_SITE_DOCUMENTS = tuple(f"{_SITE}{name}." for name in SINGLETONS)
_NOTHING: Mapping[str, FileReading] = {}
_VERSION_BYTES = 4_096
"""What a version of a file costs beside its text."""


def read_folder(
    root: Path, previous: Reading | None = None, changed: Collection[str] | None = None
) -> Reading:
    """Read what is new or changed since `previous`; raises OSError without a folder.

    Where `changed` names all paths that may have changed, no others are looked at. A file that
    breaks keeps its last good version; one that is broken from the start is left out. Either
    way its faults are in the reading.
    """
    if previous is None or changed is None:
        listing = list_files(root)
    else:
        listing = list_again(root, previous.listing, changed)
    before = previous.files if previous else _NOTHING
    # City files first: the names of all others may hold a city.
    files = dict(_read_all(root, _of_cities(listing, True), {}, before, renamed=False))
    cities, city_faults = _cities(files)
    renamed = previous is not None and previous.snapshot.cities != cities
    files |= _read_all(root, _of_cities(listing, False), cities, before, renamed)
    documents = [
        file.document
        for file in files.values()
        if file.document is not None and _has_place(file.document, cities)
    ]
    snapshot, collisions = build_snapshot(
        documents, cities, listing.assets, previous.snapshot if previous else None
    )
    lists, list_faults = _word_lists(root, previous)
    faults = (
        *listing.faults,
        *list_faults,
        *city_faults,
        *(fault for file in files.values() for fault in file.faults),
        *_strays(listing, files),
        *collisions,
    )
    return Reading(listing, files, snapshot, faults, lists)


def outdated_bytes(before: Reading, after: Reading) -> int:
    """What the files come to that the later reading has no longer, or in another version."""
    return sum(
        file.stamp.size + _VERSION_BYTES
        for path, file in before.files.items()
        if after.files.get(path) is not file
    )


def _word_lists(root: Path, previous: Reading | None) -> tuple[WordLists, tuple[Fault, ...]]:
    """The operator's words for search; a file that cannot be read keeps its last good ones."""
    if not (root / WORD_LISTS_FILE).exists():
        return NO_WORD_LISTS, ()
    try:
        return parse_word_lists(read_document(root, WORD_LISTS_FILE).text)
    except BrokenFile as broken:
        return previous.word_lists if previous else NO_WORD_LISTS, broken.faults


def _has_place(document: Document, cities: Mapping[str, Country]) -> bool:
    """A city of no country is left out."""
    return document.kind is not Kind.CITY or document.slug in cities


def _of_cities(listing: Listing, wanted: bool) -> dict[str, Stamp]:
    folder = f"{Kind.CITY}/"
    return {
        path: stamp
        for path, stamp in listing.documents.items()
        if path.startswith(folder) is wanted
    }


def _read_all(
    root: Path,
    stamps: Mapping[str, Stamp],
    cities: Mapping[str, Country],
    before: Mapping[str, FileReading],
    renamed: bool,
) -> Iterator[tuple[str, FileReading]]:
    """Each file as it was before where nothing changed; `renamed` says that names may mean more."""
    for path, stamp in stamps.items():
        known = before.get(path)
        if known is not None and known.stamp == stamp and not renamed:
            yield path, known
            continue
        name = parse_name(path, cities)
        if name is not None:
            yield path, _read_file(root, path, stamp, name, known)


def _read_file(
    root: Path, path: str, stamp: Stamp, name: Name, before: FileReading | None
) -> FileReading:
    last_good = None
    if before is not None and before.name == name:
        if before.stamp == stamp:
            return before
        last_good = before.document
    try:
        document, faults = parse_document(read_document(root, path), name)
    except BrokenFile as broken:
        return FileReading(stamp, name, last_good, broken.faults)
    return FileReading(stamp, name, document, faults)


def _cities(files: Mapping[str, FileReading]) -> tuple[dict[str, Country], list[Fault]]:
    """The cities there are, and faults of those that name no country."""
    cities: dict[str, Country] = {}
    faults = []
    for path, file in files.items():
        if file.document is None or file.name.layer.language is not None:
            continue
        country = file.document.metadata.get("country_code")
        if country is not None:
            cities[file.name.slug] = country
        else:
            message = "countryCode is missing, so the city is left out."
            faults.append(Fault(path, message, "Add countryCode: AE (or SA, QA, OM, KW, BH)."))
    return cities, faults


def _strays(listing: Listing, files: Mapping[str, FileReading]) -> Iterator[Fault]:
    """Files that stand where nothing looks for them."""
    for path in listing.documents:
        if path not in files:
            folder, _, rest = path.partition("/")
            message = (
                f"No kind of document is called “{folder}”."
                if rest
                else "The file stands in no folder of a kind."
            )
            yield _stray(path, message, _known_folders())
        elif path.startswith(_SITE) and not path.startswith(_SITE_DOCUMENTS):
            known = "Name it " + ", ".join(f"{name}.md" for name in SINGLETONS) + "."
            yield _stray(path, "site/ has no document of this name.", known)


def _known_folders() -> str:
    return "Move it to one of " + ", ".join(f"{kind}/" for kind in Kind) + "."


def _stray(path: str, message: str, suggestion: str) -> Fault:
    return Fault(path, message, suggestion, severity=Severity.WARNING)
