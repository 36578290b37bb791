"""Lists of a declared kind: in groups, and filtered by several values at once."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from conftest import Visit
from contract.visitor import Visitor

HTML = {"Accept": "text/html"}
API = "/api/public/v1/kinds/dishes"
KIND = """---
singular: { en: Dish, ar: طبق }
plural: { en: Dishes, ar: الأطباق }
groupBy: course
fields:
  course:
    type: choice
    show: card
    choices:
      starters: { en: Starters, ar: المقبلات }
      mains: { en: Mains, ar: الأطباق الرئيسية }
      sweets: { en: Sweets, ar: الحلويات }
    filter: true
  allergens:
    type: choice
    many: true
    choices: { nuts: { en: nuts, ar: المكسرات }, milk: { en: milk, ar: الحليب } }
    filter: without
---
"""


def dish(title: str, course: str = "", allergens: str = "") -> str:
    """Return the file of a dish."""
    lines = [f"title: {title}"]
    lines += [f"course: {course}"] * bool(course) + [f"allergens: [{allergens}]"] * bool(allergens)
    return "\n".join(["---", *lines, "---", "Text.\n"])


FILES: Mapping[str, str | bytes] = {
    "_kinds/dishes.md": KIND,
    "dishes/a-baklava.md": dish("Baklava", "sweets", "nuts"),
    "dishes/b-kunafa.md": dish("Kunafa", "sweets", "nuts, milk"),
    "dishes/c-machboos.md": dish("Machboos", "mains"),
    "dishes/d-hummus.md": dish("Hummus", "starters"),
    "dishes/e-water.md": dish("Water"),
    **{f"dishes/m{number:02}.md": dish(f"Main {number}", "mains", "milk") for number in range(24)},
}


@pytest.fixture
def menu(shared_visit: Visit) -> Visitor:
    """A restaurant with more dishes than a page of a list has."""
    return shared_visit(FILES)


def slugs(menu: Visitor, query: str) -> list[str]:
    """Return the dishes that the API lists."""
    return [each["slug"] for each in menu.get(f"{API}?country=ae&filter={query}").json["items"]]


def test_groups_are_in_the_order_of_the_declaration(menu: Visitor) -> None:
    """All of them on one page, each below its heading; what has no group comes last."""
    listed = menu.get(f"{API}?country=ae").json
    groups = [each.get("group") for each in listed["items"]]
    assert list(dict.fromkeys(groups)) == ["Starters", "Mains", "Sweets", None]
    assert (len(groups), listed["pagination"]["totalPages"]) == (len(FILES) - 1, 1)
    markdown = menu.get("/ae/en/dishes.md").text
    assert re.findall(r"^## (.*)$", markdown, re.MULTILINE) == ["Starters", "Mains", "Sweets"]
    arabic = menu.get("/ae/ar/dishes", HTML).text
    headings = re.findall(r"<h2 id[^>]*>([^<]+)", arabic)
    assert headings == ["المقبلات", "الأطباق الرئيسية", "الحلويات"]


def test_the_menu_of_a_list_leads_to_its_groups(menu: Visitor) -> None:
    """Each link names a heading of the page."""
    html = menu.get("/ae/en/dishes", HTML).text
    links = re.search(r'<nav class="chips contents".*?</nav>', html, re.DOTALL)
    assert links
    ids = re.findall(r'href="#([^"]+)"', links[0])
    assert ids == ["starters", "mains", "sweets"]
    assert all(f'<h2 id="{each}"' in html for each in ids)


def test_a_list_without_groups_has_no_menu(shared_visit: Visit) -> None:
    """Also if one group is all that it has."""
    one = {**FILES, **{path: dish("X", "mains") for path in FILES if path.startswith("dishes/")}}
    assert "chips contents" not in shared_visit(one).get("/ae/en/dishes", HTML).text


def test_several_values_are_asked_for_at_once(menu: Visitor) -> None:
    """A dish has one of them; the links keep what is chosen, and take it back."""
    assert slugs(menu, "course:starters,course:sweets") == ["d-hummus", "a-baklava", "b-kunafa"]
    html = menu.get("/ae/en/dishes?course=starters&course=sweets", HTML).text
    assert re.findall(r"<h2 id[^>]*>([^<]+)", html) == ["Starters", "Sweets"]
    current = re.findall(r'<a href="([^"]+)" aria-current="true">(\w+) <small>', html)
    assert current == [
        ("/ae/en/dishes?course=sweets", "Starters"),
        ("/ae/en/dishes?course=starters", "Sweets"),
        ("/ae/en/dishes?course=starters&amp;course=sweets", "All"),
    ]
    assert 'href="/ae/en/dishes?course=starters&amp;course=sweets&amp;course=mains"' in html


def test_a_filter_leaves_out(menu: Visitor) -> None:
    """Dishes without a value are what somebody with an allergy looks for."""
    assert slugs(menu, "course:sweets,allergens:-milk") == ["a-baklava"]
    assert slugs(menu, "allergens:-milk,allergens:-nuts") == ["d-hummus", "c-machboos", "e-water"]
    html = menu.get("/ae/en/dishes?course=sweets", HTML).text
    assert '?course=sweets&amp;allergens=-milk">Without milk <small>1</small>' in html
    assert "بدون المكسرات" in menu.get("/ae/ar/dishes", HTML).text
    kept = menu.get("/ae/en/dishes?course=sweets&allergens=-milk", HTML).text
    assert "Baklava" in kept
    assert "Kunafa" not in kept


def test_json_names_what_is_asked_for(menu: Visitor) -> None:
    """The counts are those of the list that the other filters leave."""
    listed = menu.get(f"{API}?country=ae&filter=course:sweets,allergens:-milk").json
    course, allergens = listed["filters"]
    assert (course["value"], course["values"]) == ("sweets", ["sweets"])
    assert allergens["values"] == ["-milk"]
    assert [(each["value"], each["count"]) for each in allergens["options"]] == [
        ("-nuts", 0),
        ("-milk", 1),
    ]


def test_unknown_values_and_signs_are_no_error(menu: Visitor) -> None:
    """A list that nothing matches is empty, and a value that nothing has leaves nothing out."""
    assert slugs(menu, "course:soup") == []
    assert len(slugs(menu, "allergens:-soy")) == len(FILES) - 1
    for query in ("course=-", "course=%00", "allergens=--", "course=&course=mains", "course=a,b"):
        assert menu.get(f"/ae/en/dishes?{query}", HTML).status in (200, 400)
