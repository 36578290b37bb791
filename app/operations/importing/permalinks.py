"""Addresses at which another generator published a text.

A pattern is a path with tokens: `:folders` (of the file below its tree), `:name` (the slug or the
file's name), `:year`, `:month`, `:day` and others of Hugo and Jekyll.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

from app.operations.importing.documents import SourceDocument

_TOKEN = re.compile(r":([a-z_]+)(?:\[[^\]]*\])?")
_SLASHES = re.compile(r"/{2,}")
_STYLES: Mapping[str, str] = {
    "date": "/:categories/:year/:month/:day/:title.html",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title.html",
    "none": "/:categories/:title.html",
}
"""The named patterns of Jekyll."""


def jekyll_pattern(permalink: str) -> str:
    """Return the pattern of a `permalink` setting of Jekyll, which may be the name of one."""
    return _STYLES.get(permalink, permalink) or _STYLES["date"]


def old_address(document: SourceDocument, pattern: str) -> str | None:
    """Return the address of a text by its tree's pattern; None if a token has no value."""
    values = _values(document)
    path = pattern
    for match in _TOKEN.finditer(pattern):
        value = values.get(match[1])
        if value is None:
            return None
        path = path.replace(match[0], value, 1)
    path = _SLASHES.sub("/", f"/{path}")
    return path if path != "/" else None


def _values(document: SourceDocument) -> Mapping[str, str]:
    date = document.date
    section = document.folders[0] if document.folders else ""
    name = document.name
    own = {
        **dict.fromkeys(("name", "title", "slug", "filename", "basename"), name),
        **dict.fromkeys(("slugorfilename", "contentbasename", "slugorcontentbasename"), name),
        **dict.fromkeys(("folders", "sections", "path"), "/".join(document.folders)),
        "section": section,
        "categories": "/".join(document.categories),
        "output_ext": ".html",
    }
    return own | _date_values(date) if date else own


def _date_values(date: datetime) -> dict[str, str]:
    return {
        "year": f"{date:%Y}",
        "short_year": f"{date:%y}",
        "month": f"{date:%m}",
        "monthname": f"{date:%B}".lower(),
        "i_month": str(date.month),
        "day": f"{date:%d}",
        "i_day": str(date.day),
        "y_day": f"{date:%j}",
        "yearday": str(int(f"{date:%j}")),
    }
