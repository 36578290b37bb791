"""The switches of country and language keep what a visitor searched, filtered or compared."""

from __future__ import annotations

import re
from html import unescape

import pytest
from cases import cases
from contract.visitor import Visitor

HTML = {"Accept": "text/html"}


@cases(
    ("path", "query", "kept"),
    [
        pytest.param("/search", "q=vat+%22a&page=2", "q=vat+%22a", id="a search, from its start"),
        pytest.param("/search", "q=till&kind=product", "q=till&kind=product", id="its kinds"),
        pytest.param("/blog", "search=vat&page=2", "search=vat", id="a search of the blog"),
        pytest.param("/blog", "page=2", "", id="the page of a list alone"),
        pytest.param(
            "/products",
            "stock=in&minPrice=50&sort=price&sort=name&junk=1",
            "minPrice=50&stock=in&sort=price",
            id="filters and order",
        ),
        pytest.param(
            "/products/compare",
            "items=pocket-pos&items=kiosk-24",
            "items=pocket-pos%2Ckiosk-24",
            id="a comparison",
        ),
        pytest.param(
            "/contact", "plan=Growth&topic=pricing", "plan=Growth&topic=pricing", id="an enquiry"
        ),
        pytest.param("/contact", "sent=1&plan=Growth", "", id="not that it was sent"),
        pytest.param("/about", "q=vat", "", id="a page that reads no query"),
    ],
)
def test_a_switch_keeps_the_query_of_the_page(
    sample: Visitor, path: str, query: str, kept: str
) -> None:
    """To each country, and to the other language."""
    page = sample.get(f"/ae/en{path}?{query}", HTML).text
    switches = re.search(r'<div class="switches">(.*?)</header>', page, re.DOTALL)
    assert switches
    links = [unescape(link) for link in re.findall(r'href="([^"]+)" [^>]*hreflang', switches[1])]
    links += [unescape(link) for link in re.findall(r'href="([^"]+)" lang="ar"', switches[1])]
    wanted = f"{path}?{kept}" if kept else path
    assert {f"/sa/en{wanted}", f"/om/en{wanted}", f"/ae/ar{wanted}"} <= set(links)


def test_a_switch_to_where_the_page_is_not_leads_to_the_home_page(sample: Visitor) -> None:
    """Without the query, which means nothing there."""
    page = sample.get("/ae/en/cities/dubai/erp?q=vat", HTML).text
    assert 'href="/sa/en" hreflang="en-SA"' in page
