"""Eleventy: its input folder, the data of its folders and files, and what it ignores."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from app.operations.importing.configuration import (
    Configuration,
    InvalidConfiguration,
    first_file,
    first_text,
    mapping_at,
    read_configuration,
    read_text,
    text_at,
)
from app.operations.importing.source import (
    REPOSITORY_FILES,
    SiteConfiguration,
    Source,
    TreeLayout,
    existing,
    ignored_paths,
)

_METADATA = ("metadata.json", "site.json", "metadata.js", "site.js")
_DATA_SUFFIXES = (
    *(f".11tydata.{suffix}" for suffix in ("js", "cjs", "mjs", "json")),
    *(".json", ".yml", ".yaml"),
)
_IGNORED = re.compile(r"""\.ignores\.add\(\s*["'`]([^"'`]+)["'`]""")
_UNREAD = ("layout", "templateEngineOverride")
"""Data about how a page is built, as are the `tags` of a folder, which name its collection."""


def read_eleventy(root: Path) -> Source | None:
    """Return the source of an Eleventy site, or None. Its texts are in its input folder."""
    names = (f"eleventy.config.{suffix}" for suffix in ("js", "mjs", "cjs", "ts"))
    file = first_file(root, ".eleventy.js", *names)
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
    patterns = [*_ignored(root, content), *_IGNORED.findall(read_text(file))]
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
        is_unpublished=ignored_paths(root, patterns),
        defaults=_defaults(content),
    )


def _ignored(root: Path, content: Path) -> Iterator[str]:
    for file in (root / ".gitignore", root / ".eleventyignore", content / ".eleventyignore"):
        if file.is_file():
            yield from file.read_text(encoding="utf-8", errors="replace").splitlines()


def _defaults(content: Path) -> Callable[[Path], Configuration]:
    """Return a function that gives the data of a file: of its folders, then of its own."""

    @cache
    def of_folder(folder: Path) -> Configuration:
        above = (
            of_folder(folder.parent) if folder.is_relative_to(content) and folder != content else {}
        )
        own = _data(folder, folder.name)
        return {**above, **{key: each for key, each in own.items() if key != "tags"}}

    return lambda file: {**of_folder(file.parent), **_data(file.parent, file.stem)}


def _data(folder: Path, name: str) -> Configuration:
    """Return the data in the files of a name, without what is computed."""
    found: dict[str, Any] = {}
    for suffix in reversed(_DATA_SUFFIXES):
        file = folder / f"{name}{suffix}"
        if file.is_file():
            try:
                found |= read_configuration(file)
            except InvalidConfiguration:
                continue
    found |= mapping_at(found, "eleventyComputed")
    return {key: value for key, value in found.items() if key not in _UNREAD}
