"""Conversion of CommonMark to HTML, for sections and posts. Raw HTML is cleaned."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle, groupby
from typing import Any
from urllib.parse import unquote

from markupsafe import Markup, escape
from mistune.core import BlockState
from mistune.util import unescape

from knowledge.diagnostics.messages import mark as _
from knowledge.locales.locale import Language
from knowledge.markdown import text_cache
from knowledge.markdown.inline import heading_tokens, title_tokens
from knowledge.markdown.parser import collector_paused, markdown_parser
from knowledge.markdown.raw_html import LINK_SCHEMES, heading_tokens_of, text_of, without_open_end
from knowledge.markdown.slugs import Anchor, Anchors
from renderers.html.extensions import ExtensionHtml
from renderers.html.raw_html import LINKED_HEADING, FlowHtml, MixedHtml
from renderers.l10n.bidi import Direction, detect_language, isolate, isolated, runs_grouped
from renderers.l10n.translation import Translations, translate

Token = dict[str, Any]

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_INVISIBLE = re.compile(r"[\x00-\x20\x7f-\x9f\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]")

_CAPTIONED = re.compile(r'<img ((?:(?! title=")[^>])*+) title="([^"]*+)"([^>]*+)>')
"""An image with a title, and nothing else."""

_RAW_HTML = frozenset(("block_html", "inline_html"))

_UNTOUCHED_TAG = re.compile(r"<(/?)(?:bdi|bdo|code|kbd|pre|samp)\b", re.IGNORECASE)
"""A tag of an element whose text is isolated already or is code."""

_OF_TEXT = frozenset(("text", "softbreak"))
_TAG = re.compile(r"<[^>]*+(?:>|\Z)")

_COLUMNS_OF_PHONES = 4
_LONGEST_WHOLE_WORD = 13
"""Characters of a word that so many columns of a phone have room for."""


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """Options of rendering.

    `top` is the level of the largest heading (2 is `<h2>`). `anchors` adds ids to headings, and
    links to themselves: the ids of `ids`, in order, then ids derived from their texts.
    `language` is that of all labels, and `texts` has them; `direction` is that of the text.
    `image_sizes` tells how wide images are shown, `""` as wide as a column of text.
    """

    top: int = 2
    anchors: bool = False
    ids: tuple[Anchor, ...] = ()
    language: Language = Language.EN
    direction: Direction = "ltr"
    image_sizes: str = ""
    texts: Translations | None = None


_DEFAULT_OPTIONS = RenderOptions()


def safe_href(target: str) -> str | None:
    r"""Return a link's target if its scheme is allowed, else None.

    >>> safe_href("/contact"), safe_href("https://a.test"), safe_href("Java\tscript:x()")
    ('/contact', 'https://a.test', None)
    """
    visible = _INVISIBLE.sub("", unquote(target))
    scheme = _SCHEME.match(visible)
    if scheme and scheme[1].lower() not in LINK_SCHEMES:
        return None
    return target


def is_external(target: str) -> bool:
    """Return whether a target is on another site."""
    return target.lower().startswith(("http://", "https://", "//"))


def is_contact(target: str) -> bool:
    """Return whether a target is an e-mail address or a phone number."""
    return target.lower().startswith(("tel:", "mailto:"))


class _Html(ExtensionHtml):
    """mistune's renderer with safe links, keyboard access and support for both directions."""

    def __init__(self, options: RenderOptions, tokens: Sequence[Token]) -> None:
        super().__init__(options.language)
        self._options = options
        self._tokens = tokens
        self._untouched = 0

    @cached_property
    def _heading_ids(self) -> frozenset[str]:
        titles = title_tokens(list(self._tokens))
        anchors = [title.get("attrs", {}).get("anchor") for title in titles]
        return frozenset(each for anchor in anchors if anchor for each in anchor)

    def render_tokens(self, tokens: Iterable[Token], state: BlockState) -> str:
        tokens = _lines_joined(tokens)
        for token in tokens:  # a loop, as `any` would call a generator for each token of a page
            if token["type"] in _RAW_HTML:
                return self._mixed(tokens, state)
        if not self._untouched:
            tokens = runs_grouped(tokens, self._options.direction)
        return "".join([self.render_token(token, state) for token in tokens])

    def _mixed(self, tokens: Iterable[Token], state: BlockState) -> str:
        """Render siblings of which some are raw HTML."""
        is_inline = any(token["type"] == "inline_html" for token in tokens)
        mixed = MixedHtml(
            is_inline=is_inline, schemes=LINK_SCHEMES, top=self._options.top, ids=self._heading_ids
        )
        for token in tokens:
            if token["type"] in _RAW_HTML:
                self._add_raw(mixed, token)
            else:
                mixed.add_rendered(self.render_token(token, state))
        return mixed.cleaned()

    def _add_raw(self, mixed: MixedHtml, token: Token) -> None:
        """Add raw HTML, whose headings get their ids and the links to themselves."""
        raw, copied = token["raw"], 0
        for tag in _UNTOUCHED_TAG.finditer(raw):
            self._untouched = max(0, self._untouched + (-1 if tag[1] else 1))
        for title in heading_tokens_of(token):
            anchor, heading = title["attrs"].get("anchor"), title["raw_heading"]
            if anchor is not None:
                opened = heading.start + len("<h2")
                mixed.add_raw(f"{raw[copied : heading.start]}<{LINKED_HEADING}>")
                mixed.add_raw(f'{raw[heading.start : opened]} id="{escape(anchor.id)}"')
                mixed.add_raw(raw[opened : heading.end])
                mixed.add_rendered(_other_ids(anchor))
                mixed.add_raw(raw[heading.end : heading.after])
                mixed.add_rendered(_self_link(anchor))
                mixed.add_raw(f"</{LINKED_HEADING}>")
                copied = heading.after
        mixed.add_raw(without_open_end(raw[copied:]))

    def paragraph(self, text: str) -> str:
        if isinstance(text, FlowHtml):
            return f"<div>{text}</div>\n"
        captioned = _CAPTIONED.fullmatch(text) if text.startswith("<img ") else None
        if captioned is not None:
            before, caption, after = captioned.groups()
            caption = self.text(unescape(caption))
            return (
                f"<figure>\n<img {before}{after}>\n<figcaption>{caption}</figcaption>\n</figure>\n"
            )
        return super().paragraph(text)

    def strikethrough(self, text: str) -> str:
        return f"<del>{text}</del>"

    def text(self, text: str) -> str:
        if self._untouched:
            return str(escape(text))
        return str(isolated(text, self._options.direction))

    def render_token(self, token: Token, state: BlockState) -> str:
        if token["type"] != "isolated":
            return super().render_token(token, state)
        self._untouched += 1
        html = Markup(self.render_tokens(token["children"], state))  # noqa: S704  # ours
        self._untouched -= 1
        return str(isolate(html, self._options.direction))

    def heading(self, text: str, level: int, anchor: Anchor | None = None, **_: Any) -> str:
        level = min(6, max(self._options.top, level))
        if anchor is None:
            return f"<h{level}>{text}</h{level}>\n"
        html = f'<h{level} id="{escape(anchor.id)}">{text}{_other_ids(anchor)}</h{level}>'
        return f"<{LINKED_HEADING}>{html}{_self_link(anchor)}</{LINKED_HEADING}>\n"

    def link(self, text: str, url: str, title: str | None = None) -> str:
        target = safe_href(url)
        if target is None:
            return text
        attributes = Markup(' href="{}"').format(target)
        if title:
            attributes += Markup(' title="{}"').format(unescape(title))
        if is_external(target):
            attributes += Markup(' rel="noopener"')
        is_bare = is_contact(target) and "<bdi" not in text
        if is_bare and detect_language(text, Language.EN) is Language.EN:
            text = f'<bdi dir="ltr">{text}</bdi>'
        return f"<a{attributes}>{text}</a>"

    def image(self, text: str, url: str, title: str | None = None) -> str:
        target = safe_href(url)
        alt = " ".join(text_of(text).split())
        if target is None:
            return str(escape(alt))
        attributes = Markup(' src="{}" alt="{}"').format(target, alt)
        if title:
            attributes += Markup(' title="{}"').format(unescape(title))
        if self._options.image_sizes:
            attributes += Markup(' sizes="{}"').format(self._options.image_sizes)
        return f'<img{attributes} loading="lazy" decoding="async">'

    def codespan(self, text: str) -> str:
        return f'<code dir="ltr">{escape(text)}</code>'

    def tick(self, text: str, *, is_yes: bool) -> str:
        state = "" if is_yes else " off"
        return f'<span class="tick{state}"><span class="hidden">{escape(text)}</span></span>'

    def table(self, text: str) -> str:
        label = Markup(' role="group" aria-label="{}"').format(
            translate(_("Table"), self._options.language)
        )
        text = _with_row_heads(text)
        labelled = _labelled(text)
        kind = "table" if labelled == text else "table stack"
        return f'<div class="{kind}" tabindex="0"{label}><table>\n{labelled}</table></div>\n'

    def table_head(self, text: str) -> str:
        return f"<thead>\n<tr>\n{text}</tr>\n</thead>\n"

    def table_body(self, text: str) -> str:
        return f"<tbody>\n{text}</tbody>\n"

    def table_row(self, text: str) -> str:
        return f"<tr>\n{text}</tr>\n"

    def table_cell(self, text: str, align: str | None = None, head: bool = False) -> str:
        # The page's Content-Security-Policy does not allow a style attribute.
        classes = " ".join(_cell_classes(text, is_number=align == "right"))
        attribute = f' class="{classes}"' if classes else ""
        if head and text.strip():
            return f'<th scope="col"{attribute}>{text}</th>\n'
        return f"<td{attribute}>{text}</td>\n"


_FIRST_CELL = re.compile(r"(<tr>\n)<td\b([^>]*+)>((?:(?!</td>|<tr>).)*+)</td>\n", re.DOTALL)


def _with_row_heads(rows: str) -> str:
    """Make the first cells the heads of their rows in a table whose own head begins empty.

    A table of one column has nothing that its cells could be the heads of.
    """
    head, end, body = rows.partition("</thead>")
    corner = _FIRST_CELL.search(head)
    if corner is None or corner[3].strip() or head[corner.end() :].startswith("</tr>"):
        return rows
    return head + end + _FIRST_CELL.sub(r'\1<th scope="row"\2>\3</th>\n', body)


_CELL = re.compile(r"^<t[dh]\b[^>]*+>", re.MULTILINE)


def _labelled(rows: str) -> str:
    """Add the title of its column to each cell, if phones have no room for the columns."""
    head, end, body = rows.partition("</thead>")
    titles = [_TAG.sub("", cell).strip() for cell in _CELL.split(head)[1:]]
    if len(titles) <= _COLUMNS_OF_PHONES and 'long">' not in body:
        return rows
    labels = cycle(f' data-label="{title}">' if title else ">" for title in titles)
    return head + end + _CELL.sub(lambda cell: cell[0][:-1] + next(labels), body)


def _cell_classes(text: str, *, is_number: bool) -> Iterator[str]:
    """Yield the classes of a table cell; a long word in it may break on phones."""
    if is_number:
        yield "number"
    if max(map(len, _TAG.sub("", text).split()), default=0) > _LONGEST_WHOLE_WORD:
        yield "long"


def _lines_joined(tokens: Iterable[Token]) -> list[Token]:
    """Join the text of consecutive lines, as a number may go on in the next line."""
    joined: list[Token] = []
    for is_text, group in groupby(tokens, lambda token: token["type"] in _OF_TEXT):
        if is_text:
            raw = "".join([token.get("raw", "\n") for token in group])
            joined.append({"type": "text", "raw": raw})
        else:
            joined += group
    return joined


def _other_ids(anchor: Anchor) -> str:
    """Return empty elements with the other ids of a heading, for old and short links."""
    others = filter(None, (anchor.former, anchor.short))
    return "".join([f'<span id="{escape(each)}"></span>' for each in others])


def _self_link(anchor: Anchor) -> str:
    """Return the link of a heading to itself, which stands beside it and has its name."""
    target = escape(anchor.id)
    return f'<a class="anchor" href="#{target}" aria-labelledby="{target}" tabindex="-1"></a>'


_PARSER = markdown_parser()


@text_cache
def render_markdown(text: str, options: RenderOptions = _DEFAULT_OPTIONS) -> Markup:
    r"""Convert Markdown to HTML.

    >>> render_markdown("# Hours <b onclick='x()'>today")
    Markup('<h2>Hours <b>today</b></h2>\n')
    """
    with collector_paused(text):
        return _converted(text, options)


def _converted(text: str, options: RenderOptions) -> Markup:
    """Convert Markdown to HTML; the tokens are gone when it returns."""
    tokens, state = tokens_of(text, options)
    return rendered(tokens, state, options)


def tokens_of(
    text: str,
    options: RenderOptions,
    titles: Callable[[list[Token]], list[Token]] = heading_tokens,
) -> tuple[list[Token], BlockState]:
    """Return the tokens of a text; with `anchors`, those of `titles` have their anchor."""
    parsed, state = _PARSER.parse(text)
    tokens = parsed if isinstance(parsed, list) else []
    if options.anchors:
        _set_anchors(titles(tokens), options.ids)
    return tokens, state


def _set_anchors(titles: Sequence[Token], given: tuple[Anchor, ...]) -> None:
    if len(titles) > len(given):
        given += tuple(_derived(titles[len(given) :], given))
    for title, anchor in zip(titles, given, strict=False):
        title.setdefault("attrs", {})["anchor"] = anchor


def _derived(titles: Iterable[Token], given: Iterable[Anchor]) -> Iterator[Anchor]:
    """Yield an anchor for each title, beside the given ones."""
    given = list(given)
    anchors = Anchors(each for anchor in given for each in anchor)
    for number, title in enumerate(titles, len(given) + 1):
        claimed = anchors.claim("".join(raw_texts([title])))
        yield Anchor(claimed, "", anchors.claim_short(claimed, f"s-{number}"))


def rendered(tokens: Sequence[Token], state: BlockState, options: RenderOptions) -> Markup:
    """Render tokens of a text."""
    # The renderer above escapes every value.
    return Markup(_Html(options, tokens)(tokens, state))  # noqa: S704


def raw_texts(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the texts of tokens as written, without raw HTML within lines."""
    for token in tokens:
        if token["type"] != "inline_html":
            yield token.get("raw", "")
        yield from raw_texts(token.get("children", ()))
