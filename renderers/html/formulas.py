"""Formulas as MathML, always left to right; those that cannot be read are code."""

from __future__ import annotations

import mistune
from markupsafe import escape

from knowledge.formulas import mathml
from knowledge.locale import Language
from knowledge.messages import mark as _
from renderers.translation import translate

MAX_TEXT_CHARACTERS = 40_000
"""The formulas of a text beyond this sum are code: 10,000 characters take 0.1 seconds."""

_OVERHEAD_CHARACTERS = 20
"""The time for any formula, as a number of characters."""


class Formulas:
    """Renders the formulas of one text, with labels in a language."""

    def __init__(self, renderer: mistune.HTMLRenderer, language: Language) -> None:
        self._label = translate(_("Formula"), language)
        self._characters = 0
        renderer.register("inline_math", self._inline)
        renderer.register("block_math", lambda _renderer, tex: self.block(tex))

    def block(self, tex: str) -> str:
        """Return a formula as a block of its own, which scrolls if it is long."""
        found = self._mathml(tex, is_block=True) or f"<code>{escape(tex)}</code>"
        label = f'role="group" aria-label="{self._label}"'
        return f'<div class="formula" dir="ltr" tabindex="0" {label}>{found}</div>\n'

    def _inline(self, _renderer: object, tex: str, is_block: bool) -> str:
        return self._mathml(tex, is_block=is_block) or f'<code dir="ltr">{escape(tex)}</code>'

    def _mathml(self, tex: str, *, is_block: bool) -> str | None:
        self._characters += len(tex) + _OVERHEAD_CHARACTERS
        return None if self._characters > MAX_TEXT_CHARACTERS else mathml(tex, is_block=is_block)
