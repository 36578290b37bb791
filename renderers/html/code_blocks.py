"""Code blocks as HTML: highlighted, always left to right, scrolling and reachable by keyboard."""

from __future__ import annotations

from markupsafe import Markup, escape

from knowledge.diagnostics.messages import mark as _
from knowledge.locales.locale import Language
from renderers.html.fence_info import FenceInfo, parse_fence_info
from renderers.html.syntax import highlight
from renderers.l10n.translation import translate

MAX_BLOCK_CHARACTERS = 5_000
"""A longer block is not highlighted, because Pygments takes quadratic time in the worst case."""

MAX_TEXT_CHARACTERS = 50_000
"""The blocks of a text beyond this sum are not highlighted."""


class CodeBlocks:
    """Renders the code blocks of one text, with labels in a language."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._characters = 0

    def render(self, code: str, info: str) -> Markup:
        """Return a code block with its title, if `info`, the text after its fence, has one."""
        fence = parse_fence_info(info)
        label = translate(_("Code"), self._language)
        label = f"{label}: {fence.title}" if fence.title else label
        block = Markup(
            '<pre dir="ltr" tabindex="0" role="group" aria-label="{}"><code{}>{}</code></pre>\n'
        ).format(label, _class_attribute(fence.language), self._content(code, fence))
        if not fence.title:
            return block
        caption = Markup("<figcaption><bdi>{}</bdi></figcaption>").format(fence.title)
        return Markup('<figure class="code">{}\n{}</figure>\n').format(caption, block)

    def _content(self, code: str, fence: FenceInfo) -> Markup:
        self._characters += len(code)
        if len(code) > MAX_BLOCK_CHARACTERS or self._characters > MAX_TEXT_CHARACTERS:
            return escape(code)
        return highlight(code, fence.language, _marked_lines(code, fence))


def _class_attribute(language: str) -> Markup:
    return Markup(' class="language-{}"').format(language) if language else Markup()


def _marked_lines(code: str, fence: FenceInfo) -> frozenset[int]:
    if not fence.ranges:
        return frozenset()
    count = code.count("\n") + 1
    return frozenset(
        number for first, last in fence.ranges for number in range(first, min(last, count) + 1)
    )
