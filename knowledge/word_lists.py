"""Word lists: the operator's synonyms for search, from a text file of the content folder.

A line contains synonyms, separated by commas: `فاتورة, فواتير`. A single word matches only itself,
even if the built-in list gives it synonyms. A line `keep: …` contains words that are not stemmed,
a line `root: …` Arabic words whose first letter is never a particle. `#` starts a comment.
"""

from __future__ import annotations

from dataclasses import dataclass

from knowledge.diagnostics import Diagnostic, Severity

WORD_LISTS_FILE = "_synonyms.txt"
_KEEP, _ROOT = "keep:", "root:"
_MAX_WORDS = 20
_MAX_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class WordLists:
    """Groups of synonyms, and exceptions from the stemming rules."""

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
        words = _words(text_of_line.removeprefix(kind))
        problem = _problem(words) if text_of_line else None
        if problem:
            diagnostics.append(_diagnostic(path, number, problem))
        elif kind:
            exceptions[kind].extend(words)
        elif words:
            groups.append(words)
    protected, roots = exceptions.values()
    return WordLists(tuple(groups), tuple(protected), tuple(roots)), tuple(diagnostics)


def _words(text: str) -> tuple[str, ...]:
    words = (word.strip() for word in text.replace("،", ",").split(","))
    return tuple(word for word in words if word)


def _problem(words: tuple[str, ...]) -> str | None:
    if not words:
        return "The line contains no words."
    if len(words) > _MAX_WORDS:
        return f"The line has more than {_MAX_WORDS} words."
    for word in words:
        if len(word.split()) > 1:
            return f"“{word}” is more than one word."
        if len(word) > _MAX_CHARACTERS:
            return f"“{word[:_MAX_CHARACTERS]}…” is longer than {_MAX_CHARACTERS} characters."
        if not any(char.isalnum() for char in word):
            return f"“{word}” contains no letter or digit."
    return None


def _diagnostic(path: str, line: int, problem: str) -> Diagnostic:
    message = f"{problem} The line is ignored."
    suggestion = "Write synonyms on one line, separated by commas."
    return Diagnostic(path, message, suggestion, line, Severity.WARNING)
