"""The generators whose sources can be imported."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from app.operations.importing.configuration import InvalidConfiguration, read_text
from app.operations.importing.exports import MissingPackages
from app.operations.importing.generators import folders, javascript, python
from app.operations.importing.generators.ghost import read_ghost
from app.operations.importing.generators.hexo import read_hexo
from app.operations.importing.generators.hugo_zola import read_hugo, read_zola
from app.operations.importing.generators.jekyll import read_jekyll
from app.operations.importing.generators.pelican import read_pelican
from app.operations.importing.generators.wordpress import read_wordpress
from app.operations.importing.html_texts import has_converter
from app.operations.importing.source import Source, UnsupportedSource


def _refuse(names: Mapping[str, str], root: Path) -> None:
    """Raise UnsupportedSource if one of these files names a generator of books."""
    name = next((name for file, name in names.items() if (root / file).is_file()), None)
    if name:
        raise UnsupportedSource(name)


def _refuse_sphinx(root: Path) -> None:
    """Raise UnsupportedSource if a `conf.py` is of Sphinx, as others have such a file, too."""
    files = [root / name for name in _CONFIGURED if (root / name).is_file()]
    if any(_OF_SPHINX.search(read_text(file)) for file in files):
        raise UnsupportedSource("Sphinx")


_BOOKS = {"myst.yml": "MyST", "_toc.yml": "Jupyter Book"}
_CONFIGURED = ("conf.py", "docs/conf.py", "doc/conf.py", "source/conf.py", "docs/source/conf.py")
_OF_SPHINX = re.compile(
    r"^(?:extensions|html_theme|master_doc|project|root_doc)\b|\bsphinx\b", re.MULTILINE
)
_READERS: Sequence[Callable[[Path], Source | None]] = (
    folders.read_quartz,
    javascript.read_docusaurus,
    javascript.read_astro,
    javascript.read_vitepress,
    read_pelican,
    folders.read_eleventy,
    read_zola,
    read_hugo,
    folders.read_mkdocs,
    partial(_refuse, _BOOKS),  # whose settings look like those of Jekyll
    read_hexo,
    read_jekyll,
    python.read_nikola,
    _refuse_sphinx,
)
"""Those with an unmistakable file first. A vault of Obsidian may hold the source of another."""


def read_source(root: Path) -> Source | None:
    """Return the source in a folder, or None if it has no texts.

    Raises InvalidConfiguration if its configuration cannot be parsed, and UnsupportedSource if its
    texts have more roles and directives than markdown.
    """
    source = _configured(root) or folders.read_obsidian(root)
    if source is None and (source := folders.read_markdown(root)):
        source = replace(source, not_imported=list(_sources_in(root)))
    return source


def read_export(path: Path, folder: Path, uploads: Path | None) -> Source:
    """Return the source in an export of WordPress or Ghost, written into an empty folder.

    Raises InvalidExport and MissingPackages.
    """
    if not has_converter():
        raise MissingPackages
    read = read_ghost if path.suffix.lower() == ".json" else read_wordpress
    return read(path, folder, uploads)


def _configured(root: Path) -> Source | None:
    return next((source for read in _READERS if (source := read(root))), None)


def _sources_in(root: Path) -> Iterator[str]:
    """Yield a sentence for each folder of a repository that is the source of a generator."""
    for folder in sorted(each for each in root.iterdir() if each.is_dir()):
        with suppress(InvalidConfiguration, UnsupportedSource):
            source = _configured(folder)
            if source:
                yield f"{folder.name}/ is the source of a {source.generator} site: import it alone."
