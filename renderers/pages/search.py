"""Search results, with suggestions if there are none."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from urllib.parse import urlencode

from knowledge.addresses.addresses import Address, localized_addresses
from knowledge.blocks.answers import AnswersBlock, AnswerText
from knowledge.blocks.block import Block, Picture, Role
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
from renderers.page_rendering import (
    PageRendering,
    Variables,
    breadcrumb_title,
    declare_rendering,
)

_Results = SearchResults | Answers


def _variables(page: PageModel[_Results]) -> Variables:
    return {"exact": " ".join(f'"{word}"' for word in page.query.site.found.misspelt)}


def _filters(page: PageContent[_Results], results: SearchResults) -> Iterator[NamedLink]:
    """Yield the link to all results, then those to the results of some kinds, if there are any."""
    everything, titles = translate(_("All pages"), page.view.locale.language), _titles(page.view)
    path = page.path + navigation.search_query(page, results.query)
    if results.filters:
        yield NamedLink(text=everything, href=path, current=results.kind is None)
    for each in results.filters:
        kinds = each.kind.split(",")
        yield NamedLink(
            text=titles[kinds[0]],
            href=page.path + navigation.search_query(page, results.query, kinds),
            current=each.kind == results.kind,
            count=each.count,
        )


def _elsewhere(page: PageContent[_Results], results: SearchResults) -> Iterator[NamedLink]:
    """Yield the links to the results in the other language, and to the first of them."""
    other, language = results.other_language, page.view.locale.language
    if other is None:
        return
    given = {"q": results.query, "kind": results.kind}
    query = urlencode({name: value for name, value in given.items() if value})
    text = translations(language).ngettext(
        "%(num)s result in %(language)s", "%(num)s results in %(language)s", other.total
    )
    words = text % {"num": other.total, "language": language_name(other.language, language)}
    links = [(words, f"{other.path}?{query}")]
    links += [(each.page.title, each.page.path) for each in page.query.site.found.elsewhere_first]
    for title, path in links:
        yield NamedLink(text=title, href=path, hreflang=other.language)


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
    without: str | None,
    named: Sequence[Country],
    without_pages: Sequence[Country],
) -> str | None:
    """Return in sentences what a reader should know of the answer; None for nothing.

    That little fits, which words are nowhere, the URL of the list `without` what the question does
    not want, and which countries it names.
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
    if without:
        sentence = _("What the question does not want is left out in this list: %(url)s")
        sentences.append(translate(sentence, language, url=without))
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
    card, left_out = partial(_card, page, _titles(page.view)), page.view.snapshot.left_out
    cards = left_out.each(results.items, card, attrgetter("path"))
    yield CardsBlock(items=list(cards), place="list")
    if results.items:
        yield from navigation.paging_blocks(page, results.pagination, context)
    else:
        yield TextBlock(text=context.gettext("Nothing found"))
    yield navigation.suggestion_block(results.suggestion, Address(SEARCH_PAGE), "q", context)
    yield LinksBlock(items=list(_elsewhere(page, results)), place="elsewhere")
    filters, label = list(_filters(page, results)), context.gettext("Kinds of pages")
    yield LinksBlock(label=label, items=filters, role=Role.NAVIGATION, place="filters")
    yield navigation.popular_block(results.popular or (), context)


def _card(page: PageContent[_Results], titles: Mapping[str, str], item: SearchItem) -> Card:
    """Return a result with the headings of its section, and what answers.

    A product tells its price, and what it is if the answer has no word of the search.
    """
    view, section, marked = page.view, item.section, page.query.highlights
    named = (each.address for each in localized_addresses([item.path], view.snapshot))
    address = next(named, None)  # that of the manual has no locale
    trail = breadcrumbs(view, address)[1:-1] if address else ()
    product_slug = address.slug if address and address.page is PRODUCT_PAGE else ""
    resolved = view.resolve(PRODUCT, product_slug) if product_slug else None
    product = product_item(view, resolved) if resolved else None
    is_answer = marked is not None and any(marked(item.summary))
    about = None if product is None or is_answer else product.short_description
    return Card(
        title=item.title,
        href=f"{item.path}#{section.id}" if section.path else item.path,
        summary=about or item.summary or None,
        headings=None if about else tuple(section.path) or None,
        above=tuple(breadcrumb_title(each, view.locale.language) for each in trail)
        or (titles[item.kind],),
        picture=Picture(url=product.image, alt="") if product and product.image else None,
        offer=product,
        language=item.lang,
    )


_RENDERING: PageRendering[_Results] = PageRendering(
    resources=(SearchResults, Answers), blocks=_blocks, variables=_variables
)
declare_rendering(_RENDERING, SEARCH_PAGE)
