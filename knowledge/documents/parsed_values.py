"""Values of front matter as MessagePack: what JSON lacks is an extension, told by its type.

Models of one class are kept as columns, each of the values of one field. Decoding makes objects of
the types below and of front matter models only, never of others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache, partial
from itertools import repeat
from operator import is_
from typing import Any

from msgspec import DecodeError, ValidationError
from msgspec.msgpack import Decoder, Encoder, Ext

from knowledge.documents.columns import made
from knowledge.fields.schemas import MODELS, Fields
from knowledge.locales.locale import Country, Language, OtherLanguage

_MODEL, _MODELS = 0, 5
_CODES: Mapping[type[Any], int] = {Country: 1, Language: 2, OtherLanguage: 3, Decimal: 4}
_TYPES: Mapping[int, Callable[[str], object]] = {code: kind for kind, code in _CODES.items()}
_PLAIN = frozenset({type(None), bool, int, float, str})
_ENCODER = Encoder()

DAMAGED = (DecodeError, ValidationError, ValueError, LookupError, TypeError)
"""What decoding raises if the bytes were not made by encoding."""


def packed(value: Any) -> Any:
    """Return a value as the encoder takes it; raises TypeError for one of another type."""
    kind = type(value)
    if kind in _PLAIN or (kind is datetime and value.tzinfo is UTC):
        return value
    if kind is list:
        return packed_column(value)
    if kind is dict:
        return {_key(key): packed(item) for key, item in value.items()}
    if isinstance(value, Fields):
        return Ext(_MODEL, _ENCODER.encode(packed_models([value])))
    if kind not in _CODES:
        raise TypeError(f"{kind} cannot be kept")
    return Ext(_CODES[kind], str(value).encode())


def packed_column(values: Sequence[Any]) -> Any:
    """Return a list of values as the encoder takes it; that of models of one class as columns."""
    kinds = {*map(type, values)} - {type(None)}
    if len(kinds) == 1 and all(issubclass(kind, Fields) for kind in kinds):
        return Ext(_MODELS, _ENCODER.encode(packed_models(values)))
    return [*map(packed, values)]


def packed_models(values: Sequence[Fields | None]) -> list[Any]:
    """Return models of one class, of which some may be missing, as the encoder takes them.

    These are the name of the class, the positions of the models, and the columns of its fields:
    None for a field of which all values are None, as most are.
    """
    models = [value for value in values if value is not None]
    columns = ([getattr(each, name) for each in models] for name in models[0].field_names)
    return [
        type(models[0]).__qualname__,
        [value is not None for value in values],
        *(None if all(map(_is_none, column)) else packed_column(column) for column in columns),
    ]


_is_none = partial(is_, None)


def unpacked(code: int, content: memoryview) -> object:
    """Return the object of an extension; the hook of a decoder."""
    if code in (_MODEL, _MODELS):
        models = unpacked_models(_COLUMNS.decode(content))
        return models if code == _MODELS else models[0]
    return _scalar(code, bytes(content))


_COLUMNS = Decoder(list[Any], ext_hook=unpacked)


def unpacked_models(record: Sequence[Any]) -> list[Any]:
    """Return the models of which `packed_models` made a record."""
    name, present, *columns = record
    model, count = MODELS[name], sum(present)
    values = (repeat(None, count) if column is None else column for column in columns)
    models = made(model, count, **dict(zip(model.field_names, values, strict=True)))
    if count == len(present):
        return models
    remaining = iter(models)
    return [next(remaining) if is_present else None for is_present in present]


def _key(key: object) -> str:
    if type(key) is not str:
        raise TypeError("The key is not text")
    return key


@lru_cache(1_024)
def _scalar(code: int, content: bytes) -> object:
    """Return a value that never changes: equal ones are one object."""
    return _TYPES[code](content.decode())
