"""Markdown of any resource: the text of a document, or else its fields."""

from __future__ import annotations

from collections.abc import Iterator

from knowledge.resources.base import DocumentPage, Resource
from renderers.markdown.context import MarkdownContext, paragraphs, section_texts
from renderers.markdown.section_items import with_facts
from renderers.page_rendering import AnyRendering


def resource_text(
    resource: Resource, context: MarkdownContext, rendering: AnyRendering | None
) -> str:
    """Return a resource below its title: as on its page, if that has a rendering of its own.

    Others are the short description and the sections of a document, else nested bullets.
    """
    if rendering is not None and rendering.markdown is not None:
        return rendering.markdown(resource, context)
    if not isinstance(resource, DocumentPage):
        return "\n".join(_tree(resource.model_dump(mode="json"), 0))
    document = resource.document
    return paragraphs(
        [document.short_description, *section_texts(with_facts(document.sections, context))]
    )


def _tree(value: object, depth: int) -> Iterator[str]:
    """Yield a value as nested bullets, with the key names of the API contract."""
    indent = "  " * depth
    if isinstance(value, dict):
        for key, child in value.items():
            if isinstance(child, (dict, list)) and child:
                yield f"{indent}- **{key}**:"
                yield from _tree(child, depth + 1)
            else:
                yield f"{indent}- **{key}**: {_scalar(child)}"
    elif isinstance(value, list):
        for number, child in enumerate(value, start=1):
            if isinstance(child, (dict, list)):
                yield f"{indent}- {number}"
                yield from _tree(child, depth + 1)
            else:
                yield f"{indent}- {_scalar(child)}"


def _scalar(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    return " ".join(str(value).split()) if value not in ([], {}) else ""
