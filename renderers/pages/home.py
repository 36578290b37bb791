"""The home page."""

from __future__ import annotations

from collections.abc import Iterator

from knowledge.addresses import Address
from knowledge.content_types import INDUSTRY, MODULE
from knowledge.locale import localized_text
from knowledge.resources.blog import blog_homepage
from knowledge.resources.localized import INDUSTRY_PAGE, MODULE_PAGE
from knowledge.resources.site import (
    HOME_PAGE,
    Homepage,
    HomeTestimonial,
    IndustryItem,
    ModuleItem,
)
from knowledge.resources.site_page import PageModel
from knowledge.resources.testimonials import testimonial_list
from knowledge.schemas import StatItem
from renderers.markdown.context import MarkdownContext, bullets, chapter, paragraphs, quoted
from renderers.nav_links import content_path
from renderers.page_rendering import Chapters, PageRendering, Variables, declare_rendering
from renderers.pages.blog import post_lines

_POSTS = 2


def _variables(page: PageModel[Homepage]) -> Variables:
    stories = testimonial_list(page.view)
    return {
        "posts": blog_homepage(page.view, _POSTS),
        "stories": stories.section,
        "featured": [item for item in stories.items if item.featured_on_homepage],
        "erp_path": content_path(page.view, "erp"),
    }


def _links(variables: Variables, context: MarkdownContext) -> Chapters:
    posts = variables["posts"]
    if posts.enabled and posts.featured:
        lines = post_lines([posts.featured, *posts.items], context)
        yield posts.title or context.gettext("From the blog"), lines


def _own_text(home: Homepage) -> Homepage:
    modules = home.modules.model_copy(update={"items": []})
    industries = home.industries.model_copy(update={"items": []})
    return home.model_copy(update={"modules": modules, "industries": industries})


def _markdown(home: Homepage, context: MarkdownContext) -> str:
    """Return the texts and links of the home page, in the order of the page."""
    return paragraphs(_parts(home, context))


def _parts(home: Homepage, context: MarkdownContext) -> Iterator[str]:
    localized, gettext = context.localized, context.gettext
    stats, modules, industries, about = home.stats, home.modules, home.industries, home.about
    yield localized(home.hero.sub)
    yield localized(home.hero.body)
    yield chapter(
        localized(stats.title) or gettext("In numbers"),
        bullets(_figure(item, context) for item in stats.items or ()),
    )
    yield chapter(
        localized(modules.title) or gettext("Modules"),
        context.bullets(MODULE, modules.items, _module),
    )
    yield chapter(
        localized(industries.title) or gettext("Industries"),
        context.bullets(INDUSTRY, industries.items, _industry),
    )
    yield chapter(
        localized(about.title) or gettext("About us"), *map(localized, about.paragraphs or ())
    )
    if home.testimonials.section.enabled:
        yield chapter(gettext("What customers say"), *map(_quote, home.testimonials.items))
    if home.demo_cta.enabled and home.demo_cta.title:
        yield f"**{localized(home.demo_cta.title)}**"


def _figure(item: StatItem, context: MarkdownContext) -> str:
    return f"**{item.value}** {context.localized(item.label)}".rstrip()


def _module(item: ModuleItem, context: MarkdownContext) -> str:
    title_link = context.link(context.localized(item.title), Address(MODULE_PAGE, item.slug))
    description = context.localized(item.description)
    return f"{title_link}: {description}" if description else title_link


def _industry(item: IndustryItem, context: MarkdownContext) -> str:
    return context.link(context.localized(item.name), Address(INDUSTRY_PAGE, item.slug))


def _quote(item: HomeTestimonial) -> str:
    return f"{quoted(item.quote)}\n>\n> {item.customer_name}"


declare_rendering(
    PageRendering(
        resources=(Homepage,),
        heading=lambda page: localized_text(page.answer.resource.hero.title, page.locale.language),
        markdown=_markdown,
        variables=_variables,
        links=_links,
        own_text=_own_text,
    ),
    HOME_PAGE,
)
