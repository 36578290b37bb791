"""The index of the blog's posts, of an edition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from app.publishing.content.edition_index import EditionIndex, EditionIndexes
from app.publishing.content.passage_finder import SearchBeingPrepared
from app.publishing.content.search_posts import SearchPosts
from indexes.bases.folder import IndexFolder, Progress, no_progress
from indexes.blog.index import BlogEngine, BlogIndex, PostBase
from indexes.text.vocabulary import Vocabulary
from knowledge.locales.locale import Locale

_FOLDER = "posts"


@dataclass(frozen=True, eq=False)
class EditionPosts(EditionIndex[SearchPosts, BlogIndex]):
    """The posts of an edition and the index in which they are found."""

    MANY_EDITS: ClassVar[int] = 500

    @property
    def found_in(self) -> BlogIndex:
        """The index; raises SearchBeingPrepared if there is none yet."""
        if self.index is None:
            raise SearchBeingPrepared
        return self.index

    def closest(self, locale: Locale, query: str) -> Iterator[Sequence[str]]:
        """Yield the posts that match the most words, then those that match fewer, best first."""
        for slugs in self.found_in.closest(locale, query):
            yield slugs if self._has_all else list(filter(self.is_unchanged, slugs))


class PostIndexes(EditionIndexes[SearchPosts, BlogIndex]):
    """Opens and makes the indexes of posts in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / _FOLDER

    def open(self, pages: SearchPosts, vocabulary: Vocabulary) -> BlogIndex | None:
        """Open the index of these posts; None if there is no base that it can be made from."""
        base = self._bases(vocabulary).open(pages)
        return BlogIndex(base, vocabulary).updated(pages) if base else None

    def make(
        self, pages: SearchPosts, vocabulary: Vocabulary, progress: Progress = no_progress
    ) -> BlogIndex:
        """Make the index of these posts; with many it takes seconds."""
        # A vocabulary of its own: the words cached while it is made are not kept.
        base = self._bases(Vocabulary(vocabulary.lists)).make(pages, progress)
        return BlogIndex(base, vocabulary).updated(pages)

    def _bases(self, vocabulary: Vocabulary) -> IndexFolder[SearchPosts, PostBase]:
        return IndexFolder(self._folder, BlogEngine(vocabulary))
