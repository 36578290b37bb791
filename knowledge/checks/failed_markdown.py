"""Failed markdown: what looks like markup, but is shown as the author typed it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from re import Match, Pattern

from knowledge.diagnostics.diagnostic import Diagnostic, DiagnosticKind
from knowledge.documents.document import Document
from knowledge.markdown.generator_syntax.code import set_code_aside
from knowledge.markdown.generator_syntax.source import BodySource

_MARKS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_MAX_SHOWN = 40

_FAILED: tuple[tuple[Pattern[str], str, str], ...] = tuple(
    (re.compile(pattern, re.MULTILINE), what, advice)
    for pattern, what, advice in (
        (
            r"^ {0,3}#{2,6}[^\s#\0].*$",
            "is no heading",
            "Write a space after the number signs.",
        ),
        (
            r"^ {0,3}#{1,6}[\u00a0\u2007\u202f].*$",
            "is no heading, because a no-break space follows the number signs",
            "Write a plain space.",
        ),
        (
            rf"^[ \t]*[{_MARKS}]+[ \t]*(?:[-*+][ \t]|#{{1,6}}[ \t]|\d+[.)][ \t]).*$",
            "is no list or heading, because an invisible mark of direction begins the line",
            "Remove the mark.",
        ),
        (
            r"!\[[^\]\n]*\]\([^)\s]+[ \t]+=\d*x\d*\)",
            "is no image",
            "Remove the size; pages size images by themselves.",
        ),
        (
            r"!\[[^\]|\n]*\|\d+(?:x\d+)?\]\([^)\n]+\)",
            "has a size in its alternative text",
            "Remove the size; pages size images by themselves.",
        ),
        (
            r"\]\((?!<)[^()<>\"'\s\0]+[ \t]+[^()<>\"'=\0\n]*\.\w+(?:#[^()\s]*)?\)",
            "is no link, because its target has a space",
            "Put the target into angle brackets: [text](<my file.md>).",
        ),
        (
            r"(?<!\])\^\[[^\]\n]+\]",
            "is no note",
            "Write a footnote: [^1], and [^1]: with its text.",
        ),
        (
            r"\\\((?=[^)\n]*(?:[\^_=]|\\[A-Za-z]))[^)\n]*\\\)",
            "is no formula",
            "Write it between dollar signs.",
        ),
        (
            r"^(?:<{7}|>{7})(?: .*)?$",
            "is the mark of a conflict in Git",
            "Resolve the conflict, and remove its marks.",
        ),
    )
)
_SHORTCODE = re.compile(r"(?<![\w:/]):[a-z][a-z0-9_+-]{1,40}:(?![\w:])")
_OPTIONS = re.compile(r"(?:^:[a-z]+:[ \t].*\n?)+", re.MULTILINE)
"""The options of a directive, below its opening line."""


def failed_markdown(document: Document) -> Iterator[Diagnostic]:
    """Report each kind of failed markup once, at its first place."""
    source = BodySource(document.body)
    set_code_aside(source)
    text = source.text
    for pattern, what, advice in _FAILED:
        found = pattern.search(text)
        if found:
            yield _diagnostic(document, source, found, what, advice)
    plain = _OPTIONS.sub(lambda match: _blanked(text, match), text)
    emoji = next(filter(_is_emoji, _SHORTCODE.finditer(plain)), None)
    if emoji:
        yield _diagnostic(document, source, emoji, "is shown as it is", "Write the emoji itself.")


def _blanked(text: str, options: Match[str]) -> str:
    before = text.rfind("\n", 0, max(options.start() - 1, 0)) + 1
    is_below = text[before : options.start()].lstrip().startswith(":::")
    return re.sub(r"[^\n]", " ", options[0]) if is_below else options[0]


def _is_emoji(match: Match[str]) -> bool:
    # Few texts have one, and its library takes 10 ms to import.
    from rich.emoji import Emoji  # noqa: PLC0415

    return Emoji.replace(match[0]) != match[0]


def _diagnostic(
    document: Document, source: BodySource, match: Match[str], what: str, advice: str
) -> Diagnostic:
    line = document.file_line(source.text.count("\n", 0, match.start()) + 1)
    shown = source.plain(match[0].removeprefix("]"))
    shown = "".join(each if each.isprintable() else "�" for each in shown[:_MAX_SHOWN])
    message = f"“{shown}” {what}."
    return DiagnosticKind.FAILED_MARKDOWN.warning(document.path, message, advice, line)
