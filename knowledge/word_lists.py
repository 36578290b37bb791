"""Word lists: the operator's words for search, from one plain text file of the content folder.

A line holds words that find one another, separated by commas: `فاتورة, فواتير`; a word alone finds
itself only, even where the shipped list groups it. A line `keep: …` holds words that no rule may
shorten, a line `root: …` Arabic words whose first letter is never a particle. `#` begins a remark.
"""

from __future__ import annotations

from dataclasses import dataclass

from knowledge.diagnostics import Diagnostic, Severity

WORD_LISTS_FILE = "_synonyms.txt"
_KEEP, _ROOT = "keep:", "root:"
_MOST_WORDS = 20
_LONGEST_WORD = 40


@dataclass(frozen=True, slots=True)
class WordLists:
    """Groups of words that find one another, and exceptions from the rules of stems."""

    groups: tuple[tuple[str, ...], ...] = ()
    protected: tuple[str, ...] = ()
    initial_root_letters: tuple[str, ...] = ()


NO_WORD_LISTS = WordLists()


def parse_word_lists(
    text: str, path: str = WORD_LISTS_FILE
) -> tuple[WordLists, tuple[Diagnostic, ...]]:
    r"""The lists of a file, and the lines that say nothing; those are left out.

    >>> parse_word_lists("tax, taxes  # plural\nkeep: busy")[0]
    WordLists(groups=(('tax', 'taxes'),), protected=('busy',), initial_root_letters=())
    """
    groups: list[tuple[str, ...]] = []
    exceptions: dict[str, list[str]] = {_KEEP: [], _ROOT: []}
    diagnostics = []
    for number, line in enumerate(text.splitlines(), start=1):
        written = line.partition("#")[0].strip()
        kind = next((kind for kind in exceptions if written.startswith(kind)), "")
        words = _words(written.removeprefix(kind))
        problem = _problem(words) if written else None
        if problem:
            diagnostics.append(_diagnostic(path, number, problem))
        elif kind:
            exceptions[kind].extend(words)
        elif words:
            groups.append(words)
    kept, roots = exceptions.values()
    return WordLists(tuple(groups), tuple(kept), tuple(roots)), tuple(diagnostics)


def _words(written: str) -> tuple[str, ...]:
    found = (word.strip() for word in written.replace("،", ",").split(","))
    return tuple(word for word in found if word)


def _problem(words: tuple[str, ...]) -> str | None:
    if not words:
        return "The line names no word."
    if len(words) > _MOST_WORDS:
        return f"The line has more than {_MOST_WORDS} words."
    for word in words:
        if len(word.split()) > 1:
            return f"“{word}” is more than one word."
        if len(word) > _LONGEST_WORD:
            return f"“{word[:_LONGEST_WORD]}…” is too long for a word."
        if not any(char.isalnum() for char in word):
            return f"“{word}” holds no letter."
    return None


def _diagnostic(path: str, line: int, problem: str) -> Diagnostic:
    message = f"{problem} It is left out of search."
    suggestion = "Write words that mean the same on one line, separated by commas."
    return Diagnostic(path, message, suggestion, line, Severity.WARNING)
