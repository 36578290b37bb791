"""What a line of text reads like on the screen: its characters from left to right."""

from __future__ import annotations

from playwright.sync_api import Page

_LINES = """elements => elements.map(element => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), glyphs = [];
    while (walker.nextNode()) {
        const node = walker.currentNode, range = document.createRange();
        for (let at = 0; at < node.length; at++) {
            range.setStart(node, at);
            range.setEnd(node, at + 1);
            const box = range.getClientRects()[0];
            if (box && box.width > 0 && /\\S/.test(node.data[at]))
                glyphs.push([Math.round(box.bottom / 12), box.left + box.right, node.data[at]]);
        }
    }
    glyphs.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    return glyphs.map(glyph => glyph[2]).join("");
})"""


def visual_lines(page: Page, selector: str) -> list[str]:
    """Return the characters of each element, without spaces, as they stand from left to right."""
    lines: list[str] = page.locator(selector).evaluate_all(_LINES)
    return lines
