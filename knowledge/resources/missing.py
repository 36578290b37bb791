"""What is answered where a page is published, but not for the locale asked (rule 3)."""

from __future__ import annotations

from knowledge.addresses import Address, Page, variants
from knowledge.content_view import ContentView
from knowledge.errors import NotFound
from knowledge.layers import Scope
from knowledge.locale import DEFAULT_LOCALE, Country, Language, Locale
from knowledge.resources.base import LocaleMeta, Omittable, Resource, Uri


class Fallback(Resource):
    """The nearest locale in which the page is published."""

    country_code: Country
    lang: Language
    href: Uri


class Missing(Resource):
    """What the 404 body holds beside the error."""

    slug: str
    country_code: Country
    lang: Language
    meta: LocaleMeta
    fallback: Omittable[Fallback] = None


class NotPublishedHere(NotFound):
    """Published, but not for the locale asked; `missing` tells where it is."""

    def __init__(self, message: str, resolution: str, missing: Missing) -> None:
        super().__init__(message, resolution)
        self.missing = missing


def not_found(what: str, slug: str) -> NotFound:
    """The error for something that is published nowhere."""
    return NotFound(f"There is no {what} “{slug}”.", "Check the slug, or list what is there.")


def missing_page(view: ContentView, address: Address, what: str) -> NotFound:
    """The error for a page that these readers cannot have: elsewhere, or nowhere."""
    place = address
    found = variants(view.snapshot, address, view.now)
    if not found.locales and address.page is Page.CITY_CONTENT:
        place = Address(Page.CONTENT, address.slug)
        found = variants(view.snapshot, place, view.now)
    locale = view.locale
    nearest = found.first(
        *([locale] if address.city else []),
        Locale(locale.country, locale.language.other),
        Locale(Country.AE, locale.language),
        DEFAULT_LOCALE,
    )
    if nearest is None:
        return not_found(what, address.slug or address.city)
    missing = Missing(
        slug=address.slug or address.city,
        country_code=locale.country,
        lang=locale.language,
        meta=LocaleMeta(
            resolved_from=Scope.GLOBAL.label,
            missing=True,
            city_fallback=bool(address.city),
            requested_city=address.city or None,
        ),
        fallback=Fallback(
            country_code=nearest.country,
            lang=nearest.language,
            href=view.absolute(nearest.path + place.path),
        ),
    )
    return NotPublishedHere(
        f"The {what} “{missing.slug}” is not published for {locale.tag}.",
        "Use the locale named in fallback, or ask for another country or lang.",
        missing,
    )
