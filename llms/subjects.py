"""Subjects: what a site is about, in words of its own content, by which agents choose it.

A model sees little of a server before it calls it: the names and descriptions of the tools and
the instructions. Subjects put into them what people ask for, such as “accounting software”.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest

from knowledge.addresses.addresses import page_of
from knowledge.diagnostics.messages import mark as _
from knowledge.documents.body import one_line
from knowledge.fields.content_types import (
    CATEGORY,
    INDUSTRY,
    MODULE,
    PAGE,
    POST,
    PRODUCT,
    REGISTRY,
    ContentType,
)
from knowledge.locales import cldr
from knowledge.locales.locale import localized_text
from knowledge.markdown.tokens import estimate_tokens
from knowledge.resources.document_page import title_of
from knowledge.resources.products import products_on_sale
from knowledge.resources.seo import is_visible_route
from knowledge.resources.site_chrome import site_title
from knowledge.snapshot.layer_resolution import Fields, Resolved
from knowledge.views.content_view import ContentView
from llms.phrases import say, site_name

PARTS = (
    (PRODUCT, _("products and prices")),
    (MODULE, _("software modules")),
    (INDUSTRY, _("industries")),
    (POST, _("articles")),
    (PAGE, _("pages")),
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
    if is_visible_route(view, page_of(REGISTRY, "contact", view.snapshot)):
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
    modules = _documents(view, MODULE)
    if products:
        yield say(view, dict(PARTS)[PRODUCT])
    yield from filter(None, chain.from_iterable(zip_longest(modules, products)))
    yield from _documents(view, INDUSTRY)
    if not modules and not products:
        yield from chain(_documents(view, CATEGORY), _documents(view, PAGE))


def _documents(view: ContentView, kind: ContentType[Fields]) -> list[str]:
    """Return the first keyword of each document, else its title."""

    def subject(resolved: Resolved[Fields]) -> str:
        keywords = resolved.pick(resolved.seo.keywords) or ""
        first = _SEPARATOR.split(keywords)[0].strip() or title_of(resolved)
        return one_line(first, _SUBJECT_CHARACTERS)

    return view.each(view.resolve_all(kind), subject)
