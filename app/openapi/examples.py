"""Examples of bodies: real answers from the content there is, cut to a readable size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from app.http.parameters import COUNTRY, LANG
from app.openapi.route_specs import RouteSpec
from knowledge.content_view import ContentView
from knowledge.errors import MajlisError
from knowledge.locale import DEFAULT_LOCALE, Locale
from knowledge.resources.base import LocalizedResource, Resource
from renderers import markdown

_ITEMS = 2
_LETTERS = 160
_LINES = 12


@dataclass(frozen=True, slots=True)
class BodyExample:
    """One request that works, by the values of its path, and both forms of what it gives."""

    path: tuple[str, ...]
    body: Any
    text: str


def sample(each: RouteSpec, view: ContentView) -> BodyExample | None:
    """An example of an operation, None where the content has nothing to show."""
    query = each.operation.query
    reader = Locale(
        COUNTRY.example if COUNTRY in query else DEFAULT_LOCALE.country,
        LANG.example if LANG in query else DEFAULT_LOCALE.language,
    )
    view = view.for_locale(reader)
    path = [part.sample(view) for part in each.operation.path]
    values = tuple(value for value in path if value is not None)
    if len(values) < len(path):
        return None
    made = view.snapshot.left_out.each(
        (each,),
        lambda each: _sample(each, view, reader, values),
        lambda _: f"the example of {each.id}",
    )
    return next(made, None)


def _sample(
    each: RouteSpec, view: ContentView, reader: Locale, values: tuple[str, ...]
) -> BodyExample | None:
    try:
        made = each.operation.example(view, *values)
    except MajlisError:
        return None
    answer = LocalizedResource(made, locale=reader) if isinstance(made, Resource) else made
    text = markdown.render_resource(answer, view.base_url, view.snapshot).body.decode()
    body = shortened(answer.resource.model_dump(mode="json"))
    return BodyExample(values, body, "\n".join(text.splitlines()[:_LINES]) + "\n")


def shortened(value: Any) -> Any:
    """A body with the first entries of each list and the beginning of each long text.

    >>> shortened({"tags": ["a", "b", "c"]})
    {'tags': ['a', 'b']}
    """
    if isinstance(value, dict):
        return {name: shortened(each) for name, each in value.items()}
    if isinstance(value, list):
        return [shortened(each) for each in value[:_ITEMS]]
    if isinstance(value, str) and len(value) > _LETTERS and " " in value[:_LETTERS]:
        return value[:_LETTERS].rpartition(" ")[0] + " …"
    return value
