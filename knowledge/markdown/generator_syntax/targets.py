"""Markdown that stands for tags of other generators: links, images, and embedded media."""

from __future__ import annotations

import re

_UNSAFE = re.compile(r"[\s()<>\"'\\]")
_BRACKETS = re.compile(r"([\[\]])")
_SIZES = re.compile(r"\d+(?:x\d+)?")

MEDIA = {
    "youtube": "https://www.youtube.com/watch?v={}",
    "youtubelite": "https://www.youtube.com/watch?v={}",
    "liteyoutube": "https://www.youtube.com/watch?v={}",
    "vimeo": "https://vimeo.com/{}",
    "gist": "https://gist.github.com/{}",
    "codepen": "https://codepen.io/{}",
}
"""The pages of embedded media, by the lower-case name of the tag that embeds them."""


def url(target: str) -> str:
    """Return a target that can stand between parentheses.

    >>> url("My page#Part (2)")
    'My%20page#Part%20%282%29'
    """
    return _UNSAFE.sub(lambda match: f"%{ord(match[0]):02X}", target.strip())


def link(text: str, target: str) -> str:
    """Return a markdown link."""
    return f"[{_BRACKETS.sub(_escaped, text.strip())}]({url(target)})"


def image(alt: str, target: str) -> str:
    """Return a markdown image."""
    return f"!{link(alt, target)}"


def media(name: str, identifier: str, title: str = "") -> str | None:
    """Return a link to embedded media, None if the tag embeds none."""
    address = MEDIA.get(name.lower())
    if address is None or not identifier:
        return None
    target = identifier if identifier.startswith("http") else address.format(identifier)
    return link(title or target, target)


def is_size(text: str) -> bool:
    """Return whether the text of an embed is the width of an image, as in `300x200`."""
    return bool(_SIZES.fullmatch(text.strip()))


def _escaped(bracket: re.Match[str]) -> str:
    return f"\\{bracket[0]}"
