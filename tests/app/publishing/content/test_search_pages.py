"""What the passage search indexes of a snapshot: what readers see, when they see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from cases import cases
from conftest import NOW, Content, locale_of

from app.platform.settings import SAMPLE_CONTENT
from app.publishing.content.search_pages import (
    PassageKey,
    SearchPages,
    audience,
    own_passages,
    search_pages,
    text_of,
)
from indexes.passages.passage import SearchPassage
from knowledge.addresses.addresses import parse_address
from knowledge.fields.page_type import PAGE_TYPES
from knowledge.resources.site_map import DEVELOPERS, addresses_of, site_map
from knowledge.snapshot.layer_resolution import is_published_at
from knowledge.snapshot.loading import load_content
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView

POST = "---\ntitle: Stock\npublishedAt: 2026-01-01\n{}\n---\n\nCount it.\n"
PAGE = "---\ntitle: {}\n{}\n---\n\n{}\n"


def _pages(folder: Path, now: datetime = NOW) -> SearchPages:
    return search_pages(load_content(folder).snapshot, now)


def _is_visible(passage: SearchPassage, reader: str, now: datetime) -> bool:
    is_published = is_published_at(passage.published_at, passage.unpublish_at, now)
    return reader in passage.audience and is_published


def _visible(pages: SearchPages, page: str, reader: str, now: datetime) -> list[SearchPassage]:
    return [each for each in pages.passages(page) if _is_visible(each, reader, now)]


def _seen(view: ContentView) -> Iterator[tuple[str, int, str]]:
    manual = parse_address(DEVELOPERS.path)
    assert manual is not None
    for address in (*addresses_of(view.snapshot, PAGE_TYPES.listed), manual):
        for number, passage in enumerate(own_passages(view, address)):
            yield address.path, number, text_of(passage, view).digest


@pytest.fixture(scope="module")
def sample() -> Snapshot:
    """The documents of the sample content."""
    return load_content(SAMPLE_CONTENT).snapshot


@pytest.fixture(scope="module")
def indexed(sample: Snapshot) -> list[SearchPassage]:
    """All passages of the sample content."""
    pages = search_pages(sample, NOW)
    return [passage for page in pages.versions for passage in pages.passages(page)]


def test_every_reader_finds_what_the_pages_say_and_nothing_else(
    sample: Snapshot, indexed: list[SearchPassage]
) -> None:
    """Countries and languages share texts only where their readers see the same."""
    for locale in sample.open_locales:
        view = ContentView(sample, locale, NOW, "")
        found = Counter(
            PassageKey.parse(passage.key)[:3]
            for passage in indexed
            if _is_visible(passage, audience(locale), NOW)
        )
        assert found == Counter(_seen(view))


def test_keys_are_unique(indexed: list[SearchPassage]) -> None:
    """A hit leads to one passage."""
    keys = [passage.key for passage in indexed]
    assert len(set(keys)) == len(keys)


def test_a_post_of_all_countries_is_indexed_once(content: Content) -> None:
    """Its text is the same in each of them."""
    (passage,) = _pages(content({"posts/a.md": POST.format("")})).passages("/blog/a")
    assert len(passage.audience) == 6
    assert (passage.kind, passage.title, passage.body) == ("post", "Stock", "Count it.")


def test_a_text_has_its_time(content: Content) -> None:
    """It is indexed before it is published, and not at all when its time is over."""
    day = timedelta(days=1)
    times = f"publishedAt: {(NOW + day).isoformat()}\nunpublishAt: {(NOW + 2 * day).isoformat()}"
    folder = content({"pages/a.md": PAGE.format("Stock", times, "Count it.")})
    pages = _pages(folder)
    seen = [len(_visible(pages, "/a", "ae/en", NOW + each * day)) for each in (0, 1, 2)]
    assert seen == [0, 1, 0]
    assert _pages(folder, NOW + 3 * day).passages("/a") == ()


def test_a_layer_that_comes_later_replaces_the_text_then(content: Content) -> None:
    """Before, the readers of its country find the general text."""
    day = timedelta(days=1)
    later = f"publishedAt: {(NOW + day).isoformat()}"
    files = {
        "pages/a.md": PAGE.format("Stock", "", "English."),
        "pages/a.ar.md": PAGE.format("جرد", later, "عربي."),
    }
    pages = _pages(content(files))
    for reader, now, body in (
        ("sa/en", NOW, "English."),
        ("sa/en", NOW + day, "English."),
        ("sa/ar", NOW + day, "عربي."),
    ):
        assert [each.body for each in _visible(pages, "/a", reader, now)] == [body]


def test_a_page_in_the_other_language_is_found(content: Content) -> None:
    """Readers of Arabic see it too."""
    (passage,) = _pages(content({"pages/a.md": PAGE.format("Stock", "", "One.")})).passages("/a")
    assert {"sa/en", "sa/ar"} <= passage.audience


@pytest.mark.parametrize("hidden", ["noIndex: true", "published: false", "countries: [SA, KW]"])
def test_a_hidden_page_is_not_found(content: Content, hidden: str) -> None:
    """Nor is one of another country."""
    front_matter = f"seo:\n  {hidden}" if hidden.startswith("noIndex") else hidden
    pages = _pages(content({"pages/a.md": PAGE.format("Stock", front_matter, "One.")}))
    assert _visible(pages, "/a", "ae/en", NOW) == []


def test_the_price_of_a_product_is_found_by_the_name_of_its_currency(sample: Snapshot) -> None:
    """Each country has its own."""
    passages = search_pages(sample, NOW).passages("/products/printer-receipt-80")
    for reader, name in (("sa/en", "Saudi Riyal"), ("kw/ar", "دينار كويتي")):
        assert any(name in each.body for each in passages if reader in each.audience)


def test_what_opens_a_page_of_a_kind_is_found_by_the_names_of_the_kind(content: Content) -> None:
    """In the language of the page; in English by the folder and the path too."""
    names = "singular: {en: Vacancy, ar: وظيفة}\nplural: {en: Vacancies, ar: الوظائف}"
    job = "---\ntitle: Cook\n---\nBake.\n\n## Pay\n\nGood."
    pages = _pages(
        content({"_kinds/jobs.md": f"---\n{names}\npath: /careers\n---\n", "jobs/cook.md": job})
    )
    opening, pay = _visible(pages, "/careers/cook", "ae/en", NOW)
    assert opening.headings == ("Vacancy", "Vacancies", "jobs", "careers")
    assert pay.headings == ("Pay",)
    (of_list,) = _visible(pages, "/careers", "ae/ar", NOW)
    assert of_list.headings == ("وظيفة", "الوظائف")


def test_versions_name_contents(content: Content) -> None:
    """Another load of the same texts has the same versions; an edit changes those of its page."""
    files = {"posts/a.md": POST.format(""), "posts/b.md": POST.format(""), "pages/c.md": "# C"}
    folder = content(files)
    loaded = load_content(folder)
    before = search_pages(loaded.snapshot, NOW)
    assert _pages(folder).versions == before.versions
    content({"posts/a.md": POST.format("tags: [x]"), "pages/d.md": PAGE.format("D", "", "")})
    (folder / "posts/b.md").unlink()
    after = search_pages(load_content(folder, loaded).snapshot, NOW, before)
    assert after.versions == _pages(folder).versions
    changed = {page for page, _ in before.versions.items() ^ after.versions.items()}
    assert changed == {"/blog/a", "/blog/b", "/blog/tag/x", "/d"}


def test_versions_are_the_same_in_every_process(sample: Snapshot) -> None:
    """The order in which documents were loaded differs between processes."""
    entries = {
        kind: dict(reversed(list(found.items())))
        for kind, found in reversed(list(sample.entries.items()))
    }
    other = replace(sample, entries=entries)
    assert search_pages(other, NOW).versions == search_pages(sample, NOW).versions


def test_lists_change_with_what_they_show(content: Content) -> None:
    """Testimonials have no pages of their own; countries decide the currency of prices."""
    product = "---\ntitle: Printer\nprices:\n  SAR: 5\n---\n"
    folder = content({"products/p.md": product, "testimonials/t.md": "---\nquote: Good\n---\n"})
    before = _pages(folder).versions
    content({"testimonials/t.md": "---\nquote: Better\n---\n"})
    edited = _pages(folder).versions
    assert before["/testimonials"] != edited["/testimonials"]
    assert before["/products/p"] == edited["/products/p"]
    content({"countries/sa.md": "---\ncode: SA\ncurrency: USD\n---\n"})
    assert _pages(folder).versions["/products/p"] != edited["/products/p"]


PLANS = """---
title: Plans
---
:::{plans} Plans
### Starter
:price: 399 AED, 33 KWD

One shop.

### Growth
:price: 1,250 AED, 104 KWD
:::
"""


def test_the_plans_of_each_country_are_one_text_with_its_prices(content: Content) -> None:
    """Also if no layer of the page differs, and only a country's currency and VAT do."""
    folder = content({"pages/p.md": PLANS, "countries/kw.md": "---\ncode: KW\n---\n"})
    pages = _pages(folder)
    for reader, prices in (("ae/en", ("AED 399", "AED 1,250")), ("kw/en", ("KWD 33", "KWD 104"))):
        (shown,) = (each for each in _visible(pages, "/p", reader, NOW) if each.headings)
        assert all(price in shown.body for price in prices)
    assert "Kuwaiti Dinar" in shown.body
    content({"countries/kw.md": "---\ncode: KW\nvatRate: 5\n---\n"})
    assert _pages(folder).versions["/p"] != pages.versions["/p"]


@cases(
    ("page", "path", "other", "before", "after"),
    [
        pytest.param(
            "registry/contact.md",
            "/contact",
            "site/settings.md",
            "siteSettings:\n  phoneDisplay: '1'",
            "siteSettings:\n  phoneDisplay: '2'",
            id="contact details",
        ),
        pytest.param(
            "registry/contact.md",
            "/contact",
            "site/words.md",
            "formHeading: Write",
            "formHeading: Ask",
            id="the contact form",
        ),
        pytest.param(
            "modules/m.md",
            "/modules/m",
            "testimonials/t.md",
            "quote: Good",
            "quote: Better",
            id="a quotation",
        ),
        pytest.param(
            "events/e.md",
            "/events/e",
            "_kinds/events.md",
            "singular: Event\nplural: Events",
            "singular: Feast\nplural: Feasts",
            id="the names of its kind",
        ),
    ],
)
def test_a_page_changes_with_what_its_text_comes_from(
    content: Content, page: str, path: str, other: str, before: str, after: str
) -> None:
    """Not only with its own file."""
    text = "---\ntitle: A\n---\n:::{quote}\n:testimonial: t\n:::\n"
    folder = content({page: text, other: f"---\n{before}\n---\n"})
    loaded = load_content(folder)
    first = search_pages(loaded.snapshot, NOW)
    content({other: f"---\n{after}\n---\n"})
    later = search_pages(load_content(folder, loaded).snapshot, NOW, first)
    assert later.versions[path] != first.versions[path]
    assert later.versions == _pages(folder).versions
    assert later.passages(path) != first.passages(path)


def test_every_page_has_a_passage_with_a_text_or_is_a_list(sample: Snapshot) -> None:
    """The manual of the API and the contact form have theirs."""
    pages = search_pages(sample, NOW)
    texts = {page: [each.body for each in pages.passages(page)] for page in pages.versions}
    listed = {page.address.path: page.address.page for page in site_map(sample, NOW).pages}
    assert listed.keys() | {DEVELOPERS.path} <= texts.keys()
    without = {page for page in listed if not any(texts[page])}
    assert {page for page in without if not listed[page].lists_pages} == set()
    assert any("The form asks for" in body for body in texts["/contact"])


def test_a_closed_country_finds_nothing(content: Content) -> None:
    """All versions change when it opens."""
    post = {"posts/a.md": POST.format("")}
    before = load_content(content(post))
    closed = content({"countries/sa.md": "---\ncode: SA\nenabled: false\n---\n"})
    pages = search_pages(
        load_content(closed, before).snapshot, NOW, search_pages(before.snapshot, NOW)
    )
    assert audience(locale_of("sa/en")) not in pages.passages("/blog/a")[0].audience
    assert pages.versions["/blog/a"] != search_pages(before.snapshot, NOW).versions["/blog/a"]
