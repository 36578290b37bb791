"""Buttons: the links of a text that a section shows as buttons."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from markupsafe import Markup
from mistune.core import BlockState

from knowledge.markdown.extensions.nesting import descendants
from knowledge.markdown.memoize import text_cache
from knowledge.markdown.parser import Token
from renderers.html.commonmark import RenderOptions, raw_texts, rendered, safe_href, tokens_of

MAX_BUTTONS = 2
_SENTENCE_END = re.compile(r"[.!?؟:]\s*$")
_DEFAULT_OPTIONS = RenderOptions()


@dataclass(frozen=True, slots=True)
class Button:
    """A link that is shown as a button."""

    label: Markup
    href: str


@dataclass(frozen=True, slots=True)
class CallToAction:
    """A text and its buttons: the main one first."""

    text: Markup
    buttons: tuple[Button, ...] = ()


@text_cache
def call_to_action(text: str, options: RenderOptions = _DEFAULT_OPTIONS) -> CallToAction:
    """Return a text with its first two links as buttons.

    A link after the last sentence of a paragraph is removed; of another one the words stay.
    """
    tokens, state = tokens_of(text, options)
    links = tuple(islice(filter(is_button_link, descendants(tokens)), MAX_BUTTONS))
    return CallToAction(
        text=rendered(list(without_buttons(tokens, links)), state, options),
        buttons=tuple(button(link, state, options) for link in links),
    )


def button(link: Token, state: BlockState, options: RenderOptions) -> Button:
    """Return the button of a link."""
    label = rendered(link["children"], state, options)
    return Button(label, safe_href(link["attrs"]["url"]) or "")


def is_button_link(token: Token) -> bool:
    """Return whether a token is a link with words and an allowed target."""
    if token["type"] != "link" or safe_href(token["attrs"]["url"]) is None:
        return False
    is_text = not any(each["type"] == "image" for each in descendants(token["children"]))
    return is_text and bool("".join(raw_texts(token["children"])).strip())


def without_buttons(tokens: Iterable[Token], links: Sequence[Token]) -> Iterator[Token]:
    """Yield blocks without the links that are buttons; a paragraph of nothing else is left out."""
    for token in tokens:
        children: list[Token] = token.get("children", [])
        if not any(_is_among(each, links) for each in descendants(children)):
            yield token
        elif token["type"] not in ("paragraph", "block_text"):
            yield {**token, "children": list(without_buttons(children, links))}
        elif inline := list(_sentences(children, links)):
            yield {**token, "children": inline}


def _sentences(inline: list[Token], links: Sequence[Token]) -> Iterator[Token]:
    """Yield the words of a paragraph: without the buttons at its end, with the words of others."""
    end = len(inline)
    while end and (_is_among(inline[end - 1], links) or _is_space(inline[end - 1])):
        end -= 1
    before = "".join(raw_texts(inline[:end]))
    if not before.strip():
        return iter(())
    return _unlinked(inline[:end] if _SENTENCE_END.search(before) else inline, links)


def _unlinked(inline: Iterable[Token], links: Sequence[Token]) -> Iterator[Token]:
    for token in inline:
        if _is_among(token, links):
            yield from token["children"]
        elif "children" in token:
            yield {**token, "children": list(_unlinked(token["children"], links))}
        else:
            yield token


def _is_among(token: Token, tokens: Iterable[Token]) -> bool:
    return any(token is each for each in tokens)


def _is_space(token: Token) -> bool:
    return token["type"] in ("softbreak", "linebreak") or token.get("raw", "x").strip() in ("", "·")
