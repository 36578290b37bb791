"""The tools `search` and `find_passages`: the passages that fit a query best."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Self

from pydantic import BaseModel, Field

from app.features.mcp.pages import PageId
from app.features.mcp.tool import Tool, ToolContext, ToolError, VisitorArguments
from app.publishing.content.assumed_locale import assume_country, in_language_of
from app.publishing.content.passage_finder import PassageFinder
from indexes.passages import queries
from indexes.passages.search import SearchResult
from knowledge.documents.body import one_line
from knowledge.fields.field_types import Omittable
from knowledge.markdown.tokens import estimate_tokens
from knowledge.resources.passages import Passage, excerpt, whole_sentences
from knowledge.resources.queries import SearchFit
from knowledge.resources.search import country_facts
from knowledge.views.content_view import ContentView
from renderers.blocks.context import with_markdown_links
from renderers.l10n.formats import timestamp

_MAX_HITS = 100
_MAX_TITLE = 200


@dataclass(frozen=True, slots=True)
class FoundPassages:
    """What a query found for the readers of a view, best first."""

    finder: PassageFinder
    result: SearchResult
    query: str

    @classmethod
    def of(
        cls, context: ToolContext, view: ContentView, query: str, kinds: tuple[str, ...] = ()
    ) -> Self:
        """Search; raises ToolError for a query without words, or SearchBeingPrepared."""
        text = queries.shortened(query)
        if not queries.has_word(text):
            raise ToolError("query: it has no word. Send query as a question or words.")
        own = PassageFinder.of(context.edition.passages, view)
        finder, result = own.in_either_language(text, _MAX_HITS, kinds)
        return cls(finder, result, text)

    @property
    def total(self) -> int:
        """The number of hits whose text is still on its page."""
        return sum(map(self.finder.is_there, self.result.hits))

    @property
    def passages(self) -> Iterator[Passage]:
        """The passages with a text, each text once; only their title has that of a tag."""
        texts = set()
        for passage in self.finder.answering(self.result.hits):
            if passage.text and (passage.headings, passage.text) not in texts:
                texts.add((passage.headings, passage.text))
                yield passage

    @property
    def fit(self) -> SearchFit:
        """How well it answers; the note says where the company answers."""
        fit = self.finder.fit(self.query, self.result)
        note = f"{fit.note} {fit.contact}" if fit.contact else fit.note
        return fit.model_copy(update={"note": note})

    @property
    def suggestion(self) -> str | None:
        """Another query, which finds something."""
        return self.finder.suggestion(self.query, self.result)


def id_of(passage: Passage) -> str:
    """Return the id of a passage's section, or of its page at the heading of level 1."""
    is_page = not passage.headings and passage.is_at_top
    return str(PageId(passage.page.path, "" if is_page else passage.anchor))


def title_of(passage: Passage) -> str:
    """Return the title of a passage's page, on one line and not too long."""
    return one_line(passage.page.title, _MAX_TITLE)


def heading_of(passage: Passage) -> str:
    """Return the headings above a passage, `""` at the start of its page."""
    return one_line(" › ".join(passage.headings), _MAX_TITLE)


_MAX_RESULTS = 10


class QueryArguments(VisitorArguments):
    """What is searched for, and by whom."""

    query: Annotated[str, Field(description="A question or words")]

    def searched(self, context: ToolContext) -> tuple[ContentView, str | None]:
        """Return the view to search, and what was assumed.

        What the call does not name, the query tells: its country, and its language.
        """
        view, assumed = self.view(context), None
        if not self.country:
            view, assumed = assume_country(self.query, view, context.country_source)
        return view if self.lang else in_language_of(self.query, view), assumed


class SearchArguments(QueryArguments):
    """What is searched for; ChatGPT expects a query alone."""

    unlisted = tuple(VisitorArguments.model_fields)


class SearchHit(BaseModel):
    """A section that answers; `text` is the sentence of it that fits best."""

    id: str
    title: str
    url: str
    text: str


class SearchHits(BaseModel):
    """The sections found, best first; `note` says what this site does not have.

    `assumed` is the country that was searched and why, if the call names none.
    """

    results: list[SearchHit]
    assumed: Omittable[str] = None
    note: Omittable[str] = None


def _search(context: ToolContext, arguments: SearchArguments) -> SearchHits:
    """Search in the country and the language that the call or the query names."""
    view, assumed = arguments.searched(context)
    found = FoundPassages.of(context, view, arguments.query, arguments.kinds)
    results = [_hit(found, passage) for passage in islice(found.passages, _MAX_RESULTS)]
    return SearchHits(results=results, assumed=assumed, note=found.fit.note)


def _hit(found: FoundPassages, passage: Passage) -> SearchHit:
    title, heading = title_of(passage), heading_of(passage)
    return SearchHit(
        id=id_of(passage),
        title=f"{title}: {heading}" if heading else title,
        url=found.finder.view.absolute(id_of(passage)),
        text=excerpt(passage.text, found.result.highlights, found.result.holds),
    )


SEARCH = Tool(
    name="search",
    title="Search the site",
    description=(
        "Finds the sections of this site's pages that fit a query best. Their ids are for fetch."
    ),
    use="For questions about {site}: {subjects}.",
    arguments=SearchArguments,
    result=SearchHits,
    call=_search,
    searches=True,
    hits=lambda found: len(found.results),
)


class PassageArguments(QueryArguments):
    """What is searched for, and how much may be in the answer."""

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
    country: Omittable[str] = None
    countryName: Omittable[str] = None  # noqa: N815 - as in the API


class PassageList(BaseModel):
    """The passages, best first; `suggestion` is another query, if nothing matches.

    `assumed` is the country that was searched and why, if the call names none. `relevance` from 0
    to 1 says how well the passages fit, `notFound` which words occur nowhere.
    """

    passages: list[FoundPassage]
    total: Annotated[int, Field(description="All that match, up to 100")]
    truncated: Annotated[bool, Field(description="By max_tokens")]
    suggestion: Omittable[str] = None
    assumed: Omittable[str] = None
    relevance: float
    notFound: Omittable[list[str]] = None  # noqa: N815 - as in the API
    note: Omittable[str] = None


def _find(context: ToolContext, arguments: PassageArguments) -> PassageList:
    view, assumed = arguments.searched(context)
    found = FoundPassages.of(context, view, arguments.query, arguments.kinds)
    best = [_passage(view, each) for each in islice(found.passages, arguments.limit)]
    fitting = list(_within(best, arguments.max_tokens))
    total, fit = found.total, found.fit
    return PassageList(
        passages=fitting,
        total=total,
        truncated=fitting != best,
        suggestion=None if total else found.suggestion,
        assumed=assumed,
        relevance=fit.relevance,
        notFound=fit.not_found,
        note=fit.note,
    )


def _passage(view: ContentView, passage: Passage) -> FoundPassage:
    updated = passage.page.updated_at
    text = with_markdown_links(passage.text, view.base_url, view.snapshot.page_types)
    return FoundPassage(
        id=id_of(passage),
        title=title_of(passage),
        heading=heading_of(passage),
        text=text,
        url=view.absolute(id_of(passage)),
        tokens=estimate_tokens(text),
        lang=str(passage.language),
        updated=timestamp(updated, view.locale) if updated else None,
        **country_facts(view.locale),
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
    use="For facts about {site}{places} to quote: {parts}.",
    arguments=PassageArguments,
    result=PassageList,
    call=_find,
    searches=True,
    hits=lambda found: found.total,
)
