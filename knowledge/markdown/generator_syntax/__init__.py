"""Syntax of other generators: read where it has a plain meaning, left out of pages elsewhere.

One module a family. All work on a `BodySource`, in which code is set aside, and take linear time.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter

from knowledge.markdown.generator_syntax.code import set_code_aside
from knowledge.markdown.generator_syntax.dialects import (
    read_attributes,
    read_containers,
    read_obsidian,
    read_vue,
)
from knowledge.markdown.generator_syntax.html_blocks import read_html_blocks
from knowledge.markdown.generator_syntax.jsx import read_components
from knowledge.markdown.generator_syntax.source import BodySource, Unread
from knowledge.markdown.generator_syntax.templates import (
    read_attribute_lists,
    read_hugo,
    read_outputs,
    read_tags,
)

__all__ = ["TEMPLATE", "ReadBody", "Unread", "read_syntax", "read_templates"]


_MATH = re.compile(
    r"(?<![\\$])\$\$[^$\0]+\$\$|(?<![\\$\w])\$(?![\s$])(?=[^$\n]*[\\^_{])[^$\n\0]+(?<![\s\\])\$(?![\w$])"
)


def _set_math_aside(source: BodySource) -> None:
    """Keep formulas, whose braces are no tags."""
    if "$" in source.text:
        source.substitute(_MATH, lambda match: source.keep(match[0]))


_STEPS: tuple[Callable[[BodySource], None], ...] = (
    set_code_aside,
    _set_math_aside,
    read_html_blocks,
    read_containers,
    read_hugo,
    read_components,
    read_tags,
    read_outputs,
    read_attribute_lists,
    read_obsidian,
    read_vue,
    read_attributes,
)


@dataclass(frozen=True, slots=True)
class ReadBody:
    """A body in the markdown of this site, with what was left out of it."""

    text: str
    inserted_lines: tuple[int, ...] = ()
    """The lines that the file does not have, in order."""

    unread: tuple[Unread, ...] = ()


TEMPLATE = re.compile(r"\{\{|\{%|<%")
"""What the tags of template languages begin with."""

_TEMPLATE_STEPS = (set_code_aside, read_hugo, read_tags, read_outputs)


def read_templates(text: str) -> ReadBody:
    """Return a text of front matter without tags of template languages."""
    source = BodySource(text)
    for step in _TEMPLATE_STEPS:
        step(source)
    return ReadBody(" ".join(source.finish()[0].split()), (), tuple(source.unread))


MDX_SUFFIX = ".mdx"

_TRIGGERS = re.compile(
    r"<!--|<%|\{[%{:]|\{/\*|\[\[|\[[Tt][Oo][Cc]\]|%%|</?[A-Z][\w.]*[\s/>]|<[a-z][^<>\n]*=\{"
    r"|<[A-Za-z][^<>]*\smarkdown\b"
    r"|<(?:script|style)\b|!!!|\?\?\?|=== |8<-|@\[|<<<|==\S"
    r"|\^(?<![^ \t\n]\^)[\w-]{4,}[ \t]*$|\{[ \t]*(?:\.[\w-]|[\w:-]+=|#[\w-]+[ \t])|\{[ \t]+#"
    r"|\{#[^\s{}]*[^\w\s{}-]|:(?:material|fontawesome|octicons|simple|twemoji)-|\+\+\w|\^\^",
    re.MULTILINE,
)
"""What any of the families begins with inside a line; a text without triggers is not read again.

Each alternative begins with a plain character: then the search skips all others, and takes a
tenth of the time.
"""

_LINE_TRIGGERS = re.compile(
    r"^(?:[ \t]*:{3,}[ \t]*(?:\w|\{[A-Za-z]+\})|(?:import|export)[ \t])", re.MULTILINE
)
"""What any of the families begins with at the start of a line."""


def read_syntax(text: str, path: str) -> ReadBody:
    """Return a body without syntax of other generators; its lines stay in their places."""
    is_mdx = path.lower().endswith(MDX_SUFFIX)
    has_trigger = is_mdx or _TRIGGERS.search(text) or _LINE_TRIGGERS.search(text)
    if "\0" in text or not has_trigger:
        return ReadBody(text)
    source = BodySource(text, is_mdx)
    for step in _STEPS:
        step(source)
    result, inserted = source.finish()
    return ReadBody(result, inserted, tuple(sorted(source.unread, key=attrgetter("line"))))
