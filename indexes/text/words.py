"""Words: their normal form, their stems in both languages, synonyms, and words of questions.

Light stemming strips particles and endings; it does not derive roots. If the first letter may be
either a particle or part of the word, both analyses are kept. Two words match if any of their
analyses have the same stem.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

from whoosh.lang.porter2 import stem as snowball_stem

from knowledge.documents.site_files import NO_WORD_LISTS, WordLists, parse_word_lists

_ARABIC = {
    **dict.fromkeys("أإآٱ", "ا"),
    **dict.fromkeys("ىیي", "ي"),
    "ؤ": "و",
    "ئ": "ي",
    **dict.fromkeys("ةۃ", "ه"),
    "ک": "ك",
    "گ": "ك",
    "ـ": "",  # tatweel
}
_SIGNS = {
    **dict.fromkeys("‐‑‒–—−", "-"),
    **dict.fromkeys("‘’‛ʼʹ′`´", "'"),
    "،": ",",
    "؛": ";",
    "؟": "?",
    "٪": "%",
    "٫": ".",
    "٬": ",",
}
_LETTERS = str.maketrans(_ARABIC | _SIGNS)


class _Plain(dict[int, str]):
    """A lazy `str.translate` table: computes the folded form of a character on first use."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if char.isdecimal():
            plain = str(unicodedata.decimal(char))
        elif unicodedata.combining(char):
            plain = ""
        elif unicodedata.category(char) in ("Cc", "Cf") and not char.isspace():
            plain = ""  # a control or format character, such as a direction mark
        else:
            plain = char
        self[code] = plain
        return plain


_PLAIN = _Plain()


def fold(text: str) -> str:
    """Return a text without case, accents, vowel signs and invisible characters.

    >>> fold("Café"), fold("فَاتُورَة"), fold("إلى"), fold("٢٠٢٦"), fold("e‑mail")
    ('cafe', 'فاتوره', 'الي', '2026', 'e-mail')
    """
    if text.isascii():
        return text.lower().translate(_PLAIN)
    # Arabic letters first: decomposition would separate a hamza from its carrier letter.
    letters = unicodedata.normalize("NFKC", text).translate(_LETTERS).casefold()
    return unicodedata.normalize("NFKD", letters).translate(_PLAIN).translate(_LETTERS)


_CONJUNCTIONS = ("و", "ف")
_PREPOSITIONS = ("ب", "ك", "ل")
_ARTICLES = ("ال", "لل")
_LEAST_LETTERS = 4
"""The minimum length of a word from which a particle is stripped."""
_LEAST_ENGLISH = 3
"""The minimum length of an English word that is stemmed."""

_BEFORE_THE = re.compile("^[هع](?=ال.{3})")
"""`this` and `on` before the article, as in the Gulf: `هالجهاز`, `عالجهاز`."""

_POSSESSIVES = (("تك", 3), ("هما", 3), ("ها", 3), ("هم", 4), ("هن", 4), ("كم", 4), ("نا", 4))
_PLURALS = (("ات", 3), ("ون", 4), ("ين", 4), ("ان", 4), ("ه", 3))
"""Endings, each with the minimum number of letters to keep, so that short words stay whole."""
_BEFORE_POSSESSIVE = (("ت", 3),)
_ADJECTIVE = (("ي", 3),)
_JOINED_ARTICLE = re.compile("[وف]?[بك]?ال|[وف]?لل")
_OWNED = re.compile("(.{3})(?:ك|كم|نا|هم|هن)|(.{3,}[^ت])ك")
"""A word with a possessive that may as well be letters of the word itself."""


def is_arabic(word: str) -> bool:
    """Return whether a folded word begins with an Arabic letter."""
    return "\u0621" <= word[:1] <= "\u064a"


def bare_words(word: str, roots: Collection[str] = ()) -> Iterator[str]:
    """Return the possible forms of a word without conjunction, preposition and article.

    `roots` holds the stems of words whose first letter is never a particle. A word that may begin
    with `this` or `on` is also there as it is.

    >>> list(bare_words("والفواتير")), list(bare_words("للمتجر"))
    (['والفواتير', 'فواتير'], ['متجر', 'لمتجر'])
    >>> list(bare_words("بطاقه", {"بطاق"})), list(bare_words("الالتزام"))
    (['بطاقه'], ['تزام'])
    """
    bare = dict.fromkeys(
        _without_article(bare_word)
        for without_conjunction in _without_particle(word, _CONJUNCTIONS, roots)
        for without_preposition in _without_particle(without_conjunction, _PREPOSITIONS, roots)
        for bare_word in (without_preposition, _BEFORE_THE.sub("", without_preposition))
    )
    return iter(bare)


def _without_particle(
    word: str, particles: tuple[str, ...], roots: Collection[str]
) -> Iterator[str]:
    yield word
    if (
        word.startswith(particles)
        and len(word) >= _LEAST_LETTERS
        and arabic_stem(word) not in roots
    ):
        yield word[1:]


def _without_article(word: str) -> str:
    """Strip leading articles repeatedly, so that `الالتزام` and `التزام` give the same word."""
    while word.startswith(_ARTICLES) and len(word) >= _LEAST_LETTERS:
        word = word[2:]
    return word


def arabic_stem(word: str) -> str:
    """Return a word without possessive, plural, feminine and adjective endings.

    >>> list(map(arabic_stem, ("فاتوره", "فاتورتها", "فاتورته", "ضريبي", "برمجيات", "موظفين")))
    ['فاتور', 'فاتور', 'فاتور', 'ضريب', 'برمج', 'موظف']
    """
    article = _JOINED_ARTICLE.match(word)
    start = article.end() if article else 0
    base = word[:-1] if word.endswith("ته") else _without(word, _POSSESSIVES, start)
    if base != word:
        word = base if base.endswith("ات") else _without(base, _BEFORE_POSSESSIVE, start)
    return _without(_without(word, _PLURALS, start), _ADJECTIVE, start)


def _without(word: str, endings: tuple[tuple[str, int], ...], start: int) -> str:
    """Strip the first ending that leaves enough letters, counted from `start`."""
    for ending, min_letters in endings:
        if word.endswith(ending) and len(word) - len(ending) - start >= min_letters:
            return word[: -len(ending)]
    return word


@lru_cache(maxsize=65_536)
def english_stem(word: str) -> str:
    """Return the stem of a word; short ones and those with other characters than a to z stay.

    >>> list(map(english_stem, ("invoices", "invoicing", "vat", "b2b")))
    ['invoic', 'invoic', 'vat', 'b2b']
    """
    if len(word) < _LEAST_ENGLISH or not (word.isascii() and word.isalpha()):
        return word
    return str(snowball_stem(word))


_WORD = re.compile(r"\w+")
_SHIPPED = Path(__file__).with_name("synonyms.txt")
_BUILT_IN, _OPERATORS = "=", "+"
"""The first sign of the names of groups: of the built-in list, and of the operator's."""


@dataclass(frozen=True, slots=True)
class KnownWords:
    """What word lists say of single words: protected ones, Arabic roots, and groups by stem."""

    protected: frozenset[str]
    roots: frozenset[str]
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def stem(self, bare: str) -> str:
        """Return the stem of a bare word; without its Arabic article it may be a Latin word."""
        if bare in self.protected:
            return bare
        return arabic_stem(bare) if is_arabic(bare) else english_stem(bare)

    def name_groups(self, lists: WordLists, prefix: str) -> None:
        """Set the names of the groups of some lists; their words are in no earlier group."""
        names: dict[str, tuple[str, ...]] = {}
        for number, group in enumerate(lists.groups):
            for stem in {self.stem(words[0]) for words in synonym_words(group) if len(words) == 1}:
                names[stem] = (*names.get(stem, ()), f"{prefix}{number}")
        self.groups.update(names)


@lru_cache(maxsize=8)
def _known_words(lists: WordLists) -> KnownWords:
    """Return the words of the built-in lists and others; each process has few different ones."""
    both = (_shipped(), lists)
    known = KnownWords(
        frozenset(fold(word) for source in both for word in source.protected),
        frozenset(
            arabic_stem(fold(word)) for source in both for word in source.initial_root_letters
        ),
    )
    known.name_groups(_shipped(), _BUILT_IN)
    # A word in the operator's lists is removed from its built-in group.
    known.name_groups(lists, _OPERATORS)
    return known


class Vocabulary:
    """Stems folded words, in the same way for texts and for queries."""

    def __init__(self, lists: WordLists = NO_WORD_LISTS) -> None:
        self.lists = lists
        known = _known_words(lists)
        self._groups, self._stem = known.groups, known.stem
        self._roots = known.roots | known.protected | known.groups.keys()
        self.stems = lru_cache(maxsize=65_536)(self._stems)

    def __reduce__(self) -> tuple[type[Vocabulary], tuple[WordLists]]:
        """Return what an index stores of its analysis."""
        return Vocabulary, (self.lists,)

    def _stems(self, word: str) -> tuple[str, ...]:
        """Return the index terms of a word: its stems, and the names of its synonym groups.

        >>> Vocabulary()._stems("invoices"), Vocabulary()._stems("والفواتير")
        (('invoic',), ('والفواتير', 'فواتير', '=0'))
        """
        return self._with_groups(bare_words(word, self._roots) if is_arabic(word) else (word,))

    def _with_groups(self, bare: Iterable[str]) -> tuple[str, ...]:
        stems = tuple(dict.fromkeys(map(self._stem, bare)))
        return stems + tuple(name for stem in stems for name in self._groups.get(stem, ()))

    def asked(self, word: str) -> tuple[str, ...]:
        """Return the index terms of a word of a query, also of what may have a possessive.

        >>> Vocabulary().asked("رقمكم")[:2], Vocabulary().asked("دراهم")[:1]
        (('رقمكم', 'رقم'), ('دراهم',))
        """
        stems = self.stems(word)
        if _JOINED_ARTICLE.match(word) or not self._roots.isdisjoint(stems):
            return stems
        owned = filter(None, map(_OWNED.fullmatch, bare_words(word)))
        return tuple(
            dict.fromkeys((*stems, *self._with_groups(each[1] or each[2] for each in owned)))
        )

    @property
    def phrases(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The synonyms of several folded words, each with the name of its group."""
        for number, group in enumerate(self.lists.groups):
            for words in synonym_words(group):
                if len(words) > 1:
                    yield f"{_OPERATORS}{number}", words

    @property
    def fingerprint(self) -> str:
        """Names all word lists: equal ones give equal stems."""
        return repr((_shipped(), self.lists))


def is_group(term: str) -> bool:
    """Return whether an index term is the name of a synonym group.

    >>> is_group("=12"), is_group("+3"), is_group("price")
    (True, True, False)
    """
    return term.startswith((_BUILT_IN, _OPERATORS))


def synonym_words(group: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield the folded words of each synonym."""
    return (tuple(_WORD.findall(fold(synonym))) for synonym in group)


@cache
def _shipped() -> WordLists:
    """Return the built-in word lists; raise ValueError if they are malformed."""
    lists, diagnostics = parse_word_lists(_SHIPPED.read_text(encoding="utf-8"), _SHIPPED.name)
    if diagnostics:
        raise ValueError("; ".join(map(str, diagnostics)))
    return lists


_ENGLISH = """
a about also am an and any are aren as at be been being but by can couldn could did didn do does
doesn doing don done for from had has hasn have haven he her here his how i if in into is isn it
its long many may me might much must my no not of often on or our shall she should shouldn so some
than that the their them then there these they this those to us was wasn we were weren what when
where whether which who whom whose why will with won would wouldn you your
etc hello hey hi ok okay please pls plz thank thanks versus via vs
"""
_QUESTION_WORDS_ARABIC = """
أ أم أن أنا أنت أنه أنها أو أي أية أين أيضا إذا إلا إلى إن إنه إنها التي الذي الذين اللذان اللتان
اللاتي بأي بعد بل بماذا بم بين تلك ثم حتى ذلك سوف على عليه عليها عم عما عن عند عندما فهل في فيم
فيما فيه فيها قبل قد كان كانت كل كم كما كي كيف لا لأي لدى لقد لكن لكي لم لما لماذا لن له لها ليس
ليست ما ماذا ماهو ماهي متى مع مما ممن من منذ منه منها نحن نعم هؤلاء هذا هذه هل هم هما هن هنا هناك
هو هي و يكون تكون يتم تم يمكن يمكنني أستطيع فضلك فضلكم رجاء مرحبا شكرا
"""
# The words of the dialects are after the lists of stop words and of translations of aranorm 1.2.0
# (MIT) and after the dictionary of iraqitext 0.3.0 (CC0).
_GULF = """
ابا ابغى ابي ابيه ابغاه اكو أبا أبغى أبي أبى أقدر إحنا إيش احنا اللي ايش بس تبغى تبغون تبون تبي تقدر
تقدرون توه جذي جم چذي چم حنا شقد شكثر شلون شنهو شنو شو شوكت عسب عشان علشان عندكم عندنا عندهم عندي
عيل فيني كذا لازم ليش ليه ماكو مب منو مو مين نبغى نبي نقدر هاذا هاذي هالحين الحين هذول هذي هسه هني
واجد وايد ودنا ودي وش وياكم وين يبغى يبون يبي يصير يعني يقدر
اشكم اشلون تجي تكفون جا جت حقتكم حقكم شحقه شسمه شكم شنهي عطني عطوني مادري مدري منهو منهي وشلون
وشو وشهو وينكم وينه وينها ياليت يجي يمتى
"""
_EGYPTIAN = """
أوي إزاي إمتى إيه ازاي امتى اوي ايه برضه برضو بتاع بتاعت بتاعتكم بتاعكم بقى بكام دلوقت دلوقتي ده دول
عاوز عاوزة عاوزين عايز عايزة عايزين فين كام كدا كده كمان ليه مش معايا مفيش ممكن ينفع
"""
_LEVANTINE = """
أديش إيمتى اديش ايمتى بتقدر بتقدروا بدك بدكم بدنا بدها بدهم بدو بدي بقدر بنقدر بيصير بيقدر رح عم
عندكن قديش كتير لسا لسه لوين مشان منشان منيح نحنا هاد هاي هدول هلأ هلق هيدا هيدي هيك
"""
_IN_LATIN_LETTERS = """
3andkom 3endkom 3ndkom abgha bel el ezay ezzay fel fein kaif kam kayf keef leish lel lesh shlon
shloon shno shnu wain wal wein
"""
IN_LATIN_LETTERS = frozenset(_IN_LATIN_LETTERS.split())
_WISHES = "أريد أود نريد نود"
_DIALECTS = f"{_GULF} {_EGYPTIAN} {_LEVANTINE} {_IN_LATIN_LETTERS} {_WISHES}"
_FRAME = """
after before between during next per since through till until within without
close closed closes closing open opened opening opens available
amount count number total
find get give know list looking need offer offers provide see show tell want
أثناء بدون بلا بين خلال دون غير القادم القادمة المقبل المقبلة التالي التالية
أغلق تغلق يغلق مغلق مغلقة تفتح يفتح مفتوح مفتوحة متاح متاحة متوفر متوفرة
رقم عدد
أبحث أحتاج تقدمون توفرون توجد يوجد نبحث نحتاج
"""
"""Words around what a question is about: of times and limits, of what is open, of numbers, and of
what somebody wants to have. Texts that answer it often have others."""
NAMES = frozenset(("IT", "US", "WHO"))
"""Names in capitals that are words of questions in small letters."""


@cache
def _question_words() -> frozenset[str]:
    """Return all words that only ask or join, standard ones also after `and` or `then`.

    No conjunction is stripped from a word of a dialect, nor from one that has a line in the list.
    """
    standard = [fold(word) for word in _QUESTION_WORDS_ARABIC.split()]
    joined = {conjunction + word for word in standard for conjunction in _CONJUNCTIONS}
    lists = _shipped()
    known = {fold(word) for words in (lists.initial_root_letters, *lists.groups) for word in words}
    return frozenset((*standard, *map(fold, f"{_ENGLISH} {_DIALECTS}".split()), *(joined - known)))


def is_question_word(word: str) -> bool:
    """Return whether a folded word only asks or joins.

    >>> [is_question_word(word) for word in ("how", "rollout", "كيف", "وهل", "فاتوره", "فهم")]
    [True, False, True, True, False, False]
    """
    return word in _question_words()


@cache
def _frame_words() -> frozenset[str]:
    return frozenset(fold(_FRAME).split())


def is_frame_word(word: str) -> bool:
    """Return whether a folded word stands around what a question is about, if no text has it.

    >>> [is_frame_word(word) for word in ("without", "closed", "nuts", "بدون", "والقادمه")]
    [True, True, False, True, True]
    """
    return not _frame_words().isdisjoint((word, *bare_words(word), word.removeprefix("و")))
