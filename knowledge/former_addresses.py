"""Former addresses: paths with slugs as they were before combining marks belonged to words."""

from __future__ import annotations

from datetime import datetime

from knowledge.layer_resolution import Entry, resolve
from knowledge.snapshot import Snapshot


def current_path(snapshot: Snapshot, path: str, now: datetime | None = None) -> str:
    """Return a path with the present slugs of documents instead of their former ones.

    With `now`, only documents that are published then count.
    """
    return "/".join(_current_part(snapshot, part, now) for part in path.split("/"))


def _current_part(snapshot: Snapshot, part: str, now: datetime | None) -> str:
    slug, dot, suffix = part.partition(".")
    entry = snapshot.former_slugs.get(slug)
    if entry is None or (now is not None and not _is_published(snapshot, entry, now)):
        return part
    return f"{entry.slug}{dot}{suffix}"


def _is_published(snapshot: Snapshot, entry: Entry, now: datetime) -> bool:
    return any(resolve(entry, locale, now) for locale in snapshot.open_locales)
