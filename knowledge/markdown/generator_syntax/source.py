"""The source of a body while generators' syntax is read: code is set aside, links get a target.

A NUL, which no content file contains, marks what is set aside and the lines that are inserted.
"""

import re
from collections.abc import Callable, Iterator
from re import Match, Pattern
from typing import NamedTuple

_NAME = re.compile(r"[\w./@-]+")


class Unread(NamedTuple):
    """Syntax that has no meaning here and is left out: its language, its text, and its line."""

    language: str
    text: str
    line: int

    @property
    def name(self) -> str:
        """Return the name of the tag, which begins its text."""
        found = _NAME.search(self.text)
        return found[0] if found else self.text


_KEPT = re.compile(r"\0s(\d+);")
_INSERTED = "\0n"
BREAK = f"{_INSERTED}\n"
"""A line end that the source does not have."""

_MAX_INDENT = 80
_MAX_EXCERPT_CHARACTERS = 60


class BodySource:
    """The text of a body, changed step by step."""

    def __init__(self, text: str, is_mdx: bool = False) -> None:
        self.text = text
        self.is_mdx = is_mdx
        self.unread: list[Unread] = []
        self._kept: list[str] = []
        self._counted = (0, 1)

    def keep(self, text: str) -> str:
        """Return a placeholder for a text, which no step then changes; indentation stays."""
        return "\n".join(map(self._keep_line, text.split("\n")))

    def _keep_line(self, line: str) -> str:
        """Return a placeholder for a line; the mark of an inserted line end is not set aside."""
        written = line.removesuffix(_INSERTED)
        text = written.lstrip()
        if not text:
            return line
        self._kept.append(text)
        indent, mark = written[: len(written) - len(text)], line[len(written) :]
        return f"{indent}\0s{len(self._kept) - 1};{mark}"

    def plain(self, text: str) -> str:
        """Return a text with what is set aside in it, on one line."""
        return " ".join(self._restored(text).replace(_INSERTED, "").split())

    def _restored(self, text: str) -> str:
        return _KEPT.sub(lambda match: self._kept[int(match[1])], text)

    def substitute(
        self, pattern: Pattern[str], replace: Callable[[Match[str]], str | None]
    ) -> None:
        """Replace each match by `replace(match)`, None to leave it; the lines after it stay."""
        found = ((match, replace(match)) for match in pattern.finditer(self.text))
        self.rewrite((match.start(), match.end(), new) for match, new in found if new is not None)

    def rewrite(self, replacements: Iterator[tuple[int, int, str]]) -> None:
        """Replace spans of the text, in ascending order, without changing the lines after them."""
        self._counted = (0, 1)
        parts: list[str] = []
        copied = 0
        for start, end, new in replacements:
            if self.text.endswith(_INSERTED, start, end):
                end -= len(_INSERTED)  # noqa: PLW2901  # the mark stays with its line end
            parts += self.text[copied:start], new
            parts.append("\n" * (_lines(self.text[start:end]) - _lines(new)))
            copied = end
        self.text = "".join((*parts, self.text[copied:]))

    def leave_out(self, language: str, start: int, text: str) -> str:
        """Note syntax that is left out, at an offset of the text; return its replacement."""
        counted, line = self._counted
        line += _lines(self.text[counted:start])
        self._counted = (start, line)
        excerpt = self.plain(text)
        if len(excerpt) > _MAX_EXCERPT_CHARACTERS:
            excerpt = excerpt[:_MAX_EXCERPT_CHARACTERS] + "…"
        self.unread.append(Unread(language, excerpt, line))
        return ""

    def as_paragraph(self, new: str, start: int) -> str:
        """Return the replacement at an offset, as a paragraph if a line begins there."""
        before = self.text[max(0, start - _MAX_INDENT) : start]
        indent = before[before.rfind("\n") + 1 :]
        return new if indent.strip() else f"{BREAK}{indent}{new}{BREAK}"

    def finish(self) -> tuple[str, tuple[int, ...]]:
        """Return the text with its code, and the lines that were inserted."""
        text = self._restored(self.text)
        if _INSERTED not in text:
            return text, ()
        lines = text.split("\n")
        inserted = [number for number, line in enumerate(lines, 2) if line.endswith(_INSERTED)]
        return text.replace(_INSERTED, ""), tuple(inserted)


def _lines(text: str) -> int:
    """Return the number of line ends that the source has in a text."""
    return text.count("\n") - text.count(_INSERTED)


_UNSAFE = re.compile(r"[\s()<>\"'\\]")
_BRACKETS = re.compile(r"([\[\]])")
_SIZES = re.compile(r"\d+(?:x\d+)?")

MEDIA = {
    "youtube": "https://www.youtube.com/watch?v={}",
    "youtubelite": "https://www.youtube.com/watch?v={}",
    "liteyoutube": "https://www.youtube.com/watch?v={}",
    "vimeo": "https://vimeo.com/{}",
    "gist": "https://gist.github.com/{}",
    "codepen": "https://codepen.io/{}",
}
"""The pages of embedded media, by the lower-case name of the tag that embeds them."""


def url(target: str) -> str:
    """Return a target that can stand between parentheses.

    >>> url("My page#Part (2)")
    'My%20page#Part%20%282%29'
    """
    return _UNSAFE.sub(lambda match: f"%{ord(match[0]):02X}", target.strip())


def link(text: str, target: str) -> str:
    """Return a markdown link."""
    escaped = _BRACKETS.sub(r"\\\1", text.strip())
    return f"[{escaped}]({url(target)})"


def image(alt: str, target: str) -> str:
    """Return a markdown image."""
    return f"!{link(alt, target)}"


def media(name: str, identifier: str, title: str = "") -> str | None:
    """Return a link to embedded media, None if the tag embeds none."""
    address = MEDIA.get(name.lower())
    if address is None or not identifier:
        return None
    target = identifier if identifier.startswith("http") else address.format(identifier)
    return link(title or target, target)


def is_size(text: str) -> bool:
    """Return whether the text of an embed is the width of an image, as in `300x200`."""
    return bool(_SIZES.fullmatch(text.strip()))
