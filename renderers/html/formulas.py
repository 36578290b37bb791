"""Formulas as MathML, always left to right; those that cannot be read are code."""

from __future__ import annotations

from markupsafe import escape

from knowledge.diagnostics.messages import mark as _
from knowledge.locales.locale import Language
from knowledge.markdown.formulas import mathml
from renderers.l10n.translation import translate

MAX_TEXT_CHARACTERS = 40_000
"""The formulas of a text beyond this sum are code: 10,000 characters take 0.1 seconds."""

_OVERHEAD_CHARACTERS = 20
"""The time for any formula, as a number of characters."""


class Formulas:
    """Renders the formulas of one text, with labels in a language."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._characters = 0

    def block(self, tex: str) -> str:
        """Return a formula as a block of its own, which scrolls if it is long."""
        found = self._mathml(tex, is_block=True) or f"<code>{escape(tex)}</code>"
        name = translate(_("Formula"), self._language)
        label = f'role="group" aria-label="{name}"'
        return f'<div class="formula" dir="ltr" tabindex="0" {label}>{found}</div>\n'

    def inline(self, tex: str, *, is_block: bool) -> str:
        """Return a formula in a text; `is_block` if it stands on a line of its own."""
        return self._mathml(tex, is_block=is_block) or f'<code dir="ltr">{escape(tex)}</code>'

    def _mathml(self, tex: str, *, is_block: bool) -> str | None:
        self._characters += len(tex) + _OVERHEAD_CHARACTERS
        return None if self._characters > MAX_TEXT_CHARACTERS else mathml(tex, is_block=is_block)
