"""The examples of sections in the author's guide."""

from __future__ import annotations

import re

from live.documents import ROOT, blocks

GUIDE = (ROOT / "docs" / "authoring.md").read_text("utf-8")
EXAMPLES = tuple(
    (match[1], text.rstrip("\n"))
    for text in blocks("docs/authoring.md", "markdown")
    if (match := re.match(r":::\{(\w+)\}", text))
)
"""The directive and the text of each example, in order."""
