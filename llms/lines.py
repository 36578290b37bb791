"""Lines of an llms.txt: a link, when to use it, and the description of a page."""

from __future__ import annotations

from knowledge import cldr
from knowledge.content_view import ContentView
from knowledge.inline import plain_text
from knowledge.locale import Locale
from knowledge.resources.seo import description_of
from llms.messages import MESSAGES, Link, Messages
from llms.page_index import PageEntry
from renderers.html.head import brand
from renderers.markdown.context import link_text
from renderers.media_types import MediaType
from renderers.representation_urls import suffixed_path
from renderers.translation import translate

_TITLE_CHARACTERS = 100
_DESCRIPTION_CHARACTERS = 160


def messages_for(view: ContentView) -> Messages:
    """Return the messages in the view's language."""
    return MESSAGES[view.locale.language]


def guide_path(locale: Locale, number: int = 1) -> str:
    """Return the path of a locale's llms.txt, or of its continuation with this number.

    >>> from knowledge.locale import DEFAULT_LOCALE
    >>> guide_path(DEFAULT_LOCALE), guide_path(DEFAULT_LOCALE, 2)
    ('/ae/en/llms.txt', '/ae/en/llms-2.txt')
    """
    suffix = "" if number == 1 else f"-{number}"
    return f"{locale.path}/llms{suffix}.txt"


def link_line(view: ContentView, link: Link) -> str:
    """Return the line of a link."""
    title = link_text(one_line(link.title, _TITLE_CHARACTERS))
    return f"- [{title}]({view.absolute(link.path)}): {messages_for(view).use_when} {link.reason}"


def page_line(view: ContentView, entry: PageEntry, describe: bool) -> str:
    """Return the line of a page, with the author's description if `describe` is true."""
    title = one_line(entry.title, _TITLE_CHARACTERS)
    reason = _reason(view, entry, title)
    description = description_of(entry.resolved) if describe else None
    if description:
        reason = f"{reason}. {one_line(plain_text(description), _DESCRIPTION_CHARACTERS)}"
    path = suffixed_path(view.locale.path + entry.address.path, MediaType.MARKDOWN)
    return link_line(view, Link(title, path, reason))


def locale_line(view: ContentView, locale: Locale) -> str:
    """Return the line that links to a locale's llms.txt."""
    reason = messages_for(view).locale_reason.format(**_locale_names(view, locale))
    return link_line(view, Link(locale_name(view, locale), guide_path(locale), reason))


def locale_name(view: ContentView, locale: Locale) -> str:
    """Return the country and language of a locale, named in the view's language."""
    return messages_for(view).locale_title.format(**_locale_names(view, locale))


def country_name(view: ContentView) -> str:
    """Return the name of the view's country in the view's language."""
    return cldr.country_name(view.locale.country, view.locale.language)


def one_line(text: str, characters: int) -> str:
    r"""Return a text on one line, cut between words after at most `characters` characters.

    >>> one_line("Stock counts\nwithout closing", 20)
    'Stock counts…'
    """
    line = " ".join(text.split())
    if len(line) <= characters:
        return line
    cut = line[:characters]
    return f"{cut.rpartition(' ')[0] or cut[:-1]}…"


def _reason(view: ContentView, entry: PageEntry, title: str) -> str:
    page, slug, _ = entry.address
    reason = page.slug_reasons.get(slug, page.reason)
    names = {"site": brand(view), "country": country_name(view), "title": title}
    return translate(reason, view.locale.language, **names)


def _locale_names(view: ContentView, locale: Locale) -> dict[str, str]:
    language = view.locale.language
    return {
        "country": cldr.country_name(locale.country, language),
        "language": cldr.language_name(locale.language, language),
    }
