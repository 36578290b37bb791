"""Markdown of the home page."""

from __future__ import annotations

from collections.abc import Iterator

from knowledge.addresses import Address, Page
from knowledge.content_path import ContentType
from knowledge.resources.site import Homepage, HomeTestimonial, IndustryItem, ModuleItem, StatItem
from renderers.markdown.context import MarkdownContext, bullets, chapter, paragraphs, quoted


def homepage(home: Homepage, context: MarkdownContext) -> str:
    """Return the texts and links of the home page, in the order of the page."""
    return paragraphs(_parts(home, context))


def _parts(home: Homepage, context: MarkdownContext) -> Iterator[str]:
    localized, gettext = context.localized, context.gettext
    stats, modules, industries, about = home.stats, home.modules, home.industries, home.about
    yield localized(home.hero.sub)
    yield localized(home.hero.body)
    yield chapter(
        localized(stats.title) or gettext("In numbers"),
        bullets(_figure(item, context) for item in stats.items),
    )
    yield chapter(
        localized(modules.title) or gettext("Modules"),
        context.bullets(ContentType.MODULE, modules.items, _module),
    )
    yield chapter(
        localized(industries.title) or gettext("Industries"),
        context.bullets(ContentType.INDUSTRY, industries.items, _industry),
    )
    yield chapter(localized(about.title) or gettext("About us"), *map(localized, about.paragraphs))
    if home.testimonials.section.enabled:
        yield chapter(gettext("What customers say"), *map(_quote, home.testimonials.items))
    if home.demo_cta.enabled and home.demo_cta.title:
        yield f"**{localized(home.demo_cta.title)}**"


def _figure(item: StatItem, context: MarkdownContext) -> str:
    return f"**{item.value}** {context.localized(item.label)}".rstrip()


def _module(item: ModuleItem, context: MarkdownContext) -> str:
    title_link = context.link(context.localized(item.title), Address(Page.MODULE, item.slug))
    description = context.localized(item.description)
    return f"{title_link}: {description}" if description else title_link


def _industry(item: IndustryItem, context: MarkdownContext) -> str:
    return context.link(context.localized(item.name), Address(Page.INDUSTRY, item.slug))


def _quote(item: HomeTestimonial) -> str:
    return f"{quoted(item.quote)}\n>\n> {item.customer_name}"
