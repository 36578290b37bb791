"""Lines: diagnostics name those of the file, though syntax of several lines is replaced."""

from __future__ import annotations

import pytest
from conftest import NOW, Content, document_of
from hypothesis import example, given
from hypothesis import strategies as st

from knowledge.checks.content_linter import check_content
from knowledge.markdown.generator_syntax import read_syntax
from knowledge.snapshot.loading import load_content

_BEFORE = {
    "comment": "<!-- a\n\nb -->\n",
    "import": "import {\n  A\n} from 'a'\n",
    "tabs": '=== "A"\n\n    b\n\n=== "C"\n\n    d\n\n',
    "cards": '<Card title="A">\nb\n</Card>\n\n<Card title="C">\nd\n</Card>\n\n',
    "highlight": "{% highlight a %}\nb\n{% endhighlight %}\n",
    "highlight in a module": "export const a = {\n{% highlight b %}\nc{% endhighlight %}}\n\n",
    "markdown in HTML": '<div markdown="1">\n\na\n</div>\n<p markdown="1">b</p>\n\n',
    "notice": '{{< tab "A" >}}\nb\n{{< /tab >}}\n\n',
}


@pytest.mark.parametrize("before", _BEFORE.values(), ids=_BEFORE.keys())
@pytest.mark.parametrize("suffix", ["md", "mdx"])
def test_a_diagnostic_names_the_line_in_the_file(
    content: Content, before: str, suffix: str
) -> None:
    """Below syntax that is replaced by more or by fewer lines."""
    text = f"---\ntitle: A\n---\n{before}[x](/gone)\n"
    loaded = load_content(content({f"pages/a.{suffix}": text}))
    lines = [each.line for each in check_content(loaded, NOW) if "/gone" in each.message]
    assert lines == [text[: text.index("[x]")].count("\n") + 1]


def test_what_is_left_out_is_told_once_with_its_count(content: Content) -> None:
    """The notice is at the first place, and says how to write the text literally."""
    text = "---\ntitle: A\n---\na\n{% include b.html %}\n{% include c.html %}\n{{ d }}\n"
    loaded = load_content(content({"pages/a.md": text}))
    first, second = loaded.diagnostics
    assert (first.line, first.severity.label) == (5, "notice")
    assert "“{% include b.html %}” is Liquid syntax and is left out (2 places)." in first.message
    assert "backticks" in first.suggestion
    assert (second.line, "{{ d }}" in second.message) == (7, True)


_TAGS = ["{% raw %}", "{% endraw %}", "{% a %}", "{{ b }}", "{{< c >}}", "{: #k}"]
_BLOCKS = ["```\n", "!!! f\n", '=== "g"\n', ":::", "import a from 'b'\n", "export const a = {\n"]
_CODE = ["{% highlight j %}\n", "{% endhighlight %}", "`", "$", "%%", "<!-- ", "-->", "*/}", "{/* "]
_COMPONENTS = ["<A x='b'>", "</A>", "<B />", "{", "}"]
_HTML = ['<div markdown="1">', "</div>", "<p markdown>", "</p>", '<h2 markdown="1">', "</h2>"]
_TEXTS = ["[[d]]", "==e==", "    ", "\n", "\n\n", "word ", "# h\n", "- i\n", "\\", "مرحبا"]
_PIECES = st.sampled_from(_TAGS + _BLOCKS + _CODE + _COMPONENTS + _HTML + _TEXTS)


@given(st.lists(_PIECES, max_size=30).map("".join), st.sampled_from(["a.md", "a.mdx"]))
@example('<h2 markdown="1"><h2 markdown="1"></h2></h2>', "a.md")
@example('<h2 markdown="1">\n<p markdown>a</p>\n\n</h2>\n', "a.md")
@example("<p markdown>export const a = {\n</p>", "a.mdx")
def test_no_text_breaks_the_reading(text: str, path: str) -> None:
    """Lines that are not inserted are as many as in the file, and nothing internal shows."""
    read = read_syntax(text, path)
    assert "\0" not in read.text
    assert read.text.count("\n") - len(read.inserted_lines) == text.count("\n")


def test_the_text_of_a_draft_of_jekyll_is_not_published() -> None:
    """A file in `_drafts` is a draft unless it says otherwise."""
    assert document_of("_drafts/a.md", "b").fields.published is False
    assert document_of("_posts/2020-01-02-a.md", "b").fields.published is None
