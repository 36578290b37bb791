"""The text of a post in a feed: HTML that reads the same outside the site, with absolute URLs."""

from __future__ import annotations

import re
from re import Match

from knowledge.diagnostics.messages import mark as _
from knowledge.fields.schemas import PostFields
from knowledge.resources.body_blocks import body_blocks
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView
from renderers.html.commonmark import RenderOptions, render_markdown
from renderers.html.images import complete_images
from renderers.l10n.translation import translate

MAX_CHARACTERS = 100_000
"""A longer text is not in the feeds, which would otherwise be as large as their longest posts."""

_TAG = re.compile(r"<[a-z][^>]*+(?:>|\Z)")
"""A tag. mistune and nh3 write `>` in a value as `&gt;`."""

_REFERENCE = re.compile(r' (href|src|poster|cite|srcset)="([^"]*)"')


def feed_content(view: ContentView, post: Resolved[PostFields], path: str) -> str | None:
    """Return the text of the post at a site path as HTML; None if it is empty or too long."""
    text = "\n\n".join(block.text for block in body_blocks(view, post))
    if len(text) > MAX_CHARACTERS:
        return None
    language = view.locale.language
    options = RenderOptions(
        table_label=translate(_("Table"), language),
        language=language,
        direction=post.text_language.direction,
    )
    html = complete_images(render_markdown(text, options), view.snapshot)
    content = with_absolute_urls(html, view, path).strip()
    return content if content and len(content) <= MAX_CHARACTERS else None


def with_absolute_urls(html: str, view: ContentView, path: str) -> str:
    """Return HTML of the page at a site path with all its links and sources absolute."""
    page = view.absolute(path)

    def absolute(reference: Match[str]) -> str:
        name, value = reference.groups()
        if name == "srcset":
            value = ", ".join(map(view.absolute, value.split(", ")))
        elif value.startswith("#"):
            value = page + value
        return f' {name}="{view.absolute(value)}"'

    return _TAG.sub(lambda tag: _REFERENCE.sub(absolute, tag[0]), html)
