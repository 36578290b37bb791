"""VitePress and VuePress: `.vitepress/config` beside the texts, files in `public`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from app.operations.importing.configuration import (
    Configuration,
    first_file,
    mappings_at,
    read_configuration,
    text_at,
)
from app.operations.importing.source import (
    PLAIN,
    REPOSITORY_FILES,
    MenuLink,
    SiteConfiguration,
    Source,
    TreeLayout,
)

_SUFFIXES = ("mts", "ts", "mjs", "js", "cjs")
_NAMES = tuple(f"{name}.{suffix}" for name in ("config", "config/index") for suffix in _SUFFIXES)
_MAX_DEPTH = 3


def read(root: Path) -> Source | None:
    """Return the source of a VitePress site, or None."""
    folder = next(_configuration_folders(root), None)
    file = first_file(folder, *_NAMES) if folder else None
    if folder is None or file is None:
        return None
    settings = read_configuration(file)
    content = folder.parent / text_at(settings, "srcDir")
    public = content / "public"
    excluded = frozenset({"public", *(REPOSITORY_FILES if content == root else ())})
    return Source(
        "VitePress" if folder.name == ".vitepress" else "VuePress",
        root,
        list(TreeLayout(PLAIN, excluded=excluded).trees(content)),
        _configuration(settings),
        [public] if public.is_dir() else [],
        ["Components, the theme and sidebars are not imported."],
    )


def _configuration_folders(root: Path) -> Iterator[Path]:
    for depth in range(_MAX_DEPTH):
        for name in (".vitepress", ".vuepress"):
            yield from sorted(root.glob("*/" * depth + name))


def _configuration(settings: Configuration) -> SiteConfiguration:
    return SiteConfiguration(
        title=text_at(settings, "title"),
        description=text_at(settings, "description"),
        language=text_at(settings, "lang"),
        menu=[
            MenuLink(text_at(item, "text"), text_at(item, "link"))
            for item in mappings_at(settings, "themeConfig", "nav")
            if text_at(item, "text") and text_at(item, "link")
        ],
    )
