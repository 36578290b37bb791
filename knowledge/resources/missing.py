"""The 404 for a page that is published, but not for the requested locale."""

from __future__ import annotations

from knowledge.addresses.addresses import Address, page_of, variants
from knowledge.fields.field_types import Omittable
from knowledge.locales.locale import Language, Locale, Scope
from knowledge.resources.base import CountryCode, LocaleMeta, Resource, Uri
from knowledge.resources.errors import NotFound
from knowledge.views.content_view import ContentView


class Fallback(Resource):
    """The closest locale in which the page is published."""

    country_code: CountryCode = None
    """Country of that locale."""
    lang: Language
    """Language of that locale."""
    href: Uri
    """URL of the page in that locale."""


class Missing(Resource):
    """The part of the 404 body that describes the missing page."""

    slug: str
    """Slug of the requested page."""
    country_code: CountryCode = None
    """The requested country."""
    lang: Language
    """The requested language."""
    meta: LocaleMeta
    """How the page was resolved for the locale."""
    fallback: Omittable[Fallback] = None
    """The closest locale in which the page is published."""


class NotPublishedHere(NotFound):
    """The page is published, but not for the requested locale; `missing` holds the fallback."""

    def __init__(self, message: str, resolution: str, missing: Missing) -> None:
        super().__init__(message, resolution)
        self.missing = missing


def not_found(what: str, slug: str) -> NotFound:
    """Return the error for something that is not published in any locale."""
    return NotFound(f"There is no {what} “{slug}”.", "Check the slug, or list what is there.")


def resolution_of(requested: Locale) -> str:
    """Return what to do about a page that is not published for a locale."""
    others = "country or lang" if requested.country else "lang"
    return f"Use the locale named in fallback, or ask for another {others}."


def missing_page(view: ContentView, address: Address, what: str) -> NotFound:
    """Return the error for a page missing in the view's locale, with a fallback if there is one."""
    target = address
    published = variants(view.snapshot, address, view.now)
    if not published.locales and address.page.in_city:
        target = page_of(address.page.content_types[0], address.slug)
        published = variants(view.snapshot, target, view.now)
    locale, default = view.locale, view.snapshot.locales.default
    nearest = published.first(
        *([locale] if address.city else []),
        locale.in_language(locale.language.other),
        default.in_language(locale.language),
        default,
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
            href=view.absolute(nearest.path + target.path),
        ),
    )
    return NotPublishedHere(
        f"The {what} “{missing.slug}” is not published for {locale.tag}.",
        resolution_of(locale),
        missing,
    )
