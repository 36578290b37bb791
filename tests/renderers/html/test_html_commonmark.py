"""Conversion of CommonMark to HTML: safety, keyboard access and text direction."""

from __future__ import annotations

import re

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from knowledge.locales.locale import Language
from renderers.html.commonmark import RenderOptions, render_markdown, safe_href
from renderers.html.section_texts import call_to_action, figure, item_list


@cases(
    ("text", "expected"),
    [
        pytest.param("<b>x</b>", "<p><b>x</b></p>\n", id="raw HTML"),
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
def test_markdown_constructs_become_html(text: str, expected: str) -> None:
    """The HTML is escaped, and left-to-right text is isolated."""
    assert render_markdown(text, RenderOptions(direction="rtl")) == expected


@cases(
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
def test_unsafe_targets_are_rejected(target: str) -> None:
    """The scheme is recognized in any case and with invisible or encoded characters."""
    assert safe_href(target) is None


@given(st.text(alphabet="[]()<>!`#*_|-:\n\t javascriptdata&#x0A;\"'\\%", max_size=80))
def test_no_text_becomes_a_script(text: str) -> None:
    """Any mixture of markup characters is safe."""
    html = render_markdown(text).lower()
    assert "<script" not in html
    assert 'href="javascript' not in html
    assert 'src="data' not in html


def test_headings_start_at_the_given_level() -> None:
    """A page has no h1 besides its title."""
    text = "# One\n\n### Three\n\n###### Six"
    assert render_markdown(text, RenderOptions(top=3)).count("<h3>") == 2
    assert "<h6>Six</h6>" in render_markdown(text, RenderOptions(top=3))


def test_headings_have_unique_ids() -> None:
    """Equal headings are numbered; Arabic headings have Arabic ids."""
    html = render_markdown("## Why *so*\n\n## Why so\n\n## لماذا", RenderOptions(anchors=True))
    assert 'id="why-so"' in html
    assert 'id="why-so-2"' in html
    assert 'id="لماذا"' in html


def test_a_thousand_equal_headings_have_unique_ids() -> None:
    """The numbering skips an id that another heading has."""
    html = render_markdown("## Why 3\n\n" + "## Why\n\n" * 1_000, RenderOptions(anchors=True))
    ids = re.findall(r'id="([^"]+)"', html)
    assert ids[:4] == ["why-3", "why", "why-2", "why-4"]
    assert len(set(ids)) == 1_001


def test_tables_scroll_and_have_column_headers() -> None:
    """Tables are scrollable by keyboard and have no inline styles."""
    html = render_markdown("| a | b |\n|---|--:|\n| 1 | 2 |", RenderOptions(language=Language.AR))
    assert '<div class="table" tabindex="0" role="group" aria-label="جدول">' in html
    assert '<th scope="col" class="number">b</th>' in html
    assert "style=" not in html


def test_an_empty_cell_of_a_table_s_head_is_no_header() -> None:
    """As screen readers would announce nothing for its column."""
    html = render_markdown("| | a |\n|---|---|\n| 1 | 2 |")
    assert '<thead>\n<tr>\n<td></td>\n<th scope="col">a</th>' in html


@cases("alignment", ["---", "--:"])
def test_the_first_cells_below_an_empty_corner_are_the_heads_of_their_rows(alignment: str) -> None:
    """Each cell then has two headers; in a table with a full head they are cells."""
    rows = "| Oman **5%** | 2 |\n| | 4 |\n"
    html = render_markdown(f"| | a |\n|{alignment}|---|\n{rows}")
    assert re.findall("<(t[hd])[^>]*>(?!<t)", html.partition("<tbody>")[2]) == ["th", "td"] * 2
    assert re.search(r'<tr>\n<th scope="row"[^>]*>Oman <strong>5%</strong></th>\n<td>2</td>', html)
    assert 'scope="row"' not in render_markdown(f"| b | a |\n|---|---|\n{rows}")
    assert 'scope="row"' not in render_markdown("| |\n|---|\n| 1 |")


@cases(
    ("row", "label"),
    [
        pytest.param("1 | 2 | 3 | 4", "", id="four short columns"),
        pytest.param("1 | 2 | 3 | 4 | 5", ' data-label="&#34;A&#34; B"', id="five columns"),
        pytest.param("1 | 2 | 3 | `RESOURCE_NOT_FOUND`", ' data-label="&#34;A&#34; B"', id="long"),
    ],
)
def test_cells_have_the_titles_of_columns_that_a_phone_has_no_room_for(
    row: str, label: str
) -> None:
    """Of more than four columns, and of a long word that cannot be broken."""
    head = ["", '"A" **B**', "c", "d", "e"][: row.count("|") + 1]
    table = f"|{'|'.join(head)}|\n|{'-|' * len(head)}\n|{row}|"
    html = render_markdown(table)
    assert f'<tr>\n<th scope="row">1</th>\n<td{label}>2</td>' in html
    assert ('class="table stack"' in html) is bool(label)


def test_item_list_splits_terms_and_texts() -> None:
    """The text before and after the list is kept."""
    parts = item_list("Before.\n\n- **Stock**: by [branch](/b)\n- Plain\n\nAfter.")
    assert parts is not None
    assert [(item.term, item.text) for item in parts.items] == [
        ("Stock", 'by <a href="/b">branch</a>'),
        ("", "Plain"),
    ]
    assert parts.before == "<p>Before.</p>\n"
    assert parts.after == "<p>After.</p>\n"
    assert item_list("No list.") is None


def test_the_name_of_a_card_leads_where_the_only_link_of_its_text_leads() -> None:
    """So the whole card is a link; with two of them, each stays where it is.

    So does an address or a number, which is then seen to be a link.
    """
    text = "- **Stock**: by [branch](/b)\n- **Tax**: [a](/a), [b](/b)\n- **Us**: [1](tel:1)\n"
    found = item_list(text, cards=True)
    assert found is not None
    one, two, call = found.items
    assert (call.term, call.text) == ("Us", '<a href="tel:1"><bdi dir="ltr">1</bdi></a>')
    assert one.term == '<a href="/b">Stock</a>'
    assert one.text == "by branch"
    assert two.term == "Tax"
    assert two.text == '<a href="/a">a</a>, <a href="/b">b</a>'


@cases(
    ("text", "words", "buttons"),
    [
        pytest.param("Ask us. [Contact](/c)", "<p>Ask us. </p>", ["/c"], id="after a sentence"),
        pytest.param("[Contact](/c)", "", ["/c"], id="alone"),
        pytest.param("[Ask](/c) and see.", "<p>Ask and see.</p>", ["/c"], id="within a sentence"),
        pytest.param("Please [ask](/c)", "<p>Please ask</p>", ["/c"], id="ends a sentence"),
        pytest.param("**[Ask](/c)**", "<p><strong>Ask</strong></p>", ["/c"], id="bold"),
        pytest.param("Hi.\n\n[A](/a) [B](/b)", "<p>Hi.</p>", ["/a", "/b"], id="two"),
        pytest.param("Hi.\n\n[A](/a) · [B](/b)", "<p>Hi.</p>", ["/a", "/b"], id="with a dot"),
        pytest.param(
            "[A](/a) [B](/b)\n\nor [C](/c).",
            '<p>or <a href="/c">C</a>.</p>',
            ["/a", "/b"],
            id="a third one stays in the text",
        ),
        pytest.param("Ask. [x](javascript:a)", "<p>Ask. x</p>", [], id="harmful"),
        pytest.param("", "", [], id="empty"),
    ],
)
def test_the_first_links_of_a_call_to_action_are_buttons(
    text: str, words: str, buttons: list[str]
) -> None:
    """Without them no word of a sentence is lost."""
    found = call_to_action(text)
    assert found.text.strip() == words
    assert [button.href for button in found.buttons] == buttons


def test_figure_splits_image_and_caption() -> None:
    """The text must begin with the image."""
    parts = figure("![A map](/m.png)\n\nOur *map*.")
    assert parts is not None
    assert parts.image.startswith('<img src="/m.png" alt="A map"')
    assert parts.caption == "<p>Our <em>map</em>.</p>\n"
    assert figure("Words first ![A map](/m.png)") is None
