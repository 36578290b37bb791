"""Call-outs, footnotes, definition and task lists, and formulas as HTML."""

import re
from collections.abc import Mapping

import mistune
from markupsafe import Markup, escape

from knowledge.diagnostics.messages import mark as _
from knowledge.locales.locale import Language
from knowledge.markdown.containers import CalloutKind
from knowledge.markdown.math import mathml
from renderers.html.code_blocks import CodeBlocks
from renderers.l10n.translation import translate

_CALLOUT_LABELS: Mapping[CalloutKind, str] = {
    CalloutKind.NOTE: _("Note"),
    CalloutKind.TIP: _("Tip"),
    CalloutKind.IMPORTANT: _("Important"),
    CalloutKind.WARNING: _("Warning"),
    CalloutKind.CAUTION: _("Caution"),
}


class ExtensionHtml(mistune.HTMLRenderer):
    """mistune's renderer with the extensions and code blocks of one text, labels in a language."""

    def __init__(self, language: Language) -> None:
        super().__init__(escape=True)
        self._language = language
        self._code_blocks = CodeBlocks(language)
        self._formulas = Formulas(language)

    def block_code(self, code: str, info: str | None = None) -> str:
        """Return a code block, or the formula in a fence of `math`."""
        if info == "math":
            return self._formulas.block(code.strip())
        return self._code_blocks.render(code, info or "")

    def block_math(self, tex: str) -> str:
        """Return a formula as a block."""
        return self._formulas.block(tex)

    def inline_math(self, tex: str, is_block: bool) -> str:
        """Return a formula in a text."""
        return self._formulas.inline(tex, is_block=is_block)

    def list_item(self, text: str, checked: bool | None = None) -> str:
        """Return a list item, with a box that readers cannot change if it is a task."""
        if checked is None:
            return super().list_item(text)
        done = translate(_("Completed task"), self._language)
        open_ = translate(_("Incomplete task"), self._language)
        state = f'checked aria-label="{done}"' if checked else f'aria-label="{open_}"'
        opening = "<p>" if text.startswith("<p>") else ""
        box = f'<input type="checkbox" disabled {state}> '
        return f'<li class="task">{opening}{box}{text.removeprefix(opening)}</li>\n'

    def callout(self, text: str, kind: CalloutKind, has_title: bool) -> str:
        """Return a call-out; without a title of its own it has that of its kind."""
        label = translate(_CALLOUT_LABELS[kind], self._language)
        title = "" if has_title else self.callout_title(label)
        return (
            f'<div class="callout {kind}" role="note" aria-label="{label}">\n{title}{text}</div>\n'
        )

    def callout_title(self, text: str) -> str:
        """Return the title of a call-out."""
        return f'<p class="callout-title">{text}</p>\n'

    def definition_list(self, text: str) -> str:
        """Return a definition list."""
        return f'<dl class="definitions">\n{text}</dl>\n'

    def definition_term(self, text: str) -> str:
        """Return a term of a definition list."""
        return f"<dt>{text}</dt>\n"

    def definition(self, text: str) -> str:
        """Return a definition."""
        return f"<dd>{text}</dd>\n"

    def footnotes(self, text: str) -> str:
        """Return the notes of a text."""
        label = translate(_("Footnotes"), self._language)
        opening = f'<section class="footnotes" role="doc-endnotes" aria-label="{label}">'
        return f"{opening}<ol>\n{text}{FOOTNOTES_END}\n"

    def footnote(self, text: str, number: int, count: int) -> str:
        """Return a note, with links back to its references at the end of its last paragraph."""
        body = text.rstrip()
        inner = body.removesuffix("</p>")
        closing = "</p>" if inner != body else ""
        back = " ".join(self._back_link(number, place) for place in range(1, count + 1))
        return f'<li id="fn:{number}">{inner} {back}{closing}</li>\n'

    def _back_link(self, number: int, place: int) -> str:
        """Return the link to a reference; the arrow is mirrored in Arabic."""
        name = f"{number}-{place}" if place > 1 else str(number)
        label = translate(_("Back to reference %(name)s"), self._language, name=name)
        ordinal = f"<sup>{place}</sup>" if place > 1 else ""
        return (
            f'<a href="#{_reference_id(number, place)}" aria-label="{label}">'
            f'<span class="back" aria-hidden="true">\u21a9\ufe0e</span>{ordinal}</a>'
        )

    def footnote_reference(self, number: int, place: int) -> str:
        """Return a reference to a note; `place` is its number among those to the same note."""
        label = translate(_("Footnote %(number)s"), self._language, number=number)
        link = f'<a href="#fn:{number}" id="{_reference_id(number, place)}" aria-label="{label}">'
        return f'<sup class="footnote">{link}{number}</a></sup>'


def _reference_id(number: int, place: int) -> str:
    """Return the id of a reference; no heading has one with a colon."""
    return f"fnref:{number}:{place}" if place > 1 else f"fnref:{number}"


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


FOOTNOTES_END = "</ol></section>"
"""The end of the notes of a text; templates never write the two tags without a line break."""

_ID = re.compile(r'( id="| href="#)(fn|fnref):')


def unique_footnotes(html: Markup) -> Markup:
    """Put the number of the text into the ids of its notes, for all texts but the first.

    >>> unique_footnotes(Markup('<i id="fn:1"></ol></section><i id="fn:1"></ol></section>'))
    Markup('<i id="fn:1"></ol></section><i id="fn2:1"></ol></section>')
    """
    if html.count(FOOTNOTES_END) < 2:
        return html
    first, *others = str(html).split(FOOTNOTES_END)
    renamed = (_ID.sub(rf"\g<1>\g<2>{text}:", each) for text, each in enumerate(others, start=2))
    # It was safe before, and the ids have nothing to escape.
    return Markup(FOOTNOTES_END.join((first, *renamed)))  # noqa: S704
