"""Figures: an image with a title, alone in its paragraph, has it as its caption."""

from __future__ import annotations

import pytest
from cases import cases
from conftest import ViewOf
from pictures import picture
from renderers_html import TITLE, Files, images, page

from renderers.html.commonmark import render_markdown
from renderers.html.section_texts import figure


def test_a_title_is_the_caption() -> None:
    """It is text, escaped once, and no longer an attribute."""
    html = render_markdown('![A & B](/a.png "Tea & <b>cake</b> \\"today\\"")')
    assert html.startswith('<figure>\n<img src="/a.png" alt="A &amp; B"')
    caption = "Tea &amp; &lt;b&gt;cake&lt;/b&gt; "
    assert f"<figcaption>{caption}" in html
    assert "title=" not in html
    assert "<p>" not in html


@cases(
    "text",
    [
        pytest.param("![A](/a.png)", id="no title"),
        pytest.param('![A](/a.png "T") and text', id="text beside it"),
        pytest.param('![A](/a.png "T") ![B](/b.png "T")', id="two images"),
        pytest.param('[![A](/a.png "T")](/b)', id="a link"),
        pytest.param('- ![A](/a.png "T")', id="an item of a list"),
        pytest.param('![A](javascript:x "T")', id="an unsafe address"),
    ],
)
def test_any_other_image_stays_in_its_text(text: str) -> None:
    """Its title stays, too, unless it is left out for its address."""
    html = render_markdown(text)
    assert "<figure" not in html
    assert "javascript" not in html
    assert html.count('title="T"') == ("" if "javascript" in text else text).count('"T"')


def test_an_image_of_an_author_in_html_is_no_figure() -> None:
    """It is cleaned, and keeps its title."""
    html = render_markdown('<img src="/a.png" alt="A" title="T" onerror="x()">\n')
    assert html.strip() == '<img src="/a.png" alt="A" title="T" loading="lazy" decoding="async">'


def test_the_image_of_a_section_has_its_title_as_caption() -> None:
    """A text of the section wins."""
    found = figure('![A](/a.png "The title")')
    assert found is not None
    assert "The title" in found.caption
    assert "title=" not in found.image
    other = figure('![A](/a.png "The title")\n\nThe text.')
    assert other is not None
    assert "The text." in other.caption
    assert "The title" not in other.caption


def test_a_figure_on_a_page_has_its_size_or_its_alternative_text(view_of: ViewOf) -> None:
    """A missing image keeps its caption."""
    body = '![A](/images/a.png "First")\n\n![Lost](/images/none.png "Second")'
    files: Files = {"pages/x.md": TITLE + body, "images/a.png": picture("PNG", 30, 20)}
    html = page(view_of, files)
    [image] = images(html)
    assert (image["width"], image["height"]) == ("30", "20")
    assert '<span class="missing">Lost</span>\n<figcaption>Second</figcaption>' in html
