"""HTML as a browser parses it, in a form that can be compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape
from xml.etree.ElementTree import Element

import html5lib

_SPACE = re.compile(r"\s+")
_AROUND_TAGS = re.compile(r"\s*(<[^>]*>)\s*")
_VISIBLE_SPACE = str.maketrans(" \n\t", "␣⏎⇥")


def elements(html: str) -> Iterator[Element]:
    """Yield all elements of a page, also those in foreign markup."""
    for element in html5lib.parse(html, namespaceHTMLElements=False).iter():
        if isinstance(element.tag, str):
            yield element


def canonical(html: str, is_shown: Callable[[Element], bool], attributes: frozenset[str]) -> str:
    """Return a fragment of HTML with some attributes, without white space around tags.

    An element that is not shown is replaced by its content.
    """
    tree = html5lib.parseFragment(html, namespaceHTMLElements=False)
    written = "".join(_content(tree, is_shown, attributes, is_pre=False))
    return _AROUND_TAGS.sub(r"\1", written).strip()


def _content(
    parent: Element,
    is_shown: Callable[[Element], bool],
    attributes: frozenset[str],
    *,
    is_pre: bool,
) -> Iterator[str]:
    yield _text(parent.text, is_pre=is_pre)
    for child in parent:
        if isinstance(child.tag, str):
            inner = _content(child, is_shown, attributes, is_pre=is_pre or child.tag == "pre")
            yield from _element(child, inner, attributes) if is_shown(child) else inner
        yield _text(child.tail, is_pre=is_pre)


def _element(element: Element, inner: Iterator[str], attributes: frozenset[str]) -> Iterator[str]:
    kept = sorted((name, value) for name, value in element.items() if name in attributes)
    yield f"<{element.tag}{''.join(f' {name}={escape(value)!r}' for name, value in kept)}>"
    yield from inner
    yield f"</{element.tag}>"


def _text(text: str | None, *, is_pre: bool) -> str:
    shown = escape(text or "", quote=False)
    return shown.translate(_VISIBLE_SPACE) if is_pre else _SPACE.sub(" ", shown)
