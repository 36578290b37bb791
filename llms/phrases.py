"""Phrases of the texts for agents: names, lines of links, templates, and what a site is about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice, zip_longest
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from knowledge.addresses.addresses import page_of
from knowledge.diagnostics.messages import mark as _
from knowledge.documents.body import one_line
from knowledge.fields import content_types
from knowledge.locales import cldr
from knowledge.locales.locale import Language, Locale, localized_text
from knowledge.markdown.tokens import CHARACTERS_PER_TOKEN, estimate_tokens
from knowledge.resources.document_page import title_of
from knowledge.resources.products import products_on_sale
from knowledge.resources.seo import is_visible_route
from knowledge.resources.site_chrome import brand, site_title
from knowledge.snapshot.layer_resolution import Fields, Resolved
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


PARTS = (
    (content_types.PRODUCT, _("products and prices")),
    (content_types.MODULE, _("software modules")),
    (content_types.INDUSTRY, _("industries")),
    (content_types.POST, _("articles")),
    (content_types.PAGE, _("pages")),
)
"""What a site may publish, by content type."""

CONTACT = _("contact details")

_MOST_SUBJECTS = 24
_MOST_COUNTRIES = 8
_TITLE_CHARACTERS, _SUBJECT_CHARACTERS = 60, 40
_SITE_CHARACTERS = 60
_SEPARATOR = re.compile("[,،]")


@dataclass(frozen=True, slots=True)
class SiteWords:
    """The name of a site, and words for what it is about, in one language."""

    site: str
    parts: Sequence[str]
    """What it publishes, such as “products and prices”."""

    subjects: Sequence[str]
    places: str
    """Its countries, as in “ in Kuwait, Oman”; empty for a site without countries."""

    comma: str

    @classmethod
    def of(cls, view: ContentView) -> SiteWords:
        """Return the words in the view's language."""
        return cls(
            site=one_line(site_name(view), _SITE_CHARACTERS),
            parts=published_parts(view),
            subjects=list(islice(dict.fromkeys(_subjects(view)), _MOST_SUBJECTS)),
            places=_places(view),
            comma=say(view, _(", ")),
        )

    def fill(self, template: str, tokens: int) -> str:
        """Return a template with as many parts or subjects as fit into a number of tokens.

        Without any it is empty. A template names fields, such as `{site}` and `{subjects}`.
        """
        lists = {"parts": self.parts, "subjects": self.subjects}
        named = [len(words) for name, words in lists.items() if f"{{{name}}}" in template]
        for count in range(max(named, default=1), 0, -1):
            shown = {name: self.comma.join(words[:count]) for name, words in lists.items()}
            text = template.format(site=self.site, places=self.places, **shown)
            if estimate_tokens(text) <= tokens:
                return text
        return ""


def published_parts(view: ContentView) -> list[str]:
    """Return what the site publishes, such as “products and prices”."""
    parts = [say(view, name) for kind, name in PARTS if view.snapshot.has(kind)]
    declared = view.snapshot.kinds.declared
    own = (each for each in declared if view.snapshot.has(each.content_type))
    parts += [localized_text(each.declared.plural, view.locale.language) for each in own]
    if is_visible_route(view, page_of(content_types.REGISTRY, "contact", view.snapshot)):
        parts.append(say(view, CONTACT))
    return parts


def _places(view: ContentView) -> str:
    countries, language = view.snapshot.open.countries, view.locale.language
    if not countries:
        return ""
    if len(countries) > _MOST_COUNTRIES:
        return say(view, _(" in %(count)s countries"), count=len(countries))
    names = [cldr.country_name(each, language) for each in countries]
    return say(view, _(" in %(countries)s"), countries=say(view, _(", ")).join(names))


def _subjects(view: ContentView) -> Iterator[str]:
    """Yield what the title of the site says, then what products and software are for, in turn.

    A site without them has the topics of its posts, and its pages.
    """
    title = site_title(view).partition(" | ")[2]
    if title:
        yield one_line(title, _TITLE_CHARACTERS)
    names = (each.item.category_name for each in products_on_sale(view))
    products = list(dict.fromkeys(filter(None, names)))
    modules = _documents(view, content_types.MODULE)
    if products:
        yield say(view, dict(PARTS)[content_types.PRODUCT])
    yield from filter(None, chain.from_iterable(zip_longest(modules, products)))
    yield from _documents(view, content_types.INDUSTRY)
    if not modules and not products:
        yield from chain(
            _documents(view, content_types.CATEGORY), _documents(view, content_types.PAGE)
        )


def _documents(view: ContentView, kind: content_types.ContentType[Fields]) -> list[str]:
    """Return the first keyword of each document, else its title."""

    def subject(resolved: Resolved[Fields]) -> str:
        keywords = resolved.pick(resolved.seo.keywords) or ""
        first = _SEPARATOR.split(keywords)[0].strip() or title_of(resolved)
        return one_line(first, _SUBJECT_CHARACTERS)

    return view.each(view.resolve_all(kind), subject)
