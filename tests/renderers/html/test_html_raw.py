"""Raw HTML in markdown: what is shown, how it is closed, and its headings, ids and links."""

from __future__ import annotations

import pytest
from cases import cases

from renderers.html.commonmark import RenderOptions, render_markdown
from renderers.html.raw_html import MAX_OPEN_TAGS, _cleaner

_OPTIONS = RenderOptions(anchors=True)


def _rendered(text: str) -> str:
    return str(render_markdown(text, _OPTIONS)).strip()


@cases(
    ("text", "expected"),
    [
        pytest.param("a<br>b", "<p>a<br>b</p>", id="break"),
        pytest.param("H<sub>2</sub>O", "<p>H<sub>2</sub>O</p>", id="tags within a text"),
        pytest.param("<kbd>**A**</kbd>", "<p><kbd><strong>A</strong></kbd></p>", id="markdown"),
        pytest.param("<b>x", "<p><b>x</b></p>", id="unclosed"),
        pytest.param("x</b></div></article>", "<p>x</p>", id="never opened"),
        pytest.param("- <b>x\n- y", "<ul>\n<li><b>x</b></li>\n<li>y</li>\n</ul>", id="by item"),
        pytest.param("<div>\n\n*x*\n\n</div>", "<div>\n<p><em>x</em></p>\n</div>", id="block"),
        pytest.param("<div>\n\n*x*", "<div>\n<p><em>x</em></p>\n</div>", id="unclosed block"),
        pytest.param("<div>*x*</div>", "<div>*x*</div>", id="no markdown within a line of HTML"),
        pytest.param("x <div>y</div>", "<div>x <div>y</div></div>", id="a block in a paragraph"),
        pytest.param("<font color=red>x</font>", "<p>x</p>", id="another tag"),
        pytest.param("a <script>b</script> c", "<p>a  c</p>", id="a script with its content"),
        pytest.param("<style>\nb\n\n</style>\n\nc", "<p>c</p>", id="a style with its content"),
        pytest.param("use <script>, yes", "<p>use &lt;script&gt;, yes</p>", id="a mention"),
        pytest.param("<b onclick=x style=y>z</b>", "<p><b>z</b></p>", id="attributes"),
        pytest.param('<a href="javascript:x">y</a>', "<p><a>y</a></p>", id="unsafe address"),
        pytest.param("a <!-- b --> c", "<p>a  c</p>", id="comment"),
        pytest.param("a\n\n<!-- b\n\nc -->\n\nd", "<p>a</p>\n\n<p>d</p>", id="long comment"),
        pytest.param("a\n\n<!-- b\n\nc", "<p>a</p>", id="comment that is never closed"),
        pytest.param('<div title="\n\n*x*', '&lt;div title="\n<p><em>x</em></p>', id="unfinished"),
        pytest.param("<a id='main'>x</a>", "<p><a>x</a></p>", id="an id of the page"),
        pytest.param("<a name=x></a>", '<p><a id="x"></a></p>', id="a name is an id"),
        pytest.param("<i id=x>a</i> <i id=x>b</i>", '<p><i id="x">a</i> <i>b</i></p>', id="twice"),
    ],
)
def test_raw_html_is_cleaned_and_closed(text: str, expected: str) -> None:
    """Its tags never reach beyond the paragraph, item or text that they stand in."""
    assert _rendered(text) == expected


def test_headings_of_raw_html_have_ids_and_levels_as_others() -> None:
    """They get numbers beside equal headings, and are never above the largest level."""
    html = render_markdown("<h1>A &amp; b</h1>\n\n# A & b\n\n<H4 id=own>C</H4>", _OPTIONS)
    assert '<h2 id="a-b">A &amp; b</h2>' in html
    assert '<h2 id="a-b-2">A &amp; b</h2>' in html
    assert "<h4 id=" in html


def test_an_id_of_a_heading_belongs_to_no_other_element() -> None:
    """A link to it leads to the heading."""
    html = render_markdown('<a id="in"></a>\n\n## In\n\n<a id="out"></a>', _OPTIONS)
    assert html.count('id="in"') == 1
    assert '<h2 id="in">' in html
    assert '<a id="out">' in html


def test_media_are_files_of_the_site() -> None:
    """A video or audio of another site has no source; those of the site have controls."""
    own = render_markdown('<video src="/a.mp4" poster="/a.png" onplay=x></video>', _OPTIONS)
    assert 'src="/a.mp4"' in own
    assert 'controls=""' in own
    other = '<video src="https://x.test/a.mp4"><source src="//x.test/b.mp4"></video>'
    assert "x.test" not in render_markdown(other, _OPTIONS)


def test_images_load_when_they_are_needed() -> None:
    """As those of markdown do."""
    html = render_markdown('<img src="/a.png" alt="A" width="20">', _OPTIONS)
    assert 'src="/a.png"' in html
    assert 'loading="lazy"' in html


def test_a_placeholder_cannot_be_written_by_an_author() -> None:
    """Rendered markdown never lands in an attribute, which it could end."""
    text = '<div>\n\n[x](/y "onclick=alert(1)")\n\n<p title="\n\n*x*\n\n">\n\n</div>'
    html = render_markdown(text, _OPTIONS)
    assert 'title="onclick=alert(1)"' in html
    assert "<em>x</em>" in html


def test_tags_beyond_the_limit_of_nesting_are_text() -> None:
    """A text of many open tags is cleaned in linear time."""
    html = render_markdown("<div>" * (2 * MAX_OPEN_TAGS) + "x", _OPTIONS)
    assert html.count("<div>") == MAX_OPEN_TAGS
    assert html.count("&lt;div&gt;") == MAX_OPEN_TAGS


def test_a_page_without_raw_html_is_not_cleaned(monkeypatch: pytest.MonkeyPatch) -> None:
    """nh3 gets only what authors write as HTML."""
    monkeypatch.setattr("renderers.html.commonmark.MixedHtml", None)
    assert _rendered("**x** `<b>` &lt;b&gt;").startswith("<p>")


def test_the_link_of_a_raw_heading_stands_beside_it() -> None:
    """As that of any other heading; the author's attributes and markup stay within it."""
    assert _rendered("<h2 lang=en>A <b>b</b></h2>") == (
        '<linked-heading><h2 id="a-b" lang="en">A <b>b</b></h2>'
        '<a class="anchor" href="#a-b" aria-labelledby="a-b" tabindex="-1"></a></linked-heading>'
    )


@cases("tag", ['<img src="/a.png" alt="A">', '<video src="/a.mp4"></video>'])
def test_every_process_writes_the_same(tag: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the ETag of a page would differ between workers; each cleaner has its own order."""
    monkeypatch.setattr("renderers.html.raw_html._cleaner", _cleaner.__wrapped__)
    assert len({render_markdown(f"{tag}<!--{number}-->") for number in range(30)}) == 1
