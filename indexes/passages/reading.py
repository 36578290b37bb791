"""Reading: what the words of a query stand for in the texts that a reader may see.

A word that no visible text has is read as the most similar ones, if it is misspelt: it does not
only ask, and it is no common word of its language. In Arabic, where most short words are one letter
from another, fewer letters may differ, and words are compared without article and particles.

A word of a question's frame, such as `without`, only asks if no visible text has it.

A word in Latin letters may also stand for Arabic ones (`indexes/text/transliteration.py`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from tantivy import Query as Condition

from indexes.passages.analysis import Analyzer
from indexes.passages.queries import Concept, any_of, only_asks
from indexes.passages.segment import PassageSegment, is_spelt
from indexes.text.common_words import LEAST_LETTERS, is_common
from indexes.text.transliteration import arabic_pattern
from indexes.text.words import bare_words, is_arabic, is_frame_word, is_question_word

_LONG = 8
"""The minimum length of a word, other than Arabic, that may have two errors."""
_ARTICLE = 2
"""The number of letters of the Arabic article."""
_MISSPELT = (1.0, 0.6, 0.4)
"""The weight of a word by the number of edits to what was typed."""
_MOST_MISSPELT = 6
"""The number of words of a query that may be misspelt: similar words take milliseconds each."""
_MOST_SIMILAR, _MOST_TRIED = 8, 16
"""The numbers of similar words that one is read as, and of those of which it is checked whether the
reader may see them."""
_COMMON = 1_000
"""A word in more passages than this is taken as visible to every reader."""


@dataclass(frozen=True, slots=True)
class Understood:
    """A query's concepts as the texts have them, and its words that texts have, as they are read.

    A misspelt word is read as the right one, others as themselves. Words that only ask are left
    out.
    """

    concepts: Sequence[Concept]
    words: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Reading:
    """Reads concepts as the texts have them that meet the conditions: a reader's visible ones."""

    segments: Sequence[PassageSegment]
    analyzer: Analyzer
    conditions: Sequence[Condition]

    def of(self, concepts: Sequence[Concept]) -> Understood:
        """Return the concepts, where those that no text has stand for something similar."""
        expanded = list(chain.from_iterable(map(self._expanded, concepts)))
        unknown = [each for each in expanded if not each.asks and not self._is_known(each)]
        tried = islice(filter(may_be_another, unknown), _MOST_MISSPELT)
        nearest = {each.terms: self._in_arabic(each) or self._nearest(each) for each in tried}
        framing = {each: replace(each, asks=True) for each in filter(_frames, unknown)}
        read = [nearest.get(each.terms) or framing.get(each, each) for each in expanded]
        words = {
            old.word: new.word
            for old, new in zip(expanded, read, strict=True)
            if not new.asks and (new is not old or old not in unknown)
        }
        return Understood(read, words)

    def exactly(self, concepts: Sequence[Concept], *, in_arabic: bool) -> Iterator[Concept]:
        """Yield the concepts that texts have as they are, or else in Arabic letters."""
        expanded = chain.from_iterable(map(self._expanded, concepts))
        for each in islice(expanded, _MOST_MISSPELT):
            if self._is_known(each):
                yield each
            elif in_arabic and may_be_another(each) and (read := self._in_arabic(each)):
                yield replace(read, word=each.word)

    def suggestion(self, concepts: Sequence[Concept], asked: str) -> str | None:
        """Return the words of a query that texts have, or the most similar ones, if there are any.

        Words that only ask are left out.
        """
        meaningful = [concept for concept in concepts if not only_asks(concept)][:_MOST_MISSPELT]
        understood = self.of(meaningful)
        suggestion = " ".join(dict.fromkeys(understood.words.values()))
        return suggestion if suggestion and suggestion != asked else None

    def _expanded(self, concept: Concept) -> Sequence[Concept]:
        """Return the parts of a code that no text has."""
        return concept.parts if concept.parts and not self._is_known(concept) else (concept,)

    def _in_arabic(self, concept: Concept) -> Concept | None:
        """Return a concept in Latin letters as the Arabic words that it may stand for."""
        pattern = arabic_pattern(concept.word)
        if pattern is None:
            return None
        return self._as_any(concept, [segment.matching(pattern) for segment in self.segments], 1)

    def _nearest(self, concept: Concept) -> Concept | None:
        """Return a concept as the most similar words."""
        forms = _forms(concept.word)
        most_edits = 2 if len(concept.word) >= _LONG and not is_arabic(concept.word) else 1
        for edits in range(1, most_edits + 1):
            near = [segment.near(form, edits) for segment in self.segments for form in forms]
            if read := self._as_any(concept, near, edits):
                return read
        return None

    def _as_any(
        self, concept: Concept, words: Iterable[Iterable[str]], edits: int
    ) -> Concept | None:
        """Return a concept as those of these words that are visible; the most frequent is shown."""
        stems = self.analyzer.vocabulary.stems
        similar = [
            Concept(word, stems(word))
            for word in dict.fromkeys(chain.from_iterable(words))
            if not is_question_word(word)
        ]
        similar.sort(key=lambda each: (each.word[0] != concept.word[0], -self._frequency(each)))
        seen = list(islice(filter(self._is_visible, similar[:_MOST_TRIED]), _MOST_SIMILAR))
        if not seen:
            return None
        terms = dict.fromkeys(chain.from_iterable(each.terms for each in seen))
        return replace(concept, word=seen[0].word, terms=tuple(terms), weight=_MISSPELT[edits])

    def _frequency(self, concept: Concept) -> int:
        return sum(max(map(segment.frequency, concept.terms)) for segment in self.segments)

    def _is_known(self, concept: Concept) -> bool:
        frequency = self._frequency(concept)
        return frequency > _COMMON or (frequency > 0 and self._is_visible(concept))

    def _is_visible(self, concept: Concept) -> bool:
        queries = [any_of([concept]), *self.conditions]
        return any(segment.has(queries) for segment in self.segments)


def _frames(concept: Concept) -> bool:
    return is_frame_word(concept.word)


def may_be_another(concept: Concept) -> bool:
    """Return whether a word that no text has may stand for another: misspelt, or in other letters.

    >>> words = ("paymnet", "letters", "how", "sap", "WH-7", "se3r", "الفواتبر", "بالتقسيط")
    >>> [word for word in words if may_be_another(Concept(word, ()))]
    ['paymnet', 'se3r', 'الفواتبر']
    """
    word = concept.word
    if only_asks(concept) or is_common(word):
        return False
    return bool(_forms(word)) or arabic_pattern(word) is not None


def _forms(word: str) -> Sequence[str]:
    """Return the forms of a word to compare: without particles, if that leaves enough letters.

    A long Arabic word is also compared as a whole, since its article may be misspelt.
    """
    if not is_spelt(word):
        return []
    if not is_arabic(word):
        return [word] if len(word) >= LEAST_LETTERS["en"] else []
    least = LEAST_LETTERS["ar"]
    bare = [form for form in bare_words(word) if len(form) >= least]
    return [*bare, word] if len(word) >= least + _ARTICLE and word not in bare else bare
