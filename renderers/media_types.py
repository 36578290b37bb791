"""The media types that pages and the API offer."""

from __future__ import annotations

from enum import StrEnum


class MediaType(StrEnum):
    """A media type that can be negotiated."""

    HTML = "text/html"
    MARKDOWN = "text/markdown"
    JSON = "application/json"


ALIASES = {"text/x-markdown": MediaType.MARKDOWN}

PAGE_MEDIA_TYPES = (MediaType.HTML, MediaType.MARKDOWN, MediaType.JSON)
"""Media types of a public page; the first is the default."""

API_MEDIA_TYPES = (MediaType.JSON, MediaType.MARKDOWN)
"""Media types of paths under `/api/`; the first is the default."""
