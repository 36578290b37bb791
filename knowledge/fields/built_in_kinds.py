"""The built-in kinds that a site may have, declared as a site declares its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from knowledge.fields.content_types import (
    CITY,
    CONTENT_TYPES,
    INDUSTRY,
    MODULE,
    PRODUCT,
    TESTIMONIAL,
    AnyContentType,
)
from knowledge.fields.kind_fields import FieldDeclaration, FieldType, KindFields, Showing
from knowledge.fields.kinds import Kind, SiteKinds


def _field(
    kind: FieldType, english: str, arabic: str, show: Showing = "fact", to: str | None = None
) -> FieldDeclaration:
    many = True if to else None
    label = {"en": english, "ar": arabic}
    return FieldDeclaration(type=kind, label=label, show=show, to=to, many=many)


_CATEGORY = replace(_field("text", "Category", "التصنيف", "card"), filter=True)
_IMAGE = _field("image", "Image", "الصورة", "card")
_PRODUCT_FIELDS = {
    "image": _IMAGE,
    "productCategory": _CATEGORY,
    "prices": _field("money", "Price", "السعر", "card"),
    "sku": _field("text", "SKU", "رمز المنتج"),
    "barcode": _field("text", "Barcode", "الباركود"),
    "brand": _field("text", "Brand", "العلامة التجارية"),
    "stock": _field("number", "Stock", "المخزون"),
    "leadTime": _field("number", "Days of delivery", "أيام التوريد"),
    "delivery": _field("localizedText", "Delivery", "التوصيل"),
    "warranty": _field("localizedText", "Warranty", "الضمان"),
    "related": _field("reference", "Related products", "منتجات ذات صلة", to="products"),
}
_DECLARATIONS: Mapping[str, KindFields] = {
    PRODUCT.folder: KindFields(
        singular={"en": "Product", "ar": "منتج"},
        plural={"en": "Products", "ar": "المنتجات"},
        fields=_PRODUCT_FIELDS,
    ),
}
OPTIONAL_KINDS = (MODULE, INDUSTRY, PRODUCT, CITY, TESTIMONIAL)
"""The built-in kinds that a site has only if its content has them."""


def built_in_kind(content_type: AnyContentType, kinds: SiteKinds) -> Kind:
    """Return one of these kinds with what a site declares of it."""
    name = content_type.folder
    built_in = CONTENT_TYPES.named(name).declared or _DECLARATIONS[name]
    own = kinds.by_name.get(name)
    absent = {kind.folder for kind in kinds.absent}
    fields = {key: each for key, each in (built_in.fields or {}).items() if each.to not in absent}
    if own is None:
        return Kind(name, replace(built_in, fields=fields), content_type)
    declared = replace(
        own.declared,
        fields={**fields, **(own.declared.fields or {})},
        singular=own.declared.singular or built_in.singular,
        plural=own.declared.plural or built_in.plural,
    )
    return Kind(name, declared, own.content_type)
