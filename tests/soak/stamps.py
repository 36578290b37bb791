"""Stamps: words in the edited files by which an answer tells which versions it was made from."""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import UTC, datetime, timedelta

GROUP = "group"
GROUP_SIZE = 6
_BEGIN = datetime.now(UTC).replace(microsecond=0) - timedelta(days=1)
_STAMP = re.compile(rb"qx([a-z]+)x(\d+)xq")
_IN_SITEMAP = re.compile(rb"/blog/soak-group-\d+</loc>\s*<lastmod>([^<]+)<")


def stamp(name: str, version: int) -> str:
    """A word that no renderer changes and no excerpt cuts unnoticed."""
    return f"qx{name}x{version}xq"


def newest(body: bytes) -> dict[str, set[int]]:
    """The versions that a body shows, by name; more than one is a mixture of editions."""
    found: dict[str, set[int]] = defaultdict(set)
    for name, version in _STAMP.findall(body):
        found[name.decode()].add(int(version))
    for changed in _IN_SITEMAP.findall(body):
        since = datetime.fromisoformat(changed.decode()) - _BEGIN
        found[GROUP].add(int(since.total_seconds()))
    return found


def page(name: str, version: int) -> dict[str, str]:
    """The file of a page that one editor rewrites; its stamp stands in several places."""
    word = stamp(name, version)
    text = (
        f"---\ntitle: Page {word}\nshortDescription: About {word}\n---\n"
        f"Begins with {word}.\n\n## {word}\n\n"
        + "A line of its text.\n" * 40
        + f"\nEnds: {word}.\n"
    )
    return {f"pages/soak-{name}.md": text}


def broken_page(name: str) -> dict[str, str]:
    """The same file as it must not be."""
    return {f"pages/soak-{name}.md": "---\ntitle: [never closed\n---\nBroken.\n"}


def group(version: int) -> dict[str, str]:
    """The files of posts that are only ever published together."""
    word = stamp(GROUP, version)
    changed = (_BEGIN + timedelta(seconds=version)).isoformat()
    return {
        f"posts/soak-group-{number}.md": (
            f"---\ntitle: Harbour {number} {word}\nexcerpt: Ships of {word}\ntags: [harbour]\n"
            f"publishedAt: {_BEGIN.isoformat()}\nupdatedAt: {changed}\n---\nText of {word}.\n"
        )
        for number in range(GROUP_SIZE)
    }
