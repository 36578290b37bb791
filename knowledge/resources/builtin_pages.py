"""The service's own pages: public pages outside the locales, which no file of content makes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class BuiltinPage(NamedTuple):
    """Path, title and description of one of them; all are in English."""

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
"""By path."""
