"""The stems of words in both languages, with synonym groups and other word lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

from indexes.text.folding import fold
from indexes.text.stemming import arabic_stem, bare_words, english_stem, is_arabic
from knowledge.documents.word_lists import NO_WORD_LISTS, WordLists, parse_word_lists

_WORD = re.compile(r"\w+")
_SHIPPED = Path(__file__).with_name("synonyms.txt")


@dataclass(frozen=True, slots=True)
class KnownWords:
    """What word lists say of single words: protected ones, Arabic roots, and groups by stem."""

    protected: frozenset[str]
    roots: frozenset[str]
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def stem(self, bare: str) -> str:
        """Return the stem of a bare word; without its Arabic article it may be a Latin word."""
        if bare in self.protected:
            return bare
        return arabic_stem(bare) if is_arabic(bare) else english_stem(bare)

    def name_groups(self, lists: WordLists, prefix: str) -> None:
        """Set the names of the groups of some lists; their words are in no earlier group."""
        names: dict[str, tuple[str, ...]] = {}
        for number, group in enumerate(lists.groups):
            for stem in {self.stem(words[0]) for words in synonym_words(group) if len(words) == 1}:
                names[stem] = (*names.get(stem, ()), f"{prefix}{number}")
        self.groups.update(names)


@lru_cache(maxsize=8)
def _known_words(lists: WordLists) -> KnownWords:
    """Return the words of the built-in lists and others; each process has few different ones."""
    both = (_shipped(), lists)
    known = KnownWords(
        frozenset(fold(word) for source in both for word in source.protected),
        frozenset(
            arabic_stem(fold(word)) for source in both for word in source.initial_root_letters
        ),
    )
    known.name_groups(_shipped(), "=")
    # A word in the operator's lists is removed from its built-in group.
    known.name_groups(lists, "+")
    return known


class Vocabulary:
    """Stems folded words, in the same way for texts and for queries."""

    def __init__(self, lists: WordLists = NO_WORD_LISTS) -> None:
        self.lists = lists
        known = _known_words(lists)
        self._roots, self._groups, self._stem = known.roots, known.groups, known.stem
        self.stems = lru_cache(maxsize=65_536)(self._stems)

    def __reduce__(self) -> tuple[type[Vocabulary], tuple[WordLists]]:
        """Return what pickle stores: Whoosh writes the analysis of an index beside it."""
        return Vocabulary, (self.lists,)

    def _stems(self, word: str) -> tuple[str, ...]:
        """Return the index terms of a word: its stems, and the names of its synonym groups.

        >>> Vocabulary()._stems("invoices"), Vocabulary()._stems("والفواتير")
        (('invoic',), ('والفواتير', 'فواتير', '=0'))
        """
        stems = tuple(dict.fromkeys(self._possible_stems(word)))
        return stems + tuple(name for stem in stems for name in self._groups.get(stem, ()))

    def _possible_stems(self, word: str) -> Iterator[str]:
        if is_arabic(word):
            yield from map(self._stem, bare_words(word, self._roots))
        else:
            yield self._stem(word)

    @property
    def phrases(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The synonyms of several folded words, each with the name of its group."""
        for number, group in enumerate(self.lists.groups):
            for words in synonym_words(group):
                if len(words) > 1:
                    yield f"+{number}", words

    @property
    def fingerprint(self) -> str:
        """Names all word lists: equal ones give equal stems."""
        return repr((_shipped(), self.lists))


def synonym_words(group: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield the folded words of each synonym."""
    return (tuple(_WORD.findall(fold(synonym))) for synonym in group)


@cache
def _shipped() -> WordLists:
    """Return the built-in word lists; raise ValueError if they are malformed."""
    lists, diagnostics = parse_word_lists(_SHIPPED.read_text(encoding="utf-8"), _SHIPPED.name)
    if diagnostics:
        raise ValueError("; ".join(map(str, diagnostics)))
    return lists
