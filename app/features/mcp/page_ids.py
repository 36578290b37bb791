"""The ids of pages, their sections and the parts of long texts: `/sa/ar/erp?part=2#vat`."""

from __future__ import annotations

import re
from typing import NamedTuple, Self
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

from app.features.mcp.arguments import shortened
from app.features.mcp.tool import ToolError
from renderers.representation import MediaType, split_suffix

_SLASHES = re.compile(r"/+")
_NUMBER = re.compile(r"[1-9]\d{0,5}", re.ASCII)


class PageId(NamedTuple):
    """A page by its site path, perhaps one of its sections by its anchor.

    `part` is that of a text that is too long for one answer, `page` that of a list of posts.
    """

    path: str
    anchor: str = ""
    part: int = 1
    page: int = 1

    def __str__(self) -> str:
        """Return the id as tools give it."""
        numbers = {"page": self.page, "part": self.part}
        query = urlencode({name: number for name, number in numbers.items() if number > 1})
        return self.path + (f"?{query}" if query else "") + self.fragment

    @property
    def fragment(self) -> str:
        """The anchor with its number sign, `""` without one."""
        return f"#{self.anchor}" if self.anchor else ""

    @property
    def site_path(self) -> str:
        """The site path at which readers find it."""
        return str(self._replace(part=1))

    @classmethod
    def parse(cls, text: str, base_url: str) -> Self:
        """Read an id, also the URL of a page or of its markdown; raises ToolError.

        >>> str(PageId.parse("https://a.test/sa/ar/erp.md#vat", "https://a.test"))
        '/sa/ar/erp#vat'
        >>> str(PageId.parse(" sa/ar/erp/?part=2", "https://a.test"))
        '/sa/ar/erp?part=2'
        """
        host = urlsplit(base_url).netloc.lower()
        try:
            asked = urlsplit(text.strip())
        except ValueError:
            raise ToolError(_elsewhere(text)) from None
        if asked.netloc.lower() not in ("", host):
            raise ToolError(_elsewhere(text))
        query = parse_qs(asked.query)
        decoded, _, encoded_anchor = unquote(asked.path).partition("#")
        path = _SLASHES.sub("/", f"/{decoded}").rstrip("/").removeprefix(f"/{host}")
        return cls(
            _page_path(path) or "/",
            unquote(asked.fragment) or encoded_anchor,
            _number(query.get("part", [""])[0]),
            _number(query.get("page", [""])[0]),
        )


def _page_path(path: str) -> str:
    """Return the path of the page whose text is at a path; a sitemap is the text of none."""
    canonical, media_type = split_suffix(path)
    return path if media_type is MediaType.XML else canonical


def _number(text: str) -> int:
    return int(text) if _NUMBER.fullmatch(text) else 1


def _elsewhere(text: str) -> str:
    return (
        f"“{shortened(text)}” is not a page of this site. Send an id from search, find_passages"
        " or list_pages, such as /sa/ar/erp."
    )
