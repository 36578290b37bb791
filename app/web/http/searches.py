"""Searches: how a handler tells the pipeline what was searched and how much was found.

It does so in a header of its response, as the response cache keeps headers: an answer from the
cache is counted as well. The observer of the audience removes the header again.
"""

from __future__ import annotations

from typing import NamedTuple, Self
from urllib.parse import quote, unquote

from quart import Quart, Response, g

from app.platform.observability.retained_texts import retained_query
from app.services import services
from app.web.extensions import Channel, SearchCounter

HEADER = "Majlis-Search"


class Search(NamedTuple):
    """A search: where, for what in the form that is kept, and the number of hits."""

    channel: str
    query: str
    hits: int

    def to_header(self) -> str:
        """Return it as the value of a header."""
        return f"{self.channel};{self.hits};{quote(self.query)}"

    @classmethod
    def from_header(cls, value: bytes) -> Self:
        """Read the value of a header.

        >>> Search.from_header(Search("api", "ضريبة", 3).to_header().encode())
        Search(channel='api', query='ضريبة', hits=3)
        """
        channel, hits, query = value.decode("ascii").split(";")
        return cls(channel, unquote(query), int(hits))


def note_search(channel: Channel, query: str, hits: int) -> None:
    """Note the search of the current request, if searches are counted."""
    if services().find(SearchCounter) is not None:
        g.search = Search(channel.value, retained_query(query), hits)


def install(app: Quart) -> None:
    """Add the header to the responses of searches."""
    app.after_request(_add_header)


async def _add_header(response: Response) -> Response:
    search: Search | None = g.get("search")
    if search is not None and response.status_code == 200:
        response.headers[HEADER] = search.to_header()
    return response
