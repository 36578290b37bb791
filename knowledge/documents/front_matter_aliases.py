"""Front matter keys of Hugo, Jekyll, Astro, Zola and Obsidian, mapped to our own keys.

A content folder of these tools can be served unchanged. If a file has both keys, ours wins.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knowledge.fields.content_type import AnyContentType

_DATES: Mapping[str, str] = {
    "date": "publishedAt",
    "pubDate": "publishedAt",
    "publishDate": "publishedAt",
    "lastmod": "updatedAt",
    "updated": "updatedAt",
    "updatedDate": "updatedAt",
    "last_modified_at": "updatedAt",
    "expiryDate": "unpublishAt",
}
_ORDER = dict.fromkeys(("weight", "sidebar_position", "nav_order", "order"), "sortOrder")

_OLD_PATHS = ("permalink", "url", "path")
"""Keys with the path of the page on its former site."""

OLD_ADDRESS_KEYS = ("aliases", "redirect_from", *_OLD_PATHS, "slug")
"""All keys that can list old addresses."""


def aliases_of(kind: AnyContentType) -> Mapping[str, str]:
    """Return the keys of other generators in documents of a type, and our key for each."""
    return {**_DATES, **_ORDER, **kind.aliases}


def normalize_keys(
    kind: AnyContentType, metadata: Mapping[str, object]
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the fields by our keys, and the original key of each field that was renamed.

    >>> from knowledge.fields.content_types import POST
    >>> fields, origins = normalize_keys(POST, {"date": "2026-05-01", "draft": "true"})
    >>> fields
    {'publishedAt': '2026-05-01', 'published': False}
    >>> origins
    {'publishedAt': 'date', 'published': 'draft'}
    """
    fields: dict[str, Any] = {}
    origins: dict[str, str] = {}
    aliases = aliases_of(kind)
    for key, value in _flattened(metadata).items():
        target = None if key in kind.fields.field_names else aliases.get(key)
        if target is None:
            if value is not None or key not in fields:
                fields[key] = value
                origins.pop(key, None)
        elif value is not None and target not in fields and metadata.get(target) is None:
            fields[target] = value
            origins[target] = key
    _draft(fields, origins)
    _published_date(fields, origins)
    _old_addresses(kind, fields, origins)
    _all_categories(fields)
    return fields, origins


def _flattened(metadata: Mapping[str, object]) -> Mapping[str, object]:
    """Move the keys below Zola's `taxonomies` to the top level."""
    taxonomies = metadata.get("taxonomies")
    return {**taxonomies, **metadata} if isinstance(taxonomies, dict) else metadata


def _draft(fields: dict[str, Any], origins: dict[str, str]) -> None:
    draft = fields.pop("draft", None)
    if str(draft).lower() in ("true", "yes", "on", "1"):
        fields["published"] = False
        origins["published"] = "draft"


def _published_date(fields: dict[str, Any], origins: dict[str, str]) -> None:
    """Move a date in `published`, a boolean here, to `publishedAt`."""
    published = fields.get("published")
    if published is None or str(published)[:4].isdecimal() is False:
        return
    del fields["published"]
    if fields.get("publishedAt") is None:
        fields["publishedAt"] = published
        origins["publishedAt"] = "published"


def _all_categories(fields: dict[str, Any]) -> None:
    """Keep the further categories of a list in `category`."""
    names = fields.get("category")
    if isinstance(names, list) and all(isinstance(name, str) for name in names):
        fields.setdefault("categories", names)


def _old_addresses(kind: AnyContentType, fields: dict[str, Any], origins: dict[str, str]) -> None:
    """Collect the paths of a page on its former site in `aliases`."""
    moved = _as_list(fields.pop("redirect_from", None))
    for key in (key for key in _OLD_PATHS if key not in kind.fields.field_names):
        moved += [value for value in _as_list(fields.pop(key, None)) if _is_path(value)]
    if moved:
        fields["aliases"] = [*_as_list(fields.get("aliases")), *moved]
        origins["aliases"] = "aliases"


def _as_list(value: object) -> list[object]:
    if value in (None, "", False):
        return []
    return [*value] if isinstance(value, list) else [value]


def _is_path(value: object) -> bool:
    """Return whether a value is the path of a page: an address elsewhere is another's."""
    return isinstance(value, str) and "://" not in value and value != "false"
