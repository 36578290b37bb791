"""Blocks within blocks: parsing the content of a container, and walking through tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import mistune
from mistune.block_parser import BlockParser
from mistune.core import BlockState

Token = dict[str, Any]

CONTAINERS = frozenset(
    ("list", "list_item", "block_quote", "callout", "definition_list", "definition")
)
"""The blocks that may contain blocks."""

_OPENING_RULES = frozenset({"list", "block_quote", "callout", "definition_list"})


def register_block(md: mistune.Markdown, name: str, before: str) -> None:
    """Let a registered block also stand in quotes and lists, before another rule."""
    for rules in (md.block.block_quote_rules, md.block.list_rules):
        md.block.insert_rule(rules, name, before=before)


def parse_content(block: BlockParser, state: BlockState, text: str) -> list[Token]:
    """Parse the content of a container; at the nesting limit it holds no containers."""
    child = state.child_state(text if text.endswith("\n") else text + "\n")
    is_deepest = state.depth() >= block.max_nested_level - 1
    rules = [rule for rule in block.rules if not is_deepest or rule not in _OPENING_RULES]
    block.parse(child, rules)
    return child.tokens


def containers(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield the containers among tokens, and those in them, in order."""
    for token in tokens:
        if token["type"] in CONTAINERS:
            yield token
            yield from containers(token.get("children", ()))  # a link definition has none


def descendants(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield tokens and all tokens in them, in order."""
    for token in tokens:
        yield token
        if "children" in token:
            yield from descendants(token["children"])
