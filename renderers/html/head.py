"""The head of a page: its title, its links, and its metadata.

The versions of a page for several countries often have the same text, so that search results would
show the same title for each of them; the country tells them apart, and the city those of cities.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from knowledge.locales.locale import Country, Locale, OtherLanguage, TextLanguage
from knowledge.resources.base import Resource
from knowledge.resources.blog import PostList
from knowledge.resources.places import city_list, country_names
from knowledge.resources.seo import Alternate
from knowledge.resources.site_chrome import brand
from knowledge.resources.site_page import PageModel
from knowledge.resources.theme import theme
from knowledge.views.content_view import ContentView, cached_per_snapshot
from renderers import pagination
from renderers.html.contact_form import ContactForm
from renderers.html.page_links import FeedLink, feed_links, opensearch_path
from renderers.html.social_images import SocialImage, page_image, site_image
from renderers.l10n.translation import translate, translations
from renderers.markdown.navigation import city_link
from renderers.page_rendering import breadcrumb_title, rendering_of
from renderers.representation import (
    DOCUMENTATION_MEDIA_TYPES,
    SUFFIXED_MEDIA_TYPES,
    MediaType,
    suffixed_path,
)

NO_INDEX = "noindex, follow"
_FAVICON = "images/favicon.svg"


@dataclass(frozen=True, slots=True)
class HeadMetadata:
    """The metadata in the head of a page.

    Paths start at the root of the site; `canonical` is an absolute URL, and `""` for an error and
    for a preview, which have no canonical URL.
    """

    title: str
    locale: Locale
    canonical: str
    robots: str
    description: str | None = None
    alternates: Sequence[Alternate] = ()
    representations: Mapping[MediaType, str] = field(default_factory=dict)
    """The per-format path of each other media type."""
    feeds: Sequence[FeedLink] = ()
    prev_path: str | None = None
    next_path: str | None = None
    kind: str = "website"
    properties: Sequence[tuple[str, str]] = ()
    """What Open Graph knows of a page of this kind."""
    image: SocialImage | None = None
    favicon: str | None = None
    site_name: str = ""
    text_language: TextLanguage | None = None
    """The language of the main text, if it is none of the site."""

    @property
    def opensearch_path(self) -> str:
        """The site path of the description of the locale's search."""
        return opensearch_path(self.locale)


def page_head(page: PageModel[Resource], form: ContactForm | None = None) -> HeadMetadata:
    """Return the head metadata of a public page, perhaps with a contact form.

    The title of an answer to the form begins with what became of the message, as screen readers
    read it first. A page that depends on where its reader comes from is not indexed.
    """
    view, is_preview = page.view, page.preview is not None
    outcome = translate(form.outcome, page.locale.language) if form and form.outcome else ""
    rendering = rendering_of(page.address.page)
    prev_path, next_path = pagination.previous_and_next(page)
    return HeadMetadata(
        title=f"{outcome}: {head_title(page)}" if outcome else head_title(page),
        locale=page.locale,
        text_language=page.language if isinstance(page.language, OtherLanguage) else None,
        canonical="" if is_preview else pagination.canonical(page),
        robots=NO_INDEX if form and form.is_personal else _robots(page),
        description=page.seo.description or (rendering.description and rendering.description(page)),
        alternates=pagination.variants(page),
        representations={
            each: pagination.representation_path(page, each)
            for each in SUFFIXED_MEDIA_TYPES
            if not is_preview
        },
        feeds=feed_links(view, None if is_preview else page.address),
        prev_path=prev_path,
        next_path=next_path,
        kind=rendering.kind,
        properties=_properties(page),
        image=page_image(page),
        favicon=favicon(view),
        site_name=brand(view),
    )


def _properties(page: PageModel[Resource]) -> Sequence[tuple[str, str]]:
    """Return the properties of Open Graph that have a value."""
    properties = rendering_of(page.address.page).properties
    known = properties(page) if properties else ()
    return [(name, value) for name, value in known if value]


def minimal_head(
    view: ContentView, title: str, path: str, *, indexed: bool, description: str | None = None
) -> HeadMetadata:
    """Return the head metadata of an error or documentation page."""
    return HeadMetadata(
        title=f"{title} | {brand(view)}",
        locale=view.locale,
        canonical=view.absolute(path) if indexed else "",
        robots="index, follow" if indexed else NO_INDEX,
        description=description,
        feeds=feed_links(view),
        representations={
            each: suffixed_path(path, each) for each in DOCUMENTATION_MEDIA_TYPES if indexed
        },
        image=site_image(view),
        favicon=favicon(view),
        site_name=brand(view),
    )


def favicon(view: ContentView) -> str | None:
    """Return the path of the site's icon, or None if the content has none."""
    square = theme(view).logo.square
    if square and square.endswith(".svg"):
        return square
    return f"/{_FAVICON}" if _FAVICON in view.snapshot.assets else None


def _robots(page: PageModel[Resource]) -> str:
    """Return the robots directive; searches, filtered and empty lists are not indexed."""
    resource = page.answer.resource
    empty = isinstance(resource, PostList) and not resource.items
    filtered = page.query.search or not page.query.products.is_plain
    return NO_INDEX if filtered or empty else page.seo.robots


def head_title(page: PageModel[Resource]) -> str:
    """Return the title of a page with the name of the site."""
    language, last = page.locale.language, page.breadcrumbs[-1:]
    title = page.seo.title or "".join(breadcrumb_title(breadcrumb, language) for breadcrumb in last)
    number = pagination.page_number(page)
    if number > 1:
        position = translations(language).gettext("page %(number)s") % {"number": number}
        title = f"{title} – {position}"
    name, place = brand(page.view), _place(page, title)
    with_name = f"{title} | {name}" if title and name not in title else title or name
    return with_place(with_name, name, place)


def with_place(title: str, name: str, place: str | None) -> str:
    """Return a title that tells the place: beside the name of the site, if it ends with that.

    >>> with_place("Pricing | Wahat", "Wahat", "Oman"), with_place("Wahat ERP", "Wahat", "Oman")
    ('Pricing | Wahat Oman', 'Wahat ERP | Oman')
    """
    if place is None:
        return title
    ends_with_name = title == name or title.endswith(f"| {name}")
    separator = " " if ends_with_name else " | "
    return f"{title}{separator}{place}"


def _place(page: PageModel[Resource], title: str) -> str | None:
    """Return the place for which a page is; None if the title names it, or no place is meant."""
    city = page.address.city
    if not city:
        return _country(page, title)
    names = (
        city_link(page.view, each).title
        for each in city_list(page.view).cities
        if each.slug == city
    )
    name = next(names, None)
    return name if name and _plain(name) not in _plain(title) else None


def _country(page: PageModel[Resource], title: str) -> str | None:
    """Return the name of the reader's country, None if no other one has the page."""
    here, names = page.locale.country, _names(page.view)
    prefix = f"{page.locale.language}-"
    variants = [each for each in page.seo.alternates if each.hreflang.startswith(prefix)]
    if here is None or len(variants) < 2:
        return None
    plain = _plain(title)
    named = [country for country in names if any(_plain(name) in plain for name in names[country])]
    return None if named == [here] else names[here][0]


@cached_per_snapshot
def _names(view: ContentView) -> Mapping[Country, Sequence[str]]:
    """Return all names of each country of the site, first the one for titles."""
    return {country: country_names(view, country) for country in view.snapshot.open.countries}


def _plain(text: str) -> str:
    """Return a text without case, vowel signs and, at its start, the Arabic article.

    >>> _plain("عُمان") == _plain("عمان"), _plain("السعودية") in _plain("للسعودية")
    (True, True)
    """
    folded = "".join(c for c in text.casefold() if not unicodedata.combining(c))
    return folded.removeprefix("ال")
