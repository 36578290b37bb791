"""Jekyll: its posts, collections and pages, its defaults, and what it leaves out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

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
from app.operations.importing.source import (
    PLAIN,
    POSTS,
    PRETTY,
    REPOSITORY_FILES,
    MenuLink,
    SiteConfiguration,
    Source,
    Tree,
    TreeLayout,
    anchored,
    files_below,
    ignored_paths,
    language_folders,
)
from knowledge.fields.file_types import DOCUMENT_SUFFIXES

_SYSTEM = ("_layouts", "_includes", "_sass", "_data", "_plugins", "_site", "_posts", "_drafts")


def read_jekyll(root: Path) -> Source | None:
    """Return the source of a Jekyll site, or None.

    Its posts are in folders `_posts`, its pages and files anywhere else.
    """
    file = first_file(root, "_config.yml", "_config.yaml", "_config.toml")
    if file is None and not (root / "_posts").is_dir():
        return None
    settings = read_configuration(file) if file else {}
    top = root / text_at(settings, "source")
    trees = list(_trees(top, settings))
    return Source(
        "Jekyll",
        root,
        trees,
        SiteConfiguration(
            title=first_text(settings, "title", "name"),
            description=first_text(settings, "description", "tagline"),
            base_url=text_at(settings, "url") + text_at(settings, "baseurl"),
            language=_language(settings),
            time_zone=text_at(settings, "timezone"),
            menu=_menu(root),
            redirects=dict(_lists(settings, trees)),
            pattern=jekyll_pattern,
            has_language_prefixes=isinstance(settings.get("languages"), list),
        ),
        not_imported=["Templates and styles of _layouts/, _includes/ and _sass/ are not imported."],
        is_unpublished=_unpublished(top, settings, trees),
        defaults=_defaults(top, settings),
    )


def _trees(root: Path, settings: Configuration) -> Iterator[Tree]:
    address = jekyll_pattern(text_at(settings, "permalink"))
    main = _language(settings)
    for folder in sorted(root.rglob("_posts")):
        subfolder = _subfolder(root, folder)
        above = tuple(filter(None, subfolder.lower().split("/")))
        tree = Tree(folder, POSTS, address, subfolder=subfolder, categories=above)
        for language in language_folders(folder):
            own = address if language == main else f"/{language}{address}"
            yield replace(tree, folder=folder / language, address=own, language=language)
        yield tree
    for folder in sorted(root.rglob("_drafts")):
        subfolder = f"{_subfolder(root, folder)}/drafts".lstrip("/")
        yield Tree(folder, POSTS, subfolder=subfolder, withheld_by="a draft")
    top = root / text_at(settings, "collections_dir")
    for name, options in _collections(settings).items():
        is_published = options.get("output") in (True, "true")
        withheld_by = "" if is_published else f"the collection {name} has no output"
        own = text_at(options, "permalink")
        pattern = jekyll_pattern(own).replace(":path", ":folders/:name") if own else ""
        layout = TreeLayout(pattern or f"/{name}/:folders/:name.html", post_folders=())
        for tree in layout.trees(top / f"_{name}"):
            yield replace(
                tree,
                address=pattern or tree.address,
                is_root=False,
                subfolder=name,
                withheld_by=withheld_by,
            )
    is_pretty = address.endswith("/")
    # README is the home page of a site without another.
    has_home = first_file(root, "index.md", "index.html", "index.markdown") is not None
    left_out = REPOSITORY_FILES if has_home else REPOSITORY_FILES - {"README.md"}
    excluded = frozenset(("vendor", *left_out, *_SYSTEM[:-2]))
    pages = TreeLayout(
        PRETTY if is_pretty else f"{PLAIN}.html",
        asset_root=root,
        excluded=excluded,
        post_folders=(),
    )
    yield from pages.trees(root)


def _lists(settings: Configuration, trees: Sequence[Tree]) -> Iterator[tuple[str, str]]:
    """Yield where the list of posts and its later pages were, and where it is."""
    size = settings.get("paginate")
    pattern = text_at(settings, "paginate_path") or "/page:num/"
    if isinstance(size, int) and size > 0:
        files = (
            file for tree in trees if tree.target == POSTS for file in files_below(tree.folder)
        )
        count = sum(file.suffix.lower() in DOCUMENT_SUFFIXES for file in files)
        yield f"{pattern.rstrip('/').rpartition('/')[0]}/", "/blog"
        for number in range(2, -(-count // size) + 1):
            yield pattern.replace(":num", str(number)), "/blog"


def _language(settings: Configuration) -> str:
    return first_text(settings, "lang", "locale", "language", "default_lang")


def _subfolder(root: Path, folder: Path) -> str:
    """Return the path of the folder that has a folder of posts; it is their category."""
    path = folder.parent.relative_to(root).as_posix()
    return "" if path == "." else path


def _collections(settings: Configuration) -> dict[str, Configuration]:
    """Return the options of each collection; they may be listed by name alone."""
    listed = settings.get("collections")
    names = listed if isinstance(listed, list) else []
    options = mapping_at(settings, "collections") or dict.fromkeys(map(str, names))
    return {
        str(name): each if isinstance(each, dict) else {}
        for name, each in options.items()
        if f"_{name}" not in _SYSTEM
    }


def _unpublished(root: Path, settings: Configuration, trees: list[Tree]) -> Callable[[Path], bool]:
    """Return a test for the files that Jekyll leaves out: `exclude`, and names such as `_x`."""
    excluded = ignored_paths(root, anchored(settings.get("exclude")))
    included = ignored_paths(root, anchored(settings.get("include")))
    own = {tree.folder for tree in trees if tree.folder != root}

    def is_unpublished(file: Path) -> bool:
        parts: list[str] = []
        for part in reversed((file, *file.parents)):
            if part == root or not part.is_relative_to(root):
                continue
            if part in own:
                parts = []
            else:
                parts.append(part.name)
        is_hidden = any(part.startswith(("_", "#", "~")) or part.endswith("~") for part in parts)
        return (is_hidden or excluded(file)) and not included(file)

    return is_unpublished


def _defaults(root: Path, settings: Configuration) -> Callable[[Path], Configuration]:
    """Return a function that gives the defaults of a file, the most specific one last."""
    entries = list(mappings_at(settings, "defaults"))
    collections = _collections(settings)

    def defaults(file: Path) -> Configuration:
        path = file.relative_to(root).as_posix() if file.is_relative_to(root) else file.name
        kind = _type(path, collections)
        above = path.partition("_posts/")[0].strip("/") if kind == "posts" else ""
        found: list[tuple[int, Configuration]] = [(-1, {"categories": above.split("/")})]
        found = found if above else []
        for entry in entries:
            scope, values = mapping_at(entry, "scope"), mapping_at(entry, "values")
            where = text_at(scope, "path").strip("/")
            if _is_in(path, where) and scope.get("type", kind) in (kind, f"{kind}s", ""):
                found.append((len(where), values))
        merged: dict[str, Any] = {}
        for _, values in sorted(found, key=lambda each: each[0]):
            merged |= values
        return merged

    return defaults


def _type(path: str, collections: dict[str, Configuration]) -> str:
    parts = path.split("/")
    if "_posts" in parts:
        return "posts"
    if "_drafts" in parts:
        return "drafts"
    return next((name for name in collections if f"_{name}" in parts), "pages")


def _is_in(path: str, where: str) -> bool:
    if "*" in where:
        return fnmatchcase(path, where) or fnmatchcase(path, f"{where}/*")
    return not where or path == where or path.startswith(f"{where}/")


def _menu(root: Path) -> list[MenuLink]:
    """Return the entries of `_data/navigation.yml`, in the forms that themes use."""
    file = first_file(root / "_data", "navigation.yml", "navigation.yaml", "nav.yml", "menu.yml")
    settings = read_configuration(file) if file else {}
    entries = (
        entry for key in ("main", "nav", "docs", "items") for entry in mappings_at(settings, key)
    )
    return menu_links(entries, ("title", "name"), ("url", "link"))


_STYLES: Mapping[str, str] = {
    "date": "/:categories/:year/:month/:day/:title.html",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title.html",
    "none": "/:categories/:title.html",
}
"""The named patterns of Jekyll."""


def jekyll_pattern(permalink: str) -> str:
    """Return the pattern of a `permalink` setting of Jekyll, which may be the name of one."""
    return _STYLES.get(permalink, permalink) or _STYLES["date"]
