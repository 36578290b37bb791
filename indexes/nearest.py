"""Similar pages: suggestions for a missing page, by trigrams of its path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from indexes.folding import fold
from indexes.lexicon import Lexicon
from indexes.page_text import PageText

_LONGEST_PATH = 200
_LEAST_SHARE = 0.25
_MOST_SLUGS = 2_000


class NearestPages:
    """Finds texts by the number of trigrams that their slug shares with a path."""

    def __init__(self, texts: Sequence[PageText]) -> None:
        self._texts = texts
        self._slugs = Lexicon([_padded(text.address.slug or text.address.city) for text in texts])

    def find(self, path: str) -> Iterator[PageText]:
        """Return the texts of the most similar pages, best first."""
        trigrams = _trigrams(path[:_LONGEST_PATH].rstrip("/").rpartition("/")[2])
        matches = [list(islice(self._slugs.holding(each), _MOST_SLUGS + 1)) for each in trigrams]
        # A trigram that thousands of slugs contain does not distinguish them.
        rare = [numbers for numbers in matches if len(numbers) <= _MOST_SLUGS]
        shared = Counter(chain.from_iterable(rare))
        near = [number for number, count in shared.items() if count >= _LEAST_SHARE * len(rare)]
        near.sort(key=lambda number: (-shared[number], len(self._slugs.words[number]), number))
        return (self._texts[number] for number in near)


def _trigrams(text: str) -> set[str]:
    padded = _padded(text)
    return {padded[start : start + 3] for start in range(len(padded) - 2)} if text else set()


def _padded(text: str) -> str:
    return f"  {fold(text)} "
