"""The JSON renderer: response bodies as defined by the API contract."""

import json
from collections.abc import Sequence
from typing import Any

from pydantic import ConfigDict, TypeAdapter

from knowledge.blocks.block import Block, Link
from knowledge.blocks.declared import AnyBlock
from knowledge.markdown.inline import references
from knowledge.resources.base import Body, LocalizedResource, Resource
from knowledge.resources.site_page import PageContent
from knowledge.views.content_view import ContentView
from renderers.blocks.page_blocks import content_of, has_blocks, written_blocks
from renderers.blocks.section import whole_texts
from renderers.html.images import picture_of
from renderers.l10n.translation import in_site_texts
from renderers.page_rendering import page_title
from renderers.representation import Representation

MEDIA_TYPE = "application/json"


def render(
    answer: LocalizedResource[Body],
    fields: Sequence[str] = (),
    blocks: Sequence[Block] | None = None,
) -> Representation:
    """Render compact UTF-8 JSON, with keys in the order of the contract and then the blocks.

    With `fields` it has only these, of its parts those named as `part.field`.
    """
    body = answer.resource.model_dump_json(context=whole_texts(answer.locale))
    if blocks is not None:
        body = f'{body[:-1]},"blocks":{_BLOCKS.dump_json(list(blocks)).decode()}}}'
    if fields:
        chosen = _chosen(json.loads(body), [each.split(".") for each in fields])
        body = json.dumps(chosen, ensure_ascii=False, separators=(",", ":"))
    return Representation(MEDIA_TYPE, body.encode(), answer.language, answer.updated_at)


_BLOCKS = TypeAdapter(list[AnyBlock], config=ConfigDict(defer_build=True))


def _chosen(value: Any, paths: Sequence[Sequence[str]]) -> Any:
    """Return the parts of a value at some paths; an empty path is all of it."""
    if not all(paths):
        return value
    if isinstance(value, list):
        return [_chosen(each, paths) for each in value]
    below = {name: [path[1:] for path in paths if path[0] == name] for name in value}
    return {name: _chosen(value[name], found) for name, found in below.items() if found}


@in_site_texts
def render_page(
    page: PageContent[Resource],
    fields: Sequence[str] = (),
    answer: LocalizedResource[Resource] | None = None,
) -> Representation:
    """Render the resource of a page, or another one about it, and the blocks of the page."""
    return render(answer or page.answer, fields, json_blocks(page))


def render_resource(
    view: ContentView, answer: LocalizedResource[Resource], fields: Sequence[str] = ()
) -> Representation:
    """Render an API resource, with the blocks of its page if it shows one document."""
    page = content_of(view, answer) if has_blocks(answer) else None
    return render_page(page, fields, answer) if page else render(answer, fields)


def json_blocks(page: PageContent[Resource]) -> list[Block]:
    """Return the blocks of a page, each with the links and pictures of its text."""
    return [_whole(each, page.view) for each in written_blocks(page, page_title(page))[1]]


def _whole(block: Block, view: ContentView) -> Block:
    found = references(block.text)
    links = (Link(text=each.alt, href=each.target) for each in found if not each.is_image)
    pictures = (picture_of(each.target, each.alt, view) for each in found if each.is_image)
    return block.model_copy(update={"links": tuple(links), "pictures": tuple(pictures)})
