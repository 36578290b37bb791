"""Template languages: shortcodes of Hugo, and Liquid with the tags that look like it."""

import re
from functools import partial
from re import Match

from knowledge.markdown.generator_syntax.source import BodySource, image, media, url

_SHORTCODE = re.compile(
    r"\{\{(?:<(?P<angle>(?:[^>{]|>(?!\}\})|\{(?!\{))*+)>|%(?P<percent>(?:[^%{]|%(?!\}\})|\{(?!\{))*+)%)\}\}"
)
_PARTS = re.compile(r"\s*(?P<slash>/?)\s*(?P<name>[\w./-]*)(?P<arguments>.*?)/?\s*", re.DOTALL)
_ARGUMENT = re.compile(
    r"(?:(?P<key>[\w-]+)=)?(?:\"(?P<double>(?:[^\"\\]|\\(?:.|\Z))*+)(?:\"|\Z)|`(?P<tick>[^`]*)`|(?P<bare>[^\s\"`]+))",
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


def read_hugo(source: BodySource) -> None:
    """Replace the shortcodes that have a plain meaning, and leave the others out."""
    if "{{<" in source.text or "{{%" in source.text:
        source.substitute(_SHORTCODE, partial(_shortcode, source))


def _shortcode(source: BodySource, match: Match[str]) -> str:
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
        label = _first(arguments, *_TITLES, "0" if name in _LABELLED else "title")
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
    texts = [arguments[key] for key in ("title", "caption") if arguments.get(key)]
    caption = ": ".join(dict.fromkeys(texts))
    shown = image(arguments.get("alt") or _first(arguments, "caption", "title"), target)
    if arguments.get("link"):
        shown = f"[{shown}]({url(arguments['link'])})"
    return (
        f"{shown} *{caption}*" if caption and "*" not in caption else f"{shown} {caption}".rstrip()
    )


_TAG = re.compile(r"\{%-?+\s*+(?P<name>[\w/-]*+)(?P<arguments>(?:[^%{]|%(?!\})|\{(?!%))*+)%\}")
_OUTPUT = re.compile(
    r"\{\{\{(?P<triple>[^{}]*+)\}\}\}|\{\{(?P<value>(?:[^{}]|\}(?!\})|\{(?!\{))*+)\}\}"
)
_EMBEDDED = re.compile(r"<%(?:[^%<]|%(?!>)|<(?!%))*+%>")
"""A tag of EJS or ERB."""

_LINK = re.compile(
    r"(?<!!)\[(?P<text>[^\[\]\n]*)\]\([ \t]*\{\{(?P<value>[^{}]*+)\}\}[^\s()]*[ \t]*\)"
    r"|^ {0,3}\[[^\[\]\n]+\]:[ \t]*\{\{(?P<definition>[^{}]*+)\}\}[^\n]*$",
    re.MULTILINE,
)
_LITERAL = re.compile(r"\s*+(?:-\s*+)?(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')")
_BASE_ADDRESS = re.compile(
    r"\s*+(?:-\s*+)?(?:site\.(?:baseurl|url|github\.url|base_url)|baseurl|base_url|base_path|url_base)\b"
)
_CALL = re.compile(r"\s*(?P<name>\w+)\((?P<arguments>.*)\)\s*", re.DOTALL)
_CALL_ARGUMENT = re.compile(
    r"(?<!\w)(?P<key>\w++)\s*+=\s*+(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|`(?P<tick>[^`]*)`)"
)
_ATTRIBUTES = re.compile(r"\{:(?:toc\b|:|[\w-]+:|[ \t]*(?:[.#][\w-]|[\w-]+=|no_toc))[^{}\n]*\}")
_CONTENTS = re.compile(r"^[ \t]*(?:[-*+]|\d+\.)[^\n]*\n(?=[ \t]*\{:[ \t]*toc)", re.MULTILINE)
_HEADING_ID = re.compile(
    r"^(?P<heading>[ \t]{0,3}\#{1,6}[ \t][^\n{]*+)\n?"
    r"\{:(?:[^{}\n#]|\#(?![\w-]))*+\#(?P<id>[\w:-]++(?:\.\d[\w:-]*+)*+)[^{}\n]*+\}[ \t]*+$",
    re.MULTILINE,
)
_QUOTES = "\"' \t\n-"


def read_tags(source: BodySource) -> None:
    """Replace the tags `{% %}` that have a plain meaning, and leave the others out."""
    if "{%" in source.text:
        source.substitute(_TAG, partial(_tag, source))


def read_outputs(source: BodySource) -> None:
    """Replace `{{ }}`: literals and base addresses are read, variables and `<% %>` are left out."""
    if "<%" in source.text:
        source.substitute(
            _EMBEDDED, lambda match: source.leave_out("template", match.start(), match[0])
        )
    if "{{" in source.text:
        source.substitute(_LINK, partial(_link_text, source))
        source.substitute(_OUTPUT, partial(_output, source))


def read_attribute_lists(source: BodySource) -> None:
    """Remove the attribute lists of kramdown, `{: }`, but the id of a heading."""
    if "{:" not in source.text:
        return
    source.substitute(_CONTENTS, lambda _: "")
    source.substitute(_HEADING_ID, lambda match: f"{match['heading'].rstrip()} {{#{match['id']}}}")
    source.substitute(_ATTRIBUTES, lambda _: "")


def _tag(source: BodySource, match: Match[str]) -> str:
    name, text = match["name"], source.plain(match["arguments"]).strip(_QUOTES)
    if name == "link":
        return url(f"/{text.lstrip('/')}")
    if name == "post_url":
        return url(f"/posts/{text.lstrip('/')}.md")
    shown = media(name, text.partition(" ")[0].strip(_QUOTES))
    if shown is not None:
        return shown
    return source.leave_out("Liquid", match.start(), match[0])


def _link_text(source: BodySource, match: Match[str]) -> str | None:
    """Return the text of a link whose address a variable begins, which is not known here."""
    value = match["value"] or match["definition"] or ""
    if _BASE_ADDRESS.match(value) or _LITERAL.match(source.plain(value)):
        return None
    return (match["text"] or "") + source.leave_out("template", match.start(), match[0])


def _output(source: BodySource, match: Match[str]) -> str:
    value = source.plain(match["triple"] or match["value"] or "")
    if _BASE_ADDRESS.match(value):
        return ""
    literal = _LITERAL.match(value)
    if literal:
        return literal["double"] or literal["single"] or ""
    call = _CALL.fullmatch(value)
    shown = _called(call) if call else None
    return shown or source.leave_out("template", match.start(), match[0])


def _called(call: Match[str]) -> str | None:
    """Return the link of a shortcode of Zola that embeds media."""
    arguments = {
        each["key"]: each["double"] or each["single"] or each["tick"] or ""
        for each in _CALL_ARGUMENT.finditer(call["arguments"])
    }
    return media(call["name"], arguments.get("id", ""), arguments.get("title", ""))
