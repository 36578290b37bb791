"""Import of a source: reads its texts, and writes a content folder."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from app.operations.importing.documents import SourceDocument, files_below, read_source_document
from app.operations.importing.front_matter_keys import with_key
from app.operations.importing.placement import (
    Placement,
    folder_of,
    introduces_tree,
    new_addresses,
    place,
)
from app.operations.importing.site_files import (
    home_file,
    navigation_file,
    redirects_file,
    settings_file,
)
from app.operations.importing.source import POSTS, Source, Tree
from knowledge.diagnostics.diagnostic import ContentFileError, Diagnostic
from knowledge.fields.file_types import ASSET_TYPES, DOCUMENT_SUFFIXES


@dataclass(slots=True)
class ImportReport:
    """What was written, and what was not imported."""

    documents: Counter[str] = field(default_factory=Counter)
    """The number of texts by folder: `posts`, `pages`."""

    assets: int = 0
    redirects: int = 0
    renamed: list[Placement] = field(default_factory=list)
    """Texts whose file name another text has, with the one they got."""

    introductions: list[SourceDocument] = field(default_factory=list)
    """Texts about lists of posts, and home pages of other languages."""

    unread: list[Diagnostic] = field(default_factory=list)
    other_files: Counter[str] = field(default_factory=Counter)
    """Files of types that are not served, by suffix."""


def import_source(source: Source, target: Path) -> ImportReport:
    """Write the content folder of a source into an empty folder; raises OSError."""
    report = ImportReport()
    files = list(_files(source))
    documents = list(_documents(files, report))
    placements = place(documents, source.configuration.language)
    for placement in placements:
        _write(target / placement.path, _text(placement))
        report.documents[placement.document.tree.target] += 1
    report.renamed = [placement for placement in placements if placement.is_renamed]
    _copy_assets(source, files, target, report)
    introductions = [document for document in documents if introduces_tree(document)]
    home = next((each for each in introductions if each.tree.is_root), None)
    report.introductions = [each for each in introductions if each is not home]
    _write_site_files(source, home, placements, target, report)
    return report


def _files(source: Source) -> Iterator[tuple[Tree, Path]]:
    """Yield the files of all trees, each with the innermost tree that has it."""
    folders = {tree.folder.resolve() for tree in source.trees}
    static = {folder.resolve() for folder in source.static_folders}
    for tree in source.trees:
        own = tree.folder.resolve()
        inner = {folder for folder in folders | static if folder != own}
        for file in files_below(tree.folder, tree.excluded):
            if inner.isdisjoint(_parents_up_to(file.resolve(), own)):
                yield tree, file


def _parents_up_to(file: Path, folder: Path) -> Iterator[Path]:
    for parent in file.parents:
        if parent == folder:
            return
        yield parent


def _documents(
    files: Iterable[tuple[Tree, Path]], report: ImportReport
) -> Iterator[SourceDocument]:
    for tree, file in files:
        if file.suffix.lower() in DOCUMENT_SUFFIXES:
            try:
                yield read_source_document(tree, file)
            except ContentFileError as error:
                report.unread += error.diagnostics


def _text(placement: Placement) -> str:
    document = placement.document
    text = document.text
    if placement.slug:
        text = with_key(text, "slug", placement.slug)
    if document.tree.is_draft and "published" not in document.metadata:
        text = with_key(text, "published", value=False)
    if document.date and not document.written_date:
        text = with_key(text, "date", f"{document.date:%Y-%m-%d}")
    return text


def _copy_assets(
    source: Source, files: Sequence[tuple[Tree, Path]], target: Path, report: ImportReport
) -> None:
    for tree, file in files:
        folders = [] if tree.assets_at_root else folder_of(tree, source.configuration.language)
        _copy_asset(file, target.joinpath(*folders, file.relative_to(tree.folder)), report)
    for folder in source.static_folders:
        for file in files_below(folder):
            _copy_asset(file, target / file.relative_to(folder), report)


def _copy_asset(file: Path, target: Path, report: ImportReport) -> None:
    suffix = file.suffix.lower()
    if suffix in ASSET_TYPES:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
        report.assets += 1
    elif suffix not in DOCUMENT_SUFFIXES:
        report.other_files[suffix or file.name] += 1


def _write_site_files(
    source: Source,
    home: SourceDocument | None,
    placements: Sequence[Placement],
    target: Path,
    report: ImportReport,
) -> None:
    site, configuration = target / "site", source.configuration
    name = (home.title if home else "") or source.root.resolve().name
    _write(site / "settings.md", settings_file(configuration, name))
    addresses = {**_blog_addresses(source), **new_addresses(placements)}
    if configuration.menu:
        _write(site / "navigation.md", navigation_file(configuration, addresses))
    if home and (text := home_file(home)):
        _write(site / "home.md", text)
    redirects = redirects_file(addresses) + _own_redirects(source)
    report.redirects = redirects.count("\n")
    if redirects:
        _write(target / "_redirects", redirects)


def _blog_addresses(source: Source) -> dict[str, str]:
    """Return the address of the blog for those of the folders of posts."""
    posts = (tree for tree in source.trees if tree.target == POSTS and not tree.is_root)
    return {address: "/blog" for tree in posts if (address := _list_address(tree))}


def _list_address(tree: Tree) -> str:
    """Return the address of the list of posts of a tree, `""` if it has none of its own."""
    prefix = tree.address.partition(":")[0]
    if not tree.address or tree.folder.name.startswith("_"):
        return ""
    return prefix if prefix.strip("/") else f"/{tree.folder.name}/"


def _own_redirects(source: Source) -> str:
    """Return the redirects that the source has for Netlify and others."""
    folders = (source.root, *source.static_folders)
    files = (folder / "_redirects" for folder in folders)
    texts = (file.read_text(encoding="utf-8", errors="replace") for file in files if file.is_file())
    return "".join(f"{text.rstrip()}\n" for text in texts)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
