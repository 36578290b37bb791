"""Measures of a ranking: nDCG@10, recall@10, the right page first, the answer in few tokens."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from statistics import fmean
from time import process_time

from benchmarks.retrieval.collection import Collection

from knowledge.markdown.tokens import estimate_tokens

_TOKENS = 800
_PASSAGES_OF_A_PAGE = 3
_LETTERS = {"ar": "ابتدرسعفقلمنهوي", "en": "etaoinshrdlu"}

Engine = Callable[[str], Sequence[str]]
"""Returns the documents for a question, best first."""


@dataclass(frozen=True, slots=True)
class Scores:
    """The means over all questions, and the CPU time of a question in milliseconds."""

    ndcg: float
    recall: float
    page_first: float
    answered: float
    nothing: int
    p50: float
    p99: float


def measured(collection: Collection, engine: Engine) -> Scores:
    """Ask an engine all questions."""
    answers, times = {}, []
    for key, question in collection.questions.items():
        started = process_time()
        answers[key] = engine(question)
        times.append((process_time() - started) * 1e3)
    times.sort()
    return Scores(
        fmean(ndcg(found, collection.grades[key]) for key, found in answers.items()),
        recall(collection, answers),
        fmean(_is_page_first(collection, key, found) for key, found in answers.items()),
        fmean(list(_are_answered(collection, answers)) or [0.0]),
        sum(not found for found in answers.values()),
        times[len(times) // 2],
        times[int(len(times) * 0.99)],
    )


def ndcg(found: Sequence[str], grades: Mapping[str, int], count: int = 10) -> float:
    """Return the normalized discounted cumulative gain, where a gain is a grade.

    >>> ndcg(["b", "a"], {"a": 1})
    0.6309297535714575
    """
    best = sorted(grades.values(), reverse=True)
    return _gain([grades.get(key, 0) for key in found[:count]]) / (_gain(best[:count]) or 1.0)


def _gain(grades: Sequence[int]) -> float:
    return sum(grade / log2(place + 2) for place, grade in enumerate(grades))


def recall(collection: Collection, answers: Mapping[str, Sequence[str]]) -> float:
    """Return the share of questions with a right document among the first ten."""
    return fmean(
        not collection.grades[key].keys().isdisjoint(found[:10]) for key, found in answers.items()
    )


def _is_page_first(collection: Collection, key: str, found: Sequence[str]) -> bool:
    right = {collection.page(document) for document in collection.grades[key]}
    return bool(found) and collection.page(found[0]) in right


def _are_answered(collection: Collection, answers: Mapping[str, Sequence[str]]) -> Iterator[bool]:
    """Yield for each question with a known answer whether the first tokens contain it."""
    for key, found in answers.items():
        if expected := collection.answers.get(key):
            text = "\n".join(_first_texts(collection, found))
            yield any(answer in text for answer in expected)


def _first_texts(collection: Collection, found: Sequence[str]) -> Iterator[str]:
    left, pages = _TOKENS, Counter[str]()
    for document in found:
        pages[collection.page(document)] += 1
        if pages[collection.page(document)] <= _PASSAGES_OF_A_PAGE:
            text = collection.documents[document]["text"]
            left -= estimate_tokens(text)
            if left < 0:
                return
            yield text


def misspelt(collection: Collection, engine: Engine) -> float:
    """Return the recall of the questions with one typing error in one word."""
    chance = random.Random(1)
    letters = _LETTERS[collection.language]
    return recall(
        collection,
        {key: engine(_slip(text, letters, chance)) for key, text in collection.questions.items()},
    )


def _slip(text: str, letters: str, chance: random.Random) -> str:
    """Leave a letter out, add, change or swap one, inside a word."""
    words = text.split()
    places = [place for place, word in enumerate(words) if len(word) > 3 and word.isalpha()]
    if not places:
        return text
    place = chance.choice(places)
    word, other = words[place], chance.choice(letters)
    at = chance.randrange(1, len(word) - 1)
    start, letter, end = word[:at], word[at], word[at + 1 :]
    slips = (start + end, start + other + letter + end, start + other + end)
    swapped = start + end[0] + letter + end[1:]
    words[place] = chance.choice((*slips, swapped))
    return " ".join(words)
