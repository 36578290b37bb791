"""Arabic pages in a browser: numbers, Latin text and signs stand where a reader expects them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gulf import write_site
from live.chromium import DESKTOP, chromium
from live.server import Server
from live.visual_order import visual_lines
from mixed_texts import AS_WRITTEN, ENGLISH, TURNED
from playwright.sync_api import Page

pytestmark = pytest.mark.slow

PLACES = ("p", "tbody td", "li", "h3")
CASES = [(text, text.replace(" ", "")) for text in AS_WRITTEN] + [*TURNED.items()]


def body(texts: list[str], around: str) -> str:
    """Write the texts as paragraphs, in a table, in a list and as headings, one kind after another.

    Only in the table they stand alone.
    """
    escaped = [text.replace("<", "\\<").replace("*", "\\*") for text in texts]
    return "\n".join(
        [
            *(f"{around} {text} {around}\n" for text in escaped),
            "|  |\n|--|",
            *(f"| {text} |" for text in escaped),
            "",
            *(f"- {around} {text}" for text in escaped),
            "",
            *(f"### {around} {text}\n" for text in escaped),
        ]
    )


@pytest.fixture(scope="module")
def arabic(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A site with a page of all cases in each language, and with a product."""
    work = tmp_path_factory.mktemp("arabic")
    files = {
        "pages/cases.en.md": "---\ntitle: Cases\n---\n" + body([*ENGLISH], "text"),
        "pages/cases.ar.md": "---\ntitle: نص\n---\n" + body([text for text, _ in CASES], "نص"),
        "products/printer.md": PRODUCT,
        "products/printer.ar.md": PRODUCT_AR,
    }
    with Server(write_site(work / "content", files), work) as running:
        yield running


PRODUCT = """---
title: Printer
sku: WH-POS-115
prices: {SAR: 1200}
specs: [{name: Width, value: 30 × 40 cm}]
---
A printer.
"""
PRODUCT_AR = """---
title: طابعة 10–20
shortDescription: تطبع بعرض 80 mm وبسرعة 200–300 mm/s
specs: [{name: النطاق -5%, value: من 30 × 40 cm}]
---
نص.

## أسئلة {faq}

:::{faq} أسئلة
### هل الضريبة 15%؟

نعم، 200.00 × **15%** = **30.00**.
:::
"""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """A window in which no case needs a second line."""
    with chromium() as browser:
        yield browser.new_page(**DESKTOP)


@pytest.mark.parametrize("place", PLACES)
def test_mixed_text_keeps_its_order_in_arabic(place: str, page: Page, arabic: Server) -> None:
    """In prose, in a table, in a list and in headings."""
    page.goto(f"{arabic.url}/sa/ar/cases")
    lines = visual_lines(page, f".prose {place}")
    assert len(lines) == len(CASES)
    wrong = {
        text: line for (text, seen), line in zip(CASES, lines, strict=True) if seen not in line
    }
    assert wrong == {}


@pytest.mark.parametrize("place", PLACES)
def test_arabic_names_stay_whole_in_english(place: str, page: Page, arabic: Server) -> None:
    """The number after a name stays after it."""
    page.goto(f"{arabic.url}/sa/en/cases")
    lines = visual_lines(page, f".prose {place}")
    wrong = {
        text: line
        for (text, seen), line in zip(ENGLISH.items(), lines, strict=True)
        if seen not in line
    }
    assert wrong == {}


@pytest.mark.parametrize(
    ("path", "selector", "seen"),
    [
        ("/products", ".product h2", "10–20"),
        ("/products", ".product h2 + p", "200–300mm/s"),
        ("/products/printer", "h1", "10–20"),
        ("/products/printer", ".crumbs [aria-current]", "10–20"),
        ("/products/printer", ".sheet th", "-5%"),
        ("/products/printer", ".sheet td", "30×40cm"),
        ("/products/printer", ".faq summary", "15%"),
        ("/products/printer", ".faq p", "200.00×15%=30.00"),
        ("/search?q=طابعة", ".found h2", "10–20"),
    ],
)
def test_templates_keep_the_order_too(
    path: str, selector: str, seen: str, page: Page, arabic: Server
) -> None:
    """Titles, cards, breadcrumbs and data sheets, without a filter in the template."""
    page.goto(f"{arabic.url}/sa/ar{path}")
    assert seen in visual_lines(page, selector)[0]


def test_markdown_and_json_have_the_authors_text(arabic: Server) -> None:
    """Isolation is a matter of HTML: no control character is added."""
    with arabic.client() as client:
        for suffix in (".md", ".json"):
            text = client.get(f"/sa/ar/cases{suffix}").text
            assert "نص +966 51 234 5678 نص" in text
            assert not set(text) & set("\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069")
            assert "<bdi" not in text
