"""The search page of the site: pages by the passage that answers."""

from __future__ import annotations

import re
from html import unescape
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import BASE_URL, FakeClock, Reply, Visitor

from app.publishing.content.indexes import EditionPassages
from app.publishing.content.store import ContentStore
from renderers.representation import MediaType, suffixed_path

BROWSER = {"Accept": "text/html"}
SUGER = "---\ntitle: S\n---\nSuger Ltd.\n"
ROLLOUT = "how long does a rollout take"

FILES = {
    "pages/scales.md": "---\ntitle: Scales & more\n---\n\nWe sell <them> in\nall shops.\n\n"
    "## Care [a]\n\nClean them. Weigh 15% less <b>sugar</b> & salt. Then go.\n",
    "posts/sugar.md": "---\ntitle: Sugar\ndate: 2026-01-01\n---\n\nSugar is sweet.\n",
    "products/till.md": "---\nid: 1\nsku: T1\ntitle: Till 15\nprices: {AED: '1.00'}\n---\n"
    "Counts sugar.\n",
}


def search(visitor: Visitor, query: str, locale: str = "ae/en", **more: Any) -> Reply:
    """Return the search page as a browser gets it."""
    return visitor.get(f"/{locale}/search?{urlencode({'q': query, **more})}", BROWSER)


def results(visitor: Visitor, query: str, locale: str = "ae/en", **more: Any) -> Any:
    """Return the search page as JSON."""
    return visitor.get(f"/{locale}/search.json?{urlencode({'q': query, **more})}").json


def test_a_question_gets_the_page_and_the_sentence_that_answers(sample: Visitor) -> None:
    """With the path of headings, the words marked, the kind, and a link to the section."""
    html = search(sample, ROLLOUT, "sa/en").text
    best = html[html.index("<article") : html.index("</article>")]
    assert '<a href="/sa/en/faqs#how-long-does-a-rollout-take">FAQs</a>' in best
    assert "How long does a <mark>rollout</mark> <mark>take</mark>?" in best
    assert "6 to 10\u00a0weeks" in best
    assert '<p class="meta"><span>Company and service</span></p>' in best
    section = sample.get("/sa/en/faqs", BROWSER).text
    assert 'id="how-long-does-a-rollout-take"' in section


@pytest.mark.slow
@cases("locale", ["ae/en", "sa/ar"])
def test_every_page_that_json_finds_is_in_the_other_forms(sample: Visitor, locale: str) -> None:
    """The title of each page of the site, and of those without a locale, is the query."""
    listed = sample.get("/sitemap.xml").text
    developers = "/developers/ar" if locale.endswith("ar") else "/developers"
    paths = [
        developers,
        *re.findall(rf"<loc>{BASE_URL}(/{locale}/?[^<]*)</loc>", listed),
    ]
    found: set[str] = set()
    for path in paths:
        page = sample.get(path, BROWSER)
        title = unescape(re.findall(r"<h1[^>]*>(.*?)</h1>", page.text, re.DOTALL)[0])
        query = re.sub(r"<[^>]*>|[\u2066-\u2069\u00ad]", " ", title)[:200]
        items = [each["path"] for each in results(sample, query, locale)["items"]]
        html = search(sample, query, locale)
        markdown = sample.get(f"/{locale}/search.md?{urlencode({'q': query})}")
        assert (html.status, markdown.status) == (200, 200), query
        for each in items:
            assert re.search(rf'href="{re.escape(each)}["#]', html.text), (query, each)
            assert f"{BASE_URL}{suffixed_path(each, MediaType.MARKDOWN)}" in markdown.text
        found.update(items)
    assert developers in found
    assert len(found) > 0.8 * len(paths)


def test_a_result_says_below_what_it_stands(sample: Visitor) -> None:
    """By the titles of the pages above it, which no path of the address repeats."""
    html = search(sample, "وحدة المالية", "ae/ar").text
    assert "<span>نظام واحات</span> › <span>الوحدات</span>" in html
    assert ">/ae/ar/" not in html


def test_a_product_shows_its_picture_price_and_stock(sample: Visitor) -> None:
    """And what it is, where no sentence of its page has a word of the search."""
    html = search(sample, "Scan Tough", "sa/en").text
    found = html[html.index('<article class="found">\n<img') :]
    product = found[: found.index("</article>")]
    assert re.search(r'<img class="shot" src="/images/products/[^"]+"', product)
    assert '<p class="price"><bdi dir="ltr">SAR\u00a0' in product
    assert '<p class="stock instock">In stock</p>' in product


def test_the_box_offers_the_names_of_the_menus(sample: Visitor) -> None:
    """Each once, without a script."""
    html = search(sample, "", "ae/ar").text
    assert 'list="suggested"' in html
    offered = re.findall(r'<option value="([^"]+)"></option>', html)
    assert len(offered) == len(set(offered)) > 10
    assert "الأسعار" in offered


def test_an_arabic_question_does_so_in_arabic(sample: Visitor) -> None:
    """Inflected words are marked whole."""
    html = search(sample, "كم يستغرق تطبيق النظام", "sa/ar").text
    assert re.search(r'<a href="/sa/ar/[\w/-]+#[^"]+">', html)
    assert "<mark>يستغرق</mark>" in html
    assert "الشركة وخدماتها" in html
    assert 'aria-label="أنواع الصفحات"' in html


def test_json_has_the_same(visit: Visit) -> None:
    """What it had before is as it was."""
    (item,) = results(visit(FILES), "weigh salt")["items"]
    assert item == {
        "kind": "page",
        "title": "Scales & more",
        "summary": "Weigh 15% less sugar & salt. Then go.",
        "path": "/ae/en/scales",
        "section": {"id": "care-a", "heading": "Care [a]", "path": ["Care [a]"]},
        "url": f"{BASE_URL}/ae/en/scales#care-a",
    }


def test_markdown_links_to_the_section(visit: Visit) -> None:
    """A result of a page's beginning links to the page."""
    text = visit(FILES).get("/ae/en/search.md?q=salt+sweet").text
    assert f"- [Scales & more › Care (a)]({BASE_URL}/ae/en/scales.md#care-a): Weigh 15%" in text
    assert f"- [Sugar]({BASE_URL}/ae/en/blog/sugar.md): Sugar is sweet." in text


def test_each_page_is_listed_once(sample: Visitor) -> None:
    """By its best passage."""
    paths = [item["path"] for item in results(sample, "invoice", "sa/en")["items"]]
    assert len(paths) == len(set(paths)) == 10


@pytest.mark.parametrize("locale", ["ae/en", "sa/ar"])
def test_categories_and_tags_follow_all_that_they_list(sample: Visitor, locale: str) -> None:
    """A tag has the word that is searched as its title, and nothing to read."""
    first = results(sample, "e-invoicing", locale)
    pages = range(2, first["pagination"]["totalPages"] + 1)
    more = [results(sample, "e-invoicing", locale, page=page)["items"] for page in pages]
    found = [item["kind"] in {"category", "tag"} for item in [*first["items"], *chain(*more)]]
    assert found == sorted(found)
    assert found.count(True) > 1


def test_filters_are_links(visit: Visit) -> None:
    """One for each group of kinds that has results; the current one is marked."""
    visitor = visit(FILES)
    html = search(visitor, "sugar").text
    assert '<a href="/ae/en/search?q=sugar" aria-current="true">All pages</a>' in html
    assert '<a href="/ae/en/search?q=sugar&amp;kind=product">Products <small>1</small></a>' in html
    assert "Industries</a>" not in html
    narrowed = search(visitor, "sugar", kind="product").text
    assert 'kind=product" aria-current="true">Products <small>1</small></a>' in narrowed
    assert '<a href="/ae/en/search?q=sugar">All pages</a>' in narrowed
    assert narrowed.count("<article") == 1
    assert [each["kind"] for each in results(visitor, "sugar")["filters"]] == [
        "site,registry,page,form",
        "product",
        "category,post,tag,author",
    ]


def test_a_filter_finds_what_is_not_among_the_best_of_all(visit: Visit) -> None:
    """More pages match than are ranked, which the page says."""
    files = {f"pages/p{n}.md": f"---\ntitle: Sugar {n}\n---\n\nSugar.\n" for n in range(120)}
    visitor = visit(files | {"posts/late.md": FILES["posts/sugar.md"].replace("Sugar", "A", 1)})
    assert "The 100 best pages for “<bdi>sugar</bdi>”" in search(visitor, "sugar").text
    found = results(visitor, "sugar", kind="category,post")
    assert [item["path"] for item in found["items"]] == ["/ae/en/blog/late"]
    assert found["pagination"]["total"] == 1
    assert all("count" not in each for each in found["filters"])


def test_pages_of_results_keep_the_filter(visit: Visit) -> None:
    """So do the addresses of the other forms; past the last page the list is empty."""
    files = {f"pages/p{n}.md": f"---\ntitle: Sugar {n}\n---\n\nSugar.\n" for n in range(12)}
    visitor = visit(files)
    first = visitor.get("/ae/en/search?q=sugar&kind=page", BROWSER)
    assert 'rel="next" href="/ae/en/search?q=sugar&amp;kind=page&amp;page=2"' in first.text
    assert f'<{BASE_URL}/ae/en/search.md?q=sugar&kind=page>; rel="alternate"' in first.links
    assert f'<{BASE_URL}/ae/en/search?q=sugar&kind=page>; rel="canonical"' in first.links
    past = search(visitor, "sugar", page=3)
    assert past.status == 404
    assert "There is nothing on this page of the list." in past.text
    assert results(visitor, "sugar", page=3)["pagination"]["total"] == 12


@cases("query", ["?!", "…", "ـ", '"""', "🙂", " "])
def test_a_query_of_signs_is_the_empty_search_page(sample: Visitor, query: str) -> None:
    """As one without a query."""
    assert "Type a word to search all pages." in search(sample, query).text
    found = results(sample, query)
    assert (found["query"], found["items"], found["filters"]) == ("", [], [])


def test_an_unknown_kind_is_refused(sample: Visitor) -> None:
    """In the form of pages."""
    reply = search(sample, "sugar", kind="prices")
    assert reply.status == 400
    assert reply.headers["Content-Type"].startswith("text/html")


def test_a_misspelt_word_is_found_and_its_spelling_suggested(visit: Visit) -> None:
    """Of the rest of the query only words stay that are in a text."""
    html = search(visit(FILES), "What of Suger & pepper & salt?").text
    assert "<mark>sugar</mark>" in html
    link = '<a href="/ae/en/search?q=Sugar%20salt">Sugar salt</a>'
    typed = "<bdi>What of Suger &amp; pepper &amp; salt?</bdi>"
    assert f"Results for {link} (you wrote {typed})" in html
    assert 'Only “<a href="/ae/en/search?q=%22Suger%22">Suger</a>”' in html
    assert "3 pages found for “<bdi>Sugar salt</bdi>”" in html


def test_a_word_is_searched_as_it_was_typed(visit: Visit) -> None:
    """What has another spelling is suggested again, with the ways on."""
    html = search(visit(FILES | {"pages/suger.md": SUGER}), '"Suger"')
    assert 'href="/ae/en/suger"' in html.text
    assert html.text.count("<article") == 1
    assert "<bdi>Suger</bdi>”" in html.text


def test_what_is_nowhere_as_it_was_typed_is_suggested_in_another_spelling(visit: Visit) -> None:
    """With the ways on."""
    missing = search(visit(FILES | NOWHERE), '"salt shops"').text
    assert "Nothing found for “<bdi>salt shops</bdi>”" in missing
    assert 'Did you mean <a href="/ae/en/search?q=' in missing
    assert '<a class="button" href="/ae/en/contact">Talk to us</a>' in missing


def test_a_suggestion_is_spelt_as_in_the_text(visit: Visit) -> None:
    """Not as the index has it, without hamza and with other endings."""
    files = {"pages/a.ar.md": "---\ntitle: صفحة\n---\n\nخدمة الإدارة، هنا.\n"}
    assert results(visit(files), "الادارةة", "sa/ar")["suggestion"] == "الإدارة"


def test_a_page_is_found_by_its_title_alone(visit: Visit) -> None:
    """It has no text to show."""
    found = results(visit({"pages/b.md": "---\ntitle: Barcodes\n---\n"}), "barcode")
    assert [(item["title"], item["summary"]) for item in found["items"]] == [("Barcodes", "")]


OTHER = {
    "pages/a.md": "---\ntitle: Sugar\n---\n\nSweet.\n",
    "pages/a.ar.md": "---\ntitle: ملح\n---\n\nملح.\n",
    "pages/b.md": "---\ntitle: Scales\n---\n\nThey weigh sugar.\n",
    "pages/b.ar.md": "---\ntitle: موازين\n---\n\nموازين.\n",
}


@cases(
    ("locale", "query", "text", "other"),
    [
        ("ae/ar", "sugar", "نتيجتان بالإنجليزية", "ae/en"),
        ("sa/en", "ملح", "1 result in Arabic", "sa/ar"),
    ],
)
def test_what_only_the_other_language_has_is_offered_there(
    visit: Visit, locale: str, query: str, text: str, other: str
) -> None:
    """In every form, with a link to the same search; not what neither has, or this one has."""
    visitor, asked = visit(OTHER), urlencode({"q": query})
    html = search(visitor, query, locale).text
    card = html.partition('<div class="card elsewhere">')[2].partition("</div>")[0]
    every, *first = re.findall(r'<a (?:class="button" )?href="([^"]+)"[^>]*>([^<]+)</a>', card)
    assert every == (f"/{other}/search?{asked}", text)
    assert card.count(f'hreflang="{other[3:]}"') == len(first) + 1
    found, there = results(visitor, query, locale)["otherLanguage"], results(visitor, query, other)
    assert first == [(item["path"], item["title"]) for item in there["items"]]
    total = len(there["items"])
    assert found == {"language": other[3:], "total": total, "path": f"/{other}/search"}
    markdown = visitor.get(f"/{locale}/search.md?{asked}").text
    assert f"[{text}]({BASE_URL}/{other}/search.md?{asked})" in markdown
    assert "otherLanguage" not in results(visitor, query, other)
    assert "otherLanguage" not in results(visitor, "football", locale)
    assert "hreflang" not in search(visitor, "football", locale).text.partition("empty")[2]


def test_texts_are_escaped(visit: Visit) -> None:
    """Also beside marks."""
    html = search(visit({"pages/a.md": "---\ntitle: A <i>\n---\n\n`<b>` & sugar <b>\n"}), "sugar")
    assert "A &lt;i&gt;" in html.text
    assert "&lt;b&gt; &amp; <mark>sugar</mark>" in html.text


def test_nothing_is_found_before_its_time(visit: Visit, clock: FakeClock) -> None:
    """Nor counted in a filter."""
    later = f"---\ntitle: Later\npublishedAt: {clock.now.year + 1}-01-01\n---\n\nSecret.\n"
    found = results(visit({"posts/later.md": later}), "secret")
    assert (found["items"], found["filters"], found["pagination"]["total"]) == ([], [], 0)


def test_until_there_is_an_index_the_page_says_so(
    visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In its own form; the page without a query is there."""
    monkeypatch.setattr(EditionPassages, "MANY_PAGES", 0)
    monkeypatch.setattr(ContentStore, "compact", lambda *_: None)
    visitor = visit(FILES, index_dir=tmp_path / "index")
    reply = search(visitor, "sugar")
    assert reply.status == 503
    assert reply.headers["Content-Type"].startswith("text/html")
    assert int(reply.headers["Retry-After"]) > 0
    assert search(visitor, "").status == 200


NOWHERE = {
    "pages/scales.md": "---\ntitle: Scales\n---\n\nOur scales weigh sugar in all shops.\n",
    "pages/contact.md": "---\ntitle: Contact\n---\n\nWrite to us.\n",
}


def test_words_that_occur_nowhere_are_told_in_every_form(visit: Visit) -> None:
    """Markdown does not quote them; the company is not offered if the rest fits."""
    visitor, query = visit(NOWHERE), "Do your scales weigh sugar with Salesforce?"
    note = "Not found anywhere on this site: “Salesforce”."
    json = results(visitor, query)
    assert json["notFound"] == ["Salesforce"]
    assert json["note"] == note
    assert json["relevance"] > 0.5
    assert "contact" not in json
    answer = visitor.get(f"/api/public/v1/search?{urlencode({'q': query})}").json
    assert {**json, **answer}["note"] == note
    assert answer["notFound"] == ["Salesforce"]
    text = visitor.get(f"/ae/en/search.md?{urlencode({'q': query})}").text
    assert "Words of this question occur nowhere on this site." in text
    assert note not in text
    html = search(visitor, query).text
    assert note in html.replace("<bdi>", "").replace("</bdi>", "")


@cases(
    ("locale", "query", "sentence"),
    [
        ("ae/en", "who won the football match yesterday", "Nothing on this site clearly answers"),
        ("ae/ar", "من فاز بمباراة الأمس", "لا يوجد في هذا الموقع ما يجيب عن هذا بوضوح"),
    ],
)
def test_what_nothing_answers_is_told_with_the_way_to_the_company(
    visit: Visit, locale: str, query: str, sentence: str
) -> None:
    """In every form, in the language of the page."""
    visitor = visit(NOWHERE)
    json = results(visitor, query, locale)
    assert json["note"].startswith(sentence)
    assert json["contact"] == f"{BASE_URL}/{locale}/contact"
    html = search(visitor, query, locale).text
    _, _, nothing = html.partition('<div class="empty">')
    assert query in nothing
    assert sentence not in nothing
    assert f'<a class="button" href="/{locale}/contact">' in nothing
    text = visitor.get(f"/{locale}/search.md?{urlencode({'q': query})}").text
    assert sentence in text
    assert f"<{BASE_URL}/{locale}/contact>" in text
    country, lang = locale.split("/")
    parameters = urlencode({"q": query, "country": country, "lang": lang})
    answer = visitor.get(f"/api/public/v1/search?{parameters}").json
    assert (answer["note"], answer["contact"]) == (json["note"], json["contact"])


def test_a_site_without_a_contact_page_offers_none(visit: Visit) -> None:
    """The sentence stands alone."""
    visitor = visit({"pages/scales.md": NOWHERE["pages/scales.md"]})
    json = results(visitor, "football yesterday")
    assert json["note"].startswith("Nothing on this site")
    assert "contact" not in json
