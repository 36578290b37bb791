"""Search of all public pages: its results for readers, and passages that answer, for programs."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, islice
from typing import Annotated

from pydantic import Field

from knowledge.addresses.addresses import LocalizedAddress, address_of, localized_addresses
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import CATEGORY, POST
from knowledge.fields.field_types import Omittable
from knowledge.fields.page_type import PAGE_TYPES, PageGroup, PageType, PageTypes
from knowledge.locales import cldr
from knowledge.locales.locale import Language, Locale
from knowledge.markdown.inline import rewrite_targets
from knowledge.markdown.tokens import estimate_tokens
from knowledge.resources import queries
from knowledge.resources.base import (
    CountrySlug,
    Instant,
    PageResource,
    Pagination,
    Resource,
    Uri,
    paginate,
    resource_in,
)
from knowledge.resources.blog import CATEGORY_PAGE, BlogCategory, category_list, other_language_of
from knowledge.resources.document_page import title_of
from knowledge.resources.passages import Passage, Spans, excerpt, shortened_text
from knowledge.resources.posts import POST_PAGE
from knowledge.resources.queries import SearchFit, SiteQuery, declare_page
from knowledge.views.content_view import ContentView, absolute

PAGE_SIZE = 10
_MAX_SITES = 4


class AnswerSection(Resource):
    """Where a passage stands: the id of its heading, the heading, and the path to it."""

    id: str
    """Id of the heading, to link to."""
    heading: str
    """Text of the heading."""
    path: list[str]
    """Headings from the page's title down to this one."""


class SearchItem(Resource):
    """One page that matches: its best passage.

    `path` is its site path, `url` leads to the section of the passage, and `summary` is the
    sentence that answers.
    """

    kind: str
    title: str
    summary: str
    path: str
    section: AnswerSection
    url: Uri
    lang: Omittable[str] = None
    """Language of the page, if it is neither English nor Arabic."""


class SearchFilter(Resource):
    """Kinds of pages by which results can be filtered, separated by commas.

    `count` is the number of results, if it is known.
    """

    kind: str
    count: Omittable[int] = None


class PopularCategory(Resource):
    """A blog category with its number of posts and its newest post."""

    name: str
    path: str
    count: int
    newest: str
    newest_path: str
    newest_lang: Omittable[str] = None
    """Language of the newest post, if it is neither English nor Arabic."""


class OtherResults(Resource):
    """The results in the other language of the country: how many, and the path of their list."""

    language: Language
    total: int
    path: str


class SearchResults(SearchFit, PageResource):
    """One page of search results; if there are none, a suggested query and popular categories.

    `truncated` says that more pages match than the best ones in this list. The suggestion of a
    query with results is its spelling as it was searched.
    """

    query: str
    items: list[SearchItem]
    pagination: Pagination
    kind: Omittable[str] = None
    filters: list[SearchFilter]
    truncated: bool
    suggestion: Omittable[str] = None
    popular: Omittable[list[PopularCategory]] = None
    other_language: Omittable[OtherResults] = None

    def listed_pages(self, view: ContentView) -> Iterable[LocalizedAddress]:
        """Return the pages that are shown."""
        return localized_addresses((each.path for each in self.items), view.snapshot)


def search_results(view: ContentView, query: SiteQuery, spans: Spans | None) -> SearchResults:
    """Return one page of search results, best first; `spans` finds the words of the query."""
    found, total, words = query.found, query.found.total, spans or (lambda _: ())
    return SearchResults(
        query=query.text,
        items=[_item(view, each, excerpt(each.text, words, found.holds)) for each in found.shown],
        pagination=paginate(range(total), query.page, PAGE_SIZE)[1],
        kind=",".join(query.kinds) or None,
        filters=list(_filters(view, query)) if query.text else [],
        truncated=not found.is_complete,
        suggestion=found.suggestion,
        popular=None if total else popular_categories(view) or None,
        other_language=_other_results(view, found.elsewhere) if found.elsewhere else None,
        **dict(found.fit),
    )


def _other_results(view: ContentView, total: int) -> OtherResults:
    other = view.locale.in_language(view.locale.language.other)
    path = other.path + address_of(view.snapshot, SEARCH_PAGE).path
    return OtherResults(language=other.language, total=total, path=path)


def _item(view: ContentView, passage: Passage, summary: str) -> SearchItem:
    page = passage.page
    resolved = view.resolve(page.kind, page.slug, page.address.city or None)
    return SearchItem(
        kind=page.kind.singular,
        title=page.title,
        summary=summary,
        path=page.path,
        section=section_of(passage),
        url=view.absolute(f"{page.path}#{passage.anchor}"),
        lang=other_language_of(resolved) if resolved else None,
    )


def _filters(view: ContentView, query: SiteQuery) -> Iterator[SearchFilter]:
    """Yield the filters that have results, and the one in use; all, if there may be more."""
    for kinds in kinds_by_group(view.snapshot.page_types).values():
        count = sum(query.found.counts.get(kind, 0) for kind in kinds)
        if count or kinds == query.kinds or not query.found.is_complete:
            shown = count if query.found.is_complete else None
            yield SearchFilter(kind=",".join(kinds), count=shown)


@lru_cache(_MAX_SITES)
def kinds_by_group(pages: PageTypes) -> Mapping[PageGroup, tuple[str, ...]]:
    """Return the kinds of pages by which readers filter: those of each group of page types."""
    groups: dict[str, PageGroup] = {}
    for page in pages.listed:
        for kind in page.content_types if page.lists is None or not page.kind else ():
            groups.setdefault(kind.singular, page.group)
    return {
        group: tuple(kind for kind in groups if groups[kind] == group)
        for group in sorted({*groups.values()})
    }


def searched_kinds(pages: PageTypes = PAGE_TYPES) -> tuple[str, ...]:
    """Return the kinds of all pages, by name; without the types of a site the built-in ones."""
    return tuple(sorted(chain.from_iterable(kinds_by_group(pages).values())))


def popular_categories(view: ContentView) -> list[PopularCategory]:
    """Return the categories that have published posts, most posts first."""
    categories = category_list(view).items
    popular = view.snapshot.left_out.each(
        categories, partial(_popular, view), lambda each: f"{CATEGORY}/{each.slug}"
    )
    return sorted((each for each in popular if each is not None), key=lambda each: -each.count)


def _popular(view: ContentView, category: BlogCategory) -> PopularCategory | None:
    index = view.snapshot.posts(view.locale)
    records = [
        record
        for record in index.of_term(CATEGORY, category.slug)
        if record.is_published_at(view.now)
    ]
    newest = view.resolve(POST, records[0].slug) if records else None
    if newest is None:
        return None
    return PopularCategory(
        name=category.name,
        path=view.locale.path + address_of(view.snapshot, CATEGORY_PAGE, category.slug).path,
        count=len(records),
        newest=title_of(newest),
        newest_path=view.locale.path + address_of(view.snapshot, POST_PAGE, newest.entry.slug).path,
        newest_lang=other_language_of(newest),
    )


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
    updated_at: Omittable[Instant] = None
    """When the page was last changed, if its author states it."""
    country: Omittable[CountrySlug] = None
    """Slug of the country whose readers the page is for; absent on a site without countries."""
    country_name: Omittable[str] = None
    """Name of that country."""


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


class Answers(SearchFit, PageResource):
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
    country: Omittable[CountrySlug] = None
    """Slug of the country whose pages were searched; absent on a site without countries."""
    assumed: Omittable[str] = None
    """What was assumed of the country, and why, if the request names none."""

    def listed_pages(self, view: ContentView) -> Iterable[LocalizedAddress]:
        """Return the pages of the passages."""
        return localized_addresses((each.page.path for each in self.items), view.snapshot)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, how many passages and tokens may be in the answer, and what was assumed."""

    text: str
    is_cut: bool = False
    limit: int = 8
    max_tokens: int = 2_000
    assumed: str | None = None


def answers(
    view: ContentView,
    question: Question,
    passages: Iterable[Passage],
    suggestion: str | None,
    fit: SearchFit,
) -> Answers:
    """Return the best passages that fit into the limits; `passages` are best first."""
    found = [_answer_of(view, passage) for passage in islice(passages, question.limit)]
    fitting = list(_within(found, question.max_tokens))
    return Answers(
        query=question.text,
        query_truncated=question.is_cut,
        items=fitting,
        tokens=sum(answer.tokens for answer in fitting),
        truncated=fitting != found,
        suggestion=suggestion,
        country=view.locale.country and view.locale.country.slug,
        assumed=question.assumed,
        **dict(fit),
    )


def country_facts(locale: Locale) -> dict[str, str]:
    """Return the slug and the name of a locale's country as JSON has them, if it has one."""
    country = locale.country
    if country is None:
        return {}
    name = cldr.country_name(country, locale.language)
    return {"country": country.slug, "countryName": name}


def _answer_of(view: ContentView, passage: Passage) -> Answer:
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
            **country_facts(view.locale),
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
        fitting = _shortened_answer(answer, left) if is_cut else answer
        if fitting.tokens <= left:
            left -= fitting.tokens
            yield fitting


def _shortened_answer(answer: Answer, max_tokens: int) -> Answer:
    text = shortened_text(answer.text, max_tokens)
    return answer.model_copy(
        update={"text": text, "tokens": estimate_tokens(text), "truncated": True}
    )


SEARCH_PAGE = declare_page(
    PageType(
        name="search",
        path="/search",
        title=_("Search"),
        group=queries.COMPANY,
        reason="",
        is_indexed=False,
        lists_pages=True,
        parameters=("q", "kind", "page"),
        schema_type="SearchResultsPage",
    ),
    lambda view, _, query: resource_in(
        view.locale, search_results(view, query.site, query.highlights)
    ),
)
