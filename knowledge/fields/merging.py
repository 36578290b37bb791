"""Merging of front matter models, field by field. Pure functions.

None inherits, `""` and `[]` override, texts by language and other mappings merge key by key,
nested models recurse, lists and scalars replace. A mapping of models has those of the most specific
layer, unless the models merge by name.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, NamedTuple, TypeVar

from knowledge.fields.front_matter import Fields, PageSeo
from knowledge.locales.locale import Language, Scope

Model = TypeVar("Model", bound=Fields)
Value = TypeVar("Value")

_LANGUAGES = frozenset(map(str, Language))


def merge(layers: Iterable[Model]) -> Model:
    """Merge layers given from general to specific; there is at least one.

    >>> from knowledge.fields.front_matter import PageFields
    >>> base = PageFields(title={"en": "A"}, template="t")
    >>> top = PageFields(title={"ar": "أ"}, template="")
    >>> merged = merge([base, top])
    >>> merged.title, merged.template
    ({'en': 'A', 'ar': 'أ'}, '')
    """
    return reduce(_on_top, layers)


def _on_top(base: Model, top: Model) -> Model:
    """Merge a model on top of one of the same type, which may lack fields that a site adds."""
    pairs = [(getattr(base, name, None), getattr(top, name)) for name in top.field_names]
    values = [below if above is None else _merged(below, above) for below, above in pairs]
    return _built(type(top), values)


def _merged(base: Any, top: Any) -> Any:
    """Merge a value on top of another; `top` is not None."""
    if isinstance(base, dict) and isinstance(top, dict):
        blocks = {
            key: _on_top(base[key], each)
            for key, each in top.items()
            if key in base and getattr(each, "merges_by_name", False)
        }
        return {**base, **top, **blocks}
    return _on_top(base, top) if isinstance(base, Fields) else top


def with_value(fields: Model, name: str, value: object) -> Model:
    """Return a model with another value in one field, which must be valid."""
    values = [value if each == name else getattr(fields, each) for each in fields.field_names]
    return _built(type(fields), values)


def only_texts(fields: Model, language: Language) -> Model:
    """Return a model with only its texts in one language."""
    values = [_only_text(getattr(fields, name), language) for name in fields.field_names]
    return _built(type(fields), values)


def _only_text(value: object, language: Language) -> object:
    if isinstance(value, Fields):
        texts = only_texts(value, language)
        return None if texts == type(value)() else texts
    return {language: value[language]} if isinstance(value, dict) and language in value else None


def _built(model: type[Model], values: Iterable[object]) -> Model:
    """Return a model of values that are already valid."""
    built = object.__new__(model)
    for name, value in zip(model.field_names, values, strict=True):
        object.__setattr__(built, name, value)
    return built


def last(values: Sequence[Value | None]) -> Value | None:
    """Return the last value that is not None: that of the most specific layer."""
    for value in reversed(values):
        if value is not None:
            return value
    return None


def is_text(value: Mapping[Any, object]) -> bool:
    """Return whether a mapping of front matter is a text by language."""
    return not _LANGUAGES.isdisjoint(value)


def texts_in(value: object) -> Iterator[Mapping[str, str]]:
    """Yield all texts in a value, including those in lists, without a page's `seo`."""
    if isinstance(value, PageSeo):
        return
    if isinstance(value, Fields):
        for name in type(value).field_names:
            item = getattr(value, name)
            if item is not None:  # as most are
                yield from texts_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts_in(item)
    elif isinstance(value, dict) and is_text(value):
        yield value


class Origin(NamedTuple):
    """The scope of a value that readers see; of a text, its language as well."""

    scope: Scope
    language: Language | None = None


def origins(
    layers: Sequence[tuple[Fields, Scope]], names: Collection[str], language: Language
) -> list[Origin]:
    """Return the origins of the merged values that readers of a language see."""
    found: list[Origin] = []
    for name in names:
        values = [
            (value, scope)
            for fields, scope in layers
            if (value := getattr(fields, name)) is not None
        ]
        if values:
            found += _origins(values, language)
    return found


def _origins(values: Sequence[tuple[Any, Scope]], language: Language) -> list[Origin]:
    top, scope = values[-1]
    if isinstance(top, Fields):
        return origins(values, type(top).field_names, language)
    if not isinstance(top, dict):
        return [Origin(scope)]
    scopes = {key: scope for value, scope in values for key in value}
    if not is_text(scopes):
        return list(map(Origin, scopes.values()))
    used = language if language in scopes else language.other
    return [Origin(scopes[used], used)]
