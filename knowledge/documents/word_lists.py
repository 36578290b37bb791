"""Word lists: the operator's synonyms for search, from a text file of the content folder.

A line contains synonyms, separated by commas or equals signs: `POS = point of sale = نقطة بيع`.
They are words or phrases, in any script. A word alone matches only itself, even if the built-in
list gives it synonyms. A line `keep: …` contains words that are not stemmed, a line `root: …`
Arabic words whose first letter is never a particle. `#` starts a comment.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from knowledge.diagnostics.diagnostic import Diagnostic, DiagnosticKind

WORD_LISTS_FILE = "_synonyms.txt"
_KEEP, _ROOT = "keep:", "root:"
_SEPARATOR = re.compile("[,،=]")
_MAX_SYNONYMS = 20
_MAX_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class WordLists:
    """Groups of synonyms, each a word or a phrase, and exceptions from the stemming rules."""

    groups: tuple[tuple[str, ...], ...] = ()
    protected: tuple[str, ...] = ()
    initial_root_letters: tuple[str, ...] = ()


NO_WORD_LISTS = WordLists()


def parse_word_lists(
    text: str, path: str = WORD_LISTS_FILE
) -> tuple[WordLists, tuple[Diagnostic, ...]]:
    r"""Parse the lists of a file; invalid lines are ignored and reported.

    >>> parse_word_lists("tax, taxes  # plural\nkeep: busy")[0]
    WordLists(groups=(('tax', 'taxes'),), protected=('busy',), initial_root_letters=())
    """
    groups: list[tuple[str, ...]] = []
    exceptions: dict[str, list[str]] = {_KEEP: [], _ROOT: []}
    diagnostics = []
    for number, line in enumerate(text.splitlines(), start=1):
        text_of_line = line.partition("#")[0].strip()
        kind = next((kind for kind in exceptions if text_of_line.startswith(kind)), "")
        synonyms = _synonyms(text_of_line.removeprefix(kind))
        problem = _problem(kind, synonyms) if text_of_line else None
        if problem:
            message = f"{problem} The line is ignored."
            advice = "Write synonyms on one line, separated by commas or equals signs."
            invalid = DiagnosticKind.INVALID_SYNONYMS.warning(path, message, advice, number)
            diagnostics.append(invalid)
        elif kind:
            exceptions[kind].extend(synonyms)
        elif synonyms:
            groups.append(synonyms)
    protected, roots = exceptions.values()
    return WordLists(tuple(groups), tuple(protected), tuple(roots)), tuple(diagnostics)


def _synonyms(text: str) -> tuple[str, ...]:
    phrases = (" ".join(phrase.split()) for phrase in _SEPARATOR.split(text))
    return tuple(phrase for phrase in phrases if phrase)


def _problem(kind: str, synonyms: tuple[str, ...]) -> str | None:
    if not synonyms:
        return "The line contains no words."
    if len(synonyms) > _MAX_SYNONYMS:
        return f"The line has more than {_MAX_SYNONYMS} words or phrases."
    if not kind and len(synonyms) == 1 and " " in synonyms[0]:
        return f"“{synonyms[0]}” is a phrase without a synonym."
    return next(filter(None, (_synonym_problem(kind, synonym) for synonym in synonyms)), None)


def _synonym_problem(kind: str, synonym: str) -> str | None:
    if kind and " " in synonym:
        return f"“{synonym}” is more than one word, and “{kind}” takes single words."
    if len(synonym) > _MAX_CHARACTERS:
        return f"“{synonym[:_MAX_CHARACTERS]}…” is longer than {_MAX_CHARACTERS} characters."
    if not any(char.isalnum() for char in synonym):
        return f"“{synonym}” contains no letter or digit."
    return None
