"""MDX, JSX and Vue: imports, components and expressions; what is markdown in them stays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from re import Match

from knowledge.markdown.generator_syntax.source import BREAK, BodySource, image, link, media, url

_MODULE = re.compile(
    r"^(?:import\s++(?:(?:(?<=\s\s\s)"
    r"|(?!import\s)[\w{},*$](?:(?!^import\s)[\w{},*\s$]){0,999}?\s)from\s++)?"
    r"['\"][^'\"\n]+['\"];?[ \t]*$"
    r"|export\s+(?:const|let|var|default|function|async|class|\{|\*)[^\n]*)",
    re.MULTILINE,
)
_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_LITERAL = re.compile(r"\{\s*(?:\"([^\"\n{}]*)\"|'([^'\n{}]*)'|`([^`\n${}]*)`)\s*\}")
_TITLES = ("title", "label", "summary", "heading", "header")
_TARGETS = ("href", "to", "link", "url")
_LINKS = frozenset(
    {"A", "Link", "NavLink", "DocsLink", "LinkButton", "Button", "RouterLink", "Anchor"}
)
_PICTURES = re.compile(r"image|img|picture|figure|screenshot|diagram", re.IGNORECASE)
_BLOCKS = "blockquote|dd|details|div|figcaption|figure|li|section|summary|td"
_TAG_LINE = re.compile(
    rf"^[ \t]*+</?(?:{_BLOCKS})\b(?:[^<>\n]*+|[^\n]*</(?:{_BLOCKS}))>[ \t]*\n(?=[ \t]*+[^\s<])",
    re.MULTILINE,
)
"""A line of tags before one of text: in MDX no tag makes the lines after it raw HTML."""
_PARAGRAPH = re.compile(
    r"^[ \t]*+<p>[ \t]*$(?P<lines>(?:\n(?![ \t]*+</?p\b)[^\n]*+)++)\n[ \t]*+</p>[ \t]*$",
    re.MULTILINE,
)
_HTML_NAMES = {"className": "class", "htmlFor": "for"}

Replacement = tuple[int, int, str]


def read_components(source: BodySource) -> None:
    """Replace the tags of components by the text that they show, and remove modules."""
    if not (source.is_mdx or "<" in source.text or "port " in source.text):
        return
    source.rewrite(_modules(source))
    _dedent(source)
    reader = TagReader(source.text)
    tags = list(reader.tags())
    if source.is_mdx or "<>" in source.text:
        tags = sorted((*tags, *reader.fragments()), key=attrgetter("start"))
    paired = _paired(tags)
    components = ((tag, _component(source, tag, paired)) for tag in tags)
    source.rewrite((tag.start, tag.end, new) for tag, new in components if new is not None)
    if source.is_mdx:
        source.rewrite(_expressions(source))
        source.substitute(_PARAGRAPH, lambda match: f"{match['lines']}\n")
        source.substitute(_TAG_LINE, lambda match: f"{match[0].rstrip()}{BREAK}\n")


def _modules(source: BodySource) -> Iterator[Replacement]:
    """Yield the imports and exports; those of several lines end with their last brace."""
    braces = TagReader(source.text)
    end = 0
    for match in _MODULE.finditer(source.text):
        if match.start() < end:
            continue
        end = match.end()
        if match[0].startswith("export"):
            end = _export_end(source.text, braces.closing_braces, match)
        yield match.start(), end, ""


def _export_end(text: str, closing_braces: Mapping[int, int], match: Match[str]) -> int:
    """Return the end of an export: braces are closed, then the statement ends."""
    position, end = match.start(), match.end()
    while (opened := text.find("{", position, _line_end(text, end))) >= 0:
        position = closing_braces.get(opened, opened + 1)
        end = max(end, position)
    return _statement_end(text, end)


def _statement_end(text: str, position: int) -> int:
    """Return the end of a statement that goes on to the next blank line or semicolon."""
    end = _line_end(text, position)
    while end < len(text) and not text[max(0, end - 80) : end].rstrip().endswith((";", "}")):
        following = _line_end(text, end + 1)
        if not text[end + 1 : following].strip():
            break
        end = following
    return end


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def _dedent(source: BodySource) -> None:
    """Take the indentation from what is inside a component: in markdown it would be code."""
    tags = {tag.start: tag for tag in TagReader(source.text).tags()}
    if tags and (source.is_mdx or any(tag.is_component for tag in tags.values())):
        source.text = "".join(_dedented(source, tags))


def _dedented(source: BodySource, tags: dict[int, JsxTag]) -> Iterator[str]:
    opened: list[_OpenTag] = []
    position = inside_until = 0
    for line in _LINES.findall(source.text):
        text = line.lstrip(" \t")
        width = len(line) - len(text)
        tag = tags.get(position + width)
        if tag is not None and not (source.is_mdx or tag.is_component):
            tag = None
        if not text.strip() or position < inside_until:
            shift = opened[-1].shift if opened and text.strip() else 0
        elif tag is not None and tag.is_closing:
            shift = _close(opened, tag.name, width)
        else:
            shift = opened[-1].shift_of(width) if opened else 0
        yield line[min(shift, width) :] if shift > 0 else line
        if tag is not None:
            end_of_line = _line_end(source.text, tag.end)
            is_closed = source.text.find(f"</{tag.name}", tag.end, end_of_line) >= 0
            if not (tag.is_closing or tag.is_empty or is_closed):
                opened.append(_OpenTag(tag.name, width, shift))
            inside_until = max(inside_until, tag.end)
        position += len(line)


class _OpenTag:
    """An open tag that begins a line: its indentation, and how far what it holds is moved."""

    def __init__(self, name: str, width: int, shift: int) -> None:
        self.name = name
        self.width = width
        self.outer_shift = shift
        self.shift = shift
        self._is_empty = True

    def shift_of(self, width: int) -> int:
        """Return how far a line inside is moved; the first one decides."""
        if self._is_empty:
            self._is_empty = False
            self.shift = self.outer_shift + max(0, width - self.width)
        return self.shift


def _close(opened: list[_OpenTag], name: str, width: int) -> int:
    """Close the innermost open tag of a name, and return how far its line is moved."""
    for number in range(len(opened) - 1, max(-1, len(opened) - 9), -1):
        if opened[number].name == name:
            shift = opened[number].outer_shift
            del opened[number:]
            return shift
    return opened[-1].shift if opened else 0


def _paired(tags: Sequence[JsxTag]) -> dict[int, JsxTag]:
    """Return the other tag of each pair by the offset of the one."""
    opened: dict[str, list[JsxTag]] = {}
    pairs: dict[int, JsxTag] = {}
    for tag in tags:
        if tag.is_closing:
            if opened.get(tag.name):
                other = opened[tag.name].pop()
                pairs[other.start], pairs[tag.start] = tag, other
        elif not tag.is_empty:
            opened.setdefault(tag.name, []).append(tag)
    return pairs


def _component(source: BodySource, tag: JsxTag, paired: dict[int, JsxTag]) -> str | None:
    """Return what a tag becomes, None if it stays."""
    other = paired.get(tag.start)
    if not tag.is_component:
        return _element(tag) if tag.has_expression else None
    if not (source.is_mdx or other or tag.is_empty or tag.attributes):
        return None  # a placeholder, or a type, as in Vec<T>
    opening = other if tag.is_closing and other else tag
    target = opening.text_of(*_TARGETS)
    if opening.name in _LINKS and target and other and _is_inline(source.text, opening, other, tag):
        return f"]({url(target)})" if tag.is_closing else "["
    if tag.is_closing:
        return ""
    shown = _shown(tag)
    if shown is None:
        return (
            source.leave_out("JSX", tag.start, source.text[tag.start : tag.end])
            if tag.is_empty
            else ""
        )
    return source.as_paragraph(shown, tag.start)


def _is_inline(text: str, opening: JsxTag, other: JsxTag, tag: JsxTag) -> bool:
    start, end = (opening.end, other.start) if opening is tag else (opening.end, tag.start)
    return end - start < 400 and "\n\n" not in text[start:end] and "[" not in text[start:end]


def _shown(tag: JsxTag) -> str | None:
    """Return the markdown for the attributes of a component, None if they show nothing."""
    title, target = tag.text_of(*_TITLES), tag.text_of(*_TARGETS)
    embedded = media(tag.name, tag.text_of("id", "videoId", "video", "videoid"), title)
    if embedded:
        return embedded
    picture = tag.text_of("src")
    if picture and _PICTURES.search(tag.name):
        return image(tag.text_of("alt", "caption", *_TITLES), picture)
    if not title:
        return link(tag.text_of("text") or target, target) if target and tag.is_empty else None
    shown = f"**{link(title, target) if target else title}**"
    more = tag.text_of("description") if tag.is_empty else ""
    return f"{shown}: {more}" if more else shown


def _element(tag: JsxTag) -> str:
    """Return the tag of an HTML element without its expressions."""
    if tag.is_closing:
        return f"</{tag.name}>"
    attributes = (
        f' {_HTML_NAMES.get(key, key)}="{value}"'
        for key, value in tag.attributes.items()
        if value and '"' not in value
    )
    return f"<{tag.name}{''.join(attributes)}{' /' if tag.is_empty else ''}>"


def _expressions(source: BodySource) -> Iterator[Replacement]:
    """Yield the expressions in braces of MDX; a string is its text, others are left out."""
    closing = TagReader(source.text).closing_braces
    end = 0
    for start in sorted(closing):
        if start < end or source.text.startswith("{#", start):
            continue
        end = closing[start]
        literal = _LITERAL.fullmatch(source.text[start:end])
        if literal:
            yield start, end, literal[1] or literal[2] or literal[3] or ""
        else:
            yield start, end, source.leave_out("JSX", start, source.text[start:end])


_START = re.compile(r"(?<![\\{])<(?P<close>/?)(?P<name>[A-Za-z][\w.-]*)(?=\s|/?>)")
_FRAGMENT = re.compile(r"(?<![\w\\])</?>")
_ATTRIBUTE = re.compile(
    r"\s*(?P<key>[@:#\w.-]+)"
    r"(?:\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<brace>\{)|(?P<bare>[^\s\"'<>{}`]+)))?"
)
_SPREAD = re.compile(r"\s*\{")
_END = re.compile(r"\s*(?P<slash>/?)>")
_STRING = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'|`([^`$\n]*)`")
_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class JsxTag:
    """One tag; `attributes` are those with a plain text."""

    start: int
    end: int
    name: str
    is_closing: bool
    is_empty: bool
    attributes: Mapping[str, str]
    has_expression: bool = False

    @property
    def is_component(self) -> bool:
        """Return whether it is no HTML element: it has a capital, a dot, or no name."""
        return not self.name or self.name[0].isupper() or "." in self.name

    def text_of(self, *names: str) -> str:
        """Return the first attribute of some that has a text."""
        return next((self.attributes[name] for name in names if self.attributes.get(name)), "")


class TagReader:
    """Finds the tags and the expressions in braces of a text, in linear time."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def closing_braces(self) -> Mapping[int, int]:
        """Return the offset after the closing brace, by the offset of the opening one."""
        found: dict[int, int] = {}
        opened: list[int] = []
        for match in _BRACES.finditer(self._text):
            if match[0] == "{":
                opened.append(match.start())
            elif match[0] == "}" and opened:
                found[opened.pop()] = match.end()
        return found

    def tags(self) -> Iterator[JsxTag]:
        """Yield the tags in order; what does not end as a tag is none."""
        position = 0
        while match := _START.search(self._text, position):
            tag = self._tag(match)
            position = tag.end if tag else match.end()
            if tag:
                yield tag

    def fragments(self) -> Iterator[JsxTag]:
        """Yield the tags without a name, `<>` and `</>`."""
        for match in _FRAGMENT.finditer(self._text):
            yield JsxTag(match.start(), match.end(), "", match[0] == "</>", False, {})

    def _tag(self, start: re.Match[str]) -> JsxTag | None:
        attributes: dict[str, str] = {}
        position, has_expression = start.end(), False
        while True:
            end = _END.match(self._text, position)
            if end:
                return JsxTag(
                    start.start(),
                    end.end(),
                    start["name"],
                    bool(start["close"]),
                    bool(end["slash"]),
                    attributes,
                    has_expression,
                )
            spread = _SPREAD.match(self._text, position)
            attribute = None if spread else _ATTRIBUTE.match(self._text, position)
            if spread or (attribute and attribute["brace"]):
                has_expression = True
                opened = (
                    spread.end() - 1 if spread else attribute.start("brace") if attribute else 0
                )
                closed = self.closing_braces.get(opened)
                if closed is None:
                    return None
                if attribute:
                    attributes[attribute["key"]] = _only_string(self._text[opened:closed])
                position = closed
            elif attribute:
                values = (attribute["double"], attribute["single"], attribute["bare"])
                attributes[attribute["key"]] = next((v for v in values if v is not None), "")
                position = attribute.end()
            else:
                return None


def _only_string(expression: str) -> str:
    """Return the string in an expression, as in `require("./a.png").default`, if it has just one.

    >>> _only_string("{useBaseUrl('/a.png')}"), _only_string("{[1, 2]}")
    ('/a.png', '')
    """
    if len(expression) > 500:
        return ""
    found = _STRING.findall(expression)
    return "".join(found[0]) if len(found) == 1 else ""
