"""Task lists: list items that begin with `[ ]` or `[x]`."""

from __future__ import annotations

import re

import mistune
from mistune.core import BlockState

from knowledge.markdown.extensions.nesting import Token, containers

_BOX = re.compile(r"\[([ xX])\][ \t]+(?=\S)")


def task_lists(md: mistune.Markdown) -> None:
    """Add task lists to a mistune parser: their items get the attribute `checked`."""
    md.before_render_hooks.append(_mark_tasks)


def _mark_tasks(_: mistune.Markdown, state: BlockState) -> None:
    for token in containers(state.tokens):
        if token["type"] == "list_item":
            _mark_task(token)


def _mark_task(item: Token) -> None:
    first: Token = next(iter(item["children"]), {})
    match = _BOX.match(first.get("text", ""))
    if match and first["type"] in ("paragraph", "block_text"):
        first["text"] = first["text"][match.end() :]
        item["attrs"] = {"checked": match[1] != " "}
