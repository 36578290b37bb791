"""The page of an author: who that is, and the posts."""

from __future__ import annotations

from collections.abc import Iterator

from knowledge.resources.authors import AUTHOR_PAGE, AuthorPosts, AuthorProfile
from knowledge.resources.blog import category_list
from knowledge.resources.passages import Part
from knowledge.resources.site_page import PageModel
from renderers.html.schema_org import entity, picture
from renderers.markdown.context import MarkdownContext, bullets, chapter, link_text, paragraphs
from renderers.markdown.navigation import NavLink, page_position
from renderers.markdown.passages import PassageContext, listing, texts
from renderers.page_rendering import Node, PageRendering, Variables, declare_rendering
from renderers.pages.blog import category_path, post_lines


def _variables(page: PageModel[AuthorPosts]) -> Variables:
    view = page.view
    return {
        "categories": [
            NavLink(each.name, category_path(view, each.slug)) for each in category_list(view).items
        ],
        "category": None,
        "is_tag": True,
        "blog_path": view.locale.path + "/blog",
        "popular": [],
    }


def _markdown(posts: AuthorPosts, context: MarkdownContext) -> str:
    """Return what is known of an author, then one page of the posts."""
    author = posts.author
    listed = paragraphs(
        [post_lines(posts.items, context), page_position(posts.pagination, context)]
    )
    return paragraphs([*_profile(author), chapter(context.gettext("Articles"), listed)])


def _profile(author: AuthorProfile) -> Iterator[str]:
    yield author.role or ""
    yield from (block.text for block in author.body)
    yield bullets(f"[{link_text(each.label)}]({each.url})" for each in author.links)


def _parts(posts: AuthorPosts, context: PassageContext) -> Iterator[Part]:
    yield from texts((), context.anchor, *_profile(posts.author))
    yield listing((), context.anchor, post_lines(posts.items, context))


def _nodes(page: PageModel[AuthorPosts]) -> Iterator[Node]:
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
        resources=(AuthorPosts,),
        template="author.html",
        markdown=_markdown,
        variables=_variables,
        heading=lambda page: page.answer.resource.author.name,
        own_text=lambda posts: posts.model_copy(update={"items": []}),
        nodes=_nodes,
        parts=_parts,
        kind="profile",
        image=lambda page: page.answer.resource.author.image,
        description=lambda page: page.answer.resource.author.role,
    ),
    AUTHOR_PAGE,
)
