"""The tool `search`: the passages that fit a query best, as ChatGPT expects them."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

from pydantic import BaseModel, Field

from app.features.mcp.arguments import Arguments
from app.features.mcp.tool import Tool, ToolContext
from app.features.mcp.tools.page_filters import in_language_of
from app.features.mcp.tools.passages import FoundPassages, heading_of, id_of, title_of
from knowledge.resources.passages import Passage, Spans, excerpt
from knowledge.views.content_view import ContentView

_MAX_RESULTS = 10


class SearchArguments(Arguments):
    """What is searched for."""

    query: Annotated[str, Field(description="A question or words")]


class SearchHit(BaseModel):
    """A section that answers; `text` is the sentence of it that fits best."""

    id: str
    title: str
    url: str
    text: str


class SearchHits(BaseModel):
    """The sections found, best first."""

    results: list[SearchHit]


def _search(context: ToolContext, arguments: SearchArguments) -> SearchHits:
    """Search in the language of the query, and if that finds nothing, in the locale's own."""
    own = context.view(context.locale)
    view = in_language_of(arguments.query, own)
    return SearchHits(
        results=_hits(context, view, arguments.query)
        or (_hits(context, own, arguments.query) if view is not own else [])
    )


def _hits(context: ToolContext, view: ContentView, query: str) -> list[SearchHit]:
    found = FoundPassages.of(context, view, query)
    spans = found.result.highlights
    return [_hit(view, passage, spans) for passage in islice(found.passages, _MAX_RESULTS)]


def _hit(view: ContentView, passage: Passage, spans: Spans) -> SearchHit:
    title, heading = title_of(passage), heading_of(passage)
    return SearchHit(
        id=id_of(passage),
        title=f"{title}: {heading}" if heading else title,
        url=view.absolute(id_of(passage)),
        text=excerpt(passage.text, spans),
    )


SEARCH = Tool(
    name="search",
    title="Search the site",
    description=(
        "Finds the sections of this site's pages that fit a query best, in the language of the"
        " query. The ids of the results are for fetch."
    ),
    arguments=SearchArguments,
    result=SearchHits,
    call=_search,
    searches=True,
    hits=lambda found: len(found.results),
)
