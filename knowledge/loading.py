"""Loading: a content folder becomes a snapshot; unchanged files are not read again.

With 10,000 documents an edit takes 20 ms of CPU time, and reading all of them again 1,500 ms.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

from knowledge.author_lists import NO_AUTHORS, AuthorList, load_authors
from knowledge.changed_keys import changed_keys
from knowledge.commit_dates import NO_COMMITS, CommitDates, with_commit_dates
from knowledge.content_path import ContentPath, parse_content_path
from knowledge.content_types import CITY, SITE
from knowledge.declarations import DECLARED_TYPES
from knowledge.diagnostics import ContentFileError, Diagnostic, Severity
from knowledge.documents import Document, parse_document
from knowledge.files import (
    DirectoryScan,
    FileFingerprint,
    fingerprint_of,
    read_document,
    read_text,
    recently_modified,
    scan,
)
from knowledge.locale import Country
from knowledge.redirect_rules import (
    MAX_REDIRECTS_BYTES,
    NO_REDIRECTS,
    REDIRECTS_FILE,
    RedirectRules,
    parse_redirects,
)
from knowledge.snapshot import Snapshot, build_snapshot
from knowledge.word_lists import NO_WORD_LISTS, WORD_LISTS_FILE, WordLists, parse_word_lists


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """The result of loading one version of a file.

    If `diagnostics` contain an error, `document` is the last good version, or None.
    """

    fingerprint: FileFingerprint
    name: ContentPath
    document: Document | None
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class LoadedRedirects:
    """The redirect rules of one version of their file."""

    fingerprint: FileFingerprint
    rules: RedirectRules
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class LoadedContent:
    """The result of loading a content folder; the next load starts from it."""

    scanned: DirectoryScan
    files: Mapping[str, LoadedFile]
    snapshot: Snapshot
    diagnostics: tuple[Diagnostic, ...]
    word_lists: WordLists = NO_WORD_LISTS
    redirects: LoadedRedirects | None = None
    commits: CommitDates = NO_COMMITS
    authors: AuthorList = NO_AUTHORS

    @property
    def document_count(self) -> int:
        """Return the number of documents that can be served."""
        return sum(file.document is not None for file in self.files.values())

    def is_equivalent_to(self, other: LoadedContent) -> bool:
        """Return whether both loads have the same versions of the same files."""
        return (
            self.scanned == other.scanned
            and not changed_keys(self.files, other.files)
            and self.word_lists == other.word_lists
            and self.authors is other.authors
            and self.commits.dates is other.commits.dates
            and self.snapshot.redirects is other.snapshot.redirects
            and self.diagnostics == other.diagnostics
        )


_SITE = f"{SITE}/"
_CITIES = f"{CITY}/"
_SITE_DOCUMENTS = tuple(f"{_SITE}{name}." for name in SITE.singletons)
_NO_FILES: Mapping[str, LoadedFile] = {}
_VERSION_BYTES = 4_096
"""Estimated memory of one file version, without its text."""


def load_consistent(
    root: Path,
    previous: LoadedContent | None,
    changed: Collection[str] | None,
    wait: Callable[[], bool],
) -> LoadedContent:
    """Load what changed since `previous`, as the folder was at one instant; raises OSError.

    If a file changes while others are read, it is loaded again, because the result would mix two
    states of the folder. A broken file without a last good version is also loaded again if it was
    modified recently, because its writer may not be finished. `wait` pauses before each further
    attempt. If it returns False, the newest result is used, and the next load corrects it.
    """
    loaded = load_content(root, previous, changed)
    while not _is_consistent(root, loaded, changed) and wait():
        loaded = load_content(root, loaded, changed)
    return loaded


def load_content(
    root: Path, previous: LoadedContent | None = None, changed: Collection[str] | None = None
) -> LoadedContent:
    """Load files that are new or changed since `previous`; raises OSError without a folder.

    `changed` limits the scan to these paths; None scans the whole folder. A broken file keeps its
    last good version, or is left out if it has none. Either way the result has its diagnostics.
    If nothing changed, the result is `previous` itself.
    """
    scanned = scan(root, previous.scanned, changed) if previous else scan(root)
    before = previous.files if previous else _NO_FILES
    # City files first, because other file names may contain a city.
    city_files = {p: known for p, known in scanned.documents.items() if p.startswith(_CITIES)}
    other_files = {p: known for p, known in scanned.documents.items() if p not in city_files}
    files = dict(_load_files(root, city_files, {}, before, frozenset()))
    cities, city_diagnostics = _cities(files)
    changed_cities = changed_keys(previous.snapshot.cities if previous else {}, cities)
    files |= _load_files(root, other_files, cities, before, changed_cities)
    documents = {
        path: file.document
        for path, file in files.items()
        if file.document is not None and _has_country(file.document, cities)
    }
    documents, commits = with_commit_dates(
        root, documents, previous.commits if previous else NO_COMMITS
    )
    authors = load_authors(root, previous.authors if previous else NO_AUTHORS)
    redirects = _redirects(root, previous.redirects if previous else None)
    snapshot, collisions = build_snapshot(
        documents,
        cities,
        scanned.assets,
        previous.snapshot if previous else None,
        redirects.rules if redirects else NO_REDIRECTS,
        authors.authors,
    )
    lists, list_diagnostics = _word_lists(root, previous)
    diagnostics = (
        *scanned.diagnostics,
        *list_diagnostics,
        *(redirects.diagnostics if redirects else ()),
        *authors.diagnostics,
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
    loaded = LoadedContent(
        scanned, files, snapshot, diagnostics, lists, redirects, commits, authors
    )
    return previous if previous and loaded.is_equivalent_to(previous) else loaded


def _is_consistent(root: Path, loaded: LoadedContent, changed: Collection[str] | None) -> bool:
    broken = (loaded.files.get(diagnostic.path) for diagnostic in loaded.diagnostics)
    if any(
        file and file.document is None and recently_modified(file.fingerprint) for file in broken
    ):
        return False
    return scan(root, loaded.scanned, changed).documents == loaded.scanned.documents


def stale_bytes(before: LoadedContent, after: LoadedContent) -> int:
    """Return the estimated bytes of file versions that `after` no longer has."""
    outdated = changed_keys(before.files, after.files) & before.files.keys()
    return sum(before.files[path].fingerprint.size + _VERSION_BYTES for path in outdated)


def _word_lists(
    root: Path, previous: LoadedContent | None
) -> tuple[WordLists, tuple[Diagnostic, ...]]:
    """Load the word lists for search; an unreadable file keeps the previous ones."""
    if not (root / WORD_LISTS_FILE).exists():
        return NO_WORD_LISTS, ()
    try:
        return parse_word_lists(read_document(root, WORD_LISTS_FILE).text)
    except ContentFileError as broken:
        return previous.word_lists if previous else NO_WORD_LISTS, broken.diagnostics


def _redirects(root: Path, previous: LoadedRedirects | None) -> LoadedRedirects | None:
    """Load the redirect rules if their file changed; an unreadable one keeps the previous ones."""
    fingerprint = fingerprint_of(root, REDIRECTS_FILE)
    if fingerprint is None or (previous is not None and previous.fingerprint == fingerprint):
        return previous if fingerprint else None
    try:
        text = read_text(root, REDIRECTS_FILE, MAX_REDIRECTS_BYTES).text
    except ContentFileError as broken:
        rules = previous.rules if previous else NO_REDIRECTS
        return LoadedRedirects(fingerprint, rules, broken.diagnostics)
    return LoadedRedirects(fingerprint, *parse_redirects(text))


def _has_country(document: Document, cities: Mapping[str, Country]) -> bool:
    """Return False for a city without a country, which is left out."""
    return document.kind is not CITY or document.slug in cities


def _load_files(
    root: Path,
    fingerprints: Mapping[str, FileFingerprint],
    cities: Mapping[str, Country],
    before: Mapping[str, LoadedFile],
    changed_cities: AbstractSet[str],
) -> Iterator[tuple[str, LoadedFile]]:
    """Yield the files, reusing the results of unchanged ones.

    A file whose name contains one of `changed_cities` is parsed again, because its name may now
    have another meaning.
    """
    for path, fingerprint in fingerprints.items():
        previous = before.get(path)
        if (
            previous is not None
            and previous.fingerprint == fingerprint
            and not (changed_cities and _contains_city(path, changed_cities))
        ):
            yield path, previous
            continue
        name = parse_content_path(path, cities)
        if name is not None:
            yield path, _load_file(root, path, fingerprint, name, previous)


def _contains_city(path: str, cities: AbstractSet[str]) -> bool:
    """Return whether a part of the file name is one of the cities."""
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
    """Return the cities and their countries, and diagnostics for cities without a country."""
    cities: dict[str, Country] = {}
    diagnostics = []
    for path, file in files.items():
        if file.document is None or file.name.layer.language is not None:
            continue
        country = file.document.fields.only_country
        if country is not None:
            cities[file.name.slug] = country
        else:
            message = "countryCode is missing, so the city is left out."
            diagnostics.append(
                Diagnostic(path, message, "Add countryCode: AE (or SA, QA, OM, KW, BH).")
            )
    return cities, diagnostics


def _unknown_files(scanned: DirectoryScan, files: Mapping[str, LoadedFile]) -> Iterator[Diagnostic]:
    """Report files that are not in a content folder, or have an unknown name in `site/`."""
    for path in sorted(scanned.documents.keys() - files.keys()):
        folder, _, rest = path.partition("/")
        message = (
            f"Unknown content folder “{folder}”."
            if rest
            else "The file is not in a content folder."
        )
        yield _unknown_file(path, message, _MOVE_TO_FOLDER)
    for path in files:
        if path.startswith(_SITE) and not path.startswith(_SITE_DOCUMENTS):
            suggestion = "Use one of " + ", ".join(f"{name}.md" for name in SITE.singletons) + "."
            yield _unknown_file(path, "Unknown file name in site/.", suggestion)


_MOVE_TO_FOLDER = "Move it to one of " + ", ".join(f"{kind}/" for kind in DECLARED_TYPES) + "."


def _unknown_file(path: str, message: str, suggestion: str) -> Diagnostic:
    return Diagnostic(path, message, suggestion, severity=Severity.WARNING)
