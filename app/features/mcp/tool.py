"""Tools: what agents may call, and all that a tool knows of the request that calls it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from app.publishing.content.store import Edition
from knowledge.locales.locale import Locale
from knowledge.resources.builtin_pages import BuiltinPage
from knowledge.views.content_view import ContentView
from renderers.markdown.service_pages import DocumentationPage

Manual = Callable[[ContentView, BuiltinPage], DocumentationPage]


@dataclass(frozen=True, slots=True)
class ToolContext:
    """All that a tool knows of its request; `locale` is the one to use if a call names none."""

    edition: Edition
    locale: Locale
    now: datetime
    base_url: str
    manual: Manual | None = None
    """Returns the manual of the API, which depends on the routes of the application."""

    def view(self, locale: Locale) -> ContentView:
        """Return the content as the readers of a locale see it at the instant of the request."""
        return ContentView(self.edition.snapshot, locale, self.now, self.base_url)


class ToolError(Exception):
    """A call cannot be answered; its text, which the agent reads, says why and what to do."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool, which only reads.

    The models of `arguments` and `result` give the two schemas. `call` is synchronous, as it runs
    in a thread; it may raise ToolError. Calls of a tool that `searches` count as searches and wait
    for each other; the audience counts them with the number of `hits` of their results, and
    reads of a `page` by its path.
    """

    name: str
    title: str
    description: str
    arguments: type[BaseModel]
    result: type[BaseModel]
    call: Callable[[ToolContext, Any], BaseModel]
    searches: bool = False
    hits: Callable[[Any], int] | None = None
    page: Callable[[Any], str] | None = None
