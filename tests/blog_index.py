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
from indexes.blog.segment import Post, Posts, PostText
from indexes.text.words import Vocabulary
from knowledge.documents.site_files import NO_WORD_LISTS, WordLists
from knowledge.snapshot.snapshot import Snapshot

VOCABULARY = Vocabulary()


class FixedPosts:
    """The posts of some texts; `asked` lists the slugs whose texts were asked for."""

    def __init__(self, texts: Iterable[PostText]) -> None:
        self._by_slug: dict[str, list[PostText]] = {}
        for text in texts:
            self._by_slug.setdefault(text.post.slug, []).append(text)
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
    return BlogIndex(PostBase({}, {}), vocabulary).updated(posts)


def in_base(posts: Posts, vocabulary: Vocabulary = VOCABULARY) -> BlogIndex:
    """Return an index with all posts in its base, which Whoosh reads from a deleted folder."""
    engine = BlogEngine(vocabulary)
    with TemporaryDirectory() as folder:
        base = engine.write(posts, Path(folder), no_progress)
        return BlogIndex(base, vocabulary).updated(posts)


def index_of(snapshot: Snapshot, lists: WordLists = NO_WORD_LISTS) -> BlogIndex:
    """Return an index of the posts of a snapshot."""
    return in_delta(posts_of(snapshot), Vocabulary(lists))


def contents(index: BlogIndex) -> list[tuple[str, Post, str]]:
    """Return language, post and the words of the title of all texts in an index, sorted."""
    found = []
    for language, segments in index._segments.items():
        base = index._base.segments.get(language)
        for segment in segments:
            hidden = segment.numbers_of(index._edits.outdated) if segment is base else ()
            titles: list[list[str]] = [[] for _ in segment.posts]
            for place, word in enumerate(segment._title.spellings):
                for number in segment._title._with_spelling(place):
                    titles[number].append(word)
            found += [
                (str(language), post, " ".join(titles[number]))
                for number, post in enumerate(segment.posts)
                if number not in hidden
            ]
    return sorted(found, key=repr)
