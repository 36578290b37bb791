"""Values of front matter as MessagePack: what JSON lacks is an extension, told by its type.

Decoding makes objects of the types below and of front matter models only, never of others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache, lru_cache
from itertools import repeat
from operator import call
from typing import Any

from msgspec import DecodeError, ValidationError
from msgspec.msgpack import Decoder, Encoder, Ext

from knowledge.locale import Country, Language, OtherLanguage
from knowledge.schemas import MODELS, Fields

_MODEL = 0
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
        return [packed(item) for item in value]
    if kind is dict:
        return {_key(key): packed(item) for key, item in value.items()}
    if isinstance(value, Fields):
        return Ext(_MODEL, _ENCODER.encode([kind.__qualname__, *packed_fields(value)]))
    if kind not in _CODES:
        raise TypeError(f"{kind} cannot be kept")
    return Ext(_CODES[kind], str(value).encode())


def packed_fields(model: Fields) -> list[Any]:
    """Return the values of a model, in the order of its fields, as the encoder takes them."""
    return [packed(getattr(model, name)) for name in model.field_names]


def unpacked(code: int, content: memoryview) -> object:
    """Return the object of an extension; the hook of a decoder."""
    if code == _MODEL:
        name, *values = _MODEL_DECODER.decode(content)
        return maker(name)(values)
    return _scalar(code, bytes(content))


_MODEL_DECODER = Decoder(list[Any], ext_hook=unpacked)


def _key(key: object) -> str:
    if type(key) is not str:
        raise TypeError("The key is not text")
    return key


@cache
def maker(name: str) -> Callable[[list[Any]], Any]:
    """Return the function that makes a model of the values of its fields, in their order."""
    model = MODELS[name]
    setters = tuple(getattr(model, field).__set__ for field in model.field_names)

    def make(values: list[Any]) -> Fields:
        made = object.__new__(model)
        if len(values) != len(setters):
            raise ValueError(f"{name} has another number of fields")
        deque(map(call, setters, repeat(made), values), maxlen=0)  # without a loop in Python
        return made

    return make


@lru_cache(1_024)
def _scalar(code: int, content: bytes) -> object:
    """Return a value that never changes: equal ones are one object."""
    return _TYPES[code](content.decode())
