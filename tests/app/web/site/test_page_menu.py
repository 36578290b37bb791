"""The menu beside titles: the page as markdown, to copy, to see, and to open in an assistant."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from cases import cases
from conftest import Visit
from contract.visitor import BASE_URL
from page_scripts import own_scripts, own_sources

from renderers.html.styles import FOLDER, source_of

HTML = {"Accept": "text/html"}
KIND = "---\nsingular: {{ en: {0}, ar: {0} }}\nplural: {{ en: {0}s, ar: {0}s }}\n{1}\n---\n"
SITE = {
    "_kinds/doctors.md": KIND.format("Doctor", ""),
    "_kinds/manual.md": KIND.format("Page", "layout: documentation"),
    "doctors/mona.md": "---\ntitle: { en: Mona, ar: منى }\n---\nText.\n",
    "manual/start.md": "---\ntitle: { en: Start, ar: البداية }\n---\nText.\n",
    "posts/hello.md": "---\ntitle: { en: Hello, ar: مرحبًا }\ndate: 2026-01-01\n---\nText.\n",
    **{f"{name}.ar.md": "نص.\n" for name in ("doctors/mona", "manual/start", "posts/hello")},
    "pages/about.md": "---\ntitle: About\n---\nText.\n",
}
PAGES = ("/blog/hello", "/doctors/mona", "/manual/start")
MENU = re.compile(r'<nav class="page-menu".*?</nav>', re.DOTALL)


def links(menu: str) -> list[tuple[str, str]]:
    """Return target and text of each link of a menu."""
    return re.findall(r'<a [^>]*?href="([^"]+)"[^>]*>([^<]+)</a>', menu)


@cases("page", PAGES)
@cases("language", ["en", "ar"])
def test_posts_documentation_and_own_kinds_have_the_menu(
    shared_visit: Visit, page: str, language: str
) -> None:
    """Its links need no script, and name the markdown of the page."""
    site, path = shared_visit(SITE), f"/ae/{language}{page}"
    (menu,) = MENU.findall(site.get(path, HTML).text)
    (own, view), *assistants = links(menu)
    assert own == f"{path}.md"
    assert view == {"en": "View as markdown", "ar": "عرض بصيغة Markdown"}[language]
    hosts = [urlsplit(target).hostname for target, _ in assistants]
    assert hosts == ["chatgpt.com", "claude.ai"]
    for target, _ in assistants:
        (asked,) = parse_qs(urlsplit(target).query)["q"]
        assert f"{BASE_URL}{path}.md" in asked
    assert site.get(own).headers["Content-Type"].startswith("text/markdown")


def test_the_policy_allows_the_script_that_copies_by_its_hash(shared_visit: Visit) -> None:
    """It has less than 1 kB, and stands on no page without the menu."""
    site = shared_visit(SITE)
    reply = site.get("/ae/en/doctors/mona", HTML)
    (script,) = own_scripts(reply.text)
    assert script == (FOLDER / "site" / "copy.js").read_text()
    assert len(script.encode()) <= 1_000
    assert own_sources(reply.headers) == {source_of(script)}
    other = site.get("/ae/en/about", HTML)
    assert (own_scripts(other.text), own_sources(other.headers)) == ([], set())


def test_other_forms_of_pages_have_nothing_of_it(shared_visit: Visit) -> None:
    """Neither markdown, JSON nor plain text, nor a page of another type."""
    site = shared_visit(SITE)
    for page in PAGES:
        for suffix in (".md", ".json", ".txt"):
            reply = site.get(f"/ae/en{page}{suffix}")
            assert "chatgpt" not in reply.text.lower()
            assert "Copy page" not in reply.text
    assert MENU.findall(site.get("/ae/en/about", HTML).text) == []


def test_a_site_switches_it_off(shared_visit: Visit) -> None:
    """By a setting, on all pages."""
    site = shared_visit(SITE | {"site/settings.md": "---\npageMenu: false\n---\n"})
    for page in PAGES:
        reply = site.get(f"/ae/en{page}", HTML)
        assert MENU.findall(reply.text) == []
        assert "copy.js" not in reply.text
        assert "data-markdown" not in reply.text
