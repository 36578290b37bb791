"""Code blocks: language, title, marked lines, highlighting and its bounds."""

from __future__ import annotations

import re

import pytest
from cases import cases
from markupsafe import Markup

from knowledge.locales.locale import Language
from renderers.html import styles
from renderers.html.code_blocks import (
    MAX_BLOCK_CHARACTERS,
    MAX_TEXT_CHARACTERS,
    FenceInfo,
    parse_fence_info,
)
from renderers.html.commonmark import RenderOptions, render_markdown


@cases(
    ("info", "expected"),
    [
        pytest.param("js", FenceInfo("js"), id="CommonMark"),
        pytest.param("", FenceInfo(), id="nothing"),
        pytest.param("js {1,3-5}", FenceInfo("js", "", ((1, 1), (3, 5))), id="Docusaurus"),
        pytest.param("js{2}", FenceInfo("js", "", ((2, 2),)), id="VitePress"),
        pytest.param("ts:line-numbers {1}", FenceInfo("ts", "", ((1, 1),)), id="line numbers"),
        pytest.param("js [a.js]", FenceInfo("js", "a.js"), id="tab of a code group"),
        pytest.param('js title="a b.js"', FenceInfo("js", "a b.js"), id="title"),
        pytest.param("js filename='a.js'", FenceInfo("js", "a.js"), id="file name"),
        pytest.param("js:src/a.js", FenceInfo("js", "src/a.js"), id="file after a colon"),
        pytest.param("js:title=src/a.js", FenceInfo("js", "src/a.js"), id="Gatsby"),
        pytest.param("js ins={2} {4}", FenceInfo("js", "", ((4, 4),)), id="inserted lines"),
        pytest.param("{python}", FenceInfo("python"), id="R Markdown"),
        pytest.param("{r, echo=FALSE}", FenceInfo("r"), id="options of R Markdown"),
        pytest.param("{.python .numberLines}", FenceInfo("python"), id="Pandoc"),
        pytest.param("{code-block} python", FenceInfo("python"), id="MyST"),
        pytest.param("rust,ignore", FenceInfo("rust"), id="rustdoc"),
        pytest.param("python=12", FenceInfo("python"), id="HackMD"),
        pytest.param(
            'go {linenos=table,hl_lines=[8,"15-17"]}',
            FenceInfo("go", "", ((8, 8), (15, 17))),
            id="Hugo",
        ),
        pytest.param(
            'py hl_lines="2 3" title="x.py"',
            FenceInfo("py", "x.py", ((2, 2), (3, 3))),
            id="MkDocs",
        ),
        pytest.param("rust,linenos,hl_lines=3-4", FenceInfo("rust", "", ((3, 4),)), id="Zola"),
        pytest.param('title="a.txt"', FenceInfo("", "a.txt"), id="no language"),
    ],
)
def test_the_text_after_a_fence_is_that_of_any_generator(info: str, expected: FenceInfo) -> None:
    """Language, title and marked lines."""
    assert parse_fence_info(info) == expected


def test_code_is_highlighted_and_keeps_its_language() -> None:
    """The class is the author's word, also if nothing is known about it."""
    assert render_markdown("```python\nx = 1 # <b>\n```") == (
        '<pre dir="ltr" tabindex="0" role="group" aria-label="Code">'
        '<code class="language-python">x = <span class="m">1 </span>'
        '<span class="c"># &lt;b&gt;\n</span></code></pre>\n'
    )
    assert '<code class="language-zzz">&lt;b&gt;' in render_markdown("```zzz\n<b>\n```")


def test_the_language_is_escaped() -> None:
    """It cannot end its attribute."""
    html = render_markdown('~~~"><script>\nx\n~~~\n\n~~~js title="\\"><script>"\nx\n~~~')
    assert "<script" not in html


def test_a_title_is_the_caption() -> None:
    """It also names the block, for those who do not see it."""
    html = render_markdown('```js title="src/a.js"\n1\n```', RenderOptions(language=Language.AR))
    assert html.startswith('<figure class="code"><figcaption><bdi>src/a.js</bdi></figcaption>')
    assert 'dir="ltr"' in html
    assert 'aria-label="شيفرة برمجية: src/a.js"' in html


def test_marked_lines_are_marked() -> None:
    """Also within a token of several lines, and never beyond the last line."""
    html = render_markdown("```python {1-2,4-999999999}\n'''a\nb\nc'''\n\nx\n```")
    code = re.sub("</?span[^>]*>", "", html.partition("language-python")[2])
    assert "<mark>&#39;&#39;&#39;a\n</mark><mark>b\n</mark>c&#39;&#39;&#39;\n" in code
    assert code.endswith("<mark>\n</mark><mark>x\n</mark></code></pre>\n")


@cases(
    "code",
    [
        pytest.param("x = 1\n" * MAX_BLOCK_CHARACTERS, id="a long block"),
        pytest.param("x = '" + "y" * 600 + "'", id="a long line"),
        pytest.param("x = 1" + "\n" * 200 + "y = 1", id="many blank lines"),
        pytest.param("if static " * 40, id="words without any sign"),
    ],
)
def test_unusual_code_is_plain(code: str) -> None:
    """Pygments takes quadratic time for it."""
    html = render_markdown(f"```python\n{code}\n```")
    assert "<span" not in html
    assert words_of(html) == code.split()


def test_the_code_of_one_text_is_bounded() -> None:
    """What is beyond the limit is plain."""
    block = "```python\n" + "x = 1\n" * 800 + "```\n\n"
    html = render_markdown(block * 20)
    highlighted = [part for part in html.split("</pre>") if "<span" in part]
    assert len(highlighted) == MAX_TEXT_CHARACTERS // 4_800


def words_of(html: str) -> list[str]:
    """Return the text of HTML."""
    text = Markup(html).striptags()  # noqa: S704  # the text is only compared
    return text.split()


def _luminance(colour: str) -> float:
    parts = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _colours(css: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return the variables of light and of dark pages."""
    light, dark = css.split("@media (prefers-color-scheme: dark)", 1)
    found = (re.findall(r"--([\w-]+): (#\w{6});", part) for part in (light, dark))
    first, second = map(dict, found)
    return first, {**first, **second}


def test_each_colour_of_code_and_call_outs_can_be_read() -> None:
    """Contrast with the background, also of marked lines, is at least 4.5 to 1."""
    for colours in _colours(styles.FOLDER.joinpath("site", "colours.css").read_text()):
        kinds = {name for name in colours if name.startswith("code-")} - {"code-line"}
        for name in kinds | {"tip", "important", "warning", "caution"}:
            grounds = [colours["sand"], colours["paper"]]
            grounds += [colours["code-line"]] if name.startswith("code-") else []
            for ground in grounds:
                pair = sorted((_luminance(colours[name]), _luminance(ground)))
                assert (pair[1] + 0.05) / (pair[0] + 0.05) >= 4.5, (name, ground)
