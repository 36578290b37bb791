"""The home page, and the list of testimonials, of which it shows some."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from knowledge.fields.content_types import HOME, INDUSTRY, MODULE, NAVIGATION, PAGE, TESTIMONIAL
from knowledge.fields.schemas import StatItem
from knowledge.locales.locale import localized_text
from knowledge.markdown.slugs import Anchor
from knowledge.resources.blog import BlogHomepage, blog_homepage
from knowledge.resources.home import HOME_PAGE, Homepage, IndustryItem, ModuleItem
from knowledge.resources.kind_documents import Version, documentation
from knowledge.resources.page_sections import DocumentSection
from knowledge.resources.passages import Part, section_parts, text_part
from knowledge.resources.posts import POST_PAGE
from knowledge.resources.site import site_settings
from knowledge.resources.site_page import PageModel
from knowledge.resources.software import INDUSTRY_PAGE, MODULE_PAGE
from knowledge.resources.testimonials import (
    TESTIMONIALS_PAGE,
    TestimonialItem,
    TestimonialList,
    testimonial_list,
)
from knowledge.sections.sections import HOME_BLOCKS
from knowledge.views.content_view import ContentView
from renderers.html.page_links import opening_section
from renderers.l10n.translation import site_words
from renderers.markdown.context import (
    MarkdownContext,
    bullets,
    chapter,
    link_text,
    paragraphs,
    quoted,
    render_entries,
    section_texts,
    with_facts,
)
from renderers.markdown.navigation import (
    NavLink,
    action_path,
    content_path,
    has_posts,
    link_list,
    links_to,
)
from renderers.markdown.passages import PassageContext, listing, texts
from renderers.page_rendering import Chapters, PageRendering, Variables, declare_rendering
from renderers.pages.blog import post_lines
from renderers.pages.kind import document_tree, entry_lines

_POSTS, _POSTS_OF_BLOG = 2, 12
"""The number of posts besides the newest, and where the home page is the blog."""


def _variables(page: PageModel[Homepage]) -> Variables:
    stories = testimonial_list(page.view)
    return {
        "posts": _posts(page.view),
        "is_blog": _is_blog(page.view),
        "stories": stories.section,
        "featured": [item for item in stories.items if item.featured_on_homepage],
        "erp_path": content_path(page.view, "erp"),
        "pages": _pages(page.view),
        "manuals": _manuals(page.view),
        "placed": _placed(page.answer.resource.sections),
    }


def _is_blog(view: ContentView) -> bool:
    """Return whether the home page is the blog: no author wrote another one."""
    return view.snapshot.singleton(HOME) is None and not _manuals(view) and has_posts(view)


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


def _links(variables: Variables, context: MarkdownContext) -> Chapters:
    posts = variables["posts"]
    if posts.enabled and posts.featured:
        lines = post_lines([posts.featured, *posts.items], context)
        yield posts.title or context.gettext("From the blog"), lines
    for title, manual in variables["manuals"]:
        yield title, document_tree(manual.chapters)
    if variables["pages"]:
        yield context.gettext("Pages"), link_list(variables["pages"])


def _own_text(home: Homepage) -> Homepage:
    modules = home.modules.model_copy(update={"items": []})
    industries = home.industries.model_copy(update={"items": []})
    return home.model_copy(update={"kinds": None, "modules": modules, "industries": industries})


def _texts(home: Homepage, context: MarkdownContext) -> Iterator[str]:
    """Yield the texts and links of the home page, in the order of the page."""
    localized, gettext = context.localized, context.gettext
    stats, modules, industries, about = home.stats, home.modules, home.industries, home.about
    yield localized(home.hero.sub)
    yield localized(home.hero.body)
    yield from section_texts(with_facts(home.sections, context))
    yield chapter(
        localized(stats.title) or gettext("In numbers"),
        _figures(stats.items or (), context),
    )
    for section in home.kinds or ():
        yield chapter(section.title, entry_lines(section.items, context))
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
        yield chapter(
            gettext("What customers say"),
            *(
                f"{quoted(each.quote)}\n>\n> {each.customer_name}"
                for each in home.testimonials.items
            ),
        )
    if home.demo_cta.enabled and home.demo_cta.title:
        yield f"**{localized(home.demo_cta.title)}**"


def _figures(items: Iterable[StatItem], context: MarkdownContext) -> str:
    return bullets(f"**{item.value}** {context.localized(item.label)}".rstrip() for item in items)


def _module(item: ModuleItem, context: MarkdownContext) -> str:
    title_link = context.link(context.localized(item.title), MODULE_PAGE, item.slug)
    description = context.localized(item.description)
    return f"{title_link}: {description}" if description else title_link


def _industry(item: IndustryItem, context: MarkdownContext) -> str:
    return context.link(context.localized(item.name), INDUSTRY_PAGE, item.slug)


def _passage_parts(home: Homepage, context: PassageContext) -> Iterator[Part]:
    """Yield the parts of the home page, in the order of its template."""
    localized = context.localized
    yield from texts((), context.anchor, localized(home.hero.sub), localized(home.hero.body))
    yield from _own_parts(home, context)
    if home.testimonials.section.enabled:
        yield from _story_parts(context)
    yield from _post_parts(context)
    yield from _page_parts(context)
    action = action_path(context.view)
    if home.demo_cta.enabled and home.demo_cta.title and action:
        name, words = localized(home.demo_cta.title), site_words(context.view)
        query = "?topic=demo" if action == content_path(context.view, "contact") else ""
        button = f"[{link_text(words.mainButton)}]({action}{query})"
        yield text_part((name,), context.ids.anchor(name), button if words.mainButton else None)


def _own_parts(home: Homepage, context: PassageContext) -> Iterator[Part]:
    localized, gettext, ids = context.localized, context.gettext, context.ids
    stats, modules, industries, about = home.stats, home.modules, home.industries, home.about
    yield from section_parts(with_facts(home.sections, context))
    if stats.items:
        name = localized(stats.title) or gettext("In numbers")
        yield from texts((name,), ids.anchor("", "home-stats"), _figures(stats.items, context))
    for section in home.kinds or ():
        anchor = ids.anchor(section.title)
        for item in section.items:
            ids.claim(item.title)
        yield listing((section.title,), anchor, entry_lines(section.items, context))
    if modules.items:
        name = localized(modules.title) or gettext("Modules")
        anchor = ids.anchor(name)
        for module in modules.items:
            ids.claim(localized(module.title))
        yield listing((name,), anchor, context.bullets(MODULE, modules.items, _module))
    if industries.items:
        name = localized(industries.title) or gettext("Industries")
        lines = context.bullets(INDUSTRY, industries.items, _industry)
        yield listing((name,), ids.anchor(name), lines)
    if about.paragraphs:
        name = localized(about.title) or gettext("About us")
        yield from texts((name,), ids.anchor(name), *map(localized, about.paragraphs))


def _story_parts(context: PassageContext) -> Iterator[Part]:
    stories = testimonial_list(context.view)
    featured = [item for item in stories.items if item.featured_on_homepage]
    if not stories.section.enabled or not featured:
        return
    name = stories.section.heading or context.gettext("What customers say")
    anchor = context.ids.anchor(name)
    yield text_part((name,), anchor, stories.section.eyebrow, stories.section.supporting_text)
    for story in featured:
        yield listing((name,), *story_text(story, context))


def _post_parts(context: PassageContext) -> Iterator[Part]:
    posts = _posts(context.view)
    if not posts.enabled or not posts.featured:
        return
    name = posts.title or context.gettext("From the blog")
    anchor, shown = context.ids.anchor(name), [posts.featured, *posts.items]
    for post in shown:
        context.ids.claim(post.title)
    yield listing((name,), anchor, post_lines(shown, context))


def _page_parts(context: PassageContext) -> Iterator[Part]:
    pages = _pages(context.view)
    if pages:
        name = context.gettext("Pages")
        yield listing((name,), context.ids.anchor(name), link_list(pages))


def _stories_markdown(resource: TestimonialList, context: MarkdownContext) -> str:
    stories = render_entries(
        context.snapshot,
        TESTIMONIAL,
        resource.items,
        lambda item: f"## {_teller(item)}\n\n{_words(item, context)}",
    )
    above, below = (
        section_texts(with_facts(each, context)) for each in (resource.opening, resource.closing)
    )
    return paragraphs([resource.page.intro, *above, *stories, *below])


def _teller(item: TestimonialItem) -> str:
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
            context.link(context.gettext("Read the case study"), POST_PAGE, item.case_study)
            if item.case_study
            else "",
        ]
    )


def _stories_parts(resource: TestimonialList, context: PassageContext) -> Iterator[Part]:
    yield from texts((), context.anchor, resource.page.intro)
    yield from section_parts(with_facts(resource.opening, context))
    for story in resource.items:
        yield text_part((), *story_text(story, context))
    yield from section_parts(with_facts(resource.closing, context))


def story_text(story: TestimonialItem, context: PassageContext) -> tuple[Anchor, str]:
    """Return the anchor and the text of a customer's words."""
    return context.ids.anchor(_teller(story)), _words(story, context)


declare_rendering(
    PageRendering(
        resources=(Homepage,),
        heading=lambda page: localized_text(page.answer.resource.hero.title, page.locale.language),
        markdown=lambda home, context: paragraphs(_texts(home, context)),
        variables=_variables,
        links=_links,
        description=_description,
        own_text=_own_text,
        parts=_passage_parts,
    ),
    HOME_PAGE,
)
declare_rendering(
    PageRendering(
        resources=(TestimonialList,),
        heading=lambda page: page.answer.resource.page.title,
        markdown=_stories_markdown,
        parts=_stories_parts,
    ),
    TESTIMONIALS_PAGE,
)
