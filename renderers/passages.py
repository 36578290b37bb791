"""The passages of each type of page, with the labels and the anchors of its HTML.

The ids of headings that templates write are claimed here in the order of the templates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain

from knowledge.addresses import PAGES, Address, Page, file_at
from knowledge.anchors import Anchors
from knowledge.blocks import Block
from knowledge.content_path import ContentType
from knowledge.content_view import ContentView
from knowledge.errors import NotFound
from knowledge.layer_resolution import Resolved
from knowledge.locale import localized_text
from knowledge.passages import (
    Part,
    Passage,
    PassagePage,
    block_parts,
    passages,
    section_parts,
    text_part,
)
from knowledge.post_blocks import post_blocks
from knowledge.resources.base import Resource, title_of
from knowledge.resources.blog import (
    BlogCategory,
    PostList,
    blog_homepage,
    category_list,
    excerpt_of,
    lead_of,
)
from knowledge.resources.cities import city_list
from knowledge.resources.localized import LocalePage, LocalizedContent
from knowledge.resources.page_anchors import page_anchors
from knowledge.resources.pages import PageBody, PageDetail
from knowledge.resources.products import ProductBody, ProductDetail, ProductList
from knowledge.resources.seo import resolve_route
from knowledge.resources.site import Homepage
from knowledge.resources.site_map import non_blog_pages
from knowledge.resources.site_page import PageModel, PageQuery, page_resource, site_page
from knowledge.resources.testimonials import TestimonialItem, TestimonialList, testimonial_list
from knowledge.snapshot import Snapshot
from renderers.markdown import bodies
from renderers.markdown.blog import post_lines
from renderers.markdown.context import MarkdownContext, bullets, link_text
from renderers.page_context import HOME_POSTS, global_links
from renderers.titles import page_title


class _PageLinks(MarkdownContext):
    """A context whose links lead to pages, not to their markdown."""

    def link(self, title: str, address: Address) -> str:
        return f"[{link_text(title)}]({self.locale.path}{address.path})"


_LISTS = (Page.HOME, Page.BLOG, Page.CATEGORY, Page.TESTIMONIALS, Page.PRODUCTS)


def locale_passages(view: ContentView) -> Iterator[Passage]:
    """Yield the passages of all pages that the view's readers can see, in either language."""
    found = view.snapshot.left_out.each(
        _addresses(view.snapshot),
        lambda address: tuple(page_passages(view, address)),
        partial(file_at, view.snapshot),
    )
    return chain.from_iterable(found)


def _addresses(snapshot: Snapshot) -> Iterator[Address]:
    yield from map(Address, (Page.HOME, Page.BLOG, Page.TESTIMONIALS, Page.PRODUCTS))
    yield from (address for address in non_blog_pages(snapshot) if address.page not in _LISTS)
    for kind in (ContentType.CATEGORY, ContentType.POST):
        yield from (Address(PAGES[kind], entry.slug) for entry in snapshot.all(kind))


def page_passages(view: ContentView, address: Address) -> Iterator[Passage]:
    """Yield the passages of one page, none if the view's readers do not have it."""
    try:
        if address.page is Page.POST:
            return _post(view, address)
        if address.page in _LISTS:
            return _list(site_page(view, address, PageQuery()))
        return _content(view, address)
    except NotFound:
        return iter(())


def _post(view: ContentView, address: Address) -> Iterator[Passage]:
    """Return the passages of a post, without its neighbours and related posts."""
    post = view.resolve(ContentType.POST, address.slug)
    if post is None or view.locale not in view.snapshot.open_locales:
        return iter(())
    page = _page(view, address, post, title_of(post))
    document = post.bodies[-1] if post.bodies else None
    blocks = post_blocks(document) if document else ()
    ids = Anchors(each for _, anchors in blocks for anchor in anchors for each in anchor if each)
    lead = lead_of(excerpt_of(post), ((block.type, block.text) for block, _ in blocks))
    tags = post.metadata.get("tags")
    context = _PageLinks(view.locale, view.snapshot)
    facts = f"{context.gettext('Tags')}: {context.join(tags)}" if tags else ""
    opening = [(Block("paragraph", text, 1), ()) for text in (lead, facts) if text]
    parts = block_parts((*opening, *blocks), (), ids.claim(page.heading))
    source = document.path if document else ""
    return passages(page, parts, post.language, lambda text: view.markdown(text, source))


def _page(view: ContentView, address: Address, shown: Resolved | None, heading: str) -> PassagePage:
    return PassagePage(
        address=address,
        kind=shown.entry.kind if shown else ContentType.SITE,
        slug=shown.entry.slug if shown else address.page.strip("/"),
        path=view.locale.path + address.path,
        title=title_of(shown) if shown else heading,
        heading=heading,
        updated_at=shown.updated_at if shown else None,
    )


def _text(headings: tuple[str, ...], anchor: str, *texts: str | None) -> Iterator[Part]:
    """Yield the part of some texts under a heading, nothing if all are empty."""
    part = text_part(headings, anchor, *texts)
    if part.blocks:
        yield part


def _content(view: ContentView, address: Address) -> Iterator[Passage]:
    """Return the passages of a page with sections."""
    answer = page_resource(view, address, PageQuery())
    resource = answer.resource
    ids = Anchors(page_anchors(resource))
    match resource:
        case ProductDetail():
            body: ProductBody | PageBody | LocalePage = resource.product
            parts = _product(resource.product, _PageLinks(view.locale, view.snapshot), ids)
        case LocalizedContent() | PageDetail():
            body = resource.page
            parts = _sections(resource.page, _city_focus(view, address), ids)
        case _:
            return iter(())
    page = _page(view, address, resolve_route(view, address), body.heading)
    return passages(page, parts, answer.language or view.locale.language)


def _sections(page: PageBody | LocalePage, focus: str, ids: Anchors) -> Iterator[Part]:
    yield from _text((), ids.claim(page.heading), page.short_description, focus)
    yield from section_parts(page.sections)


def _city_focus(view: ContentView, address: Address) -> str:
    """Return the focus of a city, which its own page shows."""
    if address.page is not Page.CITY:
        return ""
    cities = (city for city in city_list(view).cities if city.slug == address.city)
    return "".join(localized_text(city.focus, view.locale.language) for city in cities)


def _product(product: ProductBody, context: MarkdownContext, ids: Anchors) -> Iterator[Part]:
    facts = bodies.facts(bodies.product_facts(product, context))
    yield from _text((), ids.claim(product.heading), product.short_description, facts)
    yield from section_parts(product.sections)
    sheet = bodies.facts(bodies.product_specs(product))
    yield from _text((context.gettext("Data sheet"),), ids.claim("", "data-sheet"), sheet)


def _list(page: PageModel[Resource]) -> Iterator[Passage]:
    """Return the passages of a page that lists documents, and of the home page."""
    context = _PageLinks(page.locale, page.view.snapshot)
    heading, ids = _list_heading(page), Anchors()
    title = ids.claim(heading)
    match page.answer.resource:
        case Homepage() as home:
            parts = _home(home, page, ids, title)
        case TestimonialList() as stories:
            parts = chain(
                _text((), title, stories.page.intro),
                _stories(stories.items, (), context, ids, is_listing=False),
            )
        case ProductList() as products:
            parts = iter((_listing((), title, bodies.product_list(products, context)),))
        case PostList() as posts:
            listing = _listing((), title, post_lines(posts.items, context))
            parts = chain(_text((), title, _list_lead(page)), (listing,))
        case _:
            return iter(())
    shown = resolve_route(page.view, page.address)
    return passages(_page(page.view, page.address, shown, heading), parts, page.language)


def _list_heading(page: PageModel[Resource]) -> str:
    category = _category(page)
    return category.name if category else page_title(page)


def _list_lead(page: PageModel[Resource]) -> str | None:
    category = _category(page)
    return category.description if category else page.seo.description


def _category(page: PageModel[Resource]) -> BlogCategory | None:
    if page.address.page is not Page.CATEGORY:
        return None
    categories = category_list(page.view).items
    return next((each for each in categories if each.slug == page.address.slug), None)


def _listing(headings: tuple[str, ...], anchor: str, text: str) -> Part:
    """Return the part of a list of links with texts of the pages that they lead to."""
    return text_part(headings, anchor, text, is_listing=True)


def _stories(
    stories: Iterable[TestimonialItem],
    headings: tuple[str, ...],
    context: MarkdownContext,
    ids: Anchors,
    is_listing: bool,
) -> Iterator[Part]:
    """Yield a part for each customer's words."""
    for story in stories:
        anchor = ids.claim(story.company or story.customer_name)
        text = bodies.testimonial_text(story, context)
        yield text_part(headings, anchor, text, is_listing=is_listing)


def _home(home: Homepage, page: PageModel[Resource], ids: Anchors, title: str) -> Iterator[Part]:
    context = _PageLinks(page.locale, page.view.snapshot)
    localized, gettext = context.localized, context.gettext
    yield from _text((), title, localized(home.hero.sub), localized(home.hero.body))
    if home.stats.items:
        name = localized(home.stats.title) or gettext("In numbers")
        lines = bullets(bodies.stat_line(item, context) for item in home.stats.items)
        yield from _text((name,), ids.claim("", "home-stats"), lines)
    if home.modules.items:
        name = localized(home.modules.title) or gettext("Modules")
        anchor = ids.claim(name)
        for module in home.modules.items:
            ids.claim(localized(module.title))
        lines = context.bullets(ContentType.MODULE, home.modules.items, bodies.module_line)
        yield _listing((name,), anchor, lines)
    if home.industries.items:
        name = localized(home.industries.title) or gettext("Industries")
        lines = context.bullets(ContentType.INDUSTRY, home.industries.items, bodies.industry_line)
        yield _listing((name,), ids.claim(name), lines)
    if home.about.paragraphs:
        name = localized(home.about.title) or gettext("About us")
        yield from _text((name,), ids.claim(name), *map(localized, home.about.paragraphs))
    if home.testimonials.section.enabled:
        yield from _home_stories(page.view, context, ids)
    yield from _home_posts(page.view, context, ids)
    if home.demo_cta.enabled and home.demo_cta.title and global_links(page.view)["contact_path"]:
        name = localized(home.demo_cta.title)
        yield Part((name,), ids.claim(name), ())


def _home_stories(view: ContentView, context: MarkdownContext, ids: Anchors) -> Iterator[Part]:
    stories = testimonial_list(view)
    featured = [item for item in stories.items if item.featured_on_homepage]
    if not stories.section.enabled or not featured:
        return
    name = stories.section.heading or context.gettext("What customers say")
    anchor = ids.claim(name)
    yield text_part((name,), anchor, stories.section.eyebrow, stories.section.supporting_text)
    yield from _stories(featured, (name,), context, ids, is_listing=True)


def _home_posts(view: ContentView, context: MarkdownContext, ids: Anchors) -> Iterator[Part]:
    posts = blog_homepage(view, HOME_POSTS)
    if not posts.enabled or not posts.featured:
        return
    name = posts.title or context.gettext("From the blog")
    anchor, shown = ids.claim(name), [posts.featured, *posts.items]
    for post in shown:
        ids.claim(post.title)
    yield _listing((name,), anchor, post_lines(shown, context))
