"""Products for the public site, with prices in the country's currency."""

from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from knowledge.diagnostics.messages import mark as _
from knowledge.documents.body_opening import name_in_words
from knowledge.fields.content_types import PRODUCT, SETTINGS
from knowledge.fields.field_types import Id, Omittable
from knowledge.fields.front_matter import PageSeo
from knowledge.fields.page_type import PageType
from knowledge.fields.prices import AmountText, amount_with_vat, rate_text
from knowledge.fields.settings_fields import SettingsFields
from knowledge.locales import cldr
from knowledge.locales.locale import localized_text
from knowledge.markdown.slugs import slugify
from knowledge.resources import queries
from knowledge.resources.base import LocalizedResource, Resource, localized_resource
from knowledge.resources.document_page import (
    DocumentPage,
    heading_of,
    published,
    title_of,
)
from knowledge.resources.own_values import (
    OwnBody,
    contract_values,
    local_amount,
    order_of,
    own_body,
)
from knowledge.resources.page_sections import Sections, page_sections
from knowledge.resources.queries import Enquiry, declare_page
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import (
    ContentView,
    cached_per_snapshot,
    vat_first,
    vat_rate,
)

STANDARD_RATE = "S"
"""Categories of VAT (UNCL 5305): the country's rate, and that the buyer accounts for it."""


class Availability(StrEnum):
    """The availability of a product, in schema.org terms."""

    IN_STOCK = "InStock"
    OUT_OF_STOCK = "OutOfStock"
    DISCONTINUED = "Discontinued"


class Vat(StrEnum):
    """What is known of the VAT on a price."""

    ADDED = "added"
    EXCLUDED = "excluded"
    NONE = "none"
    UNKNOWN = "unknown"


class Money(Resource):
    """An amount: a decimal string with the currency's number of decimals."""

    amount: AmountText
    currency: str


class ProductItem(Resource):
    """A product in the list.

    `price` excludes VAT. Where VAT is added, `priceWithVat` includes it at `vatRate` percent.
    """

    id: Id
    slug: str
    title: str
    name: Omittable[str] = None
    """The short name."""
    short_description: Omittable[str] = None
    category: Omittable[str] = None
    category_name: Omittable[str] = None
    image: Omittable[str] = None
    image_alt: Omittable[str] = None
    price: Omittable[Money] = None
    price_with_vat: Omittable[Money] = None
    vat_rate: Omittable[str] = None
    vat: Annotated[Vat, Field(exclude=True)] = Vat.UNKNOWN
    vat_first: Annotated[bool, Field(exclude=True)] = False
    availability: Availability
    lead_time: Omittable[int] = None
    """In how many days it can be had if none is in stock."""

    @property
    def is_sold(self) -> bool:
        """Whether it can be asked for, now or later."""
        return self.availability is not Availability.DISCONTINUED

    @property
    def is_awaited(self) -> bool:
        """Whether it is out of stock, and nobody knows for how long."""
        return self.availability is Availability.OUT_OF_STOCK and self.lead_time is None

    @property
    def short_name(self) -> str:
        """The name, by default the title."""
        return self.name or self.title

    @property
    def shown_prices(self) -> list[Money]:
        """The prices in the order in which pages show them."""
        prices = [each for each in (self.price, self.price_with_vat) if each is not None]
        return prices[::-1] if self.vat_first else prices


class ProductSpec(Resource):
    """One row of the data sheet."""

    name: str
    value: str


class ProductLink(Resource):
    """Another product."""

    slug: str
    title: str


class ProductPicture(Resource):
    """A further picture of a product."""

    image: str
    image_alt: Omittable[str] = None


class ProductBody(OwnBody, ProductItem):
    """One product in full."""

    heading: str
    sku: Omittable[str] = None
    barcode: Omittable[str] = None
    brand: Omittable[str] = None
    delivery: Omittable[str] = None
    warranty: Omittable[str] = None
    gallery: Omittable[list[ProductPicture]] = None
    specs: list[ProductSpec]
    sections: Sections
    replaced_by: Omittable[ProductLink] = None
    related: list[ProductItem]
    seo: Omittable[PageSeo] = None

    @property
    def pictures(self) -> list[str]:
        """The paths of all pictures."""
        further = (each.image for each in self.gallery or ())
        return [*filter(None, [self.image]), *further]


class ProductDetail(DocumentPage):
    """The response wrapper of one product."""

    product: ProductBody

    @property
    def document(self) -> ProductBody:
        """The product itself."""
        return self.product


class EnquiredProduct(NamedTuple):
    """A product in an enquiry."""

    item: ProductItem
    quantity: int


class ListedProduct(NamedTuple):
    """A product as lists show it, with what they sort and filter by."""

    item: ProductItem
    amount: Decimal | None
    changed_at: datetime | None


@cached_per_snapshot
def products_on_sale(view: ContentView) -> tuple[ListedProduct, ...]:
    """Return the products on sale by sortOrder, without those that others have replaced."""
    products = view.resolve_all(PRODUCT)
    on_sale = (
        product
        for product in products
        if product.fields.active is not False and _replacement(view, product) is None
    )
    return tuple(view.each(on_sale, lambda product: _listed(view, product)))


def _listed(view: ContentView, resolved: Resolved[Any]) -> ListedProduct:
    amount = order_of(view, resolved, "prices")
    return ListedProduct(product_item(view, resolved), amount, resolved.updated_at)


def product_item(view: ContentView, resolved: Resolved[Any]) -> ProductItem:
    """Return a product as lists show it."""
    return ProductItem.model_validate(_fields(view, resolved))


def product_detail(view: ContentView, slug: str) -> LocalizedResource[ProductDetail]:
    """Return one product, even if it is no longer on sale; raise NotFound if it is missing."""
    resolved = published(view, PRODUCT, slug, "product")
    replacement, own = _replacement(view, resolved), contract_values(view, resolved)
    sections, _ = page_sections(view, resolved)
    body = ProductBody.model_validate(
        {
            **_fields(view, resolved),
            **own_body(view, resolved),
            "heading": heading_of(resolved),
            **{name: own.get(name) for name in ("sku", "barcode", "brand")},
            **_terms(view, resolved),
            "gallery": [each for each in own.get("gallery", ()) if "image" in each] or None,
            "specs": [{"name": "", "value": "", **each} for each in own.get("specs", ())],
            "sections": sections,
            "replaced_by": replacement
            and ProductLink(slug=replacement.entry.slug, title=title_of(replacement)),
            "related": _related(view, resolved),
            "seo": resolved.fields.seo,
        }
    )
    return localized_resource(ProductDetail(product=body), resolved)


def enquired_products(view: ContentView, enquiry: Enquiry) -> list[EnquiredProduct]:
    """Return the products of an enquiry that are on sale, in its order."""
    items = {each.item.slug: each.item for each in products_on_sale(view)} if enquiry else {}
    return [EnquiredProduct(items[slug], enquiry[slug]) for slug in enquiry if slug in items]


def _terms(view: ContentView, resolved: Resolved[Any]) -> dict[str, str | None]:
    """Return delivery and warranty of a product that is sold, by default those of the site.

    The delivery of the site is not that of a product whose return to stock is unknown.
    """
    availability = _availability(view, resolved)
    if availability is Availability.DISCONTINUED:
        return {}
    is_in_sight = availability is Availability.IN_STOCK or resolved.fields.lead_time is not None
    settings = view.singleton(SETTINGS)
    fields, default = resolved.fields, settings.fields if settings else SettingsFields()
    language = view.locale.language
    return {
        "delivery": resolved.pick(fields.delivery)
        or (localized_text(default.product_delivery, language) if is_in_sight else None),
        "warranty": resolved.pick(fields.warranty)
        or localized_text(default.product_warranty, language),
    }


def _replacement(view: ContentView, resolved: Resolved[Any]) -> Resolved[Any] | None:
    """Return the product that has replaced another in the end, or None; circles end."""
    seen, last, found = {resolved.entry.slug}, resolved, None
    while last.fields.replaced_by and slugify(last.fields.replaced_by) not in seen:
        found = view.resolve(PRODUCT, slugify(last.fields.replaced_by))
        if found is None:
            break
        last = found
        seen.add(last.entry.slug)
    return None if last is resolved else last


MAX_RELATED = 3
ENQUIRY_PARAMETERS = ("product", "quantity")
"""The parameters of pages that pass the products of an enquiry on."""


def _related(view: ContentView, resolved: Resolved[Any]) -> list[ProductItem]:
    """Return the products that the author names, else those of the category nearest in price."""
    others = {
        product.item.slug: product
        for product in products_on_sale(view)
        if product.item.slug != resolved.entry.slug
    }
    named = resolved.fields.related
    if named is not None:
        found = (others.get(slugify(slug)) for slug in named)
        return [product.item for product in found if product][:MAX_RELATED]
    category, net = resolved.fields.product_category, order_of(view, resolved, "prices")
    same = [each for each in others.values() if category and each.item.category == category]
    if net is not None:
        same.sort(key=lambda each: (each.amount is None, abs((each.amount or 0) - net)))
    return [product.item for product in same[:MAX_RELATED]]


def _fields(view: ContentView, resolved: Resolved[Any]) -> dict[str, object]:
    """Return the fields that the list and the detail share."""
    availability = _availability(view, resolved)
    is_back = availability is Availability.OUT_OF_STOCK
    return {
        "id": resolved.fields.id or 0,
        "slug": resolved.entry.slug,
        "title": title_of(resolved),
        "name": resolved.pick(resolved.fields.name),
        "short_description": resolved.pick(resolved.fields.short_description),
        "category": resolved.fields.product_category,
        "category_name": category_name(view, resolved.fields.product_category),
        "image": view.picture(resolved.fields.image, resolved),
        "image_alt": resolved.pick(resolved.fields.image_alt),
        **({} if availability is Availability.DISCONTINUED else _prices(view, resolved)),
        "availability": availability,
        "lead_time": resolved.fields.lead_time if is_back else None,
    }


_VAT = {"Z": Vat.NONE, "E": Vat.NONE, "O": Vat.NONE, "AE": Vat.EXCLUDED}
"""The VAT on products of a category without the rate; of `AE` the buyer accounts for it."""


def category_name(view: ContentView, category: str | None) -> str | None:
    """Return the name of a category from the settings, else its slug in words."""
    settings = view.singleton(SETTINGS) if category else None
    names = settings.fields.product_categories if settings else None
    name = localized_text((names or {}).get(category or ""), view.locale.language)
    return name or (name_in_words(category) if category else None)


def _prices(view: ContentView, resolved: Resolved[Any]) -> dict[str, object]:
    """Return the price of a product, and with VAT if some is added to it."""
    net, currency = local_amount(view, resolved.fields.prices or {})
    if net is None:
        return {}
    category = resolved.fields.tax_category or STANDARD_RATE
    country = view.locale.country
    rate = vat_rate(view, country)
    if not rate or category != STANDARD_RATE:
        vat = Vat.UNKNOWN if rate is None else Vat.NONE
        vat = _VAT.get(category, vat) if country else Vat.UNKNOWN
        return {"price": _money(net, currency), "vat": vat}
    return {
        "price": _money(net, currency),
        "price_with_vat": _money(amount_with_vat(net, rate, currency), currency),
        "vat_rate": rate_text(rate),
        "vat": Vat.ADDED,
        "vat_first": vat_first(view, country),
    }


def _money(amount: Decimal, currency: str) -> Money:
    return Money(amount=cldr.amount_text(amount, currency), currency=currency)


def _availability(view: ContentView, resolved: Resolved[Any]) -> Availability:
    if resolved.fields.active is False or _replacement(view, resolved):
        return Availability.DISCONTINUED
    in_stock = resolved.fields.stock is None or resolved.fields.stock > 0
    return Availability.IN_STOCK if in_stock else Availability.OUT_OF_STOCK


PRODUCT_PAGE = declare_page(
    PageType(
        name="product",
        path="/products/{slug}",
        content_types=(PRODUCT,),
        parent="/products",
        group=queries.PRODUCTS,
        reason=_("its price or details are asked for"),
        parameters=ENQUIRY_PARAMETERS,
    ),
    lambda view, address, _: product_detail(view, address.slug),
)
