"""The text of any block: what the module of its type says."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from knowledge.blocks.block import Block
from knowledge.markdown.slugs import Anchors
from knowledge.resources.passages import Part, text_part
from renderers.blocks.context import MarkdownContext


@dataclass(frozen=True, slots=True)
class BlockRendering:
    """How blocks of a type are written.

    `text` is the CommonMark below the heading. `claimed` gives ids to what has headings in HTML
    besides the block, and `parts` says how a search cuts it; most types need neither.
    """

    text: Callable[[Any, MarkdownContext], str]
    claimed: Callable[[Any, Anchors], Any]
    parts: Callable[[Any, MarkdownContext], Iterable[Part]]


@cache
def rendering_of_block(block_type: type[Block]) -> BlockRendering:
    """Return the rendering of a type; raises ValueError if it has no module or no text."""
    name = block_type.__module__.rpartition(".")[2]
    try:
        module = import_module(f"renderers.blocks.{name}")
        text = module.text
    except (ImportError, AttributeError) as error:
        message = f"The block “{name}” has no text: write text(block, context) in"
        raise ValueError(f"{message} renderers/blocks/{name}.py.") from error
    return BlockRendering(
        text=text,
        claimed=getattr(module, "claimed", lambda block, _: block),
        parts=getattr(module, "parts", _one_part),
    )


def _one_part(block: Block, _: MarkdownContext) -> Iterable[Part]:
    return (text_part((block.heading,) if block.heading else (), block.anchor, block.text),)
