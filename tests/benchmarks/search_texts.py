"""Texts and queries for the search benchmark, with a skewed distribution of words."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

from blog_index import FixedPosts
from gulf import COUNTRIES

from indexes.blog.segment import PostText
from knowledge.locales.locale import Language

_SYLLABLES = ("ba", "co", "di", "fer", "gul", "in", "ka", "lo", "mar", "ne", "or", "pa", "ri")
_ENDINGS = ("", "", "", "s", "ing", "ed", "er")
_TRADE = ("invoice", "stock", "payroll", "branch", "ledger", "tax", "vat", "scanner", "receipt")
_FIRST_DAY = datetime(2015, 1, 1, tzinfo=UTC)


class Corpus:
    """Titles of 7 words, excerpts of 25 words, and queries for them."""

    def __init__(self, count: int) -> None:
        self._chance = random.Random(count)
        stems = ["".join(self._chance.choices(_SYLLABLES, k=1 + n % 4)) for n in range(6_000)]
        self._words = [*_TRADE, *dict.fromkeys(stems)]
        self.texts = [self._text(number) for number in range(count)]

    def _word(self) -> str:
        place = int(30 * (self._chance.paretovariate(0.7) - 1))
        word = self._words[place % len(self._words)]
        return word + self._chance.choice(_ENDINGS)

    def _text(self, number: int) -> PostText:
        published = (_FIRST_DAY + timedelta(hours=number)).timestamp()
        title = " ".join(self._word() for _ in range(7))
        excerpt = " ".join(self._word() for _ in range(25))
        countries = frozenset(COUNTRIES)
        return PostText(f"post-{number}", countries, published, Language.EN, title, excerpt)

    @property
    def posts(self) -> FixedPosts:
        """Return the texts in the type that an index takes."""
        return FixedPosts(self.texts)

    def queries(self, count: int) -> list[str]:
        """Return words of the texts, common and rare, single and in pairs, and parts of words."""
        return [self._query(kind) for kind in range(count)]

    def _query(self, kind: int) -> str:
        text = self._chance.choice(self.texts)
        # FTS5's trigrams match no shorter words.
        words = [word for word in f"{text.title} {text.excerpt}".split() if len(word) > 2]
        one, other = self._chance.sample(words, 2)
        return (one, f"{one} {other}", one[: max(3, len(one) - 2)])[kind % 3]
