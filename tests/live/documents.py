"""The code blocks of the guides."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
GUIDES = ("README.md", *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/*.md")))


class Sample(NamedTuple):
    """A code block: the file and the line of it, its language, and what it shows."""

    guide: str
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.guide}:{self.line}"


@cache
def samples(guide: str) -> tuple[Sample, ...]:
    """Return all code blocks of a guide, in order; one that is indented has no language."""
    tokens = MarkdownIt().parse((ROOT / guide).read_text(encoding="utf-8"))
    return tuple(
        Sample(guide, token.map[0] + 1, token.info.partition(" ")[0], token.content)
        for token in tokens
        if token.type in ("fence", "code_block") and token.map
    )


def blocks(guide: str, language: str) -> list[str]:
    """Return the code blocks of a language in a guide, in order."""
    return [sample.text for sample in samples(guide) if sample.language == language]
