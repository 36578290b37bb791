"""The pieces of a text that a section shows apart: its pictures, buttons, list and tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from itertools import islice
from pathlib import PurePosixPath

from markupsafe import Markup
from mistune.core import BlockState

from knowledge.fields.file_types import ASSET_TYPES
from knowledge.markdown.figures import Figure, split_figures
from knowledge.markdown.memoize import text_cache
from knowledge.markdown.parser import Token
from renderers.html.buttons import MAX_BUTTONS, Button, button, is_button_link, without_buttons
from renderers.html.commonmark import RenderOptions, is_external, rendered, safe_href, tokens_of


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
