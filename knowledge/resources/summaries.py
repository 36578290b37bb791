"""Summaries: the few words that stand for any page in a list of pages."""

from __future__ import annotations

from knowledge.content_path import ContentType
from knowledge.excerpts import first_paragraph
from knowledge.resolution import Resolved
from knowledge.resources.blog import excerpt_of


def summary_of(resolved: Resolved) -> str:
    """What the author wrote for lists or for search engines, else the first paragraph."""
    if resolved.entry.kind is ContentType.POST:
        return excerpt_of(resolved)
    seo = resolved.metadata.get("seo", {})
    written = (
        resolved.text("short_description")
        or resolved.text("description")
        or resolved.spoken(seo.get("description"))
    )
    if written:
        return written
    return first_paragraph(resolved.bodies[-1]) if resolved.bodies else ""
