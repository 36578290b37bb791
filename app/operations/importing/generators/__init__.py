"""The generators whose sources can be imported, each in a module of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from app.operations.importing.generators import (
    astro,
    docusaurus,
    eleventy,
    hugo,
    jekyll,
    mkdocs,
    obsidian,
    vitepress,
    zola,
)
from app.operations.importing.source import Source

_READERS: Sequence[Callable[[Path], Source | None]] = (
    docusaurus.read,
    astro.read,
    vitepress.read,
    eleventy.read,
    zola.read,
    hugo.read,
    mkdocs.read,
    jekyll.read,
    obsidian.read,
)
"""Those with an unmistakable file first; a vault of Obsidian may hold the source of another."""


def read_source(root: Path) -> Source | None:
    """Return the source in a folder, or None if it is of no known generator.

    Raises InvalidConfiguration if its configuration cannot be parsed.
    """
    return next((source for read in _READERS if (source := read(root))), None)
