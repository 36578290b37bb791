"""Search results, with suggestions if there are none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple
from urllib.parse import urlencode

from knowledge.addresses.addresses import Address, localized_addresses
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import PRODUCT
from knowledge.fields.page_type import PageTypes
from knowledge.locales.cldr import language_name
from knowledge.locales.locale import Language
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
from knowledge.resources.site_page import PageModel, breadcrumbs
from knowledge.views.content_view import ContentView, absolute
from renderers.l10n.translation import translate, translations
from renderers.markdown.context import (
    MarkdownContext,
    bullets,
    chapter,
    link_text,
    paragraphs,
    with_markdown_links,
)
from renderers.markdown.navigation import page_position, popular, search_query, search_suggestion
from renderers.page_rendering import PageRendering, Variables, declare_rendering
from renderers.representation import MediaType, suffixed_path

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
        "elsewhere": _elsewhere(page.answer.resource, page.locale.language, MediaType.HTML),
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
        everything, page.path + search_query(page, results.query), results.kind is None
    )
    for each in results.filters:
        kinds = each.kind.split(",")
        path = page.path + search_query(page, results.query, kinds)
        yield KindFilter(titles[kinds[0]], path, each.kind == results.kind, each.count)


def _elsewhere(
    results: _Results, language: Language, media_type: MediaType
) -> tuple[str, str] | None:
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
    return words, f"{suffixed_path(other.path, media_type)}?{query}"


def _titles(view: ContentView) -> Mapping[str, str]:
    """Return the title of the pages of each kind."""
    return {
        kind: translate(group.heading, view.locale.language)
        for group, kinds in kinds_by_group(view.snapshot.page_types).items()
        for kind in kinds
    }


def _markdown(results: _Results, context: MarkdownContext) -> str:
    if isinstance(results, Answers):
        return _answers(results, context)
    return _pages(results, context)


def _answers(results: Answers, context: MarkdownContext) -> str:
    """Return each passage with its headings and its link, so that it can be quoted."""
    if not results.items:
        hint = f"{context.gettext('Did you mean')}: {results.suggestion}"
        return paragraphs([*_note(results, context), hint if results.suggestion else ""])
    pages = context.snapshot.page_types
    answers = (part for item in results.items for part in _answer(item, pages))
    return paragraphs([*_note(results, context), *answers])


def _note(results: SearchFit, context: MarkdownContext) -> Iterator[str]:
    """Yield what is not there, and where the company answers.

    The words that occur nowhere are not repeated: a link could have them read as the site's own.
    """
    if results.note:
        is_poor = results.note.startswith(_poor(context.language))
        unnamed = context.gettext("Words of this question occur nowhere on this site.")
        yield _sentences(is_poor, unnamed if results.not_found else "", context.language)
    if results.contact:
        yield f"{context.gettext('Contact')}: <{results.contact}>"


_QUOTED = {Language.EN: "“{}”", Language.AR: "«{}»"}


def fit_note(is_poor: bool, not_found: Sequence[str], language: Language) -> str | None:
    """Return in sentences that little fits, and which words occur nowhere; None for neither."""
    words = translate(_(", "), language).join(map(_QUOTED[language].format, not_found))
    named = translate(_("Not found anywhere on this site: %(words)s."), language, words=words)
    return _sentences(is_poor, named if words else "", language) or None


def _sentences(is_poor: bool, not_found: str, language: Language) -> str:
    return " ".join(filter(None, (_poor(language) if is_poor else "", not_found)))


def _poor(language: Language) -> str:
    return translate(_("Nothing on this site clearly answers this."), language)


def _answer(item: Answer, pages: PageTypes) -> Iterator[str]:
    headings = dict.fromkeys((item.page.title, *(item.section.path or [item.section.heading])))
    yield f"## {' › '.join(headings)}"
    base_url = item.page.url.removesuffix(absolute("", item.page.path))
    yield with_markdown_links(item.text, base_url, pages)
    yield f"<{item.url}>"


def _pages(results: SearchResults, context: MarkdownContext) -> str:
    """Return the results as links with summaries, the page number and suggestions."""
    address = Address(SEARCH_PAGE)
    elsewhere = _elsewhere(results, context.language, MediaType.MARKDOWN)
    return paragraphs(
        [
            *_note(results, context),
            bullets(_line(item) for item in results.items),
            page_position(results.pagination, context)
            if results.items
            else context.gettext("Nothing found"),
            search_suggestion(results.suggestion, address, "q", context),
            f"[{elsewhere[0]}]({elsewhere[1]})" if elsewhere else "",
            chapter(
                context.gettext("Popular by category"), popular(results.popular or (), context)
            ),
        ]
    )


def _line(item: SearchItem) -> str:
    """Return the link to the section of a result, its headings, and what answers."""
    path, section = suffixed_path(item.path, MediaType.MARKDOWN), item.section
    target = f"{path}#{section.id}" if section.path else path
    headings = " › ".join((f"[{link_text(item.title)}]({target})", *section.path))
    return f"{headings}: {item.summary}".rstrip(": ")


_RENDERING: PageRendering[_Results] = PageRendering(
    resources=(SearchResults, Answers), markdown=_markdown, variables=_variables
)
declare_rendering(_RENDERING, SEARCH_PAGE)
