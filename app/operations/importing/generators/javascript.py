"""Generators configured in JavaScript: Docusaurus, Astro and Starlight, VitePress, Eleventy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from app.operations.importing.configuration import (
    Configuration,
    first_file,
    first_text,
    mapping_at,
    mappings_at,
    menu_links,
    read_configuration,
    read_text,
    text_at,
)
from app.operations.importing.source import (
    PAGES,
    PLAIN,
    POST_FOLDERS,
    POSTS,
    PRETTY,
    REPOSITORY_FILES,
    SiteConfiguration,
    Source,
    Tree,
    TreeLayout,
    existing,
)


def read_docusaurus(root: Path) -> Source | None:
    """Return the source of a Docusaurus site, or None.

    Its texts are in `docs`, `blog`, `src/pages` and `i18n`, its files in `static`.
    """
    file = _file(root, "docusaurus.config", "js", "ts", "mjs", "cjs", "mts")
    if file is None:
        return None
    settings = read_configuration(file)
    return Source(
        "Docusaurus",
        root,
        list(_docusaurus_trees(root, settings)),
        SiteConfiguration(
            title=text_at(settings, "title"),
            description=text_at(settings, "tagline"),
            base_url=text_at(settings, "url") + text_at(settings, "baseUrl").rstrip("/"),
            language=text_at(settings, "i18n", "defaultLocale"),
            menu=menu_links(
                mappings_at(settings, "themeConfig", "navbar", "items"), ("label",), ("to", "href")
            ),
        ),
        existing(root / "static"),
        ["Components and pages written in React, and sidebars, are not imported."],
    )


def _docusaurus_trees(root: Path, settings: Configuration) -> Iterator[Tree]:
    docs, blog = _plugin(settings, "docs"), _plugin(settings, "blog")
    docs_address = f"/{docs.get('routeBasePath', 'docs')}{PLAIN}"
    blog_address = f"/{blog.get('routeBasePath', 'blog')}/:year/:month/:day/:name"

    def trees(
        docs_folder: Path, blog_folder: Path, pages_folder: Path, language: str = ""
    ) -> Iterator[Tree]:
        prefix = f"/{language}" if language else ""
        yield Tree(
            docs_folder,
            PAGES,
            prefix + docs_address,
            language,
            subfolder="docs",
            is_numbered=True,
        )
        yield Tree(blog_folder, POSTS, prefix + blog_address, language)
        yield Tree(pages_folder, PAGES, prefix + PLAIN, language, is_root=True)

    docs_path, blog_path = str(docs.get("path", "docs")), str(blog.get("path", "blog"))
    found = [*trees(root / docs_path, root / blog_path, root / "src" / "pages")]
    for folder in sorted((root / "i18n").glob("*")):
        plugin = f"{folder}/docusaurus-plugin-content"
        docs_folder = Path(f"{plugin}-docs", "current")
        found += trees(docs_folder, Path(f"{plugin}-blog"), Path(f"{plugin}-pages"), folder.name)
    yield from (tree for tree in found if tree.folder.is_dir())


def _plugin(settings: object, name: str) -> Configuration:
    """Return the options of a plugin, which are somewhere in the list of presets."""
    if isinstance(settings, list):
        return next(filter(None, (_plugin(entry, name) for entry in settings)), {})
    options = mapping_at(settings, name)
    return options or (_plugin(settings.get("presets"), name) if isinstance(settings, dict) else {})


_STARLIGHT = re.compile(r"""["']@astrojs/starlight["']""")
_TITLE = re.compile(r"""SITE_TITLE\s*=\s*["'`]([^"'`\n]{1,200})""")
_DESCRIPTION = re.compile(r"""SITE_DESCRIPTION\s*=\s*["'`]([^"'`\n]{1,400})""")


def read_astro(root: Path) -> Source | None:
    """Return the source of an Astro or Starlight site, or None.

    Its texts are in the collections of `src/content` and in `src/pages`, its files in `public`.
    """
    file = _file(root, "astro.config", "mjs", "ts", "js", "mts", "cjs")
    if file is None:
        return None
    settings = read_configuration(file)
    constants = first_file(root / "src", "consts.ts", "consts.js", "config.ts", "site.config.ts")
    text = read_text(constants) if constants else ""
    title, description = _TITLE.search(text), _DESCRIPTION.search(text)
    of_starlight = (text_at(each, "title") for each in mappings_at(settings, "integrations"))
    return Source(
        "Starlight" if _STARLIGHT.search(read_text(file)) else "Astro",
        root,
        list(_astro_trees(root)),
        SiteConfiguration(
            title=next(filter(None, of_starlight), title[1] if title else ""),
            description=description[1] if description else "",
            base_url=text_at(settings, "site"),
            language=text_at(settings, "i18n", "defaultLocale"),
        ),
        existing(root / "public"),
        ["Components, layouts and pages written in .astro are not imported."],
    )


def _astro_trees(root: Path) -> Iterator[Tree]:
    content = root / "src" / "content"
    for folder in sorted(content.iterdir()) if content.is_dir() else ():
        name = folder.name
        if name == "docs":
            yield from TreeLayout().trees(folder)
        elif folder.is_dir():
            target = POSTS if name in POST_FOLDERS else PAGES
            yield Tree(folder, target, f"/{name}{PRETTY}", subfolder=name)
    yield from TreeLayout(post_folders=()).trees(root / "src" / "pages")


_MAX_DEPTH = 3
"""How deep below the root the folder `.vitepress` may be."""


def read_vitepress(root: Path) -> Source | None:
    """Return the source of a VitePress or VuePress site, or None.

    Its texts are beside the folder with the configuration, its files in `public` there.
    """
    folder = next(_configuration_folders(root), None)
    if folder is None:
        return None
    suffixes = ("mts", "ts", "mjs", "js", "cjs")
    file = _file(folder, "config", *suffixes) or _file(folder, "config/index", *suffixes)
    if file is None:
        return None
    settings = read_configuration(file)
    content = folder.parent / text_at(settings, "srcDir")
    excluded = frozenset({"public", *(REPOSITORY_FILES if content == root else ())})
    return Source(
        "VitePress" if folder.name == ".vitepress" else "VuePress",
        root,
        list(TreeLayout(PLAIN, excluded=excluded).trees(content)),
        SiteConfiguration(
            title=text_at(settings, "title"),
            description=text_at(settings, "description"),
            language=text_at(settings, "lang"),
            menu=menu_links(mappings_at(settings, "themeConfig", "nav"), ("text",), ("link",)),
        ),
        existing(content / "public"),
        ["Components, the theme and sidebars are not imported."],
    )


def _configuration_folders(root: Path) -> Iterator[Path]:
    for depth in range(_MAX_DEPTH):
        for name in (".vitepress", ".vuepress"):
            yield from sorted(root.glob("*/" * depth + name))


_METADATA = ("metadata.json", "site.json", "metadata.js", "site.js")


def read_eleventy(root: Path) -> Source | None:
    """Return the source of an Eleventy site, or None. Its texts are in its input folder."""
    suffixes = ("js", "mjs", "cjs", "ts")
    file = first_file(root, ".eleventy.js") or _file(root, "eleventy.config", *suffixes)
    if file is None:
        return None
    settings = read_configuration(file)
    content = root / text_at(settings, "dir", "input")
    folders = [text_at(settings, "dir", key) for key in ("includes", "layouts", "data", "output")]
    excluded = {Path(name).name for name in folders if name}
    excluded |= {"_includes", "_layouts", "_data", "_site", "public", *REPOSITORY_FILES}
    layout = TreeLayout(assets_at_root=True, excluded=frozenset(excluded))
    places = (root, content, root / "_data", content / "_data")
    data = next(filter(None, (first_file(folder, *_METADATA) for folder in places)), None)
    metadata = read_configuration(data) if data else {}
    return Source(
        "Eleventy",
        root,
        list(layout.trees(content)),
        SiteConfiguration(
            title=first_text(metadata, "title", "name"),
            description=text_at(metadata, "description"),
            base_url=text_at(metadata, "url"),
            language=first_text(metadata, "language", "lang"),
        ),
        existing(*{root / "public", content / "public"}),
        ["Templates, layouts and data files are not imported."],
    )


def _file(folder: Path, name: str, *suffixes: str) -> Path | None:
    """Return the first of the configuration files of a name that exists."""
    return first_file(folder, *(f"{name}.{suffix}" for suffix in suffixes))
