"""Summaries: the short text that describes a page in a list."""

from __future__ import annotations

from knowledge.content_types import POST
from knowledge.excerpts import body_excerpt
from knowledge.layer_resolution import Resolved
from knowledge.resources.base import short_text
from knowledge.resources.blog import excerpt_of


def summary_of(resolved: Resolved) -> str:
    """Return the author's short text or SEO description, else the first paragraph."""
    if resolved.entry.kind is POST:
        return excerpt_of(resolved)
    summary = short_text(resolved) or resolved.spoken(resolved.seo.description)
    if summary:
        return summary
    return body_excerpt(resolved.bodies[-1]) if resolved.bodies else ""
