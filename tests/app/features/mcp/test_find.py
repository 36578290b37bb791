"""Tests of the tools `search` and `find_passages`."""

from __future__ import annotations

from datetime import timedelta

import pytest
from agents import META, modern
from cases import cases
from conftest import Visit
from contract.visitor import BASE_URL, NOW, FakeClock, Visitor
from mcp_calls import call

from app.features.mcp.tool import ToolError
from app.services import services_of
from knowledge.markdown.tokens import estimate_tokens

ENGLISH, ARABIC = "how long does a rollout take", "كم يستغرق التطبيق"


def _ids(found: list[dict[str, str]]) -> list[str]:
    return [each["id"] for each in found]


@cases(
    ("locale", "query", "found_in"),
    [
        pytest.param("/ae/en", ENGLISH, "/ae/en/", id="English in English"),
        pytest.param("/sa/ar", ENGLISH, "/sa/en/", id="English in Arabic"),
        pytest.param("/sa/en", ARABIC, "/sa/ar/", id="Arabic in English"),
        pytest.param("/sa/en", f"{ARABIC} ERP", "/sa/ar/", id="Arabic with a Latin name"),
        pytest.param("/kw/ar", "2026", "/kw/ar/", id="neither"),
    ],
)
def test_the_language_searched_is_that_of_the_query(
    sample: Visitor, locale: str, query: str, found_in: str
) -> None:
    """Whatever the locale of the call; one without letters is searched in that."""
    results = call(sample, "search", locale, query=query)["results"]
    passages = call(sample, "find_passages", locale, query=query)["passages"]
    assert results
    assert all(each.startswith(found_in.rstrip("/")) for each in _ids(results) + _ids(passages))


def test_a_query_that_finds_nothing_in_its_language_is_searched_in_that_of_the_call(
    visit: Visit,
) -> None:
    """Such as a Latin name in an Arabic text."""
    visitor = visit({"pages/guide.ar.md": "---\ntitle: دليل\n---\nجهاز Zebra للباركود"})
    assert _ids(call(visitor, "search", "/ae/ar", query="Zebra")["results"])


def test_search_gives_at_most_ten_short_results_that_fetch_understands(sample: Visitor) -> None:
    """The same call has the same results."""
    results = call(sample, "search", query="stock VAT invoice company branches")["results"]
    assert len(results) == 10
    for each in results:
        assert list(each) == ["id", "title", "url", "text"]
        assert each["url"] == BASE_URL + each["id"]
        assert len(each["text"]) < 300
        assert call(sample, "fetch", id=each["id"])["id"].startswith(each["id"].partition("#")[0])
    assert call(sample, "search", query="stock VAT invoice company branches")["results"] == results


def test_the_start_of_a_page_has_the_id_of_the_page(sample: Visitor) -> None:
    """Without an anchor; one of a section without a heading is not made of Arabic words."""
    query = "ابدأ بالعد لا بالبرامج multi-branch inventory"
    for locale in ("/ae/en", "/ae/ar"):
        found = call(sample, "find_passages", locale, query=query, lang=locale[4:], limit=10)
        starts = [each for each in found["passages"] if not each["heading"]]
        assert starts
        assert any("#" not in each["id"] for each in starts)
        assert all(each["id"].isascii() for each in starts)
        assert all(each["url"] == BASE_URL + each["id"] for each in starts)


def test_a_page_without_text_is_not_found(sample: Visitor) -> None:
    """What only its title has, such as a tag, answers no question."""
    results = call(sample, "search", query="e-invoicing")["results"]
    assert all(each["text"] for each in results)
    assert not any("/tag/" in each["id"] for each in results)


def test_a_search_in_vain_has_no_results(sample: Visitor) -> None:
    """It is no error."""
    assert call(sample, "search", query="qqqqzzzz")["results"] == []


@pytest.mark.parametrize("name", ["search", "find_passages"])
def test_a_query_without_a_word_is_refused(sample: Visitor, name: str) -> None:
    """Signs alone ask for nothing."""
    with pytest.raises(ToolError, match="query: it has no word"):
        call(sample, name, query="?! ـ")


def test_passages_are_whole_with_headings_language_and_date(sample: Visitor) -> None:
    """The best one first; `total` counts those beyond the limit."""
    found = call(sample, "find_passages", query="does it support e-invoicing", limit=3)
    best = found["passages"][0]
    assert best["id"] == "/ae/en/faqs#does-it-support-e-invoicing"
    assert best["heading"] == "VAT and e-invoicing › Does it support e-invoicing?"
    assert best["tokens"] == estimate_tokens(best["text"])
    assert (best["lang"], best["updated"]) == ("en", "2026-07-14T06:00:00Z")
    assert best["text"] in call(sample, "fetch", id=best["id"])["text"]
    assert len(found["passages"]) == 3 < found["total"]


@cases("max_tokens", [200, 700, 8_000])
def test_passages_keep_within_the_limit_of_tokens(sample: Visitor, max_tokens: int) -> None:
    """What does not fit is left out whole, and the answer says so."""
    found = call(
        sample, "find_passages", query="stock counts by branch", limit=10, max_tokens=max_tokens
    )
    tokens = sum(each["tokens"] for each in found["passages"])
    assert 0 < tokens <= max_tokens
    assert found["truncated"] == (len(found["passages"]) < 10)
    assert not any(each["text"].endswith("…") for each in found["passages"])


def test_a_passage_that_is_too_long_ends_at_a_sentence(visit: Visit) -> None:
    """With an ellipsis."""
    text = "Zebra printers print labels for every branch of the company. " * 100
    visitor = visit({"pages/guide.en.md": f"---\ntitle: Guide\n---\n{text}"})
    found = call(visitor, "find_passages", query="zebra labels", max_tokens=200)
    (only,) = found["passages"]
    assert only["text"].endswith("of the company. …")
    assert 150 < only["tokens"] <= 200
    assert found["truncated"]


def test_a_sentence_is_never_cut(visit: Visit) -> None:
    """Without one that fits there is no passage, but the total tells of it."""
    text = "Zebra printers print labels, " + "for every branch of the company " * 200
    visitor = visit({"pages/guide.en.md": f"---\ntitle: Guide\n---\n{text}"})
    found = call(visitor, "find_passages", query="zebra labels", max_tokens=200)
    assert (found["passages"], found["total"], found["truncated"]) == ([], 1, True)


def test_the_same_text_on_several_pages_is_found_once(visit: Visit) -> None:
    """A repetition would cost tokens and tell nothing."""
    text = "---\ntitle: {}\n---\n## Zebra\n\nZebra printers print labels."
    pages = {f"pages/{name}.en.md": text.format(name) for name in "abc"}
    visitor = visit(pages)
    assert len(call(visitor, "find_passages", query="zebra")["passages"]) == 1


@pytest.mark.parametrize("name", ["country", "COUNTRY"])
def test_country_language_and_kind_choose_the_pages(sample: Visitor, name: str) -> None:
    """A country in either letter case."""
    country = {"country": "sa", "COUNTRY": "SA"}[name]
    found = call(sample, "find_passages", query="VAT", country=country, lang="ar", kind="post")
    assert found["passages"]
    assert all(each.startswith("/sa/ar/blog/") for each in _ids(found["passages"]))


def test_an_unknown_country_is_refused_with_those_of_the_site(sample: Visitor) -> None:
    """As any value that is not allowed."""
    with pytest.raises(
        ToolError, match=r"country: “fr” is not allowed\. Send country as one of ae"
    ):
        call(sample, "find_passages", query="VAT", country="fr")


def test_a_misspelt_query_in_vain_has_a_suggestion(visit: Visit) -> None:
    """Also one whose words stand in no order like that."""
    visitor = visit(
        {"pages/guide.en.md": "---\ntitle: Guide\n---\nWarehouse printers print barcodes."}
    )
    found = call(visitor, "find_passages", query='"warehouse barcodes"')
    assert found["passages"] == []
    assert found["suggestion"]


def test_what_is_not_yet_published_is_not_found(visit: Visit, clock: FakeClock) -> None:
    """From its instant on it is."""
    starts = (NOW + timedelta(hours=1)).isoformat()
    page = f"---\ntitle: Guide\npublishedAt: {starts}\n---\nZebra printers."
    visitor = visit({"pages/guide.en.md": page})
    assert call(visitor, "search", query="zebra")["results"] == []
    clock.move(timedelta(hours=2))
    assert _ids(call(visitor, "search", query="zebra")["results"])


def test_an_edit_is_found_by_the_next_call(visit: Visit) -> None:
    """What it has removed is not."""
    page = "---\ntitle: Guide\n---\n"
    visitor = visit({"pages/guide.en.md": page + "Zebra printers."})
    store = services_of(visitor.quart).content_store
    (store.content_dir / "pages/guide.en.md").write_text(page + "Okapi printers.")
    store.reload()
    assert call(visitor, "search", query="zebra")["results"] == []
    assert _ids(call(visitor, "search", query="okapi")["results"])


def _searched(site: Visitor, query: str, target: str, meta: dict[str, object]) -> tuple[str, str]:
    """Return the country of the first passage, and what was assumed."""
    call_of = {"name": "find_passages", "arguments": {"query": query}, "_meta": {**META, **meta}}
    found = modern(site, "tools/call", call_of, target=target).json["result"]["structuredContent"]
    return found["passages"][0]["country"], found.get("assumed", "")


USER = {"openai/userLocation": {"country": "QA", "city": "Doha"}}


@cases(
    ("query", "target", "meta", "country", "assumed"),
    [
        ("price of Starter", "/mcp", {}, "ae", "ae, the default"),
        ("price of Starter", "/mcp", USER, "qa", "qa, where the user is"),
        ("price of Starter", "/mcp", {"openai/locale": "ar-KW"}, "kw", "kw, where the user is"),
        ("price of Starter", "/mcp", {"openai/locale": "en"}, "ae", "ae, the default"),
        ("price of Starter", "/mcp", {"openai/userLocation": "x"}, "ae", "ae, the default"),
        ("price of Starter", "/mcp", {"openai/locale": "de-DE"}, "ae", "ae, the default"),
        ("price of Starter in Oman", "/mcp", USER, "om", "om, named in the question"),
        ("price of Starter in Oman", "/mcp?country=sa", USER, "sa", ""),
        ("price of Starter in Oman", "/mcp?country=ae", {}, "ae", ""),
        ("price of Starter in Oman", "/mcp", {}, "om", "om, named in the question"),
    ],
)
def test_the_country_of_a_question(
    site: Visitor, query: str, target: str, meta: dict[str, object], country: str, assumed: str
) -> None:
    """The address, the question, the user, the default: the first that tells."""
    assert _searched(site, query, target, meta) == (country, assumed)


def test_an_argument_wins_over_the_country_in_the_question(sample: Visitor) -> None:
    """Then nothing is assumed."""
    found = call(sample, "find_passages", query="price of Starter in Oman", country="Kuwait")
    assert {each["countryName"] for each in found["passages"]} == {"Kuwait"}
    assert "assumed" not in found
