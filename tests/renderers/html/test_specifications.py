"""Pages render CommonMark and GitHub Flavored Markdown as the specifications say.

Expected are the examples of both specifications, and what markdown-it-py makes of them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element

import nh3
import pytest
from cases import cases
from dom import canonical
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from knowledge.markdown.raw_html import LINK_SCHEMES, REMOVED_WITH_CONTENT, TAGS
from renderers.html.commonmark import RenderOptions, render_markdown

_REFERENCE = MarkdownIt("gfm-like2", {"tasklists": False, "alerts": False})
_OPTIONS = RenderOptions(top=1)
_ATTRIBUTES = frozenset(("href", "src", "alt", "title", "start"))
_CODE_END = re.compile(r"⏎+</code></pre>")
"""The end of a code block, before which an empty line takes no room."""

_BARE_ADDRESS = "GFM's autolinks apply to all texts: a bare address is a link"
_NESTED_STRONG = "GFM 0.29 drops <strong> within <strong>; CommonMark 0.31 keeps it"
_OPEN_TAG = "a tag that its paragraph does not close ends with the paragraph"
_UNFINISHED_TAG = "a tag without its `>` is text; a browser would drop what follows it"
_CAPTION = "an image with a title, alone in its paragraph, is a figure with a caption"
_TASK_LISTS = "the rules of markdown-it-py have no task lists"

_FIGURES = dict.fromkeys(
    [f"commonmark-{number}" for number in (572, 573, 576, 577, 584, 585, 586, 588, 589, 591)],
    _CAPTION,
)
_OPEN = {
    **dict.fromkeys(
        [f"commonmark-{number}" for number in (148, 187, 344, 476, 477, 494, 630, 631, 642, 643)],
        _OPEN_TAG,
    ),
    **dict.fromkeys([f"commonmark-{number}" for number in (156, 157, 158)], _UNFINISHED_TAG),
}
EXCEPTIONS = {
    **_OPEN,
    **_FIGURES,
    **dict.fromkeys(
        ["commonmark-602", "commonmark-608", "commonmark-611", "commonmark-612"], _BARE_ADDRESS
    ),
    **dict.fromkeys(["gfm-610", "gfm-616", "gfm-619"], _BARE_ADDRESS),
    **dict.fromkeys(
        [f"gfm-{number}" for number in (398, 426, 434, 435, 436, 473, 474, 475, 477)],
        _NESTED_STRONG,
    ),
    "gfm-652": "tags that may not be shown are left out, unless they are only mentioned",
}
"""The examples that pages render in another way than the specification, with the reason."""

REFERENCE_EXCEPTIONS = {
    **_OPEN,
    **_FIGURES,
    **dict.fromkeys(
        ["gfm-629", "gfm-630", "gfm-631"], "linkify-it links only top-level domains that it knows"
    ),
    "gfm-625": "linkify-it ends an address at a closing parenthesis, the specification does not",
    "gfm-626": "linkify-it takes an entity for a part of the address, the specification does not",
    "gfm-652": "tags that may not be shown are left out, unless they are only mentioned",
    **dict.fromkeys(["gfm-279", "gfm-280"], _TASK_LISTS),
}
"""The examples that pages render in another way than markdown-it-py, with the reason."""


_TABLE_LINES = (
    "a|b",
    "-|-",
    "a|b|c",
    "-|:-:|-",
    "|a|b|",
    "|-|-|",
    "| - |",
    "| a |",
    "a\\|b",
    "`a|b`",
    "x",
    "",
    "# h",
    "> x",
    "    a|b",
    "```",
)


class Example(NamedTuple):
    """An example of a specification."""

    name: str
    markdown: str
    html: str


def _examples() -> list[Example]:
    folder = Path(__file__).parent / "specifications"
    return [
        Example(f"{path.stem}-{each['number']}", each["markdown"], each["html"])
        for path in sorted(folder.glob("*.json"))
        for each in json.loads(path.read_text("utf-8"))
    ]


_EXAMPLES = _examples()


def _normalized(html: str) -> str:
    """Return HTML without what we decide ourselves.

    Raw HTML is cleaned. Links of other schemes are texts. Our elements and attributes for
    direction, scrolling, loading and highlighting add to those of the specifications.
    """
    cleaned = nh3.clean(
        html.replace("<s>", "<del>").replace("</s>", "</del>"),
        tags=set(TAGS),
        clean_content_tags=set(REMOVED_WITH_CONTENT),
        url_schemes=set(LINK_SCHEMES),
        link_rel=None,
        attributes={"*": set(_ATTRIBUTES)},
    )
    return _CODE_END.sub("</code></pre>", canonical(cleaned, _is_shown, _ATTRIBUTES))


def _is_shown(element: Element) -> bool:
    target = {"a": "href", "img": "src"}.get(element.tag)
    return element.tag not in ("bdi", "div", "span") and (
        target is None or target in element.attrib
    )


@cases("example", [pytest.param(each, id=each.name) for each in _EXAMPLES])
def test_examples_of_the_specifications_are_rendered(example: Example) -> None:
    """Each example but the named ones gives the HTML of its specification."""
    rendered = _normalized(render_markdown(example.markdown, _OPTIONS))
    is_equal = rendered == _normalized(example.html)
    assert is_equal == (example.name not in EXCEPTIONS), (
        f"{example.markdown}\n{_normalized(example.html)}\n{rendered}"
    )


@cases("example", [pytest.param(each, id=each.name) for each in _EXAMPLES])
def test_examples_are_rendered_as_by_the_reference(example: Example) -> None:
    """Each example but the named ones gives the HTML of markdown-it-py with GFM's rules."""
    rendered = _normalized(render_markdown(example.markdown, _OPTIONS))
    expected = _normalized(_REFERENCE.render(example.markdown))
    assert (rendered == expected) == (example.name not in REFERENCE_EXCEPTIONS), (
        f"{example.markdown}\n{expected}\n{rendered}"
    )


@given(st.lists(st.sampled_from(_TABLE_LINES), max_size=8).map("\n".join))
def test_tables_are_those_of_the_reference(text: str) -> None:
    """For any sequence of rows, header, delimiters and other blocks."""
    rendered = _normalized(render_markdown(text, _OPTIONS))
    assert rendered == _normalized(_REFERENCE.render(text))
