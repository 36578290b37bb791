"""Writes the list of common words: `python -m benchmarks.common_words SCOWL_FOLDER SPELLCHECKER`.

The first folder is `/usr/share/dict/scowl` of Debian's package scowl, the second one
`spellchecker/resources` of pyspellchecker.
"""

from __future__ import annotations

import argparse
import gzip
import json
import lzma
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from indexes.text.common_words import FILE, LEAST_LETTERS
from indexes.text.words import arabic_stem, bare_words, english_stem, fold, is_arabic

_LEVELS = (10, 20, 35, 40)
"""SCOWL's levels of common words."""
_KINDS = ("american-words", "british-words", "english-upper", "english-words")
_MOST_ENGLISH, _MOST_ARABIC = 30_000, 110_000
"""The numbers of the most frequent words of pyspellchecker to list."""


def main() -> None:
    """Write the list in place of the one that there is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scowl", type=Path)
    parser.add_argument("spellchecker", type=Path)
    arguments = parser.parse_args()
    english = chain(
        _scowl(arguments.scowl), _frequent(arguments.spellchecker / "en.json.gz", _MOST_ENGLISH)
    )
    arabic = _frequent(arguments.spellchecker / "ar.json.gz", _MOST_ARABIC)
    text = "\n".join(sorted({*_english_stems(english), *_arabic_stems(arabic)}))
    FILE.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def _scowl(folder: Path) -> Iterator[str]:
    files = [folder / f"{kind}.{level}" for kind in _KINDS for level in _LEVELS]
    for file in filter(Path.exists, files):
        yield from map(fold, file.read_text(encoding="utf-8").split())


def _frequent(file: Path, number: int) -> Iterator[str]:
    counts: Counter[str] = Counter()
    for word, count in json.loads(gzip.decompress(file.read_bytes())).items():
        counts[fold(word)] += count
    words = ((word, count) for word, count in counts.items() if word.isalpha())
    return (word for word, _ in sorted(words, key=lambda each: -each[1])[:number])


def _english_stems(words: Iterator[str]) -> Iterator[str]:
    for word in words:
        if word.isascii() and word.isalpha() and len(word) >= LEAST_LETTERS["en"]:
            yield english_stem(word)


def _arabic_stems(words: Iterator[str]) -> Iterator[str]:
    for word in filter(is_arabic, words):
        bare = min(bare_words(word), key=len)
        if len(bare) >= LEAST_LETTERS["ar"]:
            yield arabic_stem(bare)


if __name__ == "__main__":
    main()
