"""The meaning of texts, by the real sentence encoder."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from indexes.passages.meaning import Encoder, VectorMeaning


@cache
def encoder() -> Encoder:
    """The encoder, which takes a second to load."""
    return Encoder()


def meaning_in(folder: Path) -> VectorMeaning:
    """The meaning with the vectors of a folder."""
    return VectorMeaning(folder, encoder())
