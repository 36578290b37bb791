"""Obsidian: wikilinks, embeds, block ids and marked text."""

from __future__ import annotations

import re
from re import Match

from knowledge.fields.file_types import ASSET_TYPES
from knowledge.markdown.generator_syntax.source import Source, image, is_size, link

_WIKILINK = re.compile(
    r"(?P<embed>!?)\[\["
    r"(?P<target>[^\[\]\n|\s](?:[^\[\]\n|]*[^\[\]\n|\s\\][ \t]*)?|\#[^\[\]\n|]+)"
    r"(?:\\?\|(?P<text>[^\[\]\n]*))?\]\](?![(\[])"
)
_CONTENTS = re.compile(r"\[?\[_?toc_?\]\]?", re.IGNORECASE)
_BLOCK_ID = re.compile(r"(?:(?<=[ \t])|^)\^(?=[\w-]{4,}[ \t]*$)[A-Za-z0-9-]+[ \t]*$", re.MULTILINE)
_MARKED = re.compile(r"(?<![=\w])==(?=[^\s=])([^=\n]+)(?<=[^\s=])==(?![=\w])")


def read_obsidian(source: Source) -> None:
    """Replace wikilinks and embeds; remove block ids and the signs of marked text."""
    if "[[" in source.text:
        source.substitute(_WIKILINK, _wikilink)
    if "^" in source.text:
        source.substitute(_BLOCK_ID, lambda _: "")
    if "==" in source.text:
        source.substitute(_MARKED, lambda match: match[1])


def _wikilink(match: Match[str]) -> str | None:
    target, text = match["target"].strip(), (match["text"] or "").strip()
    if _CONTENTS.fullmatch(f"[{target}]"):
        return None
    page, _, heading = target.partition("#")
    heading = heading.rpartition("#")[2]
    suffix = page[page.rfind(".") :].lower() if "." in page else ""
    if match["embed"] and suffix in ASSET_TYPES and suffix != ".pdf":
        stem = page.rpartition("/")[2].rpartition(".")[0]
        return image(stem if not text or is_size(text) else text, page)
    fragment = f"#{heading}" if heading and not heading.startswith("^") else ""
    shown = text or " > ".join(filter(None, (page, heading.lstrip("^"))))
    return link(shown, page + fragment if page or fragment else "#")
