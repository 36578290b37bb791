"""Eleventy: `eleventy.config` or `.eleventy.js`, texts in its input folder."""

from __future__ import annotations

from pathlib import Path

from app.operations.importing.configuration import first_file, read_configuration, text_at
from app.operations.importing.source import REPOSITORY_FILES, SiteConfiguration, Source, TreeLayout

_NAMES = (".eleventy.js", *(f"eleventy.config.{suffix}" for suffix in ("js", "mjs", "cjs", "ts")))
_METADATA = ("metadata.json", "site.json", "metadata.js", "site.js")


def read(root: Path) -> Source | None:
    """Return the source of an Eleventy site, or None."""
    file = first_file(root, *_NAMES)
    if file is None:
        return None
    settings = read_configuration(file)
    content = root / text_at(settings, "dir", "input")
    folders = [text_at(settings, "dir", key) for key in ("includes", "layouts", "data", "output")]
    excluded = {Path(name).name for name in folders if name}
    excluded |= {"_includes", "_layouts", "_data", "_site", "public", *REPOSITORY_FILES}
    layout = TreeLayout(assets_at_root=True, excluded=frozenset(excluded))
    return Source(
        "Eleventy",
        root,
        list(layout.trees(content)),
        _configuration([root, content, root / "_data", content / "_data"]),
        [folder for base in {root, content} if (folder := base / "public").is_dir()],
        ["Templates, layouts and data files are not imported."],
    )


def _configuration(folders: list[Path]) -> SiteConfiguration:
    files = (first_file(folder, *_METADATA) for folder in folders)
    file = next((found for found in files if found), None)
    settings = read_configuration(file) if file else {}
    return SiteConfiguration(
        title=text_at(settings, "title") or text_at(settings, "name"),
        description=text_at(settings, "description"),
        base_url=text_at(settings, "url"),
        language=text_at(settings, "language") or text_at(settings, "lang"),
    )
