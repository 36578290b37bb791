"""The index of the blog's posts, of an edition, and the posts as it holds them.

Readers of several countries who see the same text of a post share it. Posts that are published
later are indexed too: whether a post is published is checked at each search.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import attrgetter
from pathlib import Path
from typing import ClassVar

from app.publishing.content.passage_finder import SearchBeingPrepared
from app.publishing.content.passage_index import EditionIndex, EditionIndexes
from app.publishing.content.search_pages import SearchPages
from indexes.bases import IndexFolder, Progress, no_progress
from indexes.blog.index import BlogEngine, BlogIndex, PostBase
from indexes.blog.segment import Post, PostText
from indexes.text.words import Vocabulary, fold
from knowledge.fields.content_types import POST
from knowledge.fields.schemas import PostFields
from knowledge.locales.locale import Country, Locale, Locales
from knowledge.resources.base import title_of
from knowledge.resources.blog import POST_PAGE, excerpt_of
from knowledge.snapshot.layer_resolution import Entry, group_countries, resolve_uncached, visibility
from knowledge.snapshot.snapshot import Snapshot

_FOLDER = "posts"


_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, eq=False)
class SearchPosts:
    """The posts to index, by slug, as `indexes.blog.segment.Posts`."""

    snapshot: Snapshot
    versions: Mapping[str, str]
    """The version of each post: a digest of its documents."""

    @classmethod
    def of(cls, pages: SearchPages) -> SearchPosts:
        """Return the posts among the pages of a snapshot."""
        versions = pages.by_type[POST_PAGE].items()
        return cls(pages.snapshot, {path.rpartition("/")[2]: each for path, each in versions})

    def texts(self, slug: str) -> Sequence[PostText]:
        """Return the texts of a post; none if making them fails, which leaves the post out."""
        entry = self.snapshot.entry(POST, slug)
        if entry is None:
            return ()
        made = self.snapshot.left_out.each(
            (entry,),
            lambda each: tuple(_texts(each, self.snapshot.locales)),
            attrgetter("path"),
        )
        return next(made, ())


def _texts(entry: Entry[PostFields], locales: Locales) -> Iterator[PostText]:
    for language in locales.languages:
        for countries in group_countries(entry, locales.audiences):
            text = _text(entry, frozenset(countries), Locale(countries[0], language))
            if text is not None:
                yield text


def _text(
    entry: Entry[PostFields], countries: frozenset[Country | None], locale: Locale
) -> PostText | None:
    window = visibility(entry.covering(locale.country), locale.country, locale.language)
    # The text does not depend on the time, so any time at which it is published will do.
    published_at = window.published_at or _LONG_AGO
    resolved = resolve_uncached(entry, locale, published_at)
    if resolved is None or resolved.language is not locale.language:
        return None
    title, excerpt = _line(title_of(resolved)), _line(excerpt_of(resolved))
    post = Post(entry.slug, countries, published_at.timestamp())
    return PostText(post, locale.language, title, excerpt)


def _line(text: str) -> str:
    """Return a folded text in one line, without characters that no index can store."""
    return " ".join(fold(text).encode(errors="ignore").decode().split())


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
