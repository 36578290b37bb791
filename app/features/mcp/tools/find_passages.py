"""The tool `find_passages`: whole passages that answer, within a limit of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Annotated

from pydantic import BaseModel, Field

from app.features.mcp.tool import Tool, ToolContext
from app.features.mcp.tools.page_filters import ReaderArguments, in_language_of
from app.features.mcp.tools.passages import FoundPassages, heading_of, id_of, title_of
from knowledge.fields.field_types import Omittable
from knowledge.markdown.tokens import estimate_tokens
from knowledge.resources.answers import passage_text, whole_sentences
from knowledge.resources.passages import Passage
from knowledge.views.content_view import ContentView
from renderers.l10n.formats import timestamp


class PassageArguments(ReaderArguments):
    """What is searched for, and how much may be in the answer."""

    query: Annotated[str, Field(description="A question or words")]
    limit: Annotated[int, Field(ge=1, le=10)] = 5
    max_tokens: Annotated[int, Field(ge=200, le=8_000)] = 2_000


class FoundPassage(BaseModel):
    """A passage; `heading` is the path of headings to it, `tokens` the length of its text."""

    id: str
    title: str
    heading: str
    text: str
    url: str
    tokens: int
    lang: str
    updated: Omittable[str] = None


class PassageList(BaseModel):
    """The passages, best first; `suggestion` is another query, if nothing matches."""

    passages: list[FoundPassage]
    total: Annotated[int, Field(description="All that match, up to 100")]
    truncated: Annotated[bool, Field(description="max_tokens left out passages")]
    suggestion: Omittable[str] = None


def _find(context: ToolContext, arguments: PassageArguments) -> PassageList:
    view = arguments.view(context)
    if arguments.lang is None:
        view = in_language_of(arguments.query, view)
    found = FoundPassages.of(context, view, arguments.query, arguments.kinds)
    best = [_passage(view, each) for each in islice(found.passages, arguments.limit)]
    fitting = list(_within(best, arguments.max_tokens))
    total = found.total
    return PassageList(
        passages=fitting,
        total=total,
        truncated=fitting != best,
        suggestion=None if total else found.suggestion,
    )


def _passage(view: ContentView, passage: Passage) -> FoundPassage:
    text, updated = passage_text(view, passage), passage.page.updated_at
    return FoundPassage(
        id=id_of(passage),
        title=title_of(passage),
        heading=heading_of(passage),
        text=text,
        url=view.absolute(id_of(passage)),
        tokens=estimate_tokens(text),
        lang=str(passage.language),
        updated=timestamp(updated, view.locale) if updated else None,
    )


def _within(found: Iterable[FoundPassage], max_tokens: int) -> Iterator[FoundPassage]:
    """Yield the passages that fit as a whole; of the best one the sentences that fit."""
    left = max_tokens
    for number, passage in enumerate(found):
        fitting = passage
        if number == 0 and passage.tokens > left:
            text = whole_sentences(passage.text, left)
            fitting = passage.model_copy(update={"text": text, "tokens": estimate_tokens(text)})
        if fitting.text and fitting.tokens <= left:
            left -= fitting.tokens
            yield fitting


FIND_PASSAGES = Tool(
    name="find_passages",
    title="Find passages to quote",
    description=(
        "Returns the passages that fit a query best, whole, with their headings and URLs. The"
        " default language is that of the query."
    ),
    arguments=PassageArguments,
    result=PassageList,
    call=_find,
    searches=True,
    hits=lambda found: found.total,
)
