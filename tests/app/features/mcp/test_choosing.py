"""How models find the server among others: by the words of its instructions and tools."""

from __future__ import annotations

from collections import Counter
from math import log

from agents import modern
from cases import cases
from conftest import Visit
from contract.visitor import Visitor
from mcp_calls import context_of

from app.features.mcp.tool import USE_TOKENS, tool_definition
from app.features.mcp.tools import TOOLS
from indexes.text.analysis import stems
from indexes.text.words import Vocabulary, fold, is_question_word
from knowledge.markdown.tokens import estimate_tokens
from llms.phrases import SiteWords

OTHERS = (
    (
        "Hamad Clinic in Qatar and Oman: book appointments with doctors, prices of check-ups, lab"
        " results and Arabic-speaking nurses. عيادة حمد في قطر: مواعيد الأطباء وأسعار الفحوص."
    ),
    (
        "Gulf Bank: accounts, cards, loans and exchange rates in Kuwait, Oman and Bahrain. Prices"
        " of transfers, statements and receipts of payments in English and Arabic."
    ),
    (
        "Pearl Hotel in Doha and Muscat: rooms, prices of a night, breakfast, meeting halls."
        " فندق اللؤلؤة في قطر: الغرف وأسعار الليلة والإفطار."
    ),
    "Oman Weather: forecasts for Muscat, Salalah and Sohar, wind and tides, by hour and day.",
    "Najd Airways: flights and prices of tickets from Riyadh to Muscat, Doha and Dubai; baggage.",
    "Qatar Law: texts of laws and decrees, court fees. قوانين قطر والرسوم القضائية ونماذج العقود.",
    "Souq Market: fish, fruit and vegetable prices in the markets of Oman, by day.",
    "Riyadh Schools: admission, fees, timetables and buses; receipts for parents.",
    "Print Shop Dubai: print posters, cards and books in Arabic and English; price per page.",
    "Code Search: find functions, files and commits in the repositories of a company.",
)
"""Made-up servers of other trades, which share countries, prices or languages with the site."""


def ranked(query: str, texts: tuple[str, ...]) -> list[int]:
    """Return the numbers of the texts with words of a query, those with the rarest words first."""
    vocabulary = Vocabulary()
    found = [set(stems(fold(text), vocabulary)) for text in texts]
    asked = [word for word in fold(query).split() if not is_question_word(word)]
    counts: Counter[int] = Counter()
    for word in asked:
        having = [n for n, known in enumerate(found) if known & set(stems(word, vocabulary))]
        for number in having:
            counts[number] += round(1_000 * log(1 + len(texts) / len(having)))
    return [number for number, _ in counts.most_common()]


def told(site: Visitor) -> str:
    """Return all that a client is told of the server before it calls a tool."""
    texts = [modern(site, "server/discover").json["result"]["instructions"]]
    for tool in modern(site, "tools/list").json["result"]["tools"]:
        texts += [tool["title"], tool["description"]]
    return "\n".join(texts)


@cases(
    "query",
    [
        "ERP prices in Oman",
        "does their POS print Arabic receipts",
        "أسعار برنامج محاسبة في قطر",
        "payroll software for a company in Kuwait",
        "barcode scanner price in Bahrain",
    ],
)
def test_a_question_on_its_subjects_finds_the_server_first(site: Visitor, query: str) -> None:
    """Among ten others, by words alone."""
    assert ranked(query, (*OTHERS, told(site)))[0] == len(OTHERS)


@cases(("query", "number"), [("book a doctor in Qatar", 0), ("room for a night in Doha", 2)])
def test_a_question_on_other_things_does_not(site: Visitor, query: str, number: int) -> None:
    """The texts claim nothing that the site has not."""
    assert ranked(query, (*OTHERS, told(site)))[0] == number


def test_each_tool_names_the_site_in_few_tokens(site: Visitor) -> None:
    """The limit is for each tool, also for a site with many subjects."""
    for tool, defined in zip(
        TOOLS, modern(site, "tools/list").json["result"]["tools"], strict=True
    ):
        use = defined["description"].removeprefix(tool.description)
        assert "Wahat" in use
        assert estimate_tokens(use) <= USE_TOKENS


def test_the_card_has_subjects_in_a_hundred_characters(site: Visitor) -> None:
    """As many as fit; it is all that a client sees before it connects."""
    description = site.get("/mcp/server-card").json["description"]
    assert "ERP software and POS hardware" in description
    assert len(description) <= 100


def test_instructions_tell_once_how_to_cite_and_how_to_ask_for_a_demo(site: Visitor) -> None:
    """Tools do not repeat it."""
    text = told(site)
    assert text.count("cite") == 1
    assert text.count("/api/public/v1/leads") == 1
    assert "https://www.wahat.example/ae/en/contact" in text
    assert "`email` (required)" in text


def test_a_small_site_is_described_by_its_pages(visit: Visit) -> None:
    """It has no products, no countries and no form."""
    files = {
        "pages/bread.md": "---\ntitle: Loaves {wheat}\n---\nText.\n",
        "site/settings.md": "---\nseo: {pageTitle: Bakery | Bread}\n---\n",
    }
    context = context_of(visit(files, countries=False, mcp=True), "/en")
    words = SiteWords.of(context.view(context.locale))
    descriptions = [str(tool_definition(tool, (), words)["description"]) for tool in TOOLS]
    assert descriptions[0].endswith(" For questions about Bakery: Bread, Loaves {wheat}.")
    assert descriptions[2].endswith(" For facts about Bakery to quote: pages.")


def test_a_site_without_anything_has_plain_descriptions(visit: Visit) -> None:
    """No sentence ends in the middle."""
    context = context_of(visit({}, countries=False, mcp=True), "/en")
    words = SiteWords.of(context.view(context.locale))
    described = [tool_definition(tool, (), words)["description"] for tool in TOOLS]
    assert [described[number] for number in (0, 2, 3)] == [
        TOOLS[number].description for number in (0, 2, 3)
    ]
