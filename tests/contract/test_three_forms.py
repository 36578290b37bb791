"""Three forms of one page: HTML, markdown and the blocks of JSON have the same content."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote
from xml.etree.ElementTree import Element

import html5lib
import mistune
import pytest
from contract.visitor import NOW
from examples import SITES as EXAMPLES
from starters import STARTERS, starter

from app.platform.settings import SAMPLE_CONTENT
from knowledge.locales.locale import Locale
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_map import site_map
from knowledge.resources.site_page import PageModel, site_page
from knowledge.snapshot.loading import load_content
from knowledge.views.content_view import ContentView
from renderers.page_rendering import page_renderers
from renderers.representation import MediaType

BASE_URL = "https://www.example.com"
NEW_SITES = tuple(each for each in STARTERS if each[1:] in {("both", ""), ("both", "sa,ae")})
SITES = (SAMPLE_CONTENT, *EXAMPLES, *NEW_SITES)

NOT_CONTENT: Mapping[str, str] = {
    "crumbs": "Breadcrumbs are the way to the page; JSON-LD and the front matter have it.",
    "contents": "A table of contents repeats the headings of the page.",
    "manual": "The menu of documentation is that of all its pages.",
    "share": "Sharing a page, and asking an assistant about it, is for people in a browser.",
    "page-menu": "It leads to the other forms of the page.",
}
"""Classes of elements that are in HTML alone, and why."""

NOT_WORDS: Mapping[str, str] = {
    "time": "Markdown and JSON have dates in figures.",
    "meta": "A post says when it was changed; the front matter has it in figures.",
    "callout-title": "Markdown marks a call-out by `[!NOTE]`.",
    "lead": "What opens the list of products counts it, and names the country of the page.",
}
"""Elements and classes whose words are others, and why."""

PLAN = re.compile(r"([?&])(?:page|plan|productService|topic)=[^&]*")
"""What a link to the form tells it; HTML adds the page and the plan."""


class Content(NamedTuple):
    """What one form of a page has: its headings, links and pictures."""

    headings: frozenset[str]
    links: frozenset[str]
    pictures: frozenset[str]


def letters(text: str) -> str:
    """Return a text without white space, marks and punctuation."""
    return re.sub(r"[\W_]+", "", text)


def content_of(root: Element, is_left_out: Callable[[Element], bool]) -> Content:
    """Return what a tree has outside the elements that are left out."""
    found = list(shown(root, is_left_out))
    headings = (each for each in found if each.tag in ("h1", "h2", "h3", "h4"))
    links = [each for each in found if each.tag == "a" and not each.get("href", "").startswith("#")]
    pictures = (each.get("src", "").removeprefix(BASE_URL) for each in found if each.tag == "img")
    return Content(
        frozenset(letters("".join(each.itertext())) for each in headings),
        frozenset(plain_link(each.get("href", "")) for each in links),
        frozenset(re.sub(r"\.[0-9a-z_-]{8,}(\.\w+)$", r"\1", each) for each in pictures),
    )


def shown(element: Element, is_left_out: Callable[[Element], bool]) -> Iterator[Element]:
    """Yield the elements below one, without those that are left out and all in them."""
    for child in element:
        if isinstance(child.tag, str) and not is_left_out(child):
            yield child
            yield from shown(child, is_left_out)


def plain_link(href: str) -> str:
    """Return the path of a link, without what it tells the form and without a suffix."""
    path = PLAN.sub("", unquote(href).removeprefix(BASE_URL))
    return re.sub(r"(/index)?\.md(?=$|[#?])", "", path)


def is_html_alone(element: Element) -> bool:
    """Return whether an element of HTML is in no other form."""
    classes = set((element.get("class") or "").split())
    is_hidden = "data-markdown-ignore" in element.attrib or element.tag in ("form", "script", "svg")
    return is_hidden or "anchor" in classes or not classes.isdisjoint(NOT_CONTENT)


def of_html(text: str) -> Content:
    """Return the content of the main part of a page."""
    tree = html5lib.parse(text, namespaceHTMLElements=False)
    return content_of(next(each for each in tree.iter("main")), is_html_alone)


def of_markdown(text: str) -> Content:
    """Return the content of a text in CommonMark."""
    return content_of(tree_of(text), lambda _: False)


def tree_of(markdown: str) -> Element:
    """Return the elements of a text in CommonMark."""
    html = mistune.create_markdown(plugins=["table", "footnotes"], escape=False)(markdown)
    tree: Element = html5lib.parseFragment(html, namespaceHTMLElements=False)
    return tree


@pytest.fixture(
    scope="module", params=SITES, ids=lambda each: getattr(each, "name", None) or "-".join(each)
)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The content of the sample, of an example, or of a new site in two languages."""
    if isinstance(request.param, Path):
        return request.param
    return starter(tmp_path_factory.mktemp("site") / "content", *request.param)


def pages(folder: Path) -> Iterator[PageModel[Any]]:
    """Yield the pages of a site in one country and all its languages."""
    snapshot = load_content(folder, form_kinds=()).snapshot
    first = min(snapshot.open_locales, key=lambda each: each.path)
    for locale in sorted(snapshot.open_locales, key=lambda each: each.path):
        if locale.country == first.country:
            yield from pages_of(ContentView(snapshot, locale, NOW, BASE_URL), locale)


def pages_of(view: ContentView, locale: Locale) -> Iterator[PageModel[Any]]:
    """Yield the pages of a locale."""
    for address in site_map(view.snapshot, NOW).addresses(locale):
        yield site_page(view, address, PageQuery())


def test_json_has_all_that_markdown_has(folder: Path) -> None:
    """Words, headings, links and pictures of each page, in the texts and as values."""
    for page in pages(folder):
        text = without_head(written(page, MediaType.MARKDOWN))
        blocks = json.loads(written(page, MediaType.JSON))["blocks"]
        parts = (
            f"## {each['heading']}\n\n{each['text']}" if "heading" in each else each["text"]
            for each in blocks
        )
        joined = "\n\n".join(parts)
        assert of_markdown(joined) == of_markdown(text), page.path
        assert words_of(joined) == words_of(text), page.path
        links = {plain_link(link["href"]) for each in blocks for link in each["links"]}
        assert links >= of_markdown(text).links, page.path
        pictures = {picture["url"] for each in blocks for picture in each["pictures"]}
        assert len(pictures) >= len(of_markdown(text).pictures), page.path


def test_html_shows_every_block(folder: Path) -> None:
    """But the contact form, which the service draws with its state."""
    for page in pages(folder):
        html = written(page, MediaType.HTML)
        for block in json.loads(written(page, MediaType.JSON))["blocks"]:
            shown = block.get("id") or "main"
            assert f'id="{shown}"' in html or shown == "contact-heading", (page.path, shown)


def test_markdown_has_all_links_and_headings_of_html(folder: Path) -> None:
    """But what NOT_CONTENT names; a heading of HTML may be the words of a link or of a list."""
    for page in pages(folder):
        html, text = of_html(written(page, MediaType.HTML)), written(page, MediaType.MARKDOWN)
        missing = html.links - of_markdown(text).links - {page.path}
        # An address without a link, and a value that leads to a list which has only it.
        bare = {each for each in missing if each.removeprefix("mailto:") in text or "?" in each}
        assert missing == bare, page.path
        whole = letters(text)
        assert {each for each in html.headings if each not in whole} == set(), page.path


def test_markdown_has_all_words_of_html(folder: Path) -> None:
    """But those of NOT_WORDS."""
    for page in pages(folder):
        tree = html5lib.parse(written(page, MediaType.HTML), namespaceHTMLElements=False)
        main = next(each for each in tree.iter("main"))
        whole = letters(written(page, MediaType.MARKDOWN))
        found = re.findall(r"[^\W_]+", " ".join(texts_of(main)))
        assert {each for each in found if each not in whole} == set(), page.path


def texts_of(element: Element) -> Iterator[str]:
    """Yield the texts of HTML that the other forms have, too."""
    yield element.text or ""
    for child in element:
        classes = {*(child.get("class") or "").split(), str(child.tag)}
        if isinstance(child.tag, str) and not is_html_alone(child):
            yield from texts_of(child) if classes.isdisjoint(NOT_WORDS) else ()
        yield child.tail or ""


def written(page: PageModel[Any], media_type: MediaType) -> str:
    """Return a page in a media type."""
    return page_renderers()[media_type](page).body.decode()


def without_head(markdown: str) -> str:
    """Return a page without front matter, title and the link to the index."""
    return re.split(r"(?m)^> .*llms\.txt\)$", markdown, maxsplit=1)[1]


def words_of(markdown: str) -> str:
    """Return the letters of a text as it is shown."""
    return letters("".join(tree_of(markdown).itertext()))
