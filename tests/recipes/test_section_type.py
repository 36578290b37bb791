"""The recipe "A section type", performed on a copy of the packages."""

from __future__ import annotations

from typing import Any

import pytest
from recipes.copied_tree import CopiedTree

pytestmark = pytest.mark.slow

TYPE = """\"\"\"Timelines.\"\"\"

from knowledge.sections.section_type import SECTION_TYPES, Lack, SectionType


def _lacks(section):
    if not section.items:
        yield Lack(section.line, "The timeline has no entries.", "Add a heading ### 2019.")


SECTION_TYPES.declare(SectionType(name="timeline", has_items=True, lacks=_lacks))
"""
TEMPLATE = """<{{ tag(section) }} class="timeline"{{ id_of(section) }}>
{{ heading(section) }}
{% for item in section.headed_items %}
<h3 id="{{ item.anchor.id }}">{{ item.title }}</h3>
{{ item.text|markdown(item.text_anchors, 4) }}
{% endfor %}
</{{ tag(section) }}>
"""
PAGE = """---
title: History
---
:::{timeline} Our years
:id: years

### 2019 {#start}

We *began*. ![Dubai](/images/logo.svg)

### 2024

Six countries.
:::

:::{timeline} Nothing
:::
"""
MODULE = "knowledge/sections/types/timeline.py"
API = "/api/public/v1/pages/history"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> CopiedTree:
    """Add a type to a copy."""
    tree = CopiedTree(tmp_path_factory.mktemp("section-type"))
    tree.write(MODULE, TYPE)
    tree.write("knowledge/content/pages/history.md", PAGE)
    return tree


@pytest.fixture(scope="module")
def shown(tree: CopiedTree) -> dict[str, Any]:
    """What the service shows of a page with the type."""
    tree.write("renderers/templates/parts/sections/timeline.html", TEMPLATE)
    body, contract, html, markdown = tree.ask(
        (API, {}),
        ("/openapi.json", {}),
        ("/ae/en/history", {"Accept": "text/html"}),
        ("/ae/en/history", {"Accept": "text/markdown"}),
    )
    return {
        "section": body.json["page"]["sections"][0],
        "layouts": contract.json["components"]["schemas"]["SectionLayout"]["properties"]["name"],
        "html": html.text,
        "markdown": markdown.text,
    }


def test_a_type_without_a_template_is_an_error_that_says_what_to_write(tree: CopiedTree) -> None:
    """When the service starts."""
    path = "renderers/templates/parts/sections/timeline.html"
    (tree.folder / path).unlink(missing_ok=True)
    assert f"add {path}" in tree.error()


def test_one_module_and_one_template_show_a_type(shown: dict[str, Any]) -> None:
    """In JSON, HTML, markdown and the contract."""
    section = shown["section"]
    assert section["type"] == "richText"
    assert section["body"].startswith("### 2019\n\nWe *began*.")
    layout = section["layout"]
    assert layout["name"] == "timeline"
    assert [entry["title"] for entry in layout["entries"]] == ["2019", "2024"]
    assert layout["entries"][0]["image"] == {"src": "/images/logo.svg", "alt": "Dubai"}
    assert '<h3 id="start">2019</h3>\n<p>We <em>began</em>.' in shown["html"]
    assert "## Our years\n\n### 2019\n\nWe *began*." in shown["markdown"]
    assert "timeline" in shown["layouts"]["description"]


def test_the_check_reports_what_a_section_lacks(tree: CopiedTree) -> None:
    """With its line."""
    shown = tree.check("knowledge/content").stdout
    assert "pages/history.md:16 The timeline has no entries. Add a heading ### 2019." in shown
