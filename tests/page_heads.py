"""What the head of an HTML page tells search engines, and the same in the Link header."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape

from contract.visitor import Reply

_TITLE = re.compile(r"<title>(.*?)</title>")
_META = re.compile(r'<meta name="(description|robots)" content="([^"]*)">')
_CANONICAL = re.compile(r'<link rel="canonical" href="([^"]*)">')
_ALTERNATE = re.compile(r'<link rel="alternate" hreflang="([^"]*)" href="([^"]*)">')
_LINKED_CANONICAL = re.compile(r'<([^>]*)>; rel="canonical"')
_LINKED_ALTERNATE = re.compile(r'<([^>]*)>; rel="alternate"; hreflang="([^"]*)"')


@dataclass(frozen=True)
class PageHead:
    """The title, the metadata and the links between the variants of a page."""

    title: str
    description: str
    robots: str
    language: str
    canonical: str
    alternates: Mapping[str, str]

    @property
    def is_indexed(self) -> bool:
        """Whether search engines may index the page."""
        return "noindex" not in self.robots


def page_head(reply: Reply) -> PageHead | None:
    """Return the head of an HTML page; None for other media types, and without a canonical URL."""
    if not reply.headers.get("Content-Type", "").startswith("text/html"):
        return None
    head, _, _ = reply.text.partition("</head>")
    canonical = _CANONICAL.search(head)
    if canonical is None:
        return None
    meta = dict(_META.findall(head))
    return PageHead(
        title=unescape("".join(_TITLE.findall(head))),
        description=unescape(meta.get("description", "")),
        robots=meta.get("robots", ""),
        language=reply.headers.get("Content-Language", ""),
        canonical=unescape(canonical[1]),
        alternates={tag: unescape(href) for tag, href in _ALTERNATE.findall(head)},
    )


def linked(reply: Reply) -> tuple[str, Mapping[str, str]]:
    """Return the canonical URL and the variants in the Link header of an HTML page."""
    canonical = _LINKED_CANONICAL.findall(reply.links)
    return "".join(canonical), {tag: href for href, tag in _LINKED_ALTERNATE.findall(reply.links)}
