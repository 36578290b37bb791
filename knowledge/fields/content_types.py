"""The content types of the service."""

from __future__ import annotations

from knowledge.fields.content_type import CONTENT_TYPES, ContentType, Singleton
from knowledge.fields.form_fields import ContactFormFields
from knowledge.fields.schemas import (
    AuthorFields,
    BlogFields,
    CategoryFields,
    CityFields,
    Common,
    CountryFields,
    HomeFields,
    IndustryFields,
    NavigationFields,
    PageFields,
    PostFields,
    ProductFields,
    SettingsFields,
    TestimonialFields,
    TestimonialsFields,
)
from knowledge.fields.theme_fields import ThemeFields
from knowledge.fields.words import WordsFields

_TITLE = (("title",),)

SETTINGS = Singleton("settings", SettingsFields)
HOME = Singleton("home", HomeFields)
NAVIGATION = Singleton("navigation", NavigationFields)
BLOG = Singleton("blog", BlogFields)
TESTIMONIALS = Singleton("testimonials", TestimonialsFields)
THEME = Singleton("theme", ThemeFields)
WORDS = Singleton("words", WordsFields)
CONTACT_FORM = Singleton("contact-form", ContactFormFields)

SITE = CONTENT_TYPES.declare(
    ContentType(
        folder="site",
        singular="site",
        fields=Common,
        singletons={
            each.slug: each.fields
            for each in (
                SETTINGS,
                HOME,
                NAVIGATION,
                BLOG,
                TESTIMONIALS,
                THEME,
                WORDS,
                CONTACT_FORM,
            )
        },
        is_named_by_file=True,
    )
)
COUNTRY = CONTENT_TYPES.declare(
    ContentType(folder="countries", singular="country", fields=CountryFields)
)
CITY = CONTENT_TYPES.declare(
    ContentType(
        folder="cities",
        singular="city",
        fields=CityFields,
        is_named_by_file=True,
        required=(("name",),),
    )
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
        folder="posts",
        singular="post",
        fields=PostFields,
        required=_TITLE,
        falls_back=False,
        needs_base=False,
        has_dated_names=True,
        has_sections=False,
        aliases={
            **dict.fromkeys(("description", "summary"), "excerpt"),
            **dict.fromkeys(("cover", "hero", "heroImage", "image"), "coverImage"),
            **dict.fromkeys(("author", "by"), "authors"),
        },
    )
)
CATEGORY = CONTENT_TYPES.declare(
    ContentType(
        folder="categories",
        singular="category",
        fields=CategoryFields,
        falls_back=False,
        required=(("name", "title"),),
        aliases={},
    )
)
TAG = CONTENT_TYPES.declare(
    ContentType(
        folder="tags",
        singular="tag",
        fields=CategoryFields,
        falls_back=False,
        required=(("name", "title"),),
        aliases={},
    )
)
AUTHOR = CONTENT_TYPES.declare(
    ContentType(
        folder="authors",
        singular="author",
        fields=AuthorFields,
        has_sections=False,
        required=(("name", "title"),),
        aliases={},
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


def content_folders() -> list[str]:
    """Return the names of the folders that hold documents."""
    return [content_type.folder for content_type in CONTENT_TYPES]
