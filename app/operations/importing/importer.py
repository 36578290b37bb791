"""The importer: writes a content folder from the source of another generator."""

import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote, unquote
from zoneinfo import ZoneInfo

from app.operations.importing import site_files
from app.operations.importing.document import (
    DatedFolders,
    Omission,
    SourceDocument,
    as_date,
    read_source_document,
    with_folder_languages,
    withheld_by,
    words_of,
)
from app.operations.importing.links import absolute_links
from app.operations.importing.old_site import page_at, words_below
from app.operations.importing.placement import (
    Placement,
    address_prefix,
    folder_of,
    former_address,
    new_addresses,
    place,
    start_address,
)
from app.operations.importing.site_files import list_address
from app.operations.importing.source import (
    DOCS,
    DOCUMENTATION,
    PAGES,
    POSTS,
    MenuLink,
    Source,
    Tree,
    files_below,
)
from knowledge.diagnostics.diagnostic import ContentFileError, Diagnostic
from knowledge.documents.body import count_words
from knowledge.documents.content_path import split_date
from knowledge.documents.files import KINDS_FOLDER, is_copy
from knowledge.documents.front_matter import normalize_keys
from knowledge.documents.publication import time_key
from knowledge.fields.file_types import ASSET_TYPES, DOCUMENT_SUFFIXES
from knowledge.locales.locale import Language
from knowledge.snapshot.loading import load_content


@dataclass(slots=True)
class ImportReport:
    """What was written, and what was not imported."""

    documents: Counter[str] = field(default_factory=Counter)
    """The number of texts by folder: `posts`, `pages`."""

    assets: int = 0
    redirects: int = 0
    renamed: list[Placement] = field(default_factory=list)
    """Texts whose file name another text has, with the one they got."""

    made: set[str] = field(default_factory=set)
    """The addresses of pages that the source had only as a part of another, such as a list."""

    addresses: list[str] = field(default_factory=list)
    """The main address of each text, as far as an export states it."""

    omissions: list[Omission] = field(default_factory=list)
    """Published texts that readers of the new site do not find."""

    unread: list[Diagnostic] = field(default_factory=list)
    """Files without a word that cannot be read."""

    words: frozenset[str] = frozenset()
    """The words of all files of the source, if they are compared with those of a built folder."""

    withheld: list[tuple[str, str]] = field(default_factory=list)
    """Texts that stay unpublished, and why."""

    unpublished: list[str] = field(default_factory=list)
    """Texts that the generator leaves out of the site, and that were not imported."""

    bare: list[str] = field(default_factory=list)
    """Texts that are front matter alone, of which a template makes pages."""

    doubled: list[str] = field(default_factory=list)
    """Texts whose front matter had a key twice."""

    other_files: Counter[str] = field(default_factory=Counter)
    """Files of types that are not served, by suffix."""


Track = Callable[[Sequence[Any], str], Iterable[Any]]
"""Shows how far the work on some things is, which has a name."""


def import_source(
    source: Source,
    target: Path,
    built: Path | None = None,
    track: Track = lambda things, _: things,
) -> ImportReport:
    """Write the content folder of a source into an empty folder; raises OSError.

    `built` is the folder of the old site, whose pages say what templates make of titles.
    """
    report = ImportReport(withheld=[*source.withheld])
    files = list(_files(source, report))
    read = source.completed(list(_documents(source, track(files, "Reading"), report)))
    dated = DatedFolders(read, source)
    documents = list(with_folder_languages([*map(dated.moved, read)]))
    source = _with_language(source, documents)
    placements = place(_placed(documents), source.configuration.language, source.kinds)
    published = [each for each in placements if not withheld_by(each.document)]
    addresses = new_addresses(published, source, built)
    with_links = absolute_links(placements, addresses, source.configuration)
    for placement in track(placements, "Writing"):
        _write(target / placement.path, _text(placement, with_links, source, report, built))
        report.documents[placement.document.tree.target] += 1
    report.made = {each.address for each in placements if each.document.given_name}
    report.addresses = [*source.published]
    report.words = words_below(source.root, built) if built and built.is_dir() else frozenset()
    report.renamed = [placement for placement in placements if placement.is_renamed]
    placed = {each.document.file for each in placements}
    report.bare = [
        _shown(source, each.file)
        for each in documents
        if each.own and not (each.is_index or each.opening.strip() or each.file in placed)
    ]
    moved = _copy_assets(source, files, dated, placements, target, report)
    lists = [*source.trees, *(dated.lists if source.has_lists else ())]
    _write_site_files(source, documents, placements, lists, moved, target, report, addresses)
    _note_omissions(source, placements, target, report)
    return report


def _files(source: Source, report: ImportReport) -> Iterator[tuple[Tree, Path]]:
    """Yield the files of all trees, each with the innermost tree that has it."""
    folders = {tree.folder.resolve() for tree in source.trees}
    static = {folder.resolve() for folder in source.static_folders}
    for tree in source.trees:
        own = tree.folder.resolve()
        inner = {folder for folder in folders | static if folder != own}
        for file in files_below(tree.folder, tree.excluded):
            place_of_file = own / file.relative_to(tree.folder)
            if not inner.isdisjoint(_parents_up_to(place_of_file, own)):
                continue
            if not (source.is_unpublished(file) or is_copy(file.name)):
                yield tree, file
            elif file.suffix.lower() in DOCUMENT_SUFFIXES:
                report.unpublished.append(_shown(source, file))


def _parents_up_to(file: Path, folder: Path) -> Iterator[Path]:
    for parent in file.parents:
        if parent == folder:
            return
        yield parent


def _documents(
    source: Source, files: Iterable[tuple[Tree, Path]], report: ImportReport
) -> Iterator[SourceDocument]:
    languages = source.configuration.languages
    for tree, file in files:
        if file.suffix.lower() in DOCUMENT_SUFFIXES:
            try:
                document = read_source_document(tree, file, languages, source.defaults(file))
                if document.has_double_keys:
                    report.doubled.append(_shown(source, file))
                yield document
            except ContentFileError as error:
                words = count_words(file.read_text(encoding="utf-8", errors="replace"))
                reason = error.diagnostics[0].message
                if words:
                    report.omissions.append(Omission(_shown(source, file), words, reason))
                else:
                    report.unread += error.diagnostics


def _with_language(source: Source, documents: Iterable[SourceDocument]) -> Source:
    """Return the source with the language of its site, if its configuration does not state it.

    It is that of most texts of which nothing states the language.
    """
    if source.configuration.language:
        return source
    found = Counter(each.language("") for each in documents if not each.stated_language)
    language = next((each for each, count in found.items() if 2 * count > found.total()), "")
    return replace(source, configuration=replace(source.configuration, language=language))


def _placed(documents: Iterable[SourceDocument]) -> Iterator[SourceDocument]:
    """Yield the texts that become documents; home pages and texts about lists become pages."""
    for document in documents:
        tree = document.tree
        is_top = document.is_start
        if tree.is_root and document.path.stem == "404":
            continue  # each site has such a page
        if is_top and tree.target == DOCS:
            yield document.rewritten(site_files.home_text(document))
        elif is_top and tree.is_root:
            home = document.rewritten(site_files.home_text(document))
            home = replace(home, given_name="home")
            yield from [_as_page(home)] if home.words else ()
        elif tree.target == POSTS and (is_top or document.path.name.startswith("_index.")):
            folder = document.path.parent.name or tree.folder.name.lstrip("_")
            named = replace(document, given_name=f"about-{folder}")
            yield from [_as_page(named)] if document.words else ()
        elif document.opening.strip() or document.title or tree.target == POSTS:
            yield document


def _as_page(document: SourceDocument) -> SourceDocument:
    return replace(document, tree=replace(document.tree, target=PAGES))


def _text(
    placement: Placement,
    with_links: Callable[[Placement], str],
    source: Source,
    report: ImportReport,
    built: Path | None,
) -> str:
    document = placement.document
    keys: dict[str, Any] = dict(site_files.inherited_keys(document))
    if built and _has_made_title(document):
        former = former_address(document, source.configuration)
        addresses = filter(None, (former, *source.former(document.file)))
        page = next(filter(None, (page_at(built, each) for each in addresses)), None)
        keys |= {"title": page.title} if page and page.title else {}
    if placement.slug:
        keys["slug"] = placement.slug
    if placement.needs_language:
        keys["lang"] = placement.language.replace("_", "-")
    permalink = document.own.get("permalink")
    prefix = address_prefix(document, source.configuration)
    if prefix and isinstance(permalink, str) and source.configuration.has_language_prefixes:
        keys["permalink"] = f"{prefix}/{permalink.lstrip('/')}"
    if document.tree.target == DOCS:
        keys |= _documentation_keys(document)
    reason = withheld_by(document)
    if reason:
        report.withheld.append((_shown(source, document.file), reason))
        if str(normalize_keys(document.kind, document.own)[0].get("published")).lower() != "false":
            keys["published"] = False
    keys |= _dates(document, source.configuration.time_zone)
    return site_files.with_keys(with_links(placement), keys)


def _has_made_title(document: SourceDocument) -> bool:
    """Return whether a template makes the title: the text itself has none, or one to be filled."""
    own = "title" in map(str.lower, document.own) and document.title
    return "{{" in document.title or not (own or document.heading)


_NUMBER = re.compile(r"[0-9]{1,4}(?=[-_.])")
_MOMENTS = ("publishedAt", "updatedAt", "unpublishAt")


def _documentation_keys(document: SourceDocument) -> Mapping[str, Any]:
    """Return the place that the name of a file gives it, and the title of a first page."""
    number = _NUMBER.match(
        document.path.name if not document.is_index else document.path.parent.name
    )
    keys: dict[str, Any] = {}
    if number and document.tree.is_numbered and "sortOrder" not in document.fields:
        keys["sortOrder"] = int(number[0])
    if document.is_start:
        hero = site_files.home_hero(document)
        named = {"title": hero.get("title"), "shortDescription": hero.get("sub")}
        keys |= {key: text for key, text in named.items() if text and key not in document.fields}
    return keys


def _dates(document: SourceDocument, time_zone: str) -> Mapping[str, str]:
    """Return the dates to write: of the file's name or address, and those with a zone."""
    found: dict[str, str] = {}
    named = split_date(document.path.name)[1]
    if document.date and not document.stated_date:
        is_read = named and document.tree.target == POSTS and not document.is_index
        if not is_read:
            found["date"] = f"{document.date:%Y-%m-%d}"
    if not time_zone:
        return found
    fields, origins = normalize_keys(document.kind, document.metadata)
    for key in _MOMENTS:
        origin, moment = origins.get(key, key), as_date(fields.get(key))
        # beside another time of publication, ours would not replace it
        written = origin if time_key(origin) and origin in document.own else key
        if moment and moment.tzinfo is None and (moment.hour or moment.minute or moment.second):
            found[written] = moment.replace(tzinfo=ZoneInfo(time_zone)).isoformat()
    return found


def _copy_assets(
    source: Source,
    files: Sequence[tuple[Tree, Path]],
    dated: DatedFolders,
    placements: Sequence[Placement],
    target: Path,
    report: ImportReport,
) -> Mapping[str, str]:
    """Copy pictures and downloads; return the new address of each that had another one."""
    pages = {
        each.document.file.parent
        if each.document.is_index
        else each.document.file.with_suffix(""): former_address(each.document, source.configuration)
        for each in placements
        if each.document.is_index or (source.has_folders and each.document.tree.target == POSTS)
    }
    moved: dict[str, str] = {}
    for tree, file in files:
        if tree.asset_root:
            new = PurePosixPath(file.relative_to(tree.asset_root))
        else:
            own = dated.tree_of(tree, file.relative_to(tree.folder))
            parts = file.relative_to(tree.folder).parts[:-1]
            inner = [part.lstrip("_.") or "folder" for part in parts]
            folders = folder_of(own, source.configuration.language)
            new = PurePosixPath(*folders, *inner, file.name)
        _copy_asset(source, file, target / new, report)
        if file.suffix.lower() in ASSET_TYPES and tree.address and not tree.asset_root:
            page = next((each for each in file.parents if pages.get(each)), tree.folder)
            above = pages.get(page) or list_address(tree)
            old = f"{above.rstrip('/')}/{file.relative_to(page).as_posix()}"
            moved[quote(old)] = quote(f"/{new}")
    for folder in source.static_folders:
        for file in files_below(folder):
            _copy_asset(source, file, target / file.relative_to(folder), report)
    return {old: new for old, new in moved.items() if not (target / unquote(old)[1:]).exists()}


def _copy_asset(source: Source, file: Path, target: Path, report: ImportReport) -> None:
    suffix = file.suffix.lower()
    if suffix in ASSET_TYPES:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
        report.assets += 1
    elif suffix not in DOCUMENT_SUFFIXES:
        report.other_files[suffix or file.name] += 1
        words = words_of(file)
        if words:
            reason = f"{suffix} is not read"
            report.omissions.append(Omission(_shown(source, file), words, reason))


def _write_site_files(
    source: Source,
    documents: Sequence[SourceDocument],
    placements: Sequence[Placement],
    lists: Sequence[Tree],
    moved_files: Mapping[str, str],
    target: Path,
    report: ImportReport,
    pages: Mapping[str, str],
) -> None:
    site, configuration = target / "site", source.configuration
    used = {each.document.tree.target for each in placements}
    for name, declaration in {DOCS: DOCUMENTATION, **source.kinds}.items():
        if name in used:
            file = target / KINDS_FOLDER / f"{name}.md"
            _write(file, site_files.front_matter_text(declaration))
    for path, text in source.files.items():
        _write(target / path, text)
    homes = [each for each in documents if each.is_start and each.tree.is_root]
    main_languages = ("", configuration.language)
    main = next((each for each in homes if each.stated_language in main_languages), None)
    name = (main.title if main else "") or source.root.resolve().name
    _write(site / "settings.md", site_files.settings_file(configuration, name))
    addresses = {**site_files.list_addresses(lists, configuration.language), **pages}
    for former, address in site_files.moved(configuration, addresses).items():
        addresses.setdefault(former, address)
    addresses.pop("/", None)
    has_text = any(each.document.given_name == "home" for each in placements)
    menu = configuration.menu or ([MenuLink(name, "/home")] if has_text else [])
    if menu:
        start = start_address(placements)
        _write(site / "navigation.md", site_files.navigation_file(menu, {"/": start, **addresses}))
    for home in homes:
        language = Language.parse(home.stated_language)
        hero = site_files.home_hero(home)
        if hero and home.tree.target != DOCS and (home is main or language):
            suffix = "" if home is main else f".{language}"
            _write(site / f"home{suffix}.md", site_files.front_matter_text({"hero": hero}))
    redirects = site_files.redirects_file({**moved_files, **addresses})
    redirects += site_files.own_redirects(source)
    report.redirects = redirects.count("\n")
    if redirects:
        _write(target / "_redirects", redirects)


def _note_omissions(
    source: Source, placements: Sequence[Placement], target: Path, report: ImportReport
) -> None:
    """Note the texts that the written folder does not serve."""
    loaded = load_content(target)
    served = {
        document.path
        for entries in loaded.snapshot.entries.values()
        for entry in entries.values()
        for document in entry.documents
    }
    problems = {each.path: each.message for each in reversed(loaded.diagnostics)}
    for placement in placements:
        if placement.path not in served:
            file, words = placement.document.file, placement.document.words
            reason = problems.get(placement.path, "The file is not served.")
            report.omissions.append(Omission(_shown(source, file), words, reason))


def _shown(source: Source, file: Path) -> str:
    """Return the path of a file in its source."""
    return (
        file.relative_to(source.root).as_posix() if file.is_relative_to(source.root) else str(file)
    )


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
