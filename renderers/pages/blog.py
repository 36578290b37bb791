"""The lists of posts: all of them, those of a category or tag, and those of an author."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from knowledge.addresses.addresses import Address, address_of
from knowledge.fields.content_types import POST, TAG
from knowledge.locales.locale import Locale
from knowledge.resources.authors import AUTHOR_PAGE, AuthorPosts, AuthorProfile
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
from knowledge.resources.passages import Part
from knowledge.resources.posts import POST_PAGE
from knowledge.resources.search import popular_categories
from knowledge.resources.seo import description_of, resolve_route
from knowledge.resources.site_page import PageModel
from knowledge.snapshot.named_terms import tag_slug
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView
from renderers.html.json_ld import ListedItem, entity, item_list, picture
from renderers.l10n.bidi import detect_language
from renderers.l10n.formats import local_date
from renderers.markdown.context import (
    MarkdownContext,
    bullets,
    chapter,
    link_text,
    paragraphs,
    render_entries,
)
from renderers.markdown.navigation import (
    NavLink,
    link_list,
    page_position,
    popular,
    search_suggestion,
)
from renderers.markdown.passages import PassageContext, listing, texts
from renderers.page_rendering import Chapters, Node, PageRendering, Variables, declare_rendering


def _variables(page: PageModel[PostList]) -> Variables:
    view = page.view
    current = page.address.slug if page.address.page == CATEGORY_PAGE else ""
    has_no_results = page.query.search and not page.answer.resource.pagination.total
    return {
        "categories": [
            NavLink(each.name, category_path(view, each.slug), each.slug == current)
            for each in category_list(view).items
        ],
        "category": _category(view, page.address),
        "is_tag": page.address.page == TAG_PAGE,
        "blog_path": _blog_path(view),
        "popular": popular_categories(view) if has_no_results else [],
    }


def _blog_path(view: ContentView) -> str:
    return view.locale.path + address_of(view.snapshot, BLOG_PAGE).path


def _category(view: ContentView, address: Address) -> BlogCategory | None:
    """Return the category or tag of a list of posts, None for the list of all."""
    if address.page == TAG_PAGE:
        tag = view.resolve(TAG, address.slug)
        return category_of(tag) if tag else None
    return next((each for each in category_list(view).items if each.slug == address.slug), None)


def _heading(page: PageModel[PostList]) -> str | None:
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


def _links(variables: Variables, context: MarkdownContext) -> Chapters:
    yield context.gettext("Popular by category"), popular(variables["popular"], context)
    others = [nav_link for nav_link in variables["categories"] if not nav_link.current]
    yield context.gettext("Categories"), link_list(others)


def _markdown(posts: PostList, context: MarkdownContext) -> str:
    """Return one page of the list of posts, with its page number and a search suggestion."""
    suggestion = search_suggestion(
        posts.suggestion, address_of(context.snapshot, BLOG_PAGE), "search", context
    )
    return paragraphs(
        [post_lines(posts.items, context), page_position(posts.pagination, context), suggestion]
    )


def post_lines(posts: Iterable[PostSummary], context: MarkdownContext) -> str:
    """Return posts as a list of links with date and excerpt."""
    return context.bullets(POST, posts, _line)


def _line(post: PostSummary, context: MarkdownContext) -> str:
    moment = post.published_at
    date = local_date(moment, context.locale).isoformat() if moment else None
    facts = context.join([date, post.category_name])
    title_link = context.link(post.title, POST_PAGE, post.slug)
    return f"{title_link}{f' ({facts})' if facts else ''}: {post.excerpt}"


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


def _parts(posts: PostList, context: PassageContext) -> Iterator[Part]:
    """Yield what introduces the list, then its first page."""
    view, address = context.view, context.address
    category = _category(view, address)
    lead = category.description if category else description_of(resolve_route(view, address))
    yield from texts((), context.anchor, lead)
    yield listing((), context.anchor, post_lines(posts.items, context))


def _author_variables(page: PageModel[AuthorPosts]) -> Variables:
    view = page.view
    return {
        "categories": [
            NavLink(each.name, category_path(view, each.slug)) for each in category_list(view).items
        ],
        "category": None,
        "is_tag": True,
        "blog_path": _blog_path(view),
        "popular": [],
    }


def _author_markdown(posts: AuthorPosts, context: MarkdownContext) -> str:
    """Return what is known of an author, then one page of the posts."""
    author = posts.author
    listed = paragraphs(
        [post_lines(posts.items, context), page_position(posts.pagination, context)]
    )
    return paragraphs([*_author_profile(author), chapter(context.gettext("Articles"), listed)])


def _author_profile(author: AuthorProfile) -> Iterator[str]:
    yield author.role or ""
    yield from (block.text for block in author.body)
    yield bullets(f"[{link_text(each.label)}]({each.url})" for each in author.links)


def _author_parts(posts: AuthorPosts, context: PassageContext) -> Iterator[Part]:
    yield from texts((), context.anchor, *_author_profile(posts.author))
    yield listing((), context.anchor, post_lines(posts.items, context))


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
        markdown=_markdown,
        variables=_variables,
        links=_links,
        heading=_heading,
        nodes=_nodes,
        parts=_parts,
    ),
    BLOG_PAGE,
    CATEGORY_PAGE,
    TAG_PAGE,
)
declare_rendering(
    PageRendering(
        resources=(AuthorPosts,),
        template="author.html",
        markdown=_author_markdown,
        variables=_author_variables,
        heading=lambda page: page.answer.resource.author.name,
        own_text=lambda posts: posts.model_copy(update={"items": []}),
        nodes=_author_nodes,
        parts=_author_parts,
        kind="profile",
        image=lambda page: page.answer.resource.author.image,
        description=lambda page: page.answer.resource.author.role,
    ),
    AUTHOR_PAGE,
)
