"""The JSON renderer: response bodies as defined by the API contract."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from knowledge.resources.base import Body, LocalizedResource, Resource
from knowledge.resources.page_sections import DocumentSection
from knowledge.resources.site_page import PageModel
from renderers.markdown.context import MarkdownContext, section_text, with_facts
from renderers.representation import Representation

MEDIA_TYPE = "application/json"


def render(answer: LocalizedResource[Body], fields: Sequence[str] = ()) -> Representation:
    """Render compact UTF-8 JSON, with keys in the order of the contract.

    With `fields` it has only these, of its parts those named as `part.field`.
    """
    context = MarkdownContext(answer.locale)

    def whole_text(section: DocumentSection) -> str:
        """Return all of a section below its heading, also the roles and prices of its items."""
        return section_text(next(with_facts((section,), context)))

    body = answer.resource.model_dump_json(context=whole_text)
    if fields:
        chosen = _chosen(json.loads(body), [each.split(".") for each in fields])
        body = json.dumps(chosen, ensure_ascii=False, separators=(",", ":"))
    return Representation(MEDIA_TYPE, body.encode(), answer.language, answer.updated_at)


def _chosen(value: Any, paths: Sequence[Sequence[str]]) -> Any:
    """Return the parts of a value at some paths; an empty path is all of it."""
    if not all(paths):
        return value
    if isinstance(value, list):
        return [_chosen(each, paths) for each in value]
    below = {name: [path[1:] for path in paths if path[0] == name] for name in value}
    return {name: _chosen(value[name], found) for name, found in below.items() if found}


def render_page(page: PageModel[Resource]) -> Representation:
    """Render a public page: the body of its resource."""
    return render(page.answer)
