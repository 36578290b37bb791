"""The index of the blog's posts, of an edition: opened or made on disk, and updated at each edit.

Few posts are indexed before the first request. Many are indexed in the background, as are those
that change too much at once; until then an older index is used, of which only posts count that
have not changed since.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.content.passage_finder import SearchBeingPrepared
from app.content.search_posts import SearchPosts
from indexes.blog.engine import Base, BlogEngine
from indexes.blog.index import BlogIndex
from indexes.folder import IndexFolder, Progress, no_progress
from indexes.vocabulary import Vocabulary
from knowledge.locale import Locale

MANY_POSTS = 2_000
"""More posts than these are not indexed before the first request, nor while an edit waits."""
_FOLDER = "posts"


@dataclass(frozen=True, eq=False, slots=True)
class EditionPosts:
    """The posts of an edition and the index in which they are found; None until there is one."""

    posts: SearchPosts
    vocabulary: Vocabulary
    kept: BlogIndex | None = None

    @property
    def is_settled(self) -> bool:
        """Whether the index has exactly these posts, most of them in its base."""
        kept = self.kept
        if kept is None or kept.vocabulary is not self.vocabulary:
            return False
        return self._has_all and kept.is_settled

    @property
    def _has_all(self) -> bool:
        """Whether the index has these posts and no others."""
        return self.index.versions is self.posts.versions

    @property
    def index(self) -> BlogIndex:
        """The index; raises SearchBeingPrepared if there is none yet."""
        if self.kept is None:
            raise SearchBeingPrepared
        return self.kept

    def closest(self, locale: Locale, query: str) -> Iterator[Sequence[str]]:
        """Yield the posts that match the most words, then those that match fewer, best first."""
        for slugs in self.index.closest(locale, query):
            yield slugs if self._has_all else list(filter(self.is_unchanged, slugs))

    def is_unchanged(self, slug: str) -> bool:
        """Return whether a post is the same as in the index."""
        return self._has_all or (self.index.versions.get(slug) == self.posts.versions.get(slug))


class PostIndexes:
    """Opens and makes the indexes of one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / _FOLDER

    def first(self, posts: SearchPosts, vocabulary: Vocabulary) -> EditionPosts:
        """Return the first index: that of the folder, or a new one if there are few posts."""
        index = self.open(posts, vocabulary)
        if index is None and len(posts.versions) <= MANY_POSTS:
            index = self.make(posts, vocabulary)
        return EditionPosts(posts, vocabulary, index)

    def next(
        self, before: EditionPosts, posts: SearchPosts, vocabulary: Vocabulary
    ) -> EditionPosts:
        """Return the index of the next edition, without edits that take too long to index."""
        current, index = replace(before, posts=posts, vocabulary=vocabulary), before.kept
        if index is None:
            return current
        synonyms = () if index.vocabulary is vocabulary else vocabulary.lists.groups
        is_much = len(index.versions.items() ^ posts.versions.items()) > 2 * MANY_POSTS
        index = index.with_synonyms(synonyms) if is_much else index.updated(posts, synonyms)
        return replace(current, kept=index)

    def settled(self, before: EditionPosts, progress: Progress) -> EditionPosts:
        """Return the same posts in a base of their own; `progress` may raise to abandon it."""
        posts, vocabulary = before.posts, before.vocabulary
        index = self.open(posts, vocabulary) or self.make(posts, vocabulary, progress)
        return replace(before, kept=index)

    def open(self, posts: SearchPosts, vocabulary: Vocabulary) -> BlogIndex | None:
        """Open the index of these posts; None if there is no base that it can be made from."""
        base = self._bases(vocabulary).open(posts)
        return BlogIndex(base, vocabulary).updated(posts) if base else None

    def make(
        self, posts: SearchPosts, vocabulary: Vocabulary, progress: Progress = no_progress
    ) -> BlogIndex:
        """Make the index of these posts; with many it takes seconds."""
        # A vocabulary of its own: the words cached while it is made are not kept.
        base = self._bases(Vocabulary(vocabulary.lists)).make(posts, progress)
        return BlogIndex(base, vocabulary).updated(posts)

    def _bases(self, vocabulary: Vocabulary) -> IndexFolder[SearchPosts, Base]:
        return IndexFolder(self._folder, BlogEngine(vocabulary))
