"""Markdown of the blog: lists of posts, and a post with links to related posts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from knowledge.addresses import Address, Page
from knowledge.content_types import POST
from knowledge.messages import mark as _
from knowledge.resources.blog import PostDetail, PostList, PostSummary
from renderers.markdown.context import MarkdownContext, bullets, chapter, paragraphs
from renderers.markdown.search import page_position, search_suggestion


def post_list(posts: PostList, context: MarkdownContext) -> str:
    """Return one page of the list of posts, with its page number and a search suggestion."""
    suggestion = search_suggestion(posts.suggestion, Address(Page.BLOG), "search", context)
    return paragraphs(
        [post_lines(posts.items, context), page_position(posts.pagination, context), suggestion]
    )


def post_lines(posts: Iterable[PostSummary], context: MarkdownContext) -> str:
    """Return posts as a list of links with date and excerpt."""
    return context.bullets(POST, posts, _line)


def _line(post: PostSummary, context: MarkdownContext) -> str:
    date = f"{post.published_at:%Y-%m-%d}" if post.published_at else None
    facts = context.join([date, post.category_name])
    title_link = context.link(post.title, Address(Page.POST, post.slug))
    return f"{title_link}{f' ({facts})' if facts else ''}: {post.excerpt}"


def post_detail(detail: PostDetail, context: MarkdownContext) -> str:
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
            post_link = context.link(post.title, Address(Page.POST, post.slug))
            yield f"{context.gettext(name)}: {post_link}"
