"""Parts of the API: the operations that one OpenAPI document describes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from app.web.openapi.page_formats import TAG as FORMATS_TAG
from app.web.openapi.route_specs import RouteSpec, Tag

OPENAPI_PATH = "/openapi.json"
LEGACY_PATH = "/openapi-legacy.json"


@dataclass(frozen=True, slots=True)
class Part:
    """The operations of one document: all stable ones, the aliases, or those of one tag."""

    path: str
    title: str
    tag: str | None = None
    is_legacy: bool = False

    def of(self, operations: Iterable[RouteSpec]) -> list[RouteSpec]:
        """Return those of the operations that it describes."""
        return [
            spec
            for spec in operations
            if bool(spec.successor) is self.is_legacy and self.tag in (None, spec.tag.name)
        ]

    def tags(self, operations: Iterable[RouteSpec], added: Iterable[Tag]) -> list[Tag]:
        """Return the tags of its operations, and those that features add."""
        tags = dict.fromkeys(spec.tag for spec in self.of(operations))
        others = () if self.is_legacy else (FORMATS_TAG, *added)
        return [tag for tag in (*tags, *others) if self.tag in (None, tag.name)]


CONTRACT = Part(OPENAPI_PATH, "public API")
LEGACY = Part(LEGACY_PATH, "public API, legacy paths", is_legacy=True)


def part_of_tag(tag: str) -> Part:
    """Return the part with the stable operations of one tag.

    >>> part_of_tag("blog").path
    '/openapi/blog.json'
    """
    return Part(f"/openapi/{tag}.json", f"public API, {tag}", tag)
