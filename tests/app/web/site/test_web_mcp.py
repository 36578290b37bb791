"""WebMCP: the search and the contact form as tools of agents in browsers, if a site wants it."""

from __future__ import annotations

from html.parser import HTMLParser

from conftest import Visit
from contract.visitor import Visitor

HTML = {"Accept": "text/html"}
SITE = {
    "site/settings.md": "---\nwebMcp: true\nseo: {pageTitle: 'A \"B\" <i>'}\n---\n",
    "registry/contact.md": "---\ntitle: Contact\n---\nText.\n",
}


class Tools(HTMLParser):
    """The elements of a page with attributes of WebMCP, by name."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect an element whose attributes begin with `tool`."""
        given = {name: value for name, value in attrs if name.startswith("tool")}
        if given:
            self.found.append((tag, given))


def test_forms_are_no_tools_by_default(sample: Visitor) -> None:
    """Pages have no attribute that HTML does not know."""
    for path in ("/ae/en", "/ae/en/contact", "/sa/ar/search?q=vat"):
        assert Tools(sample.get(path, HTML).text).found == []


def test_the_search_and_the_contact_form_are_tools(visit: Visit) -> None:
    """Each name stands once in a page; only the search may be sent without a person."""
    site = visit(SITE)
    search = {
        "toolname": "search_site",
        "tooldescription": 'Search the pages of A "B" <i>',
        "toolautosubmit": "",
    }
    words = {"toolparamdescription": "A question or words"}
    expected = [("form", search), ("input", words)]
    assert Tools(site.get("/ae/en/search?q=vat", HTML).text).found == expected
    *header, form, message = Tools(site.get("/ae/en/contact", HTML).text).found
    assert header == expected
    assert (form[0], form[1]["toolname"]) == ("form", "send_enquiry")
    assert "toolautosubmit" not in form[1]
    assert message[0] == "textarea"


def test_a_tool_speaks_the_language_of_the_page(visit: Visit) -> None:
    """In Arabic on Arabic pages."""
    (_, search), *_ = Tools(visit(SITE).get("/ae/ar", HTML).text).found
    assert str(search["tooldescription"]).startswith("البحث في صفحات")
