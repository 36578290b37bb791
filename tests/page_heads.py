"""What the head of an HTML page tells search engines, and the size of response heads."""

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
HEAD_LIMIT = 4_096
"""What nginx reads of a response head, unless it is told to read more."""

_SERVER_BYTES = 300
"""The status line, `Date`, the headers of rate limits and a request id of full length."""


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


def linked_canonical(reply: Reply) -> str:
    """Return the canonical URL in the Link header of a page."""
    return "".join(_LINKED_CANONICAL.findall(reply.links))


def head_bytes(reply: Reply) -> int:
    """Return the length of a response head, with the headers that the server adds."""
    lines = [f"{name}: {value}\r\n" for name, value in reply.headers.items()]
    return len("".join(lines).encode()) + _SERVER_BYTES
