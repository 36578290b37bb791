"""Error pages for people: they say what is wrong, and lead on."""

from __future__ import annotations

import re

from cases import cases
from conftest import Visit
from contract.visitor import Visitor

BROWSER = {"Accept": "text/html"}
WAYS = {
    "en": ("Page not found", "Main pages", "We are glad to help", "Talk to us"),
    "ar": ("الصفحة غير موجودة", "الصفحات الرئيسية", "يسعدنا أن نساعدك", "تحدّث إلينا"),
}


def main_of(page: str) -> str:
    """Return what is between header and footer."""
    found = re.search(r"<main.*</main>", page, re.DOTALL)
    assert found is not None
    return found[0]


@cases("language", ["en", "ar"])
def test_a_missing_page_leads_on(sample: Visitor, language: str) -> None:
    """With the search, the pages of the menu and the contact, in the language of the address."""
    reply = sample.get(f"/sa/{language}/nothing-of-this", BROWSER)
    assert reply.status == 404
    shown, root = main_of(reply.text), f"/sa/{language}"
    assert [each for each in WAYS[language] if each not in shown] == []
    assert f'action="{root}/search"' in shown
    for path in ("", "/pricing", "/products", "/blog", "/contact"):
        assert f'href="{root}{path}"' in shown
    assert 'href="tel:' in shown


def test_a_menu_without_an_address_leads_on_by_its_links(shared_visit: Visit) -> None:
    """As there is nothing else of it to click."""
    menu = (
        "headerLinks:\n- {label: About, links: [{label: Us, href: /us}, {label: You, href: /you}]}"
    )
    page = "---\ntitle: A\n---\nText.\n"
    navigation = f"---\n{menu}\n- {{label: New, href: /new}}\n---\n"
    files = {f"pages/{name}.md": page for name in ("us", "you", "new")}
    site = shared_visit({"site/navigation.md": navigation, **files}, countries=False)
    shown = main_of(site.get("/en/nothing", BROWSER).text)
    links = re.findall(r'href="/en/(us|you|new)"', shown)
    assert links == ["us", "you", "new"]


def test_a_removed_page_leads_on_too(shared_visit: Visit) -> None:
    """Its site has no contact page, and so no panel for it."""
    site = shared_visit(
        {"_redirects": "/old 410\n", "pages/new.md": "---\ntitle: New\n---\nText.\n"},
        countries=False,
    )
    reply = site.get("/old", BROWSER)
    assert reply.status == 410
    shown = main_of(reply.text)
    assert 'role="search"' in shown
    assert 'href="/en/new"' in shown
    assert "We are glad to help" not in shown


def test_a_refused_request_gets_a_page_without_a_site(sample: Visitor) -> None:
    """In one column, with the way to the home page, and no search that would be refused as well."""
    reply = sample.ask("PUT", "/sa/ar/pricing", BROWSER)
    assert reply.status == 405
    shown = main_of(reply.text)
    assert 'class="bare"' in shown
    assert 'class="button" href="/sa/ar"' in shown
    assert "search" not in shown
