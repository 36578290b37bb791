"""The three forms of a page, and the media types that name them."""

from __future__ import annotations

from enum import StrEnum


class MediaType(StrEnum):
    """A form, by its media type."""

    HTML = "text/html"
    MARKDOWN = "text/markdown"
    JSON = "application/json"


ALIASES = {"text/x-markdown": MediaType.MARKDOWN}

PAGE_MEDIA_TYPES = (MediaType.HTML, MediaType.MARKDOWN, MediaType.JSON)
"""Of a public page; the first is the default."""

API_MEDIA_TYPES = (MediaType.JSON, MediaType.MARKDOWN)
"""Under `/api/`; the first is the default."""
