"""Passages that answer a question."""

from typing import Literal

from knowledge.blocks.block import Block, ResponseModel


class AnswerText(ResponseModel):
    """A passage that can be quoted."""

    title: str
    """Titles of its page and of the headings above it."""
    words: str
    """The passage as CommonMark."""
    url: str
    """URL of the passage."""


class AnswersBlock(Block):
    """Passages, the best one first."""

    type: Literal["answers"] = "answers"
    """Type of the block."""
    items: list[AnswerText]
    """The passages."""
