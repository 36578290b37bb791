"""Figures of a company, such as how many customers it has."""

from typing import Literal

from knowledge.blocks.block import Block, ResponseModel


class Figure(ResponseModel):
    """A figure and what it counts."""

    value: str
    """The figure."""
    label: str
    """What it counts."""


class FiguresBlock(Block):
    """Figures in their order."""

    type: Literal["figures"] = "figures"
    """Type of the block."""
    items: list[Figure]
    """The figures."""
