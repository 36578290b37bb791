"""docs/branding.md: a rebrand by the guide alone, of a business that takes calls only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from live.chromium import DESKTOP, PHONE, open_tab
from live.documents import blocks
from live.server import eventually
from live.terminal import Terminal, opened_terminal
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

GUIDE = "docs/branding.md"
OLD_WORDS = (
    "Rimal Trading",
    "hello@example.com",
    "Talk to us",
    "Write to us",
    "Ask for a demo",
    "For developers",
    "تحدّث إلينا",
    "تحدث إلينا",
    "راسلنا",
    "للمطورين",
)
OLD_COLOURS = ("#0f5c5c", "#0c4a4a", "#7ccbc2", "#86d3ca", "#0f3434", "#0c5a5a")
"""Accent, deep colour, links and buttons of a site without a theme, light and dark."""

COLOURS = """() => [...document.querySelectorAll("*")].flatMap(each => {
    const style = getComputedStyle(each);
    return [style.color, style.backgroundColor, style.borderTopColor, style.outlineColor];
})"""


@pytest.fixture(scope="module")
def rebranded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Terminal, list[str]]]:
    """The site after all steps of the guide, and what each step printed."""
    with opened_terminal(tmp_path_factory.mktemp("brand")) as terminal:
        yield terminal, [terminal.run(step) for step in blocks(GUIDE, "sh")]


@pytest.fixture(scope="module")
def pages(rebranded: tuple[Terminal, list[str]]) -> dict[str, str]:
    """All pages of the site map in all media types, by address, without the manual."""
    terminal, _ = rebranded
    with httpx.Client(base_url=terminal.url, headers={"Accept": "text/html,*/*;q=0.1"}) as client:
        footer = "Licence of the Ministry of Health"
        eventually(lambda: footer in client.get("/sa/en").text)
        paths = re.findall(r"<loc>[^<]*?//[^/<]+(/[^<]*)</loc>", client.get("/sitemap.xml").text)
        own = [path for path in paths if not path.startswith("/developers")]
        suffixed = [f"{path}{suffix}" for path in own for suffix in ("", ".md", ".json")]
        index = [re.sub(r"^(/\w\w/\w\w)(\.\w+)$", r"\1/index\2", path) for path in suffixed]
        replies = {path: client.get(path) for path in (*index, "/llms.txt", "/sa/ar/nothing")}
    wrong = {path: reply.status_code for path, reply in replies.items() if reply.status_code != 200}
    assert wrong == {"/sa/ar/nothing": 404}
    return {path: reply.text for path, reply in replies.items()}


def test_the_check_of_the_last_step_finds_nothing(rebranded: tuple[Terminal, list[str]]) -> None:
    """The guide leads to a site without errors and warnings."""
    assert "0 errors, 0 warnings" in rebranded[1][-1]


@pytest.mark.parametrize("word", OLD_WORDS)
def test_no_page_has_a_word_of_before(word: str, pages: dict[str, str]) -> None:
    """In HTML, markdown and JSON, English and Arabic."""
    assert len(pages) > 30
    assert [path for path, text in pages.items() if word in text] == []


def test_pages_have_the_new_name_and_words(pages: dict[str, str]) -> None:
    """Also those of the footer, and those of templates."""
    home, arabic = pages["/sa/en"], pages["/sa/ar"]
    assert "<title>Noor Dental – Saudi Arabia</title>" in home
    assert ">Book a visit</a>" in home
    assert "© 2026 Noor Dental" in home
    assert "Licence of the Ministry of Health 1400142" in home
    assert "Evening hours every day" in home
    assert ">احجز زيارة</a>" in arabic
    assert "ترخيص وزارة الصحة 1400142" in arabic
    assert "مواعيد مسائية كل يوم" in pages["/sa/ar/nothing"]
    assert re.search(r'src="/images/mark\.[0-9a-f]{24}\.svg"', home)


def test_the_contact_page_has_numbers_instead_of_a_form(pages: dict[str, str]) -> None:
    """In both languages."""
    for path in ("/sa/en/contact", "/sa/ar/contact"):
        assert "<form method" not in pages[path]
        assert 'href="tel:+966115550142"' in pages[path]
        assert 'href="https://wa.me/966505550142"' in pages[path]


@pytest.mark.parametrize("options", [DESKTOP, PHONE], ids=["light", "dark"])
def test_no_element_has_a_colour_of_before(
    options: dict[str, Any], rebranded: tuple[Terminal, list[str]], browser: Browser
) -> None:
    """As the browser computes them, in light and in dark; the font is the new one."""
    context = browser.new_context(**options)
    tab = open_tab(context, rebranded[0].url)
    for path in ("/sa/en", "/sa/ar", "/sa/en/contact", "/sa/en/blog", "/sa/en/about"):
        tab.open(path)
        used = set(tab.page.evaluate(COLOURS))
        assert used & set(map(_rgb, OLD_COLOURS)) == set(), path
        assert _font(tab.page, "body").startswith("Georgia") or "/ar" in path
    assert [each for each in tab.complaints if "status of 404" not in each] == []
    tab.open("/sa/en")
    assert (
        tab.page.eval_on_selector(".hero h1", "each => getComputedStyle(each).textDecorationLine")
        == "underline"
    )
    if options is DESKTOP:
        hero = tab.page.eval_on_selector(".hero", "each => getComputedStyle(each).backgroundColor")
        red, green, blue = map(int, re.findall(r"\d+", hero)[:3])
        assert red > 2 * max(green, blue)
    context.close()


def _rgb(code: str) -> str:
    return f"rgb({int(code[1:3], 16)}, {int(code[3:5], 16)}, {int(code[5:7], 16)})"


def _font(page: Page, selector: str) -> str:
    font: str = page.eval_on_selector(selector, "each => getComputedStyle(each).fontFamily")
    return font
