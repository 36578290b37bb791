"""The head of a page: its title, links and metadata, and the picture shown beside a link to it.

The versions of a page for several countries often have the same text, so that search results would
show the same title for each of them; the country tells them apart, and the city those of cities.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from knowledge.diagnostics.messages import mark as _
from knowledge.documents.images import Image
from knowledge.fields.content_types import CITY
from knowledge.locales.locale import Country, Locale, OtherLanguage, TextLanguage
from knowledge.resources.base import Resource
from knowledge.resources.blog import PostList
from knowledge.resources.home import HOME_PAGE
from knowledge.resources.places import country_names
from knowledge.resources.seo import Alternate
from knowledge.resources.site_chrome import brand, site_title
from knowledge.resources.site_page import PageModel
from knowledge.resources.theme import theme
from knowledge.views.content_view import ContentView, cached_per_snapshot
from renderers.html.commonmark import safe_href
from renderers.html.page_links import FeedLink, feed_links, opensearch_path
from renderers.images import drawings
from renderers.images import variants as image_variants
from renderers.images.drawings import Icon, SocialCard
from renderers.l10n.translation import in_site_texts, translate
from renderers.markdown.navigation import (
    canonical,
    links_to,
    page_number,
    previous_and_next,
    representation_path,
    variants,
)
from renderers.page_rendering import last_breadcrumb_title, rendering_of
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
    index_path: str = "/llms.txt"
    """The path of the llms.txt that has the page."""

    text_language: TextLanguage | None = None
    """The language of the main text, if it is none of the site."""

    @property
    def opensearch_path(self) -> str:
        """The site path of the description of the locale's search."""
        return opensearch_path(self.locale)


def page_head(
    page: PageModel[Resource], outcome: str = "", *, is_personal: bool = False
) -> HeadMetadata:
    """Return the head metadata of a public page.

    The title of an answer to its form begins with the outcome, as screen readers read it first. A
    page that depends on where its reader comes from is not indexed.
    """
    view, is_preview = page.view, page.preview is not None
    rendering = rendering_of(page.address.page)
    properties = rendering.properties(page) if rendering.properties else ()
    prev_path, next_path = previous_and_next(page)
    return HeadMetadata(
        title=f"{outcome}: {head_title(page)}" if outcome else head_title(page),
        locale=page.locale,
        text_language=page.language if isinstance(page.language, OtherLanguage) else None,
        canonical="" if is_preview else canonical(page),
        robots=NO_INDEX if is_personal else _robots(page),
        description=page.seo.description or (rendering.description and rendering.description(page)),
        alternates=variants(page),
        representations={
            each: representation_path(page, each) for each in SUFFIXED_MEDIA_TYPES if not is_preview
        },
        feeds=feed_links(view, None if is_preview else page.address),
        prev_path=prev_path,
        index_path=page.index_path,
        next_path=next_path,
        kind=rendering.kind,
        properties=[(name, value) for name, value in properties if value],
        image=page_image(page),
        favicon=favicon(view),
        site_name=brand(view),
    )


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
        index_path="/llms.txt" if indexed else f"{view.locale.path}/llms.txt",
    )


def favicon(view: ContentView) -> str | None:
    """Return the path of the site's icon, or None if the content has none."""
    square = theme(view).logo.square
    if square and square.endswith(".svg"):
        return square
    return f"/{_FAVICON}" if _FAVICON in view.snapshot.assets else None


def _robots(page: PageModel[Resource]) -> str:
    """Return the robots directive; searches and empty lists are not indexed.

    Filtered lists of products have the whole list as their canonical URL, which says enough.
    """
    resource = page.answer.resource
    empty = isinstance(resource, PostList) and not resource.items
    is_own = page.query.search or page.query.enquiry
    return NO_INDEX if is_own or empty else page.seo.robots


def head_title(page: PageModel[Resource]) -> str:
    """Return the title of a page with the name of the site."""
    title, number = page.seo.title or last_breadcrumb_title(page), page_number(page)
    if number > 1:
        position = translate(_("page %(number)s"), page.locale.language, number=number)
        title = f"{title} – {position}"
    name, place = brand(page.view), _place(page, title)
    with_name = f"{title} | {name}" if title and name not in title else title or name
    return with_place(with_name, name, place)


def with_place(title: str, name: str, place: str | None) -> str:
    """Return a title that tells the place: beside the name of the site, if it ends with that.

    >>> with_place("Pricing | Wahat", "Wahat", "Oman"), with_place("Wahat ERP", "Wahat", "Oman")
    ('Pricing | Wahat – Oman', 'Wahat ERP | Oman')
    """
    if place is None:
        return title
    ends_with_name = title == name or title.endswith(f"| {name}")
    separator = " – " if ends_with_name else " | "
    return f"{title}{separator}{place}"


def _place(page: PageModel[Resource], title: str) -> str | None:
    """Return the place for which a page is; None if the title names it, or no place is meant."""
    city = page.address.city
    if not city:
        return _country(page, title)
    names = (each.title for each in links_to(page.view, CITY, only=[city]))
    return next((each for each in names if _plain(each) not in _plain(title)), None)


def _country(page: PageModel[Resource], title: str) -> str | None:
    """Return the name of the reader's country, None if no other one has the page."""
    here, names = page.locale.country, _names(page.view)
    prefix = f"{page.locale.language}-"
    variants = [each for each in page.seo.alternates if each.hreflang.startswith(prefix)]
    if here is None or len(variants) < 2:
        return None
    plain = _plain(title)
    named = [country for country in names if _names_one(plain, names[country].plain)]
    return None if named == [here] else names[here].title


class _Names(NamedTuple):
    """The name of a country for titles, and all of its names without case and vowel signs."""

    title: str
    plain: Sequence[str]


@cached_per_snapshot
def _names(view: ContentView) -> Mapping[Country, _Names]:
    """Return the names of each country of the site."""
    names = {each: country_names(view, each) for each in view.snapshot.open.countries}
    return {each: _Names(found[0], [*map(_plain, found)]) for each, found in names.items()}


def _names_one(text: str, names: Sequence[str]) -> bool:
    return any(map(text.__contains__, names))


def _plain(text: str) -> str:
    """Return a text without case, vowel signs and, at its start, the Arabic article.

    >>> _plain("عُمان") == _plain("عمان"), _plain("السعودية") in _plain("للسعودية")
    (True, True)
    """
    folded = "".join(c for c in text.casefold() if not unicodedata.combining(c))
    return folded.removeprefix("ال")


CARDS = "/static/cards/"
_SEPARATOR = " | "
_SITE_CARDS = tuple(f"images/social-card.{suffix}" for suffix in ("png", "jpg"))
_MIN_WIDTH = 600
"""Networks show a smaller picture as a thumbnail; the card is drawn instead."""

_SENT_AS_IT_IS = {"JPEG": "image/jpeg", "PNG": "image/png"}


@dataclass(frozen=True, slots=True)
class SocialImage:
    """A picture with an absolute URL; what is not known of one on another site is None."""

    url: str
    alt: str
    media_type: str | None = None
    width: int | None = None
    height: int | None = None


def mark(view: ContentView) -> Image | None:
    """Return the square mark of the site, or None if its content has none."""
    square = theme(view).logo.square or f"/{_FAVICON}"
    return view.snapshot.images.at_url(square)


def letter_icon(view: ContentView) -> Icon:
    """Return the icon of a site without a mark: the first letter of its name."""
    colours = theme(view).light
    letter = next((each for each in brand(view) if each.isalnum()), "·").upper()
    return Icon(letter, colours.button, colours.on_button, colours.paper)


@in_site_texts
def page_card(page: PageModel[Resource]) -> SocialCard:
    """Return the card of a page; pages of a list and searches have that of the list."""
    if page.address.page == HOME_PAGE:
        return _card(page.view, site_title(page.view))
    return _card(page.view, page.seo.title or last_breadcrumb_title(page))


def page_image(page: PageModel[Resource]) -> SocialImage:
    """Return the picture of a page: its own if networks can show it, else its card."""
    rendering, view = rendering_of(page.address.page), page.view
    picture = rendering.image(page) if rendering.image else None
    path, alt = (picture.url, picture.alt) if picture else (None, "")
    own = _own(view, path, alt or (page.breadcrumbs[-1].title if page.breadcrumbs else None))
    if own is None and path and not path.startswith("/") and safe_href(path):
        own = SocialImage(view.absolute(path), alt or brand(view))
    if own is not None or page.preview is not None:
        return own or site_image(view)
    return _site_card(view) or _drawn(view, page_card(page), page.path)


@cached_per_snapshot
def site_image(view: ContentView) -> SocialImage:
    """Return the picture of a page that has none of its own, such as an error page."""
    return _site_card(view) or _drawn(view, _card(view, site_title(view)), view.locale.path)


@cached_per_snapshot
def _site_card(view: ContentView) -> SocialImage | None:
    """Return the picture that the content has for all pages, or None."""
    found = (_own(view, f"/{path}", None) for path in _SITE_CARDS)
    return next(filter(None, found), None)


def _own(view: ContentView, path: str | None, alt: str | None) -> SocialImage | None:
    """Return a picture of the content folder if it is wide enough, in a format of networks."""
    image = view.snapshot.images.at_url(path or "")
    if image is None:
        return None
    alt = alt or brand(view)
    variant = image_variants.social_image(image)
    if variant is not None:
        height = max(1, round(image.height * variant.width / image.width))
        url = view.absolute(variant.url)
        return SocialImage(url, alt, variant.media_type, variant.width, height)
    media_type = _SENT_AS_IT_IS.get(image.format)
    if media_type is None or image.width < _MIN_WIDTH:
        return None
    return SocialImage(view.absolute(path or ""), alt, media_type, image.width, image.height)


def _drawn(view: ContentView, card: SocialCard, path: str) -> SocialImage:
    alt = card.title if card.brand in card.title else f"{card.title} – {card.brand}"
    url = view.absolute(f"{CARDS}{card.digest}{path}.png")
    return SocialImage(url, alt, drawings.MEDIA_TYPE, drawings.WIDTH, drawings.HEIGHT)


def _card(view: ContentView, title: str) -> SocialCard:
    """Return a card with a title, which does not repeat the name of the site."""
    blank = _blank_card(view)
    name = blank.brand
    title = title.removeprefix(f"{name}{_SEPARATOR}").removesuffix(f"{_SEPARATOR}{name}")
    return replace(blank, title=title or name)


@cached_per_snapshot
def _blank_card(view: ContentView) -> SocialCard:
    """Return what the cards of all pages of a locale have in common."""
    colours, square = theme(view).light, mark(view)
    return SocialCard(
        title="",
        brand=brand(view),
        direction=view.locale.language.direction,
        ground=colours.deep,
        ink=colours.on_deep,
        accent=theme(view).dark.accent,  # the ground is dark
        mark=square.digest if square else "",
    )
