"""Vocabulary: the stems by which words meet, in both languages, and the word lists on top."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path

from indexes import arabic, english
from indexes.folding import fold
from knowledge.word_lists import NO_WORD_LISTS, WordLists, parse_word_lists

_SHIPPED = Path(__file__).with_name("synonyms.txt")


class Vocabulary:
    """Knows the stems of any folded word; the same for documents and for queries."""

    def __init__(self, lists: WordLists = NO_WORD_LISTS) -> None:
        self.lists = lists
        both = (_shipped(), lists)
        self._kept = {fold(word) for each in both for word in each.protected}
        self._roots = {
            arabic.stem_of(fold(word)) for each in both for word in each.initial_root_letters
        }
        # A word that the operator names leaves its shipped group.
        self._groups = {**self._named(_shipped(), "="), **self._named(lists, "+")}
        self.stems = lru_cache(maxsize=65_536)(self._stems)

    def _stems(self, word: str) -> tuple[str, ...]:
        """All that a word may be found by beside its letters: its stems, and its groups' names.

        >>> Vocabulary()._stems("invoices"), Vocabulary()._stems("والفواتير")
        (('invoic',), ('والفواتير', 'فواتير', '=0'))
        """
        found = tuple(dict.fromkeys(self._resolutions(word)))
        return found + tuple(name for stem in found for name in self._groups.get(stem, ()))

    def _resolutions(self, word: str) -> Iterator[str]:
        if arabic.is_arabic(word):
            yield from map(self._stem, arabic.bare_words(word, self._roots))
        else:
            yield self._stem(word)

    def _stem(self, bare: str) -> str:
        """The stem of a bare word, which may be Latin once its Arabic article is gone."""
        if bare in self._kept:
            return bare
        return arabic.stem_of(bare) if arabic.is_arabic(bare) else english.stem_of(bare)

    def _named(self, lists: WordLists, mark: str) -> Mapping[str, tuple[str, ...]]:
        """The names of the groups that each stem is in."""
        names: dict[str, tuple[str, ...]] = {}
        for number, group in enumerate(lists.groups):
            for stem in {self._stem(fold(word)) for word in group}:
                names[stem] = (*names.get(stem, ()), f"{mark}{number}")
        return names


@cache
def _shipped() -> WordLists:
    """The lists that come with the service; a fault in them is ours."""
    lists, diagnostics = parse_word_lists(_SHIPPED.read_text(encoding="utf-8"), _SHIPPED.name)
    if diagnostics:
        raise ValueError("; ".join(map(str, diagnostics)))
    return lists
