"""Arabic in Latin letters and digits, as in chats: `kam se3r el nezam`.

Vowels are written or not in either script, and several Arabic letters share a Latin one. So a word
becomes a regular expression, by which the words of texts are searched.
"""

import re

from indexes.text.words import IN_LATIN_LETTERS, fold

_TABLE = """
2=[ءاويق] 3=ع 5=خ 6=ط 7=ح 8=ق 9=[صق] sh=ش ch=ش kh=خ gh=غ th=[ثذ] dh=[ذضظ] b=ب p=ب t=[تط] j=ج g=[جقغ]
h=[هح] d=[دض] r=ر z=[زظذ] s=[سص] c=[كس] x=كس f=ف v=ف q=ق k=[كق] l=ل m=م n=ن w=و y=ي
"""
_LETTERS = dict(each.split("=") for each in _TABLE.split())
_FIRST_VOWEL, _VOWEL, _LAST_VOWEL = "[اعوي]ي?", "[اويء]?[اويء]?", "[اهيوء]?[اهيوء]?"
_LAST_T = "[تطه]"
"""The feminine ending is written `t` before another word: `daribat el qeema`."""
_PARTS = re.compile("[aeiou]+|sh|ch|kh|gh|th|dh|[a-z2356789]")
_ARTICLE = re.compile("[wfbl]?[aei]l(?=.{3})")
_WITH_DIGIT = re.compile("[a-z]*[2357][a-z]+")
_LEAST_CONSONANTS = 3
_LEAST_LETTERS = 4
_SHORT = re.compile("(?!3rd)[357][a-z]{2}|[a-z][357][a-z]|[a-z]{2}7")
"""Words of three letters in which a digit is one; `mp3` and `b2b` are codes."""


def arabic_pattern(word: str) -> str | None:
    """Return the regular expression of the folded Arabic words that a Latin one may stand for.

    A word is None if it cannot be told from a name or a code.

    >>> arabic_pattern("se3r"), arabic_pattern("s3r"), arabic_pattern("b2b")
    ('[سص][اويء]?[اويء]?عر', '[سص]عر', None)
    >>> bool(re.fullmatch(arabic_pattern("elfatoora"), "فاتوره"))
    True
    """
    is_long = len(word) >= _LEAST_LETTERS or _SHORT.fullmatch(word)
    if not is_long or not word.isascii() or not any(map(str.isalpha, word)):
        return None
    forms = (word, _ARTICLE.sub("", word, count=1))
    patterns = dict.fromkeys(filter(None, map(_pattern, forms)))
    return "|".join(patterns) or None


def is_arabic_in_latin_letters(text: str) -> bool:
    """Return whether a text has a word of chats: one that asks, or with a digit for a letter.

    >>> texts = ("kam se3r", "raqam el hatef", "7odoor", "3rd floor", "iPhone7", "WH-7a", "B2B")
    >>> [text for text in texts if is_arabic_in_latin_letters(text)]
    ['kam se3r', 'raqam el hatef', '7odoor']
    """
    words = fold(text).split()
    written = (word for word in words if _WITH_DIGIT.fullmatch(word))
    return not IN_LATIN_LETTERS.isdisjoint(words) or any(map(arabic_pattern, written))


def _pattern(word: str) -> str | None:
    parts = _PARTS.findall(word)
    consonants = [part for part in parts if part in _LETTERS]
    if "".join(parts) != word or len(consonants) < _LEAST_CONSONANTS:
        return None
    last = len(parts) - 1
    return "".join(
        _pattern_of(part, number == 0, number == last)
        for number, part in enumerate(parts)
        if number == 0 or part != parts[number - 1]
    )


def _pattern_of(part: str, is_first: bool, is_last: bool) -> str:
    if part in _LETTERS:
        return _LAST_T if is_last and part == "t" else _LETTERS[part]
    return _FIRST_VOWEL if is_first else _LAST_VOWEL if is_last else _VOWEL
