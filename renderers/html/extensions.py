"""The blocks of `knowledge/markdown_extensions/` as HTML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import mistune

from knowledge.locale import Language
from knowledge.markdown_extensions.callouts import CalloutKind
from knowledge.messages import mark as _
from renderers.html.footnote_ids import FOOTNOTES_END
from renderers.translation import translate

_CALLOUT_LABELS: Mapping[CalloutKind, str] = {
    CalloutKind.NOTE: _("Note"),
    CalloutKind.TIP: _("Tip"),
    CalloutKind.IMPORTANT: _("Important"),
    CalloutKind.WARNING: _("Warning"),
    CalloutKind.CAUTION: _("Caution"),
}


def add_extensions(renderer: mistune.HTMLRenderer, language: Language) -> None:
    """Let a renderer of mistune render the extensions, with labels in a language."""

    def callout(_renderer: object, text: str, kind: CalloutKind, has_title: bool) -> str:
        label = translate(_CALLOUT_LABELS[kind], language)
        title = "" if has_title else _callout_title(label)
        return (
            f'<div class="callout {kind}" role="note" aria-label="{label}">\n{title}{text}</div>\n'
        )

    def footnote_reference(_renderer: object, number: int, place: int) -> str:
        return _footnote_reference(number, place, language)

    def footnotes(_renderer: object, text: str) -> str:
        label = translate(_("Footnotes"), language)
        opening = f'<section class="footnotes" role="doc-endnotes" aria-label="{label}">'
        return f"{opening}<ol>\n{text}{FOOTNOTES_END}\n"

    def footnote(_renderer: object, text: str, number: int, count: int) -> str:
        return _footnote(text, number, " ".join(_back_links(number, count, language)))

    renderer.register("callout", callout)
    renderer.register("callout_title", lambda _renderer, text: _callout_title(text))
    renderer.register("definition", lambda _renderer, text: f"<dd>{text}</dd>\n")
    renderer.register("definition_list", _definition_list)
    renderer.register("definition_term", lambda _renderer, text: f"<dt>{text}</dt>\n")
    renderer.register("footnote", footnote)
    renderer.register("footnote_reference", footnote_reference)
    renderer.register("footnotes", footnotes)


def task(text: str, language: Language, *, is_checked: bool) -> str:
    """Return a list item with a box that readers cannot change."""
    done = translate(_("Completed task"), language)
    open_ = translate(_("Incomplete task"), language)
    state = f'checked aria-label="{done}"' if is_checked else f'aria-label="{open_}"'
    opening = "<p>" if text.startswith("<p>") else ""
    box = f'<input type="checkbox" disabled {state}> '
    return f'<li class="task">{opening}{box}{text.removeprefix(opening)}</li>\n'


def _callout_title(text: str) -> str:
    return f'<p class="callout-title">{text}</p>\n'


def _definition_list(_renderer: object, text: str) -> str:
    return f'<dl class="definitions">\n{text}</dl>\n'


def _footnote_reference(number: int, place: int, language: Language) -> str:
    label = translate(_("Footnote %(number)s"), language, number=number)
    link = f'<a href="#fn:{number}" id="{_reference_id(number, place)}" aria-label="{label}">'
    return f'<sup class="footnote">{link}{number}</a></sup>'


def _footnote(text: str, number: int, back_links: str) -> str:
    """Return a note; the links back stand at the end of its last paragraph."""
    body = text.rstrip()
    inner = body.removesuffix("</p>")
    closing = "</p>" if inner != body else ""
    return f'<li id="fn:{number}">{inner} {back_links}{closing}</li>\n'


def _back_links(number: int, count: int, language: Language) -> Iterator[str]:
    """Yield a link to each reference; the arrow is mirrored in Arabic."""
    for place in range(1, count + 1):
        name = f"{number}-{place}" if place > 1 else str(number)
        label = translate(_("Back to reference %(name)s"), language, name=name)
        ordinal = f"<sup>{place}</sup>" if place > 1 else ""
        target = _reference_id(number, place)
        yield (
            f'<a href="#{target}" aria-label="{label}">'
            f'<span class="back" aria-hidden="true">\u21a9\ufe0e</span>{ordinal}</a>'
        )


def _reference_id(number: int, place: int) -> str:
    """Return the id of a reference; no heading has one with a colon."""
    return f"fnref:{number}:{place}" if place > 1 else f"fnref:{number}"
