"""Answers: passages of pages that fit a question, for programs that quote them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Annotated

from pydantic import Field

from knowledge.fields.field_types import Omittable
from knowledge.locales.locale import Language
from knowledge.markdown.inline import rewrite_targets
from knowledge.markdown.tokens import estimate_tokens
from knowledge.resources.base import Resource, Uri
from knowledge.resources.passages import SENTENCE_END, Passage
from knowledge.views.content_view import ContentView, absolute

_WORD_END = re.compile(r"\s")
_CUT = " …"


class AnswerPage(Resource):
    """The page of a passage; `language` is that of the passage."""

    kind: str
    """Content type of the page."""
    slug: str
    """Slug of the page."""
    title: str
    """Title of the page."""
    path: str
    """Site path of the page."""
    url: Uri
    """URL of the page."""
    language: Language
    """Language of the passage."""
    updated_at: Omittable[datetime] = None
    """When the page was last changed, if its author states it."""


class AnswerSection(Resource):
    """Where a passage stands: the id of its heading, the heading, and the path to it."""

    id: str
    """Id of the heading, to link to."""
    heading: str
    """Text of the heading."""
    path: list[str]
    """Headings from the page's title down to this one."""


class Answer(Resource):
    """One passage; `text` is CommonMark with absolute links, and `tokens` is its length."""

    page: AnswerPage
    """The page that has the passage."""
    section: AnswerSection
    """The section of the page that has the passage."""
    url: Uri
    """URL of the section, or of the page if the passage stands before its first heading."""
    text: str
    """The passage as CommonMark, with absolute links."""
    tokens: int
    """Estimated length of the text in tokens."""
    truncated: bool = False
    """Whether the end of the passage was left out for the limit of tokens."""


class Answers(Resource):
    """The passages that fit a query best, within the limit of tokens.

    `truncated` says that the limit left out passages, or the end of one. `queryTruncated` says
    that the query was too long, and `query` is what was searched.
    """

    query: str
    """What was searched."""
    query_truncated: bool = False
    """Whether the query was too long, and its end was ignored."""
    items: list[Answer]
    """The passages; the best one is first."""
    tokens: Annotated[int, Field(ge=0)]
    """Estimated length of all passages in tokens."""
    truncated: bool
    """Whether the limit of tokens left out passages, or the end of one."""
    suggestion: Omittable[str] = None
    """A query that finds something, if this one finds nothing."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and how many passages and tokens may be in the answer."""

    text: str
    is_cut: bool = False
    limit: int = 8
    max_tokens: int = 2_000


def answers(
    view: ContentView, question: Question, passages: Iterable[Passage], suggestion: str | None
) -> Answers:
    """Return the best passages that fit into the limits; `passages` are best first."""
    found = [_answer(view, passage) for passage in islice(passages, question.limit)]
    fitting = list(_within(found, question.max_tokens))
    return Answers(
        query=question.text,
        query_truncated=question.is_cut,
        items=fitting,
        tokens=sum(answer.tokens for answer in fitting),
        truncated=fitting != found,
        suggestion=suggestion,
    )


def _answer(view: ContentView, passage: Passage) -> Answer:
    page, text = passage.page, passage_text(view, passage)
    return Answer(
        page=AnswerPage(
            kind=page.kind.singular,
            slug=page.slug,
            title=page.title,
            path=page.path,
            url=view.absolute(page.path),
            language=passage.language,
            updated_at=page.updated_at,
        ),
        section=section_of(passage),
        url=view.absolute(f"{page.path}#{passage.anchor}"),
        text=text,
        tokens=estimate_tokens(text),
    )


def passage_text(view: ContentView, passage: Passage) -> str:
    """Return the text of a passage with absolute links.

    A page without text of its own, such as a category, is found by its title.
    """
    return rewrite_targets(passage.text or passage.page.title, partial(absolute, view.base_url))


def section_of(passage: Passage) -> AnswerSection:
    """Return where a passage stands."""
    return AnswerSection(
        id=passage.anchor,
        heading=passage.headings[-1] if passage.headings else passage.page.heading,
        path=list(passage.headings),
    )


def _within(found: Iterable[Answer], max_tokens: int) -> Iterator[Answer]:
    """Yield the answers that fit; of the best one as much as fits."""
    left = max_tokens
    for number, answer in enumerate(found):
        is_cut = answer.tokens > left and number == 0
        fitting = _shortened(answer, left) if is_cut else answer
        if fitting.tokens <= left:
            left -= fitting.tokens
            yield fitting


def _shortened(answer: Answer, max_tokens: int) -> Answer:
    text = shortened_text(answer.text, max_tokens)
    return answer.model_copy(
        update={"text": text, "tokens": estimate_tokens(text), "truncated": True}
    )


def shortened_text(text: str, max_tokens: int) -> str:
    """Return as many sentences of a text as fit, else words, else letters.

    >>> shortened_text("Counting takes an hour. Then it is booked.", 7)
    'Counting takes an hour. …'
    >>> shortened_text("Counting takes an hour", 5)
    'Counting takes an …'
    """
    words, sentences = (
        [match.end() for match in end.finditer(text)] for end in (_WORD_END, SENTENCE_END)
    )
    fitting = (_up_to(text, ends, max_tokens) for ends in (sentences, words, range(1, len(text))))
    return next(filter(None, fitting), "")


def whole_sentences(text: str, max_tokens: int) -> str:
    """Return as many sentences of a text as fit; `""` if not even the first one does.

    >>> whole_sentences("Counting takes an hour. Then it is booked.", 7)
    'Counting takes an hour. …'
    """
    return _up_to(text, [match.end() for match in SENTENCE_END.finditer(text)], max_tokens)


def _up_to(text: str, ends: Sequence[int], max_tokens: int) -> str:
    """Return a text up to the last of the ends at which it fits, `""` if it fits at none."""

    def tokens_to(end: int) -> int:
        return estimate_tokens(text[:end].rstrip() + _CUT)

    fitting = bisect_right(ends, max_tokens, key=tokens_to)
    return text[: ends[fitting - 1]].rstrip() + _CUT if fitting else ""
