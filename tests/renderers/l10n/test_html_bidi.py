"""Isolation of runs in text of the other direction."""

from __future__ import annotations

import re

from bidi import get_display
from cases import cases
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup, escape
from mixed_texts import AS_WRITTEN, ENGLISH, TURNED

from knowledge.locales.locale import Language
from renderers.html.commonmark import RenderOptions, render_markdown
from renderers.html.templating import environment
from renderers.l10n.bidi import highlighted, isolated, isolated_runs, isolated_value

ARABIC = RenderOptions(language=Language.AR, direction="rtl")


@cases("text", AS_WRITTEN)
def test_what_the_algorithm_would_reorder_is_isolated(text: str) -> None:
    """And nothing else: `get_display` is an implementation of UAX 9."""
    sentence = f"نص {text} نص"
    runs = [sentence[start:end] for start, end in isolated_runs(sentence, "rtl")]
    assert runs == ([] if text in get_display(sentence) else [text])


@cases("text", TURNED)
def test_arabic_phrases_are_not_isolated_in_arabic(text: str) -> None:
    """Only the parts of them that read from left to right."""
    assert 'dir="rtl"' not in isolated(text, "rtl")


@cases(("text", "names"), [*zip(ENGLISH, (1, 2, 1, 0), strict=True)])
def test_arabic_names_are_isolated_in_english(text: str, names: int) -> None:
    """Numbers are not: they read in the direction of the text."""
    html = isolated(text, "ltr")
    assert html.count('<bdi dir="rtl">') == html.count("<bdi") == names


@given(st.text('نص 12,.=×%+-–()a@&<"\u00a0/:\n', max_size=24), st.sampled_from(("ltr", "rtl")))
def test_isolation_adds_elements_only(text: str, direction: str) -> None:
    """The text is the same, and escaped."""
    html = isolated(text, direction)
    assert re.sub("</?bdi[^>]*>", "", html) == escape(text)


@cases(
    ("markdown", "html"),
    [
        ("200 ×\n15% = **30**", '<bdi dir="ltr">200 ×\n15% = <strong>30</strong></bdi>'),
        ("**5** - 3 = *2* نص", '<bdi dir="ltr"><strong>5</strong> - 3 = <em>2</em></bdi> نص'),
        ("**نص 5** - 3", "<strong>نص 5</strong> - 3"),
        ("[5-7](/a)", '<a href="/a"><bdi dir="ltr">5-7</bdi></a>'),
        ("`5-7`", '<code dir="ltr">5-7</code>'),
        ("<code>5-7</code> 5-7", '<code>5-7</code> <bdi dir="ltr">5-7</bdi>'),
        ('<bdi dir="ltr">5-7</bdi>', '<bdi dir="ltr">5-7</bdi>'),
        ("![5-7](/a.png)", '<img src="/a.png" alt="5-7" loading="lazy" decoding="async">'),
    ],
)
def test_runs_of_markdown(markdown: str, html: str) -> None:
    """They go on over lines and emphasis; code and what is isolated already stay as they are."""
    assert render_markdown(markdown, ARABIC) == f"<p>{html}</p>\n"


def test_a_highlighted_run_is_isolated_whole() -> None:
    """Its marks are inside."""
    html = highlighted("من 5-7 إلى", lambda _: [(0, 4), (5, 6)], "rtl")
    assert html == ('<mark>من </mark><bdi dir="ltr"><mark>5</mark>-<mark>7</mark></bdi> إلى')


def test_templates_isolate_the_values_they_show_as_text() -> None:
    """Not those in attributes, code or elements whose text is no markup."""
    template = environment(Language.AR).from_string(
        '<title>{{ x }}</title><p class="{{ x }}" {{ x }}>{{ x }}</p><{{ tag }}>{{ x }}</{{ tag }}>'
        ' id="{{ x }}" <bdi dir="ltr">{{ x }}</bdi><bdi>{{ x }}</bdi><code>{{ x }}</code>{{ 5 }}'
    )
    run = '<bdi dir="ltr">5-7</bdi>'
    assert template.render(x="5-7", tag="h1") == (
        f'<title>5-7</title><p class="5-7" 5-7>{run}</p><h1>{run}</h1>'
        f' id="5-7" {run}<bdi>{run}</bdi><code>5-7</code>5'
    )


def test_html_and_numbers_stay_as_they_are() -> None:
    """Only a text is searched for runs; that of an interface text is escaped already."""
    assert isolated_value(Markup("<b>5-7</b>"), Language.AR) == "<b>5-7</b>"
    assert isolated_value(57, Language.AR) == 57
    assert isolated_value(Markup("5-7 &amp;"), Language.AR) == '<bdi dir="ltr">5-7</bdi> &amp;'
    assert isolated_value("5-7", Language.EN) == "5-7"
