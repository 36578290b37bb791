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
from itertools import accumulate, chain
from operator import or_
from pathlib import Path
from threading import Lock
from types import SimpleNamespace
from typing import NamedTuple, Protocol
from weakref import finalize

from whoosh.automata.fsa import find_all_matches
from whoosh.automata.lev import levenshtein_automaton
from whoosh.codec.memory import MemoryCodec
from whoosh.fields import STORED, TEXT, Schema
from whoosh.index import create_in, open_dir
from whoosh.reading import IndexReader
from whoosh.support.levenshtein import distance
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
        return iter(self._joined.split("\n") if len(self) else ())

    def __getitem__(self, number: int) -> str:
        """Return the line with this number."""
        return self._joined[self._starts[number] : self._starts[number + 1] - 1]

    def __len__(self) -> int:
        """Return the number of lines."""
        return len(self._starts) - 1

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


_TITLE, _EXCERPT, _STORED = "title", "excerpt", "stored"
_MAX_LISTS = 1_024
"""The number of lists of stems to keep after reading. All of 50,000 posts take about 5 MB."""
_SHORT = 6
"""Words up to this length match with one edit only."""
_LEAST_LETTERS, _MOST_LETTERS = 3, 20
"""The length of a word that may be misspelt; an automaton takes longer for a longer one."""

Counts = Mapping[int, int]
"""Frequency of a term in one field, at least 1, by the number of the post."""


def _spelt(folded: str) -> Iterator[str]:
    """Yield the words of a text, and the spellings that are no single word.

    >>> list(_spelt("e-invoicing soon"))
    ['e-invoicing', 'e', 'invoicing', 'soon']
    """
    for spelling in spellings(folded):
        yield spelling
        parts = words(spelling)
        yield from parts if parts != [spelling] else ()


@cache
def _schema() -> Schema:
    """Return the schema of all segments; the format of texts takes any value."""
    return Schema(**{_STORED: STORED, _TITLE: TEXT(), _EXCERPT: TEXT()})


def write_segment(
    folder: Path, name: str, texts: Iterable[PostText], vocabulary: Vocabulary
) -> None:
    """Write a segment to a folder; several fit into one."""
    _write(create_in(str(folder), _schema(), name).writer(compound=False), texts, vocabulary)


def open_segment(folder: Path, name: str) -> PostSegment:
    """Open a segment of a folder."""
    return PostSegment(open_dir(str(folder), name, True, _schema()).reader())


def segment_in_memory(texts: Iterable[PostText], vocabulary: Vocabulary) -> PostSegment:
    """Return a segment of some texts of one language."""
    codec = MemoryCodec()
    _write(codec.writer(_schema()), texts, vocabulary)
    return PostSegment(codec.reader(_schema()))


def _write(writer: SegmentWriter, texts: Iterable[PostText], vocabulary: Vocabulary) -> None:
    """Write one document, with all posts; its terms are their stems.

    Whoosh takes a posting for each post, which is slow to write and to read. So a stem has one
    posting, whose value has the numbers of its posts.
    """
    texts = sorted(texts, key=lambda text: text.post.order)
    parts = {field: _numbers_of_parts(texts, field) for field in (_EXCERPT, _TITLE)}
    posts = [(post.slug, _joined(post.countries), post.published) for post, *_ in texts]
    spelt = {field: _packed(_analysed(parts[field], _spelt)) for field in parts}

    def postings() -> Iterator[tuple[str, bytes, int, float, bytes]]:
        for field, numbers_of in parts.items():
            for stem, numbers in _analysed(numbers_of, partial(stems, vocabulary=vocabulary)):
                yield field, stem.encode(), 0, 1.0, numbers.tobytes()

    writer.add_document(**{_STORED: (tuple(zip(*posts, strict=True)), spelt)})
    writer.pool = SimpleNamespace(iter_postings=postings, cleanup=bool)
    writer.codec.length_stats = False
    writer.commit()


_Numbers = defaultdict[str, "array[int]"]
"""The numbers of the posts that have a text, each as often as it has it."""


def _no_numbers() -> array[int]:
    return array("I")


def _numbers_of_parts(texts: Sequence[PostText], field: str) -> _Numbers:
    """Return the posts of each part of a field between white space; each is analysed once."""
    numbers_of = _Numbers(_no_numbers)
    for number, text in enumerate(texts):
        for part in getattr(text, field).split():
            numbers_of[part].append(number)
    return numbers_of


def _analysed(
    parts: _Numbers, analysed: Callable[[str], Iterable[str]]
) -> Iterator[tuple[str, array[int]]]:
    """Yield the words that an analysis gives, in order, each with the numbers of its posts."""
    numbers_of = _Numbers(_no_numbers)
    for part, numbers in parts.items():
        for word in analysed(part):
            numbers_of[word] += numbers
    for word in sorted(numbers_of):
        yield word, array("I", sorted(numbers_of[word]))


def _packed(words: Iterable[tuple[str, array[int]]]) -> tuple[str, bytes, bytes]:
    """Return words in lines, how many numbers each has, and the numbers."""
    lines, numbers = tuple(zip(*words, strict=True)) or [()] * 2
    lengths = array("I", map(len, numbers))
    return "\n".join(lines), lengths.tobytes(), b"".join(map(array.tobytes, numbers))


def _joined(countries: Iterable[Country | None]) -> str:
    return ",".join(sorted(country or "" for country in countries))


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
    """Title or excerpt of all posts of a segment; `packed` has its words."""

    def __init__(
        self, name: str, reader: IndexReader, lock: Lock, packed: tuple[str, bytes, bytes]
    ) -> None:
        self._with_stem = lru_cache(_MAX_LISTS)(partial(_read, reader, lock, name))
        spelt, lengths, numbers = packed
        self.spellings = Lines(spelt.split("\n") if spelt else ())
        """The words of the field, and its spellings that are no single word, in order."""
        self._starts = array("I", accumulate(memoryview(lengths).cast("I"), initial=0))
        self._numbers = memoryview(numbers).cast("I")

    def having(self, stems: Iterable[str]) -> set[int]:
        """Return the posts that have any of some stems."""
        return set(chain.from_iterable(map(self._with_stem, stems)))

    def _with_spelling(self, number: int) -> Sequence[int]:
        return self._numbers[self._starts[number] : self._starts[number + 1]]

    def spelt(self, word: str) -> set[int]:
        """Return the posts that have a word."""
        place = bisect_left(self.spellings, word)
        is_there = place < len(self.spellings) and self.spellings[place] == word
        return set(self._with_spelling(place)) if is_there else set()

    def holding(self, letters: str) -> set[int]:
        """Return the posts that contain letters."""
        return set().union(*map(self._with_spelling, self.spellings.holding(letters)))

    def counts(self, stems: Iterable[str], holding: Iterable[int]) -> dict[int, int]:
        """Return how often posts have the most frequent of some stems; `holding` have it once."""
        by_stem = [Counter(self._with_stem(stem)) for stem in stems]
        return {**dict.fromkeys(holding, 1), **(reduce(or_, by_stem) if by_stem else {})}


def _read(reader: IndexReader, lock: Lock, field: str, word: str) -> Sequence[int]:
    """Return the posts that have a word in a field, each as often as it has it."""
    numbers = _no_numbers()
    with lock:  # Whoosh readers share one file position.
        if (field, word) in reader:
            numbers.frombytes(reader.postings(field, word).value())
    return numbers


class PostSegment:
    """Posts, numbered in the order in which ties are shown."""

    def __init__(self, reader: IndexReader) -> None:
        (stored, spelt), *_ = (values[_STORED] for _, values in reader.iter_docs())
        slugs, countries, published = stored or [()] * 3
        self.slugs: Sequence[str] = slugs
        self.posts = list(map(Post, slugs, map(_countries, countries), published))
        lock = Lock()
        finalize(self, reader.close)
        self._title, self._excerpt = (
            _PostField(field, reader, lock, spelt[field]) for field in (_TITLE, _EXCERPT)
        )

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
