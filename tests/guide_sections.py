"""The examples of sections in the author's guide."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

GUIDE = (Path(__file__).parents[1] / "docs" / "authoring.md").read_text("utf-8")
EXAMPLES = tuple(
    (match[1], dedent(match[0]))
    for match in re.finditer(r"(?ms)^    :::\{(\w+)\}.*?^    :::$", GUIDE)
)
"""The directive and the text of each example, in order."""
