"""The picture that networks and messengers show beside a link to a page, and the site's icon."""

from __future__ import annotations

from dataclasses import dataclass, replace

from knowledge.documents.images import Image
from knowledge.resources.base import Resource
from knowledge.resources.home import HOME_PAGE
from knowledge.resources.site_chrome import brand, site_title
from knowledge.resources.site_page import PageModel
from knowledge.resources.theme import theme
from knowledge.views.content_view import ContentView, cached_per_snapshot
from renderers.html.schema_org import picture
from renderers.images import drawings
from renderers.images import variants as image_variants
from renderers.images.drawings import Icon, SocialCard
from renderers.page_rendering import breadcrumb_title, rendering_of

CARDS = "/static/cards/"
_SEPARATOR = " | "
_MARK = "images/favicon.svg"
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
    square = theme(view).logo.square or f"/{_MARK}"
    return view.snapshot.images.at_url(square)


def letter_icon(view: ContentView) -> Icon:
    """Return the icon of a site without a mark: the first letter of its name."""
    colours = theme(view).light
    letter = next((each for each in brand(view) if each.isalnum()), "·").upper()
    return Icon(letter, colours.button, colours.on_button, colours.paper)


def page_card(page: PageModel[Resource]) -> SocialCard:
    """Return the card of a page; pages of a list and searches have that of the list."""
    if page.address.page is HOME_PAGE:
        return _home_card(page.view)
    last = page.breadcrumbs[-1:]
    titles = (breadcrumb_title(breadcrumb, page.locale.language) for breadcrumb in last)
    return _card(page.view, page.seo.title or "".join(titles))


def page_image(page: PageModel[Resource]) -> SocialImage:
    """Return the picture of a page: its own if networks can show it, else its card."""
    rendering, view = rendering_of(page.address.page), page.view
    path = rendering.image(page) if rendering.image else None
    own = _own(view, path, page.breadcrumbs[-1].title if page.breadcrumbs else None)
    if own is None and path and not path.startswith("/") and (url := picture(page, path)):
        own = SocialImage(url, brand(view))
    if own is not None or page.preview is not None:
        return own or site_image(view)
    return _site_card(view) or _drawn(view, page_card(page), page.path)


@cached_per_snapshot
def site_image(view: ContentView) -> SocialImage:
    """Return the picture of a page that has none of its own, such as an error page."""
    return _site_card(view) or _drawn(view, _home_card(view), view.locale.path)


def _home_card(view: ContentView) -> SocialCard:
    return _card(view, site_title(view))


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
