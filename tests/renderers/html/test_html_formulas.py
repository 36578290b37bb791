"""Formulas as MathML: where they begin and end, what cannot be read, and safety."""

from __future__ import annotations

import pytest
from cases import cases
from conftest import NOW, document_of
from markupsafe import escape

from knowledge.checks.content_linter import ContentLinter
from knowledge.diagnostics.diagnostic import Severity
from knowledge.documents.content_path import NOWHERE
from knowledge.locales.locale import Language
from knowledge.markdown.inline import plain_text
from knowledge.markdown.math import MAX_CHARACTERS
from knowledge.snapshot.snapshot import build_snapshot
from renderers.html.commonmark import RenderOptions, render_markdown
from renderers.html.extensions import MAX_TEXT_CHARACTERS


@cases(
    "text",
    [
        "It costs $5 and $10.",
        "From US$5 to US$6",
        "$20,000 and USD$30,000",
        "a $ b $ c",
        "$HOME/$USER",
        r"\$x$",
        "`$x$`",
        "$$ a",
        "$x\n\ny$",
    ],
)
def test_other_dollar_signs_are_text(text: str) -> None:
    """Prices, names of variables and code are no formulas."""
    assert "<math" not in render_markdown(text)


@cases(
    ("text", "expected"),
    [
        pytest.param("$x^2$", "<msup><mi>x</mi><mn>2</mn></msup>", id="inline"),
        pytest.param("$`a_b`$", "<msub><mi>a</mi><mi>b</mi></msub>", id="GitHub"),
        pytest.param("**a** $a*b*c$ b", "<mo>*</mo><mi>b</mi><mo>*</mo>", id="no emphasis"),
        pytest.param("a $$b$$ c", 'display="block"', id="display in a paragraph"),
        pytest.param("$$\n\\frac{a}{b}\n$$", "<mfrac>", id="block"),
        pytest.param("> $$a$$", "<math", id="in a quote"),
        pytest.param("- $a$\n\n  $$\n  b\n  $$", "<math", id="in a list"),
        pytest.param("```math\na < b\n```", "<mo>&lt;</mo>", id="fence"),
        pytest.param(
            "$$\\begin{aligned}a&=b\\end{aligned}$$", '<mtd columnalign="right">', id="aligned"
        ),
    ],
)
def test_formulas_become_mathml(text: str, expected: str) -> None:
    """They read from left to right in every text."""
    html = render_markdown(text, RenderOptions(language=Language.AR))
    assert '<math dir="ltr"' in html
    assert expected in html


def test_a_block_of_math_scrolls_and_has_a_name() -> None:
    """In the reader's language."""
    html = render_markdown("$$a$$", RenderOptions(language=Language.AR))
    assert html.startswith(
        '<div class="formula" dir="ltr" tabindex="0" role="group" aria-label="صيغة رياضية"><math'
    )


@cases(
    "tex",
    [
        pytest.param(r"\foo{x}", id="unknown command"),
        pytest.param(r"\frac{a}", id="missing argument"),
        pytest.param("a & b", id="a cell without a table"),
        pytest.param("{" * 900, id="nested too deeply"),
        pytest.param("x" * (MAX_CHARACTERS + 1), id="too long"),
    ],
)
def test_a_formula_that_cannot_be_read_is_code_with_a_notice(tex: str) -> None:
    """No text is lost."""
    assert render_markdown(f"${tex}$") == f'<p><code dir="ltr">{escape(tex)}</code></p>\n'
    document = document_of("posts/a.md", f"---\ntitle: A\n---\nText\n\n${tex}$ and $x$")
    snapshot = build_snapshot({"posts/a.md": document}, NOWHERE, ())[0]
    found = [each for each in ContentLinter(snapshot, NOW).diagnostics() if "formula" in str(each)]
    assert [(each.line, each.severity) for each in found] == [(6, Severity.NOTICE)]


@cases(
    "tex",
    [
        r"\text{<script>alert(1)</script>}",
        r"\href{javascript:alert(1)}{x}",
        r"\style{color:red}{x}",
        r"\class{a}{x}",
        r"\color{&quot; onclick=&quot;x}{x}",
        '\\color{"><script>}{x}',
        r"\hspace{1em\" onclick=\"x}",
    ],
)
def test_a_formula_holds_no_script_and_no_style(tex: str) -> None:
    """Only the elements and attributes of MathML that are allowed."""
    html = render_markdown(f"${tex}$")
    tags = html.split("<")[1:]
    assert not any(tag.startswith("script") for tag in tags)
    inside = [tag.partition(">")[0] for tag in tags]
    assert not any(
        word in each for each in inside for word in ("href", "style=", "class", "onclick")
    )


def test_the_formulas_of_one_text_are_bounded() -> None:
    """Those beyond the limit are code."""
    html = render_markdown("$x$ " * MAX_TEXT_CHARACTERS)
    assert 0 < html.count("<math") <= MAX_TEXT_CHARACTERS // 20
    assert "<code" in html


def test_formulas_are_text_in_plain_text() -> None:
    """Search and descriptions find them as written."""
    assert plain_text("Let $x^2$ be.\n\n$$\ny\n$$") == "Let x^2 be. y"
