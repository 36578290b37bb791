"""The opening of a body: the heading that is its title, and the mark at which its excerpt ends.

Hugo, Jekyll, Zola and WordPress write `more`, Docusaurus `truncate`, others `excerpt`; in MDX a
comment is `{/* truncate */}`.
"""

import re
from html import unescape
from typing import NamedTuple

from knowledge.markdown.inline import plain_line

_LIQUID_TAG = re.compile(r"\{%[^%\n]*%\}")
_SHORTCODE = re.compile(r"(?<![\w:]):[\w+-]+:(?![\w:])")
_JOINED = re.compile(r"[-_]+")


class OpeningHeading(NamedTuple):
    """The heading of level 1 that opens a body, as plain text, and its place."""

    text: str
    start: int
    end: int

    def blanked(self, body: str) -> str:
        """Return the body with blank lines for the heading, so that lines keep their numbers."""
        lines = body.count("\n", self.start, self.end)
        return body[: self.start] + "\n" * lines + body[self.end :]


_UNSEEN = re.compile(
    r"(?:\s*(?:<!--.*?-->|<script\b.*?</script>|<style\b.*?</style>|import [^\n]*(?=\n)))+",
    re.DOTALL | re.IGNORECASE,
)
"""What may stand before a heading and shows nothing."""

_ATX = re.compile(r"\s*^ {0,3}#[ \t]+(?P<text>[^\n]+)(?:\n|\Z)", re.MULTILINE)
_CLOSING = re.compile(r"(?:^|[ \t])#+[ \t]*$")
_SETEXT = re.compile(
    r"\s*^ {0,3}(?P<text>[^\s#>*+\-=`~|<:][^\n]*)\n {0,3}=+[ \t]*(?:\n|\Z)", re.MULTILINE
)
_ATTRIBUTES = re.compile(r"(?<![ \t])[ \t]*+\{[:#.][^{}\n]*+\}[ \t]*+$")
"""A heading's attributes: `{#id}`, and those of kramdown, such as `{: .no_toc }`."""


def opening_heading(body: str) -> OpeningHeading | None:
    r"""Return the heading of level 1 with which a body begins, or None.

    >>> opening_heading("\n# The *first* &amp; :rocket: {#id}\n\nText.").text
    'The first & 🚀'
    >>> opening_heading("<!-- Draft -->\nTitle\n=====\nText.").text
    'Title'
    >>> opening_heading("## Second level") is None
    True
    """
    unseen = _UNSEEN.match(body)
    start = unseen.end() if unseen else 0
    match = _ATX.match(body, start) or _SETEXT.match(body, start)
    if match is None:
        return None
    text = _ATTRIBUTES.sub("", match["text"].rstrip())
    text = heading_text(_CLOSING.sub("", text) if match.re is _ATX else text)
    return OpeningHeading(text, start, match.end()) if text else None


def heading_text(markdown: str) -> str:
    """Return the plain text of a heading, with entities decoded and emoji for their shortcodes."""
    text = unescape(plain_line(_LIQUID_TAG.sub("", markdown).strip()))
    return _SHORTCODE.sub(_emoji, text)


def _emoji(match: re.Match[str]) -> str:
    # Few headings have one, and its library takes 10 ms to import.
    from rich.emoji import Emoji  # noqa: PLC0415

    return Emoji.replace(match[0])


def name_in_words(name: str) -> str:
    """Return a file name as a title: as typed, but without hyphens if it has no spaces.

    >>> name_in_words("My Notes on VAT"), name_in_words("hello-world"), name_in_words("Rust.1.43")
    ('My Notes on VAT', 'Hello world', 'Rust.1.43')
    """
    words = name if " " in name else _JOINED.sub(" ", name)
    words = " ".join(words.split())
    return words[:1].upper() + words[1:]


_NAME = r"[ \t]*(?:more|truncate|excerpt|readmore|end[- ]?excerpt)[ \t]*"
_MARKER = re.compile(
    r"(?P<code>^[ \t]*+(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^[ \t]*+(?P=fence)[`~]*+[ \t]*+$|\Z))"
    r"|(?P<span>(?<!`)(?P<ticks>`{1,8})(?!`)(?:(?!\n[ \t]*\n)[^`])*+(?P=ticks)(?!`))"
    rf"|<!--(?i:{_NAME})-->|\{{/\*(?i:{_NAME})\*/\}}",
    re.DOTALL | re.MULTILINE,
)


def without_excerpt_marker(text: str) -> tuple[str, int]:
    r"""Return a text without its marks, and where the excerpt ends in it, 0 if nowhere.

    Marks in code are code.

    >>> without_excerpt_marker("Short.\n\n<!-- more -->\n\nLong.")
    ('Short.\n\n\n\nLong.', 8)
    """
    if "<!--" not in text and "{/*" not in text:
        return text, 0
    found = (match for match in _MARKER.finditer(text) if not (match["code"] or match["span"]))
    marks = [match.span() for match in found]
    if not marks:
        return text, 0
    ends = [0, *(end for _, end in marks)]
    starts = [*(start for start, _ in marks), len(text)]
    kept = "".join(text[end:start] for end, start in zip(ends, starts, strict=True))
    return kept, marks[0][0]
