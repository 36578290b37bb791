"""HTML of an export as markdown: what a page shows of it, and with its own links.

The converter is html-to-markdown, of the extra `import`.
"""

import re
from collections.abc import Callable
from html import escape
from importlib.util import find_spec

from knowledge.markdown.raw_html import tags, text_of, with_links

_PACKAGES = ("html_to_markdown", "defusedxml")


def has_converter() -> bool:
    """Return whether the packages are installed that exports need."""
    return all(map(find_spec, _PACKAGES))


_KEPT = ("audio", "details", "kbd", "mark", "sub", "sup", "video")
"""Tags that markdown has no sign for, and that pages show."""

_FRAME = re.compile(r"<(?:iframe|embed)\b[^>]{0,2000}>", re.IGNORECASE)
_LINKED = frozenset(("a", "img", "audio", "video", "source", "iframe", "embed"))
_CAPTION = re.compile(r"(<figcaption\b[^>]{0,500}>)(.{0,5000}?)(</figcaption>)", re.DOTALL)
_EMPHASIS = re.compile(r"</?(?:em|i)\b[^>]{0,200}>", re.IGNORECASE)
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
        if tag.name in _LINKED and not tag.is_closing:
            parts += [html[end : tag.start], with_links(html[tag.start : tag.end], rewrite)]
            end = tag.end
    linked = _FRAME.sub(lambda match: _link_of(match[0]), "".join([*parts, html[end:]]))
    # a caption is emphasised as a whole
    plain = _CAPTION.sub(lambda match: match[1] + _EMPHASIS.sub("", match[2]) + match[3], linked)
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


def _link_of(frame: str) -> str:
    """Return a link to what a frame shows; pages have no frames."""
    source = next(tags(frame)).values().get("src", "")
    if source.startswith("//"):
        source = f"https:{source}"
    address = _VIDEO.sub(r"https://www.youtube.com/watch?v=\1", source)
    shown = escape(address)
    return f'<p><a href="{shown}">{shown}</a></p>' if address.startswith("http") else ""


_BLOCK = re.compile(
    r"\s*</?(?:address|article|aside|audio|blockquote|details|div|dl|dt|dd|fieldset|figcaption|"
    r"figure|footer|form|h[1-6]|header|hr|iframe|li|main|nav|ol|p|pre|section|summary|table|"
    r"tbody|td|tfoot|th|thead|tr|ul|video|!--)\b",
    re.IGNORECASE,
)
_PRE = re.compile(r"(<(?:pre|script|style)\b.*?</(?:pre|script|style)>)", re.DOTALL | re.IGNORECASE)


def with_paragraphs(html: str) -> str:
    r"""Return HTML of the classic editor with the paragraphs that its blank lines mean.

    >>> with_paragraphs("One\nline\n\n<h2>B</h2>\nText")
    '<p>One<br>\nline</p>\n\n<h2>B</h2>\n\n<p>Text</p>'
    """
    parts = _PRE.split(html.replace("\r\n", "\n"))
    blocks: list[str] = []
    for number, part in enumerate(parts):
        if number % 2:
            blocks.append(part)
            continue
        for chunk in part.split("\n\n"):
            lines: list[str] = []
            for line in chunk.strip("\n").split("\n"):
                if _BLOCK.match(line):
                    blocks += [*_paragraph(lines), line]
                    lines = []
                else:
                    lines.append(line)
            blocks += _paragraph(lines)
    return "\n\n".join(blocks)


def _paragraph(lines: list[str]) -> list[str]:
    text = "<br>\n".join(lines)
    return [f"<p>{text}</p>"] if text.strip() else []


def plain_text(html: str) -> str:
    """Return the text of HTML on one line."""
    return " ".join(text_of(html).split())
