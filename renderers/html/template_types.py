"""The types of what templates read: their names for people, and the attributes of models."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from types import NoneType, SimpleNamespace, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from jinja2.runtime import Macro
from markupsafe import Markup
from pydantic import BaseModel

_NAMES: Mapping[type, str] = {
    NoneType: "none",
    Markup: "HTML",
    bool: "true or false",
    str: "text",
    int: "number",
    float: "number",
    Decimal: "number",
    date: "date",
    Macro: "macro",
    SimpleNamespace: "words by key",
}
_MODELS = (
    "knowledge.resources.",
    "knowledge.blocks.",
    "knowledge.locales.",
    "knowledge.markdown.",
    "knowledge.addresses.addresses",
    "renderers.",
)
"""Where the models of pages are; others are not for templates."""


def is_model(kind: object) -> bool:
    """Return whether a type has attributes that templates read."""
    return (
        isinstance(kind, type)
        and kind.__module__.startswith(_MODELS)
        and not kind.__name__.startswith("_")
        and (is_dataclass(kind) or issubclass(kind, BaseModel) or hasattr(kind, "_fields"))
    )


def is_method_of_model(value: object) -> bool:
    """Return whether a value is a method of a model that the model declares, not its library."""
    function = getattr(value, "__func__", None)
    is_ours = getattr(function, "__module__", "").startswith(_MODELS)
    return is_ours and is_model(type(getattr(value, "__self__", None)))


@cache
def attributes(model: type) -> Mapping[str, Any]:
    """Return the types of the attributes of a model, with its properties, by name."""
    names = {each: hint for each, hint in _hints(model).items() if not each.startswith("_")}
    for each in reversed(model.__mro__):
        for name, value in [*vars(each).items()]:
            getter = getattr(value, "fget", None) or getattr(value, "func", None)
            if getter and each.__module__.startswith(_MODELS) and not name.startswith("_"):
                names[name] = _hints(getter).get("return", Any)
    return {name: hint for name, hint in names.items() if "ClassVar" not in str(hint)}


def _hints(of: Any) -> Mapping[str, Any]:
    try:
        return get_type_hints(of)
    except (NameError, TypeError):  # a type that is imported for type checkers alone
        return dict(getattr(of, "__annotations__", {}))


def parts(hint: object) -> Iterator[object]:
    """Yield the alternatives of a type."""
    if get_origin(hint) is Annotated:
        yield from parts(get_args(hint)[0])
    elif get_origin(hint) in (Union, UnionType):
        for each in get_args(hint):
            yield from parts(each)
    elif isinstance(hint, TypeVar):
        yield from parts(hint.__bound__ or Any)
    else:
        yield hint


def type_name(hint: object) -> str:
    """Return the name of a type: that of a model is a link to its attributes.

    >>> type_name(list[str] | None), type_name(Mapping[str, int])
    ('list of text, or none', 'mapping of number')
    """
    names = sorted({_name(each) for each in parts(hint)} - {"none"})
    if len(names) > 1 and any(each.startswith("list of ") for each in names):
        names = [each for each in names if each != "list"]
    shown = " or ".join(names) or "none"
    return f"{shown}, or none" if names and NoneType in {*parts(hint)} else shown


def _name(hint: Any) -> str:
    origin, arguments = get_origin(hint), get_args(hint)
    kind = origin or hint
    if not isinstance(kind, type):
        return "text" if origin is Literal else "any value"
    if is_model(kind):
        name = kind.__name__.partition("[")[0]
        return f"[{name}](#{name.lower()})"
    if arguments and issubclass(kind, Mapping):
        return f"mapping of {type_name(arguments[1])}"
    if arguments and issubclass(kind, Iterable):
        inner = {type_name(each) for each in arguments if each is not Ellipsis}
        return f"list of {' or '.join(sorted(inner))}"
    if issubclass(kind, list | tuple):
        return "list"
    return next((name for known, name in _NAMES.items() if issubclass(kind, known)), "any value")


def type_of(values: Iterable[object]) -> Any:
    """Return the type of several values of one variable, as an annotation has it."""
    found = {_type_of(each) for each in values}
    return Union[tuple(sorted(found, key=str))] if found else NoneType  # noqa: UP007


def _type_of(value: object) -> Any:
    kind: Any = type(value)
    if isinstance(value, Mapping):
        return Mapping[str, type_of(value.values())]  # type: ignore[misc]
    if isinstance(value, list | tuple) and not is_model(kind):
        return list if not value else list[type_of(value)]  # type: ignore[misc]
    return kind


def models_in(hint: object) -> Iterator[type]:
    """Yield the models that a type names."""
    for each in parts(hint):
        origin = get_origin(each) or each
        if is_model(origin):
            yield origin  # type: ignore[misc]
        for argument in get_args(each):
            yield from models_in(argument)
