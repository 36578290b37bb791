"""Passages of pages: all visible text once, under anchors that the HTML has."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from cases import cases
from conftest import NOW, ViewOf, locale_of
from mistune.block_parser import BlockParser
from mistune.core import BlockState

from app.platform.settings import SAMPLE_CONTENT
from knowledge.addresses.addresses import Address, parse_address
from knowledge.fields.page_type import PAGE_TYPES
from knowledge.markdown.tokens import estimate_tokens
from knowledge.resources.blog import CATEGORY_PAGE
from knowledge.resources.country_texts import is_contact_page
from knowledge.resources.localized import CITY_PAGE
from knowledge.resources.passages import Passage
from knowledge.resources.posts import POST_PAGE
from knowledge.resources.product_list import PRODUCTS_PAGE
from knowledge.resources.products import PRODUCT_PAGE
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_map import addresses_of
from knowledge.resources.site_page import site_page
from knowledge.snapshot.loading import load_content
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView, vat_rate
from renderers.html import renderer as html
from renderers.html.commonmark import RenderOptions, render_markdown
from renderers.html.renderer import FormState
from renderers.l10n.translation import site_words, translations
from renderers.markdown import renderer as markdown
from renderers.markdown.passages import page_passages

GOLDEN = Path(__file__).parent / "golden"
CHROME = frozenset(
    (
        "nav",
        "form",
        "time",
        "more",
        "count",
        "buttons",
        "stars",
        "notice",
        "empty",
        "hidden",
        "after",
    )
)
"""Tags and classes of what stands around the text of a page."""

OF_POSTS = frozenset({"meta", "eyebrow", "band"})
"""Classes of the date, the category and the related posts of a post."""

DATE_OR_RATING = re.compile(r"\d{4}-\d\d-\d\d|\d/5")

REPLY = "A colleague reads it and answers you by e-mail within one working day."
"""What the contact form promises, once it is sent."""

VOID = frozenset({"meta", "link", "img", "br", "hr", "input"})


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    """The sample content."""
    return load_content(SAMPLE_CONTENT, form_kinds=()).snapshot


ACTIONS = frozenset({"actions", "beside-price", "terms", "least"})
"""Classes of buttons, and of prices that repeat those of another text: `least` on the home page."""


class Outline(HTMLParser):
    """The ids of a page, and the words of its own text."""

    def __init__(self, source: str, chrome: frozenset[str] = CHROME) -> None:
        super().__init__()
        self._chrome = chrome
        self.ids: Counter[str] = Counter()
        self.words: Counter[str] = Counter()
        self.actions: set[str] = set()
        """The words of buttons and of prices beside others, which may repeat those of the text."""
        self._open: list[tuple[str, bool, bool]] = []
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an id, and whether the element is of the page's own text."""
        values = dict(attrs)
        self.ids.update(filter(None, [values.get("id")]))
        if tag not in VOID:
            names = {tag, *(values.get("class") or "").split()}
            is_of_html = "data-markdown-ignore" in values
            is_action = is_of_html or not names.isdisjoint(ACTIONS) or self._in_action()
            self._open.append((tag, self._is_text(names), is_action))

    def _is_text(self, names: set[str]) -> bool:
        is_text = self._open[-1][1] if self._open else "html" not in names
        return (is_text or "main" in names) and names.isdisjoint(self._chrome)

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        """Count the words of a text."""
        if self._open and self._open[-1][1]:
            self.words.update(words(data))
            self.actions.update(words(data) if self._in_action() else ())

    def _in_action(self) -> bool:
        return bool(self._open) and self._open[-1][2]


def words(text: str) -> Iterator[str]:
    """Yield the words of a text, without signs around them."""
    stripped = (word.strip("“”\"'.,:;،؛()") for word in text.split())
    return filter(None, stripped)


def text_of(found: Iterable[Passage]) -> Counter[str]:
    """Count the words of the passages of a page, its headings once each."""
    counted: Counter[str] = Counter()
    paths = set()
    for passage in found:
        options = RenderOptions(direction=passage.language.direction)
        counted.update(Outline(f"<main>{render_markdown(passage.text, options)}</main>").words)
        depths = range(1, len(passage.headings) + 1)
        paths |= {passage.headings[:depth] for depth in depths} | {(passage.page.heading,)}
    for path in paths:
        counted.update(words(path[-1]))
    return counted


def locale_passages(view: ContentView) -> Iterator[Passage]:
    """Yield the passages of all pages that the view's readers can see, in either language."""
    for address in addresses_of(view.snapshot, PAGE_TYPES.listed):
        yield from page_passages(view, address)


def html_of(view: ContentView, address: Address) -> Outline:
    """Return the outline of a page's HTML."""
    extra = {
        POST_PAGE: OF_POSTS,
        PRODUCTS_PAGE: frozenset({"lead", "filters", "chips"}),
        PRODUCT_PAGE: frozenset({"related", "enquire"}),
    }
    chrome = CHROME | extra.get(address.page, frozenset())
    page = site_page(view, address, PageQuery())
    if not is_contact_page(address):
        return Outline(_unmarked(html.render(page).body), chrome)
    form = _unmarked(html.render(page, {"contact": FormState(page.path)}).body)
    return Outline(form, chrome.difference({"form"}) | {"trap"})


def _unmarked(page: bytes) -> str:
    """Return a page without the marks at which mail addresses may be broken."""
    return page.decode().replace("<wbr>", "")


@cases("locale", ["ae/en", "ae/ar", "sa/en", "sa/ar"])
def test_the_anchor_of_each_passage_is_an_id_of_its_page(locale: str, snapshot: Snapshot) -> None:
    """In both languages, with what two countries change; posts are the same for all of them."""
    view = ContentView(snapshot, locale_of(locale), NOW, "https://a.test")
    found = list(locale_passages(view))
    assert len({passage.page.address for passage in found}) > 60
    for address, group in groupby(found, key=lambda passage: passage.page.address):
        if address.page is POST_PAGE and not locale.startswith("ae"):
            continue
        ids, anchors = html_of(view, address).ids, {passage.anchor for passage in group}
        assert max(ids.values()) == 1
        assert anchors <= ids.keys()
        assert all(map(str.isascii, anchors))


@pytest.mark.parametrize("locale", ["ae/en", "sa/ar"])
def test_all_visible_text_is_in_exactly_one_passage(locale: str, snapshot: Snapshot) -> None:
    """Word for word, besides buttons of the site, labels of prices, tags, ticks and ratings."""
    view = ContentView(snapshot, locale_of(locale), NOW, "https://a.test")
    gettext = translations(view.locale.language).gettext
    buttons_of_forms = ("Ask for an offer", "Ask for a date and a price", "Send")
    buttons = {
        word
        for name in (site_words(view).mainButton, *map(gettext, buttons_of_forms))
        for word in words(name)
    }
    reply = set(words(f"{gettext('The form asks for')} {gettext(REPLY)}"))
    rate = vat_rate(view, view.locale.country)
    of_prices = words(f"AED ر.س. {rate:f}% {gettext('excl. VAT')} yes no نعم لا")
    names = (word for each in ("Articles", "Price", "Tags") for word in words(gettext(each)))
    labels = {*names, *of_prices, *buttons, *reply}
    for address, group in groupby(locale_passages(view), key=lambda passage: passage.page.address):
        page, found = html_of(view, address), text_of(group)
        shown = page.words
        assert set(shown - found) <= buttons | page.actions
        only_found = {word for word in found - shown if not DATE_OR_RATING.fullmatch(word)}
        assert only_found <= labels


@pytest.mark.parametrize(
    ("locale", "path"),
    [
        pytest.param("sa/en", "/modules/hr-payroll", id="en"),
        pytest.param("sa/ar", "/modules/hr-payroll", id="ar"),
        pytest.param("sa/en", "/products/counter-pos-15", id="product-en"),
        pytest.param("kw/ar", "/products/counter-pos-15", id="product-ar"),
        pytest.param("ae/en", "/blog/vat-across-the-gulf", id="post-en"),
        pytest.param("ae/ar", "/blog/vat-across-the-gulf", id="post-ar"),
    ],
)
def test_the_golden_passages(
    locale: str, path: str, snapshot: Snapshot, request: pytest.FixtureRequest
) -> None:
    """A page with questions, a data sheet with prices, and a post with a table."""
    view = ContentView(snapshot, locale_of(locale), NOW, "https://a.test")
    address = parse_address(path)
    assert address is not None
    found = [
        {
            "url": f"{passage.page.path}#{passage.anchor}",
            "headings": list(passage.headings),
            "tokens": estimate_tokens(passage.text),
            "text": passage.text.split("\n"),
        }
        for passage in page_passages(view, address)
    ]
    golden = GOLDEN / f"passages-{request.node.callspec.id}.json"
    assert found == json.loads(golden.read_text())


def test_a_city_page_has_the_city_s_text(snapshot: Snapshot) -> None:
    """And none below another country's path."""
    riyadh = Address(CITY_PAGE, city="riyadh")
    home = ContentView(snapshot, locale_of("sa/en"), NOW, "https://a.test")
    (first, *_) = page_passages(home, riyadh)
    assert (first.page.path, first.page.slug) == ("/sa/en/cities/riyadh", "riyadh")
    assert list(page_passages(home.for_locale(locale_of("ae/en")), riyadh)) == []


def test_a_fallback_has_the_language_of_its_text(view_of: ViewOf) -> None:
    """A post that does not speak the language has none."""
    view = view_of(
        {"pages/a.md": "---\ntitle: A\n---\nText.", "posts/b.md": "---\ntitle: B\n---\nText."},
        "ae/ar",
    )
    (only,) = [each for each in locale_passages(view) if each.page.slug in ("a", "b")]
    assert (only.page.title, only.language, only.text) == ("A", "en", "Text.")


def test_a_category_is_called_by_its_name(view_of: ViewOf) -> None:
    """In passages and in markdown as in HTML."""
    view = view_of(
        {"categories/tax.md": "---\ntitle: Tax\nname: Tax and VAT\ndescription: Rules.\n---\n"}
    )
    (lead, *_) = page_passages(view, Address(CATEGORY_PAGE, "tax"))
    assert (lead.page.heading, lead.anchor, lead.text) == ("Tax and VAT", "tax-and-vat", "Rules.")
    page = site_page(view, Address(CATEGORY_PAGE, "tax"), PageQuery())
    assert markdown.page_text(page).startswith("# Tax and VAT\n")
    assert '<h1 id="tax-and-vat">Tax and VAT<' in html.render(page).body.decode()


def test_passages_of_hidden_pages_do_not_exist(view_of: ViewOf) -> None:
    """Unpublished, later, or of another country."""
    files = {
        "pages/a.md": "---\ntitle: A\npublished: false\n---\nText.",
        "posts/b.md": "---\ntitle: B\npublishedAt: 2999-01-01\n---\nText.",
        "posts/c.sa.md": "---\ntitle: C\n---\nText.",
        "pages/d.md": "---\ntitle: D\ncountries: [sa]\n---\nText.",
    }
    assert {each.page.slug for each in locale_passages(view_of(files))}.isdisjoint("abcd")


def test_links_are_those_of_the_page(view_of: ViewOf) -> None:
    """With the locale of the readers."""
    files = {
        "pages/a.md": "---\ntitle: A\n---\n[B](b.md)",
        "pages/b.md": "---\ntitle: B\n---\n",
        "posts/p.ar.md": "---\ntitle: P\n---\nنص [أ](/a).",
    }
    found = list(locale_passages(view_of(files, "kw/ar")))
    texts = {each.page.slug: each.text for each in found if each.text and not each.is_listing}
    assert texts == {"a": "[B](/kw/ar/b)", "p": "نص [أ](/kw/ar/a)."}


def test_a_page_without_text_has_a_passage_to_be_found_by_its_title(view_of: ViewOf) -> None:
    """So has a list, whose text repeats that of others."""
    view = view_of({"pages/b.md": "---\ntitle: B\n---\n", "posts/p.md": "---\ntitle: P\n---\nx"})
    own = [each for each in locale_passages(view) if not each.is_listing]
    empty = [(each.page.title, each.text) for each in own if each.page.slug in ("b", "blog")]
    assert empty == [("Blog", ""), ("B", "")]


def test_the_text_of_a_post_is_parsed_once(
    view_of: ViewOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its passages are cut from the blocks that the post itself has."""
    body = "## Counting\n\n| Till |\n|---|\n| One |\n\n## Closing\n\n1. Till"
    fields = "title: A\nexcerpt: B\npublishedAt: 2026-01-01T08:00:00Z"
    view = view_of({"posts/a.md": f"---\n{fields}\n---\n{body}"})
    parsed, parse = [], BlockParser.parse

    def counted(parser: BlockParser, state: BlockState, *rest: Any) -> None:
        parsed.append(state.src)
        parse(parser, state, *rest)

    monkeypatch.setattr(BlockParser, "parse", counted)
    found = list(page_passages(view, Address(POST_PAGE, "a")))
    assert [passage.headings for passage in found if passage.headings] == [
        ("Counting",),
        ("Closing",),
    ]
    assert sum("| One |" in each and "1. Till" in each for each in parsed) == 1
