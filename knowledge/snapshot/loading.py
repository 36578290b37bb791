"""Loading: a content folder becomes a snapshot; unchanged files are not read again.

With 10,000 documents an edit takes 0.1 s of CPU time, and reading all of them again 4 s.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import import_module
from itertools import chain
from operator import is_, is_not
from pathlib import Path
from time import time_ns
from typing import NamedTuple

from knowledge.diagnostics.diagnostic import ContentFileError, Diagnostic, DiagnosticKind
from knowledge.diagnostics.messages import Text
from knowledge.documents import site_files
from knowledge.documents.commit_dates import NO_COMMITS, CommitDates, with_commit_dates
from knowledge.documents.content_path import (
    CONTENT_FOLDER,
    NOWHERE,
    ContentPath,
    Places,
    folder_prefixes,
    is_of_same_kind,
    parse_content_path,
)
from knowledge.documents.document import Document, Reading, parse_document, text_digest
from knowledge.documents.files import (
    DirectoryScan,
    FileFingerprint,
    SourceFile,
    fingerprint_of,
    read_document,
    read_text,
    recently_modified,
    scan,
)
from knowledge.documents.images import NO_IMAGES, load_images
from knowledge.documents.parsed_files import RACY_NS, KnownFiles, LoadedFile, ParsedFiles
from knowledge.edits import changed_keys, whole
from knowledge.fields.content_types import CITY, COUNTRY, KIND, SETTINGS, SITE
from knowledge.fields.kinds import BUILT_IN_KINDS, SiteKinds
from knowledge.locales.locale import Language, Layer
from knowledge.snapshot.ignored_files import ignored_files, outside_folders
from knowledge.snapshot.named_terms import NO_AUTHORS, AuthorList, load_authors
from knowledge.snapshot.redirect_rules import (
    MAX_REDIRECTS_BYTES,
    NO_REDIRECTS,
    REDIRECTS_FILE,
    RedirectRules,
    parse_redirects,
)
from knowledge.snapshot.site import (
    SiteLanguages,
    has_country,
    languages_of,
    settings_of,
    site_cities,
    site_countries,
    site_kinds,
)
from knowledge.snapshot.snapshot import Snapshot, build_snapshot


@dataclass(frozen=True, slots=True)
class LoadedRedirects:
    """The redirect rules of one version of their file."""

    fingerprint: FileFingerprint
    rules: RedirectRules
    diagnostics: tuple[Diagnostic, ...]


class _LoadedFiles(NamedTuple):
    """All files, read in one way where they do not say it."""

    site: Reading
    languages: SiteLanguages
    files: Mapping[str, LoadedFile]
    documents: Mapping[str, Document]
    """Those that can be served, without the dates of commits."""

    document_count: int
    places: Places
    diagnostics: tuple[Diagnostic, ...]

    @property
    def known(self) -> KnownFiles:
        """What the next load need not parse again."""
        return KnownFiles(self.files, self.places, self.site._replace(language=self.languages.main))


@dataclass(frozen=True, slots=True)
class LoadedContent:
    """The result of loading a content folder; the next load starts from it."""

    scanned: DirectoryScan
    read: _LoadedFiles
    snapshot: Snapshot
    diagnostics: tuple[Diagnostic, ...]
    word_lists: site_files.WordLists = site_files.NO_WORD_LISTS
    redirects: LoadedRedirects | None = None
    commits: CommitDates = NO_COMMITS
    authors: AuthorList = NO_AUTHORS

    @property
    def files(self) -> Mapping[str, LoadedFile]:
        """The files by path."""
        return self.read.files

    @property
    def places(self) -> Places:
        """The countries and cities of the site."""
        return self.read.places

    @property
    def document_count(self) -> int:
        """The number of documents that were read."""
        return self.read.document_count

    def is_made_from(
        self, scanned: DirectoryScan, lists: site_files.WordLists, parts: tuple[object, ...]
    ) -> bool:
        """Return whether all parts are the same objects as before; no document is looked at.

        Processes that share the memory of documents would each copy what they look at.
        """
        snapshot = self.snapshot
        own = (self.read, self.commits.dates, self.authors, self.redirects, snapshot.images)
        before = (*own, snapshot.stylesheet, snapshot.templates)
        is_same = all(map(is_, before, parts))
        return is_same and self.scanned == scanned and self.word_lists == lists

    def is_equivalent_to(self, other: LoadedContent) -> bool:
        """Return whether both loads have the same versions of the same files."""
        return (
            not changed_keys(self.files, other.files)
            and self.scanned == other.scanned
            and self.word_lists == other.word_lists
            and self.authors is other.authors
            and self.commits.dates is other.commits.dates
            and self.snapshot.redirects is other.snapshot.redirects
            and self.snapshot.templates is other.snapshot.templates
            and self.snapshot.kinds is other.snapshot.kinds
            and self.diagnostics == other.diagnostics
        )


_COUNTRIES = folder_prefixes(COUNTRY)
_CITIES = folder_prefixes(CITY)
_KINDS = folder_prefixes(KIND)
_SETTINGS = tuple(f"{folder}{SETTINGS.slug}." for folder in folder_prefixes(SITE))
_EVERYWHERE = Layer(None, None, None)
_VERSION_BYTES = 4_096
"""Estimated memory of one file version, without its text."""


def load_consistent(
    root: Path,
    previous: LoadedContent | None,
    changed: Collection[str] | None,
    wait: Callable[[], bool],
    parsed: ParsedFiles | None = None,
    form_kinds: Collection[str] | None = None,
) -> LoadedContent:
    """Load what changed since `previous`, as the folder was at one instant; raises OSError.

    If a file changes while others are read, it is loaded again, because the result would mix two
    states of the folder. A broken file without a last good version is also loaded again if it was
    modified recently, because its writer may not be finished. `wait` pauses before each further
    attempt. If it returns False, the newest result is used, and the next load corrects it.
    """
    began_ns = time_ns()
    loaded = load_content(root, previous, changed, parsed, form_kinds)
    is_at_rest = loaded.scanned.changed_ns + RACY_NS < began_ns
    if loaded is previous or (parsed and not parsed.missed and is_at_rest):
        return loaded  # no file was read since the scan
    while not _is_consistent(root, loaded, changed) and wait():
        loaded = load_content(root, loaded, changed, form_kinds=form_kinds)
    return loaded


def load_content(
    root: Path,
    previous: LoadedContent | None = None,
    changed: Collection[str] | None = None,
    parsed: ParsedFiles | None = None,
    form_kinds: Collection[str] | None = None,
) -> LoadedContent:
    """Load files that are new or changed since `previous`; raises OSError without a folder.

    `changed` limits the scan to these paths; None scans the whole folder. A broken file keeps its
    last good version, or is left out if it has none. Either way the result has its diagnostics.
    If nothing changed, the result is `previous` itself. Without `previous`, files of which
    `parsed` has this version are not read. `form_kinds` is that of `build_snapshot`.
    """
    _declare_types()
    scanned = scan(root, previous.scanned, changed) if previous else scan(root)
    if previous and scanned == previous.scanned:
        read = previous.read
    elif previous:
        read = _load_files(root, scanned, previous.read.known)
    else:
        kinds = load_kinds(root, scanned) if parsed else BUILT_IN_KINDS
        known = parsed.read(root, scanned) if parsed else KnownFiles()
        known = known._replace(places=replace(known.places, kinds=kinds))
        read = _load_files(root, scanned, known)
        if parsed:
            parsed.missed = sum(map(is_not, read.files.values(), map(known.files.get, read.files)))
    documents, commits = with_commit_dates(
        root, read.documents, previous.commits if previous else NO_COMMITS
    )
    authors = load_authors(root, previous.authors if previous else NO_AUTHORS)
    redirects = _redirects(root, previous.redirects if previous else None)
    images = previous.snapshot.images if previous else NO_IMAGES
    if previous and scanned.assets is previous.scanned.assets:
        asset_sizes = whole(previous.snapshot.asset_sizes)
    else:
        images = load_images(root, scanned.assets, images)
        asset_sizes = {path: found.size for path, found in scanned.assets.items()}
    stylesheet = site_files.load_stylesheet(
        root,
        scanned.assets.get(site_files.SITE_STYLESHEET),
        previous.snapshot.stylesheet if previous else None,
    )
    templates = site_files.load_templates(
        root, previous.snapshot.templates if previous else site_files.NO_TEMPLATES
    )
    lists, list_diagnostics = _word_lists(root, previous)
    parts = (read, commits.dates, authors, redirects, images, stylesheet, templates)
    if previous and not list_diagnostics and previous.is_made_from(scanned, lists, parts):
        return previous
    snapshot, collisions = build_snapshot(
        documents,
        read.places,
        scanned.assets,
        previous.snapshot if previous else None,
        redirects.rules if redirects else NO_REDIRECTS,
        authors.authors,
        images,
        stylesheet,
        templates,
        asset_sizes,
        form_kinds,
    )
    diagnostics = (
        *scanned.diagnostics,
        *list_diagnostics,
        *(redirects.diagnostics if redirects else ()),
        *authors.diagnostics,
        *templates.diagnostics,
        *read.languages.diagnostics,
        *images.diagnostics,
        *read.diagnostics,
        *collisions,
    )
    loaded = LoadedContent(scanned, read, snapshot, diagnostics, lists, redirects, commits, authors)
    return previous if previous and loaded.is_equivalent_to(previous) else loaded


def load_kinds(root: Path, scanned: DirectoryScan | None = None) -> SiteKinds:
    """Return the kinds of a content folder, of which no other file is read; raises OSError."""
    _declare_types()
    found = (scanned or scan(root)).documents
    files = dict(_load_found(root, KnownFiles(), _within(_KINDS, found), NOWHERE, Reading()))
    kinds, _ = site_kinds((document for _, document in _documents(files)), BUILT_IN_KINDS, found)
    return kinds


@cache
def _declare_types() -> None:
    """Import all resources: each may declare a content type, which must be known before."""
    import_module("knowledge.resources.declarations")


def _load_files(root: Path, scanned: DirectoryScan, known: KnownFiles) -> _LoadedFiles:
    """Load all files; again if the texts say that the site has another main language."""
    read = _load_all(root, scanned, known)
    if read.site.language is not read.languages.main:
        read = _load_all(root, scanned, read.known)
    return read


def _load_all(root: Path, scanned: DirectoryScan, known: KnownFiles) -> _LoadedFiles:
    """Load settings, kinds, countries and cities in this order, as other files depend on them."""
    found, site = scanned.documents, known.site
    load = partial(_load_found, root, known)
    settings = dict(load(_settings(found), NOWHERE, site))
    written = settings_of(document for _, document in _documents(settings))
    stated = written.lang if written else None
    site = Reading(stated or site.language, bool(written and written.hijri))
    kind_files = dict(load(_within(_KINDS, found), NOWHERE, site))
    declarations = (document for _, document in _documents(kind_files))
    kinds, kind_diagnostics = site_kinds(declarations, known.places.kinds, found)
    places = Places(kinds=kinds)
    of_places = _within((*_KINDS, *_COUNTRIES, *_CITIES), found)
    files = dict(load(_within(_COUNTRIES, of_places), places, site))
    countries, country_diagnostics = site_countries(files)
    places = replace(places, countries=countries)
    city_files = dict(load(_within(_CITIES, of_places), places, site))
    cities, city_diagnostics = site_cities(city_files, countries)
    places = replace(places, cities=cities)
    files |= kind_files | city_files
    own = _own_files(scanned, kinds)
    elsewhere = {path: each for path, each in own.documents.items() if path not in of_places}
    with_settings = known._replace(files={**known.files, **settings})
    files |= _load_found(root, with_settings, elsewhere, places, site)
    documents = dict(_documents(files))
    languages = languages_of(stated, documents.values())
    places = replace(places, languages=languages.used)
    diagnostics = (
        *kind_diagnostics,
        *country_diagnostics,
        *city_diagnostics,
        *chain.from_iterable(file.diagnostics for file in files.values() if file.diagnostics),
        *outside_folders(own, files, kinds.content_types),
        *ignored_files(own),
        *_unknown_files(files),
    )
    served = {path: each for path, each in documents.items() if has_country(each, places)}
    return _LoadedFiles(site, languages, files, served, len(documents), places, diagnostics)


def _is_consistent(root: Path, loaded: LoadedContent, changed: Collection[str] | None) -> bool:
    broken = (loaded.files.get(diagnostic.path) for diagnostic in loaded.diagnostics)
    if any(
        file and file.document is None and recently_modified(file.fingerprint) for file in broken
    ):
        return False
    before, after = loaded.scanned.documents, scan(root, loaded.scanned, changed).documents
    return all(before.get(path) == after.get(path) for path in changed_keys(before, after))


def stale_bytes(before: LoadedContent, after: LoadedContent) -> int:
    """Return the estimated bytes of file versions that `after` no longer has."""
    outdated = changed_keys(before.files, after.files) & before.files.keys()
    return sum(before.files[path].fingerprint.size + _VERSION_BYTES for path in outdated)


def _word_lists(
    root: Path, previous: LoadedContent | None
) -> tuple[site_files.WordLists, tuple[Diagnostic, ...]]:
    """Load the word lists for search; an unreadable file keeps the previous ones."""
    if not (root / site_files.WORD_LISTS_FILE).exists():
        return site_files.NO_WORD_LISTS, ()
    try:
        return site_files.parse_word_lists(read_document(root, site_files.WORD_LISTS_FILE).text)
    except ContentFileError as broken:
        return previous.word_lists if previous else site_files.NO_WORD_LISTS, broken.diagnostics


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


def _documents(files: Mapping[str, LoadedFile]) -> Iterator[tuple[str, Document]]:
    return ((path, file.document) for path, file in files.items() if file.document is not None)


def _within(
    prefixes: tuple[str, ...], found: Mapping[str, FileFingerprint]
) -> Mapping[str, FileFingerprint]:
    """Return the files whose path begins with one of the prefixes."""
    return {path: known for path, known in found.items() if path.startswith(prefixes)}


def _own_files(scanned: DirectoryScan, kinds: SiteKinds) -> DirectoryScan:
    """Return a scan without other sites in folders of a kind that has the content folder itself."""
    if kinds.content_types.of_root is None:
        return scanned
    settings = f"/{SITE}/{SETTINGS.slug}.md"
    found = (path.removesuffix(settings) for path in scanned.documents if path.endswith(settings))
    own = {CONTENT_FOLDER, *Language}
    others = tuple(f"{folder}/" for folder in found if not own.issuperset(folder.split("/")))
    documents, ignored = (
        {path: each for path, each in files.items() if not path.startswith(others)}
        for files in (scanned.documents, scanned.ignored)
    )
    return replace(scanned, documents=documents, ignored=ignored)


def _settings(found: Mapping[str, FileFingerprint]) -> Mapping[str, FileFingerprint]:
    """Return the settings of all readers, which state the language of the site."""
    names = ((path, parse_content_path(path)) for path in _within(_SETTINGS, found))
    return {
        path: found[path]
        for path, name in names
        if name and name.slug == SETTINGS.slug and name.layer == _EVERYWHERE
    }


def _load_found(
    root: Path,
    known: KnownFiles,
    found: Mapping[str, FileFingerprint],
    places: Places,
    site: Reading,
) -> Iterator[tuple[str, LoadedFile]]:
    """Yield the files, reusing the results of unchanged ones.

    A file whose name contains a country or city that is new or gone is parsed again, because its
    name may now have another meaning; so is one of a kind that is declared in another way.
    """
    changed = places.changed_names(known.places)
    has_same_kinds = places.kinds is known.places.kinds
    for path, fingerprint in found.items():
        previous = known.files.get(path)
        if (
            previous is not None
            and (has_same_kinds or is_of_same_kind(previous.name, places))
            and previous.fingerprint == fingerprint
            and previous.is_valid_in(site)
            and not (changed and not changed.isdisjoint(path.rpartition("/")[2].split(".")))
        ):
            yield path, previous
            continue
        name = parse_content_path(path, places)
        if name is not None:
            yield path, _load_file(root, path, fingerprint, name, previous, site)


def _load_file(
    root: Path,
    path: str,
    fingerprint: FileFingerprint,
    name: ContentPath,
    before: LoadedFile | None,
    site: Reading,
) -> LoadedFile:
    last_good = None
    if before is not None and before.name == name and before.name.kind is name.kind:
        if before.fingerprint == fingerprint and before.is_valid_in(site):
            return before
        last_good = before.document
    try:
        source = read_document(root, path)
        if last_good and before and _is_same_text(source, last_good, before, site):
            return replace(before, fingerprint=fingerprint)
        document, diagnostics = parse_document(source, name, site)
    except ContentFileError as broken:
        return LoadedFile(fingerprint, name, last_good, broken.diagnostics, site)
    return LoadedFile(fingerprint, name, document, diagnostics, site)


def _is_same_text(
    source: SourceFile, last_good: Document, before: LoadedFile, site: Reading
) -> bool:
    """Return whether another file, as of a later checkout, has a text that was read already."""
    is_clean = not (before.diagnostics or source.diagnostics) and before.is_valid_in(site)
    return is_clean and text_digest(source.text) == last_good.digest


def _unknown_files(files: Mapping[str, LoadedFile]) -> Iterator[Diagnostic]:
    """Report files with an unknown name in `site/`."""
    for path, file in files.items():
        if file.name.kind.folder == SITE.folder and file.name.slug not in SITE.singletons:
            names = tuple(f"{name}.md" for name in SITE.singletons)
            suggestion = Text("Use one of {}.", names)
            message = Text("Unknown file name in site/.")
            yield DiagnosticKind.UNKNOWN_SITE_FILE.warning(path, message, suggestion)
