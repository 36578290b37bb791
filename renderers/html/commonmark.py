"""CommonMark → HTML: what authors write in sections and posts. Raw HTML is shown, not obeyed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

import mistune
from markupsafe import Markup, escape
from mistune.core import BlockState

from knowledge.content_path import slugify
from knowledge.inline import plain_text
from knowledge.locale import Language
from knowledge.markdown import markdown_parser
from knowledge.memoize import text_cache
from renderers.html.bidi import detect_language, isolate_ltr

Token = dict[str, Any]

SCHEMES = frozenset({"http", "https", "mailto", "tel"})
"""A link with any other scheme is shown as its text alone."""

_ADDRESSES = ("tel:", "mailto:")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_INVISIBLE = re.compile(r"[\x00-\x20\x7f-\x9f\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]")
_SENTENCE_END = re.compile(r"[.!?؟:]\s*$")
_TERM_END = re.compile(r"^\s*[:：،,–—-]\s*")


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """How a text is set: its highest heading, ids on headings, what a table is called aloud."""

    top: int = 2
    anchors: bool = False
    table_label: str = "Table"


_PLAIN = RenderOptions()


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a list: its leading bold words, and the rest."""

    term: Markup
    text: Markup


@dataclass(frozen=True, slots=True)
class ItemList:
    """A list taken apart, and what the author wrote around it."""

    before: Markup
    items: tuple[Item, ...]
    after: Markup


@dataclass(frozen=True, slots=True)
class CallToAction:
    """A text, and the link that closes it; without one the link stays within the text."""

    text: Markup
    label: Markup | None = None
    href: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """The first picture of a text, and the rest as its caption."""

    image: Markup
    caption: Markup


def safe_href(target: str) -> str | None:
    r"""A link's target where it may stand on a page, else None.

    >>> safe_href("/contact"), safe_href("https://a.test"), safe_href("Java\tscript:x()")
    ('/contact', 'https://a.test', None)
    """
    bare = _INVISIBLE.sub("", unquote(target))
    scheme = _SCHEME.match(bare)
    if scheme and scheme[1].lower() not in SCHEMES:
        return None
    return target


def is_external(target: str) -> bool:
    """Whether a target leads to another site."""
    return target.lower().startswith(("http://", "https://", "//"))


class _Html(mistune.HTMLRenderer):
    """mistune's renderer, made safe, reachable by keyboard and fit for both directions."""

    def __init__(self, options: RenderOptions) -> None:
        super().__init__(escape=True)
        self._manner = options
        self._taken: dict[str, int] = {}

    def text(self, text: str) -> str:
        return str(isolate_ltr(text))

    def heading(self, text: str, level: int, **attrs: Any) -> str:
        level = min(6, max(self._manner.top, level))
        anchor = f' id="{self._anchor(text)}"' if self._manner.anchors else ""
        return f"<h{level}{anchor}>{text}</h{level}>\n"

    def _anchor(self, text: str) -> str:
        base = slugify(_plain(text)) or "section"
        anchor, number = base, self._taken.get(base, 1)
        while anchor in self._taken:
            number += 1
            anchor = f"{base}-{number}"
        self._taken[base] = number
        self._taken.setdefault(anchor, 1)
        return str(escape(anchor))

    def link(self, text: str, url: str, title: str | None = None) -> str:
        target = safe_href(url)
        if target is None:
            return text
        attributes = Markup(' href="{}"').format(target)
        if title:
            attributes += Markup(' title="{}"').format(title)
        if is_external(target):
            attributes += Markup(' rel="noopener"')
        if target.lower().startswith(_ADDRESSES) and _is_latin(text):
            text = f'<bdi dir="ltr">{text}</bdi>'
        return f"<a{attributes}>{text}</a>"

    def image(self, text: str, url: str, title: str | None = None) -> str:
        target = safe_href(url)
        alt = _plain(text)
        if target is None:
            return str(escape(alt))
        attributes = Markup(' src="{}" alt="{}"').format(target, alt)
        if title:
            attributes += Markup(' title="{}"').format(title)
        return f'<img{attributes} loading="lazy" decoding="async">'

    def codespan(self, text: str) -> str:
        return f'<code dir="ltr">{escape(text)}</code>'

    def block_code(self, code: str, info: str | None = None) -> str:
        return f'<pre dir="ltr" tabindex="0"><code>{escape(code)}</code></pre>\n'

    def table(self, text: str) -> str:
        label = Markup(' role="group" aria-label="{}"').format(self._manner.table_label)
        return f'<div class="scroll" tabindex="0"{label}><table>\n{text}</table></div>\n'

    def table_head(self, text: str) -> str:
        return f"<thead>\n<tr>\n{text}</tr>\n</thead>\n"

    def table_body(self, text: str) -> str:
        return f"<tbody>\n{text}</tbody>\n"

    def table_row(self, text: str) -> str:
        return f"<tr>\n{text}</tr>\n"

    def table_cell(self, text: str, align: str | None = None, head: bool = False) -> str:
        # A style attribute would be refused by the page's own security policy.
        numeric = ' class="number"' if align == "right" else ""
        if head:
            return f'<th scope="col"{numeric}>{text}</th>\n'
        return f"<td{numeric}>{text}</td>\n"


def _plain(html: str) -> str:
    """The words of a rendered text; it is escaped again wherever they are set."""
    return Markup(html).striptags()  # noqa: S704, as the result is plain text


def _is_latin(text: str) -> bool:
    """Whether a link's words read from left to right, and nothing says so yet."""
    return "<bdi" not in text and detect_language(text, Language.EN) is Language.EN


_PARSER = markdown_parser()


@text_cache
def render_markdown(text: str, options: RenderOptions = _PLAIN) -> Markup:
    r"""A text as HTML.

    >>> render_markdown("# Hours <b>")
    Markup('<h2>Hours &lt;b&gt;</h2>\n')
    """
    tokens, state = _tokens(text)
    return _rendered(tokens, state, options)


def _tokens(text: str) -> tuple[Sequence[Token], BlockState]:
    tokens, state = _PARSER.parse(text)
    return (tokens if isinstance(tokens, list) else []), state


def _rendered(tokens: Sequence[Token], state: BlockState, options: RenderOptions) -> Markup:
    # Every value in it went through `escape` above.
    return Markup(_Html(options)(tokens, state))  # noqa: S704


@text_cache
def item_list(text: str, options: RenderOptions = _PLAIN) -> ItemList | None:
    """The first list of a text taken apart; None where there is none."""
    tokens, state = _tokens(text)
    place = next((at for at, each in enumerate(tokens) if each["type"] == "list"), None)
    if place is None:
        return None
    return ItemList(
        before=_rendered(tokens[:place], state, options),
        items=tuple(_item(each, state, options) for each in tokens[place]["children"]),
        after=_rendered(tokens[place + 1 :], state, options),
    )


def _item(token: Token, state: BlockState, options: RenderOptions) -> Item:
    blocks: list[Token] = token["children"]
    words: list[Token] = blocks[0].get("children", []) if blocks else []
    if not words or words[0]["type"] != "strong":
        return Item(Markup(), _rendered(blocks, state, options))
    rest = _without_mark(words[1:])
    first = {**blocks[0], "type": "block_text", "children": rest}
    return Item(
        term=_rendered(words[0]["children"], state, options),
        text=_rendered([first, *blocks[1:]], state, options),
    )


def _without_mark(words: Sequence[Token]) -> list[Token]:
    """The words after a term, without the colon between them."""
    if not words or words[0]["type"] != "text":
        return list(words)
    return [{**words[0], "raw": _TERM_END.sub("", words[0]["raw"])}, *words[1:]]


@text_cache
def call_to_action(text: str, options: RenderOptions = _PLAIN) -> CallToAction:
    """A call to action: a link that stands alone after its last sentence becomes the button."""
    tokens, state = _tokens(text)
    blocks = [token for token in tokens if token["type"] != "blank_line"]
    words: list[Token] = blocks[-1].get("children", []) if blocks else []
    if not _closes_with_link(words):
        return CallToAction(_rendered(tokens, state, options))
    link = words[-1]
    target = safe_href(link["attrs"]["url"])
    if target is None:
        return CallToAction(_rendered(tokens, state, options))
    kept = [{**blocks[-1], "children": words[:-1]}] if words[:-1] else []
    return CallToAction(
        text=_rendered([*blocks[:-1], *kept], state, options),
        label=_rendered(link["children"], state, options),
        href=target,
    )


def _closes_with_link(words: Sequence[Token]) -> bool:
    if not words or words[-1]["type"] != "link":
        return False
    before = "".join(_words(words[:-1]))
    return not before.strip() or bool(_SENTENCE_END.search(before))


def _words(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        yield token.get("raw", "")
        yield from _words(token.get("children", ()))


@text_cache
def figure(text: str, options: RenderOptions = _PLAIN) -> Figure | None:
    """A text that opens with a picture, taken apart; None where it does not."""
    tokens, state = _tokens(text)
    blocks = [token for token in tokens if token["type"] != "blank_line"]
    words: list[Token] = blocks[0].get("children", []) if blocks else []
    if not words or words[0]["type"] != "image":
        return None
    rest = [{**blocks[0], "children": words[1:]}] if words[1:] else []
    return Figure(
        image=_rendered(words[:1], state, options),
        caption=_rendered([*rest, *blocks[1:]], state, options),
    )


def paragraphs(text: str) -> list[str]:
    """The plain paragraphs of a text that may hold some markup."""
    return [plain_text(each) for each in re.split(r"\n\s*\n", text) if each.strip()]
