"""Built-in pages: public pages outside the locales that do not come from a content file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class BuiltinPage(NamedTuple):
    """The path, title and description of a built-in page, in English."""

    path: str
    title: str
    description: str


DEVELOPERS = BuiltinPage(
    "/developers",
    "For developers",
    "How to read this site's content as JSON or markdown: quick start, resources, errors, limits,"
    " caching and versioning of the public API.",
)

BUILTIN_PAGES: Mapping[str, BuiltinPage] = {DEVELOPERS.path: DEVELOPERS}
"""The built-in pages by path."""
