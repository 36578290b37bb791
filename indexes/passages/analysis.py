"""Analysis of passages and queries: words as typed, and the terms by which they are found.

A text is a sequence of chunks, separated by white space. A chunk gives the stems of its words, the
names of their synonym groups. A number, code or name with signs also gives its own letters, by
which it is found as it is typed: `WH-POS-115` gives `wh`, `pos`, `115` and `'wh-pos-115`. So does a
name that is a common word in small letters: `US` gives `us` and `'US`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import chain

from indexes.text.words import NAMES, Vocabulary, fold

VERSION = 5
"""To be raised with each change of the terms or of the fields, so that older indexes are not
used."""

_MARK = "'"
"""Stands before what is found as typed; no stem contains it."""

_WORD = re.compile(r"\w+")
_LETTERS = re.compile(r"[^\W\d_]+(?:[-'][^\W\d_]+)*")
AROUND = "\"'`‘’()[]{}<>«»“”„,،;؛:!?؟.…*_~|/\\=-"
"""The signs that are no part of a chunk at its ends."""
_MAX_LETTERS = 100
"""Longer words are no words, and do not fit into the index."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a text between white space, without the punctuation around it."""

    letters: str
    words: tuple[str, ...]
    stems: tuple[tuple[str, ...], ...]
    """The stems of each word."""
    joined: tuple[str, ...]
    """The stems of the words written as one: `einvoic` for `e-invoicing`."""

    @property
    def is_as_typed(self) -> bool:
        """Whether it is a number, code or name with signs, which must be found as it is typed."""
        is_longer = len(self.letters) > len(self.words[0])
        return self.letters in NAMES or (is_longer and not _LETTERS.fullmatch(self.letters))

    @property
    def terms(self) -> tuple[str, ...]:
        """The distinct terms by which the chunk is found.

        A single letter of a compound is not a word: `e-mail` must not match `e-invoicing`.
        """
        is_compound = len(self.words) > 1
        parts = (
            stems
            for word, stems in zip(self.words, self.stems, strict=True)
            if len(word) > 1 or not is_compound
        )
        terms = dict.fromkeys((*self.joined, *chain.from_iterable(parts)))
        return (*terms, self.exact) if self.is_as_typed else (*terms,)

    @property
    def exact(self) -> str:
        """The term of the chunk as it is typed."""
        return _MARK + self.letters


@dataclass(frozen=True, slots=True)
class AnalysedText:
    """The words and the terms of a text, separated by spaces; synonym phrases come last."""

    words: str
    terms: str


class Analyzer:
    """Analyses texts and queries in the same way."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._phrases = _phrases_by_first_stem(vocabulary)
        self.phrase_groups = frozenset(name for name, _ in vocabulary.phrases)
        """The names of the synonym groups that have phrases."""
        self.chunks = lru_cache(maxsize=65_536)(self._chunks)
        self._known = _KnownParts(self._parts)

    @property
    def digest(self) -> str:
        """Names the analysis: indexes of the same digest have the same terms."""
        lists = f"{VERSION} {self.vocabulary.fingerprint}"
        return blake2b(lists.encode(), digest_size=8).hexdigest()

    def text(self, text: str) -> AnalysedText:
        """Analyse a text.

        >>> Analyzer(Vocabulary()).text("Stock counts, 15%")
        AnalysedText(words='stock counts 15', terms="stock count 15 '15%")
        """
        written = text.split()
        if not written:
            return AnalysedText("", "")
        words, terms, begins = zip(*map(self._known.__getitem__, written), strict=True)
        names: Iterable[str] = ()
        if any(begins):
            chunks = chain.from_iterable(map(self.chunks, written))
            names = {start: name for start, _, name in self.phrases(chunks)}.values()
        return AnalysedText(" ".join(filter(None, words)), " ".join(filter(None, (*terms, *names))))

    def terms(self, written: str) -> Sequence[str]:
        """Return the terms of a text without spaces; they are cached."""
        return self._known[written][1].split()

    def _parts(self, written: str) -> _Parts:
        chunks = self._chunks(written)
        words = chain.from_iterable(chunk.words for chunk in chunks)
        terms = chain.from_iterable(chunk.terms for chunk in chunks)
        stems = chain.from_iterable(stems for chunk in chunks for stems in chunk.stems)
        return " ".join(words), " ".join(terms), not self._phrases.keys().isdisjoint(stems)

    def _chunks(self, written: str) -> tuple[Chunk, ...]:
        """Return the chunks of a text without spaces; some signs fold to several words."""
        encodable = written.encode(errors="ignore").decode()
        if (name := encodable.strip(AROUND)) in NAMES:
            return (self._chunk(name),)
        folded = (part.strip(AROUND) for part in fold(encodable).split())
        return tuple(
            self._chunk(letters)
            for letters in folded
            if len(letters) <= _MAX_LETTERS and _WORD.search(letters)
        )

    def _chunk(self, letters: str) -> Chunk:
        words = tuple(_WORD.findall(letters.lower()))
        is_compound = len(words) > 1 and _LETTERS.fullmatch(letters)
        joined = self.vocabulary.stems("".join(words)) if is_compound else ()
        return Chunk(letters, words, tuple(map(self.vocabulary.stems, words)), joined)

    def phrases(self, chunks: Iterable[Chunk]) -> Iterator[tuple[int, int, str]]:
        """Yield the synonym phrases: number of the first word, count of words, group."""
        words = [stems for chunk in chunks for stems in chunk.stems]
        first = self._phrases.keys()
        begins = [start for start, stems in enumerate(words) if not first.isdisjoint(stems)]
        for start, stem in ((begin, stem) for begin in begins for stem in words[begin]):
            for name, phrase in self._phrases.get(stem, ()):
                found = words[start : start + len(phrase)]
                if len(found) == len(phrase) and not any(map(frozenset.isdisjoint, phrase, found)):
                    yield start, len(phrase), name


_Parts = tuple[str, str, bool]
"""The words and the terms of a text without spaces, and whether a phrase may begin in it."""

_MOST_TEXTS = 131_072
"""The number of texts without spaces to keep. They take about 40 MB."""


class _KnownParts(dict[str, _Parts]):
    """What texts without spaces give; a mapping can be asked for a whole text without a loop."""

    def __init__(self, parts: Callable[[str], _Parts]) -> None:
        super().__init__()
        self._parts = parts

    def __missing__(self, written: str) -> _Parts:
        # Most words are known, but for case and punctuation.
        bare = written.strip(AROUND)
        if bare.isascii() and bare not in NAMES:
            bare = bare.lower()
        found = self._parts(written) if bare == written else self[bare]
        if len(self) >= _MOST_TEXTS:
            self.clear()
        return self.setdefault(written, found)


_Phrase = tuple[str, tuple[frozenset[str], ...]]
"""The name of a synonym group, and the possible stems of each word of one of its phrases."""


def _phrases_by_first_stem(vocabulary: Vocabulary) -> Mapping[str, Sequence[_Phrase]]:
    by_first: dict[str, list[_Phrase]] = {}
    for name, words in vocabulary.phrases:
        phrase = tuple(frozenset(vocabulary.stems(word)) for word in words)
        for stem in phrase[0]:
            by_first.setdefault(stem, []).append((name, phrase))
    return by_first
