"""The indexes of an edition, of passages and of posts: opened or made on disk, and updated.

Pages are indexed in the background, as the first requests need no index. A search that comes
earlier waits if they are few; else it is refused. What changes too much at once is indexed in the
background, too; until then an older index is used, of which only pages count that have not changed
since.

Readers of several countries who see the same text of a post share it. Posts that are published
later are indexed too: whether a post is published is checked at each search.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from operator import attrgetter
from pathlib import Path
from typing import ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar

from app.platform.clock import Clock, utc_now
from app.publishing.content.search_pages import SearchPages, own_passages, search_pages, text_of
from indexes.bases import IndexFolder, Progress, Source, Versioned, differences, no_progress
from indexes.blog.index import BlogEngine, BlogIndex, PostBase
from indexes.blog.segment import PostText
from indexes.passages import ranking
from indexes.passages.analysis import Analyzer
from indexes.passages.index import PassageFolder, PassageIndex
from indexes.passages.passage import Pages
from indexes.text.words import Vocabulary, fold
from knowledge.addresses.addresses import Address
from knowledge.fields.blog_fields import PostFields
from knowledge.fields.content_types import POST
from knowledge.locales.locale import Country, Locale, Locales
from knowledge.resources.blog import excerpt_of
from knowledge.resources.document_page import title_of
from knowledge.resources.errors import ContentUnavailable
from knowledge.resources.passages import Passage
from knowledge.resources.posts import POST_PAGE
from knowledge.snapshot.layer_resolution import Entry, group_countries, resolve_uncached, visibility
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView

log = logging.getLogger(__name__)


class FoundText(NamedTuple):
    """A passage with the digest of what is searched of it."""

    passage: Passage
    digest: str


def _cut(view: ContentView, address: Address) -> Sequence[FoundText]:
    cut = own_passages(view, address)
    return [FoundText(passage, text_of(passage, view).digest) for passage in cut]


PagesT = TypeVar("PagesT", bound=Versioned)
PagesT_contra = TypeVar("PagesT_contra", bound=Versioned, contravariant=True)


class Index(Protocol[PagesT_contra]):
    """An index of pages, which never changes; `versions` are those of the pages in it."""

    vocabulary: Vocabulary
    versions: Mapping[str, str]

    @property
    def is_settled(self) -> bool:
        """Whether most of its pages are in its base."""

    def updated(self, pages: PagesT_contra, synonyms: Iterable[Iterable[str]] = ()) -> Self:
        """Return the index of other pages; `synonyms` are those that its vocabulary lacks."""

    def with_synonyms(self, synonyms: Iterable[Iterable[str]]) -> Self:
        """Return the index of the same pages, with other synonyms besides its vocabulary's."""


IndexT = TypeVar("IndexT", bound=Index)  # type: ignore[type-arg]  # of the pages beside it


class SearchBeingPrepared(ContentUnavailable):
    """There is no index yet."""

    def __init__(self) -> None:
        super().__init__("The search is being prepared.", "Try again in a few seconds.")


@dataclass(frozen=True, eq=False)
class EditionIndex(Generic[PagesT, IndexT]):
    """The pages of an edition and the index in which they are found; None until there is one.

    `settled` is that of the indexes.
    """

    pages: PagesT
    vocabulary: Vocabulary
    settled: Callable[[PagesT, Vocabulary], IndexT]
    index: IndexT | None = None

    MANY_PAGES: ClassVar[int] = 2_000
    """More pages than these are not indexed while a search waits."""
    MANY_EDITS: ClassVar[int] = 500
    """More pages than these are not analysed while an edit waits to be live."""

    @property
    def found_in(self) -> IndexT:
        """The index, made now if there is none of few pages; raises SearchBeingPrepared."""
        if self.index is None and len(self.pages.versions) > self.MANY_PAGES:
            raise SearchBeingPrepared
        return self._made if self.index is None else self.index

    @cached_property
    def _made(self) -> IndexT:
        return self.settled(self.pages, self.vocabulary)

    @property
    def is_settled(self) -> bool:
        """Whether the index has exactly these pages, most of them in its base."""
        if self.index is None or self.index.vocabulary is not self.vocabulary:
            return False
        return self._has_all and self.index.is_settled

    @property
    def _has_all(self) -> bool:
        """Whether the index has these pages and no others."""
        return self.found_in.versions is self.pages.versions

    def is_unchanged(self, page: str) -> bool:
        """Return whether a page is the same as in the index."""
        version = self.found_in.versions.get(page)
        return self._has_all or (version is not None and version == self.pages.versions.get(page))

    def updated(self, pages: PagesT, vocabulary: Vocabulary) -> Self:
        """Return the index of the next edition, without edits that take too long to analyse."""
        index = self.index
        if index is not None:
            synonyms = () if index.vocabulary is vocabulary else vocabulary.lists.groups
            is_much = differences(index.versions, pages.versions) > self.MANY_EDITS
            index = index.with_synonyms(synonyms) if is_much else index.updated(pages, synonyms)
        return replace(self, pages=pages, vocabulary=vocabulary, index=index)


_MAX_TEXTS = 512
"""The number of pages to keep as they were cut for their readers."""

_Texts = Callable[[ContentView, Address], Sequence["FoundText"]]


@dataclass(frozen=True, eq=False)
class EditionPassages(EditionIndex[SearchPages, PassageIndex]):
    """The pages of an edition and the index in which their passages are found."""

    _texts: _Texts = field(
        default_factory=lambda: lru_cache(_MAX_TEXTS)(_cut), init=False, repr=False
    )

    def texts(self, view: ContentView, address: Address) -> Sequence[FoundText]:
        """Return the passages of a page that are searched, as the readers of a view see them."""
        return self._texts(view.at(view.snapshot.last_change_at(view.now)), address)


class EditionIndexes(ABC, Generic[PagesT, IndexT]):
    """Opens and makes the indexes of one folder."""

    def settled(
        self, pages: PagesT, vocabulary: Vocabulary, progress: Progress = no_progress
    ) -> IndexT:
        """Return the index of these pages, most of them in its base; may take minutes.

        `progress` may raise to abandon it.
        """
        return self.open(pages, vocabulary) or self.make(pages, vocabulary, progress)

    @abstractmethod
    def open(self, pages: PagesT, vocabulary: Vocabulary) -> IndexT | None:
        """Open the index of these pages; None if there is no base that it can be made from."""

    @abstractmethod
    def make(
        self, pages: PagesT, vocabulary: Vocabulary, progress: Progress = no_progress
    ) -> IndexT:
        """Make the index of these pages, or fetch it; with many it takes minutes."""

    @abstractmethod
    def put(self, pages: PagesT, vocabulary: Vocabulary, target: Source) -> None:
        """Add what the index of exactly these pages is made from to a source."""


class Meaning(ranking.Meaning, Protocol):
    """Compares questions and passages by vectors, which it makes in the background."""

    def covers(self, pages: Pages) -> bool:
        """Return whether all texts of pages have vectors."""

    def complete(self, pages: Pages, progress: Progress) -> None:
        """Make the vectors that pages lack; `progress` may raise to abandon it."""

    def put(self, pages: Pages, target: Source) -> None:
        """Add the vectors of pages, all of which have some, to a source."""


def open_meaning(folder: Path, source: Source | None = None) -> Meaning | None:
    """Return the meaning with the vectors of a folder; None if the folder cannot be written.

    It loads the sentence encoder, which takes a second.
    """
    from indexes.passages.meaning import Encoder, VectorMeaning  # noqa: PLC0415 - an optional package

    try:
        return VectorMeaning(folder / "meaning", Encoder(), source)
    except OSError as error:
        log.warning("Search is by words alone, as INDEX_DIR cannot be written: %s", error)
        return None


class PassageIndexes(EditionIndexes[SearchPages, PassageIndex]):
    """Opens and makes the indexes of passages in one folder."""

    def __init__(
        self,
        folder: Path,
        clock: Clock = utc_now,
        meaning: Meaning | None = None,
        source: Source | None = None,
    ) -> None:
        self._folder = folder
        self._source = source
        self._clock = clock
        self._meaning = meaning

    def pages(self, snapshot: Snapshot, before: SearchPages | None = None) -> SearchPages:
        """Return the pages of a snapshot to index from now on; see `search_pages`."""
        return search_pages(snapshot, self._clock(), before)

    def open(self, pages: SearchPages, vocabulary: Vocabulary) -> PassageIndex | None:
        """Open the index of these pages; None if there is no base that it can be made from."""
        return self._folder_of(vocabulary).open(pages)

    def make(
        self, pages: SearchPages, vocabulary: Vocabulary, progress: Progress = no_progress
    ) -> PassageIndex:
        """Make the index of these pages; with many it takes minutes."""
        return self._folder_of(vocabulary).make(pages, progress)

    def put(self, pages: SearchPages, vocabulary: Vocabulary, target: Source) -> None:
        """Add what the index of exactly these pages is made from to a source."""
        self._folder_of(vocabulary).put(pages, target)

    def _folder_of(self, vocabulary: Vocabulary) -> PassageFolder:
        return PassageFolder(self._folder, Analyzer(vocabulary), self._meaning, self._source)


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
    published = published_at.timestamp()
    return PostText(entry.slug, countries, published, locale.language, title, excerpt)


def _line(text: str) -> str:
    """Return a folded text in one line, without characters that no index can store."""
    return " ".join(fold(text).encode(errors="ignore").decode().split())


@dataclass(frozen=True, eq=False)
class EditionPosts(EditionIndex[SearchPosts, BlogIndex]):
    """The posts of an edition and the index in which they are found."""

    def closest(self, locale: Locale, query: str) -> Iterator[Sequence[str]]:
        """Yield the posts that match the most words, then those that match fewer, best first."""
        for slugs in self.found_in.closest(locale, query):
            yield slugs if self._has_all else list(filter(self.is_unchanged, slugs))


class PostIndexes(EditionIndexes[SearchPosts, BlogIndex]):
    """Opens and makes the indexes of posts in one folder."""

    def __init__(self, folder: Path, source: Source | None = None) -> None:
        self._folder = folder / "posts"
        self._source = source

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

    def put(self, pages: SearchPosts, vocabulary: Vocabulary, target: Source) -> None:
        """Add what the index of exactly these posts is made from to a source."""
        self._bases(vocabulary).put(pages, target)

    def _bases(self, vocabulary: Vocabulary) -> IndexFolder[SearchPosts, PostBase]:
        return IndexFolder(self._folder, BlogEngine(vocabulary), self._source)
