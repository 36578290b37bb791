"""The bases of passages on disk, each with an index of the passages and one of their words."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

from indexes.bases import folder
from indexes.bases.folder import Progress, no_progress
from indexes.passages.analysis import Analyzer
from indexes.passages.fields import open_index
from indexes.passages.index import Base, PassageIndex, Writing, index_of
from indexes.passages.lexicon import Lexicon
from indexes.passages.passage import Pages
from indexes.passages.segment import Segment
from indexes.text.vocabulary import Vocabulary

_PASSAGES, _WORDS, _LENGTH = "passages", "words", "length"


class PassageEngine:
    """Writes and opens bases with tantivy, in the terms of one analyzer."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer

    @property
    def digest(self) -> str:
        """Names software and analysis."""
        return f"{version('tantivy')} {self._analyzer.digest}"

    def write(self, pages: Pages, folder: Path | None, progress: Progress) -> Base:
        """Write a base to an empty folder, or to memory."""
        writing = Writing(pages, self._analyzer, progress)
        if folder is None:
            return writing.write(None, None)
        for part in (_PASSAGES, _WORDS):
            (folder / part).mkdir()
        base = writing.write(folder / _PASSAGES, folder / _WORDS)
        (folder / _LENGTH).write_text(str(writing.length))
        return base

    def open(self, folder: Path, versions: Mapping[str, str]) -> Base:
        """Open the base of these pages; raise OSError or ValueError if it is damaged."""
        length = int((folder / _LENGTH).read_text())
        segment = Segment(open_index(folder / _PASSAGES), length)
        return Base(segment, Lexicon(open_index(folder / _WORDS)), versions)


class IndexFolder:
    """Opens and makes the indexes of one folder, in the terms of one analyzer."""

    def __init__(self, path: Path, analyzer: Analyzer) -> None:
        self._path = path
        self._analyzer = analyzer

    def open(self, pages: Pages) -> PassageIndex | None:
        """Open the index of these pages; None if there is no base that it can be made from.

        It only reads and takes milliseconds, apart from analysing the pages that differ.
        """
        base = folder.IndexFolder(self._path, PassageEngine(self._analyzer)).open(pages)
        return index_of(base, self._analyzer).updated(pages) if base else None

    def make(self, pages: Pages, progress: Progress = no_progress) -> PassageIndex:
        """Open the base of exactly these pages or make it, and delete all others."""
        # An analyzer of its own: the words cached while the base is made are not kept.
        making = PassageEngine(Analyzer(Vocabulary(self._analyzer.vocabulary.lists)))
        base = folder.IndexFolder(self._path, making).make(pages, progress)
        return index_of(base, self._analyzer).updated(pages)
