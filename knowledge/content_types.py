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
CITY = CONTENT_TYPES.declare(ContentType(folder="cities", singular="city", fields=CityFields))
PAGE = CONTENT_TYPES.declare(ContentType(folder="pages", singular="page", fields=PageFields))
REGISTRY = CONTENT_TYPES.declare(
    ContentType(folder="registry", singular="registry", fields=PageFields)
)
MODULE = CONTENT_TYPES.declare(ContentType(folder="modules", singular="module", fields=PageFields))
INDUSTRY = CONTENT_TYPES.declare(
    ContentType(folder="industries", singular="industry", fields=IndustryFields)
)
POST = CONTENT_TYPES.declare(
    ContentType(folder="posts", singular="post", fields=PostFields, falls_back=False)
)
CATEGORY = CONTENT_TYPES.declare(
    ContentType(folder="categories", singular="category", fields=CategoryFields, falls_back=False)
)
TESTIMONIAL = CONTENT_TYPES.declare(
    ContentType(
        folder="testimonials",
        singular="testimonial",
        fields=TestimonialFields,
        falls_back=False,
    )
)
PRODUCT = CONTENT_TYPES.declare(
    ContentType(folder="products", singular="product", fields=ProductFields)
)
