"""Atom feeds as XML: the texts of their entries, before a parser cleans them."""

from __future__ import annotations

from xml.etree import ElementTree as ET

ATOM = "{http://www.w3.org/2005/Atom}"


def contents(feed: str) -> list[str]:
    """Return the content of each entry, which is HTML."""
    found = ET.fromstring(feed).findall(f"{ATOM}entry/{ATOM}content")  # noqa: S314  # ours
    assert all(each.get("type") == "html" for each in found)
    return [each.text or "" for each in found]
