"""The home page, and the list of testimonials, of which it shows some."""

from collections.abc import Iterable, Iterator
from functools import partial
from operator import attrgetter

from knowledge.blocks.block import Block, Link, Role
from knowledge.blocks.cards import CardsBlock
from knowledge.blocks.documents import DocumentsBlock
from knowledge.blocks.figures import Figure, FiguresBlock
from knowledge.blocks.links import LinksBlock, NamedLink
from knowledge.blocks.quotes import Quote, QuotesBlock
from knowledge.blocks.section import DocumentSection, opening_section
from knowledge.blocks.text import TextBlock
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import HOME, INDUSTRY, MODULE, NAVIGATION, PAGE, TESTIMONIAL
from knowledge.locales.locale import localized_text
from knowledge.resources.blog import BlogHomepage, blog_homepage
from knowledge.resources.home import HOME_PAGE, Homepage, IndustryItem, KindSection
from knowledge.resources.kind_documents import Version, documentation
from knowledge.resources.posts import POST_PAGE
from knowledge.resources.site import site_settings
from knowledge.resources.site_page import PageContent, PageModel
from knowledge.resources.software import INDUSTRY_PAGE
from knowledge.resources.testimonials import (
    TESTIMONIALS_PAGE,
    TestimonialItem,
    TestimonialList,
    testimonial_list,
)
from knowledge.sections.sections import HOME_BLOCKS
from knowledge.views.content_view import ContentView
from renderers.blocks.cards import document_card, entry_card
from renderers.blocks.context import (
    MarkdownContext,
    link,
    paragraphs,
    render_entries,
)
from renderers.blocks.page_blocks import price_block, section_blocks
from renderers.l10n.translation import contact_form_settings, site_words, translate
from renderers.markdown.navigation import (
    NavLink,
    action_path,
    content_path,
    has_posts,
    links_to,
)
from renderers.page_rendering import PageRendering, Variables, declare_rendering
from renderers.pages.blog import blog_path, post_cards
from renderers.pages.kind import tree_items


def _variables(page: PageModel[Homepage]) -> Variables:
    return {
        "is_blog": _is_blog(page.view),
        "erp_path": content_path(page.view, "erp"),
        "manuals": _manuals(page.view),
    }


def _is_blog(view: ContentView) -> bool:
    """Return whether the home page is the blog: no author wrote another one."""
    return view.snapshot.singleton(HOME) is None and not _manuals(view) and has_posts(view)


_PARTS = ("about", "industries", "modules", "stats")
_POSTS, _POSTS_OF_BLOG = 2, 12
"""The number of posts besides the newest, and where the home page is the blog."""


def _posts(view: ContentView) -> BlogHomepage:
    return blog_homepage(view, _POSTS_OF_BLOG if _is_blog(view) else _POSTS)


def _placed(sections: Iterable[DocumentSection]) -> dict[str, list[DocumentSection]]:
    """Return the sections by the block that they follow; others follow the section before them."""
    placed: dict[str, list[DocumentSection]] = {}
    block, opener = "stats", opening_section(sections)
    for section in sections:
        if section is opener:
            continue
        block = section.after if section.after in HOME_BLOCKS else block
        placed.setdefault(block, []).append(section)
    return placed


def _pages(view: ContentView) -> list[NavLink]:
    """Return links to all pages, if no author wrote a home page or a menu."""
    written = (HOME, NAVIGATION)
    return [] if any(map(view.snapshot.singleton, written)) else links_to(view, PAGE)


def _description(page: PageModel[Homepage]) -> str | None:
    """Return the description of the site."""
    return (site_settings(page.view).seo.meta_description or {}).get(page.locale.language)


def _manuals(view: ContentView) -> list[tuple[str, Version]]:
    """Return all documentation, with its title, if no author wrote a home page."""
    if view.snapshot.singleton(HOME):
        return []
    kinds, language = view.snapshot.kinds.by_name, view.locale.language
    return [
        (localized_text(kinds[name].declared.plural, language), versions[0])
        for name, versions in documentation(view).items()
        if versions
    ]


def _blocks(page: PageContent[Homepage], context: MarkdownContext) -> Iterator[Block]:
    """Yield the blocks of the home page, each before the sections that its author puts there."""
    placed = _placed(page.resource.sections)
    yield from _opening(page, context)
    yield from section_blocks(placed.get("hero", ()), context, place="after hero")
    for name, found in _named_blocks(page, context):
        yield from (each.model_copy(update={"place": name}) for each in found)
        yield from section_blocks(placed.get(name, ()), context, place=f"after {name}")


def _named_blocks(
    page: PageContent[Homepage], context: MarkdownContext
) -> Iterator[tuple[str, Iterable[Block]]]:
    """Yield the blocks by the names by which authors place sections after them."""
    home, localized, gettext = page.resource, context.localized, context.gettext
    figures = [
        Figure(value=each.value or "", label=localized(each.label))
        for each in home.stats.items or ()
    ]
    heading = localized(home.stats.title) or gettext("In numbers")
    yield "stats", [FiguresBlock(id="home-stats", heading=heading, items=figures)]
    yield "kinds", (_kind_block(each, context) for each in home.kinds or ())
    heading = localized(home.modules.title) or gettext("Modules")
    cards = page.view.each(page.view.resolve_all(MODULE), partial(document_card, page.view))
    yield "modules", [CardsBlock(heading=heading, items=cards, role=Role.LISTING)]
    industries = partial(render_entries, page.view.snapshot, INDUSTRY, home.industries.items)
    heading = localized(home.industries.title) or gettext("Industries")
    tiles = list(industries(partial(_industry, context)))
    yield "industries", [LinksBlock(heading=heading, items=tiles, role=Role.LISTING)]
    heading = localized(home.about.title) or gettext("About us")
    about = paragraphs(map(localized, home.about.paragraphs or ()))
    text = page.view.markdown(about, "")
    yield "about", [TextBlock(heading=heading, text=text)]
    yield "testimonials", _stories(page, context)
    yield "posts", _post_block(page, context)
    for title, manual in _manuals(page.view):
        items = tree_items(manual.chapters)
        yield "manuals", [DocumentsBlock(heading=title, items=items, role=Role.NAVIGATION)]
    pages = [NamedLink(text=each.title, href=each.path) for each in _pages(page.view)]
    yield "pages", [LinksBlock(heading=gettext("Pages"), items=pages, role=Role.LISTING)]
    yield "call_to_action", _call_to_action(page, context)


def _opening(page: PageContent[Homepage], context: MarkdownContext) -> Iterator[Block]:
    """Yield the texts below the title, the main buttons, and the section that opens the page."""
    hero, words, view = page.resource.hero, site_words(page.view), page.view
    yield TextBlock(text=view.markdown(context.localized(hero.sub), ""), place="sub")
    yield TextBlock(text=view.markdown(context.localized(hero.body), ""), place="lead")
    yield price_block(view, context)
    buttons = (
        (words.talkToUs, action_path(view)),
        (words.seeTheSoftware, content_path(view, "erp")),
    )
    items = [NamedLink(text=label, href=path) for label, path in buttons if label and path]
    yield LinksBlock(items=items, role=Role.NAVIGATION, place="hero")
    opener = opening_section(page.resource.sections)
    yield from section_blocks([opener] if opener else [], context, place="hero")


def _kind_block(section: KindSection, context: MarkdownContext) -> Block:
    cards = [entry_card(each, context) for each in section.items]
    more = Link(text=context.gettext("Show all"), href=section.path)
    return CardsBlock(heading=section.title, items=cards, more=more, role=Role.LISTING)


def _industry(context: MarkdownContext, item: IndustryItem) -> NamedLink:
    path = context.path(INDUSTRY_PAGE, item.slug)
    return NamedLink(text=context.localized(item.name), href=path, icon=item.icon)


def _stories(page: PageContent[Homepage], context: MarkdownContext) -> Iterator[Block]:
    """Yield what featured customers say, with the texts of the section."""
    stories = testimonial_list(page.view)
    section, featured = stories.section, _featured(stories)
    if not (page.resource.testimonials.section.enabled and section.enabled and featured):
        return
    more = section.view_all_label or context.gettext("All customer stories")
    yield QuotesBlock(
        heading=section.heading or context.gettext("What customers say"),
        introduction=tuple(filter(None, (section.eyebrow, section.supporting_text))),
        eyebrow=section.eyebrow,
        items=_quotes(featured, context),
        more=Link(text=more, href=section.view_all_url)
        if section.show_view_all and section.view_all_url
        else None,
        role=Role.LISTING,
    )


def _featured(stories: TestimonialList) -> list[TestimonialItem]:
    return [each for each in stories.items if each.featured_on_homepage]


def _quotes(items: Iterable[TestimonialItem], context: MarkdownContext) -> list[Quote]:
    return list(render_entries(context.snapshot, TESTIMONIAL, items, partial(_quote, context)))


def _quote(context: MarkdownContext, item: TestimonialItem) -> Quote:
    study = item.case_study
    return Quote(
        words=item.quote,
        title=item.company or item.customer_name,
        name=item.customer_name,
        role=item.designation,
        company=item.company,
        place=tuple(filter(None, (item.industry, item.city, item.country))),
        rating=item.rating,
        portrait=item.image,
        verified=context.gettext("Verified customer") if item.verified else None,
        more=Link(text=context.gettext("Read the case study"), href=context.path(POST_PAGE, study))
        if study
        else None,
    )


def _post_block(page: PageContent[Homepage], context: MarkdownContext) -> Iterator[Block]:
    posts = _posts(page.view)
    if not posts.enabled or not posts.featured:
        return
    usual = _("Articles") if _is_blog(page.view) else _("From the blog")
    words = site_words(page.view).allArticles
    yield CardsBlock(
        heading=posts.title or translate(usual, context.language),
        items=post_cards([posts.featured, *posts.items], context),
        are_posts=True,
        more=Link(text=words, href=blog_path(page.view)) if words else None,
        role=Role.LISTING,
    )


def _call_to_action(page: PageContent[Homepage], context: MarkdownContext) -> Iterator[Block]:
    """Yield the call to action, with its button."""
    call, action, view = page.resource.demo_cta, action_path(page.view), page.view
    if not (call.enabled and call.title and action):
        return
    label = site_words(view).mainButton
    topics = (topic.value for topic in contact_form_settings(view).topics)
    is_asked = action == content_path(view, "contact") and "demo" in topics
    query = "?topic=demo" if is_asked else ""
    text = link(label, f"{action}{query}") if label else ""
    yield TextBlock(heading=context.localized(call.title), text=text, is_call=True)


def _story_blocks(page: PageContent[TestimonialList], context: MarkdownContext) -> Iterator[Block]:
    """Yield the text of the page, with the words of all customers before its call to action."""
    stories = page.resource
    yield TextBlock(text=stories.page.intro or "", place="introduction")
    yield from section_blocks(stories.opening, context)
    yield QuotesBlock(items=_quotes(stories.items, context), place="list")
    yield from section_blocks(stories.closing, context, place="closing")


declare_rendering(
    PageRendering(
        resources=(Homepage,),
        heading=lambda page: localized_text(page.resource.hero.title, page.locale.language),
        blocks=_blocks,
        variables=_variables,
        former={
            **{each: attrgetter(f"resource.{each}") for each in _PARTS},
            "featured": lambda page: _featured(testimonial_list(page.view)),
            "pages": lambda page: _pages(page.view),
            "placed": lambda page: _placed(page.resource.sections),
            "posts": lambda page: _posts(page.view),
            "stories": lambda page: testimonial_list(page.view).section,
        },
        description=_description,
    ),
    HOME_PAGE,
)
declare_rendering(
    PageRendering(
        resources=(TestimonialList,),
        heading=lambda page: page.resource.page.title,
        blocks=_story_blocks,
    ),
    TESTIMONIALS_PAGE,
)
