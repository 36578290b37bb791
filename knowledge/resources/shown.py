"""Shown fields: front matter fields marked as `Shown`, in the resources of their documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Annotated, Any, get_args, get_type_hints

from pydantic import Field, create_model

from knowledge.fields.field_types import OMITTED, LocalizedText, Shown
from knowledge.fields.schemas import Fields
from knowledge.resources.base import Body
from knowledge.snapshot.layer_resolution import Resolved


def shows(*models: type[Fields]) -> Callable[[type[Body]], type[Body]]:
    """Add the shown fields of front matter models to a resource, each omitted without a value."""

    def extended(resource: type[Body]) -> type[Body]:
        added: dict[str, Any] = dict(chain.from_iterable(map(_added, models)))
        module, doc = resource.__module__, resource.__doc__
        return create_model(
            resource.__name__, __base__=resource, __module__=module, __doc__=doc, **added
        )

    return extended


def _added(model: type[Fields]) -> Iterator[tuple[str, tuple[Any, None]]]:
    """Yield the shown fields of a model, each with its type in the resource and its default."""
    hints = get_type_hints(model, include_extras=True)
    for name, shown in model.shown.items():
        yield name, (_annotation(get_args(hints[name])[0], shown), None)


def _annotation(hint: Any, shown: Shown) -> Any:
    """Return the type in the resource: a text is in one language there."""
    value = str | None if LocalizedText in get_args(hint) else hint
    return Annotated[value, OMITTED, Field(description=shown.meaning or None), shown]


def shown_values(resolved: Resolved) -> dict[str, Any]:
    """Return the values of a document's shown fields, each text in the reader's language."""
    values = ((name, getattr(resolved.fields, name)) for name in resolved.fields.shown)
    return {
        name: resolved.pick(value) if isinstance(value, dict) else value for name, value in values
    }
