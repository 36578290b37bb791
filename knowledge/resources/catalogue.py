"""The product catalogue for partners: all products in both languages and all currencies."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from operator import attrgetter
from typing import Any

from knowledge.fields.content_types import PRODUCT
from knowledge.fields.field_types import BilingualString, Id, Omittable
from knowledge.fields.prices import AmountText
from knowledge.locales import cldr
from knowledge.locales.locale import Language
from knowledge.resources.base import Instant, Resource
from knowledge.resources.document_page import title_of
from knowledge.snapshot.layer_resolution import Entry, Resolved
from knowledge.views.content_view import ContentView


class CatalogueEntry(Resource):
    """One product. `prices` are by currency and exclude tax. It is on sale if `active` is true."""

    id: Id
    """Id of the product; products are sorted by it."""
    sku: Omittable[str] = None
    """Stock keeping unit."""
    barcode: Omittable[str] = None
    """Barcode (GTIN) of the product."""
    slug: str
    """Slug of the product's page."""
    name: BilingualString
    """Name of the product."""
    description: Omittable[BilingualString] = None
    """Short description of the product."""
    brand: Omittable[str] = None
    """Brand of the product."""
    category: Omittable[str] = None
    """Category of the product."""
    prices: dict[str, AmountText]
    """Prices without tax, as decimal strings by ISO 4217 currency."""
    tax_category: Omittable[str] = None
    """Tax category of the product."""
    stock: Omittable[int] = None
    """Units in stock, if they are counted."""
    active: bool
    """Whether the product is on sale."""
    image: Omittable[str] = None
    """Path or URL of a picture."""
    updated_at: Omittable[Instant] = None
    """When the product last changed: the author's date, or when the service first saw what is in
    it, whichever is later."""


class CataloguePagination(Resource):
    """The position of a page of the catalogue; `limit` is absent if the request set none."""

    limit: Omittable[int] = None
    """Maximum number of products, as requested."""
    count: int
    """Number of products in this response."""
    has_more: bool
    """Whether there are products after these."""
    next_since_id: Id | None
    """The `since_id` of the next page, null on the last page."""


class Catalogue(Resource):
    """Products in ascending order of id."""

    products: list[CatalogueEntry]
    """The products of this page of the catalogue."""
    pagination: CataloguePagination
    """Where to go on."""


@dataclass(frozen=True, slots=True)
class CatalogueQuery:
    """Selects products: with an id above `since_id`, changed since a time, at most `limit`.

    `seen_at` is when the service first saw the present content of each product, by its slug.
    """

    since_id: int = 0
    limit: int | None = None
    updated_since: datetime | None = None
    seen_at: Mapping[str, datetime] = field(default_factory=dict)


def catalogue(view: ContentView, query: CatalogueQuery) -> Catalogue:
    """Return the products that match a query."""
    products = sorted(
        (product for product in _entries(view, query.seen_at) if _matches(product, query)),
        key=attrgetter("id"),
    )
    shown = products[: query.limit]
    has_more = len(shown) < len(products)
    pagination = CataloguePagination(
        limit=query.limit,
        count=len(shown),
        has_more=has_more,
        next_since_id=shown[-1].id if has_more else None,
    )
    return Catalogue(products=shown, pagination=pagination)


def _matches(product: CatalogueEntry, query: CatalogueQuery) -> bool:
    """A product of which nothing was seen yet counts as changed; a client might miss it else."""
    since = query.updated_since
    if since and product.updated_at and product.slug in query.seen_at:
        return product.id > query.since_id and product.updated_at >= since
    return product.id > query.since_id


def _entries(view: ContentView, seen_at: Mapping[str, datetime]) -> Iterator[CatalogueEntry]:
    """Yield each published product that has an id; if two share an id, the first by slug."""
    entries = sorted(view.snapshot.all(PRODUCT), key=attrgetter("slug"))
    products = view.snapshot.left_out.each(
        entries, partial(_entry, view, seen_at), attrgetter("path")
    )
    seen_ids = set()
    for product in products:
        if product is not None and product.id not in seen_ids:
            seen_ids.add(product.id)
            yield product


def _entry(
    view: ContentView, seen_at: Mapping[str, datetime], entry: Entry[Any]
) -> CatalogueEntry | None:
    """Return a product in the first locale that has it, the default one first; None without id."""
    views = map(view.for_locale, view.snapshot.locales.all)
    resolved = next(filter(None, (each.resolve_entry(entry) for each in views)), None)
    number = resolved.fields.id if resolved else None
    if resolved is None or number is None:
        return None
    dates = (_updated_at(view, resolved), seen_at.get(entry.slug))
    fields, image = resolved.fields, view.picture(resolved.fields.image, resolved)
    return CatalogueEntry(
        id=number,
        sku=fields.sku,
        barcode=fields.barcode,
        slug=entry.slug,
        name=fields.title or {str(resolved.language): title_of(resolved)},
        description=fields.short_description,
        brand=fields.brand,
        category=fields.product_category,
        prices={
            code: cldr.amount_text(amount, code) for code, amount in (fields.prices or {}).items()
        },
        tax_category=fields.tax_category,
        stock=fields.stock,
        active=fields.active is not False,
        image=view.absolute(image) if image else None,
        updated_at=max(filter(None, dates), default=None),
    )


def _updated_at(view: ContentView, resolved: Resolved[Any]) -> datetime | None:
    """Return the later `updatedAt` of the product's two languages."""
    views = (view.for_locale(resolved.locale.in_language(language)) for language in Language)
    products = (localized.resolve_entry(resolved.entry) for localized in views)
    return max((each.updated_at for each in products if each and each.updated_at), default=None)
