"""The guides as what they tell one to write: their code blocks."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def blocks(guide: str, language: str) -> list[str]:
    """The blocks of a language in a guide, in their order."""
    text = (ROOT / guide).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
