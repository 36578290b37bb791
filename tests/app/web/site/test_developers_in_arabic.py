"""`/developers/ar`: the manual in Arabic, which states the same facts as the English one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from babel.messages.pofile import read_po
from cases import cases
from conftest import Visit
from contract.visitor import BASE_URL, Visitor
from storefront.shop import TOKEN

from knowledge.fields.interface_texts import CATALOGS
from renderers.l10n.translation import API_DOMAIN
from renderers.representation import MediaType

PATH = "/developers/ar"
ARABIC = re.compile(r"[\u0621-\u064a]")
WEBHOOK = "https://erp.example/hook"
PAGE = {"pages/a.md": "---\ntitle: A\n---\n"}


@pytest.fixture(scope="module")
def full() -> Iterator[Visitor]:
    """An application with all that the manual may state."""
    with Visitor(
        erp_pull_api_token=TOKEN,
        mcp=True,
        leads_webhook_url=WEBHOOK,
        erp_webhook_url=WEBHOOK,
        changes_webhook_url=WEBHOOK,
    ) as visitor:
        yield visitor


def manuals(visitor: Visitor) -> tuple[str, str]:
    """Return the manual in English and in Arabic, as markdown without the front matter."""
    english, arabic = (visitor.get(path).text for path in ("/developers.md", f"{PATH}.md"))
    return english.split("\n---\n", 1)[1], arabic.split("\n---\n", 1)[1]


@cases("form", MediaType)
def test_it_is_a_page_in_three_forms(full: Visitor, form: MediaType) -> None:
    """At its own address, in Arabic from right to left; `/developers` stays the English one."""
    reply = full.get(PATH, {"Accept": form})
    assert reply.status == 200
    assert reply.headers["Content-Type"].partition(";")[0] == form
    assert f'<{BASE_URL}{PATH}>; rel="canonical"' in reply.links
    if form is MediaType.JSON:
        assert reply.body == full.get("/openapi.json").body
    else:
        assert reply.headers["Content-Language"] == "ar"
        assert ('<html lang="ar" dir="rtl"' in reply.text) is (form is MediaType.HTML)
    assert full.get("/developers").headers["Content-Language"] == "en"


@pytest.mark.parametrize(("path", "other"), [("/developers", PATH), (PATH, "/developers")])
def test_each_leads_to_the_other(full: Visitor, path: str, other: str) -> None:
    """By the switch of the header, hreflang, the front matter and the sitemap, mutually."""
    html = full.get(path, {"Accept": "text/html"})
    assert re.search(rf'<a href="{other}" lang="(ar|en)"', html.text)
    tags = {"en": "/developers", "ar": PATH, "x-default": "/developers"}
    for tag, target in tags.items():
        assert f'<link rel="alternate" hreflang="{tag}" href="{BASE_URL}{target}">' in html.text
    assert f'"{BASE_URL}{other}.md"' in full.get(f"{path}.md").text.split("\n---\n")[0]
    entries = full.get("/sitemap.xml").text.split("<url>")
    (entry,) = [each for each in entries if f"<loc>{BASE_URL}{path}</loc>" in each]
    found = dict(re.findall(r'hreflang="([^"]+)" href="([^"]+)"', entry))
    assert found == {tag: BASE_URL + target for tag, target in tags.items()}


def test_arabic_pages_lead_to_it(full: Visitor) -> None:
    """The footer, and the llms.txt of Arabic locales; the others lead to the English one."""
    for locale, path in (("/sa/ar", PATH), ("/sa/en", "/developers")):
        assert f'<a href="{path}">' in full.get(locale, {"Accept": "text/html"}).text
        assert f"]({BASE_URL}{path}.md):" in full.get(f"{locale}/llms.txt").text


def test_both_state_the_same(full: Visitor) -> None:
    """Sections, examples, tables, links, and all names, paths and numbers in code."""
    english, arabic = manuals(full)
    for pattern in (r"^#+ ", r"^```\w*\n.*?^```$", r"^\| ", r"^- "):
        found = [re.findall(pattern, text, re.MULTILINE | re.DOTALL) for text in (english, arabic)]
        assert found[0] == found[1], pattern
        assert found[0]
    assert codes(english) == codes(arabic)
    assert links(english) == links(arabic)


def codes(text: str) -> Counter[str]:
    """Return the names in code, and the paths that are links; those of the page itself apart."""
    named = re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text) + re.findall(r"\[(/[^]`]*)\]\(", text)
    return Counter(name for name in named if not name.startswith("/developers"))


def links(text: str) -> Counter[str]:
    """Return the targets of links, without those of the page itself."""
    targets = re.findall(r"\]\(([^)]+)\)", text)
    return Counter(each for each in targets if "/developers" not in each and each[0] != "#")


def test_all_its_prose_is_arabic(full: Visitor) -> None:
    """Each paragraph, item, heading and cell has Arabic words, if it has words at all."""
    _, arabic = manuals(full)
    prose = re.sub(
        r"^```.*?^```$|`[^`\n]+`|\]\([^)]*\)", "", arabic, flags=re.MULTILINE | re.DOTALL
    )
    parts = [
        part for part in re.split(r"[|\n]", prose) if re.search(r"[A-Za-z]{4,} [a-z]{3,}", part)
    ]
    assert [part for part in parts if not ARABIC.search(part)] == []


def test_every_translated_fact_is_a_fact(full: Visitor) -> None:
    """A text that the API no longer states has no translation left."""
    english, arabic = manuals(full)
    with (CATALOGS / "ar/LC_MESSAGES" / f"{API_DOMAIN}.po").open("rb") as file:
        texts = {str(message.id): str(message.string) for message in read_po(file) if message.id}
    assert [text for text in texts if text not in english] == []
    assert [text for text in texts.values() if text not in arabic] == []


def test_a_site_without_arabic_has_the_english_one_only(visit: Visit) -> None:
    """It neither links nor lists the other."""
    site = "---\ntitle: Site\nlanguages: [en]\n---\n"
    visitor = visit({**PAGE, "site/site.md": site}, countries=False)
    assert visitor.get(PATH).status == 404
    assert PATH not in visitor.get("/sitemap.xml").text
    html = visitor.get("/developers", {"Accept": "text/html"})
    assert (html.status, PATH in html.text, PATH in html.links) == (200, False, False)
