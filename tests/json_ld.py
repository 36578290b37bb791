"""The JSON-LD of pages: its nodes, read from HTML."""

from __future__ import annotations

import json
import re
from typing import Any

Node = dict[str, Any]


def nodes_of(text: str) -> list[Node]:
    """Return the graph nodes in the HTML of a page."""
    (script,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', text)
    return list(json.loads(script)["@graph"])


def node(nodes: list[Node], kind: str) -> Node | None:
    """Return the first node of a type, or None."""
    return next((each for each in nodes if kind in (each["@type"], *each["@type"])), None)
