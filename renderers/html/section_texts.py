"""Texts of sections: their pictures, buttons, lists, tables and comparisons, each shown apart."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Flag, auto
from itertools import islice
from pathlib import PurePosixPath

from markupsafe import Markup
from mistune.core import BlockState
from mistune.util import unescape

from knowledge.fields.file_types import ASSET_TYPES
from knowledge.markdown import text_cache
from knowledge.markdown.containers import descendants
from knowledge.markdown.figures import Figure, split_figures
from knowledge.markdown.inline import (
    heading_tokens,
    leading_term,
    plain_text,
    plain_tokens,
    title_tokens,
)
from knowledge.markdown.parser import Token
from knowledge.markdown.slugs import Anchor
from renderers.html.commonmark import (
    RenderOptions,
    is_contact,
    is_external,
    raw_texts,
    rendered,
    safe_href,
    tokens_of,
)


class Piece(Flag):
    """The pieces to take out of a text, besides its pictures."""

    NONE = 0
    BUTTONS = auto()
    """The first two links in paragraphs with nothing but links."""

    ITEMS = auto()
    """The items of the first list."""

    TABLES = auto()
    QUOTE = auto()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, its caption, and the target of the link around it, `""` without one."""

    image: Markup
    caption: Markup
    href: str
    source: str
    media_type: str = ""
    """The type of the video of the site to which it leads, `""` for anything else."""

    is_external: bool = False
    """Whether it leads to another site."""

    @property
    def captions(self) -> str:
        """The file beside a video that has its captions, if there is one."""
        return str(PurePosixPath(self.href).with_suffix(".vtt"))


@dataclass(frozen=True, slots=True)
class Button:
    """A link that is shown as a button."""

    label: Markup
    href: str


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces of a text, and the rest of it."""

    text: Markup
    pictures: tuple[Picture, ...]
    buttons: tuple[Button, ...]
    items: tuple[Markup, ...]
    tables: Markup
    quote: Markup


@text_cache
def text_pieces(text: str, options: RenderOptions, wanted: Piece = Piece.NONE) -> Pieces:
    """Split a text; what is not wanted apart stays in it."""
    tokens, state = tokens_of(text, options)
    figures, rest = split_figures(tokens)
    links = tuple(islice(_links(rest, wanted), MAX_BUTTONS))
    rest = list(without_buttons(rest, links)) if links else rest
    lists = _taken(rest, "list", 1 if Piece.ITEMS in wanted else 0)
    tables = _taken(rest, "table", len(rest) if Piece.TABLES in wanted else 0)
    _set_ticks(tables)
    quotes = _taken(rest, "block_quote", 1 if Piece.QUOTE in wanted else 0)
    return Pieces(
        text=rendered(rest, state, options),
        pictures=tuple(_picture(figure, state, options) for figure in figures),
        buttons=tuple(button(link, state, options) for link in links),
        items=tuple(
            rendered(item["children"], state, options)
            for each in lists
            for item in each["children"]
        ),
        tables=rendered(tables, state, options),
        quote=rendered([each for quote in quotes for each in quote["children"]], state, options),
    )


def _links(tokens: Sequence[Token], wanted: Piece) -> Iterable[Token]:
    if Piece.BUTTONS not in wanted:
        return ()
    paragraphs = (token for token in tokens if token["type"] == "paragraph")
    alone = (token["children"] for token in paragraphs if _is_alone(token["children"]))
    return (token for inline in alone for token in inline if is_button_link(token))


def _is_alone(inline: Iterable[Token]) -> bool:
    return all(is_button_link(each) or not each.get("raw", "").strip(" ·") for each in inline)


def _taken(tokens: list[Token], kind: str, count: int) -> list[Token]:
    """Remove the first blocks of a type from a text, and return them."""
    found = [token for token in tokens if token["type"] == kind][:count]
    for token in found:
        tokens.remove(token)
    return found


def _picture(figure: Figure, state: BlockState, options: RenderOptions) -> Picture:
    image = rendered([figure.image], state, options)
    return Picture(
        image=image,
        caption=rendered([{"type": "block_text", "children": figure.caption}], state, options)
        if figure.caption
        else Markup(),
        href=safe_href(figure.href) or "",
        source=safe_href(figure.image["attrs"]["url"]) or "",
        media_type=_video_type(figure.href),
        is_external=is_external(figure.href),
    )


def _video_type(href: str) -> str:
    media_type = ASSET_TYPES.get(PurePosixPath(href).suffix.lower(), "")
    return media_type if media_type.startswith("video/") and not is_external(href) else ""


MAX_BUTTONS = 2
_SENTENCE_END = re.compile(r"[.!?؟:]\s*$")
_DEFAULT_OPTIONS = RenderOptions()


@dataclass(frozen=True, slots=True)
class CallToAction:
    """A text and its buttons: the main one first."""

    text: Markup
    buttons: tuple[Button, ...] = ()


@text_cache
def call_to_action(text: str, options: RenderOptions = _DEFAULT_OPTIONS) -> CallToAction:
    """Return a text with its first two links as buttons.

    A link after the last sentence of a paragraph is removed; of another one the words stay.
    """
    tokens, state = tokens_of(text, options)
    links = tuple(islice(filter(is_button_link, descendants(tokens)), MAX_BUTTONS))
    return CallToAction(
        text=rendered(list(without_buttons(tokens, links)), state, options),
        buttons=tuple(button(link, state, options) for link in links),
    )


def button(link: Token, state: BlockState, options: RenderOptions) -> Button:
    """Return the button of a link."""
    label = rendered(link["children"], state, options)
    return Button(label, safe_href(link["attrs"]["url"]) or "")


def is_button_link(token: Token) -> bool:
    """Return whether a token is a link with words and an allowed target."""
    if token["type"] != "link" or safe_href(token["attrs"]["url"]) is None:
        return False
    is_text = not any(each["type"] == "image" for each in descendants(token["children"]))
    return is_text and bool("".join(raw_texts(token["children"])).strip())


def without_buttons(tokens: Iterable[Token], links: Sequence[Token]) -> Iterator[Token]:
    """Yield blocks without the links that are buttons; a paragraph of nothing else is left out."""
    for token in tokens:
        children: list[Token] = token.get("children", [])
        if not any(_is_among(each, links) for each in descendants(children)):
            yield token
        elif token["type"] not in ("paragraph", "block_text"):
            yield {**token, "children": list(without_buttons(children, links))}
        elif inline := list(_sentences(children, links)):
            yield {**token, "children": inline}


def _sentences(inline: list[Token], links: Sequence[Token]) -> Iterator[Token]:
    """Yield the words of a paragraph: without the buttons at its end, with the words of others."""
    end = len(inline)
    while end and (_is_among(inline[end - 1], links) or _is_space(inline[end - 1])):
        end -= 1
    before = "".join(raw_texts(inline[:end]))
    if not before.strip():
        return iter(())
    return _unlinked(inline[:end] if _SENTENCE_END.search(before) else inline, links)


def _unlinked(inline: Iterable[Token], links: Sequence[Token]) -> Iterator[Token]:
    for token in inline:
        if _is_among(token, links):
            yield from token["children"]
        elif "children" in token:
            yield {**token, "children": list(_unlinked(token["children"], links))}
        else:
            yield token


def _is_among(token: Token, tokens: Iterable[Token]) -> bool:
    return any(token is each for each in tokens)


def _is_space(token: Token) -> bool:
    return token["type"] in ("softbreak", "linebreak") or token.get("raw", "x").strip() in ("", "·")


_WORDS: Mapping[str, bool] = {"yes": True, "نعم": True, "no": False, "لا": False}


@text_cache
def comparison(text: str, options: RenderOptions) -> Markup:
    """Render a text whose tables compare."""
    tokens, state = tokens_of(text, options)
    _set_ticks(tokens)
    return rendered(tokens, state, options)


def _set_ticks(tokens: Iterable[Token]) -> None:
    """Replace the words `yes` and `no` in the cells of tables."""
    for cell in descendants(tokens):
        if cell["type"] == "table_cell":
            words = plain_tokens(cell["children"])
            is_yes = _WORDS.get(words.casefold())
            if is_yes is not None:
                cell["children"] = [{"type": "tick", "raw": words, "attrs": {"is_yes": is_yes}}]


_TERM_SEPARATOR = re.compile(r"^\s*[:：،,–—-]\s*")
_PAGE_WIDTH = "(min-width: 75rem) 72rem, 100vw"


@dataclass(frozen=True, slots=True)
class ListItem:
    """A list item: its leading bold text, if any, and the rest."""

    term: Markup
    text: Markup
    anchor: Anchor | None = None


@dataclass(frozen=True, slots=True)
class ItemList:
    """The items of a list, and the text before and after it."""

    before: Markup
    items: tuple[ListItem, ...]
    after: Markup


@dataclass(frozen=True, slots=True)
class LeadingImage:
    """The image at the start of a text, and the rest of the text as its caption."""

    image: Markup
    caption: Markup


@text_cache
def item_list(
    text: str, options: RenderOptions = _DEFAULT_OPTIONS, cards: bool = False
) -> ItemList | None:
    """Split a text at its first list; return None if it has no list.

    The terms of `cards` are headings, and lead to the only page that their texts link to.
    """
    tokens, state = tokens_of(text, options, title_tokens if cards else heading_tokens)
    index = next((i for i, token in enumerate(tokens) if token["type"] == "list"), None)
    if index is None:
        return None
    return ItemList(
        before=rendered(tokens[:index], state, options),
        items=tuple(_item(item, state, options, cards) for item in tokens[index]["children"]),
        after=rendered(tokens[index + 1 :], state, options),
    )


def _item(token: Token, state: BlockState, options: RenderOptions, is_card: bool) -> ListItem:
    blocks: list[Token] = token["children"]
    inline = leading_term(token)
    if not inline:
        return ListItem(Markup(), rendered(blocks, state, options))
    term, rest = inline[0]["children"], _strip_separator(inline[1:])
    links = [each for each in descendants([*term, *rest, *blocks[1:]]) if each["type"] == "link"]
    # Of a card that names an address or a number, these are the link.
    is_to_page = len(links) == 1 and not is_contact(links[0]["attrs"]["url"])
    if is_card and is_to_page and links[0] in rest:
        place = rest.index(links[0])
        rest[place : place + 1] = links[0]["children"]
        term = [{**links[0], "children": term}]
    first = {**blocks[0], "type": "block_text", "children": rest}
    return ListItem(
        term=rendered(term, state, options),
        text=rendered([first, *blocks[1:]], state, options),
        anchor=inline[0].get("attrs", {}).get("anchor"),
    )


def _strip_separator(inline: Sequence[Token]) -> list[Token]:
    """Remove the colon, comma or dash at the start of the text after a term."""
    if not inline or inline[0]["type"] != "text":
        return list(inline)
    return [{**inline[0], "raw": _TERM_SEPARATOR.sub("", inline[0]["raw"])}, *inline[1:]]


@text_cache
def figure(text: str, options: RenderOptions = _DEFAULT_OPTIONS) -> LeadingImage | None:
    """Split a text into its leading image and its caption; None if it has no leading image."""
    tokens, state = tokens_of(text, options)
    blocks = [token for token in tokens if token["type"] != "blank_line"]
    inline: list[Token] = blocks[0].get("children", []) if blocks else []
    if not inline or inline[0]["type"] != "image":
        return None
    rest = [{**blocks[0], "children": inline[1:]}] if inline[1:] else []
    image, following = inline[0], [*rest, *blocks[1:]]
    title = image["attrs"].get("title")
    if title and not following:
        following = [{"type": "paragraph", "children": [{"type": "text", "raw": unescape(title)}]}]
        image = {**image, "attrs": {**image["attrs"], "title": None}}
    return LeadingImage(
        image=rendered([image], state, replace(options, image_sizes=_PAGE_WIDTH)),
        caption=rendered(following, state, options),
    )


def paragraphs(text: str) -> list[str]:
    """Split a text into paragraphs and remove their markup."""
    return [plain_text(block) for block in re.split(r"\n\s*\n", text) if block.strip()]
