"""The importer: writes a content folder from the source of another generator."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from app.operations.importing.placement import (
    Placement,
    folder_of,
    introduces_tree,
    new_addresses,
    place,
)
from app.operations.importing.source import (
    POSTS,
    SiteConfiguration,
    Source,
    SourceDocument,
    Tree,
    files_below,
    read_source_document,
)
from knowledge.diagnostics.diagnostic import ContentFileError, Diagnostic
from knowledge.fields.file_types import ASSET_TYPES, DOCUMENT_SUFFIXES
from knowledge.locales.locale import Language
from knowledge.markdown.slugs import slugify


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
    posts = (tree for tree in source.trees if tree.target == POSTS and not tree.is_root)
    lists = {address: "/blog" for tree in posts if (address := _list_address(tree))}
    addresses = {**lists, **new_addresses(placements)}
    if configuration.menu:
        _write(site / "navigation.md", navigation_file(configuration, addresses))
    if home and (text := home_file(home)):
        _write(site / "home.md", text)
    redirects = redirects_file(addresses) + _own_redirects(source)
    report.redirects = redirects.count("\n")
    if redirects:
        _write(target / "_redirects", redirects)


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


_FENCE = re.compile(r"\s*(---|\+\+\+)[ \t]*\n")


def with_key(text: str, key: str, value: str | bool) -> str:
    r"""Return a text with one more key at the top of its front matter, in YAML or TOML.

    >>> with_key("+++\ntitle = 'A'\n+++\nText", "slug", "b")
    '+++\nslug = "b"\ntitle = \'A\'\n+++\nText'
    >>> with_key("Text", "published", False)
    '---\npublished: false\n---\n\nText'
    """
    written = json.dumps(value, ensure_ascii=False)
    opened = _FENCE.match(text)
    if opened is None:
        return f"---\n{key}: {written}\n---\n\n{text}"
    sign = ":" if opened[1] == "---" else " ="
    return f"{text[: opened.end()]}{key}{sign} {written}\n{text[opened.end() :]}"


def settings_file(configuration: SiteConfiguration, title: str) -> str:
    """Return `site/settings.md`: the name, the description and the language of the site."""
    seo = {"pageTitle": configuration.title or title}
    if configuration.description:
        seo["metaDescription"] = configuration.description
    settings: dict[str, Any] = {"seo": seo}
    if language := Language.parse(configuration.language):
        settings = {"lang": language.value, **settings}
    return _front_matter(settings)


def navigation_file(configuration: SiteConfiguration, new_addresses: Mapping[str, str]) -> str:
    """Return `site/navigation.md`; `new_addresses` has the new address of each old one."""
    pages = {_comparable(former): address for former, address in new_addresses.items()}
    links = [
        {
            "id": f"header-{slugify(link.label) or number}",
            "label": link.label,
            "href": pages.get(_comparable(link.target), link.target),
            "active": True,
            "sortOrder": 10 * number,
        }
        for number, link in enumerate(configuration.menu, 1)
    ]
    return _front_matter({"headerLinks": links})


def home_file(home: SourceDocument) -> str:
    """Return `site/home.md` with the title and the description of the source's home page."""
    hero = {
        key: text
        for key, name in (("title", "title"), ("sub", "description"))
        if isinstance(text := home.metadata.get(name), str)
    }
    return _front_matter({"hero": hero}) if hero else ""


def _front_matter(metadata: Mapping[str, Any]) -> str:
    text = yaml.safe_dump(dict(metadata), allow_unicode=True, sort_keys=False, width=1_000)
    return f"---\n{text}---\n"


def _comparable(address: str) -> str:
    """Return an address in the form in which addresses are compared.

    >>> _comparable("Docs/Start.html"), _comparable("/docs/start/")
    ('/docs/start', '/docs/start')
    """
    path = address.partition("#")[0].strip("/").lower()
    return "/" + path.removesuffix(".html").removesuffix(".md")


def redirects_file(new_addresses: Mapping[str, str]) -> str:
    """Return `_redirects`, which leads readers of old addresses to the new ones."""
    return "".join(
        f"{former.replace(' ', '%20')} {address} 301\n"
        for former, address in sorted(new_addresses.items())
        if former.rstrip("/") != address
    )
