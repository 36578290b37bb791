"""Raw HTML between rendered markdown, cleaned by nh3.

nh3 gets only what the author wrote. Rendered markdown is a placeholder in it, so a tag may begin
before a paragraph and end after it, and our own markup needs no permission and stays as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from html import unescape
from re import Match, Pattern

import nh3

from knowledge.markdown.raw_html import BLOCK_TAGS, REMOVED_WITH_CONTENT, TAGS
from knowledge.markdown.slugs import RESERVED

LINKED_HEADING = "linked-heading"
"""The element around a heading and the link to itself, see `parts/headings.html`."""

MAX_OPEN_TAGS = 100
"""Limit of nesting; a tag beyond it is text. nh3's time is quadratic in the number of open tags."""

_ATTRIBUTES = {
    "*": {"id", "lang", "dir", "title", "align"},
    "a": {"href", "name"},
    "audio": {"src", "loop", "muted"},
    "col": {"span"},
    "colgroup": {"span"},
    "del": {"datetime"},
    "details": {"open"},
    "img": {"src", "alt", "width", "height"},
    "ins": {"datetime"},
    "li": {"value"},
    "ol": {"start", "reversed", "type"},
    "source": {"src", "type"},
    "td": {"colspan", "rowspan", "headers"},
    "th": {"colspan", "rowspan", "headers", "scope"},
    "time": {"datetime"},
    "video": {"src", "poster", "width", "height", "loop", "muted"},
}
_OWN_ATTRIBUTES = {
    "audio": ' controls="" preload="metadata"',
    "img": ' loading="lazy" decoding="async"',
    "video": ' controls="" preload="metadata"',
}
"""What all elements of a name have. nh3 would write them in another order in each process, and
the ETag of a page would differ between workers."""

_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source")
)
_CLOSED_BY_NEXT = frozenset(
    ("dd", "dt", "li", "option", "p", "rp", "rt", "tbody", "td", "tfoot", "th", "thead", "tr")
)
_NOT_NESTED = _VOID | _CLOSED_BY_NEXT
"""The tags that are empty, or that the next of their kind closes."""

_TAG_START = re.compile(r"<(/?)([A-Za-z][^\s/>]*)")
_HEADING = re.compile(r"h[1-6]")
_CLEAN_TAG = re.compile(r"<([a-z][a-z0-9]*+)(?: [^>]*+)?(?:>|\Z)")
_CLEAN_ID = re.compile(r' (?:id|name)="([^"]*)"')
_MEDIA_ELSEWHERE = re.compile(r' (?:src|poster)="(?!/(?!/))[^"]*"')
_BLOCK = re.compile(rf"<(?:{'|'.join(sorted(BLOCK_TAGS & TAGS))})[ >]")


@cache
def _cleaner(schemes: frozenset[str]) -> nh3.Cleaner:
    return nh3.Cleaner(
        tags={*TAGS, LINKED_HEADING},
        clean_content_tags=set(REMOVED_WITH_CONTENT),
        attributes=_ATTRIBUTES,
        url_schemes=set(schemes),
        link_rel=None,
    )


class FlowHtml(str):
    """HTML with elements that cannot stand in a paragraph."""

    __slots__ = ()


class MixedHtml:
    """HTML that consists of rendered markdown and of raw HTML.

    `is_inline` tells the content of a paragraph from blocks. `top` is the level of the largest
    heading, and `ids` are those of the headings, which no other element gets.
    """

    def __init__(
        self, *, is_inline: bool, schemes: frozenset[str], top: int, ids: Collection[str]
    ) -> None:
        self._is_inline = is_inline
        self._schemes = schemes
        self._top = top
        self._ids = ids
        self._taken = set(RESERVED)
        self._parts: list[_Rendered | str] = []

    def add_rendered(self, html: str) -> None:
        """Add HTML that is ours."""
        self._parts.append(_Rendered(html))

    def add_raw(self, html: str) -> None:
        """Add HTML that the author wrote."""
        self._parts.append(html)

    def cleaned(self) -> str:
        """Return all of it, with the raw HTML cleaned and its tags closed."""
        mark = self._mark()
        skeleton = "".join(self._with_placeholders(mark))
        prepared = _Preparation(skeleton, self._top).text()
        html = _cleaner(self._schemes).clean(prepared)
        placeholder = re.compile(rf"{mark}-(\d+);")
        # Only a placeholder between tags is filled: one in an attribute could end it.
        html = _CLEAN_TAG.sub(lambda match: placeholder.sub("", self._checked(match)), html)
        if not self._is_inline:
            placeholder = re.compile(rf"<div>{mark}-(\d+);</div>")
        return self._filled(html, placeholder)

    def _mark(self) -> str:
        """Return the mark of placeholders: nobody can write a text with its own hash in it."""
        raw = "\0".join([part for part in self._parts if isinstance(part, str)])
        return blake2b(raw.encode("utf-8", "replace"), digest_size=16).hexdigest()

    def _with_placeholders(self, mark: str) -> Iterator[str]:
        for number, part in enumerate(self._parts):
            if isinstance(part, str):
                yield part
            else:
                # A `<div>` ends an open `<p>`, as the block will that stands for it.
                text = f"{mark}-{number};"
                yield text if self._is_inline else f"<div>{text}</div>"

    def _filled(self, html: str, placeholder: Pattern[str]) -> str:
        def rendered(match: Match[str]) -> str:
            part = self._parts[int(match[1])]
            return part.html if isinstance(part, _Rendered) else ""

        is_flow = self._is_inline and _BLOCK.search(html)
        filled = placeholder.sub(rendered, html)
        return FlowHtml(filled) if is_flow else filled

    def _checked(self, match: Match[str]) -> str:
        """Return a tag with an id that is free, and with media of the site itself."""
        name, tag = match[1], match[0]
        if name in ("audio", "video", "source"):
            tag = _MEDIA_ELSEWHERE.sub("", tag)
            if name == "source" and " src=" not in tag:
                return ""
        if ' id="' in tag or ' name="' in tag:
            tag = self._with_free_id(name, tag)
        return tag.removesuffix(">") + _OWN_ATTRIBUTES.get(name, "") + ">"

    def _with_free_id(self, name: str, tag: str) -> str:
        found = _CLEAN_ID.search(tag)
        anchor = unescape(found[1]) if found else ""
        without_id = _CLEAN_ID.sub("", tag)
        is_of_heading = anchor in self._ids
        is_heading = bool(_HEADING.fullmatch(name))
        if not found or anchor in self._taken or (is_of_heading and not is_heading):
            return without_id
        self._taken.add(anchor)
        return f'<{name} id="{found[1]}"{without_id[len(name) + 1 :]}'


@dataclass(frozen=True, slots=True)
class _Rendered:
    """HTML that our renderer wrote."""

    html: str


class _Preparation:
    """Raw HTML before it is cleaned: no tag is too deep, and no heading is above the largest."""

    def __init__(self, html: str, top: int) -> None:
        self._html = html
        self._top = top
        self._open: Counter[str] = Counter()
        self._depth = 0

    def text(self) -> str:
        return _TAG_START.sub(self._tag, self._html)

    def _tag(self, match: Match[str]) -> str:
        name = match[2].lower()
        if name not in _NOT_NESTED and not self._nests(name, is_closing=bool(match[1])):
            return f"&lt;{match[0][1:]}"
        if _HEADING.fullmatch(name):
            return f"<{match[1]}h{max(self._top, int(name[1]))}"
        return match[0]

    def _nests(self, name: str, *, is_closing: bool) -> bool:
        """Count the open tags; return whether there may be this one."""
        step = -min(1, self._open[name]) if is_closing else 1
        if self._depth + step > MAX_OPEN_TAGS:
            return False
        self._open[name] += step
        self._depth += step
        return True
