"""Footnotes, call-outs and the other extensions of markdown on pages, in all three forms."""

from __future__ import annotations

import re
from collections import Counter

from conftest import Visit
from contract.visitor import Visitor

PAGE = """---
title: Questions
---
See[^1].

:::{faq} Common questions
### First?
Yes[^1].

### Second?
No[^1] and[^2].

[^2]: Another note.
:::

## Section

Text[^1].

[^1]: The note.
"""


def test_sections_and_answers_of_a_page_have_their_notes(visit: Visit) -> None:
    """Each has the notes to which it refers; no two ids are alike."""
    site = visit({"pages/questions.md": PAGE, "pages/questions.ar.md": PAGE})
    for language in ("en", "ar"):
        html = site.get(f"/ae/{language}/questions", {"Accept": "text/html"}).text
        ids = Counter(re.findall(' id="([^"]*)"', html))
        assert max(ids.values()) == 1
        assert set(re.findall('href="#(fn[^"]*)"', html)) <= set(ids)
        assert html.count("<p>The note.") == 4
        assert ".footnotes{" in styles_of(site, html)


def test_markdown_and_json_keep_the_author_s_text(visit: Visit) -> None:
    """Call-outs, tasks, notes and fences stay as they are written."""
    body = (
        "A[^1].\n\n> [!NOTE] T\n> x\n\n:::tip\ny\n\nz\n:::\n\n- [x] done\n\nTerm\n: meaning\n\n"
        '```js {1} title="a.js"\n1\n```\n\n[^1]: Note.'
    )
    site = visit({"posts/a.md": f"---\ntitle: A\n---\n{body}"})
    blocks = site.get("/ae/en/blog/a.json").json["post"]["body"]
    assert [block["type"] for block in blocks] == [
        "paragraph",
        "blockquote",
        "blockquote",
        "list",
        "list",
        "code",
    ]
    assert [block["text"] for block in blocks] == [
        "A[^1].\n\n[^1]: Note.",
        "> [!NOTE] T\n> x",
        ":::tip\ny\n\nz\n:::",
        "- [x] done",
        "Term\n: meaning",
        '```js {1} title="a.js"\n1\n```',
    ]
    markdown = site.get("/ae/en/blog/a.md").text
    assert all(block["text"] in markdown for block in blocks)


def test_pages_without_extensions_do_not_have_their_styles(visit: Visit) -> None:
    """Their stylesheet has only what they use."""
    site = visit({"pages/about.md": "---\ntitle: About\n---\nText"})
    html = site.get("/ae/en/about", {"Accept": "text/html"}).text
    assert ".footnotes" not in styles_of(site, html)


def styles_of(site: Visitor, html: str) -> str:
    """Return the stylesheet that a page links."""
    (link,) = re.findall('<link rel="stylesheet" href="([^"]+)"', html)
    return site.get(link).text
