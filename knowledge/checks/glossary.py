"""The term base of a site: terms in both languages, and words that its texts should not use.

`_glossary.md` has a table: the English term, the Arabic term, the words not to be used, separated
by commas, and, if the row does not hold everywhere, its area and its country. Its other lines are
notes for authors. A site with a term base is also checked by rules of written Arabic.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from knowledge.diagnostics.diagnostic import ContentFileError, Diagnostic
from knowledge.diagnostics.diagnostic import DiagnosticKind as Kind
from knowledge.diagnostics.messages import Text
from knowledge.documents.files import read_document
from knowledge.documents.site_files import GLOSSARY_FILE

INTERFACE, PAIRS = "interface", "pairs"
"""The area of rows for texts of the service, and of the row of words that differ by a shadda."""


_Fault = tuple[int, Text, Text]
"""Line, what is wrong, and what to do."""


class AvoidedTerm(NamedTuple):
    """A word that texts should not use, and what stands in the glossary instead of it."""

    folded: str
    pattern: re.Pattern[str]
    has_marks: bool
    """Whether it has marks of vowels, which texts must have then."""
    advice: Text
    area: str
    country: str

    def holds(self, path: str, area: str) -> bool:
        """Return whether the row holds for the texts of a file."""
        return (self.area != INTERFACE or area == INTERFACE) and (
            not self.country or self.country in path.rpartition("/")[2].split(".")
        )


_WORD = re.compile("[\u0621-\u064a\u0651]{4,}")


_COLUMNS = range(3, 6)
_RULE = re.compile(r"[|:\s-]+")
_COMMA = re.compile("[,،]")
_UNREAD = re.compile(r"\]\([^()\n]*\)|`[^`\n]*`|\{#[^{}\n]*\}|^\s*[\w-]+:\s*\[.*\]$")
"""Targets of links, code, ids, and lists of YAML."""

_SHADDA = "\u0651"
_MARKS = re.compile("[\u0640\u064b-\u0652\u0670]")
_OTHER_MARKS = re.compile("[\u0640\u064b-\u0650\u0652\u0670]")
_ARABIC = re.compile("[\u0621-\u064a]")
_PARTICLES = "[وفبكل]{0,2}(?:ال|ل)?"
"""What may stand before an Arabic word without a space."""


class TermBase(NamedTuple):
    """The words not to be used, and those that are words with a shadda and without."""

    terms: tuple[AvoidedTerm, ...] = ()
    pairs: frozenset[str] = frozenset()

    def diagnostics(self, texts: Mapping[str, str], area: str = "") -> Iterator[Diagnostic]:
        """Yield the lines of texts, by path, with an excluded word or against a rule of Arabic."""
        for path, text in texts.items():
            lines = [_UNREAD.sub(" ", line) for line in text.splitlines()]
            terms = [term for term in self.terms if term.holds(path, area)]
            for number, message, advice in _used(lines, terms):
                yield Kind.AVOIDED_TERM.warning(path, message, advice, number)
            arabic = [line if _ARABIC.search(line) else "" for line in lines]
            for rule in _RULES:
                for number, message, advice in rule(arabic):
                    yield Kind.ARABIC_STYLE.warning(path, message, advice, number)
        yield from self._two_spellings(texts)

    def _two_spellings(self, texts: Mapping[str, str]) -> Iterator[Diagnostic]:
        """Report words that some texts write with a shadda and others without."""
        places: defaultdict[str, dict[str, tuple[str, int]]] = defaultdict(dict)
        for path, text in texts.items():
            for number, line in enumerate(text.splitlines(), start=1):
                for word in _WORD.findall(_OTHER_MARKS.sub("", _UNREAD.sub(" ", line))):
                    places[word.replace(_SHADDA, "")].setdefault(word, (path, number))
        for skeleton, spellings in places.items():
            if len(spellings) > 1 and not self.pairs & {skeleton, skeleton.lstrip("وف")}:
                words = sorted(spellings, key=lambda each: each.count(_SHADDA))
                path, number = spellings[words[0]]
                message = Text("“{}” is “{}” elsewhere.", words[0], words[-1])
                advice = Text("Write both in one way, or add the word to the row of pairs.")
                yield Kind.ARABIC_STYLE.warning(path, message, advice, number)


def glossary_diagnostics(root: Path, paths: Iterable[str]) -> Iterator[Diagnostic]:
    """Yield what is wrong with the term base of a site, and with some files by it."""
    if not (root / GLOSSARY_FILE).exists():
        return
    try:
        text = read_document(root, GLOSSARY_FILE).text
    except ContentFileError as broken:
        yield from broken.diagnostics
        return
    for number, cells in _rows(text):
        if not _is_readable(cells):
            message = Text("The row has no English term, Arabic term and words not to be used.")
            advice = Text("Write | English | Arabic | word, another word |.")
            yield Kind.INVALID_GLOSSARY.warning(GLOSSARY_FILE, message, advice, number)
    yield from read_term_base(text).diagnostics(dict(_read(root, paths)))


def read_term_base(text: str) -> TermBase:
    """Return the term base of a text; rows that cannot be read are left out."""
    terms: list[AvoidedTerm] = []
    pairs: frozenset[str] = frozenset()
    for number, cells in _rows(text):
        row = [*cells, "", ""]
        if _is_readable(cells) and row[3] == PAIRS:
            pairs |= set(_words_of(row[1]))
        elif _is_readable(cells):
            terms += _avoided(row, number)
    return TermBase(tuple(terms), pairs)


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of tables below their heads, with the numbers of their lines."""
    is_below_head = False
    for number, line in enumerate(map(str.strip, text.splitlines()), start=1):
        if not line.startswith("|"):
            is_below_head = False
        elif _RULE.fullmatch(line):
            is_below_head = True
        elif is_below_head:
            yield number, [cell.strip() for cell in line.removesuffix("|")[1:].split("|")]


def _is_readable(cells: list[str]) -> bool:
    return len(cells) in _COLUMNS and all(cells[:2])


def _words_of(cell: str) -> Iterator[str]:
    return filter(None, map(str.strip, _COMMA.split(cell)))


def _avoided(row: list[str], line: int) -> Iterator[AvoidedTerm]:
    english, arabic, avoided, area, country = row[:5]
    for term in _words_of(avoided):
        is_arabic = bool(_ARABIC.search(term))
        before = f"(?<!\\w){_PARTICLES}" if is_arabic else r"(?<!\w)"
        pattern = re.compile(rf"{before}({re.escape(term)})(?!\w)", re.IGNORECASE)
        place, instead = f"{GLOSSARY_FILE}:{line}", arabic if is_arabic else english
        advice = Text("Write “{}”, as {} says.", instead, place)
        has_marks = bool(_MARKS.search(term))
        places = area.lower(), country.lower()
        yield AvoidedTerm(term.casefold(), pattern, has_marks, advice, *places)


def _read(root: Path, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    for path in paths:
        try:
            yield path, read_document(root, path).text
        except ContentFileError:
            continue  # loading has reported it


def _used(lines: Sequence[str], terms: Iterable[AvoidedTerm]) -> Iterator[_Fault]:
    text = "\n".join(lines).casefold()
    bare = _MARKS.sub("", text)
    # Most terms are in no line, which `in` tells a hundred times as fast as a pattern.
    written = [term for term in terms if term.folded in (text if term.has_marks else bare)]
    for number, line in enumerate(lines if written else (), start=1):
        plain = _MARKS.sub("", line)
        for term in written:
            found = term.pattern.search(line if term.has_marks else plain)
            if found:
                yield number, Text("The glossary excludes “{}”.", found[1]), term.advice


_LATIN_SIGN = re.compile(
    r"[\u0621-\u064a\u064b-\u0652](?:[,;](?=\s+[«(]?[\u0621-\u064a])|\?(?![\w/=]))"
)
_SITE_NAME = re.compile(r"(?<![\u0621-\u0652])([\u0621-\u0652]++) (?:%\(site\)s|\{site\})")
_BEFORE_NAMES = frozenset(["موقع", "إلى", "مع", "لدى", "على", "من", "عن", "وراء", "في"])
_DUAL = re.compile(
    r"(?<![\d.,:/–-])"
    r"(?:2\**:? (?!رمضان|شعبان)[ء-ي]{2,}(?:ان|ين)|\d{1,2}\**:? [ء-ي]+(?:تان|تين))(?![ء-ي])"
    r"|value: \"?2\"?,(?:(?!value: ).)* ar: [ء-ي]+ان(?![ء-ي])"
)
_QUESTION = re.compile("(?<![^.؟!:])[^.؟!:]*+؟")
_MANY = re.compile(
    "(?<![ء-ي])(?!(?:و|ف)?(?:ب|ل|ك)?(?:ال|ل)?(?:مت|ت|م|ي|أ|يت)?(?:حكم|راكم|حاكم|حكّم)(?![ء-ي]))"
    "[ء-ي]{2,}كم(?![ء-ي])"
)
_ONE = re.compile("(?<![ء-ي])(?:[وف]?(?:ل|ب|إلي|علي|مع|عند|من|لدي)ك|[ء-ي]{2,}تك)(?![ء-ي])")


def _latin_signs(lines: Iterable[str]) -> Iterator[_Fault]:
    for number, line in enumerate(lines, start=1):
        if found := _LATIN_SIGN.search(line):
            message = Text("“{}” is a Latin sign in Arabic text.", found[0][-1])
            yield number, message, Text("Write ، ؛ or ؟.")


def _names_of_unknown_gender(lines: Iterable[str]) -> Iterator[_Fault]:
    for number, line in enumerate(lines, start=1):
        for found in _SITE_NAME.finditer(line):
            if _MARKS.sub("", found[1]) not in _BEFORE_NAMES:
                message = Text("“{}” agrees with a name of unknown gender.", found[1])
                yield number, message, Text("Write “موقع” before the name.")


def _counted_duals(lines: Iterable[str]) -> Iterator[_Fault]:
    for number, line in enumerate(lines, start=1):
        if found := _DUAL.search(line):
            message = Text("“{}” counts a dual.", found[0].replace("*", ""))
            yield number, message, Text("Leave out the digit: the dual says two.")


def _two_addresses(lines: Iterable[str]) -> Iterator[_Fault]:
    """Report a text that speaks to its reader as one and as many; questions are the reader's."""
    said = [(number, _QUESTION.sub("", each)) for number, each in enumerate(lines, start=1)]
    many = next(((number, found) for number, each in said if (found := _MANY.search(each))), None)
    if many and any(_ONE.search(each) for _number, each in said):
        message = Text("“{}” addresses many; the text addresses one.", many[1][0])
        yield many[0], message, Text("Address the reader in one way.")


_RULES: tuple[Callable[[list[str]], Iterator[_Fault]], ...] = (
    _latin_signs,
    _names_of_unknown_gender,
    _counted_duals,
    _two_addresses,
)
