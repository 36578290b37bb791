"""A corpus of posts of typical size, the same for all benchmarks."""

from __future__ import annotations

import random
from pathlib import Path

_WORDS = (
    *("invoice", "stock", "payroll", "branch", "ledger", "warehouse", "tax", "customer"),
    *("supplier", "report", "cloud", "scanner", "receipt", "Gulf", "Dubai", "order"),
    *("delivery", "price", "quantity", "month"),
)


def write_posts(folder: Path, count: int) -> None:
    """Write `count` posts of about 3.5 kB below `folder/posts`."""
    chance = random.Random(count)
    posts = folder / "posts"
    posts.mkdir(parents=True)
    for number in range(count):
        (posts / f"post-{number}.md").write_text(_post(chance, number), encoding="utf-8")


def _post(chance: random.Random, number: int) -> str:
    def words(length: int) -> str:
        return " ".join(chance.choices(_WORDS, k=length)).capitalize()

    body = "\n\n".join(
        f"## {words(4)}" if block % 4 == 0 else f"{words(60)}." for block in range(9)
    )
    year, month, day = 2010 + number % 16, 1 + number % 12, 1 + number % 28
    return (
        f'---\ntitle: "{words(6)} {number}"\nexcerpt: {words(20)}\n'
        f"publishedAt: {year}-{month:02}-{day:02}T08:00:00Z\n"
        f"tags: [{', '.join(chance.sample(_WORDS, 3))}]\ncategory: category-{number % 7}\n"
        f"coverImage: /images/cover.svg\nseo:\n  title: {words(5)}\n"
        f"  description: {words(18)}\n---\n\n{body}\n"
    )
