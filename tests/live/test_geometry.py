"""Every type of page in a real browser, judged by geometry, and pages with each defect."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest
from gulf import write_site
from live.geometry import (
    WIDTHS,
    contrast_faults,
    enlarge_text,
    geometry_faults,
    set_width,
)
from live.server import Server
from live.site_pages import EACH_PAGE
from playwright.sync_api import Page

pytestmark = pytest.mark.slow

PHONES = (320, 360, 390, 430)


@EACH_PAGE
def test_a_page_is_drawn_well(path: str, desk: Page, site: Server) -> None:
    """At each width in both colours, and on a phone with text of 200 %."""
    desk.goto(site.url + path)
    faults = {}
    for colours in ("light", "dark"):
        desk.emulate_media(color_scheme=colours)
        faults[colours] = contrast_faults(desk)
        for width in WIDTHS:
            set_width(desk, width)
            faults[f"{colours}, {width} px"] = geometry_faults(desk)
    set_width(desk, WIDTHS[0])
    enlarge_text(desk)
    faults["200 %"] = geometry_faults(desk)
    assert {drawing: found for drawing, found in faults.items() if found} == {}


BROKEN_WORDS = """(element, mark) => {
  const words = [], range = document.createRange()
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    if (!walker.currentNode.data.includes(mark)) continue
    for (const word of walker.currentNode.data.matchAll(/[^\\s\\-]+/g)) {
      range.setStart(walker.currentNode, word.index)
      range.setEnd(walker.currentNode, word.index + word[0].length)
      if (new Set([...range.getClientRects()].map(each => Math.round(each.top))).size > 1)
        words.push(word[0])
    }
  }
  return words
}"""
"""The words of an element that are on two lines, in texts with a mark."""


@pytest.mark.parametrize("locale", ["/ae/en", "/sa/ar"])
def test_a_comparison_breaks_no_word_on_phones(locale: str, desk: Page, site: Server) -> None:
    """Every three products that follow one another in the list, at the width of most phones."""
    set_width(desk, 390)
    desk.goto(f"{site.url}{locale}/products")
    slugs = desk.locator('[name="items"]').evaluate_all("all => all.map(each => each.value)")
    assert len(slugs) > 10
    broken = {}
    for first in range(0, len(slugs) - 2, 3):
        chosen = "&".join(f"items={slug}" for slug in slugs[first : first + 3])
        desk.goto(f"{site.url}{locale}/products/compare?{chosen}")
        broken[chosen] = desk.locator("table.comparison").evaluate(BROKEN_WORDS, "")
    assert {chosen: words for chosen, words in broken.items() if words} == {}


@pytest.mark.parametrize("locale", ["/ae/en", "/sa/ar"])
def test_no_tied_words_are_cut_on_small_phones(locale: str, desk: Page, site: Server) -> None:
    """Names and figures whose words stay together are narrower than where they stand."""
    paths = re.findall(r"<loc>\w+://[^/]+([^<]+)", httpx.get(f"{site.url}/sitemap.xml").text)
    pages = [path for path in paths if path.startswith(locale)]
    set_width(desk, 320)
    broken = {}
    for path in pages:
        desk.goto(site.url + path)
        broken[path] = desk.locator("main").evaluate(BROKEN_WORDS, "\u00a0")
    assert len(pages) > 50
    assert {path: words for path, words in broken.items() if words} == {}


@pytest.mark.parametrize("locale", ["/ae/en", "/sa/ar"])
def test_all_tables_and_code_are_whole_on_phones(locale: str, desk: Page, site: Server) -> None:
    """The cells of wide tables stand below each other, with the titles of their columns."""
    with httpx.Client(base_url=site.url) as client:
        paths = re.findall(r"<loc>\w+://[^/]+([^<]+)", client.get("/sitemap.xml").text)
        wide = [
            path
            for path in paths
            if path.startswith(f"{locale}/")
            and re.search("<pre|<table(?! class)", client.get(path).text)
        ]
    faults = {}
    for path in wide:
        desk.goto(site.url + path)
        for width in (320, 390):
            set_width(desk, width)
            faults[path, width] = geometry_faults(desk)
            for labels, cells in desk.locator(".stack tbody tr").evaluate_all(STACKED):
                assert labels == cells
    assert len(wide) > 15
    assert {place: found for place, found in faults.items() if found} == {}


STACKED = """rows => rows.map(row => {
  const titles = [...row.closest("table").rows[0].cells].map(each => each.textContent)
  const shown = [...row.cells].map((cell, index) => [cell, titles[index]])
    .filter(([cell]) => cell.checkVisibility())
  return [
    shown.map(([cell]) => getComputedStyle(cell, "::before").content.replace(/^none$/, '""')),
    shown.map(([, title]) => JSON.stringify(title.replaceAll("\u00a0", " "))),
  ]
})"""
"""The labels of the cells of each row, and the titles of their columns."""


@pytest.mark.parametrize("country", ["ae", "kw", "sa"])
@pytest.mark.parametrize("language", ["en", "ar"])
def test_prices_are_in_view_on_phones(
    country: str, language: str, desk: Page, site: Server
) -> None:
    """Each price of the plans is within the viewport, without scrolling to the side."""
    desk.goto(f"{site.url}/{country}/{language}/pricing")
    for width in PHONES:
        set_width(desk, width)
        for period in desk.locator(".periods label").all():
            period.click()
            prices = desk.locator("main .plans .price:visible")
            assert prices.count() > 1
            for price in prices.all():
                box = price.bounding_box()
                assert box is not None
                assert 0 <= box["x"] <= box["x"] + box["width"] <= width


ORDER = ("h1", ".summary .price", ".pictures img", ".enquire")


@pytest.mark.parametrize("locale", ["/ae/en", "/sa/ar"])
def test_a_product_shows_name_price_and_picture_before_its_form(
    locale: str, desk: Page, site: Server
) -> None:
    """On phones in this order, as they are read aloud; on wide screens the pictures are beside."""
    desk.goto(f"{site.url}{locale}/products/printer-receipt-80")
    for width in (*PHONES, 1280):
        set_width(desk, width)
        boxes = [desk.locator(f"main {each}").first.bounding_box() for each in ORDER]
        name, price, picture, form = [box for box in boxes if box]
        assert name["y"] < price["y"] < form["y"]
        assert (price["y"] + price["height"] <= picture["y"]) == (width < 896)
        assert picture["y"] + picture["height"] <= form["y"] or width >= 896
        pictures = desk.locator(".pictures")
        assert pictures.evaluate("all => all.scrollWidth > all.clientWidth") == (width < 896)
    places = desk.evaluate(
        """all => all.map(each => document.querySelector("main " + each)).map((each, at, found) =>
            !at || Boolean(found[at - 1].compareDocumentPosition(each) & 4))""",
        list(ORDER),
    )
    assert all(places)


COLUMNS = """grids => grids.map(
    grid => getComputedStyle(grid).gridTemplateColumns.split(" ").length)"""


@pytest.mark.parametrize("path", ["", "/solutions", "/pricing", "/erp", "/modules", "/products"])
def test_grids_have_as_many_columns_in_both_languages(path: str, desk: Page, site: Server) -> None:
    """Although Arabic has larger letters; plans have as many as there are."""
    for width in (896, 1024, 1280):
        set_width(desk, width)
        columns = {}
        for language in ("en", "ar"):
            desk.goto(f"{site.url}/ae/{language}{path}")
            columns[language] = desk.locator("main :is(.grid, .steps ol)").evaluate_all(COLUMNS)
        assert columns["en"] == columns["ar"] != []
        if path == "/pricing":
            assert columns["en"][0] == 3
            desk.locator(".plans > .grid > li").last.evaluate(
                "plan => plan.after(plan.cloneNode())"
            )
            assert desk.locator(".plans > .grid").evaluate_all(COLUMNS) == [4]


def test_readers_choose_the_period_of_prices(desk: Page, site: Server) -> None:
    """One price is large, for a month or a year; paper has both."""
    desk.goto(f"{site.url}/sa/ar/pricing")
    month, year = desk.locator(".by-month").first, desk.locator(".by-year").first
    assert (month.is_visible(), year.is_visible()) == (True, False)
    desk.locator(".periods label").last.click()
    assert (month.is_visible(), year.is_visible()) == (False, True)
    desk.emulate_media(media="print")
    assert (month.is_visible(), year.is_visible()) == (True, True)
    desk.emulate_media(media="screen")


LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnungsentwurf"
ADDRESS = "a.very.long.name.of.a.department@a-very-long-name-of-a-company.example"
BODY = f"""{LONG} and {ADDRESS}.

| {LONG} | b | c | d |
|---|---|---:|---|
| {LONG} | x | 1,000,000.000 | {LONG} |

## {LONG}

- {LONG}

> {LONG}

:::{{featureGrid}} {LONG}
- **{LONG}**: {LONG}
:::

:::{{stats}} {LONG}
- **1,000,000,000.000 {LONG}**: {LONG}
:::

:::{{faq}} {LONG}
### {LONG}

{LONG}
:::

:::{{cta}} {LONG}
[{LONG}](/contact)
:::
"""
TITLE = f"title: {LONG}\nshortDescription: {LONG}\n"
FILES = {
    "site/settings.md": f"---\nseo: {{pageTitle: {LONG}}}\nsiteSettings:\n"
    f"  primaryEmail: {ADDRESS}\n  phoneDisplay: +971 4 555 0142\n  officeAddress: {LONG}\n"
    f"  vatNumber: '{'1' * 60}'\n---\n",
    "site/navigation.md": f"---\nheaderLinks: [{{label: {LONG}, href: /a}}]\n"
    f"footerColumns: [{{title: {LONG}, links: [{{label: {LONG}, href: /a}}]}}]\n---\n",
    "site/home.md": f"---\n{TITLE}hero: {{title: {LONG}, sub: {LONG}, body: {LONG}}}\n"
    f"stats: {{items: [{{value: '1,000,000,000,000,000', label: {LONG}}}]}}\n---\n",
    "pages/a.md": f"---\n{TITLE}---\n{BODY}",
    "registry/contact.md": f"---\n{TITLE}---\n{BODY}",
    "modules/m.md": f"---\n{TITLE}---\n{BODY}",
    "industries/i.md": f"---\n{TITLE}name: {LONG}\n---\n{BODY}",
    "cities/dubai.md": f"---\n{TITLE}countryCode: AE\nname: {LONG}\nfocus: {LONG}\n---\n{BODY}",
    "categories/c.md": f"---\nname: {LONG}\ndescription: {LONG}\n---\n",
    "posts/p.md": f"---\ntitle: {LONG}\nexcerpt: {LONG}\ncategory: c\ntags: [{LONG}]\n"
    f"authors: [{LONG}]\npublishedAt: 2026-01-01\n---\n{BODY}",
    "testimonials/t.md": f"---\nquote: {LONG}\ncustomerName: {LONG}\ncompany: {LONG}\n"
    f"designation: {LONG}\nindustry: {LONG}\ncity: {LONG}\ncountry: {LONG}\nrating: 4\n---\n",
    "products/w.md": f"---\n{TITLE}id: 1\nsku: {LONG}\nbarcode: '{'9' * 60}'\nbrand: {LONG}\n"
    f"productCategory: {LONG}\nprices: {{AED: '100000000.00'}}\nstock: 1\n"
    f"specs: [{{name: {LONG}, value: {LONG}}}]\n---\n{BODY}",
}
"""A site whose values are all longer than a phone is wide."""

LONG_PAGES = (
    *("", "/a", "/contact", "/modules/m", "/industries/i", "/cities/dubai", "/blog", "/blog/p"),
    *("/blog/category/c", "/testimonials", "/products", "/products/w", f"/search?q={LONG}"),
)


@pytest.fixture(scope="module")
def long_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of the site with long values."""
    work = tmp_path_factory.mktemp("long")
    with Server(write_site(work / "content", FILES), work) as running:
        yield running


@pytest.mark.parametrize("path", LONG_PAGES)
def test_long_values_and_words_do_not_widen_a_page(
    path: str, desk: Page, long_site: Server
) -> None:
    """On a phone and a desk, and with text of 200 %."""
    desk.goto(f"{long_site.url}/ae/en{path}")
    faults = {}
    for width in (320, 1280):
        set_width(desk, width)
        faults[f"{width} px"] = geometry_faults(desk)
    set_width(desk, 320)
    enlarge_text(desk)
    faults["200 %"] = geometry_faults(desk)
    wrong = {drawing: overflowing(found) for drawing, found in faults.items()}
    assert {drawing: found for drawing, found in wrong.items() if found} == {}


def overflowing(faults: list[str]) -> list[str]:
    """Return the faults of texts that do not fit."""
    return [fault for fault in faults if fault.startswith(("overflow", "clipped", "overlap"))]


STYLE = """<style>
  * { box-sizing: border-box } body { margin: 0; color: #000; background: #fff }
  .table { overflow-x: auto } .hidden { position: absolute; clip-path: inset(50%) }
  .button { display: inline-block; padding: 16px 24px }
</style>"""
WIDE_TABLE = "<table><tr>" + "<td>" + "<td>".join(["Incomprehensibilities"] * 4) + "</table>"


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        pytest.param("<p>Fine, and <a href=x>a link</a> in it.</p>", "", id="nothing"),
        pytest.param(f"<p style='width: 900px'>{'word ' * 60}", "overflow", id="a wide text"),
        pytest.param("<p style='margin-left: -80px'>Text", "overflow", id="text left of the page"),
        pytest.param(
            "<div style='position: absolute; right: 60%'><nav style='width: 400px'>"
            "<a href=x style='display: block; padding: 10px'>Qatar</a></nav></div>",
            "overflow",
            id="a menu beside the viewport",
        ),
        pytest.param(
            "<video style='width: 900px; height: 60px'></video>", "overflow", id="a wide picture"
        ),
        pytest.param(
            f"<div class=table tabindex=0><p style='width: 900px'>{'word ' * 60}",
            "",
            id="wide text that scrolls",
        ),
        pytest.param(
            "<p style='width: 60px; overflow: hidden; white-space: nowrap'>Long words here",
            "clipped",
            id="text cut at its end",
        ),
        pytest.param(
            "<p style='height: 10px; overflow: hidden; line-height: 20px'>One<br>Two",
            "clipped",
            id="text cut below",
        ),
        pytest.param(
            "<p style='position: absolute; top: 0'>First words</p>"
            "<p style='position: absolute; top: 4px'>Other words</p>",
            "overlap",
            id="texts on each other",
        ),
        pytest.param("<span class=hidden>Hidden</span><p>Text", "", id="text for screen readers"),
        pytest.param("<a class=button href=x style='padding: 2px'>Go", "target", id="a low button"),
        pytest.param(
            "<ul><li><a href=x style='display: block; width: 12px'>X</a></ul>",
            "target",
            id="a narrow link",
        ),
        pytest.param(
            f"<div class=table tabindex=0>{WIDE_TABLE}</div>", "table", id="a table that scrolls"
        ),
        pytest.param(
            "<pre tabindex=0 style='overflow: auto'>" + "wide" * 40,
            "table: no sign",
            id="code that is cut",
        ),
        pytest.param(
            "<div><button class=copy style='position: absolute; height: 50px'>Copy</button>"
            "<pre style='margin: 0'>Text",
            "copy",
            id="a button over code",
        ),
        pytest.param(
            "<main><h1 style='line-height: 1.4'>A<span style='line-height: 2'></span></h1></main>",
            "leading",
            id="a higher line of a heading",
        ),
        pytest.param(
            "<main><p style='line-height: 0.9'><mark>A</mark>", "mark", id="a word marked too high"
        ),
        pytest.param(
            f"<div class=table>{WIDE_TABLE}</div>",
            "table: cannot be scrolled",
            id="a table that the keyboard does not reach",
        ),
        pytest.param(
            "<main style='display: flex; flex-direction: column-reverse'>"
            "<h2>First</h2><h2>Second</h2></main>",
            "order",
            id="headings in another order",
        ),
        pytest.param(
            "<main style='display: flex; flex-direction: row-reverse'>"
            "<h2>First</h2><h2>Second</h2></main>",
            "order",
            id="headings from right to left",
        ),
        pytest.param(
            "<main dir=rtl style='display: flex'><h2>أول</h2><h2>ثان</h2></main>",
            "order",
            id="headings from right to left on a page from left to right",
        ),
        pytest.param(
            "<nav style='display: flex'><a href=x class=button style='order: 1'>First</a>"
            "<a href=y class=button>Second</a></nav>",
            "order",
            id="a menu in another order",
        ),
        pytest.param("<p style='color: #999'>Pale", "contrast", id="pale text"),
        pytest.param(
            "<div style='background: #fff'><p style='color: rgb(255 255 255 / 90%)'>White",
            "contrast",
            id="white on white",
        ),
        pytest.param(
            "<p style='color: #fff; background: rgb(0 0 0 / 80%)'>White on dark",
            "",
            id="white on dark",
        ),
    ],
)
def test_each_defect_is_seen(body: str, fault: str, desk: Page) -> None:
    """A page with a defect has a fault of its kind, a page without one has none."""
    desk.emulate_media(color_scheme="light")
    set_width(desk, 390)
    desk.goto("about:blank")  # the style of the page would be refused on a page of the site
    desk.set_content(f"<!doctype html><html lang=en>{STYLE}<body>{body}")
    found = [*geometry_faults(desk), *contrast_faults(desk)]
    assert all(each.startswith(fault.partition(":")[0]) for each in found)
    assert any(each.startswith(fault) for each in found) is bool(fault)
