"""The catalogue as partners have it: every product in both languages and all currencies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from operator import attrgetter

from knowledge import cldr
from knowledge.content_path import ContentType
from knowledge.content_view import ContentView
from knowledge.locale import DEFAULT_LOCALE, Language, Locale, all_locales
from knowledge.resolution import Entry, Resolved
from knowledge.resources.base import BilingualString, Omittable, Resource, title_of


class CatalogueEntry(Resource):
    """One product; `prices` by currency hold no tax, and none that is not `active` is on sale."""

    id: int
    sku: Omittable[str] = None
    barcode: Omittable[str] = None
    slug: str
    name: BilingualString
    description: Omittable[BilingualString] = None
    brand: Omittable[str] = None
    category: Omittable[str] = None
    prices: dict[str, str]
    tax_category: Omittable[str] = None
    stock: Omittable[int] = None
    active: bool
    image: Omittable[str] = None
    updated_at: Omittable[datetime] = None


class CataloguePagination(Resource):
    """Where a part of the catalogue stands; `limit` is absent where none was asked."""

    limit: Omittable[int] = None
    count: int
    has_more: bool
    next_since_id: int | None


class Catalogue(Resource):
    """Products by ascending id."""

    products: list[CatalogueEntry]
    pagination: CataloguePagination


@dataclass(frozen=True, slots=True)
class CatalogueQuery:
    """Which part of the catalogue: after an id, changed since an instant, at most so many."""

    since_id: int = 0
    limit: int | None = None
    updated_since: datetime | None = None


def catalogue(view: ContentView, query: CatalogueQuery) -> Catalogue:
    """The products that a query asks for."""
    found = sorted(
        (each for each in _entries(view) if _is_asked(each, query)), key=lambda each: each.id
    )
    shown = found[: query.limit]
    has_more = len(shown) < len(found)
    pagination = CataloguePagination(
        limit=query.limit,
        count=len(shown),
        has_more=has_more,
        next_since_id=shown[-1].id if has_more else None,
    )
    return Catalogue(products=shown, pagination=pagination)


def _is_asked(entry: CatalogueEntry, query: CatalogueQuery) -> bool:
    """What has no date of change is always new: leaving it out could hide it for ever."""
    since = query.updated_since
    is_new = since is None or entry.updated_at is None or entry.updated_at >= since
    return entry.id > query.since_id and is_new


def _entries(view: ContentView) -> Iterator[CatalogueEntry]:
    """Each published product that has an id; of two with one id, the first by slug."""
    entries = sorted(view.snapshot.all(ContentType.PRODUCT), key=attrgetter("slug"))
    found = view.snapshot.left_out.each(entries, partial(_entry, view), attrgetter("path"))
    taken = set()
    for product in found:
        if product is not None and product.id not in taken:
            taken.add(product.id)
            yield product


def _entry(view: ContentView, entry: Entry) -> CatalogueEntry | None:
    resolved = _somewhere(view, entry)
    return _product(view, resolved) if resolved and "id" in resolved.metadata else None


def _somewhere(view: ContentView, entry: Entry) -> Resolved | None:
    """The product where it is published, looking at the default locale first."""
    for locale in (DEFAULT_LOCALE, *all_locales()):
        resolved = view.for_locale(locale).resolve_entry(entry)
        if resolved:
            return resolved
    return None


def _product(view: ContentView, resolved: Resolved) -> CatalogueEntry:
    own = resolved.metadata
    image = own.get("image")
    return CatalogueEntry(
        id=own["id"],
        sku=own.get("sku"),
        barcode=own.get("barcode"),
        slug=resolved.entry.slug,
        name=own.get("title") or {str(resolved.language): title_of(resolved)},
        description=own.get("short_description"),
        brand=own.get("brand"),
        category=own.get("product_category"),
        prices=_prices(resolved),
        tax_category=own.get("tax_category"),
        stock=own.get("stock"),
        active=own.get("active", True),
        image=view.absolute(view.path(image, resolved.documents[0].path)) if image else None,
        updated_at=_updated_at(view, resolved),
    )


def _updated_at(view: ContentView, resolved: Resolved) -> datetime | None:
    """When the text of either language last changed."""
    country = resolved.locale.country
    readers = (view.for_locale(Locale(country, language)) for language in Language)
    found = (each.resolve_entry(resolved.entry) for each in readers)
    return max((each.updated_at for each in found if each and each.updated_at), default=None)


def _prices(resolved: Resolved) -> dict[str, str]:
    """Amounts at each currency's digits."""
    return {
        code: cldr.amount_text(amount, code)
        for code, amount in resolved.metadata.get("prices", {}).items()
    }
