"""Docusaurus: `docusaurus.config`, `docs`, `blog`, `src/pages`, `static`, and `i18n`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from app.operations.importing.configuration import (
    Configuration,
    first_file,
    mapping_at,
    mappings_at,
    read_configuration,
    text_at,
)
from app.operations.importing.source import (
    PAGES,
    PLAIN,
    POSTS,
    MenuLink,
    SiteConfiguration,
    Source,
    Tree,
)

_NAMES = tuple(f"docusaurus.config.{suffix}" for suffix in ("js", "ts", "mjs", "cjs", "mts"))
_DOCS = "docs"
_PLUGIN = "docusaurus-plugin-content"


def read(root: Path) -> Source | None:
    """Return the source of a Docusaurus site, or None."""
    file = first_file(root, *_NAMES)
    if file is None:
        return None
    static = root / "static"
    settings = read_configuration(file)
    return Source(
        "Docusaurus",
        root,
        list(_trees(root, settings)),
        _configuration(settings),
        [static] if static.is_dir() else [],
        ["Components and pages written in React, and sidebars, are not imported."],
    )


def _trees(root: Path, settings: Configuration) -> Iterator[Tree]:
    docs, blog = _plugin(settings, "docs"), _plugin(settings, "blog")
    docs_address = f"/{docs.get('routeBasePath', 'docs')}{PLAIN}"
    blog_address = f"/{blog.get('routeBasePath', 'blog')}/:year/:month/:day/:name"
    folders = [
        Tree(
            root / str(docs.get("path", "docs")),
            PAGES,
            docs_address,
            subfolder=_DOCS,
            is_numbered=True,
        ),
        Tree(root / str(blog.get("path", "blog")), POSTS, blog_address),
        Tree(root / "src" / "pages", PAGES, PLAIN, is_root=True),
    ]
    for folder in sorted((root / "i18n").glob("*")):
        language = folder.name
        prefix = f"/{language}"
        folders += [
            Tree(
                folder / f"{_PLUGIN}-docs" / "current",
                PAGES,
                prefix + docs_address,
                language,
                subfolder=_DOCS,
                is_numbered=True,
            ),
            Tree(folder / f"{_PLUGIN}-blog", POSTS, prefix + blog_address, language),
            Tree(folder / f"{_PLUGIN}-pages", PAGES, prefix + PLAIN, language, is_root=True),
        ]
    yield from (tree for tree in folders if tree.folder.is_dir())


def _plugin(settings: object, name: str) -> Configuration:
    """Return the options of a plugin, which are somewhere in the list of presets."""
    if isinstance(settings, list):
        return next(filter(None, (_plugin(entry, name) for entry in settings)), {})
    options = mapping_at(settings, name)
    return options or (_plugin(settings.get("presets"), name) if isinstance(settings, dict) else {})


def _configuration(settings: Configuration) -> SiteConfiguration:
    return SiteConfiguration(
        title=text_at(settings, "title"),
        description=text_at(settings, "tagline"),
        base_url=text_at(settings, "url") + text_at(settings, "baseUrl").rstrip("/"),
        language=text_at(settings, "i18n", "defaultLocale"),
        menu=[
            MenuLink(text_at(item, "label"), target)
            for item in mappings_at(settings, "themeConfig", "navbar", "items")
            if (target := text_at(item, "to") or text_at(item, "href")) and text_at(item, "label")
        ],
    )
