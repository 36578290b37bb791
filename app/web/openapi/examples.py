"""Example responses, generated from the current content and shortened."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from app.web.http.parameters import COUNTRY
from app.web.openapi.route_specs import RouteSpec
from knowledge.locales.locale import Locale
from knowledge.resources.base import LocalizedResource, Resource
from knowledge.resources.errors import MajlisError
from knowledge.views.content_view import ContentView
from renderers import json as json_renderer
from renderers.feeds import sitemap
from renderers.feeds.sitemap import SitemapLimits
from renderers.markdown import renderer as markdown

_ITEMS = 2
_LETTERS = 160
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
    text = markdown.render_resource(localized, view.base_url, view.snapshot).body.decode()
    body = shortened(json.loads(json_renderer.render(localized).body))
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
