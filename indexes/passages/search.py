"""The index of all passages: searches its two segments as one, and highlights what it finds.

Whole words only: a mark inside an Arabic word would break its joined letters.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from tantivy import Query as Condition

from indexes.passages.analysis import AROUND, Analyzer
from indexes.passages.passage import SearchScope
from indexes.passages.queries import (
    Concept,
    Query,
    Synonyms,
    any_of,
    only_asks,
    read_query,
    with_known_names,
)
from indexes.passages.ranking import (
    LEAST_RELEVANCE,
    Fit,
    Meaning,
    Scored,
    Statistics,
    by_meaning,
    ranked,
)
from indexes.passages.reading import Reading, Understood
from indexes.passages.segment import Candidate, Hit, PassageSegment, phrase, visible_to, with_texts
from indexes.passages.values import value_terms
from indexes.passages.wishes import wish_of
from indexes.text.transliteration import is_arabic_in_latin_letters
from indexes.text.words import is_frame_word

_CANDIDATES = 100
_RARE = 4.0
"""The rarity from which a word that only asks may be another: in less than 2 % of passages."""
_NEAR, _NAMES_A_STEP = 50, 100
"""The number of passages that meaning alone finds, and of texts that are looked up at once."""
_LEAST_CLOSENESS = 0.3
"""The cosine below which a text has nothing to do with a question."""

Span = tuple[int, int]

_WRITTEN = re.compile(r"\S+")


class Highlighter:
    """Finds the words of texts that have any of the terms; it remembers those it has seen."""

    def __init__(self, terms: Iterable[str], analyzer: Analyzer) -> None:
        self._terms = frozenset(terms)
        self._analyzer = analyzer
        self._has_phrases = not self._terms.isdisjoint(analyzer.phrase_groups)
        self._has_term: dict[str, bool] = {}

    def __call__(self, text: str) -> Sequence[Span]:
        """Return the start and the end of each word, in order.

        >>> from indexes.text.words import Vocabulary
        >>> Highlighter({"invoic", "'15%"}, Analyzer(Vocabulary()))("(Invoices), at 15%.")
        [(1, 9), (15, 18)]
        """
        written = list(_WRITTEN.finditer(text))
        found = {number for number, match in enumerate(written) if self._is_found(match[0])}
        if self._has_phrases:
            found |= self._in_phrases([match[0] for match in written])
        return [_trimmed(written[number]) for number in sorted(found)]

    def _is_found(self, written: str) -> bool:
        is_found = self._has_term.get(written)
        if is_found is None:
            is_found = not self._terms.isdisjoint(self._analyzer.terms(written))
            self._has_term[written] = is_found
        return is_found

    def _in_phrases(self, written: Sequence[str]) -> set[int]:
        """Return the numbers of the texts between spaces that belong to a synonym phrase."""
        chunks = [self._analyzer.chunks(each) for each in written]
        words = [
            number for number, each in enumerate(chunks) for chunk in each for _ in chunk.words
        ]
        phrases = self._analyzer.phrases(chain.from_iterable(chunks))
        found = (
            range(start, start + count) for start, count, name in phrases if name in self._terms
        )
        return {words[word] for word in chain.from_iterable(found)}


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits of a query, best first; without any, `suggestion` is a query that has some.

    `words` has the words of the query that texts have, each as it was read: a misspelt one as the
    right one. `not_found` has those that no text has, in neither language of the country.
    `is_elsewhere` says that the other language has a word of the query that is rarer than all that
    this one has. `highlights` finds the words of the query in a text. `is_complete` says whether
    all texts that match were ranked.
    `values` has the terms of the types of values that the query asks for.
    """

    hits: tuple[Hit, ...]
    highlights: Highlighter
    fit: Fit
    suggestion: str | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    not_found: tuple[str, ...] = ()
    is_complete: bool = True
    is_elsewhere: bool = False
    values: frozenset[str] = frozenset()

    @property
    def relevance(self) -> float:
        """From 0 to 1, how likely it is that the hits answer."""
        return self.fit.relevance

    @property
    def is_poor(self) -> bool:
        """Whether the relevance is less than nearly all answers have."""
        return self.relevance < LEAST_RELEVANCE

    def holds(self, text: str) -> bool:
        """Return whether a text has a value of a type that the query asks for."""
        return not self.values.isdisjoint(value_terms(text))


class PassageSearch:
    """Answers queries from segments, in the same order whichever segment has a passage."""

    def __init__(
        self,
        segments: Sequence[PassageSegment],
        analyzer: Analyzer,
        synonyms: Iterable[Iterable[str]] = (),
        meaning: Meaning | None = None,
    ) -> None:
        self._segments = segments
        self._meaning = meaning
        self._analyzer = analyzer
        self.passages = sum(segment.passages for segment in segments)
        """The number of passages."""
        length = sum(segment.length for segment in segments)
        mean_length = length / max(self.passages, 1)
        self._statistics = Statistics(self.passages, mean_length, self._frequency)
        self._synonyms = Synonyms(synonyms, analyzer.vocabulary, self._frequency)

    def _frequency(self, term: str) -> int:
        return sum(segment.frequency(term) for segment in self._segments)

    def find(self, text: str, scope: SearchScope, limit: int, page_limit: int = 3) -> SearchResult:
        """Return the best passages, at most `page_limit` of one page."""
        query = read_query(text, self._analyzer)
        conditions = visible_to(scope)
        reading = Reading(self._segments, self._analyzer, conditions)
        concepts = with_known_names(
            query.concepts, scope.site_names, scope.country_names, self._analyzer.vocabulary
        )
        understood = reading.of(self._synonyms.added_to(concepts))
        wish = wish_of(understood.concepts, self._analyzer.vocabulary)
        candidates = self._candidates(wish.concepts, query, conditions)
        near = () if query.phrases else self._near(text, conditions)
        together = {each.hit.key: each for each in chain(*candidates, near)}
        by_words = ranked(together.values(), wish, self._statistics)
        found = [each.candidate for each in by_words]
        closeness = self._meaning.closeness(text, found) if self._meaning else {}
        best = by_meaning(by_words, closeness)
        shown = list(islice(_at_most(page_limit, best), limit))
        valued = {each.word for each in wish.concepts if wish.values.intersection(each.terms)}
        lacking = [
            each
            for each in concepts
            if not (each.asks or each.word in understood.words or is_frame_word(each.word))
        ]
        there, is_elsewhere = self._in_other_language(lacking, understood, text, scope)
        # The name of the country finds nothing, but tells which row of a table is the right one.
        told = (each for each in understood.concepts if not (each.asks and only_asks(each)))
        terms = chain.from_iterable(each.terms for each in told)
        return SearchResult(
            tuple(each.candidate.hit for each in shown),
            Highlighter(terms, self._analyzer),
            Fit.of(next(iter(by_words), None), wish, self._statistics, closeness.values()),
            suggestion=None if best else reading.suggestion(query.concepts, text),
            words=understood.words,
            not_found=tuple(
                each.word for each in lacking if each.word not in there and each.word not in valued
            ),
            is_elsewhere=is_elsewhere,
            is_complete=all(len(found) < _CANDIDATES for found in candidates),
            values=wish.values,
        )

    def _candidates(
        self, concepts: Sequence[Concept], query: Query, conditions: Sequence[Condition]
    ) -> Sequence[Sequence[Candidate]]:
        """Return the candidates of each segment; if there are none, by rare words that only ask."""
        finding = [concept for concept in concepts if not concept.asks]
        asking = [each for each in concepts if each.asks and self._statistics.rarity(each) > _RARE]
        for each in filter(None, (finding, asking)):
            wanted = [any_of(each), *map(phrase, query.phrases), *conditions]
            found = [list(segment.candidates(wanted, _CANDIDATES)) for segment in self._segments]
            if any(found):
                return found
        return ()

    def _in_other_language(
        self, lacking: Sequence[Concept], understood: Understood, text: str, scope: SearchScope
    ) -> tuple[Collection[str], bool]:
        """Return the words that only the country's other language has.

        And whether one of them is rarer than all that this language has.
        """
        if not lacking or not scope.other_audience:
            return (), False
        read, rarity = understood.words.values(), self._statistics.rarity
        known = (each for each in understood.concepts if not each.asks and each.word in read)
        rarest = max(map(rarity, known), default=0.0)
        conditions = visible_to(replace(scope, audience=scope.other_audience))
        # A name that no text has is no Arabic word because it may be read as one.
        in_arabic = not rarest or is_arabic_in_latin_letters(text)
        reading = Reading(self._segments, self._analyzer, conditions)
        there = {each.word: rarity(each) for each in reading.exactly(lacking, in_arabic=in_arabic)}
        return there.keys(), max(there.values(), default=0.0) > rarest

    def _near(self, text: str, conditions: Sequence[Condition]) -> Iterator[Candidate]:
        """Yield the visible passages that are nearest to a query in meaning."""
        names = self._meaning.nearest(text, _LEAST_CLOSENESS) if self._meaning else ()
        left = _NEAR
        for start in range(0, len(names), _NAMES_A_STEP):
            wanted = [with_texts(names[start : start + _NAMES_A_STEP]), *conditions]
            for candidate in chain.from_iterable(
                segment.candidates(wanted, left) for segment in self._segments
            ):
                left -= 1
                yield candidate
            if left <= 0:
                return


def _at_most(page_limit: int, ranked_hits: Sequence[Scored]) -> Iterator[Scored]:
    """Yield the best passages of each page; of the best page all, unless only one is wanted."""
    pages: Counter[str] = Counter()
    for scored in ranked_hits:
        page = scored.candidate.hit.page
        pages[page] += 1
        is_best = page_limit > 1 and page == ranked_hits[0].candidate.hit.page
        if is_best or pages[page] <= page_limit:
            yield scored


def _trimmed(match: re.Match[str]) -> Span:
    """Return where a text between spaces is, without the punctuation around it."""
    written = match[0]
    start = match.start() + len(written) - len(written.lstrip(AROUND))
    return start, match.end() - len(written) + len(written.rstrip(AROUND))
