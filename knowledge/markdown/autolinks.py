"""Autolinks of GitHub Flavored Markdown: bare addresses of sites and people become links.

An address with a scheme is found while a text is parsed, because it may hold underscores and stars
that would be emphasis. All others are found in the texts that are left after that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from re import Match
from typing import Any

import mistune
from mistune.core import InlineState
from mistune.inline_parser import InlineParser
from mistune.util import escape_url

Token = dict[str, Any]

_DOMAIN = r"[\w-]++(?:\.[\w-]++)*+"
_REST = r"[^\s<\ufffc]*+"
_SCHEME = re.compile(r"(?<![A-Za-z0-9])(?:https?|ftp):\Z", re.IGNORECASE)
_AFTER_SCHEME = re.compile(rf"//{_DOMAIN}{_REST}")
_BARE = re.compile(
    rf"(?<![A-Za-z0-9])(?P<url>(?:https?|ftp)://{_DOMAIN}{_REST})"
    rf"|(?<![^\s*_~(])(?P<www>www\.{_DOMAIN}{_REST})"
    r"|(?<![\w.+-])(?P<email>[A-Za-z0-9._+-]++@[A-Za-z0-9_-]++(?:\.[A-Za-z0-9_-]++)++)",
    re.IGNORECASE,
)
_TRAILING = "?!.,:*_~'\""
_ENTITY_END = re.compile(r"&[A-Za-z0-9]+;\Z")
_LINKS = ("link", "image")


def autolinks(md: mistune.Markdown) -> None:
    """Add addresses with a scheme to a mistune parser; the rule begins at the first slash."""
    md.inline.register("autolink", r"(?<=:)//(?=\w)", _parse_url, start_chars="/")


def _parse_url(inline: InlineParser, match: Match[str], state: InlineState) -> int | None:
    """Link the address around `//`, whose scheme ends the text before it."""
    before = state.tokens[-1] if state.tokens else None
    if state.brackets or state.in_link or before is None or before["type"] != "text":
        return None
    scheme = _SCHEME.search(before["raw"][-7:])
    address = _AFTER_SCHEME.match(state.src, match.start())
    if scheme is None or address is None:
        return None
    rest = _trimmed(address[0])
    if not _is_domain(rest[2:]):
        return None
    before["raw"] = before["raw"][: -len(scheme[0])]
    state.append_token(_link(scheme[0] + rest, scheme[0] + rest))
    return match.start() + len(rest)


def with_autolinks(tokens: list[Token]) -> list[Token]:
    """Return inline tokens with links for the addresses in their texts, except within links."""
    return list(_linked(tokens))


def _linked(tokens: list[Token]) -> Iterator[Token]:
    is_in_link = False
    for token in tokens:
        if token["type"] == "text" and not is_in_link:
            yield from _text_tokens(token)
        elif token["type"] == "inline_html":
            is_in_link = _is_in_html_link(token["raw"], is_in_link)
            yield token
        elif "children" in token and token["type"] not in _LINKS:
            yield {**token, "children": with_autolinks(token["children"])}
        else:
            yield token


def _is_in_html_link(tag: str, before: bool) -> bool:
    tag = tag.lower()
    return tag.startswith(("<a ", "<a>", "<a\n")) or (before and not tag.startswith("</a"))


def _text_tokens(token: Token) -> Iterator[Token]:
    text, copied = token["raw"], 0
    for match in _BARE.finditer(text):
        shown = match["email"] or _trimmed(match[0])
        url = _target(match, shown)
        if url:
            yield from _text(text[copied : match.start()])
            yield _link(url, shown)
            copied = match.start() + len(shown)
    yield from _text(text[copied:]) if copied else (token,)


def _target(match: Match[str], shown: str) -> str:
    """Return the URL of an address, `""` if it is none."""
    if match["email"]:
        is_followed = match.string[match.end() : match.end() + 1] in ("-", "_", "@")
        return "" if shown[-1] in "-_" or is_followed else f"mailto:{shown}"
    if match["www"]:
        return f"http://{shown}" if _is_domain(shown) else ""
    return shown if _is_domain(shown.partition("://")[2]) else ""


def _is_domain(address: str) -> bool:
    """Return whether an address begins with a domain whose last two labels have no underscore."""
    labels = re.split(r"[/?#:]", address, maxsplit=1)[0].split(".")
    return all(labels) and not any("_" in label for label in labels[-2:])


def _trimmed(address: str) -> str:
    """Return an address without closing punctuation, entities and unmatched parentheses.

    >>> _trimmed("www.a.test/b_(c))."), _trimmed("www.a.test/?b&copy;")
    ('www.a.test/b_(c)', 'www.a.test/?b')
    """
    surplus = address.count(")") - address.count("(")
    while address:
        if address[-1] == ")" and surplus > 0:
            surplus -= 1
            address = address[:-1]
        elif address[-1] == ";":
            entity = _ENTITY_END.search(address, max(0, len(address) - 34))
            if entity is None:
                return address
            address = address[: entity.start()]
        elif address[-1] in _TRAILING:
            address = address[:-1]
        else:
            break
    return address


def _text(raw: str) -> Iterator[Token]:
    if raw:
        yield {"type": "text", "raw": raw}


def _link(url: str, text: str) -> Token:
    return {
        "type": "link",
        "children": [{"type": "text", "raw": text}],
        "attrs": {"url": escape_url(url)},
    }
