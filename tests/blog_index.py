"""Indexes of posts for tests of the blog's search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from app.platform.clock import utc_now
from app.publishing.content.indexes import SearchPosts
from app.publishing.content.search_pages import search_pages
from indexes.bases import no_progress
from indexes.blog.index import BlogEngine, BlogIndex, PostBase
from indexes.blog.segment import Posts, PostText
from indexes.text.words import Vocabulary
from knowledge.documents.site_files import NO_WORD_LISTS, WordLists
from knowledge.snapshot.snapshot import Snapshot

VOCABULARY = Vocabulary()


class FixedPosts:
    """The posts of some texts; `asked` lists the slugs whose texts were asked for."""

    def __init__(self, texts: Iterable[PostText]) -> None:
        self._by_slug: dict[str, list[PostText]] = {}
        for text in texts:
            self._by_slug.setdefault(text.slug, []).append(text)
        self.versions: Mapping[str, str] = {
            slug: repr(each) for slug, each in self._by_slug.items()
        }
        self.asked: list[str] = []

    def texts(self, slug: str) -> Sequence[PostText]:
        """Return the texts of a post."""
        self.asked.append(slug)
        return self._by_slug[slug]


def posts_of(snapshot: Snapshot) -> SearchPosts:
    """Return the posts of a snapshot."""
    return SearchPosts.of(search_pages(snapshot, utc_now()))


def in_delta(posts: Posts, vocabulary: Vocabulary = VOCABULARY) -> BlogIndex:
    """Return an index with all posts in its delta."""
    return BlogIndex(PostBase((), {}), vocabulary).updated(posts)


def in_base(posts: Posts, vocabulary: Vocabulary = VOCABULARY) -> BlogIndex:
    """Return an index with all posts in its base, which Whoosh reads from a deleted folder."""
    engine = BlogEngine(vocabulary)
    with TemporaryDirectory() as folder:
        base = engine.write(posts, Path(folder), no_progress)
        return BlogIndex(base, vocabulary).updated(posts)


def index_of(snapshot: Snapshot, lists: WordLists = NO_WORD_LISTS) -> BlogIndex:
    """Return an index of the posts of a snapshot."""
    return in_delta(posts_of(snapshot), Vocabulary(lists))


def contents(index: BlogIndex) -> list[str]:
    """Return what is stored of all texts in an index, sorted."""
    return sorted(
        repr(sorted(stored.items()))
        for segment, outdated in index._segments
        for _, stored in segment._searcher.reader().iter_docs()
        if stored["slug"] not in outdated
    )
