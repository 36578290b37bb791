"""Hugo: shortcodes in `{{< >}}` and `{{% %}}`."""

from __future__ import annotations

import re
from functools import partial
from re import Match

from knowledge.markdown.generator_syntax.source import Source, image, media, url

_SHORTCODE = re.compile(
    r"\{\{(?:<(?P<angle>(?:[^>{]|>(?!\}\})|\{(?!\{))*+)>|%(?P<percent>(?:[^%{]|%(?!\}\})|\{(?!\{))*+)%)\}\}"
)
_PARTS = re.compile(r"\s*(?P<slash>/?)\s*(?P<name>[\w./-]*)(?P<arguments>.*?)/?\s*", re.DOTALL)
_ARGUMENT = re.compile(
    r"(?:(?P<key>[\w-]+)=)?(?:\"(?P<double>(?:[^\"\\]|\\.)*)\"|`(?P<tick>[^`]*)`|(?P<bare>[^\s\"`]+))",
    re.DOTALL,
)
_TITLES = ("title", "name", "header", "summary")
_WRAPPERS = frozenset(
    [
        "admonition",
        "alert",
        "callout",
        "card",
        "cards",
        "cardpane",
        "code",
        "column",
        "columns",
        "details",
        "div",
        "expand",
        "hint",
        "info",
        "note",
        "notice",
        "steps",
        "step",
        "tab",
        "tabpane",
        "tabs",
        "tip",
        "warning",
    ]
)
"""Shortcodes whose inner text says all that they do."""

_LABELLED = frozenset({"details", "expand", "tab"})
"""Wrappers whose first argument is their title."""

Arguments = dict[str, str]
"""The arguments of a shortcode, by name or by position."""


def read_hugo(source: Source) -> None:
    """Replace the shortcodes that have a plain meaning, and leave the others out."""
    if "{{<" in source.text or "{{%" in source.text:
        source.substitute(_SHORTCODE, partial(_shortcode, source))


def _shortcode(source: Source, match: Match[str]) -> str:
    inner = source.plain(match["angle"] or match["percent"] or "")
    parts = _PARTS.fullmatch(inner)
    name = parts["name"].rpartition("/")[2].lower() if parts else ""
    if parts is None or parts["slash"]:
        return ""
    arguments = _arguments(parts["arguments"])
    replaced = _plain(name, arguments)
    if replaced is not None:
        return replaced
    if name in _WRAPPERS:
        label = _label(name, arguments)
        return source.as_paragraph(f"**{label}**", match.start()) if label else ""
    return source.leave_out("Hugo", match.start(), match[0])


def _arguments(text: str) -> Arguments:
    found: Arguments = {}
    for argument in _ARGUMENT.finditer(text):
        value = next(
            (argument[kind] for kind in ("double", "tick") if argument[kind] is not None),
            argument["bare"] or "",
        )
        found[argument["key"] or str(sum(key.isdigit() for key in found))] = value.replace(
            '\\"', '"'
        )
    return found


def _first(arguments: Arguments, *names: str) -> str:
    return next((arguments[name] for name in names if arguments.get(name)), "")


def _plain(name: str, arguments: Arguments) -> str | None:
    """Return the markdown that a shortcode stands for, None if it stands for none."""
    if name in ("ref", "relref"):
        return url(_first(arguments, "path", "0"))
    if name in ("figure", "img", "image"):
        return _figure(arguments)
    if name == "gist":
        return media(name, "/".join(arguments.values()))
    return media(name, _first(arguments, "id", "0"), arguments.get("title", ""))


def _figure(arguments: Arguments) -> str | None:
    """Return an image with its caption."""
    target = _first(arguments, "src", "0")
    if not target:
        return None
    caption = _first(arguments, "caption", "title")
    shown = image(arguments.get("alt") or caption, target)
    if arguments.get("link"):
        shown = f"[{shown}]({url(arguments['link'])})"
    return (
        f"{shown} *{caption}*" if caption and "*" not in caption else f"{shown} {caption}".rstrip()
    )


def _label(name: str, arguments: Arguments) -> str:
    """Return the title of a wrapper."""
    position = "0" if name in _LABELLED else "title"
    return _first(arguments, *_TITLES, position)
