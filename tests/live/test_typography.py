"""Typography in a browser: line lengths, sizes, and no movement when fonts arrive."""

from __future__ import annotations

from typing import Any

import pytest
from live.chromium import DESKTOP, PHONE
from live.fixtures import SAMPLE
from live.server import Server
from live.site_pages import EACH_PAGE, paths
from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.slow

ARABIC_PAGES = [path for name, path in paths() if name.endswith("sa-ar")]
POST = "/blog/vat-across-the-gulf"
ARABIC_TEXTS = """() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), sizes = {};
    while (walker.nextNode()) {
        const text = walker.currentNode, element = text.parentElement;
        if (/[\\u0620-\\u064a]/.test(text.data) && element.getClientRects().length)
            sizes[text.data.trim()] = parseFloat(getComputedStyle(element).fontSize);
    }
    return sizes;
}"""
LINES = """paragraphs => paragraphs.flatMap(paragraph => {
    const range = document.createRange(), lines = {};
    const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode;
        for (let at = 0; at < node.length; at++) {
            range.setStart(node, at);
            range.setEnd(node, at + 1);
            const box = range.getBoundingClientRect();
            if (box.width) lines[Math.round(box.bottom / 20)] = 1 + (
                lines[Math.round(box.bottom / 20)] || 0);
        }
    }
    return Object.values(lines).slice(0, -1);  // the last line is shorter
})"""
PAINTED = """() => new Promise(resolve => new PerformanceObserver(resolve).observe(
    {type: "paint", buffered: true}))"""
SHIFT = """() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => {
    const observer = new PerformanceObserver(() => {});
    observer.observe({type: "layout-shift", buffered: true});
    resolve(observer.takeRecords().reduce((sum, entry) => sum + entry.value, 0));
})))"""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Page:
    """A wide window."""
    return browser.new_page(**DESKTOP)


@pytest.mark.parametrize("locale", ["/sa/en", "/sa/ar"])
def test_a_post_has_one_edge_and_readable_lines(locale: str, page: Page, site: Server) -> None:
    """Title, date, cover, text and tags begin at one edge; lines have 60 to 75 characters."""
    page.goto(site.url + locale + POST)
    page.evaluate("document.fonts.ready")
    edge = "right" if locale == "/sa/ar" else "left"
    parts = ("h1", ".meta", ".cover", ".prose > p", ".prose > * > h2", ".prose > .table", ".tags")
    edges = {
        part: page.locator(f".reading {part}").first.evaluate(
            "(element, edge) => Math.round(element.getBoundingClientRect()[edge])", edge
        )
        for part in parts
    }
    assert len(set(edges.values())) == 1, edges
    lines: list[int] = page.locator(".prose > p").evaluate_all(LINES)
    assert len(lines) > 8
    assert 60 <= sum(lines) / len(lines) <= 75
    assert max(lines) <= 80


@pytest.mark.parametrize("locale", ["/sa/en", "/sa/ar"])
def test_the_text_about_an_author_has_readable_lines(locale: str, page: Page, site: Server) -> None:
    """On average at most 75 characters, and never more than 80."""
    page.goto(f"{site.url}{locale}/blog/author/noura-al-otaibi")
    page.evaluate("document.fonts.ready")
    lines: list[int] = page.locator(".author .prose p").evaluate_all(LINES)
    assert lines
    assert sum(lines) / len(lines) <= 75
    assert max(lines) <= 80


@pytest.mark.parametrize("path", ["/sa/en", *ARABIC_PAGES])
def test_arabic_letters_are_large_enough(path: str, page: Page, site: Server) -> None:
    """The smallest have 15 pixels, also on phones."""
    page.goto(site.url + path)
    for window in (DESKTOP, PHONE):
        page.set_viewport_size(window["viewport"])
        sizes: dict[str, float] = page.evaluate(ARABIC_TEXTS)
        assert {text: size for text, size in sizes.items() if size < 15} == {}


@pytest.mark.parametrize(("window", "least"), [(DESKTOP, 19.5), (PHONE, 17)])
def test_arabic_text_is_as_large_as_english(
    window: Any, least: float, page: Page, site: Server
) -> None:
    """The paragraphs of a post, on desktops and on phones."""
    page.set_viewport_size(window["viewport"])
    page.goto(f"{site.url}/sa/ar{POST}")
    size = page.locator(".prose > p").first.evaluate(
        "element => parseFloat(getComputedStyle(element).fontSize)"
    )
    assert least <= size <= 20


def test_arabic_is_never_slanted(page: Page, site: Server) -> None:
    """Emphasis is bold, and the browser may not slant letters itself."""
    page.goto(f"{site.url}/sa/ar{POST}")
    styles = page.locator(".prose").evaluate(
        """prose => ["em", "i", "cite", "address"].map(tag => {
            const element = prose.appendChild(document.createElement(tag));
            const style = getComputedStyle(element);
            return [style.fontStyle, style.fontSynthesisStyle];
        })"""
    )
    assert styles == [["normal", "none"]] * 4
    em = page.locator(".prose em").last
    assert em.evaluate("element => getComputedStyle(element).fontWeight") == "600"


def test_the_fonts_have_the_letters_of_the_sample(browser: Browser, site: Server) -> None:
    """Also vowel signs, both sets of digits, and letters of names from neighbouring countries."""
    texts = [path.read_text(encoding="utf-8") for path in SAMPLE.rglob("*.ar.md")]
    letters = {sign for text in texts for sign in text if "\u0600" <= sign <= "\u06ff"}
    letters |= set("ًٌٍَُِّْٰ٠١٢٣٤٥٦٧٨٩۴۵۶٪٫٬ٱپچژڤگکیے")
    page = browser.new_page(**DESKTOP)
    page.route("**/*.css*", wait_for_fonts)
    page.goto(f"{site.url}/sa/ar/erp")
    for weight in ("p", "h2"):
        page.evaluate(
            "([tag, text]) => Object.assign(document.querySelector('main').appendChild("
            "document.createElement(tag)), {id: tag, textContent: text})",
            [weight, "ب".join(sorted(letters))],
        )
        page.evaluate("document.fonts.ready")
        assert fonts_of(page, f"#{weight}") == {"IBM Plex Sans Arabic"}


def test_digits_and_latin_words_arrive_with_the_arabic_letters(
    browser: Browser, site: Server
) -> None:
    """In the first paint of an Arabic page, for which the Latin files would be late."""
    page = browser.new_page(**DESKTOP)
    page.route("**/*.css*", wait_for_fonts)
    page.route("**/plex-latin*", lambda route: route.abort())
    page.goto(f"{site.url}/sa/ar/products")
    for selector in (".price bdi", ".product h2 a", ".topbar a"):
        assert {name[:20] for name in fonts_of(page, selector)} == {"IBM Plex Sans Arabic"}


def wait_for_fonts(route: Route) -> None:
    """Answer a stylesheet whose fonts are used however late they arrive."""
    response = route.fetch()
    route.fulfill(
        response=response,
        body=response.text().replace("font-display: optional", "font-display: block"),
    )


def fonts_of(page: Page, selector: str) -> set[str]:
    """Return the families with which the browser draws the text of an element."""
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    node = session.send("DOM.querySelector", {"nodeId": root, "selector": selector})
    fonts = session.send("CSS.getPlatformFontsForNode", node)["fonts"]
    return {font["familyName"].removesuffix(" SemiBold") for font in fonts}


class HeldFonts:
    """Keeps the fonts of each page that a window opens back until they are released."""

    def __init__(self, page: Page) -> None:
        self._routes: list[Route] = []
        self._is_held = True
        page.route("**/*.woff2", self._hold)

    def _hold(self, route: Route) -> None:
        if self._is_held:
            self._routes.append(route)
        else:
            route.continue_()

    def hold(self) -> None:
        """Keep those of the next page back."""
        self._is_held = True

    def release(self) -> int:
        """Let all fonts arrive, and return how many have been asked for."""
        routes, self._routes, self._is_held = self._routes, [], False
        for route in routes:
            route.continue_()
        return len(routes)


@pytest.fixture(scope="module")
def forgetful(browser: Browser) -> tuple[Page, HeldFonts]:
    """A phone that keeps nothing of one page for the next one, and the fonts of its pages."""
    page = browser.new_page(**PHONE)
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    return page, HeldFonts(page)


@EACH_PAGE
def test_nothing_moves_when_the_fonts_arrive(
    path: str, forgetful: tuple[Page, HeldFonts], site: Server
) -> None:
    """They arrive after the first paint; the shift of the layout is 0.05 at most."""
    page, fonts = forgetful
    fonts.hold()
    page.goto(site.url + path, wait_until="domcontentloaded")
    page.evaluate(PAINTED)
    assert fonts.release() > 0
    page.wait_for_load_state("load")
    page.evaluate("document.fonts.ready")
    assert page.evaluate(SHIFT) <= 0.05


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_title_of_a_post_is_as_wide_as_its_text(
    language: str, page: Page, site: Server
) -> None:
    """Nothing stands beside it."""
    page.set_viewport_size(DESKTOP["viewport"])
    page.goto(f"{site.url}/sa/{language}{POST}")
    boxes = [page.locator(f".reading {part}").first.bounding_box() for part in ("h1", ".prose")]
    title, text = (round(box["width"]) for box in boxes if box)
    assert title == text >= 580
