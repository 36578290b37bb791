"""Astro and Starlight: `astro.config`, collections in `src/content`, files in `public`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from app.operations.importing.configuration import (
    Configuration,
    first_file,
    mappings_at,
    read_configuration,
    read_text,
    text_at,
)
from app.operations.importing.source import (
    PAGES,
    POST_FOLDERS,
    POSTS,
    PRETTY,
    SiteConfiguration,
    Source,
    Tree,
    TreeLayout,
)

_NAMES = tuple(f"astro.config.{suffix}" for suffix in ("mjs", "ts", "js", "mts", "cjs"))
_STARLIGHT = re.compile(r"""["']@astrojs/starlight["']""")
_TITLE = re.compile(r"""SITE_TITLE\s*=\s*["'`]([^"'`\n]{1,200})""")
_DESCRIPTION = re.compile(r"""SITE_DESCRIPTION\s*=\s*["'`]([^"'`\n]{1,400})""")


def read(root: Path) -> Source | None:
    """Return the source of an Astro site, or None."""
    file = first_file(root, *_NAMES)
    if file is None:
        return None
    is_starlight = bool(_STARLIGHT.search(read_text(file)))
    public = root / "public"
    return Source(
        "Starlight" if is_starlight else "Astro",
        root,
        list(_trees(root)),
        _configuration(root, read_configuration(file)),
        [public] if public.is_dir() else [],
        ["Components, layouts and pages written in .astro are not imported."],
    )


def _trees(root: Path) -> Iterator[Tree]:
    content = root / "src" / "content"
    for folder in sorted(content.iterdir()) if content.is_dir() else ():
        name = folder.name
        if name == "docs":
            yield from TreeLayout().trees(folder)
        elif folder.is_dir():
            target = POSTS if name in POST_FOLDERS else PAGES
            yield Tree(folder, target, f"/{name}{PRETTY}", subfolder=name)
    yield from TreeLayout(post_folders=()).trees(root / "src" / "pages")


def _title(settings: Configuration) -> str:
    """Return the title that Starlight is given among the integrations."""
    titles = (text_at(entry, "title") for entry in mappings_at(settings, "integrations"))
    return next(filter(None, titles), "")


def _configuration(root: Path, settings: Configuration) -> SiteConfiguration:
    constants = first_file(root / "src", "consts.ts", "consts.js", "config.ts", "site.config.ts")
    text = read_text(constants) if constants else ""
    title, description = _TITLE.search(text), _DESCRIPTION.search(text)
    return SiteConfiguration(
        title=_title(settings) or (title[1] if title else ""),
        description=description[1] if description else "",
        base_url=text_at(settings, "site"),
        language=text_at(settings, "i18n", "defaultLocale"),
    )
