"""Search results, with suggestions if there are none."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple
from urllib.parse import urlencode

from knowledge.addresses.addresses import Address, localized_addresses
from knowledge.blocks.answers import AnswersBlock, AnswerText
from knowledge.blocks.block import Block
from knowledge.blocks.cards import Card, CardsBlock
from knowledge.blocks.links import LinksBlock, NamedLink
from knowledge.blocks.text import TextBlock
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import PRODUCT
from knowledge.fields.page_type import PageTypes
from knowledge.locales.cldr import country_name, language_name
from knowledge.locales.locale import Country, Language, Locale
from knowledge.resources.products import PRODUCT_PAGE, product_item
from knowledge.resources.queries import SearchFit
from knowledge.resources.search import (
    SEARCH_PAGE,
    Answer,
    Answers,
    SearchItem,
    SearchResults,
    kinds_by_group,
)
from knowledge.resources.site_page import PageContent, PageModel, breadcrumbs
from knowledge.views.content_view import ContentView, absolute
from renderers.blocks.context import (
    MarkdownContext,
    paragraphs,
    with_markdown_links,
)
from renderers.l10n.translation import translate, translations
from renderers.markdown import navigation
from renderers.page_rendering import PageRendering, Variables, declare_rendering

_Results = SearchResults | Answers


class KindFilter(NamedTuple):
    """A link to the results of some kinds; `pages` is None if their number is not known."""

    title: str
    path: str
    current: bool
    pages: int | None = None


def _variables(page: PageModel[_Results]) -> Variables:
    view, results, titles = page.view, page.answer.resource, _titles(page.view)
    found = results.items if isinstance(results, SearchResults) else ()
    addresses = {
        item.path: page.address
        for item in found
        for page in localized_addresses([item.path], view.snapshot)
    }
    slugs = (each.slug for each in addresses.values() if each.page is PRODUCT_PAGE)
    products = filter(None, (view.resolve(PRODUCT, slug) for slug in slugs))
    return {
        "filters": list(_filters(page, titles)),
        "titles": titles,
        "above": {path: breadcrumbs(view, each)[1:-1] for path, each in addresses.items()},
        "products": {each.slug: each for each in view.each(products, partial(product_item, view))},
        "elsewhere": _elsewhere(page.resource, page.locale.language),
        "elsewhere_first": [each.page for each in page.query.site.found.elsewhere_first],
        "exact": " ".join(f'"{word}"' for word in page.query.site.found.misspelt),
    }


def _filters(page: PageModel[_Results], titles: Mapping[str, str]) -> Iterator[KindFilter]:
    """Yield the link to all results, then those to the results of some kinds."""
    results = page.answer.resource
    if not isinstance(results, SearchResults) or not results.filters:
        return
    everything = translate(_("All pages"), page.locale.language)
    yield KindFilter(
        everything, page.path + navigation.search_query(page, results.query), results.kind is None
    )
    for each in results.filters:
        kinds = each.kind.split(",")
        path = page.path + navigation.search_query(page, results.query, kinds)
        yield KindFilter(titles[kinds[0]], path, each.kind == results.kind, each.count)


def _elsewhere(results: _Results, language: Language) -> tuple[str, str] | None:
    """Return text and path of the link to the results in the other language, if there are some."""
    if not isinstance(results, SearchResults) or results.other_language is None:
        return None
    other = results.other_language
    given = {"q": results.query, "kind": results.kind}
    query = urlencode({name: value for name, value in given.items() if value})
    text = translations(language).ngettext(
        "%(num)s result in %(language)s", "%(num)s results in %(language)s", other.total
    )
    words = text % {"num": other.total, "language": language_name(other.language, language)}
    return words, f"{other.path}?{query}"


def _titles(view: ContentView) -> Mapping[str, str]:
    """Return the title of the pages of each kind."""
    return {
        kind: translate(group.heading, view.locale.language)
        for group, kinds in kinds_by_group(view.snapshot.page_types).items()
        for kind in kinds
    }


def _blocks(page: PageContent[_Results], context: MarkdownContext) -> Iterator[Block]:
    results = page.resource
    yield TextBlock(text=paragraphs(_note(results, context)))
    if isinstance(results, Answers):
        yield from _answer_blocks(results, context)
    else:
        yield from _result_blocks(page, results, context)


def _answer_blocks(results: Answers, context: MarkdownContext) -> Iterator[Block]:
    """Yield the passages with their headings and links, so that they can be quoted."""
    answers = (_answer(each, context.snapshot.page_types) for each in results.items)
    yield AnswersBlock(items=list(answers))
    if not results.items and results.suggestion:
        yield TextBlock(text=f"{context.gettext('Did you mean')}: {results.suggestion}")


def _note(results: SearchFit, context: MarkdownContext) -> Iterator[str]:
    """Yield what is not there, and where the company answers.

    The words that occur nowhere are not repeated: a link could have them read as the site's own.
    """
    if results.note and results.not_found:
        unnamed = context.gettext("Words of this question occur nowhere on this site.")
        yield results.note.replace(_missing(results.not_found, context.language), unnamed)
    elif results.note:
        yield results.note
    if results.contact:
        yield f"{context.gettext('Contact')}: <{results.contact}>"


_QUOTED = {Language.EN: "“{}”", Language.AR: "«{}»"}


def fit_note(
    locale: Locale,
    is_poor: bool,
    not_found: Sequence[str],
    named: Sequence[Country],
    without_pages: Sequence[Country],
) -> str | None:
    """Return in sentences that little fits, which words are nowhere, and which countries are named.

    It is None for none of these.
    """
    language, sentences = locale.language, []
    if is_poor:
        sentences.append(translate(_("Nothing on this site clearly answers this."), language))
    if not_found:
        sentences.append(_missing(not_found, language))
    if locale.country and (others := named or without_pages):
        names = (country_name(each, language) for each in others)
        sentence = (
            _("The question names %(named)s; this is for %(country)s. Ask once for each.")
            if named
            else _("This site has no pages for %(named)s; this is for %(country)s.")
        )
        joined, own = (
            translate(_(", "), language).join(names),
            country_name(locale.country, language),
        )
        sentences.append(translate(sentence, language, named=joined, country=own))
    return " ".join(sentences) or None


def _missing(words: Sequence[str], language: Language) -> str:
    quoted = translate(_(", "), language).join(map(_QUOTED[language].format, words))
    return translate(_("Not found anywhere on this site: %(words)s."), language, words=quoted)


def _answer(item: Answer, pages: PageTypes) -> AnswerText:
    headings = dict.fromkeys((item.page.title, *(item.section.path or [item.section.heading])))
    base_url = item.page.url.removesuffix(absolute("", item.page.path))
    words = with_markdown_links(item.text, base_url, pages)
    return AnswerText(title=" › ".join(headings), words=words, url=item.url)


def _result_blocks(
    page: PageContent[_Results], results: SearchResults, context: MarkdownContext
) -> Iterator[Block]:
    """Yield the results as links with summaries, the page number and suggestions."""
    yield CardsBlock(items=[_card(item) for item in results.items])
    if results.items:
        yield from navigation.paging_blocks(page, results.pagination, context)
    else:
        yield TextBlock(text=context.gettext("Nothing found"))
    yield navigation.suggestion_block(results.suggestion, Address(SEARCH_PAGE), "q", context)
    elsewhere = _elsewhere(results, context.language)
    yield LinksBlock(items=[NamedLink(text=elsewhere[0], href=elsewhere[1])] if elsewhere else [])
    yield navigation.popular_block(results.popular or (), context)


def _card(item: SearchItem) -> Card:
    """Return a result with the headings of its section, and what answers."""
    section = item.section
    href = f"{item.path}#{section.id}" if section.path else item.path
    title = " › ".join((item.title, *section.path))
    return Card(title=title, href=href, summary=item.summary or None)


_RENDERING: PageRendering[_Results] = PageRendering(
    resources=(SearchResults, Answers), blocks=_blocks, variables=_variables
)
declare_rendering(_RENDERING, SEARCH_PAGE)
