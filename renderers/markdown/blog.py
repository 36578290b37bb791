"""The blog in markdown: lists of posts, and one post with the ways to others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from knowledge.addresses import Address, Page
from knowledge.content_path import ContentType
from knowledge.resources.blog import PostDetail, PostList, PostSummary
from renderers.markdown.context import MarkdownContext, bullets, chapter, paragraphs
from renderers.markdown.search import standing, suggested
from renderers.translation import _


def post_list(posts: PostList, writer: MarkdownContext) -> str:
    """A page of the list, newest or best first, and where it stands among the pages."""
    suggestion = suggested(posts.suggestion, Address(Page.BLOG), "search", writer)
    return paragraphs(
        [post_lines(posts.items, writer), standing(posts.pagination, writer), suggestion]
    )


def post_lines(posts: Iterable[PostSummary], writer: MarkdownContext) -> str:
    """Posts as a list of links with date and excerpt."""
    return writer.bullets(ContentType.POST, posts, _line)


def _line(post: PostSummary, writer: MarkdownContext) -> str:
    date = f"{post.published_at:%Y-%m-%d}" if post.published_at else None
    facts = writer.listed([date, post.category_name])
    linked = writer.link(post.title, Address(Page.POST, post.slug))
    return f"{linked}{f' ({facts})' if facts else ''}: {post.excerpt}"


def post_detail(detail: PostDetail, writer: MarkdownContext) -> str:
    """The post's text, then its tags, neighbours and relatives."""
    post = detail.post
    published = post.published_at
    return paragraphs(
        [
            post.lead,
            f"{writer.say('Published')}: {published:%Y-%m-%d}" if published else "",
            *(block.text for block in post.body),
            f"{writer.say('Tags')}: {writer.listed(post.tags)}" if post.tags else "",
            bullets(_neighbours(detail, writer)),
            chapter(writer.say("Related articles"), post_lines(detail.related, writer)),
        ]
    )


def _neighbours(detail: PostDetail, writer: MarkdownContext) -> Iterator[str]:
    ways = ((_("Older article"), detail.prev), (_("Newer article"), detail.next))
    for name, post in ways:
        if post:
            yield f"{writer.say(name)}: {writer.link(post.title, Address(Page.POST, post.slug))}"
