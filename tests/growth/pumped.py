"""Texts that are derived from a regular expression, to find out whether it is superlinear.

A search is superlinear if it begins at many places and each time reads far before it fails, or if
one text can be divided among its repeats in many ways. So the texts repeat what the pattern may
begin with, up to each of its parts, or hold a long run of one repeat after the least text that
leads to it; they end in what no part takes. Other texts repeat the characters that the pattern
tells apart, in orders that the pattern itself does not show.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice, product
from re import _constants as ops
from re import _parser as parser
from typing import Any

from growth.patterns import Pattern

_REPEATS = (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT)
_LOOKAROUNDS = (ops.ASSERT, ops.ASSERT_NOT)
_LETTERS = "aA0 -._/\n\t:;,@#\"'`<>[](){}=*~|\\%&?!+éا٣\u00a0\u2028"
"""Characters of every class that a pattern may name."""
_MOST_LETTERS = 6
"""Of a class that are tried."""
_MOST_EXAMPLES = 8
"""Of one part of a pattern."""
_MOST_IN_TRIPLES = 24
"""Characters of a pattern of which triples are made; only one pattern tells more apart."""
_ENDS = ("", "\x00", "\n\x00")


def pumped(pattern: re.Pattern[str]) -> Iterator[Pattern]:
    """Return the texts for a pattern, each once."""
    tree = parser.parse(pattern.pattern, pattern.flags)
    flags = pattern.flags & ~re.DEBUG
    seen = set()
    for before, unit in _pumps(list(tree), flags, ""):
        for after in _ENDS if unit else ():
            text = Pattern(unit, before=before, after=after)
            if text not in seen:
                seen.add(text)
                yield text


def mixed(*patterns: re.Pattern[str]) -> Iterator[Pattern]:
    """Return runs of each character, pair and triple of those that patterns tell apart, each once.

    Of units that differ only in where they begin, one is returned.
    """
    characters = told_apart(*patterns)
    for length in (1, 2, 3):
        count = min(len(characters), _MOST_IN_TRIPLES) if length > 2 else len(characters)
        for unit in product(range(count), repeat=length):
            begun = {unit[start:] + unit[:start] for start in range(length)}
            if unit == min(begun) and (length == 1 or len({*unit}) > 1):
                yield Pattern("".join(characters[each] for each in unit), after="\x00")


def told_apart(*patterns: re.Pattern[str]) -> list[str]:
    """Return a character of each set that the classes and the signs of patterns tell apart.

    The letters of words are one set, as `pumped` repeats the words.
    """
    atoms = [
        atom
        for each in patterns
        for atom in _atoms([*parser.parse(each.pattern, each.flags)])
        if atom[0] is not ops.LITERAL or not chr(atom[1]).isalnum()
    ]
    named = (
        _letters(*atom, re.NOFLAG) if atom[0] is not ops.LITERAL else [chr(atom[1])]
        for atom in atoms
    )
    found: dict[tuple[bool, ...], str] = {}
    for letter in dict.fromkeys((*_LETTERS, *chain.from_iterable(named))):
        found.setdefault(tuple(_takes([atom], letter) for atom in atoms), letter)
    return [*found.values()]


def _atoms(parts: list[Any]) -> Iterator[tuple[Any, Any]]:
    """Return the parts of a sequence that take one character."""
    for operator, argument in parts:
        if operator in (ops.LITERAL, ops.NOT_LITERAL, ops.ANY, ops.IN):
            yield operator, argument
        nested = [[*argument[1]]] if operator in _LOOKAROUNDS else _sequences(operator, argument)
        for each in nested:
            yield from _atoms(each)


def _pumps(parts: list[Any], flags: int, before: str) -> Iterator[tuple[str, str]]:
    """Return what comes before a run, and the unit of the run, for each part of a sequence."""
    start = before
    for operator, argument in parts:
        for nested in _sequences(operator, argument):
            yield from _pumps(nested, flags, before)
        if operator in _REPEATS:
            for unit in _examples([*argument[2]], flags):
                yield before, unit
        # Two examples of each part, so that a text may lead on in another way than the shortest.
        for example in islice(_examples([(operator, argument)], flags), 2):
            yield "", before + example
            yield start, before.removeprefix(start) + example
        before += next(iter(_examples([(operator, argument)], flags)), "")


def _sequences(operator: Any, argument: Any) -> Iterable[list[Any]]:
    """Return the sequences within a part."""
    if operator in _REPEATS:
        return [[*argument[2]]]
    if operator is ops.SUBPATTERN:
        return [[*argument[3]]]
    if operator is ops.ATOMIC_GROUP:
        return [[*argument]]
    if operator is ops.BRANCH:
        return [[*branch] for branch in argument[1]]
    if operator in _LOOKAROUNDS and argument[0] > 0:
        return [[*argument[1]]]
    return []


def _examples(parts: list[Any], flags: int) -> list[str]:
    """Return a few texts that a sequence takes: each alternative of each part once."""
    each = [_part_examples(operator, argument, flags) for operator, argument in parts]
    shortest = [examples[0] for examples in each]
    texts = ["".join(shortest)]
    texts += (
        "".join((*shortest[:position], example, *shortest[position + 1 :]))
        for position, examples in enumerate(each)
        for example in examples[1:]
    )
    return list(dict.fromkeys(texts))[:_MOST_EXAMPLES]


def _part_examples(operator: Any, argument: Any, flags: int) -> list[str]:
    """Return texts that one part takes; the first is a short one."""
    if operator is ops.LITERAL:
        return [chr(argument)]
    if operator in (ops.NOT_LITERAL, ops.ANY, ops.IN):
        return _letters(operator, argument, flags)
    if operator in _REPEATS:
        least, most, body = argument
        examples = _examples([*body], flags)
        repeated = [example * max(least, 1) for example in examples]
        return [*(["", *repeated] if not least else repeated)] if most else [""]
    if operator is ops.BRANCH or operator in (ops.SUBPATTERN, ops.ATOMIC_GROUP):
        sequences = _sequences(operator, argument)
        return [text for each in sequences for text in _examples(each, flags)] or [""]
    return [""]  # anchors, lookarounds and references


def _letters(operator: Any, argument: Any, flags: int) -> list[str]:
    """Return letters that a class takes."""
    if operator is ops.ANY:
        return ["a", " ", "<"]
    if operator is ops.NOT_LITERAL:
        return [letter for letter in _LETTERS if ord(letter) != argument][:_MOST_LETTERS]
    named = [chr(value) for kind, value in argument if kind is ops.LITERAL]
    ranges = [chr(value[0]) for kind, value in argument if kind is ops.RANGE]
    taken = [letter for letter in _LETTERS if _takes(argument, letter)]
    if argument[0][0] is ops.NEGATE:
        named = ranges = []
    return [*dict.fromkeys((*taken[:_MOST_LETTERS], *ranges, *named))][: _MOST_LETTERS + 2] or ["a"]


_CATEGORIES = {
    ops.CATEGORY_DIGIT: r"\d",
    ops.CATEGORY_NOT_DIGIT: r"\D",
    ops.CATEGORY_SPACE: r"\s",
    ops.CATEGORY_NOT_SPACE: r"\S",
    ops.CATEGORY_WORD: r"\w",
    ops.CATEGORY_NOT_WORD: r"\W",
}


def _takes(items: list[Any], letter: str) -> bool:
    """Return whether a class takes a letter."""
    is_negated = False
    found = False
    for kind, value in items:
        if kind is ops.NEGATE:
            is_negated = True
        elif kind is ops.LITERAL:
            found |= ord(letter) == value
        elif kind is ops.NOT_LITERAL:
            found |= ord(letter) != value
        elif kind is ops.ANY:
            found |= letter != "\n"
        elif kind is ops.IN:
            found |= _takes(value, letter)
        elif kind is ops.RANGE:
            found |= value[0] <= ord(letter) <= value[1]
        else:
            found |= bool(re.match(_CATEGORIES[value], letter))
    return found != is_negated
