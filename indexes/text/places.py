"""Places: the country that a text names, by a name, a demonym, a currency or a city of it.

Names are compared as they are written, but for case, spelling variants, and the Arabic particles
before a word. Stems would take sports (`رياضة`) for Riyadh (`الرياض`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from indexes.text.words import fold, is_arabic
from knowledge.locales import cldr
from knowledge.locales.locale import Country, Language

_WORD = re.compile(r"[^\W_]+")
_CODE = re.compile(r"(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])")
_PARTICLES = ("و", "ف"), ("ب", "ك", "ل")
_LEAST_LETTERS = 4
"""The minimum length of an Arabic word from which a particle is stripped."""
_ARTICLE, _FOR_THE = "ال", "لل"
_NISBA = "ي"
_NISBA_ENDINGS = ("", "ه", "ين", "ون", "ات")
_CUSTOMARY: Mapping[str, Sequence[str]] = {
    "AE": ("UAE", "Emirates", "Emirati", "Emiratis"),
    "SA": ("KSA",),
    "GB": ("UK", "Britain"),
    "US": ("USA", "America", "American"),
}
"""Names that neither ISO 3166 nor CLDR has."""
_SPELLINGS: Mapping[str, Sequence[str]] = {
    "Bahrain": ("Bahrein",),
    "Kuwait": ("Koweit", "Kuweit"),
    "Qatar": ("Katar",),
}
"""Names as other languages spell them, which people write in English too."""

Words = tuple[str, ...]


class NamedCountries:
    """Finds the one of some countries that a text names.

    >>> gulf = NamedCountries({Country(code): () for code in ("AE", "SA", "KW", "BH")})
    >>> [gulf.named_in(text) for text in ("Price in KSA?", "a Kuwaiti shop", "how many dirhams")]
    ['SA', 'KW', 'AE']
    >>> [gulf.named_in(text) for text in ("كم سعره بالكويت", "للشركات السعودية", "نادي رياضي")]
    ['KW', 'SA', None]
    >>> gulf.named_in("Kuwait or Bahrain?") is gulf.named_in("100 dinars") is None
    True
    """

    def __init__(self, names: Mapping[Country, Iterable[str]]) -> None:
        """`names` are further names of each country, such as those of its cities."""
        self._by_currency: dict[str, set[Country]] = defaultdict(set)
        self._by_first: dict[str, list[tuple[Words, Country]]] = defaultdict(list)
        for country, further in names.items():
            self._by_currency[cldr.currency(country)].add(country)
            known = (*names_of(country), *_money(country, names), *further)
            for words in dict.fromkeys(map(_words, known)):
                if words:
                    self._by_first[words[0]].append((words, country))

    def named_in(self, text: str) -> Country | None:
        """Return the country that a text names; None if it names none, or several."""
        found = set(self._all_in(_words(text)))
        for code in _CODE.findall(text):  # `TRY` and `ALL` are words in small letters
            found |= self._by_currency.get(code, set())
        return found.pop() if len(found) == 1 else None

    def _all_in(self, words: Words) -> Iterator[Country]:
        for start, written in enumerate(words):
            for first in _without_particles(written):
                for name, country in self._by_first.get(first, ()):
                    if words[start + 1 : start + len(name)] == name[1:]:
                        yield country


def _words(text: str) -> Words:
    return tuple(_WORD.findall(fold(text)))


def _without_particles(word: str) -> Iterator[str]:
    """Yield a word; an Arabic one also without its conjunction and its preposition."""
    yield word
    for particles in _PARTICLES if is_arabic(word) else ():
        if word.startswith(_FOR_THE):
            yield _ARTICLE + word.removeprefix(_FOR_THE)
        if len(word) >= _LEAST_LETTERS and word.startswith(particles):
            word = word[1:]
            yield word


def names_of(country: Country) -> Iterator[str]:
    """Yield the names and the demonyms of a country.

    Codes of three letters are none, as `ARE`, `CAN` and `AND` are words.
    """
    yield from (cldr.country_name(country, language) for language in Language)
    yield from _CUSTOMARY.get(country, ())
    yield from _SPELLINGS.get(cldr.country_name(country, Language.EN), ())
    english, arabic = (cldr.currency_name(cldr.currency(country), each) for each in Language)
    # The adjectives of a currency are demonyms: Kuwaiti Dinar, دينار كويتي.
    adjective = english.rpartition(" ")[0]
    if " " not in adjective and adjective:
        yield from (adjective, f"{adjective}s")
    adjective = fold(arabic.partition(" ")[2])
    if adjective.endswith(_NISBA):
        forms = [adjective + ending for ending in _NISBA_ENDINGS]
        yield from (form for each in (adjective[:-1], *forms) for form in (each, _ARTICLE + each))


def _money(country: Country, countries: Iterable[Country]) -> Iterator[str]:
    """Yield the common noun of a country's currency, if no other country has it."""
    others = {noun for other in countries if other != country for noun in _nouns(other)}
    nouns = [noun for noun in _nouns(country) if noun not in others]
    yield from nouns
    yield from (f"{noun}s" for noun in nouns)


def _nouns(country: Country) -> Iterator[str]:
    english, arabic = (cldr.currency_name(cldr.currency(country), each) for each in Language)
    yield "riyal" if english.endswith(" Rial") else fold(english.rpartition(" ")[2])
    yield fold(arabic.partition(" ")[0])
