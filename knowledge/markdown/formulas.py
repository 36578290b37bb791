"""Formulas: TeX as MathML, by latex2mathml.

The library escapes nothing, and passes styles and links on. So the elements that it returns are
written here, with the names and attributes of MathML that are allowed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import unescape
from xml.etree.ElementTree import Element

from markupsafe import escape

MAX_CHARACTERS = 2_000
"""A longer formula is not converted; one of this length takes 20 ms in the worst case."""

_NAMES = (
    "math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow "
    "mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none"
)
_ELEMENTS = frozenset(_NAMES.split())
_KEYS = (
    "accent columnalign depth display displaystyle fence form height largeop linethickness lspace "
    "mathcolor mathvariant maxsize minsize movablelimits notation rspace scriptlevel separator "
    "stretchy symmetric voffset width"
)
_ATTRIBUTES = frozenset(_KEYS.split())
_VALUE = re.compile(r"[\w#.%+ -]{0,40}")
_ENVIRONMENTS: Mapping[str, str] = {"aligned": "split", "gathered": "split", "equation": "split"}
_ENVIRONMENT = re.compile(r"\\(begin|end)\{(aligned|gathered|equation)\*?\}")
_UNREAD = re.compile(r"\\[A-Za-z]|^[&{}\\]$")
"""A text that shows that the library does not know a command."""

_CHILDREN: Mapping[str, int] = {
    **dict.fromkeys(("mfrac", "mover", "mroot", "msub", "msup", "munder"), 2),
    **dict.fromkeys(("msubsup", "munderover"), 3),
}
"""The elements that need a fixed number of children; with fewer, an argument is missing."""


@lru_cache(1_024)
def mathml(tex: str, *, is_block: bool) -> str | None:
    """Return a formula as MathML, or None if it is too long or cannot be read.

    >>> mathml("x^2", is_block=False)
    '<math dir="ltr" display="inline"><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></math>'
    """
    if len(tex) > MAX_CHARACTERS or not tex.strip():
        return None
    # Few sites have formulas, and the library takes 15 ms to import.
    from latex2mathml.converter import convert_to_element  # noqa: PLC0415

    known = _ENVIRONMENT.sub(lambda match: f"\\{match[1]}{{{_ENVIRONMENTS[match[2]]}}}", tex)
    try:
        root = convert_to_element(known, display="block" if is_block else "inline")
        return None if _has_unread(root) else "".join(_written(root))
    except Exception:  # the library raises errors of many kinds, also IndexError and RecursionError
        return None


def _has_unread(root: Element) -> bool:
    return any(map(_is_unread, root.iter()))


def _is_unread(element: Element) -> bool:
    if element.tag not in _ELEMENTS or len(element) != _CHILDREN.get(element.tag, len(element)):
        return True
    return element.tag != "mtext" and bool(_UNREAD.search(element.text or ""))


def _written(element: Element) -> Iterator[str]:
    direction = ' dir="ltr"' if element.tag == "math" else ""
    yield f"<{element.tag}{direction}{''.join(_attributes(element))}>"
    yield str(escape(unescape(element.text or "")))
    for child in element:
        yield from _written(child)
    yield f"</{element.tag}>"


def _attributes(element: Element) -> Iterator[str]:
    for name, value in element.attrib.items():
        if name in _ATTRIBUTES and _VALUE.fullmatch(value):
            yield f' {name}="{value}"'
