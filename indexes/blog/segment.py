"""Segments: the posts of one language in a Whoosh index, and those in it that match a term.

Titles and excerpts have two fields each: one of their stems, and one of their words as they are
spelt, with the spellings that are no single word, such as `e-invoicing` and `15%`.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial, reduce
from itertools import accumulate, chain, islice, repeat
from operator import or_
from pathlib import Path
from threading import Lock
from typing import NamedTuple, Protocol
from weakref import finalize

from whoosh.analysis import Analyzer, Token
from whoosh.automata.fsa import find_all_matches
from whoosh.automata.lev import levenshtein_automaton
from whoosh.codec.memory import MemoryCodec
from whoosh.fields import STORED, TEXT, Schema
from whoosh.index import create_in, open_dir
from whoosh.reading import IndexReader, TermNotFound
from whoosh.support.levenshtein import distance
from whoosh.system import pack_uint
from whoosh.writing import SegmentWriter

from indexes.text.analysis import QueryTerm, spellings, stems, words
from indexes.text.words import Vocabulary
from knowledge.locales.locale import Country, Language


@dataclass(frozen=True, slots=True)
class Post:
    """A post in one language as readers of some countries see it.

    `published` is the time in seconds since 1970.
    """

    slug: str
    countries: frozenset[Country | None]
    published: float

    @property
    def order(self) -> tuple[float, str]:
        """The sort key of posts that match equally: newest first."""
        return -self.published, self.slug


class PostText(NamedTuple):
    """The folded title and excerpt of a post, each in one line."""

    post: Post
    language: Language
    title: str
    excerpt: str


class Posts(Protocol):
    """All posts; `texts` is called only for posts whose version is not yet indexed."""

    @property
    def versions(self) -> Mapping[str, str]:
        """The version of each post, by slug: a digest of all that its texts depend on."""

    def texts(self, slug: str) -> Sequence[PostText]:
        """Return the texts of a post, one for each language and group of countries."""


_SAMPLE = 65_536
"""The number of characters by which it is decided how common a part is."""


class Lines:
    """Texts of one line each, by number."""

    def __init__(self, lines: Iterable[str]) -> None:
        lines = list(lines)
        self._joined = "\n".join(lines)
        self._starts = array("L", accumulate(map((1).__add__, map(len, lines)), initial=0))

    def __iter__(self) -> Iterator[str]:
        """Return the lines in order."""
        return iter(self._joined.split("\n"))

    def __getitem__(self, number: int) -> str:
        """Return the line with this number."""
        return self._joined[self._starts[number] : self._starts[number + 1] - 1]

    def holding(self, part: str) -> Iterator[int]:
        """Return the numbers of the lines that contain these letters.

        >>> list(Lines(["invoice", "voice", "vat"]).holding("voice"))
        [0, 1]
        """
        sample = (0, _SAMPLE)
        if self._joined.count(part, *sample) > self._joined.count("\n", *sample):
            return (number for number, line in enumerate(self) if part in line)
        before = self._joined.split(part)[:-1]
        return iter(dict.fromkeys(accumulate(text.count("\n") for text in before)))


_TITLE, _EXCERPT, _POST = "title", "excerpt", "post"
_MAX_LISTS = 1_024
"""The number of lists to keep after reading. All lists of 50,000 posts take about 10 MB."""
_MAX_SPELLINGS = 24
"""If more spellings contain a term, the texts are scanned instead of the spellings' postings."""
_SHORT = 6
"""Words up to this length match with one edit only."""
_LEAST_LETTERS, _MOST_LETTERS = 3, 20
"""The length of a word that may be misspelt; an automaton takes longer for a longer one."""

Counts = Mapping[int, int]
"""Frequency of a term in one field, at least 1, by the number of the post."""


class _TextAnalyzer(Analyzer):  # type: ignore[misc]  # Whoosh has no types
    """Gives Whoosh the tokens of a function; a schema on disk has the function's name."""

    def __init__(self, tokens: Callable[[str], Iterable[str]]) -> None:
        self._tokens = tokens

    def __call__(self, value: str, **_: object) -> Iterator[Token]:
        token = Token(boost=1.0, stopped=False)
        for token.text in self._tokens(value):
            yield token


def _spelt(folded: str) -> Iterator[str]:
    """Yield the words of a text, and the spellings that are no single word.

    >>> list(_spelt("e-invoicing soon"))
    ['e-invoicing', 'e', 'invoicing', 'soon']
    """
    for spelling in spellings(folded):
        yield spelling
        parts = words(spelling)
        yield from parts if parts != [spelling] else ()


def _words_of(field: str) -> str:
    return f"{field}_words"


def _schema(vocabulary: Vocabulary) -> Schema:
    by_stems = TEXT(_TextAnalyzer(partial(stems, vocabulary=vocabulary)), phrase=False)
    by_words = TEXT(_TextAnalyzer(_spelt), phrase=False)
    schema = Schema(**{_POST: STORED})
    for field in (_TITLE, _EXCERPT):
        schema.add(field, by_stems)
        schema.add(_words_of(field), by_words)
    return schema


class _Postings:
    """The postings of a segment by field and word, each the number of a post and the frequency.

    Whoosh's own pool writes them to disk to sort them, which takes twice the time of all the rest.
    """

    def __init__(self) -> None:
        self._by_field: dict[str, dict[bytes, array[int]]] = defaultdict(
            lambda: defaultdict(partial(array, "I"))
        )

    def add(self, posting: tuple[str, bytes, int, float, bytes]) -> None:
        """Add a posting; those of one word come in the order of the posts."""
        field, word, post, count, _ = posting
        self._by_field[field][word].extend((post, int(count)))

    def iter_postings(self) -> Iterator[tuple[str, bytes, int, float, bytes]]:
        """Yield the postings in the order of fields, words and posts."""
        for field, by_word in sorted(self._by_field.items()):
            for word in sorted(by_word):
                numbers = iter(by_word[word])
                for post, count in zip(numbers, numbers, strict=True):
                    yield field, word, post, float(count), pack_uint(count)

    def cleanup(self) -> None:
        """Do nothing: there are no files to delete."""


def write_segment(
    folder: Path, name: str, texts: Iterable[PostText], vocabulary: Vocabulary
) -> None:
    """Write a segment to a folder; several fit into one."""
    writer = create_in(str(folder), _schema(vocabulary), name).writer(compound=False)
    writer.pool, writer.codec.length_stats = _Postings(), False
    _write(writer, texts)


def open_segment(folder: Path, name: str, vocabulary: Vocabulary) -> PostSegment:
    """Open a segment of a folder."""
    return PostSegment(open_dir(str(folder), name, True, _schema(vocabulary)).reader())


def segment_in_memory(texts: Iterable[PostText], vocabulary: Vocabulary) -> PostSegment:
    """Return a segment of some texts of one language."""
    schema, codec = _schema(vocabulary), MemoryCodec()
    _write(codec.writer(schema), texts)
    return PostSegment(codec.reader(schema))


def _write(writer: SegmentWriter, texts: Iterable[PostText]) -> None:
    try:
        for text in sorted(texts, key=lambda text: text.post.order):
            post = text.post
            fields = {_TITLE: text.title, _EXCERPT: text.excerpt}
            spelt = {_words_of(field): folded for field, folded in fields.items()}
            countries = ",".join(sorted(country or "" for country in post.countries))
            stored = (post.slug, countries, post.published, text.title, text.excerpt)
            writer.add_document(**fields, **spelt, **{_POST: stored})
    except BaseException:
        writer.cancel()
        raise
    writer.commit()


@cache
def _countries(names: str) -> frozenset[Country | None]:
    """Return the countries of a stored post; one object for equal ones."""
    return frozenset(Country(name) if name else None for name in names.split(","))


@dataclass(frozen=True, slots=True)
class Hits:
    """The posts that match one term; in `exact_…` it is a whole word, spelt as in the query.

    A term whose parts are spread over title and excerpt counts as a hit in the excerpt.
    """

    title: Counts
    excerpt: Counts
    exact_title: AbstractSet[int]
    exact_excerpt: AbstractSet[int]


class _PostField:
    """Title or excerpt of all posts of a segment."""

    def __init__(self, name: str, reader: IndexReader, lock: Lock, texts: Iterable[str]) -> None:
        self._texts = Lines(texts)
        self._terms = partial(_terms, reader, lock, _words_of(name))
        read = partial(_read, reader, lock)
        self._with_stem = lru_cache(_MAX_LISTS)(partial(read, name))
        self._with_word = lru_cache(_MAX_LISTS)(partial(read, _words_of(name)))

    @cached_property
    def spellings(self) -> Lines:
        """The words of the field, and its spellings that are no single word."""
        return Lines(self._terms())

    def having(self, stems: Iterable[str]) -> set[int]:
        """Return the posts that have any of some stems."""
        return set(chain.from_iterable(map(self._with_stem, stems)))

    def spelt(self, word: str) -> set[int]:
        """Return the posts that have a word."""
        return set(self._with_word(word))

    def holding(self, letters: str) -> set[int]:
        """Return the posts that contain letters."""
        numbers = list(islice(self.spellings.holding(letters), _MAX_SPELLINGS + 1))
        if len(numbers) > _MAX_SPELLINGS:
            return set(self._texts.holding(letters))
        lists = (self._with_word(self.spellings[number]) for number in numbers)
        return set(chain.from_iterable(lists))

    def counts(self, stems: Iterable[str], holding: Iterable[int]) -> dict[int, int]:
        """Return how often posts have the most frequent of some stems; `holding` have it once."""
        by_stem = [Counter(self._with_stem(stem)) for stem in stems]
        return {**dict.fromkeys(holding, 1), **(reduce(or_, by_stem) if by_stem else {})}


def _terms(reader: IndexReader, lock: Lock, field: str) -> Sequence[str]:
    """Return all words of a field."""
    try:
        with lock:
            return list(reader.field_terms(field))
    except TermNotFound:  # An index in memory has no field without words.
        return ()


def _read(reader: IndexReader, lock: Lock, field: str, word: str) -> Sequence[int]:
    """Return the posts that have a word in a field, each as often as it has it."""
    numbers = array("I")
    with lock:  # Whoosh readers share one file position.
        if (field, word) in reader:
            matcher = reader.postings(field, word)
            while matcher.is_active():
                numbers.extend(repeat(matcher.id(), int(matcher.weight())))
                matcher.next()
    return numbers


class PostSegment:
    """Posts, numbered in the order in which ties are shown."""

    def __init__(self, reader: IndexReader) -> None:
        stored = [values[_POST] for _, values in reader.iter_docs()]
        slugs, countries, published, titles, excerpts = tuple(zip(*stored, strict=True)) or [()] * 5
        self.slugs: Sequence[str] = slugs
        self.posts = list(map(Post, slugs, map(_countries, countries), published))
        self._reader, self._lock = reader, Lock()
        finalize(self, reader.close)
        self._title = _PostField(_TITLE, reader, self._lock, titles)
        self._excerpt = _PostField(_EXCERPT, reader, self._lock, excerpts)

    def hits(self, term: QueryTerm) -> Hits:
        """Return the posts that match a term, by its letters or by its stems."""
        fields = (self._title, self._excerpt)
        exact = [field.holding(term.letters) for field in fields]
        title, excerpt = (
            field.counts(term.stems, holding) for field, holding in zip(fields, exact, strict=True)
        )
        if term.parts:
            self._add_parts(term, title, excerpt)
        if term.is_word:
            exact = [field.spelt(term.letters) for field in fields]
        return Hits(title, excerpt, *exact)

    def _add_parts(self, term: QueryTerm, title: dict[int, int], excerpt: dict[int, int]) -> None:
        """Add the posts that have a stem of each part, within one field or across both."""
        in_title, in_excerpt = (
            [field.having(part) for part in term.parts] for field in (self._title, self._excerpt)
        )
        for number in set.intersection(*in_title):
            title.setdefault(number, 1)
        across_fields = set.intersection(*map(set.union, in_title, in_excerpt)) - title.keys()
        for number in across_fields | set.intersection(*in_excerpt):
            excerpt.setdefault(number, 1)

    def near(self, word: str) -> Sequence[str]:
        """Return words within one edit, or two if the word is long; most similar first.

        Whoosh's automata do not know swapped letters, which are one edit; a second swap is not
        looked for.
        """
        if not _LEAST_LETTERS <= len(word) <= _MOST_LETTERS:
            return []
        most = 1 if len(word) <= _SHORT else 2
        found = set(self._within(word, 2))
        if most > 1:
            for at in range(len(word) - 1):
                swapped = f"{word[:at]}{word[at + 1]}{word[at]}{word[at + 2 :]}"
                found.update(self._within(swapped, 1))
        distances = ((distance(word, other, limit=most), other) for other in found - {word})
        return [other for edits, other in sorted(distances) if edits <= most]

    def _within(self, word: str, edits: int) -> Iterable[str]:
        def at_least(text: str) -> str | None:
            place = bisect_left(self._words, text)
            return self._words[place] if place < len(self._words) else None

        matches: Iterable[str] = find_all_matches(
            levenshtein_automaton(word, edits).to_dfa(), at_least
        )
        return matches

    @cached_property
    def _words(self) -> Sequence[str]:
        lists = (field.spellings for field in (self._title, self._excerpt))
        return sorted({word for spelt in lists for word in spelt if words(word) == [word]})

    def numbers_of(self, slugs: AbstractSet[str]) -> AbstractSet[int]:
        """Return the numbers of some posts."""
        if not slugs:
            return frozenset()
        return {number for number, post in enumerate(self.posts) if post.slug in slugs}

    def hidden_in(self, country: Country | None) -> AbstractSet[int]:
        """Return the numbers of the posts that readers of a country do not see."""
        return {number for number, post in enumerate(self.posts) if country not in post.countries}
