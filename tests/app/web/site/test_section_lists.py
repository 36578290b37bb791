"""Lists within pages: sections of the type `entries`, in every form of a page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cases import cases
from conftest import NOW, Content, Visit
from contract.visitor import Visitor

from app.services import services_of
from knowledge.checks.content_linter import check_content
from knowledge.snapshot.loading import load_content

HTML = {"Accept": "text/html"}
KIND = """---
singular: { en: Dish, ar: طبق }
plural: { en: Dishes, ar: الأطباق }
fields:
  course:
    type: choice
    choices:
      starters: { en: Starters, ar: المقبلات }
      mains: { en: Mains, ar: الأطباق الرئيسية }
    filter: true
  allergens:
    type: choice
    many: true
    choices: { nuts: { en: nuts, ar: المكسرات }, milk: { en: milk, ar: الحليب } }
    filter: without
  branch: { type: reference, to: branches }
  price: { type: money, show: card, filter: true, sort: true }
---
"""


def dish(title: str, arabic: str, course: str, price: int, allergens: str = "") -> str:
    """Return the file of a dish."""
    return (
        f"---\ntitle: {{ en: {title}, ar: {arabic} }}\ncourse: {course}\nallergens: [{allergens}]\n"
        f"price: {{ AED: {price}, SAR: {price + 5} }}\nbranch: olaya\n---\nText.\n"
    )


def page(options: str, heading: str = " To share") -> str:
    """Return a page with a list."""
    return (
        f"---\ntitle: Party\n---\nHello.\n\n:::{{entries}}{heading}\n{options}\nFrom noon.\n:::\n"
    )


ASKED = ":kind: dishes\n:filter: price:..50, allergens:-nuts\n:sort: -price\n:groupBy: course"
FILES: dict[str, str | bytes] = {
    "_kinds/dishes.md": KIND,
    "_kinds/branches.md": "---\nsingular: { en: Branch }\nplural: { en: Branches }\n---\n",
    "branches/olaya.md": "---\ntitle: { en: Olaya, ar: العليا }\n---\nText.\n",
    "dishes/baklava.md": dish("Baklava", "بقلاوة", "starters", 20, "nuts"),
    "dishes/hummus.md": dish("Hummus", "حمص", "starters", 25, "milk"),
    "dishes/kabsa.md": dish("Kabsa", "كبسة", "mains", 48),
    "dishes/soup.md": dish("Soup", "شوربة", "starters", 30),
    "pages/party.md": page(ASKED),
    "pages/party.ar.md": page(ASKED, " للمشاركة").replace("title: Party", "title: حفلة"),
}


@pytest.fixture
def menu(shared_visit: Visit) -> Visitor:
    """A restaurant with a page that lists some of its dishes."""
    return shared_visit(FILES)


def test_html_has_cards_in_groups_with_a_link_to_all(menu: Visitor) -> None:
    """In the order of the choices; the link asks the list the same question."""
    html = menu.get("/ae/en/party", HTML).text
    titles = re.findall(r"<h([2-4])[^>]* id=\"([^\"]+)\"[^>]*>(?:<a [^>]*>)?([^<]+)", html)
    assert titles == [
        ("2", "to-share", "To share"),
        ("3", "starters", "Starters"),
        ("4", "soup", "Soup"),
        ("4", "hummus", "Hummus"),
        ("3", "mains", "Mains"),
        ("4", "kabsa", "Kabsa"),
    ]
    assert "<p>From noon.</p>" in html
    path = re.search(r'<p class="more"><a href="([^"]+)"', html)
    assert path
    assert path[1] == "/ae/en/dishes?maxPrice=50&amp;allergens=-nuts&amp;sort=-price"
    whole = menu.get(path[1].replace("&amp;", "&"), HTML).text
    assert "Kabsa" in whole
    assert "Baklava" not in whole


def test_the_other_forms_have_the_list(menu: Visitor) -> None:
    """Markdown a list, JSON a block of cards, the contract's section its text."""
    markdown = menu.get("/ae/en/party.md").text
    (own,) = re.findall(r"(?s)## To share\n\n(.*)", markdown)
    assert own.startswith(
        "From noon.\n\n### Starters\n\n- [Soup](https://www.wahat.example/ae/en/dishes/soup.md)"
    )
    assert "Price: AED 30.00" in own
    json = menu.get("/ae/en/party.json").json
    block = next(each for each in json["blocks"] if each["type"] == "cards")
    assert (block["id"], block["heading"]) == ("to-share", "To share")
    assert [(each["title"], each["group"]) for each in block["items"]] == [
        ("Soup", "Starters"),
        ("Hummus", "Starters"),
        ("Kabsa", "Mains"),
    ]
    assert block["more"]["href"].startswith("/ae/en/dishes?")
    section = next(each for each in json["page"]["sections"] if each["id"] == "to-share")
    assert (section["type"], section["layout"]["name"]) == ("richText", "entries")
    assert "[Kabsa]" in section["body"]


def test_a_list_is_of_the_country_and_the_language(menu: Visitor) -> None:
    """A price in another currency leaves out other dishes."""
    html = menu.get("/sa/ar/party", HTML).text
    assert "حمص" in html
    assert "المقبلات" in html
    assert "كبسة" not in html
    names = menu.get("/ae/en/party.md").text.partition("\n---\n")[0]
    assert "countries: [" in names or "countries:\n" in names


def test_an_edit_of_an_entry_changes_the_page(visit: Visit, tmp_path: Path) -> None:
    """At once, and in the groups and the text of the contract as well."""
    menu = visit(FILES)
    for path in ("/ae/en/party", "/ae/en/party.md", "/ae/en/party.json"):
        assert "Soup" in menu.get(path, HTML if "." not in path else {}).text
    dishes = tmp_path / "content" / "dishes"
    (dishes / "soup.md").write_text(dish("Lentil soup", "شوربة عدس", "mains", 31), "utf-8")
    (dishes / "kabsa.md").write_text(dish("Kabsa", "كبسة", "mains", 90), "utf-8")
    services_of(menu.quart).content_store.reload()
    for path in ("/ae/en/party", "/ae/en/party.md", "/ae/en/party.json"):
        text = menu.get(path, HTML if "." not in path else {}).text
        assert "Lentil soup" in text
        assert "Kabsa" not in text


@cases(
    "options",
    [
        ":kind: dishes\n:filter: price:900..",
        ":kind: drinks",
        ":kind: dishes\n:filter: allergens:-gluten",
        ":kind: dishes\n:limit: many",
        ":sort: price",
    ],
)
def test_a_list_of_nothing_is_left_out(shared_visit: Visit, options: str) -> None:
    """And so is one that asks for what is not there: it might list what it should leave out."""
    menu = shared_visit({**FILES, "pages/party.md": page(options)})
    html = menu.get("/ae/en/party", HTML).text
    assert "Hello." in html
    assert "To share" not in html


@cases(
    ("options", "line", "message", "advice"),
    [
        (":kind: drinks", 7, "kind: “drinks” is not allowed", "Use one of branches, dishes."),
        (
            ":kind: dishes\n:filter: cost:..50",
            8,
            "filter: “cost” is not allowed",
            "Use one of course, allergens, branch, price.",
        ),
        (
            ":kind: dishes\n:sort: title\n:filter: allergens:-gluten",
            9,
            "filter.allergens: “-gluten” is not allowed",
            "Use one of nuts, milk.",
        ),
        (
            ":kind: dishes\n:filter: price:cheap",
            8,
            "filter.price: “cheap” is not allowed",
            "Use one of 10..50.",
        ),
        (
            ":kind: dishes\n:filter: branch:malqa",
            8,
            "filter.branch: “malqa” is not allowed",
            "Use one of olaya.",
        ),
        (
            ":kind: dishes\n:sort: -allergens",
            8,
            "sort: “-allergens” is not allowed",
            "Use one of title, price.",
        ),
        (
            ":kind: dishes\n:limit: 99",
            8,
            "limit: “99” is not allowed",
            "Use one of " + ", ".join(map(str, range(1, 25))) + ".",
        ),
        (
            ":kind: dishes\n:groupBy: allergens",
            8,
            "groupBy: “allergens” is not allowed",
            "Use one of course.",
        ),
        (":sort: price", 6, "kind: “” is not allowed", "Use one of branches, dishes."),
    ],
)
def test_the_check_names_what_a_list_cannot_have(
    content: Content, options: str, line: int, message: str, advice: str
) -> None:
    """With the line of the option, and what is allowed."""
    root = content({**FILES, "pages/party.md": page(options)})
    found = check_content(load_content(root), NOW)
    (one,) = (each for each in found if each.path == "pages/party.md")
    assert (one.line, one.message.rstrip(".")) == (line, message)
    assert str(one.suggestion) == advice


def test_a_list_stands_on_pages_of_all_kinds(shared_visit: Visit) -> None:
    """On the home page, where its author places it, and on the documents of a kind."""
    section = ":::{entries}\n:kind: dishes\n:limit: 1\n:::\n"
    files = {
        "site/home.md": f"---\nhero: {{ title: {{ en: Welcome }} }}\n---\n{section}",
        "branches/olaya.md": f"---\ntitle: Olaya\n---\nText.\n\n{section}",
    }
    menu = shared_visit({**FILES, **files})
    for path in ("/ae/en", "/ae/en/branches/olaya"):
        assert "Baklava" in menu.get(path, HTML).text, path
    assert "Baklava" in menu.get("/ae/en/branches/olaya.md").text


def test_a_template_of_a_site_shows_the_list(shared_visit: Visit) -> None:
    """Also if it shows sections itself."""
    text = (
        '{% extends "majlis/content.html" %}{% block text %}'
        "{{ parts.sections(resource.page.sections) }}{% endblock %}"
    )
    html = shared_visit({**FILES, "_templates/content.html": text}).get("/ae/en/party", HTML).text
    assert re.findall(r"<h4 id=\"([^\"]+)\"", html) == ["to-share-1", "to-share-2", "to-share-3"]
    assert "Kabsa" in html


def test_a_page_with_an_offer_is_another_one_in_other_countries(shared_visit: Visit) -> None:
    """As one with an amount of money is: its currency differs."""
    kind = "singular: { en: Room }\nplural: { en: Rooms }\nfields: { rate: { type: offer } }"
    room = "title: Sea view\nrate: { amount: { AED: 300, SAR: 310 } }"
    files = {"_kinds/rooms.md": f"---\n{kind}\n---\n", "rooms/sea.md": f"---\n{room}\n---\nText.\n"}
    head = shared_visit(files).get("/ae/en/rooms/sea.md").text.partition("\n---\n")[0]
    assert "countries" in head
