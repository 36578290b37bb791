"""Syntax of other generators in bodies: what is read, what is left out, and what stays."""

from __future__ import annotations

import pytest
from cases import cases

from knowledge.markdown.generator_syntax import read_syntax


def read(text: str, path: str = "posts/a.md") -> str:
    """Return a text as it is read, without the blank lines that keep the others in place."""
    return "\n".join(
        line.rstrip() for line in read_syntax(text, path).text.split("\n") if line.strip()
    )


@cases(
    ("text", "expected"),
    [
        pytest.param("a <!-- b --> c", "a  c", id="HTML comment"),
        pytest.param("<!-- a\n\nb -->\nc", "c", id="HTML comment of several lines"),
        pytest.param("a\n\n<!-- never ended", "a", id="HTML comment without an end"),
        pytest.param("a < b <!-- no end", "a < b <!-- no end", id="sign inside a line"),
        pytest.param(
            "<!-- ``` -->\na\n```\n<!-- b -->\n```", "a\n```\n<!-- b -->\n```", id="fence"
        ),
        pytest.param(
            "`<!-- a -->` ``b ` <!-- c -->``", "`<!-- a -->` ``b ` <!-- c -->``", id="code"
        ),
        pytest.param("    <!-- a -->\n", "    <!-- a -->", id="indented code"),
        pytest.param("a\n<!--more-->\nb", "a\n<!--more-->\nb", id="end of the excerpt"),
        pytest.param("a {/* b */} c", "a  c", id="MDX comment"),
        pytest.param("a\n{/* truncate */}", "a\n<!-- truncate -->", id="end of the excerpt in MDX"),
        pytest.param("{% comment %}\na\n{% endcomment %}b", "b", id="Liquid comment"),
        pytest.param("a %%b%% c\n%%\nd\n\ne\n%%\nf", "a  c\nf", id="Obsidian comment"),
        pytest.param("50%% and more", "50%% and more", id="lone percent signs"),
    ],
)
def test_comments_are_removed(text: str, expected: str) -> None:
    """Code keeps its comments, and the markers of excerpts stay."""
    assert read(text) == expected


@cases(
    ("text", "expected"),
    [
        pytest.param("{% raw %}{{ a }}{% endraw %}", "{{ a }}", id="raw"),
        pytest.param("`{% raw %}{{ a }}{% endraw %}`", "`{{ a }}`", id="raw in code"),
        pytest.param("`{% raw %}` and ``{% endraw %}``", "`{% raw %}` and ``{% endraw %}``"),
        pytest.param(
            "{% highlight ruby linenos %}\nputs `a`\n{% endhighlight %}",
            "```ruby\nputs `a`\n```",
            id="highlight",
        ),
        pytest.param("[a]({% link _posts/2020-01-02-b.md %})", "[a](/_posts/2020-01-02-b.md)"),
        pytest.param("[a]({% post_url 2020-01-02-b %})", "[a](/posts/2020-01-02-b.md)"),
        pytest.param("[a]({{ site.baseurl }}{% link a b.md %})", "[a](/a%20b.md)", id="base"),
        pytest.param("[a]({{ site.url }}/b)", "[a](/b)", id="site.url"),
        pytest.param("![a]({{ '/b.png' | relative_url }})", "![a](/b.png)", id="filter"),
        pytest.param("[a]({{ site.repo }}/b) c", "a c", id="unknown address"),
        pytest.param("a {% include b.html c='d' %} e", "a  e", id="include"),
        pytest.param("{% if a %}\nb\n{% endif %}", "b", id="condition"),
        pytest.param("a {{ page.title }} b", "a  b", id="variable"),
        pytest.param("## A\n{: #b .c }", "## A {#b}", id="id below a heading"),
        pytest.param("## A {: .c #b }", "## A {#b}", id="id on a heading"),
        pytest.param("a\n{: .b }\n{:toc}", "a", id="attribute lists"),
        pytest.param("- contents\n{:toc}\n\na", "a", id="table of contents"),
        pytest.param(
            "{{ youtube(id='a') }}",
            "[https://www.youtube.com/watch?v=a](https://www.youtube.com/watch?v=a)",
        ),
        pytest.param(
            "{%- set a %}{% raw %}\n{{ b }}\n{% endraw %}{% endset %}",
            "```\n{{ b }}\n```",
            id="set",
        ),
    ],
)
def test_liquid_and_its_relatives(text: str, expected: str) -> None:
    """Jekyll, Nunjucks and Zola."""
    assert read(text) == expected


@cases(
    ("text", "expected"),
    [
        pytest.param('[a]({{< ref "b/c.md#d" >}})', "[a](b/c.md#d)", id="ref"),
        pytest.param('[a]({{% relref path="b" lang="en" %}})', "[a](b)", id="relref"),
        pytest.param(
            '{{< figure src="a.png" alt="b" caption="c" >}}', "![b](a.png) *c*", id="figure"
        ),
        pytest.param(
            "{{< highlight go >}}\na\n{{< /highlight >}}", "```go\na\n```", id="highlight"
        ),
        pytest.param(
            "{{< youtube id=a title=B >}}", "[B](https://www.youtube.com/watch?v=a)", id="youtube"
        ),
        pytest.param("{{< vimeo 1 >}}", "[https://vimeo.com/1](https://vimeo.com/1)", id="vimeo"),
        pytest.param("{{% notice info %}}\na\n{{% /notice %}}", "a", id="notice"),
        pytest.param('{{< tab "A" >}}\nb\n{{< /tab >}}', "**A**\nb", id="tab"),
        pytest.param("a {{< gallery >}} b", "a  b", id="unknown"),
        pytest.param("{{</* ref a */>}} `{{%/* b */%}}`", "{{< ref a >}} `{{% b %}}`", id="shown"),
    ],
)
def test_shortcodes_of_hugo(text: str, expected: str) -> None:
    """Those with a plain meaning are read; the text inside others stays."""
    assert read(text) == expected


@cases(
    ("text", "expected"),
    [
        pytest.param("import A from 'a'\n\nb", "b", id="import"),
        pytest.param(
            "import {\n  A,\n} from 'a';\nexport const b = {\n\n  c: 1\n}\nd", "d", id="module"
        ),
        pytest.param("<Tabs>\n  <Tab label='A'>\n    b\n  </Tab>\n</Tabs>", "**A**\nb", id="tabs"),
        pytest.param("<A>\n    ```sh\n    b\n    ```\n</A>", "```sh\nb\n```", id="indented fence"),
        pytest.param(
            "1. a\n\n   <A>\n     b\n   </A>",
            "1. a\n\n\n   b\n".replace("\n\n\n", "\n").rstrip(),
            id="list",
        ),
        pytest.param("<p>\n<A>`<style>` b</A>\n</p>\nc", "`<style>` b\nc", id="paragraph"),
        pytest.param('<Card title="A" href="/b" />', "**[A](/b)**", id="card with a link"),
        pytest.param('see <Link to="/b">a</Link>.', "see [a](/b).", id="link"),
        pytest.param('<Image src="a.png" alt="b" />', "![b](a.png)", id="image"),
        pytest.param("a {b} c {'d'}", "a  c d", id="expressions"),
        pytest.param("## A {#b}", "## A {#b}", id="id of a heading"),
        pytest.param("## A {/* #b */}", "## A {#b}", id="id of a heading as a comment"),
        pytest.param("$\\frac{a}{b}$", "$\\frac{a}{b}$", id="formula"),
        pytest.param(
            "<div style={{a: 1}} className='b'>c</div>", '<div class="b">c</div>', id="HTML"
        ),
    ],
)
def test_mdx(text: str, expected: str) -> None:
    """What is markdown in components stays, without the indentation."""
    assert read(text, "pages/a.mdx") == expected


def test_text_below_a_tag_is_markdown_in_mdx() -> None:
    """A blank line is inserted there; in CommonMark the text is raw HTML."""
    text = "<details>\n<summary>a</summary>\n```html\n<b>\n```\n</details>"
    assert read_syntax(text, "a.mdx").text == text.replace("\n```html", "\n\n```html")
    assert read_syntax(text, "a.md").text == text


@cases(
    ("text", "expected"),
    [
        pytest.param("<Badge text='a' />b", "b", id="component"),
        pytest.param("Vec<T> and <YOUR_KEY>", "Vec<T> and <YOUR_KEY>", id="types and placeholders"),
        pytest.param(
            "<script setup>\nimport a from 'b'\n</script>\nc", "c", id="script of a component"
        ),
        pytest.param("[[toc]]\na", "a", id="table of contents"),
        pytest.param("<<< @/a.js\n@[code](../b.js)\nc", "c", id="code from a file"),
        pytest.param("::: code-group\n```js\na\n```\n:::", "```js\na\n```", id="code group"),
        pytest.param("::: tip\na\n:::", "::: tip\na\n:::", id="call-out"),
        pytest.param(":::{cta} A\n:id: b\n\nc\n:::", ":::{cta} A\n:id: b\nc\n:::", id="directive"),
    ],
)
def test_vue_in_markdown(text: str, expected: str) -> None:
    """VitePress and VuePress."""
    assert read(text) == expected


@cases(
    ("text", "expected"),
    [
        pytest.param("[[a]]", "[a](a)", id="page"),
        pytest.param("[[A b#C d|e]]", "[e](A%20b#C%20d)", id="heading and text"),
        pytest.param("[[a#b]] [[#b]]", "[a > b](a#b) [b](#b)", id="heading"),
        pytest.param("| [[a\\|b]] |", "| [b](a) |", id="in a table"),
        pytest.param("![[a b.png|300]]", "![a b](a%20b.png)", id="image with a width"),
        pytest.param("![[a.png|b]]", "![b](a.png)", id="image with a text"),
        pytest.param("![[a]] ![[b.pdf]]", "[a](a) [b.pdf](b.pdf)", id="embedded note"),
        pytest.param("a ^block-1\nx^2 and 2 ^3", "a\nx^2 and 2 ^3", id="block id"),
        pytest.param("==a b== but c == d == e", "a b but c == d == e", id="marked"),
        pytest.param("[[1]](/a) `[[b]]` [[ -f c ]]", "[[1]](/a) `[[b]]` [[ -f c ]]", id="others"),
    ],
)
def test_obsidian(text: str, expected: str) -> None:
    """Wikilinks and embeds become links and images."""
    assert read(text) == expected


@cases(
    ("text", "expected"),
    [
        pytest.param(
            '!!! note "A"\n    b\n\n    c\nd', "> [!NOTE] A\n> b\n>\n> c\nd", id="admonition"
        ),
        pytest.param("??? danger\n    a", "> [!CAUTION] Danger\n> a", id="collapsed"),
        pytest.param('!!! tip ""\n    a', "> [!TIP]\n> a", id="without a title"),
        pytest.param(
            "!!! tip\n    a\n    !!! note\n        b", "> [!TIP]\n> a\n> > [!NOTE]\n> > b"
        ),
        pytest.param('=== "A"\n\n    b\n\n=== "C"\n\n    d', "**A**\nb\n**C**\nd", id="tabs"),
        pytest.param('a\n--8<-- "b"', "a", id="snippet"),
        pytest.param("a\n{ .b }\n[c](d){ .e target=_blank }", "a\n[c](d)", id="attributes"),
        pytest.param("## A { #b.c .d }", "## A {#b.c}", id="id of a heading"),
        pytest.param("::: a.b.C\n    options:\n      d: e\n\nf", "f", id="docstrings"),
        pytest.param("++ctrl+c++ :material-home: ^^a^^", "Ctrl+C a", id="keys, icons, insertions"),
        pytest.param(
            "-   :material-a:{ .lg } &nbsp; **b**\n\n    c",
            "-   **b**\n    c",
            id="icon of a card",
        ),
        pytest.param("Wait!!! a {b} {c=d}", "Wait!!! a {b} {c=d}", id="prose"),
    ],
)
def test_mkdocs(text: str, expected: str) -> None:
    """Admonitions become call-outs, tabs their text under a title."""
    assert read(text) == expected


@cases(
    "text",
    [
        pytest.param("`{{ a }}` and `[[b]]`", id="code"),
        pytest.param("```\n{% a %}\n<B />\n[[c]] {{< d >}}\n!!! e\n```", id="fence"),
        pytest.param("> ```\n> {{ a }}\n> ```\n", id="fence in a quote"),
        pytest.param("- a\n\n  ~~~\n  {{ a }}\n  ~~~\n", id="fence in a list"),
        pytest.param("$$\nx^{{2}}\n$$ and $a_{{b}}$", id="formula"),
        pytest.param("{} and {a} and { b }, 5 % } and 100 %", id="braces in prose"),
        pytest.param("## ساعات العمل {#hours}\n\nمن الاثنين (٩ – ٥) — 5 %.\n", id="Arabic"),
    ],
)
def test_other_text_stays(text: str) -> None:
    """Code, formulas and prose are as their author wrote them."""
    assert read_syntax(text, "posts/a.md").text == text


@cases(
    ("text", "expected"),
    [
        pytest.param(
            '<div dir="rtl" markdown="1">\n**نص**\n</div>\nafter',
            '<div dir="rtl">\n**نص**\n</div>\nafter',
            id="block",
        ),
        pytest.param('<div markdown="block">*a*</div>', "<div>\n*a*\n</div>", id="one line"),
        pytest.param('<div class="a" markdown>\n    - b\n</div>', '<div class="a">\n- b\n</div>'),
        pytest.param('<p markdown="span">*a*</p>', "*a*", id="paragraph"),
        pytest.param('<p dir="rtl" markdown="1">*a*</p>', '<div dir="rtl">\n*a*\n</div>'),
        pytest.param('<h2 markdown="1" id="q">A *b*</h2>', "## A *b* {#q}", id="heading"),
        pytest.param(
            "<DIV MARKDOWN='1'>\n<section markdown=1>\n# A\n</section>\n</DIV>",
            "<div>\n<section>\n# A\n</section>\n</div>",
            id="nested",
        ),
        pytest.param("- a\n\n  <div markdown>\n  *b*\n  </div>", "- a\n  <div>\n  *b*\n  </div>"),
        pytest.param('a <span markdown="1">*b*</span>', "a <span>*b*</span>", id="inline"),
        pytest.param('<div markdown="0">\n*a*\n</div>', '<div markdown="0">\n*a*\n</div>'),
        pytest.param('<div markdown="1">\n*a*', "<div>\n*a*", id="never closed"),
        pytest.param('`<div markdown="1">`', '`<div markdown="1">`', id="code"),
    ],
)
def test_markdown_in_html_is_read(text: str, expected: str) -> None:
    """In elements that ask for it; others stay."""
    assert read(text) == expected


@cases(
    ("text", "expected"),
    [
        (
            "::: details <b>x</b>\na\n:::",
            "<details>\n<summary><b>x</b></summary>\na\n</details>",
        ),
        ("::: details\na\n:::", "<details>\n<summary>Details</summary>\na\n</details>"),
        (":::{note}\na\n:::", ":::note\na\n:::"),
        ("::::{Tip} Title\na\n::::", "::::Tip Title\na\n::::"),
        (":::{faq}\na\n:::", ":::{faq}\na\n:::"),
    ],
)
def test_blocks_of_colons_are_read(text: str, expected: str) -> None:
    """Details with their summary, call-outs of MyST; sections stay."""
    assert read(text) == expected
