"""Loading: a content folder becomes a snapshot; unchanged files are not read again.

With 10,000 documents an edit takes 20 ms of CPU time, and reading all of them again 1,500 ms.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, cast

from knowledge.author_lists import NO_AUTHORS, AuthorList, load_authors
from knowledge.changed_keys import changed_keys
from knowledge.commit_dates import NO_COMMITS, CommitDates, with_commit_dates
from knowledge.content_path import ContentPath, folder_prefixes, parse_content_path
from knowledge.content_types import CITY, COUNTRY, SETTINGS, SITE
from knowledge.diagnostic_kinds import DiagnosticKind
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
from knowledge.images import NO_IMAGES, Images, load_images
from knowledge.loaded_file import LoadedFile
from knowledge.locale import Country, Language
from knowledge.parsed_files import ParsedFiles
from knowledge.passed_over import outside_folders, passed_over
from knowledge.places import NOWHERE, Countries, Places, countries_of
from knowledge.redirect_rules import (
    MAX_REDIRECTS_BYTES,
    NO_REDIRECTS,
    REDIRECTS_FILE,
    RedirectRules,
    parse_redirects,
)
from knowledge.schemas import Common, CountryFields
from knowledge.site_languages import BOTH_LANGUAGES, SiteLanguages, languages_of, stated_language
from knowledge.site_stylesheet import SITE_STYLESHEET, load_stylesheet
from knowledge.snapshot import Snapshot, build_snapshot
from knowledge.template_files import NO_TEMPLATES, load_templates
from knowledge.word_lists import NO_WORD_LISTS, WORD_LISTS_FILE, WordLists, parse_word_lists


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
    places: Places = NOWHERE
    languages: SiteLanguages = BOTH_LANGUAGES
    document_count: int = 0
    """The number of documents that can be served."""

    def is_equivalent_to(self, other: LoadedContent) -> bool:
        """Return whether both loads have the same versions of the same files."""
        return (
            self.scanned == other.scanned
            and not changed_keys(self.files, other.files)
            and self.word_lists == other.word_lists
            and self.authors is other.authors
            and self.commits.dates is other.commits.dates
            and self.snapshot.redirects is other.snapshot.redirects
            and self.snapshot.templates is other.snapshot.templates
            and self.diagnostics == other.diagnostics
        )


_COUNTRIES = folder_prefixes(COUNTRY)
_CITIES = folder_prefixes(CITY)
_SETTINGS = tuple(f"{folder}{SETTINGS.slug}." for folder in folder_prefixes(SITE))
_NOTHING_KNOWN: tuple[Mapping[str, LoadedFile], Places, Language] = ({}, NOWHERE, Language.EN)
_VERSION_BYTES = 4_096
"""Estimated memory of one file version, without its text."""


def load_consistent(
    root: Path,
    previous: LoadedContent | None,
    changed: Collection[str] | None,
    wait: Callable[[], bool],
    parsed: ParsedFiles | None = None,
) -> LoadedContent:
    """Load what changed since `previous`, as the folder was at one instant; raises OSError.

    If a file changes while others are read, it is loaded again, because the result would mix two
    states of the folder. A broken file without a last good version is also loaded again if it was
    modified recently, because its writer may not be finished. `wait` pauses before each further
    attempt. If it returns False, the newest result is used, and the next load corrects it.
    """
    loaded = load_content(root, previous, changed, parsed)
    while not _is_consistent(root, loaded, changed) and wait():
        loaded = load_content(root, loaded, changed)
    return loaded


def load_content(
    root: Path,
    previous: LoadedContent | None = None,
    changed: Collection[str] | None = None,
    parsed: ParsedFiles | None = None,
) -> LoadedContent:
    """Load files that are new or changed since `previous`; raises OSError without a folder.

    `changed` limits the scan to these paths; None scans the whole folder. A broken file keeps its
    last good version, or is left out if it has none. Either way the result has its diagnostics.
    If nothing changed, the result is `previous` itself. Without `previous`, files of which
    `parsed` has this version are not read.
    """
    scanned = scan(root, previous.scanned, changed) if previous else scan(root)
    known = (
        (previous.files, previous.places, previous.languages.main) if previous else _NOTHING_KNOWN
    )
    loaded_files = _load_all(root, scanned, *known, parsed or ParsedFiles())
    languages = languages_of(loaded_files.documents)
    if loaded_files.language is not languages.main:
        known = (loaded_files.files, loaded_files.places, languages.main)
        loaded_files = _load_all(root, scanned, *known, parsed or ParsedFiles())
        languages = languages_of(loaded_files.documents)
    files, places = loaded_files.files, replace(loaded_files.places, languages=languages.used)
    documents = {
        path: file.document
        for path, file in files.items()
        if file.document is not None and _has_country(file.document, places)
    }
    documents, commits = with_commit_dates(
        root, documents, previous.commits if previous else NO_COMMITS
    )
    authors = load_authors(root, previous.authors if previous else NO_AUTHORS)
    redirects = _redirects(root, previous.redirects if previous else None)
    images = _images(root, scanned, previous)
    stylesheet = load_stylesheet(
        root,
        scanned.assets.get(SITE_STYLESHEET),
        previous.snapshot.stylesheet if previous else None,
    )
    templates = load_templates(root, previous.snapshot.templates if previous else NO_TEMPLATES)
    snapshot, collisions = build_snapshot(
        documents,
        places,
        scanned.assets,
        previous.snapshot if previous else None,
        redirects.rules if redirects else NO_REDIRECTS,
        authors.authors,
        images,
        stylesheet,
        templates,
        {path: fingerprint.size for path, fingerprint in scanned.assets.items()},
    )
    lists, list_diagnostics = _word_lists(root, previous)
    diagnostics = (
        *scanned.diagnostics,
        *list_diagnostics,
        *(redirects.diagnostics if redirects else ()),
        *authors.diagnostics,
        *templates.diagnostics,
        *languages.diagnostics,
        *images.diagnostics,
        *loaded_files.diagnostics,
        *(
            diagnostic
            for file in files.values()
            if file.diagnostics
            for diagnostic in file.diagnostics
        ),
        *outside_folders(scanned, files),
        *passed_over(scanned),
        *_unknown_files(files),
        *collisions,
    )
    loaded = LoadedContent(
        scanned,
        files,
        snapshot,
        diagnostics,
        lists,
        redirects,
        commits,
        authors,
        places,
        languages,
        sum(file.document is not None for file in files.values()),
    )
    return previous if previous and loaded.is_equivalent_to(previous) else loaded


class _LoadedFiles(NamedTuple):
    """All files, read in one language where they state none."""

    language: Language
    files: Mapping[str, LoadedFile]
    places: Places
    diagnostics: tuple[Diagnostic, ...]

    @property
    def documents(self) -> Iterator[Document]:
        """Iterate over the documents."""
        return _documents(self.files)


def _load_all(
    root: Path,
    scanned: DirectoryScan,
    before: Mapping[str, LoadedFile],
    old_places: Places,
    language: Language,
    parsed: ParsedFiles,
) -> _LoadedFiles:
    """Load the settings, then countries, then cities, because other files depend on them."""
    found = scanned.documents
    load = partial(_load_files, root, parsed, before, old_places)
    settings = dict(load(_within(_SETTINGS, found), NOWHERE, language))
    language = stated_language(_documents(settings)) or language
    of_places = _within((*_COUNTRIES, *_CITIES), found)
    files = dict(load(_within(_COUNTRIES, of_places), NOWHERE, language))
    countries, country_diagnostics = _countries(files)
    city_files = dict(load(_within(_CITIES, of_places), Places(countries), language))
    cities, city_diagnostics = _cities(city_files, countries)
    places = Places(countries, cities)
    files |= city_files
    elsewhere = {path: known for path, known in found.items() if path not in of_places}
    files |= load(elsewhere, places, language)
    return _LoadedFiles(language, files, places, (*country_diagnostics, *city_diagnostics))


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


def _images(root: Path, scanned: DirectoryScan, previous: LoadedContent | None) -> Images:
    """Load the sizes of pictures; those of the previous load if no asset changed."""
    before = previous.snapshot.images if previous else NO_IMAGES
    if previous and scanned.assets is previous.scanned.assets:
        return before
    return load_images(root, scanned.assets, before)


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


def _has_country(document: Document, places: Places) -> bool:
    """Return False for a country or city that the site does not have, which is left out."""
    if document.kind is COUNTRY:
        return _country_of(document.fields, document.slug) is not None
    return document.kind is not CITY or document.slug in places.cities


def _documents(files: Mapping[str, LoadedFile]) -> Iterator[Document]:
    return (file.document for file in files.values() if file.document is not None)


def _within(
    prefixes: tuple[str, ...], found: Mapping[str, FileFingerprint]
) -> Mapping[str, FileFingerprint]:
    """Return the files whose path begins with one of the prefixes."""
    return {path: known for path, known in found.items() if path.startswith(prefixes)}


def _load_files(
    root: Path,
    parsed: ParsedFiles,
    before: Mapping[str, LoadedFile],
    old_places: Places,
    found: Mapping[str, FileFingerprint],
    places: Places,
    language: Language,
) -> Iterator[tuple[str, LoadedFile]]:
    """Yield the files, reusing the results of unchanged ones.

    A file whose name contains a country or city that is new or gone is parsed again, because its
    name may now have another meaning.
    """
    changed = places.changed_names(old_places)
    for path, fingerprint in found.items():
        previous = before.get(path)
        if (
            previous is not None
            and previous.fingerprint == fingerprint
            and previous.is_valid_in(language)
            and not (changed and _contains_place(path, changed))
        ):
            yield path, previous
            continue
        name = parse_content_path(path, places)
        if name is not None:
            kept = previous or parsed.find(path, fingerprint, name, language)
            yield path, _load_file(root, path, fingerprint, name, kept, language)


def _contains_place(path: str, places: AbstractSet[str]) -> bool:
    """Return whether a part of the file name is one of the countries or cities."""
    return not places.isdisjoint(path.rpartition("/")[2].split("."))


def _load_file(
    root: Path,
    path: str,
    fingerprint: FileFingerprint,
    name: ContentPath,
    before: LoadedFile | None,
    language: Language,
) -> LoadedFile:
    last_good = None
    if before is not None and before.name == name:
        if before.fingerprint == fingerprint and before.is_valid_in(language):
            return before
        last_good = before.document
    try:
        document, diagnostics = parse_document(read_document(root, path), name, language)
    except ContentFileError as broken:
        return LoadedFile(fingerprint, name, last_good, broken.diagnostics, language)
    return LoadedFile(fingerprint, name, document, diagnostics, language)


def _countries(files: Mapping[str, LoadedFile]) -> tuple[Countries, list[Diagnostic]]:
    """Return the countries of the site, and diagnostics for files without one.

    A file that cannot be read still gives the country of its name.
    """
    layers: list[tuple[Country, CountryFields]] = []
    diagnostics = []
    for path, file in sorted(files.items(), key=_layer_order):
        fields = cast(CountryFields, file.document.fields) if file.document else CountryFields()
        country = _country_of(fields, file.name.slug)
        if country is not None:
            layers.append((country, fields))
        elif file.document is not None:
            message = f"“{file.name.slug}” is not the code of a country, so the file is left out."
            suggestion = "Name it by the ISO 3166 code, such as eg.md, or add code: EG."
            kind = DiagnosticKind.UNKNOWN_COUNTRY
            diagnostics.append(Diagnostic(path, message, suggestion, kind=kind))
    return countries_of(layers), diagnostics


def _layer_order(item: tuple[str, LoadedFile]) -> tuple[bool, bool, bool, str]:
    return item[1].name.layer.order


def _country_of(fields: Common, slug: str) -> Country | None:
    code = fields.code if isinstance(fields, CountryFields) else None
    return code or Country.parse(slug)


def _cities(
    files: Mapping[str, LoadedFile], countries: Countries
) -> tuple[dict[str, Country], list[Diagnostic]]:
    """Return the cities and their countries, and diagnostics for cities without a country."""
    cities: dict[str, Country] = {}
    diagnostics = []
    for path, file in files.items():
        if file.document is None or file.name.layer.language is not None:
            continue
        country = file.document.fields.only_country
        if country is not None and country in countries:
            cities[file.name.slug] = country
        else:
            diagnostics.append(_city_without_country(path, country, countries))
    return cities, diagnostics


def _city_without_country(path: str, country: Country | None, countries: Countries) -> Diagnostic:
    kind = DiagnosticKind.CITY_WITHOUT_COUNTRY
    if country is not None or not countries:
        message = "The city is left out, because the site does not have its country."
        suggestion = f"Add countries/{country.slug if country else 'sa'}.md."
        return Diagnostic(path, message, suggestion, kind=kind)
    message = "countryCode is missing, so the city is left out."
    return Diagnostic(path, message, f"Add countryCode: {' or '.join(countries)}.", kind=kind)


def _unknown_files(files: Mapping[str, LoadedFile]) -> Iterator[Diagnostic]:
    """Report files with an unknown name in `site/`."""
    for path, file in files.items():
        if file.name.kind is SITE and file.name.slug not in SITE.singletons:
            suggestion = "Use one of " + ", ".join(f"{name}.md" for name in SITE.singletons) + "."
            message = "Unknown file name in site/."
            kind = DiagnosticKind.UNKNOWN_SITE_FILE
            yield Diagnostic(path, message, suggestion, severity=Severity.WARNING, kind=kind)
