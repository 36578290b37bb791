"""Jekyll: `_config.yml`, posts in `_posts` folders, pages and files anywhere else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from app.operations.importing.configuration import (
    Configuration,
    first_file,
    mapping_at,
    mappings_at,
    read_configuration,
    text_at,
)
from app.operations.importing.placement import jekyll_pattern
from app.operations.importing.source import (
    PAGES,
    PLAIN,
    POSTS,
    PRETTY,
    REPOSITORY_FILES,
    MenuLink,
    SiteConfiguration,
    Source,
    Tree,
    TreeLayout,
)

_SYSTEM = ("_layouts", "_includes", "_sass", "_data", "_plugins", "_site", "_posts", "_drafts")


def read(root: Path) -> Source | None:
    """Return the source of a Jekyll site, or None."""
    file = first_file(root, "_config.yml", "_config.yaml", "_config.toml")
    if file is None and not (root / "_posts").is_dir():
        return None
    settings = read_configuration(file) if file else {}
    return Source(
        "Jekyll",
        root,
        list(_trees(root, settings)),
        _configuration(root, settings),
        not_imported=["Templates and styles of _layouts/, _includes/ and _sass/ are not imported."],
    )


def _trees(root: Path, settings: Configuration) -> Iterator[Tree]:
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
    is_pretty = address.endswith("/")
    yield Tree(
        root,
        PAGES,
        PRETTY if is_pretty else f"{PLAIN}.html",
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


def _configuration(root: Path, settings: Configuration) -> SiteConfiguration:
    return SiteConfiguration(
        title=text_at(settings, "title") or text_at(settings, "name"),
        description=text_at(settings, "description") or text_at(settings, "tagline"),
        base_url=text_at(settings, "url") + text_at(settings, "baseurl"),
        language=text_at(settings, "lang") or text_at(settings, "locale"),
        menu=list(_menu(root)),
    )


def _menu(root: Path) -> Iterator[MenuLink]:
    """Yield the entries of `_data/navigation.yml`, in the forms that themes use."""
    file = first_file(root / "_data", "navigation.yml", "navigation.yaml", "nav.yml", "menu.yml")
    settings: Configuration = mapping_at({"menu": read_configuration(file) if file else {}}, "menu")
    for key in ("main", "nav", "docs", "items"):
        for entry in mappings_at(settings, key):
            label = text_at(entry, "title") or text_at(entry, "name")
            target = text_at(entry, "url") or text_at(entry, "link")
            if label and target:
                yield MenuLink(label, target)
