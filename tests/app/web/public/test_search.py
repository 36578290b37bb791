"""Search over HTTP: the search of the blog, and the search page of the whole site."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import NOW, FakeClock, Visitor

from app.publishing.content.indexes import EditionPosts
from app.publishing.content.store import ContentStore

API = "/api/public/v1/blog/posts"
BROWSER = {"Accept": "text/html"}

FILES = {
    "categories/tax.md": "---\nname: Tax\n---\n",
    "categories/empty.md": "---\nname: Nothing here\n---\n",
    "posts/invoice.md": "---\ntitle: The <b>Invoice</b>\ncategory: tax\ndate: 2026-01-01\n"
    "excerpt: On invoicing & more.\n---\nx",
    "posts/falcon.md": "---\ntitle: Falcon launch\ncategory: tax\ndate: 2026-11-21\n---\nx",
    "pages/returns.md": "---\ntitle: Returns\nshortDescription: Goods and invoices.\n---\nx",
    "pages/thanks.md": "---\ntitle: Thanks for the invoice\nseo: {noIndex: true}\n---\nx",
    "products/till.md": "---\nid: 1\nsku: T1\ntitle: Till 15\nprices: {AED: '1.00'}\n---\nx",
    "posts/arabic.ar.md": "---\ntitle: فواتير سليمة\ndate: 2026-01-01\n---\nنص",
}


@pytest.fixture
def site(shared_visit: Visit) -> Visitor:
    """Return a client of a small site."""
    return shared_visit(FILES)


def suggestion(site: Visitor, query: str, where: str = API) -> str | None:
    """Return the suggestion of a search."""
    body = site.get(f"{where}{'&' if '?' in where else '?'}search={quote(query)}").json
    assert body["items"] == []
    suggestion: str | None = body.get("suggestion")
    return suggestion


@cases(
    ("query", "expected"),
    [
        pytest.param("invioce", "Invoice", id="letters swapped"),
        pytest.param("invoce", "Invoice", id="a letter missing"),
        pytest.param("invoicng", "invoicing", id="another word is nearer"),
        pytest.param("invioce elephants", "Invoice", id="a word that nobody wrote"),
        pytest.param("How do the invioce?", "Invoice", id="words that only ask"),
        pytest.param("waht", None, id="only a misspelt word that asks"),
        pytest.param("qwertyuiop", None, id="nothing like it"),
        pytest.param("*", None, id="nothing to search for"),
    ],
)
def test_a_search_in_vain_suggests_another(site: Visitor, query: str, expected: str | None) -> None:
    """The suggestion has the spelling of the text, and has results."""
    assert suggestion(site, query) == expected
    assert expected is None or site.get(f"{API}?search={expected}").json["items"]


def test_a_suggestion_keeps_the_rarest_word(shared_visit: Visit) -> None:
    """If no post has all corrected words, the more common ones are left out."""
    files = {f"posts/p{n}.md": f"---\ntitle: Invoice\ndate: 2026-01-0{n}\n---\nx" for n in (1, 2)}
    files["posts/scan.md"] = "---\ntitle: Scanner\ndate: 2026-01-03\n---\nx"
    site = shared_visit(files)
    assert suggestion(site, "scannre invioce") == "Scanner"
    assert suggestion(site, "invioce scannre") == "Scanner"


@cases(
    ("query", "found"),
    [
        pytest.param("invoice elephants", ["The <b>Invoice</b>"], id="one of two"),
        pytest.param("How do I read an invoice?", ["The <b>Invoice</b>"], id="a question"),
        pytest.param("falcon launch", [], id="only words of a scheduled post"),
    ],
)
def test_without_a_post_of_all_words_those_with_most_are_found(
    site: Visitor, query: str, found: list[str]
) -> None:
    """In the API and on the page; the words that only ask do not count, and are not marked."""
    body = site.get(f"{API}?search={quote(query)}").json
    assert [item["title"] for item in body["items"]] == found
    assert body["pagination"]["total"] == len(found)
    text = site.get(f"/ae/en/blog?search={quote(query)}", BROWSER).text
    assert ("<mark>Invoice</mark>" in text) == bool(found)
    assert "<mark>The</mark>" not in text


def test_the_search_page_finds_pages_with_any_word(site: Visitor) -> None:
    """Those with all words come first."""
    query = "how are goods and invoices returned"
    assert titles(site, query) == ["Returns", "The <b>Invoice</b>"]
    assert titles(site, "till elephants") == ["Till 15"]


def test_a_suggestion_is_in_the_readers_language(site: Visitor) -> None:
    """The suggestion has the spelling of the text."""
    assert suggestion(site, "فواتر", f"{API}?lang=ar") == "فواتير"


def test_no_suggestion_tells_of_what_is_to_come(visit: Visit, clock: FakeClock) -> None:
    """A scheduled post is not disclosed before it is due."""
    site = visit(FILES)
    assert suggestion(site, "falcno") is None
    clock.move(timedelta(days=1))
    assert suggestion(site, "falcno") == "Falcon"


def test_a_search_that_finds_has_no_suggestion(site: Visitor) -> None:
    """There is no suggestion, and JSON has no highlights."""
    body = site.get(f"{API}?search=invoices").json
    assert "suggestion" not in body
    assert [item["title"] for item in body["items"]] == ["The <b>Invoice</b>"]


@cases("path", [f"{API}?search=", "/ae/en/blog?search=", "/ae/en/search?q="])
def test_a_search_may_have_200_characters(site: Visitor, path: str) -> None:
    """One more character is an error."""
    assert site.get(path + "x" * 200).status == 200
    assert site.get(path + quote("ش" * 200)).status == 200
    assert site.get(path + "x" * 201).status == 400


def test_the_error_names_the_parameter(site: Visitor) -> None:
    """The error says what the parameter allows."""
    error = site.get(f"{API}?search={'x' * 201}").json["error"]
    assert error["code"] == "VALIDATION_ERROR"
    assert "search" in error["message"]
    assert "200" in error["resolution"]


def test_found_words_are_marked_on_the_page(site: Visitor) -> None:
    """Whole words are marked, also by their stems; all other text stays escaped."""
    text = site.get("/ae/en/blog?search=invoices", BROWSER).text
    assert "&lt;b&gt;<mark>Invoice</mark>" in text
    assert "On <mark>invoicing</mark> &amp; more." in text
    assert "<mark>" not in site.get("/ae/en/blog", BROWSER).text


def test_a_page_that_found_nothing_shows_ways_on(site: Visitor) -> None:
    """The page has the suggestion as a link, and the largest categories."""
    text = site.get("/ae/en/blog?search=invioce", BROWSER).text
    assert 'Did you mean <a href="/ae/en/blog?search=Invoice">Invoice</a>?' in text
    assert "From the blog" in text
    assert '<a href="/ae/en/blog/category/tax">Tax</a>' in text
    markdown = site.get("/ae/en/blog.md?search=invioce").text
    assert "Did you mean: [Invoice](" in markdown
    assert "/ae/en/blog.md?search=Invoice)" in markdown
    assert "## From the blog" in markdown


def titles(site: Visitor, query: str, locale: str = "ae/en") -> list[str]:
    """Return the results of the site search."""
    body = site.get(f"/{locale}/search.json?q={quote(query)}").json
    return [item["title"] for item in body["items"]]


def test_the_whole_site_is_searched(site: Visitor) -> None:
    """Posts, pages and products are in one list; documents excluded from sitemaps are not."""
    assert titles(site, "invoices") == ["The <b>Invoice</b>", "Returns"]
    assert titles(site, "till") == ["Till 15"]
    assert titles(site, "thanks") == []
    assert titles(site, "falcon") == []
    assert titles(site, "tax") == ["Tax"]
    assert titles(site, "nothing here") == []
    assert titles(site, "الفاتورة", "sa/ar") == ["فواتير سليمة"]


def test_the_search_page_has_three_forms(site: Visitor) -> None:
    """All media types have one URL, which search engines must not index."""
    html = site.get("/ae/en/search?q=invoices", BROWSER)
    assert "<mark>invoices</mark>" in html.text
    assert 'value="invoices"' in html.text
    markdown = site.get("/ae/en/search?q=invoices", {"Accept": "text/markdown"})
    assert "- [Returns](https://www.wahat.example/ae/en/returns.md): Goods" in markdown.text
    body = site.get("/ae/en/search?q=invoices", {"Accept": "application/json"})
    assert body.json["pagination"] == {"page": 1, "pageSize": 10, "total": 2, "totalPages": 1}
    for reply in (html, markdown, body):
        assert reply.status == 200
        assert "noindex" in reply.headers["X-Robots-Tag"]
        assert 'rel="canonical"' in reply.links


def test_the_search_page_without_a_query_invites_to_one(site: Visitor) -> None:
    """It is not an error."""
    assert "Type a word" in site.get("/ae/en/search", BROWSER).text
    assert site.get("/ae/en/search.json").json["items"] == []


def test_the_search_page_is_linked_and_in_no_map(site: Visitor) -> None:
    """Nor is it to be indexed."""
    assert 'href="/ae/en/search"' in site.get("/ae/en", BROWSER).text
    assert "/search" not in site.get("/sitemap.xml").text
    seo = site.get("/api/public/v1/seo-page?path=/ae/en/search").json
    assert (seo["noIndex"], seo["alternates"]) == (True, [])


def test_a_hostile_query_is_shown_as_text(site: Visitor) -> None:
    """This holds for every media type of the page."""
    target = "/ae/en/search?q=" + quote('"><script>alert(1)</script>\x07')
    assert "<script>alert" not in site.get(target, BROWSER).text
    assert "<script>alert" not in site.get(target, {"Accept": "text/markdown"}).text
    assert json.loads(site.get(target, {"Accept": "application/json"}).body)["items"] == []


def test_a_missing_page_names_pages_of_a_similar_address(site: Visitor) -> None:
    """Only documents published in this locale at this time are found."""
    text = site.get("/ae/en/blog/invoce", BROWSER).text
    assert "/ae/en/blog/invoice" in text
    assert "/ae/en/blog/falcon" not in site.get("/ae/en/blog/falcons", BROWSER).text


def test_an_operators_words_count(shared_visit: Visit) -> None:
    """Synonyms come from a file of the content folder."""
    site = shared_visit(FILES | {"_synonyms.txt": "till, counter\n"})
    assert titles(site, "counters") == ["Till 15"]


def test_pages_of_results_follow_one_another(shared_visit: Visit) -> None:
    """Each page has ten results and a link to the next."""
    files = {f"pages/p{n}.md": f"---\ntitle: Invoice {n}\n---\nx" for n in range(12)}
    site = shared_visit(files)
    first = site.get("/ae/en/search?q=invoice", BROWSER).text
    assert 'href="/ae/en/search?q=invoice&amp;page=2"' in first
    second = site.get("/ae/en/search.json?q=invoice&page=2").json
    assert (len(second["items"]), second["pagination"]["totalPages"]) == (2, 2)


def test_the_clock_of_these_tests() -> None:
    """The scheduled post is due a day after NOW at the latest."""
    assert NOW.isoformat() < "2026-11-21" < (NOW + timedelta(days=1)).isoformat()


@pytest.mark.parametrize("path", [f"{API}?search=invoice", "/ae/en/blog?search=invoice"])
def test_until_there_is_an_index_a_search_of_many_posts_is_refused(
    visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """It says when to come back; the blog itself can be read."""
    monkeypatch.setattr(EditionPosts, "MANY_PAGES", 0)
    monkeypatch.setattr(EditionPosts, "MANY_EDITS", 0)
    monkeypatch.setattr(ContentStore, "compact", lambda *_: None)
    site = visit(FILES, index_dir=tmp_path / "index")
    reply = site.get(path)
    assert reply.status == 503
    assert int(reply.headers["Retry-After"]) > 0
    assert site.get(path.partition("?")[0]).status == 200


def test_a_missing_page_names_no_page_of_another_country(shared_visit: Visit) -> None:
    """Nor one that has no text in the language."""
    files = {
        "cities/riyadh.md": "---\nname: Riyadh\ncountryCode: SA\n---\nx",
        "registry/erp.sa.riyadh.md": "---\ntitle: ERP\n---\nx",
        "posts/falcon.md": "---\ntitle: Falcon\ndate: 2026-01-01\n---\nx",
    }
    site = shared_visit(files)
    assert "/cities/riyadh/erp" in site.get("/sa/en/cities/riyadh/erpp", BROWSER).text
    assert "/cities/riyadh/erp" not in site.get("/ae/en/erpp", BROWSER).text
    assert "/blog/falcon" in site.get("/sa/en/blog/falcn", BROWSER).text
    assert "/blog/falcon" not in site.get("/sa/ar/blog/falcn", BROWSER).text
