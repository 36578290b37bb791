"""The declared types of blocks: every block in the modules of `knowledge/blocks/`."""

from functools import reduce
from importlib import import_module
from operator import or_
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from knowledge import blocks
from knowledge.blocks.block import Block


def _declared() -> tuple[type[Block], ...]:
    for module in iter_modules(blocks.__path__):
        if module.name != "declared":
            import_module(f"{blocks.__name__}.{module.name}")
    return tuple(Block.__subclasses__())


DECLARED_BLOCKS = _declared()
"""All types of blocks."""

if TYPE_CHECKING:
    AnyBlock = Block
else:
    AnyBlock = Annotated[reduce(or_, DECLARED_BLOCKS), Field(discriminator="type")]
