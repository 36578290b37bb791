"""Exclusions: what a question does not want, and the list of a kind that leaves it out.

Passages are found by the words of a question, so that `dishes without nuts` finds those with nuts.
"""

import re
from collections.abc import Iterator, Sequence

from indexes.text.words import Vocabulary, fold
from knowledge.fields.own_fields import OwnField
from knowledge.resources.entry_queries import ReadQuery, path_of_list
from knowledge.resources.kind_documents import all_kinds
from knowledge.resources.queries import EntryQuery
from knowledge.views.content_view import ContentView

_UNWANTED = re.compile(
    r"\b(?:without|no|free (?:of|from)|[وف]?(?:ب?دون|بلا|من غير|خال(?:ي|يه|يين|يات)? من))"
    r" (?P<after>.+)|\b(?P<before>\w+)[- ]free\b"
)
"""What a folded question does not want, after or before the words that say so."""
_WORD = re.compile(r"\w+")
_BETWEEN = frozenset(("and", "any", "or", "او", "اي", "من", "و"))

_Words = Sequence[frozenset[str]]
"""The stems of each word of a text."""


def list_without(view: ContentView, vocabulary: Vocabulary, text: str) -> str | None:
    """Return the path of the list that leaves out what a question does not want; None for none.

    Only fields with `filter: without` are asked, as their values are what visitors leave out.
    """
    found = _UNWANTED.search(fold(text))
    if found is None:
        return None
    for kind in all_kinds(view.snapshot):
        for field in kind.filters:
            unwanted = list(_values(field, found["after"] or found["before"], vocabulary))
            query = EntryQuery(wanted={field.key: [f"-{value}" for value in unwanted]})
            if unwanted:
                return path_of_list(view, kind, ReadQuery(query, [field], ()))
    return None


def _values(field: OwnField, text: str, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the options of a field that is filtered by what it leaves out, which begin a text."""
    if field.declaration.filter != "without":
        return
    options = {
        value: [_words(each, vocabulary) for each in (value, *labels.values())]
        for value, labels in field.choices.items()
    }
    words = _words(text, vocabulary)
    while words:
        named = (
            (value, len(each))
            for value, texts in options.items()
            for each in texts
            if _begins(words, each)
        )
        value, count = next(named, ("", 0))
        if not value:
            return
        yield value
        words = words[count:]


def _words(text: str, vocabulary: Vocabulary) -> _Words:
    words = (word for word in _WORD.findall(fold(text)) if word not in _BETWEEN)
    return [frozenset(vocabulary.stems(word)) for word in words]


def _begins(words: _Words, label: _Words) -> bool:
    """Return whether a text begins with the words of a label."""
    pairs = zip(words, label, strict=False)
    return 0 < len(label) <= len(words) and not any(one.isdisjoint(other) for one, other in pairs)
