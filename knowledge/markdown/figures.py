"""Figures: the pictures that begin a block of a text, each with its link and its caption."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from knowledge.markdown import text_cache
from knowledge.markdown.inline import plain_tokens, tokens_of
from knowledge.markdown.parser import Token

_BREAKS = frozenset(("softbreak", "linebreak"))


class Figure(NamedTuple):
    """The tokens of a picture and of its caption, and the target of the link around the picture."""

    image: Token
    caption: list[Token]
    href: str = ""


def split_figures(tokens: Iterable[Token]) -> tuple[list[Figure], list[Token]]:
    """Return the figures of a text and its other blocks.

    A paragraph or list item that begins with a picture is a figure, or one for each picture in it.
    """
    figures: list[Figure] = []
    rest: list[Token] = []
    for token in tokens:
        if token["type"] == "paragraph" and _begins_with_picture(token):
            figures += _figures(token["children"])
        elif token["type"] == "list" and all(map(_is_figure_item, token["children"])):
            for item in token["children"]:
                figures += _figures(item["children"][0]["children"])
        else:
            rest.append(token)
    return figures, rest


@text_cache
def figure_fields(text: str) -> tuple[Mapping[str, object], ...]:
    """Return the figures of a text as the fields of items: picture, caption, target of the link."""
    return tuple(
        {
            "image": {"src": image["attrs"]["url"], "alt": plain_tokens(image["children"])},
            "text": plain_tokens(caption) or None,
            "href": href or None,
        }
        for image, caption, href in split_figures(tokens_of(text))[0]
    )


def _figures(inline: Sequence[Token]) -> Iterator[Figure]:
    current: Figure | None = None
    for token in inline:
        picture = _picture(token)
        if picture is not None:
            if current is not None:
                yield current
            current = picture
        elif current is not None:
            is_space = token["type"] in _BREAKS or not token.get("raw", "x").strip()
            if current.caption or not is_space:
                current.caption.append(token)
    if current is not None:
        yield current


def _picture(token: Token) -> Figure | None:
    """Return the figure of an image, or of a link with nothing but an image."""
    if token["type"] == "image":
        return Figure(token, [])
    children: list[Token] = token.get("children", []) if token["type"] == "link" else []
    if len(children) == 1 and children[0]["type"] == "image":
        return Figure(children[0], [], token["attrs"]["url"])
    return None


def _begins_with_picture(block: Token) -> bool:
    inline: list[Token] = block.get("children", [])
    return bool(inline) and _picture(inline[0]) is not None


def _is_figure_item(item: Token) -> bool:
    blocks: list[Token] = item.get("children", [])
    return len(blocks) == 1 and _begins_with_picture(blocks[0])
