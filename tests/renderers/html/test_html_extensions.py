"""Call-outs, footnotes, task lists and definition lists as HTML, in both languages."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from cases import cases
from markupsafe import Markup

from knowledge.locales.locale import Language
from renderers.html.commonmark import RenderOptions, render_markdown
from renderers.html.extensions import unique_footnotes

LABELS = {
    "note": ("Note", "ملاحظة"),
    "tip": ("Tip", "نصيحة"),
    "important": ("Important", "مهم"),
    "warning": ("Warning", "تحذير"),
    "caution": ("Caution", "تنبيه"),
}
ARABIC = RenderOptions(language=Language.AR)


def words_of(html: str) -> str:
    """Return the text of HTML."""
    text = Markup(html).striptags()  # noqa: S704  # the text is only compared
    return " ".join(text.split())


@cases("kind", LABELS)
@cases("form", ["> [!{}]\n> Text", ":::{}\nText\n:::"])
def test_a_call_out_has_its_title_in_the_reader_s_language(kind: str, form: str) -> None:
    """Both forms are one thing, in any case."""
    english, arabic = LABELS[kind]
    for text in (form.format(kind), form.format(kind.upper())):
        assert render_markdown(text) == (
            f'<div class="callout {kind}" role="note" aria-label="{english}">\n'
            f'<p class="callout-title">{english}</p>\n<p>Text</p>\n</div>\n'
        )
        assert f'<p class="callout-title">{arabic}</p>' in render_markdown(text, ARABIC)


@cases(
    ("text", "kind", "title"),
    [
        pytest.param("> [!NOTE] Own *title*\n> x", "note", "Own <em>title</em>", id="Obsidian"),
        pytest.param("> [!tip]- Folded\n> x", "tip", "Folded", id="folded"),
        pytest.param("> [!danger|wide]+\n> x", "caution", "Caution", id="Obsidian's danger"),
        pytest.param("> [!my-kind]\n> x", "note", "My kind", id="a kind of one's own"),
        pytest.param(":::info[A title]{#a}\nx\n:::", "note", "A title", id="Docusaurus"),
        pytest.param("::: danger STOP\nx\n:::", "caution", "STOP", id="VitePress"),
        pytest.param(':::tip{icon="heart"}\nx\n:::', "tip", "Tip", id="Starlight"),
        pytest.param("::: success\nx\n:::", "tip", "Tip", id="success"),
    ],
)
def test_a_call_out_of_any_generator(text: str, kind: str, title: str) -> None:
    """With an own title, attributes, or a kind that is another one here."""
    html = render_markdown(text)
    assert html.startswith(f'<div class="callout {kind}" role="note"')
    assert f'<p class="callout-title">{title}</p>\n<p>x</p>\n</div>' in html


@cases(
    ("text", "expected"),
    [
        pytest.param("::::note\na\n:::tip\nb\n:::\nc\n::::\nd", "note(a tip(b) c) d", id="more"),
        pytest.param(":::note\na\n::::tip\nb\n::::\nc\n:::\nd", "note(a tip(b) c) d", id="fewer"),
        pytest.param(":::note\na\n:::tip\nb\n:::\nc\n:::\nd", "note(a tip(b) c) d", id="as many"),
        pytest.param(
            "::::note\na\n:::tip\nb\n::::\nd", "note(a tip(b)) d", id="inner one unclosed"
        ),
        pytest.param(":::note\na", "note(a)", id="unclosed"),
        pytest.param(":::note\n```\n:::\n```\n:::\nd", "note(:::) d", id="colons in code"),
        pytest.param("> [!NOTE]\n> a\n>\n> > [!TIP]\n> > b", "note(a tip(b))", id="quotes"),
        pytest.param("- a\n\n  :::note\n  b\n  :::", "a note(b)", id="in a list"),
        pytest.param("a\n:::note\nb\n:::\nc", "a note(b) c", id="without blank lines"),
        pytest.param(":::notes\na\n:::", ":::notes a :::", id="another word"),
        pytest.param("> [!NOTE](/a)", "!NOTE", id="a link"),
    ],
)
def test_where_a_call_out_ends(text: str, expected: str) -> None:
    """Nested ones may have more colons, fewer or as many."""
    html = re.sub(r'<p class="callout-title">\w+</p>', "", render_markdown(text))
    html = re.sub(r'<div class="callout (\w+)"[^>]*>', r"\1(", html).replace("</div>", ")")
    words = words_of(html)
    assert words.replace("( ", "(").replace(" )", ")") == expected


def test_a_task_has_a_box_with_a_name() -> None:
    """Nobody can change it, and no form is needed."""
    html = render_markdown("- [ ] a\n- [x] **b**\n\n  c\n- d\n- [X]e")
    assert (
        '<li class="task"><p><input type="checkbox" disabled aria-label="Incomplete task"> a'
        in html
    )
    assert 'checked aria-label="Completed task"> <strong>b</strong></p>' in html
    assert "<li><p>d</p>" in html
    assert "[X]e" in html
    assert 'aria-label="مهمة منجزة"' in render_markdown("1. [x] ا", ARABIC)


@cases(
    ("text", "expected"),
    [
        pytest.param("A\n: b", "<dt>A</dt>\n<dd>b</dd>\n", id="one"),
        pytest.param(
            "A\nB\n: c\n: d", "<dt>A</dt>\n<dt>B</dt>\n<dd>c</dd>\n<dd>d</dd>\n", id="many"
        ),
        pytest.param(
            "A\n: b\n\nC\n: *d*",
            "<dt>A</dt>\n<dd>b</dd>\n<dt>C</dt>\n<dd><em>d</em></dd>\n",
            id="two",
        ),
        pytest.param("A\n\n:   b", "<dt>A</dt>\n<dd><p>b</p>\n</dd>\n", id="loose"),
        pytest.param(
            "A\n: b\ngoes on\n\n    c",
            "<dt>A</dt>\n<dd><p>b\ngoes on</p>\n<p>c</p>\n</dd>\n",
            id="long",
        ),
    ],
)
def test_terms_and_definitions(text: str, expected: str) -> None:
    """A definition may have several terms and several blocks."""
    assert render_markdown(text) == f'<dl class="definitions">\n{expected}</dl>\n'


@cases("text", ["# A\n: b", ": b", "a :b", "a\n:b", "x" * 600 + "\n: b"])
def test_other_colons_are_text(text: str) -> None:
    """A definition follows a short paragraph, and its colon a space."""
    assert "<dl" not in render_markdown(text)


def test_links_of_definitions_are_those_of_the_text() -> None:
    """A definition is part of its text."""
    assert '<dd><a href="/x">b</a></dd>' in render_markdown("A\n: [b]\n\n[b]: /x")


def test_a_footnote_leads_there_and_back() -> None:
    """A note with two references has two links back."""
    html = render_markdown("A[^x] b[^1] c[^x].\n\n[^1]: One.\n[^x]: Ex.")
    assert html == (
        '<p>A<sup class="footnote"><a href="#fn:1" id="fnref:1" aria-label="Footnote 1">1</a></sup>'
        ' b<sup class="footnote"><a href="#fn:2" id="fnref:2" aria-label="Footnote 2">2</a></sup>'
        ' c<sup class="footnote"><a href="#fn:1" id="fnref:1:2" aria-label="Footnote 1">1</a></sup>'
        ".</p>\n"
        '<section class="footnotes" role="doc-endnotes" aria-label="Footnotes"><ol>\n'
        '<li id="fn:1"><p>Ex. <a href="#fnref:1" aria-label="Back to reference 1">'
        '<span class="back" aria-hidden="true">↩\ufe0e</span></a>'
        ' <a href="#fnref:1:2" aria-label="Back to reference 1-2">'
        '<span class="back" aria-hidden="true">↩\ufe0e</span><sup>2</sup></a></p></li>\n'
        '<li id="fn:2"><p>One. <a href="#fnref:2" aria-label="Back to reference 2">'
        '<span class="back" aria-hidden="true">↩\ufe0e</span></a></p></li>\n'
        "</ol></section>\n"
    )


def test_footnotes_have_arabic_labels() -> None:
    """The heading of the notes, the references and the links back."""
    html = render_markdown("ا[^1]\n\n[^1]: ب", ARABIC)
    labels = re.findall('aria-label="([^"]*)"', html)
    assert labels == ["الحاشية 1", "الحواشي", "العودة إلى موضع الحاشية 1"]


@cases(
    ("text", "notes"),
    [
        pytest.param(
            "a[^1]\n\n[^1]: b\nlazy\n\n    c\n\n    - d\n\ne", ["b lazy c d"], id="blocks"
        ),
        pytest.param("a[^1]\n\n[^1]: b [^2]\n[^2]: c", ["b 2", "c"], id="a note of a note"),
        pytest.param("a[^1]\n\n[^1]: b [^1]", ["b 1"], id="a note of itself"),
        pytest.param("a[^ا]\n\n[^ا]: ب", ["ب"], id="Arabic label"),
        pytest.param("a[^1]\n\n[^1]:\n    b", ["b"], id="on the next line"),
        pytest.param("> a[^1]\n>\n> [^1]: b", ["b"], id="in a quote"),
        pytest.param("|a|\n|-|\n|b[^1]|\n\n[^1]: c", ["c"], id="in a table"),
        pytest.param("a\n\n[^1]: b", [], id="no reference"),
        pytest.param("[a[^1]](/b)\n\n[^1]: c", [], id="in a link, which holds no links"),
        pytest.param("a[^1]\n\n[^1]: b\n[^1]: c", ["b"], id="the first of two"),
    ],
)
def test_notes_of_any_form(text: str, notes: list[str]) -> None:
    """Notes may have several blocks and notes of their own."""
    html = re.sub("<a [^>]*Back to.*?</a>", "", render_markdown(text))
    found = re.findall(
        r'<li id="fn:\d+">(.*?)</li>\n(?=<li id="fn|</ol></section>)', html, re.DOTALL
    )
    assert [words_of(each) for each in found] == notes
    ids = re.findall(' id="([^"]*)"', html)
    assert set(re.findall('href="#(fn[^"]*)"', html)) <= set(ids)


def test_a_reference_without_a_note_is_text() -> None:
    """As in CommonMark."""
    assert render_markdown("a[^1]") == "<p>a[^1]</p>\n"


def test_the_ids_of_a_page_are_unique() -> None:
    """Texts whose notes have the same numbers get other ids, and their links follow."""
    one = render_markdown("a[^1] b[^1]\n\n[^1]: c")
    page = unique_footnotes(Markup().join((one, one, one)))
    ids = Counter(re.findall(' id="([^"]*)"', page))
    assert max(ids.values()) == 1
    assert set(re.findall('href="#([^"]*)"', page)) == set(ids)
