"""Pages on paper: what Chromium prints of them."""

from __future__ import annotations

from io import BytesIO

import pytest
from live.server import Server
from live.site_pages import paths
from playwright.sync_api import Browser, Page, ViewportSize
from pypdf import PdfReader

pytestmark = pytest.mark.slow

PAPER: ViewportSize = {"width": 680, "height": 1000}
"""The inner width of a sheet of A4, in pixels."""

DARK_INK = """() => {
    const pale = [], canvas = document.createElement("canvas").getContext("2d");
    const level = colour => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map(
            part => ((part / 255 + 0.055) / 1.055) ** 2.4);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || !element.checkVisibility()) continue;
        if (1.05 / (level(getComputedStyle(element).color) + 0.05) < 4.5)
            pale.push(walker.currentNode.data.trim());
    }
    return pale;
}"""
OUTSIDE = """() => [...document.querySelectorAll("main *")].filter(element => {
    const box = element.getBoundingClientRect();
    return box.width && box.height && (box.right > innerWidth + 1 || box.left < -1)
        && getComputedStyle(element).position !== "absolute";
}).map(element => element.outerHTML.slice(0, 80))"""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Page:
    """A dark window, as wide as paper."""
    return browser.new_page(viewport=PAPER, color_scheme="dark")


def printed(page: Page) -> list[str]:
    """Return the text of each sheet."""
    reader = PdfReader(BytesIO(page.pdf(format="A4")))
    return [" ".join(sheet.extract_text().split()) for sheet in reader.pages]


def test_the_answers_of_questions_are_open(page: Page, site: Server) -> None:
    """Also those that are closed on the screen."""
    page.goto(f"{site.url}/ae/en/faqs")
    answers = page.locator(".faq details > .prose").all_text_contents()
    assert page.locator(".faq details:not([open])").count() > 3
    text = "".join("".join(printed(page)).split())
    assert [each for each in answers if "".join(each.split())[:60] not in text] == []


def test_a_sheet_names_the_company_the_address_and_the_date(page: Page, site: Server) -> None:
    """Menus, forms and buttons stay on the screen."""
    page.goto(f"{site.url}/ae/en/contact")
    text = " ".join(printed(page))
    for shown in ("Wahat", "Dubai", "/ae/en/contact", "updated", "2026", "@wahat.example"):
        assert shown in text
    for hidden in ("Search", "العربية", "Menu", "llms.txt", "Your name", "Sitemap"):
        assert hidden not in text
    assert "Send" not in text.replace("Send the form on this page", "")


def test_links_to_other_sites_show_their_address(page: Page, site: Server) -> None:
    """Those within the site do not."""
    page.goto(f"{site.url}/ae/en/blog/vat-across-the-gulf")
    page.locator(".prose").evaluate(
        "prose => prose.insertAdjacentHTML('beforeend', "
        '\'<p><a href="https://tax.example/rules">Rules</a> <a href="/ae/en">Home</a></p>\')'
    )
    text = " ".join(printed(page))
    assert "Rules (https://tax.example/rules) Home" in text
    assert "Home (" not in text


def test_cards_are_whole(page: Page, site: Server) -> None:
    """The name of a product and its stock are on one sheet."""
    page.goto(f"{site.url}/ae/en/products")
    names = ["".join(name.split()) for name in page.locator(".product h2").all_text_contents()]
    stock = page.locator(".product .stock").all_text_contents()
    sheets = ["".join(sheet.split()) for sheet in printed(page)]
    assert len(sheets) > 2
    for sheet in sheets:
        shown = sum(name in sheet for name in names)
        assert shown == sum(sheet.count("".join(line.split())) for line in {*stock})


@pytest.mark.parametrize(
    "path", [path for name, path in paths() if name.endswith(("en", "ar")) and "search" not in name]
)
def test_paper_has_dark_ink_and_nothing_is_cut(path: str, page: Page, site: Server) -> None:
    """In a browser with dark colours too; wide tables become narrow."""
    page.emulate_media(media="print", color_scheme="dark")
    page.goto(site.url + path)
    pale, outside = page.evaluate(DARK_INK), page.evaluate(OUTSIDE)
    page.emulate_media(media=None)
    assert pale == []
    assert outside == []
