"""One post of the blog."""

from __future__ import annotations

from collections.abc import Iterator

from knowledge.addresses import Address
from knowledge.content_path import slugify
from knowledge.content_types import POST
from knowledge.messages import mark as _
from knowledge.resources.blog import POST_PAGE, PostDetail, category_list
from knowledge.resources.site_page import PageModel
from renderers.html.schema_org import Node, entity, organization_id, picture
from renderers.markdown.context import MarkdownContext, bullets, chapter, paragraphs
from renderers.nav_links import NavLink
from renderers.page_rendering import PageRendering, Variables, declare_rendering
from renderers.pages.blog import category_path, post_lines


def _variables(page: PageModel[PostDetail]) -> Variables:
    """Return a post's category, its cover's alt text, and whether its body shows the cover."""
    view, detail = page.view, page.answer.resource
    resolved = view.resolve(POST, page.address.slug)
    if resolved is None:
        return {"category": None, "cover_alt": "", "cover_in_text": False}
    slug = slugify(resolved.fields.category or "")
    category = next((each for each in category_list(view).items if each.slug == slug), None)
    category_link = NavLink(category.name, category_path(view, category.slug)) if category else None
    cover = detail.post.cover_image
    return {
        "category": category_link,
        "cover_alt": resolved.pick(resolved.fields.cover_image_alt) or "",
        "cover_in_text": bool(cover)
        and any(str(cover) in block.text for block in detail.post.body),
    }


def _nodes(page: PageModel[PostDetail]) -> Iterator[Node]:
    post, updated = page.answer.resource.post, page.answer.updated_at
    properties = {
        "@type": "BlogPosting",
        "headline": post.title,
        "description": post.excerpt,
        "inLanguage": page.language,
        "datePublished": post.published_at,
        "dateModified": updated,
        "image": picture(page, post.cover_image),
        "keywords": post.tags,
        "author": {"@id": organization_id(page)},
        "publisher": {"@id": organization_id(page)},
    }
    yield entity(page, "article", properties)


def _markdown(detail: PostDetail, context: MarkdownContext) -> str:
    """Return the text of a post, then its tags, adjacent posts and related posts."""
    post = detail.post
    published = post.published_at
    return paragraphs(
        [
            post.lead,
            f"{context.gettext('Published')}: {published:%Y-%m-%d}" if published else "",
            *(block.text for block in post.body),
            f"{context.gettext('Tags')}: {context.join(post.tags)}" if post.tags else "",
            bullets(_adjacent_posts(detail, context)),
            chapter(context.gettext("Related articles"), post_lines(detail.related, context)),
        ]
    )


def _adjacent_posts(detail: PostDetail, context: MarkdownContext) -> Iterator[str]:
    adjacent = ((_("Older article"), detail.prev), (_("Newer article"), detail.next))
    for name, post in adjacent:
        if post:
            post_link = context.link(post.title, Address(POST_PAGE, post.slug))
            yield f"{context.gettext(name)}: {post_link}"


declare_rendering(
    PageRendering(
        resources=(PostDetail,),
        heading=lambda page: page.answer.resource.post.title,
        markdown=_markdown,
        variables=_variables,
        own_text=lambda detail: detail.model_copy(
            update={"related": [], "prev": None, "next": None}
        ),
        nodes=_nodes,
        kind="article",
        image=lambda page: page.answer.resource.post.cover_image,
    ),
    POST_PAGE,
)
