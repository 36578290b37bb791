"""The head of an HTML page: metadata for browsers, search engines and agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from knowledge.locales.locale import Locale, OtherLanguage, TextLanguage
from knowledge.resources.base import Resource
from knowledge.resources.blog import PostList
from knowledge.resources.seo import Alternate
from knowledge.resources.site_chrome import brand
from knowledge.resources.site_page import PageModel
from knowledge.resources.theme import theme
from knowledge.views.content_view import ContentView
from renderers import pagination
from renderers.html.contact_form import ContactForm
from renderers.html.feed_links import FeedLink, feed_links, opensearch_path
from renderers.html.social_images import SocialImage, page_image, site_image
from renderers.html.title import head_title
from renderers.l10n.translation import translate
from renderers.media_types import DOCUMENTATION_MEDIA_TYPES, SUFFIXED_MEDIA_TYPES, MediaType
from renderers.page_rendering import rendering_of
from renderers.representation_urls import suffixed_path

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
