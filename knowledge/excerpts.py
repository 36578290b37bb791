"""Excerpts of posts whose author wrote none."""

from __future__ import annotations

import re

from knowledge.blocks import parse_blocks
from knowledge.documents import Document
from knowledge.inline import plain_text
from knowledge.memoize import document_cache

# Nearly every first paragraph is in a prefix of this size, which parses faster than the body.
_PREFIX_CHARACTERS = 2_000
_DEFINITION = re.compile(r"^ {0,3}\[[^\]\n]+\]:[^\n]*(?:\n[ \t]+\S[^\n]*)?", re.MULTILINE)


@document_cache(4_096)
def first_paragraph(document: Document) -> str:
    """Return the plain text of a body's first paragraph, `""` if it has none."""
    body = document.body
    # Cut at a blank line, to keep blocks whole.
    prefix = body[: body.rfind("\n\n", 0, _PREFIX_CHARACTERS) + 1]
    return _first_text(prefix, body) or _first_text(body, body)


def _first_text(prefix: str, body: str) -> str:
    paragraphs = (block.text for block in parse_blocks(prefix) if block.type == "paragraph")
    texts = (_plain(paragraph, body) for paragraph in paragraphs)
    return next((text for text in texts if text), "")


def _plain(paragraph: str, body: str) -> str:
    """Return a paragraph's plain text, with link definitions from the whole body."""
    text = plain_text(paragraph)
    if "[" not in text:
        return text
    definitions = _DEFINITION.findall(body)
    return plain_text(parse_blocks("\n\n".join((paragraph, *definitions)))[0].text)
