"""Zola: `config.toml` with `base_url`, texts in `content`, files in `static`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from app.operations.importing.configuration import (
    Configuration,
    mappings_at,
    read_configuration,
    text_at,
)
from app.operations.importing.source import (
    PAGES,
    POST_FOLDERS,
    POSTS,
    MenuLink,
    SiteConfiguration,
    Source,
    Tree,
    TreeLayout,
    read_source_document,
)
from knowledge.diagnostics.diagnostic import ContentFileError

_DATED_SHARE = 2 / 3


def read(root: Path) -> Source | None:
    """Return the source of a Zola site, or None."""
    file, content = root / "config.toml", root / "content"
    if not file.is_file() or not content.is_dir():
        return None
    settings = read_configuration(file)
    if "base_url" not in settings:
        return None
    static = root / "static"
    return Source(
        "Zola",
        root,
        list(_trees(content)),
        _configuration(settings),
        [static] if static.is_dir() else [],
        ["Templates, shortcodes and styles of templates/, themes/ and sass/ are not imported."],
    )


def _trees(content: Path) -> Iterator[Tree]:
    """Yield the trees; a section in which most pages have a date is one of posts."""
    dated = [folder.name for folder in sorted(content.iterdir()) if _is_dated(folder)]
    for tree in TreeLayout(post_folders=dict.fromkeys((*POST_FOLDERS, *dated))).trees(content):
        is_blog = tree.is_root and _is_dated(tree.folder)
        yield replace(tree, target=POSTS) if is_blog else tree


def _is_dated(folder: Path) -> bool:
    """Return whether most texts directly in a folder have a date."""
    files = sorted(folder.glob("*.md")) if folder.is_dir() else []
    pages = [file for file in files if file.name.lstrip("_").partition(".")[0] != "index"]
    return bool(pages) and sum(map(_has_date, pages)) > _DATED_SHARE * len(pages)


def _has_date(file: Path) -> bool:
    try:
        return read_source_document(Tree(file.parent, PAGES), file).date is not None
    except ContentFileError:
        return False


def _configuration(settings: Configuration) -> SiteConfiguration:
    return SiteConfiguration(
        title=text_at(settings, "title"),
        description=text_at(settings, "description"),
        base_url=text_at(settings, "base_url"),
        language=text_at(settings, "default_language"),
        menu=[
            MenuLink(text_at(entry, "name"), text_at(entry, "url").replace("$BASE_URL", ""))
            for key in ("menu_items", "main_menu", "menu", "menu_links")
            for entry in mappings_at(settings, "extra", key)
            if text_at(entry, "name") and text_at(entry, "url")
        ],
    )
