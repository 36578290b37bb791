"""Stamps: words in edited files that show the versions a response was built from."""

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
    """Return a word that renderers do not change and that no excerpt can cut unnoticed."""
    return f"qx{name}x{version}xq"


def newest(body: bytes) -> dict[str, set[int]]:
    """Return the versions in a body, by name; more than one is a mix of editions."""
    versions: dict[str, set[int]] = defaultdict(set)
    for name, version in _STAMP.findall(body):
        versions[name.decode()].add(int(version))
    for changed in _IN_SITEMAP.findall(body):
        since = datetime.fromisoformat(changed.decode()) - _BEGIN
        versions[GROUP].add(int(since.total_seconds()))
    return versions


def page(name: str, version: int) -> dict[str, str]:
    """Return the file of an edited page, with its stamp in several places."""
    word = stamp(name, version)
    text = (
        f"---\ntitle: Page {word}\nshortDescription: About {word}\n---\n"
        f"Begins with {word}.\n\n## {word}\n\n"
        + "A line of its text.\n" * 40
        + f"\nEnds: {word}.\n"
    )
    return {f"pages/soak-{name}.md": text}


def broken_page(name: str) -> dict[str, str]:
    """Return the same file with invalid front matter."""
    return {f"pages/soak-{name}.md": "---\ntitle: [never closed\n---\nBroken.\n"}


def group(version: int) -> dict[str, str]:
    """Return the files of posts that are always published together."""
    word = stamp(GROUP, version)
    changed = (_BEGIN + timedelta(seconds=version)).isoformat()
    return {
        f"posts/soak-group-{number}.md": (
            f"---\ntitle: Harbour {number} {word}\nexcerpt: Ships of {word}\ntags: [harbour]\n"
            f"publishedAt: {_BEGIN.isoformat()}\nupdatedAt: {changed}\n---\nText of {word}.\n"
        )
        for number in range(GROUP_SIZE)
    }
