"""Testimonials: quotes from customers, and the texts of their page and block."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, WithJsonSchema

from knowledge import page_groups
from knowledge.content_types import SITE, TESTIMONIAL
from knowledge.content_view import ContentView, cached_per_snapshot
from knowledge.layer_resolution import Resolved
from knowledge.messages import mark as _
from knowledge.page_type import PageType
from knowledge.resources.base import Omittable, Resource, resource_in
from knowledge.resources.builders import declare_page
from knowledge.sections import merged_sections

Rating = Annotated[int | float, WithJsonSchema({"type": "number", "minimum": 1, "maximum": 5})]
"""A number of stars; a whole number is an integer in JSON."""


class TestimonialItem(Resource):
    """One testimonial; `rating` is 1 to 5, and `slug` is not in the body."""

    id: str
    slug: Annotated[str, Field(exclude=True)]
    quote: str
    customer_name: str
    designation: Omittable[str] = None
    company: Omittable[str] = None
    image: Omittable[str] = None
    image_alt: Omittable[str] = None
    industry: Omittable[str] = None
    city: Omittable[str] = None
    country: Omittable[str] = None
    rating: Omittable[Rating] = None
    verified: Omittable[bool] = None
    featured_on_homepage: Omittable[bool] = None


class TestimonialsSection(Resource):
    """The texts of the block that shows testimonials on other pages."""

    enabled: bool
    eyebrow: Omittable[str] = None
    heading: Omittable[str] = None
    supporting_text: Omittable[str] = None
    view_all_label: Omittable[str] = None
    view_all_url: Omittable[str] = None
    show_view_all: Omittable[bool] = None


class TestimonialsPage(Resource):
    """The texts of the page that lists all testimonials."""

    enabled: bool
    title: Omittable[str] = None
    intro: Omittable[str] = None
    seo_title: Omittable[str] = None
    seo_description: Omittable[str] = None


class TestimonialList(Resource):
    """All testimonials in the requested language."""

    items: list[TestimonialItem]
    schema_version: int = 1
    section: TestimonialsSection
    page: TestimonialsPage


@cached_per_snapshot
def testimonial_list(view: ContentView) -> TestimonialList:
    """Return the testimonials in the language, by sortOrder, and the texts around them.

    Testimonials without a quote are skipped.
    """
    texts = view.resolve(SITE, "testimonials")
    metadata = texts.metadata if texts else {}
    testimonials = view.resolve_all(TESTIMONIAL)
    items = view.each(testimonials, lambda resolved: _item(view, resolved))
    return TestimonialList(
        items=[item for item in items if item.quote],
        schema_version=metadata.get("schema_version", 1),
        section=TestimonialsSection.model_validate(_block(view, texts, "section")),
        page=TestimonialsPage.model_validate(_block(view, texts, "page")),
    )


def _block(view: ContentView, texts: Resolved | None, name: str) -> dict[str, object]:
    block = texts.metadata.get(name, {}) if texts else {}
    localized_text: dict[str, object] = {"enabled": True}
    for key, value in block.items():
        localized_text[key] = texts.pick(value) if texts and isinstance(value, dict) else value
    url = localized_text.get("view_all_url")
    if isinstance(url, str):
        localized_text["view_all_url"] = view.path(url)
    return localized_text


def _item(view: ContentView, resolved: Resolved) -> TestimonialItem:
    metadata = resolved.metadata
    image = metadata.get("image")
    return TestimonialItem(
        id=resolved.id,
        slug=resolved.entry.slug,
        quote=resolved.text("quote") or _body(resolved),
        customer_name=resolved.text("customer_name") or resolved.text("title") or "",
        designation=resolved.text("designation"),
        company=resolved.text("company"),
        image=view.path(image, resolved.documents[0].path) if image else None,
        image_alt=resolved.text("image_alt"),
        industry=resolved.text("industry"),
        city=resolved.text("city"),
        country=resolved.text("country"),
        rating=_whole_as_int(metadata.get("rating")),
        verified=metadata.get("verified"),
        featured_on_homepage=metadata.get("featured_on_homepage"),
    )


def _body(resolved: Resolved) -> str:
    return "\n\n".join(section.body for section, _ in merged_sections(resolved))


def _whole_as_int(rating: float | None) -> int | float | None:
    """Return a whole rating as an integer: 5, not 5.0."""
    return int(rating) if rating is not None and rating == int(rating) else rating


TESTIMONIALS_PAGE = declare_page(
    PageType(
        name="testimonials",
        path="/testimonials",
        content_types=(SITE,),
        singleton="testimonials",
        title=_("Customer stories"),
        group=page_groups.COMPANY,
        reason=_("you need customers' own words"),
        rank=2,
        schema_type="CollectionPage",
    ),
    lambda view, _, __: resource_in(view.locale, testimonial_list(view)),
)
