"""A crawl of all URLs that a service advertises."""

from __future__ import annotations

from collections.abc import Iterator

from contract.adverts import Advert, advertised, target_of
from contract.visitor import BASE_URL, Reply, Visitor
from page_heads import PageHead, head_bytes, linked_canonical, page_head


class Walk:
    """A crawl of all advertised URLs; each is requested once."""

    def __init__(self, visitor: Visitor) -> None:
        self.broken: list[tuple[Advert, int, str, str]] = []
        self.with_request_host: list[str] = []
        self.seen: set[Advert] = set()
        self.heads: dict[str, PageHead] = {}
        """The heads of all HTML pages, by URL."""

        self.differing: list[str] = []
        """Pages whose Link header has another canonical URL than their head."""

        self.longest_head = 0

        self._visitor = visitor
        self._not_followed: set[tuple[str, frozenset[str]]] = set()
        self._queue: list[tuple[Advert, str]] = []

    def start(self, path: str, accept: str | None = None) -> None:
        """Add the URLs that a response advertises, whatever its status."""
        self._collect(path, self._request(path, accept))

    def finish(self) -> None:
        """Request all collected URLs with their media type, and those they advertise in turn."""
        while self._queue:
            advert, source = self._queue.pop()
            reply = self._request(advert.path, advert.media_type)
            answered = reply.headers.get("Content-Type", "").partition(";")[0]
            if reply.status != 200 or advert.media_type not in (None, answered):
                self.broken.append((advert, reply.status, answered, source))
            self._collect(advert.path, reply)

    def _request(self, path: str, accept: str | None) -> Reply:
        return self._visitor.get(path, {"Accept": accept} if accept else None)

    def _collect(self, path: str, reply: Reply) -> None:
        if b"testserver" in reply.body or "testserver" in str(reply.headers):
            self.with_request_host.append(path)
        self.longest_head = max(self.longest_head, head_bytes(reply))
        head = page_head(reply)
        if head is not None:
            self.heads[BASE_URL + path] = head
            if head.canonical != linked_canonical(reply):
                self.differing.append(path)
        for advert in advertised(path, reply):
            target = target_of(advert)
            if target.path and target not in self.seen and not self._repeats(advert):
                self.seen.add(target)
                self._queue.append((target, path))

    def _repeats(self, advert: Advert) -> bool:
        """Return whether a link that crawlers do not follow differs from another by values alone.

        Such a link leads to a list with more of its filters, or to the form with its page.
        """
        path, _, query = advert.path.partition("?")
        key = (path, frozenset(each.partition("=")[0] for each in query.split("&")))
        is_known = key in self._not_followed
        self._not_followed |= {key} if not advert.is_followed else set()
        return is_known and not advert.is_followed

    def one_sided(self) -> Iterator[tuple[str, str]]:
        """Yield the pages whose table of variants another one does not have, or not `x-default`."""
        for url, head in self.heads.items():
            table = head.alternates
            if table and not {head.canonical} <= set(table.values()) >= {table.get("x-default")}:
                yield url, "not in its own table"
            for href in set(table.values()):
                other = self.heads.get(href)
                if other is None or (other.canonical, other.alternates) != (href, table):
                    yield url, href
