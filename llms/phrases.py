"""Phrases of the texts for agents: names, lines of links, and markdown templates."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from knowledge.diagnostics.messages import mark as _
from knowledge.documents.body import one_line
from knowledge.locales import cldr
from knowledge.locales.locale import Language, Locale
from knowledge.markdown.tokens import CHARACTERS_PER_TOKEN
from knowledge.resources.site_chrome import brand
from knowledge.views.content_view import ContentView
from renderers.blocks.context import link_text
from renderers.l10n.translation import site_texts, translate
from renderers.representation import PAGE_MEDIA_TYPES, MediaType, suffixed_path

TITLE_CHARACTERS = 100


class Link(NamedTuple):
    """A link that is not part of the content; `path` starts at the root of the site."""

    title: str
    path: str
    reason: str


def say(view: ContentView, message: str, /, **values: object) -> str:
    """Return a marked text in the view's language, with its placeholders filled."""
    with site_texts(view):
        return translate(message, view.locale.language, **values)


def in_english(view: ContentView) -> ContentView:
    """Return the view for the English readers of its country, if the site has them."""
    locale = view.locale.in_language(Language.EN)
    return view.for_locale(locale) if locale in view.snapshot.open_locales else view


def site_name(view: ContentView) -> str:
    """Return the short name of the site; a very long one would leave no space for lines."""
    return one_line(brand(view), TITLE_CHARACTERS)


def country_name(view: ContentView) -> str:
    """Return the name of the view's country in the view's language, `""` without a country."""
    country = view.locale.country
    return cldr.country_name(country, view.locale.language) if country else ""


def locale_name(view: ContentView, locale: Locale) -> str:
    """Return the country and language of a locale, named in the view's language."""
    names = _locale_names(view, locale)
    return (
        say(view, _("%(country)s, %(language)s"), **names) if locale.country else names["language"]
    )


def _locale_names(view: ContentView, locale: Locale) -> dict[str, str]:
    language = view.locale.language
    return {
        "country": cldr.country_name(locale.country, language) if locale.country else "",
        "language": cldr.language_name(locale.language, language),
    }


def guide_path(locale: Locale, number: int = 1) -> str:
    """Return the path of a locale's llms.txt, or of its continuation with this number.

    >>> from knowledge.locales.locale import ENGLISH
    >>> guide_path(ENGLISH), guide_path(ENGLISH, 2)
    ('/en/llms.txt', '/en/llms-2.txt')
    """
    suffix = "" if number == 1 else f"-{number}"
    return f"{locale.path}/llms{suffix}.txt"


def line(view: ContentView, title: str, path: str, text: str) -> str:
    """Return the line of a link, with what is said of it, if there is anything."""
    shown = link_text(one_line(title, TITLE_CHARACTERS))
    return f"- [{shown}]({view.absolute(path)})" + (f": {text}" if text else "")


def use_when(view: ContentView, reason: str) -> str:
    """Return when to use a link."""
    return f"{say(view, _('use when'))} {reason}"


def link_lines(view: ContentView, *links: Link) -> Iterator[str]:
    """Yield the lines of links whose titles and reasons are marked texts."""
    for link in links:
        yield line(view, say(view, link.title), link.path, use_when(view, say(view, link.reason)))


def locale_lines(view: ContentView, locales: Iterable[Locale]) -> Iterator[str]:
    """Yield the lines that link to the llms.txt of each locale."""
    for locale in locales:
        yield line(view, locale_name(view, locale), guide_path(locale), locale.tag)


def more_line(view: ContentView, headings: Iterable[str], path: str) -> str:
    """Return the line that links to the file with more pages under these headings."""
    title = say(view, _("More: %(headings)s"), headings=" / ".join(headings))
    why = use_when(view, say(view, _("what you look for is not listed above")))
    return line(view, title, path, why)


def render_text(name: str, /, **facts: object) -> str:
    """Return the text of a template; a fact that it lacks is an error."""
    return _environment().get_template(name).render(**facts)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("llms"),
        autoescape=select_autoescape(),  # markdown is not escaped
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals.update(
        page_media_types=PAGE_MEDIA_TYPES,
        rates=CHARACTERS_PER_TOKEN,
        suffixed_path=suffixed_path,
        types=MediaType,
    )
    return environment
