"""Markdown beyond CommonMark and tables: call-outs, footnotes, task and definition lists, math.

Each module is a plugin of mistune that takes linear time. `renderers/html/extensions.py` renders
their tokens.
"""

from __future__ import annotations

import mistune

from knowledge.markdown.extensions.callouts import callouts
from knowledge.markdown.extensions.footnotes import footnotes
from knowledge.markdown.extensions.lists import definition_lists, task_lists
from knowledge.markdown.extensions.math import math


def extensions(md: mistune.Markdown) -> None:
    """Add all extensions to a mistune parser."""
    for plugin in (callouts, definition_lists, footnotes, math, task_lists):
        plugin(md)
