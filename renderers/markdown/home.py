"""The home page in markdown: everything its bundle shows."""

from __future__ import annotations

from collections.abc import Iterator

from knowledge.addresses import Address, Page
from knowledge.content_path import ContentType
from knowledge.resources.site import Homepage, HomeTestimonial, IndustryItem, ModuleItem, StatItem
from renderers.markdown.context import MarkdownContext, bullets, chapter, paragraphs, quoted


def homepage(home: Homepage, writer: MarkdownContext) -> str:
    """Hero, figures, modules, industries, company and customers, in the page's order."""
    return paragraphs(_parts(home, writer))


def _parts(home: Homepage, writer: MarkdownContext) -> Iterator[str]:
    pick, say = writer.pick, writer.say
    stats, modules, industries, about = home.stats, home.modules, home.industries, home.about
    yield pick(home.hero.sub)
    yield pick(home.hero.body)
    yield chapter(
        pick(stats.title) or say("In numbers"),
        bullets(_figure(item, writer) for item in stats.items),
    )
    yield chapter(
        pick(modules.title) or say("Modules"),
        writer.bullets(ContentType.MODULE, modules.items, _module),
    )
    yield chapter(
        pick(industries.title) or say("Industries"),
        writer.bullets(ContentType.INDUSTRY, industries.items, _industry),
    )
    yield chapter(pick(about.title) or say("About us"), *map(pick, about.paragraphs))
    if home.testimonials.section.enabled:
        yield chapter(say("What customers say"), *map(_words, home.testimonials.items))
    if home.demo_cta.enabled and home.demo_cta.title:
        yield f"**{pick(home.demo_cta.title)}**"


def _figure(item: StatItem, writer: MarkdownContext) -> str:
    return f"**{item.value}** {writer.pick(item.label)}".rstrip()


def _module(item: ModuleItem, writer: MarkdownContext) -> str:
    linked = writer.link(writer.pick(item.title), Address(Page.MODULE, item.slug))
    described = writer.pick(item.description)
    return f"{linked}: {described}" if described else linked


def _industry(item: IndustryItem, writer: MarkdownContext) -> str:
    return writer.link(writer.pick(item.name), Address(Page.INDUSTRY, item.slug))


def _words(item: HomeTestimonial) -> str:
    return f"{quoted(item.quote)}\n>\n> {item.customer_name}"
