"""Segments: the posts in a Whoosh index, one document for each language and group of countries.

Titles and excerpts have two fields each: one of their stems, and one of their words as they are
spelt. Whoosh opens the index by itself too: its schema has the analysis.

Not used of Whoosh: its incremental writer, as processes share a base and each edition has its own
edits; its corrector, which sorts by frequency alone; its highlighter, as lists show all excerpts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache, partial
from pathlib import Path
from secrets import token_hex
from threading import Lock
from typing import NamedTuple, Protocol
from weakref import finalize

from whoosh.analysis import RegexTokenizer, Token, Tokenizer
from whoosh.fields import ID, KEYWORD, STORED, TEXT, Schema
from whoosh.filedb.filestore import FileStorage, RamStorage
from whoosh.index import open_dir
from whoosh.query import And, Or, Query, Term
from whoosh.reading import IndexReader
from whoosh.scoring import BM25F
from whoosh.searching import Searcher
from whoosh.support.levenshtein import distance

from indexes.bases import Versioned
from indexes.text.analysis import stems
from indexes.text.words import Vocabulary, fold
from knowledge.locales.locale import Country, Language, Locale


class PostText(NamedTuple):
    """A post in one language, as readers of some countries see it.

    `published` is the time in seconds since 1970; title and excerpt are folded, each in one line.
    """

    slug: str
    countries: frozenset[Country | None]
    published: float
    language: Language
    title: str
    excerpt: str


class Posts(Versioned, Protocol):
    """All posts; `texts` is called only for posts whose version is not yet indexed."""

    def texts(self, slug: str) -> Sequence[PostText]:
        """Return the texts of a post, one for each language and group of countries."""


INDEX_NAME = "posts"
TITLE, EXCERPT = "title", "excerpt"
_SPELT = {TITLE: "title_words", EXCERPT: "excerpt_words"}
_MAX_LISTS = 256
"""The number of lists of scores to keep. Those of 50,000 posts take about 40 MB at most."""
_SHORT = 6
"""Words up to this length match with one edit only."""
_LEAST_LETTERS, _MOST_LETTERS = 3, 20
"""The length of a word that may be misspelt; an automaton takes longer for a longer one."""


class StemAnalyzer(Tokenizer):  # type: ignore[misc]
    """Stems words, and names their synonym groups. The stored schema of an index has it too."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._stems = lru_cache(65_536)(lambda part: tuple(stems(fold(part), vocabulary)))

    def __reduce__(self) -> tuple[type[StemAnalyzer], tuple[Vocabulary]]:
        """Return how it is made again."""
        return StemAnalyzer, (self._vocabulary,)

    def __call__(self, value: str, mode: str = "", **options: bool) -> Iterator[Token]:
        """Yield the stems of the parts of a text between white space."""
        token = Token(options.get("positions", False), options.get("chars", False), mode=mode)
        token.boost = 1.0
        for token.pos, part in enumerate(re.finditer(r"\S+", value)):
            token.startchar, token.endchar = part.span()
            for token.text in self._stems(part[0]):
                yield token


def _schema(vocabulary: Vocabulary) -> Schema:
    text = partial(TEXT, phrase=False, multitoken_query="or")
    return Schema(
        slug=ID(stored=True),
        language=ID(stored=True),
        countries=KEYWORD(stored=True),
        published=STORED(),
        **{field: text(StemAnalyzer(vocabulary), stored=True) for field in _SPELT},
        **{field: text(RegexTokenizer(r"\w+")) for field in _SPELT.values()},
    )


def open_segment(folder: Path, vocabulary: Vocabulary) -> PostSegment:
    """Open the segment of a folder."""
    # Whoosh does not unpickle the stored schema if one is given.
    return PostSegment(open_dir(str(folder), INDEX_NAME, True, _schema(vocabulary)).reader())


def write_segment(
    texts: Iterable[PostText], vocabulary: Vocabulary, folder: Path | None = None
) -> PostSegment:
    """Write a segment to an empty folder, or to memory."""
    # Whoosh names its files after the index, and in memory also a folder of temporary files.
    storage = RamStorage() if folder is None else FileStorage(str(folder))
    name = f"{INDEX_NAME}{token_hex(8)}" if folder is None else INDEX_NAME
    index = storage.create_index(_schema(vocabulary), name)
    writer = index.writer()  # one compound file, mapped: forks share positions of open files
    for text in texts:
        fields = {"language": str(text.language), "countries": " ".join(_names(text.countries))}
        spelt = {_SPELT[field]: getattr(text, field) for field in _SPELT}
        writer.add_document(**text._asdict() | fields | spelt)
    writer.commit()
    return PostSegment(index.reader())


def _names(countries: Iterable[Country | None]) -> Sequence[str]:
    return sorted(country or "none" for country in countries)


class _Relevance(BM25F):  # type: ignore[misc]
    """Counts how often a post has a stem. All texts are short: their length does not count."""

    def __init__(self) -> None:
        super().__init__(B=0.0)

    def idf(self, *_: object) -> float:
        """Leave the inverse document frequency to the ranking: it depends on the reader."""
        return 1.0


def _scores(searcher: Searcher, lock: Lock, field: str, stem: str) -> Mapping[int, float]:
    """Return the posts that have a stem in a field, with their scores."""
    with lock:
        return dict(searcher.search(Term(field, stem), limit=None).items())


class PostSegment:
    """Posts by number."""

    def __init__(self, reader: IndexReader) -> None:
        stored = [fields for _, fields in reader.iter_docs()]
        self.orders = [(-each["published"], each["slug"]) for each in stored]
        """The sort key of each post among those that match equally."""
        self._texts = {field: [each[field] for each in stored] for field in _SPELT}
        self._searcher = Searcher(reader, weighting=_Relevance())
        self._lock = Lock()  # Threads share the position in a file of the reader.
        self.scores = lru_cache(_MAX_LISTS)(partial(_scores, self._searcher, self._lock))
        finalize(self, reader.close)

    def spelt(self, field: str, word: str) -> set[int]:
        """Return the posts that have a word as it is spelt."""
        return self._numbers(Term(_SPELT[field], word))

    def holding(self, field: str, letters: str, among: AbstractSet[int]) -> set[int]:
        """Return those of some posts that contain letters, within words too."""
        texts = self._texts[field]
        return {number for number in among if letters in texts[number]}

    def visible_in(self, locale: Locale, without: Iterable[str]) -> set[int]:
        """Return the posts that readers of a locale see, without those of some slugs."""
        (country,) = _names([locale.country])
        filters = And([Term("language", str(locale.language)), Term("countries", country)])
        return self._numbers(filters) - self._numbers(Or([Term("slug", slug) for slug in without]))

    def _numbers(self, query: Query) -> set[int]:
        with self._lock:
            return set(self._searcher.docs_for_query(query))

    def near(self, word: str) -> Sequence[str]:
        """Return words within one edit, or two if the word is long; most similar first.

        Whoosh does not know swapped letters, which are one edit; a second swap is not looked for.
        """
        if not _LEAST_LETTERS <= len(word) <= _MOST_LETTERS:
            return []
        most = 1 if len(word) <= _SHORT else 2
        found = self._within(word, 2)
        for at in range(len(word) - 1 if most > 1 else 0):
            found |= self._within(f"{word[:at]}{word[at + 1]}{word[at]}{word[at + 2 :]}", 1)
        distances = ((distance(word, other, limit=most), other) for other in found - {word})
        return [other for edits, other in sorted(distances) if edits <= most]

    def _within(self, word: str, edits: int) -> set[str]:
        with self._lock:
            within = self._searcher.reader().terms_within
            return {other for field in _SPELT.values() for other in within(field, word, edits)}
