"""Common words of both languages: a word of them is spelt correctly, whatever texts have.

`common_words.txt.xz` has their stems. `common_words-LICENSE.txt` names the sources, and
`tests/benchmarks/common_words.py` makes the file from them.
"""

import lzma
from collections.abc import Mapping
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from indexes.text.words import arabic_stem, bare_words, english_stem, is_arabic

LEAST_LETTERS = {"en": 4, "ar": 5}
"""The minimum length of a word in the list, without particles: shorter ones are never misspelt."""
FILE = Path(__file__).with_name("common_words.txt.xz")


def is_common(word: str) -> bool:
    """Return whether a folded word is a common one, in any inflection.

    >>> [is_common(word) for word in ("letters", "paymnet", "والسعوديه", "الفواتبر")]
    [True, False, True, False]
    """
    return any(f"\n{stem}\n" in _stems().get(stem[:1], "") for stem in common_stems(word))


def common_stems(word: str) -> set[str]:
    """Return the stems by which a word is in the list."""
    return set(map(arabic_stem, bare_words(word))) if is_arabic(word) else {english_stem(word)}


@cache
def _stems() -> Mapping[str, str]:
    """Return the stems by first letter, as texts of lines: a set takes ten times the memory."""
    lines = lzma.decompress(FILE.read_bytes()).decode().split()
    return {
        letter: "\n".join(("", *stems, "")) for letter, stems in groupby(lines, key=itemgetter(0))
    }
