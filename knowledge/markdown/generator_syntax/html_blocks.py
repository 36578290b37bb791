"""Markdown in HTML: elements with the attribute `markdown` of kramdown, PHP Markdown and MkDocs.

In CommonMark the text between two tags is markdown if blank lines are around it, so these are
inserted. An element of text alone, such as `<p markdown="1">`, becomes the markdown for it.
"""

import re
from collections.abc import Iterator, Mapping
from html import escape

from knowledge.markdown.generator_syntax.source import BREAK, BodySource
from knowledge.markdown.raw_html import BLOCK_TAGS, HtmlTag, tags

_ATTRIBUTE = "markdown"
_OFF = frozenset(("0", "false", "off"))
_CONTAINERS = frozenset(("dl", "ol", "table", "tbody", "tfoot", "thead", "tr", "ul"))
"""Elements whose children are elements; those can have the attribute."""


def read_html_blocks(source: BodySource) -> None:
    """Read the markdown in elements that ask for it."""
    if _ATTRIBUTE in source.text and "<" in source.text:
        source.rewrite(_elements(source.text, 1))


_BLOCKS = (BLOCK_TAGS | {"figcaption", "summary", "td", "th", "caption"}) - _CONTAINERS
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_KEPT = ("dir", "lang", "id")
"""The attributes for which the element of a paragraph is kept."""


def _elements(text: str, nesting: int) -> Iterator[tuple[int, int, str]]:
    """Yield the outermost elements with the attribute: where they are, and what replaces them."""
    found = list(tags(text))
    closings = _closings(found)
    end = 0
    for number, tag in enumerate(found):
        if tag.start < end or tag.is_closing:
            continue
        values = tag.values()
        mode = values.pop(_ATTRIBUTE, None)
        if mode is None or mode.lower() in _OFF:
            continue
        opening = _opening(tag, values)
        closing = closings.get(number)
        before = text[text.rfind("\n", 0, tag.start) + 1 : tag.start]
        if closing is None or before.strip(" \t") or tag.name not in _BLOCKS:
            end = tag.end
            yield tag.start, tag.end, opening
            continue
        end = closing.end
        inner = _read(text[tag.end : closing.start], nesting)
        yield tag.start, end, _element(tag, values, opening, inner, before)


def _closings(found: list[HtmlTag]) -> Mapping[int, HtmlTag]:
    """Return the closing tag of each opening one, by its number."""
    opened: dict[str, list[int]] = {}
    closings = {}
    for number, tag in enumerate(found):
        if not tag.is_closing:
            opened.setdefault(tag.name, []).append(number)
        elif opened.get(tag.name):
            closings[opened[tag.name].pop()] = tag
    return closings


def _opening(tag: HtmlTag, values: Mapping[str, str]) -> str:
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in values.items())
    return f"<{tag.name}{attributes}>"


_MAX_NESTING = 8
_LEADING = re.compile(rf"(?:{BREAK}|\s)*+")
_TRAILING = re.compile(rf"(?:{BREAK[::-1]}|\s)*+")
"""In the text from its end."""


def _read(inner: str, nesting: int) -> str:
    """Return the text of an element, with the elements in it read as well."""
    if nesting >= _MAX_NESTING or _ATTRIBUTE not in inner:
        return inner
    inner = _dedented(inner, "")
    nested = BodySource(inner)
    nested.rewrite(_elements(inner, nesting + 1))
    return _without_breaks_around(nested.text)


def _without_breaks_around(text: str) -> str:
    """Return a text without the line ends that were inserted around it: its element has its own."""
    start = _LEADING.match(text)
    rest = text[start.end() :] if start else text
    end = _TRAILING.match(rest[::-1])
    around = len(rest) - end.end() if end else len(rest)
    before, after = text[: len(text) - len(rest)], rest[around:]
    return f"{before.replace(BREAK, '')}{rest[:around]}{after.replace(BREAK, '')}"


def _element(tag: HtmlTag, values: Mapping[str, str], opening: str, inner: str, indent: str) -> str:
    """Return the markdown for an element; as many lines end in it as in the source."""
    stripped = inner.strip()
    first = len(inner) - len(inner.lstrip())
    before, after = inner[:first].count("\n"), inner[len(inner.rstrip()) :].count("\n")
    if not stripped:
        before, after = inner.count("\n"), 0
    text = _dedented(inner[inner.rfind("\n", 0, first) + 1 :].rstrip(), indent)
    if tag.name in _HEADINGS and "\n" not in stripped:
        anchor = f" {{#{values['id']}}}" if "id" in values else ""
        return f"{'#' * _HEADINGS[tag.name]} {stripped}{anchor}{BREAK}" + "\n" * (before + after)
    if tag.name == "p" and not any(name in values for name in _KEPT):
        return f"{BREAK}{text}{BREAK}{indent}" + "\n" * (before + after)
    name = "div" if tag.name == "p" else tag.name
    opening = opening.replace("<p", "<div", 1) if tag.name == "p" else opening
    start = f"{opening}{BREAK}" + ("\n" * before or BREAK)
    end = ("\n" * after or BREAK) + f"{BREAK}{indent}</{name}>{BREAK}{indent}"
    return f"{start}{text}{end}"


def _dedented(text: str, indent: str) -> str:
    """Return the lines of a text with the indentation of its element in place of their own."""
    lines = text.split("\n")
    full = [line for line in lines if line.strip()]
    # The first line may begin behind the opening tag.
    common = min((len(line) - len(line.lstrip(" \t")) for line in full[1:] or full), default=0)
    widths = (min(common, len(line) - len(line.lstrip(" \t"))) for line in lines)
    pairs = zip(lines, widths, strict=True)
    return "\n".join(indent + line[width:] if line.strip() else "" for line, width in pairs)
