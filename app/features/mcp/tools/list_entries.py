"""The tool `list_entries`: the documents of a kind that some values of its fields leave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, WithJsonSchema

from app.features.mcp.tool import (
    LocaleArguments,
    Tool,
    ToolContext,
    ToolError,
    not_allowed,
)
from knowledge.documents.body import one_line
from knowledge.fields.field_types import Omittable
from knowledge.fields.kinds import Kind
from knowledge.fields.own_fields import OwnField
from knowledge.markdown.tokens import estimate_tokens
from knowledge.resources.entry_filters import found_entries
from knowledge.resources.entry_queries import read_query
from knowledge.resources.kind_documents import all_kinds
from knowledge.resources.kind_pages import entry_item
from knowledge.resources.own_values import own_values
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView
from renderers.blocks.context import MarkdownContext, own_facts

_MAX_TEXT = 200
_TOKENS = 360
"""What the documents have together, unless a call says how many it wants."""

_MAX_TOKENS = 16_000
_OPTIONS, _SCHEMA_TOKENS = 12, 300
"""How many options of a field the schema names, and how long all of them are at most."""


def _values(given: object) -> object:
    """Return values by field as lists of texts; models send numbers and single values, too."""
    if not isinstance(given, Mapping):
        return given
    lists = {name: each if isinstance(each, list) else [each] for name, each in given.items()}
    return {name: [str(each).strip() for each in values] for name, values in lists.items()}


class EntryListArguments(LocaleArguments):
    """A kind, what its documents have, their order, and which part of the list is asked for."""

    kind: str
    filter: Annotated[
        dict[str, list[str]],
        BeforeValidator(_values),
        WithJsonSchema({"type": "object", "description": "Values by field"}),
        Field(default_factory=dict),
    ]
    sort: Annotated[str, Field(description="A field, with - the greatest first")] = ""
    limit: Annotated[int | None, Field(ge=1, le=50)] = None
    offset: Annotated[int, Field(ge=0, le=10_000)] = 0


class FoundEntry(BaseModel):
    """A document; `fields` has its values in words, `past` is there for an event that is over."""

    title: str
    url: str
    fields: dict[str, str]
    past: Omittable[bool] = None


class EntryResults(BaseModel):
    """The documents; `next_offset` continues the list."""

    entries: list[FoundEntry]
    total: int
    country: Omittable[str] = None
    next_offset: Omittable[int] = None


def _asked_kinds(snapshot: Snapshot) -> Sequence[Kind]:
    return [each for each in all_kinds(snapshot) if each.filters]


def _list(context: ToolContext, arguments: EntryListArguments) -> EntryResults:
    view = arguments.view(context)
    kind = _kind(view, arguments.kind)
    given, sort = arguments.filter, arguments.sort
    read = read_query(view, kind, given, sort, kind.filters, in_words=True)
    for wrong in read.wrong:
        raise ToolError(not_allowed(wrong.name, wrong.value, wrong.instead(_MAX_TEXT)))
    left = found_entries(view, kind, read.query, read.fields).left
    names = {*read.query.wanted, read.query.sort.removeprefix("-")}
    told = [each for each in kind.fields if each.is_on_cards or each.key in names]
    rest = left[arguments.offset :]
    shown = list(_fitting(view, kind, rest, told, arguments.limit))
    country, end = view.locale.country, arguments.offset + len(shown)
    return EntryResults(
        entries=shown,
        total=len(left),
        country=country and country.slug,
        next_offset=end if end < len(left) else None,
    )


def _kind(view: ContentView, name: str) -> Kind:
    """Return a kind by its name or by what its documents are called."""
    kinds = _asked_kinds(view.snapshot)
    for kind in kinds:
        called = (kind.declared.singular or {}).values(), (kind.declared.plural or {}).values()
        names = {kind.name, *(each for texts in called for each in texts)}
        if _bare(name) in map(_bare, names):
            return kind
    known = [each.name for each in kinds]
    if not known:
        raise ToolError("This site has no kinds with fields to ask for. Use find_passages instead.")
    raise ToolError(not_allowed("kind", name, f"one of {', '.join(known)}"))


def _bare(name: str) -> str:
    """Return a name without case and Arabic article, which questions leave out."""
    return name.casefold().removeprefix("ال")


def _fitting(
    view: ContentView,
    kind: Kind,
    documents: Sequence[Resolved],
    fields: Sequence[OwnField],
    limit: int | None,
) -> Iterator[FoundEntry]:
    """Yield as many documents as are asked for, or else as fit; at least one."""
    left, context = _MAX_TOKENS if limit else _TOKENS, MarkdownContext(view.locale, view.snapshot)

    def entry(document: Resolved) -> FoundEntry:
        item, values = entry_item(view, kind, document), own_values(view, document, fields)
        named = [each for each in values if each.field.is_shown and each.field.type != "image"]
        texts = zip(named, own_facts(named, context), strict=True)
        words = {each.field.key: [text.text for text in fact.texts] for each, fact in texts}
        return FoundEntry(
            title=one_line(item.title, _MAX_TEXT),
            url=view.absolute(item.path),
            fields={
                key: one_line(view.locale.language.comma.join(each), _MAX_TEXT)
                for key, each in words.items()
            },
            past=item.past or None,
        )

    for number, each in enumerate(view.each(documents[:limit], entry)):
        left -= estimate_tokens(each.model_dump_json())
        if left < 0 and number:
            break
        yield each


def _of_site(snapshot: Snapshot) -> Mapping[str, Mapping[str, Any]] | None:
    """Return what the schema says of the kinds of a site; None for a site without any."""
    kinds = _asked_kinds(snapshot)
    if not kinds:
        return None
    told = (
        "Values by field. A range is 10..50, ..50 or 10..; - before a value leaves it out; of a"
        " list documents have one."
    )
    for kind in kinds:
        fields = f" {kind.name}: {'; '.join(map(_in_schema, kind.filters))}."
        if estimate_tokens(told + fields) <= _SCHEMA_TOKENS:
            told += fields
    return {"kind": {"enum": [each.name for each in kinds]}, "filter": {"description": told}}


def _in_schema(field: OwnField) -> str:
    """Return a field with its options, or the type of its range."""
    if field.has_range:
        return f"{field.key} ({field.type} range)"
    options = [*field.choices][:_OPTIONS]
    more = ["…"] if len(field.choices) > _OPTIONS else []
    return f"{field.key} ({', '.join([*options, *more])})" if options else field.key


LIST_ENTRIES = Tool(
    name="list_entries",
    title="List entries by their fields",
    description=(
        "Lists the entries of a kind that have, or lack, some values, with prices of the country."
        " Without a limit as many as fit 400 tokens."
    ),
    use="For prices and other facts of many entries of {site} at once.",
    arguments=EntryListArguments,
    result=EntryResults,
    call=_list,
    of_site=_of_site,
)
