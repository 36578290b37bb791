"""Tests of the tool `list_entries`: what a model asks of dishes and doctors, in one call."""

from __future__ import annotations

import json
from typing import Any

import pytest
from agents import modern
from cases import cases
from conftest import Visit
from contract.visitor import Visitor
from mcp_calls import call

from app.features.mcp.tool import ToolError
from knowledge.markdown.tokens import estimate_tokens

KIND = """---
singular: { en: Dish, ar: طبق }
plural: { en: Dishes, ar: الأطباق }
fields:
  course:
    type: choice
    choices:
      mains: { en: Main courses, ar: الأطباق الرئيسية }
      sweets: { en: Sweets, ar: الحلويات }
    show: card
    filter: true
  allergens:
    type: choice
    many: true
    choices: { nuts: { en: Nuts, ar: مكسرات }, milk: { en: Milk, ar: حليب } }
    filter: without
  branches: { type: reference, to: branches, many: true, filter: true }
  price: { type: offer, show: card, filter: true, sort: true }
  time: { type: duration, filter: true }
  photo: { type: image, show: card, decorative: true }
---
"""
BRANCHES = "---\nsingular: { en: Branch, ar: فرع }\nplural: { en: Branches, ar: الفروع }\n---\n"


def dish(number: int, price: int, allergens: str) -> str:
    """Return the file of a dish."""
    branch = ("riyadh-olaya", "riyadh-malqa", "jeddah")[number % 3]
    return (
        f"---\ntitle: {{ en: Grilled dish {number}, ar: طبق {number} }}\ncourse: mains\n"
        f"allergens: [{allergens}]\nbranches: [{branch}]\ntime: {number + 5} minutes\n"
        f"price: {{ amount: {{ SAR: {price}, AED: {price} }} }}\n---\nText.\n"
    )


FILES: dict[str, str | bytes] = {
    "_kinds/dishes.md": KIND,
    "_kinds/branches.md": BRANCHES,
    "branches/riyadh-olaya.md": "---\ntitle: { en: Riyadh Olaya, ar: الرياض العليا }\n---\nText.\n",
    "branches/riyadh-malqa.md": "---\ntitle: { en: Riyadh Malqa, ar: الرياض الملقا }\n---\nText.\n",
    "branches/jeddah.md": "---\ntitle: { en: Jeddah, ar: جدة }\n---\nText.\n",
    "cities/riyadh.md": "---\nname: {en: Riyadh, ar: الرياض}\ncountryCode: SA\n---\nText.\n",
    **{
        f"dishes/dish-{number:02}.md": dish(number, 20 + number, "nuts" if number % 2 else "milk")
        for number in range(40)
    },
}


@pytest.fixture
def menu(shared_visit: Visit) -> Visitor:
    """A restaurant with branches in two cities."""
    return shared_visit(FILES, mcp=True)


def listed(menu: Visitor, **arguments: Any) -> Any:
    """Return the dishes that the tool lists."""
    return call(menu, "list_entries", kind="dishes", **arguments)


ASKED = {
    "filter": {"price": "..50", "allergens": "-nuts", "branches": "Riyadh"},
    "country": "Riyadh",
    "sort": "price",
}


def test_one_call_answers_within_400_tokens(menu: Visitor) -> None:
    """Dishes up to 50 riyals without nuts in Riyadh, with their prices and pages."""
    found = listed(menu, **ASKED)
    assert estimate_tokens(json.dumps(found, ensure_ascii=False)) <= 400
    assert (found["total"], found["country"]) == (11, "sa")
    first = found["entries"][0]
    assert first == {
        "title": "Grilled dish 0",
        "url": "https://www.wahat.example/sa/en/dishes/dish-00",
        "fields": {
            "course": "Main courses",
            "allergens": "Milk",
            "branches": "Riyadh Olaya",
            "price": "SAR 20.00",
        },
    }
    assert len(found["entries"]) == found["next_offset"] >= 5
    rest = listed(menu, **ASKED, offset=found["next_offset"], limit=50)["entries"]
    assert len(rest) + len(found["entries"]) == 11
    arabic = listed(menu, **ASKED, lang="ar")
    assert estimate_tokens(json.dumps(arabic, ensure_ascii=False)) <= 400
    assert arabic["entries"][0]["fields"]["branches"] == "الرياض العليا"


def test_a_read_of_the_api_answers_within_400_tokens(menu: Visitor) -> None:
    """The same dishes, with the fields that were asked for alone."""
    branches = "branches:riyadh-olaya,branches:riyadh-malqa"
    wanted = f"filter=price:..50,allergens:-nuts,{branches}&sort=price&pageSize=5"
    fields = "fields=pagination.total,items.title,items.path,items.fields"
    reply = menu.get(f"/api/public/v1/kinds/dishes?country=SA&{wanted}&{fields}")
    assert estimate_tokens(reply.text) <= 400
    assert reply.json["pagination"] == {"total": 11}
    titles = [each["title"] for each in reply.json["items"]]
    assert titles == [each["title"] for each in listed(menu, **ASKED)["entries"][:5]]
    assert set(reply.json["items"][0]) == {"title", "path", "fields"}


def titles(menu: Visitor, **filters: Any) -> list[str]:
    """Return the numbers of the dishes that values leave."""
    found = listed(menu, filter=filters, limit=50)["entries"]
    return [each["title"].removeprefix("Grilled dish ") for each in found]


def test_values_are_taken_as_models_send_them(menu: Visitor) -> None:
    """Words of a label, in both languages, lists, ranges with a currency; durations in words."""
    assert titles(menu, price="20..21") == titles(menu, price="..21 AED") == ["0", "1"]
    assert titles(menu, time=["..6 minutes"]) == ["0", "1"]
    assert titles(menu, branches="jeddah") == titles(menu, branches=["Jeddah"])
    both = titles(menu, branches=["riyadh-malqa", "jeddah"])
    assert len(both) == 26
    assert titles(menu, allergens=["-nuts", "-milk"]) == []
    assert titles(menu, course="الأطباق الرئيسية") == titles(menu, course="main") == titles(menu)
    assert titles(menu, course="sweets") == []


@cases(
    ("arguments", "sentence"),
    [
        (
            {"filter": {"cost": "..50"}},
            (
                "filter: “cost” is not allowed."
                " Send filter as values of course, allergens, branches, price, time."
            ),
        ),
        (
            {"filter": {"price": "cheap"}},
            (
                "filter.price: “cheap” is not allowed. Send filter.price as a range such as 10..50,"
                " of which one end may be missing."
            ),
        ),
        (
            {"filter": {"allergens": "-gluten"}},
            (
                "filter.allergens: “-gluten” is not allowed."
                " Send filter.allergens as one of nuts, milk, with - before it to leave it out."
            ),
        ),
        (
            {"filter": {"branches": "Dammam"}},
            (
                "filter.branches: “Dammam” is not allowed. Send filter.branches as one of jeddah,"
                " riyadh-malqa, riyadh-olaya, with - before it to leave it out."
            ),
        ),
        (
            {"sort": "-cost"},
            (
                "sort: “-cost” is not allowed. Send sort as one of title, price, time,"
                " with - the greatest first."
            ),
        ),
        ({"filter": "price"}, "filter: “price” is not allowed. Send filter as values by field."),
        (
            {"country": "France"},
            "country: “France” is not allowed. Send country as one of ae, sa, qa, om, kw, bh.",
        ),
        ({"kind": "drinks"}, "kind: “drinks” is not allowed. Send kind as one of dishes."),
    ],
)
def test_what_is_wrong_is_named_with_what_is_allowed(
    menu: Visitor, arguments: dict[str, Any], sentence: str
) -> None:
    """In one sentence each."""
    with pytest.raises(ToolError) as refusal:
        call(menu, "list_entries", **{"kind": "dishes", **arguments})
    assert str(refusal.value) == sentence


def test_a_kind_is_named_in_words(menu: Visitor) -> None:
    """As its documents are called in either language."""
    for name in ("Dish", "DISHES", "طبق", "أطباق"):
        assert call(menu, "list_entries", kind=name, limit=1)["total"] == 40


def test_the_schema_says_what_may_be_asked_for(menu: Visitor) -> None:
    """In few tokens; instructions name the tool as well."""
    tools = modern(menu, "tools/list").json["result"]["tools"]
    schema = next(each for each in tools if each["name"] == "list_entries")["inputSchema"]
    assert schema["properties"]["kind"]["enum"] == ["dishes"]
    assert schema["properties"]["filter"]["description"].endswith(
        " dishes: course (mains, sweets); allergens (nuts, milk); branches; price (offer range);"
        " time (duration range)."
    )
    assert estimate_tokens(json.dumps(schema)) < 400
    assert "list_entries: " in modern(menu, "server/discover").json["result"]["instructions"]


def test_the_schema_of_many_kinds_is_bounded(shared_visit: Visit) -> None:
    """A call that does not fit still says what may be asked for."""
    kinds = {f"_kinds/{name}s.md": KIND for name in ("ab", "cd", "ef", "gh", "ij", "kl", "mn")}
    site = shared_visit({**kinds, "_kinds/branches.md": BRANCHES}, mcp=True)
    tools = modern(site, "tools/list").json["result"]["tools"]
    properties = tools[-1]["inputSchema"]["properties"]
    assert len(properties["kind"]["enum"]) == 7
    assert estimate_tokens(properties["filter"]["description"]) <= 300


def test_a_site_without_fields_to_ask_for_has_no_such_tool(shared_visit: Visit) -> None:
    """Nor do its instructions name it; a call is told so."""
    site = shared_visit({"pages/bread.md": "---\ntitle: Bread\n---\nText.\n"}, mcp=True)
    tools = modern(site, "tools/list").json["result"]["tools"]
    assert [each["name"] for each in tools][-1] == "list_pages"
    assert "list_entries" not in modern(site, "server/discover").json["result"]["instructions"]
    with pytest.raises(ToolError, match="no kinds with fields"):
        call(site, "list_entries", kind="dishes")


def test_an_event_that_is_over_is_told(shared_visit: Visit) -> None:
    """Others say nothing of it."""
    fields = "starts: {type: date, show: card}\n  hall: {type: text, filter: true}"
    kind = f"---\nsingular: Event\nplural: Events\ndate: starts\nfields:\n  {fields}\n---\n"
    files = {
        "_kinds/events.md": kind,
        "events/old.md": "---\ntitle: Old\nstarts: 2020-01-01\n---\n",
        "events/new.md": "---\ntitle: New\nstarts: 2999-01-01\n---\n",
    }
    found = call(shared_visit(files, mcp=True), "list_entries", kind="events")["entries"]
    assert {each["title"]: each.get("past") for each in found} == {"Old": True, "New": None}


def test_a_reference_is_named_by_its_title_also_without_a_document(shared_visit: Visit) -> None:
    """As on a site on which another country has them: none is an answer, and no error."""
    branch = "---\ntitle: { en: Dammam Corniche, ar: كورنيش الدمام }\n---\nText.\n"
    menu = shared_visit({**FILES, "branches/dammam-one.md": branch}, mcp=True)
    for name in ("Dammam Corniche", "كورنيش الدمام", "corniche", "dammam-one"):
        assert listed(menu, filter={"branches": name})["total"] == 0
