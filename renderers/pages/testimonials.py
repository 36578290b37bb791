"""The list of testimonials."""

from __future__ import annotations

from knowledge.content_types import TESTIMONIAL
from knowledge.resources.testimonials import TESTIMONIALS_PAGE, TestimonialItem, TestimonialList
from renderers.cards import render_entries
from renderers.markdown.context import MarkdownContext, paragraphs, quoted
from renderers.page_rendering import PageRendering, declare_rendering


def _markdown(resource: TestimonialList, context: MarkdownContext) -> str:
    stories = render_entries(
        context.snapshot,
        TESTIMONIAL,
        resource.items,
        lambda item: _testimonial(item, context),
    )
    return paragraphs([resource.page.intro, *stories])


def _testimonial(item: TestimonialItem, context: MarkdownContext) -> str:
    verified = f" {context.gettext('Verified customer')}" if item.verified else ""
    return paragraphs(
        [
            f"## {item.company or item.customer_name}",
            quoted(item.quote),
            f"**{item.customer_name}**{verified}",
            context.join([item.designation, item.company]),
            context.join([item.industry, item.city, item.country]),
            f"{item.rating:g}/5" if item.rating is not None else "",
        ]
    )


declare_rendering(
    PageRendering(
        resources=(TestimonialList,),
        heading=lambda page: page.answer.resource.page.title,
        markdown=_markdown,
    ),
    TESTIMONIALS_PAGE,
)
