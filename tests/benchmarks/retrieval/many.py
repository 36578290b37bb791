"""A large collection, made of the words of a small one, for measuring CPU time."""

from __future__ import annotations

import random
from dataclasses import replace

from benchmarks.retrieval.collection import Collection


def enlarged(collection: Collection, count: int) -> Collection:
    """Return the collection with so many documents; the new ones have runs of words of the old."""
    chance = random.Random(1)
    texts = [
        (document["title"].split(), document["text"].split())
        for document in collection.documents.values()
    ]

    def document() -> dict[str, str]:
        title = chance.choice(texts)[0]
        words = [word for _ in range(6) for word in _run(chance.choice(texts)[1], chance)]
        return {"title": " ".join(title), "text": " ".join((*words, f"w{chance.random():.5f}"))}

    added = {f"+{number}": document() for number in range(count - len(texts))}
    return replace(collection, documents={**collection.documents, **added})


def _run(words: list[str], chance: random.Random, length: int = 15) -> list[str]:
    start = chance.randrange(max(len(words) - length, 1))
    return words[start : start + length]
