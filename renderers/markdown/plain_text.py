"""Plain text: the markdown of a page, for clients that ask for text and name no other form."""

from __future__ import annotations

from dataclasses import replace

from knowledge.resources.base import Resource
from knowledge.resources.site_page import PageModel
from renderers.markdown import renderer as markdown
from renderers.representation import Representation

MEDIA_TYPE = "text/plain; charset=utf-8"


def render(page: PageModel[Resource]) -> Representation:
    """Render a public page as plain text."""
    return as_plain_text(markdown.render(page))


def as_plain_text(text: Representation) -> Representation:
    """Return a markdown text as plain text."""
    return replace(text, media_type=MEDIA_TYPE)
