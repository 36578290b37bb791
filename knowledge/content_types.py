"""The content types of the service."""

from __future__ import annotations

from knowledge.content_type import CONTENT_TYPES, ContentType
from knowledge.schemas import (
    BlogFields,
    CategoryFields,
    CityFields,
    CountryFields,
    IndustryFields,
    PageFields,
    PostFields,
    ProductFields,
    SettingsFields,
    Site,
    TestimonialFields,
    TestimonialsFields,
)

_TITLE = (("title",),)

SITE = CONTENT_TYPES.declare(
    ContentType(
        folder="site",
        singular="site",
        fields=Site,
        singletons={
            "settings": SettingsFields,
            "home": Site,
            "navigation": Site,
            "blog": BlogFields,
            "testimonials": TestimonialsFields,
        },
    )
)
COUNTRY = CONTENT_TYPES.declare(
    ContentType(folder="countries", singular="country", fields=CountryFields)
)
CITY = CONTENT_TYPES.declare(
    ContentType(folder="cities", singular="city", fields=CityFields, required=(("name",),))
)
PAGE = CONTENT_TYPES.declare(
    ContentType(folder="pages", singular="page", fields=PageFields, required=_TITLE)
)
REGISTRY = CONTENT_TYPES.declare(
    ContentType(
        folder="registry",
        singular="registry",
        fields=PageFields,
        required=_TITLE,
        page_slugs=("erp", "solutions", "business-models", "faqs", "contact", "industries"),
    )
)
MODULE = CONTENT_TYPES.declare(
    ContentType(folder="modules", singular="module", fields=PageFields, required=_TITLE)
)
INDUSTRY = CONTENT_TYPES.declare(
    ContentType(folder="industries", singular="industry", fields=IndustryFields, required=_TITLE)
)
POST = CONTENT_TYPES.declare(
    ContentType(
        folder="posts", singular="post", fields=PostFields, falls_back=False, required=_TITLE
    )
)
CATEGORY = CONTENT_TYPES.declare(
    ContentType(
        folder="categories",
        singular="category",
        fields=CategoryFields,
        falls_back=False,
        required=(("name", "title"),),
    )
)
TESTIMONIAL = CONTENT_TYPES.declare(
    ContentType(
        folder="testimonials",
        singular="testimonial",
        fields=TestimonialFields,
        falls_back=False,
        required=(("quote", "body"), ("customer_name", "title")),
    )
)
PRODUCT = CONTENT_TYPES.declare(
    ContentType(
        folder="products",
        singular="product",
        fields=ProductFields,
        required=(("id",), ("sku",), ("title",), ("prices",)),
    )
)
