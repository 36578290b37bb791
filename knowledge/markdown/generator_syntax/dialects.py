"""Markdown dialects of MkDocs, Obsidian, VitePress and VuePress."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from re import Match

from knowledge.fields.file_types import ASSET_TYPES, DOWNLOAD_TYPES
from knowledge.markdown.generator_syntax.source import BREAK, BodySource, image, is_size, link

_UNFIT = re.compile(r"[^\w.:-]")


def read_containers(source: BodySource) -> None:
    """Turn admonitions into call-outs, and tabs into their text below a bold title."""
    if "!!!" in source.text or "???" in source.text or "===" in source.text:
        lines = source.text.split("\n")
        source.text = "\n".join(_contained(lines))


_SNIPPET = re.compile(r"^[ \t]*(?:-{1,2}8<-{1,2})[^\n]*$", re.MULTILINE)
_SNIPPET_BLOCK = re.compile(
    r"^[ \t]*-{1,2}8<-{1,2}[ \t]*\n(?:[^\S\n]*+\S[^\n]*+\n){1,20}?[ \t]*-{1,2}8<-{1,2}[ \t]*$",
    re.MULTILINE,
)
_ATTRIBUTE = r"(?:\.[\w:-]+|#[^\s{}]+|[\w:-]+=(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s}\"']+))"
_LIST = rf"\{{[ \t]*{_ATTRIBUTE}(?:[ \t]+{_ATTRIBUTE})*[ \t]*\}}"
_HEADING = re.compile(
    rf"^(?P<heading>[ \t]{{0,3}}\#{{1,6}}[ \t][^\n{{]*+)(?P<list>{_LIST})[ \t]*+(?:\#++[ \t]*+)?$",
    re.MULTILINE,
)

_DOCSTRINGS = re.compile(
    r"^:::[ \t]+\w+(?:\.\w+)+[ \t]*$(?:\n(?:[ \t]+[^\n]*)?(?=\n|\Z))*", re.MULTILINE
)
_ATTRIBUTES = re.compile(
    rf"(?<=[)\]*_;])[ \t]?{_LIST}|^[ \t]*{_LIST}[ \t]*$|(?<=:)[ \t]?{_LIST}", re.MULTILINE
)

_ICON_NAME = r":(?:material|fontawesome|octicons|simple|twemoji)-[\w-]+:"
_ICON = re.compile(rf"(?<=\s){_ICON_NAME}(?:\{{[^{{}}\n]*+\}})?(?:[ \t]|&nbsp;)*+|{_ICON_NAME}")
"""An icon with the spaces behind it: more than one would end the item of a list."""

_KEYS = re.compile(r"(?<![+\w])\+\+([\w-]+(?:\+[\w\"-]+)*)\+\+(?![+\w])")
_INSERTED = re.compile(r"(?<!\^)\^\^(?=\S)([^^\n]+)(?<=\S)\^\^(?!\^)")
_ANNOTATION = re.compile(r"\((\d+)\)!")


def read_attributes(source: BodySource) -> None:
    """Remove attribute lists, `{ .class }`, but the id of a heading; and what else is for looks."""
    text = source.text
    if "8<" in text:
        source.substitute(_SNIPPET_BLOCK, partial(_left_out, source, "MkDocs"))
        source.substitute(_SNIPPET, partial(_left_out, source, "MkDocs"))
    if "::: " in text:
        source.substitute(_DOCSTRINGS, partial(_left_out, source, "MkDocs"))
    if "{" in text:
        source.substitute(_ATTRIBUTES, partial(_attributes, source))
        source.substitute(_HEADING, _heading)
    if ":" in text:
        source.substitute(_ICON, lambda _: "")
    if "++" in text:
        source.substitute(_KEYS, lambda match: match[1].replace('"', "").title())
    if "^^" in text:
        source.substitute(_INSERTED, lambda match: match[1])
    if ")!" in text and "annotate" in text:
        source.substitute(_ANNOTATION, lambda match: f"({match[1]})")


_ID = re.compile(r"#([^\s{}]+)")

_OWN_ID = re.compile(r"[ \t]?\{#[\w.:-]+\}")
_HEADING_LINE = re.compile(r"[ \t]{0,3}#{1,6}[ \t]")
_UNDERLINE = re.compile(r"[ \t]{0,9}\n[ \t]{0,3}(?:=++|-++)[ \t]*+$", re.MULTILINE)


def _attributes(source: BodySource, match: Match[str]) -> str | None:
    """Remove a list of attributes, but that of a heading; name an id, to which links may lead."""
    text, start = match.string, match.string.rfind("\n", 0, match.start()) + 1
    is_underlined = _OWN_ID.fullmatch(match[0]) and _UNDERLINE.match(text, match.end())
    if is_underlined or _HEADING_LINE.match(text, start):
        return None
    return _left_out(source, "Pandoc", match) if _ID.search(match[0]) else ""


def _left_out(source: BodySource, dialect: str, match: Match[str]) -> str:
    return source.leave_out(dialect, match.start(), match[0])


def _heading(match: Match[str]) -> str:
    anchor = _ID.search(match["list"])
    heading = match["heading"].rstrip()
    return f"{heading} {{#{_UNFIT.sub('-', anchor[1])}}}" if anchor else heading


_CONTAINER = re.compile(
    r"(?P<indent>[ \t]*)(?:(?P<mark>!!!|\?\?\?\+?)[ \t]*+(?P<kind>[\w-]++)?(?:[ \t]++[\w-]++)*"
    r"|===[+!]{0,2})[ \t]*+(?:\"(?P<title>[^\n]*)\"[ \t]*+)?"
)

_MAX_NESTING = 8


def _contained(lines: Sequence[str], nesting: int = 1) -> Iterator[str]:
    """Yield lines; the indented ones below the head of a container are read as its content."""
    position = 0
    while position < len(lines):
        line = lines[position]
        head = _CONTAINER.fullmatch(line) if nesting <= _MAX_NESTING else None
        if head is None or not (head["kind"] or head["title"] is not None):
            yield line
            position += 1
            continue
        end = _end(lines, position + 1, _width(head["indent"]) + 4)
        inner = [_dedented(each, _width(head["indent"]) + 4) for each in lines[position + 1 : end]]
        yield from _container(head, list(_contained(inner, nesting + 1)))
        position = end


_SELF_NAMED = frozenset({"note", "tip", "important", "warning", "caution"})


_KINDS = {
    "NOTE": "note abstract summary tldr info todo question help faq example snippet quote cite",
    "TIP": "tip hint success check done",
    "IMPORTANT": "important",
    "WARNING": "warning attention",
    "CAUTION": "caution danger error failure fail missing bug",
}
_CALL_OUTS = {word: kind for kind, words in _KINDS.items() for word in words.split()}


def _container(head: Match[str], inner: Sequence[str]) -> Iterator[str]:
    indent = head["indent"]
    if head["mark"] is None:
        yield f"{indent}**{head['title']}**{BREAK}" if inner else f"{indent}**{head['title']}**"
        for line in inner:
            yield _prefixed(indent, line) if line else line
        return
    kind = (head["kind"] or "note").lower()
    title = (
        kind.capitalize() if head["title"] is None and kind not in _SELF_NAMED else head["title"]
    )
    yield f"{indent}> [!{_CALL_OUTS.get(kind, 'NOTE')}] {title or ''}".rstrip()
    end = next((number for number in range(len(inner), 0, -1) if inner[number - 1].strip()), 0)
    for line in inner[:end]:
        yield _prefixed(f"{indent}> ", line)
    yield from [""] * (len(inner) - end)


def _prefixed(prefix: str, line: str) -> str:
    """Put a prefix before a line, and before the lines inserted after it."""
    first, *inserted = line.split("\n")
    return "\n".join([(prefix + first).rstrip(), *((prefix + each).rstrip() for each in inserted)])


def _end(lines: Sequence[str], start: int, indent: int) -> int:
    """Return the number of the first line that is not indented, without blank lines before it."""
    end = start
    for number in range(start, len(lines)):
        line = lines[number]
        if line.strip():
            if _width(line[: len(line) - len(line.lstrip())]) < indent:
                break
            end = number + 1
    return end


def _width(indent: str) -> int:
    return len(indent.expandtabs(4))


def _dedented(line: str, indent: int) -> str:
    text = line.lstrip()
    width = _width(line[: len(line) - len(text)])
    return " " * (width - indent) + text if text else ""


_WIKILINK = re.compile(
    r"(?P<embed>!?)\[\["
    r"(?P<target>[^\[\]\n|\s](?:[^\[\]\n|]*[^\[\]\n|\s\\][ \t]*)?|\#[^\[\]\n|]+)"
    r"(?:\\?\|(?P<text>[^\[\]\n]*))?\]\](?![(\[])"
)
_CONTENTS = re.compile(r"\[?\[_?toc_?\]\]?", re.IGNORECASE)
_BLOCK_ID = re.compile(r"(?:(?<=[ \t])|^)\^(?=[\w-]{4,}[ \t]*$)[A-Za-z0-9-]+[ \t]*$", re.MULTILINE)
_MARKED = re.compile(r"(?<![=\w])==(?=[^\s=])([^=\n]+)(?<=[^\s=])==(?![=\w])")


def read_obsidian(source: BodySource) -> None:
    """Replace wikilinks and embeds; remove block ids and the signs of marked text."""
    if "[[" in source.text:
        source.substitute(_WIKILINK, partial(_wikilink, source))
    if "^" in source.text:
        source.substitute(_BLOCK_ID, lambda _: "")
    if "==" in source.text:
        source.substitute(_MARKED, lambda match: match[1])


_VIEWS = (".base", ".canvas")
"""Files of Obsidian that show other notes."""


def _wikilink(source: BodySource, match: Match[str]) -> str | None:
    target, text = match["target"].strip(), (match["text"] or "").strip()
    if _CONTENTS.fullmatch(f"[{target}]"):
        return None
    page, _, heading = target.partition("#")
    heading = heading.rpartition("#")[2]
    suffix = page[page.rfind(".") :].lower() if "." in page else ""
    if match["embed"] and suffix in ASSET_TYPES and suffix not in DOWNLOAD_TYPES:
        stem = page.rpartition("/")[2].rpartition(".")[0]
        return image(stem if not text or is_size(text) else text, page)
    if suffix in _VIEWS:
        return _left_out(source, "Obsidian", match)
    fragment = f"#{heading}" if heading and not heading.startswith("^") else ""
    shown = text or " > ".join(filter(None, (page, heading.lstrip("^"))))
    return link(shown, page + fragment if page or fragment else "#")


_VUE_CONTENTS = re.compile(
    r"^[ \t]*(?:\[\[_?toc_?\]\]|\[toc\])[ \t]*$", re.MULTILINE | re.IGNORECASE
)
_INCLUDED = re.compile(
    r"^[ \t]*(?:@\[[\w-][^\]\n]*+\]\([^)\n]*+\)|<<<[ \t]*[@./\w][^\n]*)$", re.MULTILINE
)
_FENCE = re.compile(r"^[ \t]*:{3,}[ \t]*(?P<name>[^\s\[{]*)[ \t]*(?P<title>[^\n]*)$", re.MULTILINE)
_BRACED = re.compile(
    r"^([ \t]*:{3,})[ \t]*\{(note|tip|hint|important|warning|attention|caution|danger|error)\}",
    re.MULTILINE | re.IGNORECASE,
)
"""A call-out as MyST writes it."""

_DETAILS = "details"
_WRAPPERS = frozenset(
    {"card", "cards", "code-group", "codetabs", "fields", "raw", "steps", "tab", "tabs", "v-pre"}
)
"""Containers whose content says all that they do."""


def read_vue(source: BodySource) -> None:
    """Leave out what these generators put in when they build a page."""
    if "[" in source.text:
        source.substitute(_VUE_CONTENTS, lambda _: "")
    if "@[" in source.text or "<<<" in source.text:
        source.substitute(_INCLUDED, partial(_left_out, source, "VitePress"))
    if ":::" in source.text:
        source.substitute(_BRACED, lambda match: f"{match[1]}{match[2]}")
        source.rewrite(_containers(source.text))


def _containers(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the lines that open and close a wrapper, with its title in bold, and details."""
    opened: list[str] = []
    for fence in _FENCE.finditer(text):
        if fence["name"] or fence["title"]:
            opened.append(fence["name"])
            title = fence["title"].strip()
            if fence["name"] == _DETAILS:
                summary = f"<summary>{title or _DETAILS.capitalize()}</summary>"
                yield fence.start(), fence.end(), f"<details>{BREAK}{summary}{BREAK}"
            elif fence["name"] in _WRAPPERS:
                shown = f"**{title}**{BREAK}" if title and fence["name"] == "tab" else ""
                yield fence.start(), fence.end(), shown
        elif opened:
            name = opened.pop()
            if name == _DETAILS:
                yield fence.start(), fence.end(), f"{BREAK}</details>{BREAK}"
            elif name in _WRAPPERS:
                yield fence.start(), fence.end(), ""
