"""CommonMark as HTML: safe, reachable by keyboard, and right in both directions."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderers.html.commonmark import (
    RenderOptions,
    call_to_action,
    figure,
    item_list,
    render_markdown,
    safe_href,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("<b>x</b>", "<p>&lt;b&gt;x&lt;/b&gt;</p>\n", id="raw HTML"),
        pytest.param("`<b>`", '<p><code dir="ltr">&lt;b&gt;</code></p>\n', id="code"),
        pytest.param("[a](/b)", '<p><a href="/b">a</a></p>\n', id="link"),
        pytest.param(
            "[a](https://b.test)",
            '<p><a href="https://b.test" rel="noopener">a</a></p>\n',
            id="link to another site",
        ),
        pytest.param(
            "![a](/b.png)",
            '<p><img src="/b.png" alt="a" loading="lazy" decoding="async"></p>\n',
            id="image",
        ),
        pytest.param(
            "هاتف +971 4 555 0142",
            '<p>هاتف <bdi dir="ltr">+971 4 555 0142</bdi></p>\n',
            id="phone number among Arabic words",
        ),
        pytest.param(
            "شاشة 1920 × 1080",
            '<p>شاشة <bdi dir="ltr">1920 × 1080</bdi></p>\n',
            id="measures among Arabic words",
        ),
        pytest.param(
            "[a@b.test](mailto:a@b.test)",
            '<p><a href="mailto:a@b.test"><bdi dir="ltr">a@b.test</bdi></a></p>\n',
            id="e-mail address",
        ),
        pytest.param(
            "[اكتب](mailto:a@b.test)",
            '<p><a href="mailto:a@b.test">اكتب</a></p>\n',
            id="Arabic words that lead to an address",
        ),
    ],
)
def test_each_construct_has_its_markup(text: str, expected: str) -> None:
    """Escaped, labelled and isolated as needed."""
    assert render_markdown(text) == expected


@pytest.mark.parametrize(
    "target",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "java\tscript:alert(1)",
        "\u200bjavascript:alert(1)",
        "%6aavascript:alert(1)",
        "vbscript:x",
        "data:text/html,x",
        "data:image/svg+xml,x",
        "file:///etc/passwd",
    ],
)
def test_a_target_that_may_harm_is_none(target: str) -> None:
    """Whatever its case, and however it is hidden."""
    assert safe_href(target) is None


@given(st.text(alphabet="[]()<>!`#*_|-:\n\t javascriptdata&#x0A;\"'\\%", max_size=80))
def test_no_text_makes_a_script_or_a_handler(text: str) -> None:
    """For any mixture of markup characters."""
    made = render_markdown(text).lower()
    assert "<script" not in made
    assert 'href="javascript' not in made
    assert 'src="data' not in made


def test_headings_begin_where_the_page_lets_them() -> None:
    """The page keeps its single h1."""
    text = "# One\n\n### Three\n\n###### Six"
    assert render_markdown(text, RenderOptions(top=3)).count("<h3>") == 2
    assert "<h6>Six</h6>" in render_markdown(text, RenderOptions(top=3))


def test_headings_have_ids_that_differ() -> None:
    """Twins are numbered, Arabic stays Arabic."""
    made = render_markdown("## Why *so*\n\n## Why so\n\n## لماذا", RenderOptions(anchors=True))
    assert 'id="why-so"' in made
    assert 'id="why-so-2"' in made
    assert 'id="لماذا"' in made


def test_a_heading_that_stands_a_thousand_times_is_numbered_each_time() -> None:
    """Also where a number is another heading's own; no id is given twice."""
    made = render_markdown("## Why 3\n\n" + "## Why\n\n" * 1_000, RenderOptions(anchors=True))
    found = re.findall(r'id="([^"]+)"', made)
    assert found[:4] == ["why-3", "why", "why-2", "why-4"]
    assert len(set(found)) == 1_001


def test_tables_scroll_and_name_their_columns() -> None:
    """By keyboard as well, and without inline styles."""
    made = render_markdown("| a | b |\n|---|--:|\n| 1 | 2 |", RenderOptions(table_label="Prices"))
    assert '<div class="scroll" tabindex="0" role="group" aria-label="Prices">' in made
    assert '<th scope="col" class="number">b</th>' in made
    assert "style=" not in made


def test_a_list_comes_apart_into_terms_and_texts() -> None:
    """What stands around the list is kept."""
    found = item_list("Before.\n\n- **Stock**: by [branch](/b)\n- Plain\n\nAfter.")
    assert found is not None
    assert [(item.term, item.text) for item in found.items] == [
        ("Stock", 'by <a href="/b">branch</a>'),
        ("", "Plain"),
    ]
    assert found.before == "<p>Before.</p>\n"
    assert found.after == "<p>After.</p>\n"
    assert item_list("No list.") is None


@pytest.mark.parametrize(
    ("text", "href"),
    [
        pytest.param("Ask us. [Contact](/contact)", "/contact", id="after a sentence"),
        pytest.param("[Contact](/contact)", "/contact", id="alone"),
        pytest.param("[Contact](/contact) and we answer.", "", id="within a sentence"),
        pytest.param("Please [ask](/contact)", "", id="ends a sentence"),
        pytest.param("Ask. [x](javascript:a)", "", id="harmful"),
        pytest.param("", "", id="empty"),
    ],
)
def test_a_link_that_stands_alone_becomes_the_button(text: str, href: str) -> None:
    """One that belongs to a sentence stays in it."""
    assert call_to_action(text).href == href


def test_a_picture_comes_apart_from_its_caption() -> None:
    """Only where the text opens with it."""
    found = figure("![A map](/m.png)\n\nOur *map*.")
    assert found is not None
    assert found.image.startswith('<img src="/m.png" alt="A map"')
    assert found.caption == "<p>Our <em>map</em>.</p>\n"
    assert figure("Words first ![A map](/m.png)") is None
