"""Testimonials: quotes from customers, and the texts of their page and block."""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from knowledge.addresses.addresses import LocalizedAddress, address_of, in_locale
from knowledge.blocks.section import DocumentSection
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import SITE, TESTIMONIAL, TESTIMONIALS
from knowledge.fields.field_types import Omittable
from knowledge.fields.front_matter import Fields
from knowledge.fields.page_type import PageType
from knowledge.fields.settings_fields import (
    TestimonialsFields,
    TestimonialsPage,
    TestimonialsSection,
)
from knowledge.resources import queries
from knowledge.resources.base import PageResource, resource_in
from knowledge.resources.own_values import OwnBody, contract_values, own_body
from knowledge.resources.page_sections import Sections, page_sections
from knowledge.resources.queries import declare_page
from knowledge.sections.section_type import CALL_TO_ACTION
from knowledge.sections.sections import merged_sections
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView, cached_per_snapshot

Rating = Annotated[int | float, WithJsonSchema({"type": "number", "minimum": 1, "maximum": 5})]
"""A number of stars; a whole number is an integer in JSON."""


class TestimonialItem(OwnBody):
    """One testimonial; `rating` is 1 to 5, and `slug` is not in the body."""

    id: str
    """Id of the testimonial."""
    slug: Annotated[str, Field(exclude=True)]
    quote: str
    """What the customer says."""
    customer_name: str
    """Name of the customer."""
    designation: Omittable[str] = None
    """Position of the customer."""
    company: Omittable[str] = None
    """Company of the customer."""
    image: Omittable[str] = None
    """Path or URL of a portrait."""
    image_alt: Omittable[str] = None
    """Alternative text of the portrait."""
    industry: Omittable[str] = None
    """Line of business of the customer."""
    city: Omittable[str] = None
    """City of the customer."""
    country: Omittable[str] = None
    """Country of the customer."""
    rating: Omittable[Rating] = None
    """Rating from 1 to 5."""
    verified: Omittable[bool] = None
    """Whether the testimonial was verified."""
    featured_on_homepage: Omittable[bool] = None
    """Whether the home page shows the testimonial."""
    case_study: Omittable[str] = None
    """Slug of the post about the customer."""


class TestimonialList(PageResource):
    """All testimonials in the requested language."""

    items: list[TestimonialItem]
    """The testimonials in their order."""
    schema_version: int = 1
    """Version of this format."""
    section: TestimonialsSection[str]
    """Texts of the block that shows testimonials."""
    page: TestimonialsPage[str]
    """Texts of the page that lists them."""
    sections: Annotated[Sections, Field(exclude=True)]

    @property
    def opening(self) -> Sequence[DocumentSection]:
        """The sections above the testimonials: all but a call to action that ends the text."""
        return self.sections[: len(self.sections) - len(self.closing)]

    @property
    def closing(self) -> Sequence[DocumentSection]:
        """The call to action that ends the text, which stands below the testimonials."""
        return [each for each in self.sections[-1:] if each.type == CALL_TO_ACTION]

    def listed_pages(self, view: ContentView) -> Iterable[LocalizedAddress]:
        """Return the page that lists them."""
        return in_locale(view.locale, [address_of(view.snapshot, TESTIMONIALS_PAGE)])


@cached_per_snapshot
def testimonial_list(view: ContentView) -> TestimonialList:
    """Return the testimonials in the language, by sortOrder, and the texts around them.

    Testimonials without a quote are skipped.
    """
    texts = view.singleton(TESTIMONIALS)
    version = texts.fields.schema_version if texts else None
    section = _spoken(texts, texts.fields.section if texts else None)
    if section.get("view_all_url") is not None:
        section["view_all_url"] = view.path(section["view_all_url"])
    testimonials = view.resolve_all(TESTIMONIAL)
    items = view.each(testimonials, lambda resolved: _item(view, resolved))
    return TestimonialList(
        items=[item for item in items if item.quote],
        schema_version=1 if version is None else version,
        section=TestimonialsSection(**section),
        page=TestimonialsPage(**_spoken(texts, texts.fields.page if texts else None)),
        sections=page_sections(view, texts)[0] if texts else [],
    )


_Texts = Resolved[TestimonialsFields] | None


def _spoken(texts: _Texts, part: Fields | None) -> dict[str, Any]:
    """Return the values of a part in the reader's language; it is enabled if nothing is said."""
    values = {each.name: getattr(part, each.name) for each in fields(part)} if part else {}
    spoken = {
        name: texts.pick(value) if texts and isinstance(value, dict) else value
        for name, value in values.items()
    }
    return {**spoken, "enabled": spoken.get("enabled") is not False}


def _item(view: ContentView, resolved: Resolved) -> TestimonialItem:
    return TestimonialItem.model_validate(
        {
            "id": resolved.id,
            "slug": resolved.entry.slug,
            "quote": "\n\n".join(section.body for section, _ in merged_sections(resolved)),
            "customer_name": resolved.pick(resolved.fields.title) or "",
            **contract_values(view, resolved),
            **own_body(view, resolved),
        }
    )


TESTIMONIALS_PAGE = declare_page(
    PageType(
        name="testimonials",
        path="/testimonials",
        content_types=(SITE,),
        singleton="testimonials",
        title=_("Customer stories"),
        index_title=_("Testimonials"),
        group=queries.COMPANY,
        reason=_("you need customers' own words"),
        lists=TESTIMONIAL,
        rank=2,
        schema_type="CollectionPage",
    ),
    lambda view, _, __: resource_in(view.locale, testimonial_list(view)),
)
