"""One scale on each page: one size for all headings of a level, one edge, no word left alone."""

from __future__ import annotations

import pytest
from live.geometry import set_width
from live.server import Server
from live.site_pages import EACH_PAGE
from playwright.sync_api import Page

pytestmark = pytest.mark.slow

SIZES = """() => {
    const sizes = {};
    for (const heading of document.querySelectorAll("main :is(h1, h2, h3, h4)")) {
        if (heading.checkVisibility() && !heading.closest(".hidden"))
            (sizes[heading.localName] ??= new Set()).add(getComputedStyle(heading).fontSize);
    }
    return Object.entries(sizes).map(([level, found]) => [level, [...found]]);
}"""
EDGES = """() => {
    const isRightToLeft = getComputedStyle(document.documentElement).direction === "rtl";
    const blocks = ".columned > *, .columned > .prose > :is(p, .table, pre, figure), .question," +
        ".reading > .prose > :is(p, .table, pre, figure), .reading .cta, .reading .cover," +
        ".examples > :is(p, ul, pre, .coded, .table)";
    const isIntroduction = each => each.closest("article > .columned > div.prose");
    const lines = ".contented .columned :is(.prose > p, .question, div.prose)";
    const edges = {};
    for (const each of document.querySelectorAll(blocks)) {
        if (!each.checkVisibility() || isIntroduction(each)) continue;
        const { left, right } = each.getBoundingClientRect();
        const edge = Math.round(isRightToLeft ? left : innerWidth - right);
        (edges[each.matches(lines) ? "lines" : "all"] ??= new Set()).add(edge);
    }
    return Object.entries(edges).map(([part, found]) => [part, [...found]]);
}"""
STARTS = """() => {
    const isRightToLeft = getComputedStyle(document.documentElement).direction === "rtl";
    const shown = [...document.querySelectorAll("h1, article > .columned > div.prose > p")];
    const boxes = shown.map(each => each.getBoundingClientRect());
    return boxes.map(({ left, right }) => Math.round(isRightToLeft ? innerWidth - right : left));
}"""
LAST_WORDS = """() => {
  return [...document.querySelectorAll("main :is(.prose > p, .lead)")].flatMap(each => {
    if (!each.checkVisibility()) return [];
    const text = each.innerText.trim(), range = document.createRange(), tops = [];
    const walker = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        for (const word of walker.currentNode.data.matchAll(/\\S+/g)) {
            range.setStart(walker.currentNode, word.index);
            range.setEnd(walker.currentNode, word.index + word[0].length);
            tops.push(Math.round(range.getBoundingClientRect().bottom));
        }
    }
    const last = tops.filter(top => Math.abs(top - tops.at(-1)) < 6).length;
    return tops.length > 4 && last === 1 ? [text.slice(-60)] : [];
  })
}"""


@EACH_PAGE
def test_a_page_has_one_size_for_each_level_and_one_edge(
    path: str, desk: Page, site: Server
) -> None:
    """Text, tables, accordions, rules and calls to action end where the page's text ends.

    Beside contents, lines of text end where they can be read, and all else where the page ends.
    The introduction of a page without contents is below its title, and begins where that begins.
    """
    desk.goto(site.url + path)
    for width in (390, 1280):
        set_width(desk, width)
        sizes = dict(desk.evaluate(SIZES))
        assert {level: found for level, found in sizes.items() if len(found) > 1} == {}, width
        edges = dict(desk.evaluate(EDGES))
        assert {part: found for part, found in edges.items() if len(found) > 1} == {}, width
        assert len(set(desk.evaluate(STARTS))) <= 1, width
        assert desk.evaluate(LAST_WORDS) == [], width


@pytest.mark.parametrize("path", ["/sa/ar/erp", "/sa/ar/about", "/ae/en/about", "/sa/ar/contact"])
def test_figures_and_their_units_are_on_one_line(path: str, desk: Page, site: Server) -> None:
    """All figures of a page have one size, on phones and desks."""
    desk.goto(site.url + path)
    for width in (390, 768, 1024, 1280):
        set_width(desk, width)
        figures = desk.locator(".stats dd").evaluate_all(
            "all => all.map(each => [each.offsetHeight, each.scrollWidth <= each.clientWidth])"
        )
        assert len({height for height, _ in figures}) == 1, width
        assert all(fits for _, fits in figures), width


QUOTES = """() => [...document.querySelectorAll("main blockquote")]
    .filter(each => !each.closest(".card"))
    .map(each => each.parentElement.closest("figure") || each)
    .map(each => getComputedStyle(each).borderInlineStart)"""


def test_quotations_of_all_pages_are_marked_alike(desk: Page, site: Server) -> None:
    """In posts and in sections; those with stars are cards."""
    marks = set()
    for path in ("/blog/al-noor-markets-counts-while-it-sells", "/industries", "/cities/dubai"):
        desk.goto(f"{site.url}/ae/en{path}")
        found = desk.evaluate(QUOTES)
        assert found
        marks |= set(found)
    assert len(marks) == 1
    assert not marks.pop().startswith("0px")


def test_a_compound_word_of_a_heading_is_not_broken(desk: Page, site: Server) -> None:
    """It stands on one line, on phones and desks."""
    desk.goto(f"{site.url}/ae/en/products/counter-pos-15")
    assert "Counter\u00a015" in (desk.text_content("h1") or "")
    word = desk.locator("h1 .unbroken")
    assert word.inner_text() == "all-in-one"
    for width in (390, 1280):
        set_width(desk, width)
        height, line = word.evaluate(
            "each => [each.offsetHeight, parseFloat(getComputedStyle(each).lineHeight)]"
        )
        assert height < 1.5 * line
