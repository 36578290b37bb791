"""Places: the countries that a text names, by a name, a demonym, a currency, a city or a dial code.

Names are compared as they are written, but for case, spelling variants, and the Arabic particles
before a word. Stems would take sports (`رياضة`) for Riyadh (`الرياض`). `places.txt` has customary
names and cities. A name of a country in Latin letters may have one slip.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path

from whoosh.support.levenshtein import distance

from indexes.text.common_words import is_common
from indexes.text.words import fold, is_arabic
from knowledge.locales import cldr
from knowledge.locales.locale import Country, Language, country_codes

_WORD = re.compile(r"[^\W_]+")
_CODE = re.compile(r"(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])")
_PARTICLES = ("و", "ف"), ("ب", "ك", "ل")
_LEAST_LETTERS = 4
"""The minimum length of an Arabic word from which a particle is stripped."""
_ARTICLE, _FOR_THE = "ال", "لل"
_NISBA = "ي"
_NISBA_ENDINGS = ("", "ه", "ين", "ون", "ات")
_LEAST_MISSPELT = 5
_DIALLED = re.compile(r"(?<!\w)(?:\+|00)\s?([1-9]\d{1,14})")
_AMBIGUOUS = frozenset(("chad", "guinea", "jersey", "reunion", "مالي", "بنين", "جيرسي", "اروبا"))
"""Names of countries that are words, too."""
_MAX_CHARACTERS = 100
"""The length of a name; a longer text names no country by itself."""

Words = tuple[str, ...]


class NamedCountries:
    """Finds those of some countries that a text names.

    >>> gulf = NamedCountries({Country(code): () for code in ("AE", "SA", "KW", "BH")})
    >>> [gulf.named_in(text) for text in ("Price in KSA?", "a Kuwaiti shop", "how many dirhams")]
    [('SA',), ('KW',), ('AE',)]
    >>> [gulf.named_in(text) for text in ("كم سعره بالكويت", "للشركات السعودية", "نادي رياضي")]
    [('KW',), ('SA',), ()]
    >>> gulf.named_in("Kuwiat or Bahrain?"), gulf.named_in("100 dinars"), gulf.named_in("+96550012")
    (('KW', 'BH'), (), ('KW',))
    """

    def __init__(self, names: Mapping[Country, Iterable[str]]) -> None:
        """`names` are further names of each country, such as those of its cities."""
        # It takes 20 ms to import, and a site need not have countries.
        import phonenumbers  # noqa: PLC0415

        self._countries = frozenset(names)
        self._by_code: dict[str, set[Country]] = defaultdict(set)
        self._by_first: dict[str, list[tuple[Words, Country]]] = defaultdict(list)
        self._by_letter: dict[str, dict[str, Country]] = defaultdict(dict)
        for country, parts in _gazetteer().items():
            self._add(country, chain(*parts))
        for country in map(Country, country_codes() - self._countries):
            shown = (cldr.country_name(country, language) for language in Language)
            self._add(country, (name for name in shown if fold(name) not in _AMBIGUOUS))
        for country, further in names.items():
            self._by_code[cldr.currency(country)].add(country)
            self._by_code[str(phonenumbers.country_code_for_region(country))].add(country)
            own = tuple(names_of(country))
            self._add(country, (*own, *_money(country, names), *further))
            for word in filter(_may_be_misspelt, map(fold, own)):
                self._by_letter[word[0]][word] = country

    def _add(self, country: Country, names: Iterable[str]) -> None:
        for words in filter(None, dict.fromkeys(map(_words, names))):
            self._by_first[words[0]].append((words, country))

    def meant_by(self, text: str) -> Country | None:
        """Return the country that a code or a name means, None for none or several.

        >>> gulf = NamedCountries({Country(code): () for code in ("AE", "SA", "KW")})
        >>> [gulf.meant_by(text) for text in ("ae", "KSA", "U.A.E.", "KWT", "State of Kuwait")]
        ['AE', 'SA', 'AE', 'KW', 'KW']
        >>> [gulf.meant_by(text) for text in ("السعودية", "الامارات", "العربية", "Oman", "kwd", "")]
        ['SA', 'AE', None, None, 'KW', None]
        """
        code = text.strip().replace(".", "").upper()
        country = Country.parse(cldr.country_code(code) or code)
        if country in self._countries:
            return country
        short = text[:_MAX_CHARACTERS]
        found = self.named_in(short) or self.named_in(short.upper())
        return found[0] if len(found) == 1 else None

    def named_in(self, text: str) -> tuple[Country, ...]:
        """Return the countries that a text names, in its order; those of currencies come last."""
        found = dict.fromkeys(self._all_in(_words(text)))
        dialled = _DIALLED.findall(fold(text))
        # `TRY` and `ALL` are words in small letters.
        for code in (*_CODE.findall(text), *(each[:end] for each in dialled for end in (1, 2, 3))):
            found |= dict.fromkeys(sorted(self._by_code.get(code, ())))
        return tuple(country for country in found if country in self._countries)

    def others_in(self, text: str) -> tuple[Country, ...]:
        """Return the countries that a text names, in its order, but for these.

        >>> gulf = NamedCountries({Country(code): () for code in ("AE", "SA")})
        >>> gulf.others_in("from Oman to Germany, or Riyadh"), gulf.others_in("النظام المالي")
        (('OM', 'DE'), ())
        """
        found = dict.fromkeys(self._all_in(_words(text)))
        return tuple(country for country in found if country not in self._countries)

    def _all_in(self, words: Words) -> Iterator[Country]:
        """Yield the countries of names; of names within a longer one that of the longer."""
        start = 0
        while start < len(words):
            named = [
                (len(name), country)
                for first in _without_particles(words[start])
                for name, country in self._by_first.get(first, ())
                if words[start + 1 : start + len(name)] == name[1:]
            ]
            longest = max((length for length, _ in named), default=0)
            yield from (country for length, country in named if length == longest)
            if not named and _may_be_misspelt(words[start]):
                yield from self._misspelt(words[start])
            start += longest or 1

    def _misspelt(self, word: str) -> Iterator[Country]:
        for name, country in self._by_letter.get(word[0], {}).items():
            is_near = abs(len(name) - len(word)) <= 1 and distance(word, name, limit=1) <= 1
            if is_near and not is_common(word):
                yield country


def _may_be_misspelt(word: str) -> bool:
    return len(word) >= _LEAST_MISSPELT and word.isascii() and word.isalpha()


@cache
def _gazetteer() -> Mapping[Country, tuple[Sequence[str], Sequence[str]]]:
    """Return the customary names of countries, and what else names them, such as cities."""
    lines = Path(__file__).with_name("places.txt").read_text(encoding="utf-8").splitlines()
    parts = (re.split("[:;]", line) for line in lines if not line.startswith("#"))
    return {
        Country(code): (names.split(", "), further.split(", ")) for code, names, further in parts
    }


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
    yield from _gazetteer().get(country, ((), ()))[0]
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
