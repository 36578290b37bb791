"""Unknown keys: the keys of front matter or JSON that its model does not have, at any depth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, get_args, get_type_hints

from pydantic import BaseModel
from pydantic.alias_generators import to_camel

from knowledge.fields.schemas import Fields
from knowledge.fields.value_problems import Keys

Model = type[Fields] | type[BaseModel]


def unknown_keys(model: Model, values: object) -> Iterator[tuple[Keys, str | None]]:
    """Yield the place of each unknown key, and the nearest key that the model has.

    >>> from knowledge.fields.form_fields import ContactFormFields
    >>> list(unknown_keys(ContactFormFields, {"enabeld": True, "topics": [{"lable": "A"}]}))
    [(('enabeld',), 'enabled'), (('topics', 0, 'lable'), 'label')]
    """
    if isinstance(values, list):
        for number, item in enumerate(values):
            yield from _within(number, model, item)
    elif isinstance(values, Mapping):
        blocks = _blocks(model)
        for key, value in values.items():
            if key not in blocks:
                yield (str(key),), next(iter(get_close_matches(str(key), blocks, 1)), None)
            elif block := blocks[key]:
                yield from _within(key, block, value)


def _within(place: str | int, model: Model, values: object) -> Iterator[tuple[Keys, str | None]]:
    return (((place, *keys), nearest) for keys, nearest in unknown_keys(model, values))


def _blocks(model: Model) -> Mapping[str, Model | None]:
    """Return the keys of a model, and of those with a block or a list of them, its model."""
    hints = get_type_hints(model)
    names = model.field_names if issubclass(model, Fields) else model.model_fields
    return {to_camel(name): _block(hints[name]) for name in names}


def _block(hint: Any) -> Model | None:
    if isinstance(hint, type) and issubclass(hint, Fields | BaseModel):
        return hint
    return next((found for each in get_args(hint) if (found := _block(each))), None)
