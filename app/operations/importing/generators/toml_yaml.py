"""Generators configured in TOML or YAML: Zola, Hugo, MkDocs, Jekyll; Obsidian, which has none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

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
from app.operations.importing.placement import jekyll_pattern
from app.operations.importing.source import (
    PAGES,
    PLAIN,
    POST_FOLDERS,
    POSTS,
    PRETTY,
    REPOSITORY_FILES,
    MenuLink,
    SiteConfiguration,
    Source,
    Tree,
    TreeLayout,
    existing,
    read_source_document,
)
from knowledge.diagnostics.diagnostic import ContentFileError

_DATED_SHARE = 2 / 3


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
        list(_zola_trees(content)),
        SiteConfiguration(
            title=text_at(settings, "title"),
            description=text_at(settings, "description"),
            base_url=text_at(settings, "base_url"),
            language=text_at(settings, "default_language"),
            menu=[
                link._replace(target=link.target.replace("$BASE_URL", ""))
                for link in menu_links(entries, ("name",), ("url",))
            ],
        ),
        existing(root / "static"),
        ["Templates, shortcodes and styles of templates/, themes/ and sass/ are not imported."],
    )


def _zola_trees(content: Path) -> Iterator[Tree]:
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


_SUFFIXES = ("toml", "yaml", "yml", "json")
_HUGO = tuple(f"{name}.{suffix}" for name in ("hugo", "config") for suffix in _SUFFIXES)


def read_hugo(root: Path) -> Source | None:
    """Return the source of a Hugo site, or None. Its texts are in `content`."""
    file = first_file(root, *_HUGO) or first_file(root / "config" / "_default", *_HUGO)
    if file is None:
        return None
    settings = read_configuration(file)
    keys = {str(key).lower() for key in settings}
    has_keys = (root / "content").is_dir() and bool(keys & {"baseurl", "languagecode", "theme"})
    if not (file.name.startswith("hugo") or has_keys):
        return None
    language = first_text(settings, "defaultContentLanguage", "languageCode")
    own = mapping_at(settings, "languages", language)
    return Source(
        "Hugo",
        root,
        list(_hugo_trees(root, settings)),
        SiteConfiguration(
            title=text_at(own, "title") or text_at(settings, "title"),
            description=text_at(own, "params", "description")
            or text_at(settings, "params", "description"),
            base_url=first_text(settings, "baseURL", "baseurl"),
            language=language,
            menu=_hugo_menu(settings, file),
        ),
        existing(root / "static", root / "assets"),
        ["Templates, shortcodes and styles of layouts/ and themes/ are not imported."],
    )


def _hugo_trees(root: Path, settings: Configuration) -> Iterator[Tree]:
    content = root / (text_at(settings, "contentDir") or "content")
    permalinks = mapping_at(settings, "permalinks")  # by section; `/` has that of all others
    patterns = {**permalinks, **mapping_at(permalinks, "page")}
    layout = TreeLayout(
        section_addresses={key: each for key, each in patterns.items() if isinstance(each, str)}
    )
    for language, own in mapping_at(settings, "languages").items():
        folder = text_at(own, "contentDir")
        if folder and root / folder != content:
            is_default = language == text_at(settings, "defaultContentLanguage")
            yield from layout.trees(root / folder, "" if is_default else f"/{language}", language)
    yield from layout.trees(content)


def _hugo_menu(settings: Configuration, file: Path) -> list[MenuLink]:
    menus = settings.get("menu") or settings.get("menus")
    if not menus:
        names = [f"menus{end}.{suffix}" for end in ("", ".en") for suffix in _SUFFIXES]
        beside = first_file(file.parent, *names)
        menus = read_configuration(beside) if beside else {}
    entries = sorted(mappings_at({"menus": menus}, "menus", "main"), key=_weight)
    return menu_links(entries, ("name", "title"), ("pageRef", "url"))


def _weight(entry: Configuration) -> int:
    weight = entry.get("weight")
    return weight if isinstance(weight, int) else 0


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
        [*posts, *TreeLayout(post_folders=()).trees(content)],
        SiteConfiguration(
            title=text_at(settings, "site_name"),
            description=text_at(settings, "site_description"),
            base_url=text_at(settings, "site_url"),
            language=text_at(settings, "theme", "language"),
            menu=list(_mkdocs_menu(settings)),
        ),
        not_imported=["The theme, plugins and the nested parts of the navigation."],
    )


def _mkdocs_menu(settings: Configuration) -> Iterator[MenuLink]:
    navigation = settings.get("nav")
    for entry in navigation if isinstance(navigation, list) else ():
        for label, target in entry.items() if isinstance(entry, dict) else ():
            if isinstance(target, str):
                yield MenuLink(str(label), target)


_SYSTEM = ("_layouts", "_includes", "_sass", "_data", "_plugins", "_site", "_posts", "_drafts")


def read_jekyll(root: Path) -> Source | None:
    """Return the source of a Jekyll site, or None.

    Its posts are in folders `_posts`, its pages and files anywhere else.
    """
    file = first_file(root, "_config.yml", "_config.yaml", "_config.toml")
    if file is None and not (root / "_posts").is_dir():
        return None
    settings = read_configuration(file) if file else {}
    return Source(
        "Jekyll",
        root,
        list(_jekyll_trees(root, settings)),
        SiteConfiguration(
            title=first_text(settings, "title", "name"),
            description=first_text(settings, "description", "tagline"),
            base_url=text_at(settings, "url") + text_at(settings, "baseurl"),
            language=first_text(settings, "lang", "locale"),
            menu=_jekyll_menu(root),
        ),
        not_imported=["Templates and styles of _layouts/, _includes/ and _sass/ are not imported."],
    )


def _jekyll_trees(root: Path, settings: Configuration) -> Iterator[Tree]:
    root = root / text_at(settings, "source")
    address = jekyll_pattern(text_at(settings, "permalink"))
    for folder in sorted(root.rglob("_posts")):
        yield Tree(folder, POSTS, address, subfolder=_subfolder(root, folder))
    for folder in sorted(root.rglob("_drafts")):
        subfolder = f"{_subfolder(root, folder)}/drafts".lstrip("/")
        yield Tree(folder, POSTS, subfolder=subfolder, is_draft=True)
    for name in _collections(settings):
        layout = TreeLayout(f"/{name}/:folders/:name.html", post_folders=())
        yield from (
            replace(tree, is_root=False, subfolder=name) for tree in layout.trees(root / f"_{name}")
        )
    yield Tree(
        root,
        PAGES,
        PRETTY if address.endswith("/") else f"{PLAIN}.html",
        assets_at_root=True,
        is_root=True,
        excluded=_excluded(root, settings),
    )


def _subfolder(root: Path, folder: Path) -> str:
    """Return the path of the folder that has a folder of posts; it is their category."""
    path = folder.parent.relative_to(root).as_posix()
    return "" if path == "." else path


def _collections(settings: Configuration) -> Iterator[str]:
    collections = settings.get("collections")
    names = collections if isinstance(collections, list | dict) else ()
    yield from (name for name in map(str, names) if f"_{name}" not in _SYSTEM)


def _excluded(root: Path, settings: Configuration) -> frozenset[str]:
    listed = settings.get("exclude")
    names = [str(name).strip("/") for name in listed] if isinstance(listed, list) else []
    system = [entry.name for entry in root.iterdir() if entry.name.startswith("_")]
    return frozenset({*names, *system, *REPOSITORY_FILES, "vendor"})


def _jekyll_menu(root: Path) -> list[MenuLink]:
    """Return the entries of `_data/navigation.yml`, in the forms that themes use."""
    file = first_file(root / "_data", "navigation.yml", "navigation.yaml", "nav.yml", "menu.yml")
    settings = read_configuration(file) if file else {}
    entries = (
        entry for key in ("main", "nav", "docs", "items") for entry in mappings_at(settings, key)
    )
    return menu_links(entries, ("title", "name"), ("url", "link"))


def read_obsidian(root: Path) -> Source | None:
    """Return the notes of a vault of Obsidian, a folder with `.obsidian`, or None."""
    if not (root / ".obsidian").is_dir():
        return None
    return Source(
        "Obsidian",
        root,
        list(TreeLayout(address="").trees(root)),
        SiteConfiguration(title=root.resolve().name),
        not_imported=["Canvases, queries of plugins, and notes in other formats."],
    )
