"""Formulas in TeX: `$…$` in a text and `$$…$$` as a block, and the MathML that pages show.

As in Pandoc, a dollar sign opens a formula only before a letter or sign, and closes it only after
one and not before a digit, so that `$5 and $10` are prices.

The library latex2mathml escapes nothing, and passes styles and links on. So the elements that it
returns are written here, with the names and attributes of MathML that are allowed.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import unescape
from re import Match
from xml.etree.ElementTree import Element

import mistune
from markupsafe import escape
from mistune.block_parser import BlockParser
from mistune.core import BlockState, InlineState
from mistune.inline_parser import InlineParser

from knowledge.markdown.containers import register_block

_SIGN = r"(?:(?!\n[ \t]*\n)[^$\\]|\\[^\n])"
_BLOCK = rf"^ {{0,3}}\$\$(?P<block_tex>{_SIGN}++)\$\$[ \t]*$"
_INLINE = (
    rf"\$\$(?P<display_math>{_SIGN}++)\$\$"
    rf"|(?<![\w$])\$(?![\s$])(?P<inline_math>{_SIGN}++)(?<!\s)\$(?![\w$])"
)


def math(md: mistune.Markdown) -> None:
    """Add formulas to a mistune parser."""
    md.block.register("block_math", _BLOCK, _parse_block, before="list")
    register_block(md, "block_math", before="list")
    md.inline.register("math", _INLINE, _parse_inline, before="codespan", start_chars="$")


def _parse_block(block: BlockParser, match: Match[str], state: BlockState) -> int:
    state.append_token({"type": "block_math", "raw": match["block_tex"].strip()})
    return match.end() + 1


def _parse_inline(inline: InlineParser, match: Match[str], state: InlineState) -> int:
    display = match["display_math"]
    tex = match["inline_math"] if display is None else display
    attributes = {"is_block": display is not None}
    state.append_token({"type": "inline_math", "raw": tex.strip("` \n"), "attrs": attributes})
    return match.end()


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
        return None if any(map(_is_unread, root.iter())) else "".join(_written(root))
    except Exception:  # the library raises errors of many kinds, also IndexError and RecursionError
        return None


def _is_unread(element: Element) -> bool:
    if element.tag not in _ELEMENTS or len(element) != _CHILDREN.get(element.tag, len(element)):
        return True
    return element.tag != "mtext" and bool(_UNREAD.search(element.text or ""))


def _written(element: Element) -> Iterator[str]:
    attributes = [' dir="ltr"'] if element.tag == "math" else []
    for name, value in element.attrib.items():
        if name in _ATTRIBUTES and _VALUE.fullmatch(value):
            attributes.append(f' {name}="{value}"')
    yield f"<{element.tag}{''.join(attributes)}>"
    yield str(escape(unescape(element.text or "")))
    for child in element:
        yield from _written(child)
    yield f"</{element.tag}>"
