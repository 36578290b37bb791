"""The parameters of an operation in the OpenAPI document, and the examples of its responses."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from app.web.http.parameters import COUNTRY, LANG, AnyParameter, Parameter, of_site
from app.web.http.search_requests import KIND, kind_parameter
from app.web.openapi.operation import RouteSpec
from knowledge.locales.locale import Locale, Locales
from knowledge.resources.base import LocalizedResource, Resource
from knowledge.resources.errors import MajlisError
from knowledge.resources.search import searched_kinds
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView
from renderers import json as json_renderer
from renderers.feeds import sitemap
from renderers.feeds.sitemap import SitemapLimits
from renderers.markdown import renderer as markdown

Json = dict[str, Any]
_SHARED: Mapping[str, AnyParameter] = {"Country": COUNTRY, "Lang": LANG}
"""Query parameters of many operations, by the names of their components."""

_IF_NONE_MATCH = {
    "name": "If-None-Match",
    "in": "header",
    "description": "Entity tags of cached responses; if one is still current, the response is 304.",
    "schema": {"type": "string"},
}


def parameter_components(locales: Locales) -> Json:
    """Return the parameters that operations share, as a site has them."""
    made = {name: of_site(each, locales) for name, each in _SHARED.items()}
    shared = {name: query_parameter(each) for name, each in made.items() if each}
    return {**shared, "IfNoneMatch": _IF_NONE_MATCH}


def described_parameters(
    spec: RouteSpec, example: BodyExample | None, snapshot: Snapshot
) -> Iterator[Json]:
    """Yield the parameters of an operation; those that several have as references."""
    own_kind = kind_parameter(searched_kinds(snapshot.page_types))
    yield from _of_path(spec, example.path if example else ())
    for declared in spec.operation.query:
        parameter = of_site(own_kind if declared is KIND else declared, snapshot.locales)
        shared = next((name for name, each in _SHARED.items() if each is declared), None)
        if parameter and shared:
            yield _reference(shared)
        elif parameter:
            yield query_parameter(parameter)
    for header in spec.operation.headers:
        yield {
            "name": header.name,
            "in": "header",
            "required": False,
            "description": header.description,
            "schema": {"type": "string", "pattern": header.pattern},
            "example": header.example,
        }
    if spec.method == "GET":
        yield _reference("IfNoneMatch")


def _of_path(spec: RouteSpec, values: tuple[str, ...]) -> Iterator[Json]:
    for index, (name, part) in enumerate(zip(spec.variables, spec.operation.path, strict=True)):
        yield {
            "name": name,
            "in": "path",
            "required": True,
            "description": part.description,
            "schema": part.schema,
            **({"example": int(values[index]) if part.is_id else values[index]} if values else {}),
        }


def query_parameter(parameter: Parameter[Any]) -> Json:
    """Return a query parameter; an empty value counts as absent."""
    return {
        "name": parameter.name,
        "in": "query",
        "required": parameter.required,
        "allowEmptyValue": not parameter.required,
        "description": parameter.description,
        "schema": parameter.schema,
        **({} if parameter.example is None else {"example": parameter.example}),
    }


def _reference(name: str) -> Json:
    return {"$ref": f"#/components/parameters/{name}"}


_ITEMS = 2
_LETTERS = 90
_LINES = 12


@dataclass(frozen=True, slots=True)
class BodyExample:
    """A working request, given by its path values, and its response in each media type."""

    path: tuple[str, ...]
    body: Any
    text: str
    sitemap: str


def sample(spec: RouteSpec, view: ContentView) -> BodyExample | None:
    """Return an example of an operation, or None if the content has none."""
    query = spec.operation.query
    locales = view.snapshot.locales
    country = (locales.other if COUNTRY in query else locales.default).country
    reader = Locale(country, locales.default.language)
    view = view.for_locale(reader)
    path = [part.sample(view) for part in spec.operation.path]
    values = tuple(value for value in path if value is not None)
    if len(values) < len(path):
        return None
    examples = view.snapshot.left_out.each(
        (spec,),
        lambda spec: _sample(spec, view, reader, values),
        lambda _: f"the example of {spec.id}",
    )
    return next(examples, None)


def _sample(
    spec: RouteSpec, view: ContentView, reader: Locale, values: tuple[str, ...]
) -> BodyExample | None:
    try:
        example = spec.operation.example(view, *values)
    except MajlisError:
        return None
    localized = (
        LocalizedResource(example, locale=reader) if isinstance(example, Resource) else example
    )
    text = markdown.render_resource(view, localized).body.decode()
    body = shortened(json.loads(json_renderer.render_resource(view, localized).body))
    urlset = sitemap.render_resource(localized, view, SitemapLimits(urls=1)).body.decode()
    return BodyExample(values, body, first_lines(text), first_lines(urlset))


def first_lines(text: str) -> str:
    """Return the beginning of a text."""
    return "\n".join(text.splitlines()[:_LINES]) + "\n"


def shortened(value: Any) -> Any:
    """Return a body with only the first entries of each list and the start of each long text.

    >>> shortened({"tags": ["a", "b", "c"]})
    {'tags': ['a', 'b']}
    """
    if isinstance(value, dict):
        return {name: shortened(child) for name, child in value.items()}
    if isinstance(value, list):
        return [shortened(child) for child in value[:_ITEMS]]
    if isinstance(value, str) and len(value) > _LETTERS and " " in value[:_LETTERS]:
        return value[:_LETTERS].rpartition(" ")[0] + " …"
    return value
