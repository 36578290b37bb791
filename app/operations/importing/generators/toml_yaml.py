"""Zola, MkDocs, and Obsidian, which has no configuration."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TypeGuard

from app.operations.importing.configuration import (
    Configuration,
    first_file,
    first_text,
    mapping_at,
    mappings_at,
    menu_links,
    read_configuration,
    text_at,
)
from app.operations.importing.document import SourceDocument
from app.operations.importing.source import (
    DOCS,
    POSTS,
    MenuLink,
    Metadata,
    SiteConfiguration,
    Source,
    Tree,
    TreeLayout,
    anchored,
    existing,
    files_below,
    ignored_paths,
)
from knowledge.markdown.slugs import slugify


def read_zola(root: Path) -> Source | None:
    """Return the source of a Zola site, or None. Its texts are in `content`."""
    file, content = root / "config.toml", root / "content"
    if not file.is_file() or not content.is_dir():
        return None
    settings = read_configuration(file)
    if "base_url" not in settings:
        return None
    entries = (
        entry
        for key in ("menu_items", "main_menu", "menu", "menu_links")
        for entry in mappings_at(settings, "extra", key)
    )
    return Source(
        "Zola",
        root,
        list(TreeLayout().trees(content)),
        SiteConfiguration(
            title=text_at(settings, "title"),
            description=text_at(settings, "description"),
            base_url=text_at(settings, "base_url"),
            language=text_at(settings, "default_language"),
            languages=frozenset(map(str, mapping_at(settings, "languages"))),
            menu=[
                link._replace(target=link.target.replace("$BASE_URL", "") or "/")
                for link in menu_links(entries, ("name",), ("url",))
            ],
            as_address=lambda path: "/".join(map(slugify, path.split("/"))),
        ),
        existing(root / "static"),
        ["Templates, shortcodes and styles of templates/, themes/ and sass/ are not imported."],
        is_unpublished=ignored_paths(content, anchored(settings.get("ignored_content"))),
        completed=lambda documents: list(_without_drafts(documents)),
        has_dated_top=True,
    )


def _without_drafts(documents: Sequence[SourceDocument]) -> Iterator[SourceDocument]:
    """Yield the documents; those of a section that is a draft are withheld with it."""
    drafts = [
        each.file.parent
        for each in documents
        if each.path.name.startswith("_index.") and str(each.own.get("draft")).lower() == "true"
    ]
    for document in documents:
        is_inside = any(document.file.is_relative_to(folder) for folder in drafts)
        yield replace(document, withheld_by="its section is a draft") if is_inside else document


def read_mkdocs(root: Path) -> Source | None:
    """Return the source of an MkDocs site, or None. Its texts are in `docs`."""
    file = first_file(root, "mkdocs.yml", "mkdocs.yaml")
    if file is None:
        return None
    settings = read_configuration(file)
    content = root / (text_at(settings, "docs_dir") or "docs")
    if not content.is_dir():
        return None
    blog = content / "blog"
    has_blog = (blog / "posts").is_dir()
    posts = [Tree(blog, POSTS, "/blog/:year/:month/:day/:name/")] if has_blog else []
    return Source(
        "MkDocs",
        root,
        [*posts, *TreeLayout(post_folders=(), target=DOCS).trees(content)],
        SiteConfiguration(
            title=text_at(settings, "site_name"),
            description=text_at(settings, "site_description"),
            base_url=text_at(settings, "site_url"),
            language=text_at(settings, "theme", "language"),
            menu=list(_mkdocs_menu(settings)),
        ),
        not_imported=["The theme, plugins and the nested parts of the navigation."],
        is_unpublished=ignored_paths(
            content, [*_lines(settings.get("exclude_docs")), *_excluded_by_plugin(settings)]
        ),
        defaults=_mkdocs_defaults(content, settings),
        completed=lambda documents: list(_titled(documents, settings)),
    )


def _lines(value: object) -> list[str]:
    return value.splitlines() if isinstance(value, str) else []


def _excluded_by_plugin(settings: Configuration) -> list[str]:
    """Return the patterns of the plugin `exclude`."""
    plugins = settings.get("plugins")
    options = [mapping_at(each, "exclude") for each in plugins] if isinstance(plugins, list) else []
    return [pattern for each in options for pattern in anchored(each.get("glob"))]


def _mkdocs_defaults(content: Path, settings: Configuration) -> Callable[[Path], Metadata]:
    """Return a function that gives what `.meta.yml` of the folders says, and `draft_docs`."""
    is_draft = ignored_paths(content, _lines(settings.get("draft_docs")))

    @cache
    def of_folder(folder: Path) -> Metadata:
        above = of_folder(folder.parent) if folder not in (content, folder.parent) else {}
        file = first_file(folder, ".meta.yml", ".meta.yaml")
        return {**above, **(read_configuration(file) if file else {})}

    return lambda file: {**of_folder(file.parent), **({"draft": True} if is_draft(file) else {})}


def _mkdocs_menu(settings: Configuration) -> Iterator[MenuLink]:
    entries = settings.get("nav")
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict):
            yield from (MenuLink(str(label), to) for label, to in entry.items() if _is_text(to))


def _titled(
    documents: Sequence[SourceDocument], settings: Configuration
) -> Iterator[SourceDocument]:
    """Yield the documents; one without a title and a heading has that of the navigation."""
    titles: dict[str, str] = {}
    entries = [settings.get("nav")]
    while entries:
        entry = entries.pop()
        if isinstance(entry, list):
            entries += entry
        elif isinstance(entry, dict):
            titles |= {to: str(label) for label, to in entry.items() if _is_text(to)}
            entries += entry.values()
    for document in documents:
        title = titles.get(document.path.as_posix(), "")
        has_title = document.title or _HEADING.search(document.body)
        yield document if has_title or not title else document.inheriting({"title": title})


def _is_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str)


_HEADING = re.compile(r"^# ", re.MULTILINE)
_WIKILINK = re.compile(r"!?\[\[[^\[\]\n]+\]\]")
_ENOUGH_LINKS = 3
_TEMPLATES = ("templates", "template", "_templates")


def read_obsidian(root: Path) -> Source | None:
    """Return the notes of a vault of Obsidian, or None.

    A vault is a folder with `.obsidian`, or one whose notes link each other as `[[note]]`.
    """
    if not ((root / ".obsidian").is_dir() or _has_wikilinks(root)):
        return None
    templates = _template_folders(root)
    return Source(
        "Obsidian",
        root,
        list(TreeLayout(address="").trees(root)),
        SiteConfiguration(title=root.resolve().name),
        not_imported=["Canvases, queries of plugins, and notes in other formats."],
        is_unpublished=lambda file: any(file.is_relative_to(folder) for folder in templates),
    )


def _has_wikilinks(root: Path) -> bool:
    """Return whether most notes are of a vault: some link to others as Obsidian does."""
    notes = [file for file in files_below(root) if file.suffix == ".md"]
    texts = (file.read_text(encoding="utf-8", errors="replace") for file in notes)
    linking = sum(bool(_WIKILINK.search(text)) for text in texts)
    return linking >= _ENOUGH_LINKS and linking * 5 >= len(notes)


def _template_folders(root: Path) -> list[Path]:
    """Return the folders with templates of notes: those of the settings, else the usual ones."""
    files = (root / ".obsidian" / "templates.json",)
    plugin = root / ".obsidian" / "plugins" / "templater-obsidian" / "data.json"
    settings = [read_configuration(file) for file in (*files, plugin) if file.is_file()]
    named = [first_text(each, "folder", "templates_folder") for each in settings]
    folders = [root / name for name in named if name]
    usual = [each for each in root.iterdir() if each.name.lower() in _TEMPLATES and each.is_dir()]
    return folders or usual
