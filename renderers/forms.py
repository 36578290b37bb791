"""The three forms of a page, and the media types that name them."""

from __future__ import annotations

from enum import StrEnum


class Form(StrEnum):
    """A form, by its media type."""

    HTML = "text/html"
    MARKDOWN = "text/markdown"
    JSON = "application/json"


ALIASES = {"text/x-markdown": Form.MARKDOWN}

PAGE_FORMS = (Form.HTML, Form.MARKDOWN, Form.JSON)
"""Of a public page; the first is the default."""

API_FORMS = (Form.JSON, Form.MARKDOWN)
"""Under `/api/`; the first is the default."""
