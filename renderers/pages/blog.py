"""The lists of posts: all of them, those of a category or tag, and those of an author."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TypeVar

from knowledge.addresses.addresses import Address, address_of
from knowledge.blocks.block import Block, Picture, Role
from knowledge.blocks.cards import Card, CardsBlock
from knowledge.blocks.links import LinksBlock, NamedLink
from knowledge.blocks.text import TextBlock
from knowledge.fields.content_types import POST, TAG
from knowledge.locales.locale import Locale
from knowledge.resources.authors import AUTHOR_PAGE, AuthorPosts
from knowledge.resources.blog import (
    BLOG_PAGE,
    CATEGORY_PAGE,
    TAG_PAGE,
    BlogCategory,
    PostList,
    PostSummary,
    category_list,
    category_of,
    tag_title,
)
from knowledge.resources.posts import POST_PAGE
from knowledge.resources.search import popular_categories
from knowledge.resources.seo import description_of, resolve_route
from knowledge.resources.site_page import PageContent, PageModel
from knowledge.snapshot.named_terms import tag_slug
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView
from renderers.blocks.context import (
    MarkdownContext,
    paragraphs,
    render_entries,
)
from renderers.html.json_ld import ListedItem, entity, item_list, picture
from renderers.l10n.bidi import detect_language
from renderers.l10n.formats import local_date
from renderers.l10n.translation import translations
from renderers.markdown.navigation import (
    NavLink,
    paging_blocks,
    popular_block,
    suggestion_block,
)
from renderers.page_rendering import Node, PageRendering, Variables, declare_rendering, picture_at

Posts = TypeVar("Posts", bound=PostList)


def _variables(page: PageModel[Posts]) -> Variables:
    """Return the categories, of which a page of tags or of an author shows none."""
    view, shown = page.view, page.address
    current = shown.slug if shown.page == CATEGORY_PAGE else ""
    has_no_results = page.query.search and not page.answer.resource.pagination.total
    return {
        "categories": [
            NavLink(each.name, category_path(view, each.slug), each.slug == current)
            for each in category_list(view).items
        ],
        "category": None if shown.page == AUTHOR_PAGE else _category(view, shown),
        "is_tag": shown.page in (TAG_PAGE, AUTHOR_PAGE),
        "blog_path": blog_path(view),
        "popular": popular_categories(view) if has_no_results else [],
    }


def blog_path(view: ContentView) -> str:
    """Return the site path of the list of all posts."""
    return view.locale.path + address_of(view.snapshot, BLOG_PAGE).path


def _category(view: ContentView, address: Address) -> BlogCategory | None:
    """Return the category or tag of a list of posts, None for the list of all."""
    if address.page == TAG_PAGE:
        tag = view.resolve(TAG, address.slug)
        return category_of(tag) if tag else None
    return next((each for each in category_list(view).items if each.slug == address.slug), None)


def _heading(page: PageContent[PostList]) -> str | None:
    category = _category(page.view, page.address)
    return category.name if category else None


def category_path(view: ContentView, slug: str) -> str:
    """Return the site path of a category."""
    return view.locale.path + address_of(view.snapshot, CATEGORY_PAGE, slug).path


def tag_links(snapshot: Snapshot, locale: Locale, tags: Iterable[str]) -> Iterator[NavLink]:
    """Yield tags with the paths of their pages, `""` for one without letters and digits.

    A tag is named by its file. On a site in both languages, one without a name in the language of
    the locale is left out, unless it is written in the script of that language.
    """
    language = locale.language
    for tag in tags:
        slug = tag_slug(tag)
        name = tag_title(snapshot, tag, language)
        if len(snapshot.locales.languages) > 1 and detect_language(name, language) is not language:
            continue
        path = locale.path + address_of(snapshot, TAG_PAGE, slug).path if slug else ""
        yield NavLink(name, path)


def _blocks(page: PageContent[PostList], context: MarkdownContext) -> Iterator[Block]:
    """Yield what introduces the list, one page of it, and the categories."""
    posts, view, address = page.resource, page.view, page.address
    category = _category(view, address)
    lead = category.description if category else description_of(resolve_route(view, address))
    yield TextBlock(text=lead or "", place="introduction")
    yield from _list_blocks(page, context, context.gettext("Articles"))
    blog = address_of(view.snapshot, BLOG_PAGE)
    yield suggestion_block(posts.suggestion, blog, "search", context)
    if page.query.search and not posts.pagination.total:
        yield popular_block(popular_categories(view), context)
    yield _categories(page, context)


def _categories(page: PageContent[Posts], context: MarkdownContext) -> Block:
    """Return the links to all posts, and to those of each category."""
    view, shown = page.view, page.address
    links = [
        NamedLink(
            text=context.gettext("All articles"),
            href=blog_path(view),
            current=shown.page == BLOG_PAGE,
        )
    ]
    for each in category_list(view).items:
        is_shown = (shown.page, shown.slug) == (CATEGORY_PAGE, each.slug)
        path = category_path(view, each.slug)
        links.append(NamedLink(text=each.name, href=path, current=is_shown))
    label, items = context.gettext("Categories"), links if links[1:] else []
    return LinksBlock(label=label, items=items, role=Role.NAVIGATION, place="categories")


def _list_blocks(
    page: PageContent[Posts], context: MarkdownContext, heading: str
) -> Iterator[Block]:
    """Yield one page of a list of posts, how many there are, and which page it is."""
    posts = page.resource
    cards = post_cards(posts.items, context)
    yield CardsBlock(heading=heading, items=cards, are_posts=True, role=Role.LISTING, place="list")
    number = posts.pagination.total
    count = translations(context.language).ngettext(
        "%(num)s article", "%(num)s articles", number
    ) % {"num": number}
    yield from paging_blocks(page, posts.pagination, context, count)


def post_cards(posts: Iterable[PostSummary], context: MarkdownContext) -> list[Card]:
    """Return posts with their dates and excerpts."""
    return list(render_entries(context.snapshot, POST, posts, partial(_card, context)))


def _card(context: MarkdownContext, post: PostSummary) -> Card:
    published = local_date(post.published_at, context.locale) if post.published_at else None
    notes = (published and published.isoformat(), post.category_name)
    cover = post.cover_image
    return Card(
        title=post.title,
        href=context.path(POST_PAGE, post.slug),
        summary=post.excerpt,
        notes=tuple(filter(None, notes)),
        published=published,
        category=post.category_name,
        language=post.lang,
        picture=Picture(url=cover, alt="") if cover else None,
    )


def _nodes(page: PageModel[PostList]) -> Iterator[Node]:
    posts, shown = page.answer.resource, page.answer.resource.pagination
    items = render_entries(
        page.view.snapshot, POST, posts.items, lambda post: _listed(post, page.view)
    )
    yield from item_list(page, items, (shown.page - 1) * shown.page_size + 1)


def _listed(post: PostSummary, view: ContentView) -> ListedItem:
    """Return a post as a list names it; raises where its card does, which shows its date."""
    if post.published_at:
        local_date(post.published_at, view.locale)
    address = address_of(view.snapshot, POST_PAGE, post.slug)
    return ListedItem(post.title, view.locale.path + address.path)


def _author_blocks(page: PageContent[AuthorPosts], context: MarkdownContext) -> Iterator[Block]:
    """Yield what is known of an author, then one page of the posts."""
    author = page.resource.author
    yield TextBlock(text=author.role or "", place="introduction")
    text = paragraphs(block.text for block in author.body)
    yield TextBlock(text=text, text_anchors=author.anchors)
    profiles = [NamedLink(text=each.label, href=each.url) for each in author.links]
    yield LinksBlock(items=profiles, place="profiles")
    heading = context.gettext("Written by %(name)s") % {"name": author.name}
    yield from _list_blocks(page, context, heading)
    yield _categories(page, context)


def _portrait(page: PageModel[AuthorPosts]) -> Picture | None:
    author = page.answer.resource.author
    return picture_at(author.image, author.image_alt)


def _author_nodes(page: PageModel[AuthorPosts]) -> Iterator[Node]:
    author = page.answer.resource.author
    properties = {
        "@type": "Person",
        "name": author.name,
        "url": page.view.absolute(page.path),
        "jobTitle": author.role,
        "image": picture(page, author.image),
        "sameAs": [link.url for link in author.links],
    }
    yield entity(page, "person", properties)


declare_rendering(
    PageRendering(
        resources=(PostList,),
        template="blog.html",
        blocks=_blocks,
        variables=_variables,
        heading=_heading,
        nodes=_nodes,
    ),
    BLOG_PAGE,
    CATEGORY_PAGE,
    TAG_PAGE,
)
declare_rendering(
    PageRendering(
        resources=(AuthorPosts,),
        template="author.html",
        blocks=_author_blocks,
        variables=_variables,
        heading=lambda page: page.resource.author.name,
        nodes=_author_nodes,
        kind="profile",
        image=_portrait,
        description=lambda page: page.answer.resource.author.role,
    ),
    AUTHOR_PAGE,
)
