"""Questions to the API: passages with their links, within the limits asked for."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import BASE_URL, Reply, Visitor

from app.publishing.content.indexes import EditionPassages
from app.publishing.content.store import ContentStore
from knowledge.locales import cldr
from knowledge.locales.locale import Country, Language
from knowledge.markdown.tokens import estimate_tokens
from knowledge.resources.passages import shortened_text

PATH = "/api/public/v1/search"
ROLLOUT = "how long does a rollout take"


def ask(visitor: Visitor, query: str, headers: dict[str, str] | None = None, **more: Any) -> Reply:
    """Ask a question."""
    return visitor.get(f"{PATH}?{urlencode({'q': query, **more})}", headers or {})


def test_a_question_gets_the_passage_that_answers(sample: Visitor) -> None:
    """With its page, its heading and its address."""
    best = ask(sample, ROLLOUT, country="sa").json["items"][0]
    assert "6 to 10 weeks" in best["text"]
    assert best["page"]["path"] == "/sa/en/faqs"
    assert best["page"]["url"] == f"{BASE_URL}/sa/en/faqs"
    assert best["section"]["path"][-1] == best["section"]["heading"]
    assert best["url"] == f"{BASE_URL}/sa/en/faqs#{best['section']['id']}"
    assert (
        f'id="{best["section"]["id"]}"' in sample.get("/sa/en/faqs", {"Accept": "text/html"}).text
    )


def test_an_arabic_question_gets_arabic_passages(sample: Visitor) -> None:
    """They are those of the reader's country."""
    items = ask(sample, "كم يستغرق التطبيق", country="sa", lang="ar").json["items"]
    assert items
    assert {item["page"]["language"] for item in items} == {"ar"}
    assert all(f"{item['page']['path']}/".startswith("/sa/ar/") for item in items)


def test_a_question_without_a_language_is_answered_in_its_own(sample: Visitor) -> None:
    """A `lang` wins over the script of the question, if there is something in it."""
    price = "كم سعر باقة النمو في الكويت"
    for lang, languages in (("", {"ar"}), ("ar", {"ar"}), ("en", {"ar"})):
        answer = ask(sample, price, lang=lang).json
        assert answer["country"] == "kw"
        assert {item["page"]["language"] for item in answer["items"]} == languages
    for query, lang, language in (("growth plan", "", "en"), ("VAT", "ar", "ar")):
        items = ask(sample, query, lang=lang).json["items"]
        assert {item["page"]["language"] for item in items} == {language}


@cases(
    ("query", "more", "country", "assumed"),
    [
        ("Starter per month in Kuwait", {}, "kw", "kw, named in the question"),
        ("Starter per month", {}, "ae", "ae, the default"),
        ("Starter per month in Kuwait", {"country": "sa"}, "sa", None),
        ("Starter per month in Kuwait", {"country": "AE"}, "ae", None),
        ("Starter per month in Kuwait", {"country": ""}, "kw", "kw, named in the question"),
        ("Starter per month in Kuwait or in Oman", {}, "kw", "kw, named in the question"),
        ("سعر الأساسية في قطر", {"lang": "ar"}, "qa", "qa, named in the question"),
    ],
)
def test_a_country_that_the_question_names_is_assumed(
    sample: Visitor, query: str, more: dict[str, Any], country: str, assumed: str | None
) -> None:
    """A parameter always wins; the answer says what was assumed."""
    answer = ask(sample, query, **more).json
    assert (answer["country"], answer.get("assumed")) == (country, assumed)
    assert answer["items"]
    for item in answer["items"]:
        assert item["page"]["path"].startswith(f"/{country}/")
        assert item["page"]["country"] == country
    assert answer["items"][0]["page"]["countryName"] == cldr.country_name(
        Country(country.upper()), Language(more.get("lang", "en"))
    )


def test_a_site_without_countries_assumes_none(visit: Visit) -> None:
    """Also if the question names one."""
    bare = visit({"pages/a.md": "---\ntitle: Kuwait\n---\nA text."}, countries=False)
    answer = ask(bare, "Kuwait").json
    assert answer["items"]
    assert "country" not in answer
    assert "assumed" not in answer
    assert "country" not in answer["items"][0]["page"]


def test_a_closed_country_and_new_cities(visit: Visit) -> None:
    """Only open countries are assumed; the names of cities are those of the content."""
    city = "---\ncountryCode: QA\nname: {en: Lusail, ar: لوسيل}\ntitle: Lusail\n---\nPearl."
    closed = "---\ncode: KW\nenabled: false\n---\n"
    visitor = visit({"cities/lusail.md": city, "countries/kw.md": closed})
    assert ask(visitor, "office in Lusail").json["country"] == "qa"
    assert ask(visitor, "مكتب لوسيل", lang="ar").json["country"] == "qa"
    assert ask(visitor, "office in Kuwait").json["assumed"] == "ae, the default"


def test_limits_hold(sample: Visitor) -> None:
    """At most so many passages and tokens, three of one page but the best."""
    for limit, tokens in ((20, 8_000), (3, 2_000), (20, 100), (1, 100)):
        answer = ask(sample, "stock", limit=limit, maxTokens=tokens).json
        items = answer["items"]
        assert 0 < len(items) <= limit
        assert answer["tokens"] == sum(item["tokens"] for item in items) <= tokens
        assert all(item["tokens"] == estimate_tokens(item["text"]) for item in items)
        pages = [item["page"]["path"] for item in items]
        assert max((pages.count(page) for page in pages if page != pages[0]), default=0) <= 3
        assert answer["truncated"] is (tokens == 100 and limit == 20)


def test_a_passage_above_the_limit_is_cut_at_a_sentence(visit: Visit) -> None:
    """It says so, and so does the answer."""
    body = "Scales weigh goods to the gram in every shop and every kitchen. " * 12
    visitor = visit({"pages/a.md": f"---\ntitle: A\n---\n\n{body}\n"})
    answer = ask(visitor, "scales", maxTokens=100).json
    (item,) = answer["items"]
    assert item["truncated"] is answer["truncated"] is True
    assert item["text"].endswith("kitchen. …")
    assert 80 < item["tokens"] <= 100


@cases("text", ["a" * 5_000, "ابجد" * 900, "- " * 900, "{" * 900, "a. " * 300_000, "\n" * 900_000])
def test_even_a_text_without_sentences_is_cut(text: str) -> None:
    """Of one word as much as fits; a long text takes no quadratic time."""
    assert 0 < estimate_tokens(shortened_text(text + "z", 100)) <= 100


def test_kinds_select_pages(sample: Visitor) -> None:
    """Several are separated by commas."""
    items = ask(sample, "invoice", kind="module,post", limit=20).json["items"]
    assert {item["page"]["kind"] for item in items} == {"module", "post"}


def test_a_long_query_is_cut_at_a_word(sample: Visitor) -> None:
    """The answer says so and has what was searched."""
    answer = ask(sample, "invoice " * 100).json
    assert answer["queryTruncated"] is True
    assert len(answer["query"]) <= 400
    assert answer["query"].endswith("invoice")
    assert answer["items"]


@cases("query", ["", "?!", "…", "ـ", '"""', "%%", "🙂", "?" * 400 + " stock"])
def test_a_query_without_words_is_refused(sample: Visitor, query: str) -> None:
    """With the name of the parameter."""
    reply = ask(sample, query)
    assert reply.status == 400
    assert reply.json["error"]["message"].startswith("q: ")


@cases(
    ("name", "value"),
    [
        ("limit", "0"),
        ("limit", "21"),
        ("maxTokens", "99"),
        ("maxTokens", "8001"),
        ("kind", "prices"),
        ("kind", "post,"),
    ],
)
def test_other_values_are_refused(sample: Visitor, name: str, value: str) -> None:
    """The error names the parameter."""
    reply = sample.get(f"{PATH}?q=stock&{name}={value}")
    assert (reply.status, reply.json["error"]["message"].partition(":")[0]) == (400, name)


@cases(
    "query",
    [
        "a" * 400,
        '"' * 300 + "stock" + '"' * 700,
        'stock AND (title:x OR [a TO b]) NOT "c d"~3 ^2 */ \\ + - ! { } ?',
        "terms:stock OR *:*",
        "stock\u202e\ufeff\u0000".replace("\u0000", "") + "\U0001f9fe",
        "ﷺ ﷽ ٪ ١٢٣",
        "'; DROP TABLE leads; --",
    ],
)
def test_what_is_asked_is_data(sample: Visitor, query: str) -> None:
    """No sign is an operator but the quotation mark: the words alone find the same."""
    reply = ask(sample, query)
    words = re.sub(r'[^\w\s":^]', " ", query)  # a colon and a caret keep words together
    assert reply.status == 200
    assert reply.json["items"] == ask(sample, words).json["items"]


def test_where_nothing_fits_another_query_is_suggested(sample: Visitor) -> None:
    """It has results."""
    answer = ask(sample, '"invoice rollout"').json
    assert answer["items"] == []
    assert ask(sample, answer["suggestion"]).json["items"]


def test_markdown_has_heading_text_and_link_and_nothing_else(sample: Visitor) -> None:
    """So that a program can quote it."""
    reply = ask(sample, ROLLOUT, {"Accept": "text/markdown"}, limit=1)
    (item,) = ask(sample, ROLLOUT, limit=1).json["items"]
    headings = " › ".join((item["page"]["title"], *item["section"]["path"]))
    assert reply.text == f"## {headings}\n\n{item['text']}\n\n<{item['url']}>\n"
    nothing = ask(sample, "xyzzyqq", {"Accept": "text/markdown"}).text
    assert nothing == (
        "Nothing on this site clearly answers this. Words of this question occur nowhere on this"
        " site.\n\n"
        f"Contact: <{BASE_URL}/ae/en/contact>\n"
    )


@cases("query", ["news and articles", "VAT", "ضريبة القيمة المضافة", "stock", "contact details"])
def test_lists_of_pages_come_after_what_answers(sample: Visitor, query: str) -> None:
    """They repeat what the pages say; and no section is given twice."""
    lang = "en" if query.isascii() else "ar"
    items = ask(sample, query, limit=20, lang=lang).json["items"]
    lists = [bool(re.search("/(category|tag)/|/(blog|products)$", each["url"])) for each in items]
    assert lists == sorted(lists)
    urls = [each["url"] for each in items]
    assert len(set(urls)) == len(urls) > 1


@cases(
    ("query", "lang", "path", "text"),
    [
        ("How do I get a demo?", "en", "/ae/en/contact", "?topic=demo"),
        ("كيف أحصل على عرض توضيحي؟", "ar", "/ae/ar/contact", "?topic=demo"),
        ("demo", "en", "/ae/en/contact", "?topic=demo"),
        ("Ask for a demo", "en", "/ae/en/contact", "The form asks for"),
        ("Is there an API?", "en", "/developers", "OpenAPI"),
        ("واجهة برمجية", "ar", "/developers/ar", "OpenAPI"),
    ],
)
def test_buttons_the_form_and_the_manual_are_found(
    sample: Visitor, query: str, lang: str, path: str, text: str
) -> None:
    """They lead to their pages, which answer."""
    first = ask(sample, query, lang=lang).json["items"][:2]
    best = next(each for each in first if text in each["text"])
    assert best["page"]["path"] == path
    page = sample.get(path, {"Accept": "text/html"})
    assert f'id="{best["section"]["id"]}"' in page.text


def test_the_prices_of_all_plans_are_one_passage(sample: Visitor) -> None:
    """For a month and a year, with VAT."""
    items = ask(sample, "Starter Growth Enterprise", country="sa").json["items"]
    (plans,) = (each for each in items if each["section"]["id"] == "plans")
    prices = ("SAR 399*", "SAR 458.85", "SAR 3,990*", "SAR 12,500*", "Price on request")
    assert all(price in plans["text"] for price in prices)


def test_links_in_a_text_are_absolute(visit: Visit) -> None:
    """A program that quotes it stands elsewhere."""
    pages = {
        "pages/a.md": "---\ntitle: A\n---\n\nScales: see [b](b.md).\n",
        "pages/b.md": "---\ntitle: B\n---\n\nB.\n",
    }
    visitor = visit(pages)
    (item,) = ask(visitor, "scales").json["items"]
    assert item["text"] == f"Scales: see [b]({BASE_URL}/ae/en/b)."
    markdown = ask(visitor, "scales", {"Accept": "text/markdown"}).text
    assert f"Scales: see [b]({BASE_URL}/ae/en/b.md)." in markdown


@cases("lang", ["en", "ar"])
def test_the_links_of_a_markdown_answer_lead_to_markdown(sample: Visitor, lang: str) -> None:
    """And answer; what is cited stays the page."""
    query = {"en": "pricing page support contact", "ar": "صفحة الأسعار التواصل الدعم"}[lang]
    text = ask(sample, query, {"Accept": "text/markdown"}, lang=lang, limit=20).text
    links = set(re.findall(rf"\]\(({BASE_URL}/\w\w/{lang}[^)?]*)\)", text))
    assert len(links) > 3
    for link in links:
        reply = sample.get(link.removeprefix(BASE_URL))
        assert (reply.status, reply.headers["Content-Type"][:13]) == (200, "text/markdown"), link
    cited = re.findall(r"(?m)^<(.*)>$", text)
    assert cited == [each["url"] for each in ask(sample, query, lang=lang, limit=20).json["items"]]
    assert all(len(url) < 90 and "%D8" not in url.partition("#")[2] for url in cited)


@cases(
    ("fields", "keys"),
    [
        ("items.url,items.text,tokens", {"items": {"url", "text"}, "tokens": None}),
        ("items.page.path,query", {"items": {"page"}, "query": None}),
        ("items,items.url", {"items": None}),
        ("country, truncated", {"country": None, "truncated": None}),
    ],
)
def test_fields_choose_what_json_has(
    sample: Visitor, fields: str, keys: dict[str, set[str] | None]
) -> None:
    """Their values are those of the whole answer."""
    whole, chosen = ask(sample, ROLLOUT).json, ask(sample, ROLLOUT, fields=fields).json
    assert chosen.keys() == keys.keys()
    for name, parts in keys.items():
        if parts is None:
            assert chosen[name] == whole[name]
            continue
        for item, own in zip(chosen[name], whole[name], strict=True):
            assert item.keys() == parts
            assert own.items() >= {key: own[key] for key in parts}.items()
    markdown = {"Accept": "text/markdown"}
    assert ask(sample, ROLLOUT, markdown, fields=fields).text == ask(sample, ROLLOUT, markdown).text


@cases("fields", ["price", "items.price", "items.page.path.x", "items,", "Items"])
def test_an_unknown_field_is_refused_with_those_there_are(sample: Visitor, fields: str) -> None:
    """As each wrong value."""
    reply = ask(sample, ROLLOUT, fields=fields)
    assert (reply.status, reply.json["error"]["code"]) == (400, "VALIDATION_ERROR")
    assert reply.json["error"]["message"].startswith("fields: ")
    assert "items.page.url" in reply.text


def test_an_answer_can_be_revalidated(sample: Visitor) -> None:
    """As every read."""
    first = ask(sample, ROLLOUT)
    again = ask(sample, ROLLOUT, {"If-None-Match": first.headers["ETag"]})
    assert again.status == 304


def test_until_there_is_an_index_a_search_is_refused(
    visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says when to come back."""
    monkeypatch.setattr(EditionPassages, "MANY_PAGES", 0)
    monkeypatch.setattr(ContentStore, "compact", lambda *_: None)
    page = {"pages/a.md": "---\ntitle: A\n---\n\nScales.\n"}
    reply = ask(visit(page, index_dir=tmp_path / "index"), "scales")
    assert reply.status == 503
    assert int(reply.headers["Retry-After"]) > 0


def test_searches_of_api_and_pages_have_one_limit(visit: Visit) -> None:
    """Beyond it a page gets an HTML error, and the API its own; other reads go on."""
    page_file = {"pages/a.md": "---\ntitle: A\n---\n\nScales.\n"}
    visitor = visit(page_file, trusted_proxies="198.18.0.0/15")
    client = {"X-Forwarded-For": "203.0.113.9"}
    page = "/ae/en/search?q=scales"
    for number in range(60):
        assert ask(visitor, f"scales {number}", client).status == 200
        assert visitor.get(f"{page}+{number}", client).status == 200
    refused = visitor.get(page, {**client, "Accept": "text/html"})
    assert refused.status == 429
    assert refused.headers["Content-Type"].startswith("text/html")
    reply = ask(visitor, "scales", client)
    assert (reply.status, reply.json["error"]["code"]) == (429, "RATE_LIMITED")
    assert reply.headers.getlist("RateLimit-Limit") == ["120"]
    assert reply.headers["RateLimit-Remaining"] == "0"
    assert reply.headers["Retry-After"]
    assert visitor.get("/ae/en/a", client).status == 200
    assert visitor.get("/api/public/v1/pages", client).status == 200


MENU = """---
singular: {en: Dish, ar: طبق}
plural: {en: Menu, ar: قائمة الطعام}
fields:
  allergens:
    type: choice
    many: true
    filter: without
    choices:
      nuts: {en: Nuts, ar: المكسرات}
      milk: {en: Milk, ar: الحليب}
---
"""


@cases(
    ("query", "lang", "left_out"),
    [
        ("Which dishes are without nuts?", "en", ["nuts"]),
        ("nut-free dishes", "en", ["nuts"]),
        ("Anything with no milk or nuts in it?", "en", ["milk", "nuts"]),
        ("أطباق بدون مكسرات", "ar", ["nuts"]),
        ("هل عندكم حلوى خالية من الحليب والمكسرات؟", "ar", ["milk", "nuts"]),
        ("حلوى من غير حليب", "ar", ["milk"]),
        ("Is there anything with nuts?", "en", []),
        ("Anything without sugar?", "en", []),
    ],
)
def test_the_note_names_the_list_without_what_a_question_excludes(
    visit: Visit, query: str, lang: str, left_out: list[str]
) -> None:
    """What the passages say of it is no answer."""
    cake = "---\ntitle: Cake without flour\nallergens: [nuts, milk]\n---\n\nSweet with nuts.\n"
    answer = ask(visit({"_kinds/menu.md": MENU, "menu/cake.md": cake}), query, lang=lang).json
    path = "&".join(f"allergens=-{each}" for each in left_out)
    assert answer.get("note", "").endswith(f"{BASE_URL}/ae/{lang}/menu?{path}") is bool(left_out)
    assert answer["relevance"] <= 0.33 or not left_out
    assert "contact" not in answer or not left_out
