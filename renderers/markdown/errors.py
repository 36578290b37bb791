"""Error pages: what is wrong and ways on, as blocks, and their markdown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from babel.lists import format_list

from knowledge.addresses.addresses import Address
from knowledge.blocks.block import Block
from knowledge.blocks.links import LinksBlock, NamedLink
from knowledge.blocks.text import TextBlock
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.page_type import PAGE_TYPES
from knowledge.locales import cldr
from knowledge.locales.locale import Language, Locale
from knowledge.resources.document_page import Fallback
from knowledge.resources.home import HOME_PAGE
from knowledge.resources.site_chrome import site_chrome
from knowledge.views.content_view import ContentView
from renderers.blocks.contact import call_lines
from renderers.blocks.context import MarkdownContext, link, paragraphs, with_markdown_links
from renderers.blocks.page_blocks import PageBlocks, text_of, with_ids, written
from renderers.l10n.translation import site_words, translate
from renderers.markdown.navigation import content_path, default_menu
from renderers.representation import PAGE_MEDIA_TYPES, Representation


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """An error to render, without the site's menu and contact if `view` is None.

    `nearest` holds (title, site path) of pages with similar paths, and `elsewhere` is the locale
    that has the page. No part of the request is shown.
    """

    status: int
    locale: Locale
    base_url: str
    nearest: tuple[tuple[str, str], ...] = ()
    view: ContentView | None = None
    elsewhere: Fallback | None = None

    @property
    def is_missing(self) -> bool:
        """Whether there is no page at the address."""
        return self.status in (404, 410)


def error_blocks(page: ErrorPage) -> PageBlocks:
    """Return the blocks of an error page."""
    return with_ids(_blocks(page, MarkdownContext(page.locale)), error_texts(page)[0])


def _blocks(page: ErrorPage, context: MarkdownContext) -> Iterator[Block]:
    """Yield what is wrong, and links to where the page is, to similar and to main pages."""
    gettext, view = context.gettext, page.view
    yield TextBlock(text=error_texts(page)[1], place="introduction")
    elsewhere = [_elsewhere(page.elsewhere, context.language)] if page.elsewhere else []
    yield LinksBlock(items=elsewhere, place="elsewhere")
    nearest = [NamedLink(text=title, href=path) for title, path in page.nearest]
    yield LinksBlock(
        heading=gettext("Perhaps you were looking for"), items=nearest, place="nearest"
    )
    home = NamedLink(text=gettext("Home page"), href=page.locale.path)
    if page.is_missing:
        chrome = view and site_chrome(view, Address(HOME_PAGE))
        menu = chrome.header_links or default_menu(view) if view and chrome else ()
        paths = [path for _, path in page.nearest]
        own = chain.from_iterable([each] if each.href else each.links or () for each in menu)
        links = [NamedLink(text=each.label, href=each.href) for each in own]
        links = [each for each in links if each.href and each.href not in paths]
        yield LinksBlock(heading=gettext("Main pages"), items=[home, *links], place="pages")
    else:
        yield LinksBlock(items=[home], place="elsewhere")
    guide = f"{page.locale.path}/llms.txt" if view else "/llms.txt"
    maps = (("llms.txt", guide), (gettext("Sitemap"), "/sitemap.xml"))
    yield LinksBlock(items=[NamedLink(text=text, href=path) for text, path in maps], place="maps")
    contact = view and content_path(view, "contact")
    if view and contact:
        asked = _("Tell us what happened.")
        asked = _("Tell us what you were looking for.") if page.is_missing else asked
        lines = call_lines(site_chrome(view, Address(HOME_PAGE)).contact, page.locale)
        calls = [(each.text, each.url) for each in lines if each.url and "tel:" in each.url]
        ways = [(site_words(view).talkToUs or gettext("Contact"), contact), *calls]
        text = paragraphs((gettext(asked), *(link(words, path) for words, path in ways)))
        heading = gettext("We are glad to help")
        yield TextBlock(heading=heading, text=text, is_call=True, place="call")


def _elsewhere(other: Fallback, language: Language) -> NamedLink:
    """Return the link to the page in another locale."""
    names = {"language": cldr.language_name(other.lang, language)}
    if other.country_code is None:
        words = translate(_("Read it in %(language)s"), language, **names)
        return NamedLink(text=words, href=other.href, hreflang=other.lang)
    names["country"] = cldr.country_name(other.country_code, language)
    words = translate(_("Read it in %(language)s for %(country)s"), language, **names)
    return NamedLink(text=words, href=other.href, hreflang=f"{other.lang}-{other.country_code}")


def render_error(page: ErrorPage) -> Representation:
    """Render an error page as markdown."""
    blocks = written(error_blocks(page).all, MarkdownContext(page.locale))
    text = paragraphs((f"# {page.status} {error_texts(page)[0]}", text_of(blocks)))
    pages = page.view.snapshot.page_types if page.view else PAGE_TYPES
    text = with_markdown_links(text, page.base_url, pages).rstrip() + "\n"
    return Representation("text/markdown; charset=utf-8", text.encode(), page.locale.language)


def error_texts(page: ErrorPage) -> tuple[str, str]:
    """Return the title and the explanation of an error in the language of its locale."""
    title, explanation = _TEXTS.get(page.status, _TEXTS[500 if page.status >= 500 else 400])
    language = page.locale.language
    media_types = format_list(PAGE_MEDIA_TYPES, locale=cldr.formats(None, language))
    return translate(title, language), translate(explanation, language, media_types=media_types)


_TEXTS = {
    400: (_("Bad request"), _("The address or a parameter in it cannot be read.")),
    403: (
        _("Not allowed"),
        _("This form is sent from its own page only. Please open the page and send it there."),
    ),
    404: (_("Page not found"), _("There is no page at this address.")),
    405: (_("Method not allowed"), _("This address can only be read.")),
    406: (
        _("No acceptable form"),
        _("This page exists as %(media_types)s."),
    ),
    410: (_("Page removed"), _("The page at this address has been removed for good.")),
    416: (_("No such part"), _("The file ends before the part that was asked for.")),
    429: (
        _("Too many requests"),
        _("You have sent this too often. Please wait some minutes and try again."),
    ),
    500: (_("Something went wrong"), _("The fault is on our side. Please try again.")),
    503: (_("Not available"), _("The content cannot be read at the moment. Please try again.")),
}
