"""The list of testimonials."""

from __future__ import annotations

from collections.abc import Iterator

from knowledge.fields.content_types import TESTIMONIAL
from knowledge.resources.passages import Part, text_part
from knowledge.resources.testimonials import TESTIMONIALS_PAGE, TestimonialItem, TestimonialList
from renderers.markdown.context import MarkdownContext, paragraphs, quoted, render_entries
from renderers.markdown.passages import PassageContext, texts
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
    return f"## {_author(item)}\n\n{_words(item, context)}"


def _author(item: TestimonialItem) -> str:
    return item.company or item.customer_name


def _words(item: TestimonialItem, context: MarkdownContext) -> str:
    """Return a customer's words, and who says them."""
    verified = f" {context.gettext('Verified customer')}" if item.verified else ""
    return paragraphs(
        [
            quoted(item.quote),
            f"**{item.customer_name}**{verified}",
            context.join([item.designation, item.company]),
            context.join([item.industry, item.city, item.country]),
            f"{item.rating:g}/5" if item.rating is not None else "",
        ]
    )


def _parts(resource: TestimonialList, context: PassageContext) -> Iterator[Part]:
    yield from texts((), context.anchor, resource.page.intro)
    for story in resource.items:
        yield text_part((), *story_text(story, context))


def story_text(story: TestimonialItem, context: PassageContext) -> tuple[str, str]:
    """Return the anchor and the text of a customer's words."""
    return context.ids.claim(_author(story)), _words(story, context)


declare_rendering(
    PageRendering(
        resources=(TestimonialList,),
        heading=lambda page: page.answer.resource.page.title,
        markdown=_markdown,
        parts=_parts,
    ),
    TESTIMONIALS_PAGE,
)
