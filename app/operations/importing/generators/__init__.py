"""The generators whose sources can be imported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from app.operations.importing.generators.eleventy import read_eleventy
from app.operations.importing.generators.hugo import read_hugo
from app.operations.importing.generators.javascript import (
    read_astro,
    read_docusaurus,
    read_vitepress,
)
from app.operations.importing.generators.jekyll import read_jekyll
from app.operations.importing.generators.toml_yaml import read_mkdocs, read_obsidian, read_zola
from app.operations.importing.source import Source, UnsupportedSource

_BOOKS = {"myst.yml": "MyST", "_toc.yml": "Jupyter Book"}
_SPHINX = ("conf.py", "docs/conf.py", "doc/conf.py", "source/conf.py", "docs/source/conf.py")


def _refuse_books(root: Path) -> None:
    """Raise UnsupportedSource for books of MyST, whose settings look like those of Jekyll."""
    name = next((name for file, name in _BOOKS.items() if (root / file).is_file()), None)
    if name:
        raise UnsupportedSource(name)


def _refuse_sphinx(root: Path) -> None:
    """Raise UnsupportedSource for a site of Sphinx."""
    if any((root / file).is_file() for file in _SPHINX):
        raise UnsupportedSource("Sphinx")


_READERS: Sequence[Callable[[Path], Source | None]] = (
    read_docusaurus,
    read_astro,
    read_vitepress,
    read_eleventy,
    read_zola,
    read_hugo,
    read_mkdocs,
    _refuse_books,
    read_jekyll,
    _refuse_sphinx,
    read_obsidian,
)
"""Those with an unmistakable file first; a vault of Obsidian may hold the source of another."""


def read_source(root: Path) -> Source | None:
    """Return the source in a folder, or None if it is of no known generator.

    Raises InvalidConfiguration if its configuration cannot be parsed, and UnsupportedSource if its
    texts have more roles and directives than markdown.
    """
    return next((source for read in _READERS if (source := read(root))), None)
