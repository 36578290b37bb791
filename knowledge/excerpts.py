"""Excerpts: what stands for a post where its author wrote none."""

from __future__ import annotations

import re

from knowledge.blocks import parse_blocks
from knowledge.documents import Document
from knowledge.inline import plain_text
from knowledge.memoize import document_cache

# Enough for the first paragraph of nearly every post, and far cheaper than the whole body.
_HEAD_CHARACTERS = (2_000, 20_000)
_DEFINITION = re.compile(r"^ {0,3}\[[^\]\n]+\]:[^\n]*(?:\n[ \t]+\S[^\n]*)?", re.MULTILINE)


@document_cache(4_096)
def first_paragraph(document: Document) -> str:
    """The plain text of a body's first paragraph, `""` where it has none."""
    body = document.body
    heads = (_head(body, size) for size in _HEAD_CHARACTERS if size < len(body))
    found = (_first(head, body) for head in (*heads, body))
    return next((text for text in found if text), "")


def _head(body: str, size: int) -> str:
    """The first blocks of a body, cut at a blank line, so that no block is torn."""
    return body[: body.rfind("\n\n", 0, size) + 1]


def _first(head: str, body: str) -> str:
    paragraphs = (block.text for block in parse_blocks(head) if block.type == "paragraph")
    texts = (_plain(paragraph, body) for paragraph in paragraphs)
    return next((text for text in texts if text), "")


def _plain(paragraph: str, body: str) -> str:
    """Its words; what is left in brackets may be a link that the body defines further down."""
    text = plain_text(paragraph)
    if "[" not in text:
        return text
    definitions = _DEFINITION.findall(body)
    return plain_text(parse_blocks("\n\n".join((paragraph, *definitions)))[0].text)
