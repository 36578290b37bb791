"""Raw HTML in markdown: which tags pages show, and its text, headings, links and ids.

The renderer of HTML cleans it with a real parser. All other forms need only what is read here, in
one pass over the tags.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape, unescape
from re import Match
from typing import Any

Token = dict[str, Any]


def _words(text: str) -> list[str]:
    return text.split()


TAGS = frozenset(
    _words(
        "a abbr audio b bdi bdo blockquote br caption cite code col colgroup dd del details"
        " dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p"
        " pre q rp rt ruby s samp small source span strong sub summary sup table tbody td"
        " tfoot th thead time tr u ul var video wbr"
    )
)
"""The tags that pages show. Other tags are left out; what stands between them is shown."""

REMOVED_WITH_CONTENT = frozenset(
    _words(
        "applet embed form frameset iframe math noembed noframes noscript object plaintext"
        " script select style svg template textarea title xmp"
    )
)
"""The tags that are left out with all that stands between them."""

BLOCK_TAGS = frozenset(
    _words(
        "address article aside audio blockquote center dd details div dl dt fieldset"
        " figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre"
        " section summary table tbody td tfoot th thead tr ul video"
    )
)
"""The tags that separate words, and cannot stand in a paragraph."""

LINK_SCHEMES = frozenset(("http", "https", "mailto", "tel", "sms", "whatsapp", "tg", "geo"))
"""The schemes of links that pages have; another one is shown as its text."""

_ATTRIBUTE = r"""[^\s"'<>/=]++(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s"'<>=`]++))?+"""
_ATTRIBUTES = re.compile(
    r"""([^\s"'<>/=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'<>=`]++)))?+"""
)
SOURCE_TAG = rf"</?[A-Za-z][A-Za-z0-9-]*+(?:\s++{_ATTRIBUTE})*+\s*+/?>"
"""A tag as CommonMark has it within a paragraph; an autolink is none."""

# A comment, or a tag as browsers read it: it ends at the first `>` outside quotes.
_PART = re.compile(
    r"""<!--.*?(?:-->|\Z)|<[!?][^>]*+>?"""
    r"""|<(?P<slash>/?)(?P<name>[A-Za-z][^\s/>]*+)"""
    r"""(?P<attributes>(?:[^>"']++|"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z))*+)(?:>|\Z)""",
    re.DOTALL,
)
_LINKS = re.compile(
    r"""(?P<before>\s(?:href|src|poster)\s*+=\s*+)"""
    r"""(?:"(?P<double>[^"]*+)"|'(?P<single>[^']*+)'|(?P<bare>[^\s"'<>=`]++))""",
    re.IGNORECASE,
)
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_MEDIA = frozenset(("audio", "source", "video"))
_CONTROLS = re.compile(r"[\x00-\x20]")
_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_UNSAFE_URL = re.compile(r"(?i)(?:javascript|vbscript|data):")


@dataclass(frozen=True, slots=True)
class HtmlTag:
    """A tag in raw HTML, with the offsets of its `<` and of what follows it."""

    name: str
    is_closing: bool
    attributes: str
    start: int
    end: int

    def values(self) -> dict[str, str]:
        """Return the attributes by name; the first of equal names counts."""
        found: dict[str, str] = {}
        for name, double, single, bare in _ATTRIBUTES.findall(self.attributes):
            found.setdefault(name.lower(), unescape(double or single or bare))
        return found


@dataclass(frozen=True, slots=True)
class Removed:
    """A part of raw HTML that pages leave out: a tag `<font>` or an attribute `onclick`."""

    name: str
    offset: int


def tags(html: str) -> Iterator[HtmlTag]:
    """Yield the tags of raw HTML, also those in a script; comments are passed over."""
    for match in _PART.finditer(html):
        if match["name"]:
            yield _tag(match)


def _tag(match: Match[str]) -> HtmlTag:
    is_closing = bool(match["slash"])
    name, attributes = match["name"].lower(), match["attributes"]
    return HtmlTag(name, is_closing, attributes, match.start(), match.end())


def without_open_end(html: str) -> str:
    """Return raw HTML without its last comment, and with its last tag as text, if it is not closed.

    Otherwise it would take the markdown that follows into it.
    """
    last = next(iter(deque(_PART.finditer(html), maxlen=1)), None)
    if last is None or last.end() < len(html):
        return html
    if last[0].startswith("<!--"):
        return html[: last.start()]
    return (
        html if last[0].endswith(">") else f"{html[: last.start()]}&lt;{html[last.start() + 1 :]}"
    )


class TextReader:
    """Reads the text of raw HTML that comes in pieces, without what is removed with its tag."""

    def __init__(self) -> None:
        self._removed = ""

    @property
    def is_hidden(self) -> bool:
        """Whether what comes next is removed with the tag that stands before it."""
        return bool(self._removed)

    def read(self, html: str) -> str:
        """Return the text of the next piece; tags of blocks become spaces, images their `alt`."""
        texts, position = [], 0
        for match in _PART.finditer(html):
            texts.append(self._shown(unescape(html[position : match.start()])))
            position = match.end()
            if match["name"]:
                texts.append(self._text_of(_tag(match)))
        texts.append(self._shown(unescape(html[position:])))
        return "".join(texts)

    def _shown(self, text: str) -> str:
        return "" if self._removed else text

    def _text_of(self, tag: HtmlTag) -> str:
        if self._removed:
            if tag.is_closing and tag.name == self._removed:
                self._removed = ""
            return ""
        if tag.name in REMOVED_WITH_CONTENT and not tag.is_closing:
            self._removed = tag.name
            return ""
        if tag.name == "img":
            return tag.values().get("alt", "")
        return " " if tag.name in BLOCK_TAGS or tag.name == "br" else ""


def text_of(html: str) -> str:
    """Return the text of raw HTML.

    >>> text_of('<p>Tom &amp; <img src="j.png" alt="Jerry"></p><script>run()</script>').strip()
    'Tom & Jerry'
    """
    return TextReader().read(html)


@dataclass(frozen=True, slots=True)
class RawHeading:
    """A heading in raw HTML, by the offsets of its tags.

    `start` is that of `<h2`, `end` that of `</h2>`, and `after` that of what follows it.
    """

    text: str
    id: str
    start: int
    end: int
    after: int


def raw_headings(html: str) -> Iterator[RawHeading]:
    """Yield the headings of raw HTML that are closed, in order."""
    if "<h" not in html and "<H" not in html:
        return
    opening: HtmlTag | None = None
    for tag in tags(html):
        if tag.name not in _HEADINGS:
            continue
        if not tag.is_closing:
            opening = tag
        elif opening and opening.name == tag.name:
            text = " ".join(text_of(html[opening.end : tag.start]).split())
            anchor = opening.values().get("id", "")
            yield RawHeading(text, anchor, opening.start, tag.start, tag.end)
            opening = None


def heading_tokens_of(token: Token) -> list[Token]:
    """Return tokens for the headings in a token of raw HTML, the same ones at each call."""
    if "headings" not in token:
        token["headings"] = [
            {
                "type": "heading",
                "raw_heading": heading,
                "children": [{"type": "text", "raw": heading.text}],
                "attrs": {},
            }
            for heading in raw_headings(token["raw"])
        ]
    headings: list[Token] = token["headings"]
    return headings


def with_mentions(tokens: list[Token]) -> list[Token]:
    """Return inline tokens; a tag such as `<script>` that is never closed is a text.

    It is only mentioned, and must not remove what follows it.
    """
    names = [_tag_name(token) for token in tokens]
    known = frozenset(names)
    result = []
    for token, name in zip(tokens, names, strict=True):
        if name in REMOVED_WITH_CONTENT and f"/{name}" not in known:
            result.append({"type": "text", "raw": token["raw"]})
        elif "children" in token:
            result.append({**token, "children": with_mentions(token["children"])})
        else:
            result.append(token)
    return result


def _tag_name(token: Token) -> str:
    """Return the name of an inline tag, with a slash if it is a closing one."""
    found = next(tags(token["raw"]), None) if token["type"] == "inline_html" else None
    return ("/" if found.is_closing else "") + found.name if found else ""


def ids(markdown: str) -> Iterator[str]:
    """Yield the ids that raw HTML in a text may set."""
    if "<" not in markdown:
        return
    for tag in tags(markdown):
        values = {} if tag.is_closing else tag.values()
        yield from (values[name] for name in ("id", "name") if values.get(name))


def links(html: str) -> Iterator[tuple[str, bool, str]]:
    """Yield the links of raw HTML: target, whether it is an image, and its alternative text."""
    for tag in tags(html):
        values = {} if tag.is_closing else tag.values()
        if tag.name == "a" and "href" in values:
            yield values["href"], False, ""
        elif tag.name == "img" and "src" in values:
            yield values["src"], True, values.get("alt", "")
        elif tag.name in _MEDIA:
            yield from ((values[name], False, "") for name in ("src", "poster") if name in values)


def with_links(tag: str, rewrite: Callable[[str], str]) -> str:
    """Replace the link targets in a tag by `rewrite(target)`."""

    def rewritten(match: Match[str]) -> str:
        target = unescape(match["double"] or match["single"] or match["bare"] or "").strip()
        result = rewrite(target) if target else target
        return match[0] if result == target else f'{match["before"]}"{escape(result)}"'

    return _LINKS.sub(rewritten, tag)


class RemovedTags:
    """Finds what pages leave out of raw HTML that comes in pieces."""

    def __init__(self) -> None:
        self._inside = ""

    def read(self, html: str) -> Iterator[Removed]:
        """Yield what is left out of the next piece, but not what a removed tag contains."""
        for tag in tags(html):
            if self._inside:
                if tag.is_closing and tag.name == self._inside:
                    self._inside = ""
            elif not tag.is_closing:
                yield from self._of_tag(tag)

    def _of_tag(self, tag: HtmlTag) -> Iterator[Removed]:
        if tag.name not in TAGS:
            yield Removed(f"<{tag.name}>", tag.start)
            self._inside = tag.name if tag.name in REMOVED_WITH_CONTENT else ""
            return
        for name, value in tag.values().items():
            if name.startswith("on") or name == "style" or _is_unsafe(tag, name, value):
                yield Removed(f"{name} of <{tag.name}>", tag.start)


def _is_unsafe(tag: HtmlTag, name: str, value: str) -> bool:
    if name not in ("href", "src", "poster"):
        return False
    url = _CONTROLS.sub("", value)
    is_elsewhere = tag.name in _MEDIA and bool(_ELSEWHERE.match(url))
    return is_elsewhere or bool(_UNSAFE_URL.match(url))
