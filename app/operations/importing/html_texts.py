"""HTML of an export as markdown: what a page shows of it, and with its own links.

The converter is html-to-markdown, of the extra `import`.
"""

import re
from collections.abc import Callable, Collection, Iterator
from html import escape
from importlib.util import find_spec

from knowledge.markdown.raw_html import HtmlTag, tags, text_of, with_links

_PACKAGES = ("html_to_markdown", "defusedxml")


def has_converter() -> bool:
    """Return whether the packages are installed that exports need."""
    return all(map(find_spec, _PACKAGES))


_KEPT = ("audio", "details", "kbd", "mark", "sub", "sup", "video")
"""Tags that markdown has no sign for, and that pages show."""

_LINKED = frozenset(("a", "img", "audio", "video", "source"))
_FRAMES = frozenset(("iframe", "embed"))
_EMPHASIS = re.compile(r"</?(?:em|i)(?:\s[^<>]*+)?>", re.IGNORECASE)
_ESCAPED = re.compile(
    r"(?P<code>```.*?```|`[^`\n]*`)|(?P<url>https?://[^\s<>()]+)"
    r"|(?<=\w)\\(?P<sign>[-+=&]|\.(?=\w))",
    re.DOTALL,
)
"""Code, addresses, and signs that mean nothing within a word, which the converter escapes."""

_VIDEO = re.compile(r"^https://(?:www\.)?youtube(?:-nocookie)?\.com/embed/([\w-]{6,20}).*")


def markdown_of(html: str, rewrite: Callable[[str], str]) -> str:
    """Return HTML as markdown; `rewrite` makes the target of a link or picture."""
    from html_to_markdown import ConversionOptions, convert  # noqa: PLC0415  # of an extra

    parts: list[str] = []
    end = 0
    for tag in tags(html):
        if not tag.is_closing and tag.name in _LINKED | _FRAMES:
            shown = with_links(html[tag.start : tag.end], rewrite)
            parts += [html[end : tag.start], _link_of(tag) if tag.name in _FRAMES else shown]
            end = tag.end
    linked = "".join([*parts, html[end:]])
    plain, end = "", 0
    for opening, closing in elements(linked, ("figcaption",)):  # emphasised as a whole
        caption = _EMPHASIS.sub("", linked[opening.end : closing.start])
        plain += linked[end : opening.end] + caption
        end = closing.start
    plain += linked[end:]
    options = ConversionOptions(
        bullets="-",
        compact_tables=True,
        escape_asterisks=True,
        escape_misc=True,
        escape_underscores=True,
        extract_metadata=False,
        preserve_tags=list(_KEPT),
    )
    text = (convert(plain, options).content or "").strip()
    return _ESCAPED.sub(_without_escapes, text)


def _without_escapes(match: re.Match[str]) -> str:
    if match["url"]:
        return re.sub(r"\\([^\w\s])", r"\1", match["url"])
    return match["code"] or match["sign"]


def _link_of(frame: HtmlTag) -> str:
    """Return a link to what a frame shows; pages have no frames."""
    source = frame.values().get("src", "")
    address = _VIDEO.sub(
        r"https://www.youtube.com/watch?v=\1", f"https:{source}" if source[:2] == "//" else source
    )
    shown = escape(address)
    return f'<p><a href="{shown}">{shown}</a></p>' if address.startswith("http") else ""


def elements(html: str, names: Collection[str]) -> Iterator[tuple[HtmlTag, HtmlTag]]:
    """Yield the outermost elements of some names, by the tags that open and close each."""
    opened: HtmlTag | None = None
    depth = 0
    for tag in tags(html):
        if opened is None and tag.name in names and not tag.is_closing:
            opened, depth = tag, 1
        elif opened is not None and tag.name == opened.name:
            depth += -1 if tag.is_closing else 1
            if depth == 0:
                yield opened, tag
                opened = None


_BLOCK = re.compile(
    r"\s*</?(?:address|article|aside|audio|blockquote|details|div|dl|dt|dd|fieldset|figcaption|"
    r"figure|footer|form|h[1-6]|header|hr|iframe|li|main|nav|ol|p|pre|section|summary|table|"
    r"tbody|td|tfoot|th|thead|tr|ul|video|!--)\b",
    re.IGNORECASE,
)


def with_paragraphs(html: str) -> str:
    r"""Return HTML of the classic editor with the paragraphs that its blank lines mean.

    >>> with_paragraphs("One\nline\n\n<h2>B</h2>\nText")
    '<p>One<br>\nline</p>\n\n<h2>B</h2>\n\n<p>Text</p>'
    """
    html = html.replace("\r\n", "\n")
    blocks: list[str] = []
    end = 0
    for opening, closing in elements(html, ("pre", "script", "style")):
        blocks += [*_blocks(html[end : opening.start]), html[opening.start : closing.end]]
        end = closing.end
    return "\n\n".join([*blocks, *_blocks(html[end:])])


def _blocks(html: str) -> Iterator[str]:
    for chunk in html.split("\n\n"):
        lines: list[str] = []
        for line in chunk.strip("\n").split("\n"):
            if _BLOCK.match(line):
                yield from (*_paragraph(lines), line)
                lines = []
            else:
                lines.append(line)
        yield from _paragraph(lines)


def _paragraph(lines: list[str]) -> list[str]:
    text = "<br>\n".join(lines)
    return [f"<p>{text}</p>"] if text.strip() else []


def plain_text(html: str) -> str:
    """Return the text of HTML on one line."""
    return " ".join(text_of(html).split())
