"""Lists of a declared kind: in groups, and filtered by several values at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import BASE_URL, Visitor

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
  price: { type: money, vat: true, show: card, filter: true, sort: true }
  since: { type: date, filter: true, sort: true }
  cook: { type: text, sort: true }
  platter: { type: offer, filter: true, sort: true }
  time: { type: duration, filter: true, sort: true }
  stars: { type: rating, filter: true, sort: true }
---
"""


def dish(title: str, course: str = "", allergens: str = "", more: str = "") -> str:
    """Return the file of a dish."""
    lines = [f"title: {title}", *more.splitlines()]
    lines += [f"course: {course}"] * bool(course) + [f"allergens: [{allergens}]"] * bool(allergens)
    return "\n".join(["---", *lines, "---", "Text.\n"])


PRICED = "price: {{AED: {}, SAR: {}}}\nsince: {}\ncook: {}"
TRADE = """
platter: {{ {} }}
time: {}
stars: {}"""
FILES: Mapping[str, str | bytes] = {
    "countries/ae.md": "---\nvatRate: 5\nprices: inclusive\n---\n",
    "countries/sa.md": "---\nvatRate: 15\nprices: inclusive\n---\n",
    "_kinds/dishes.md": KIND,
    "dishes/a-baklava.md": dish(
        "Baklava",
        "sweets",
        "nuts",
        PRICED.format(20, 26, "2024-05-01", "Huda")
        + TRADE.format("least: { AED: 90 }, most: { AED: 300 }", "PT2H", "4.5"),
    ),
    "dishes/b-kunafa.md": dish(
        "Kunafa",
        "sweets",
        "nuts, milk",
        PRICED.format(35, 30, "2025-01-31", "Ali")
        + TRADE.format("amount: { AED: 100 }", "90 minutes", "{ value: 8, best: 10 }"),
    ),
    "dishes/c-machboos.md": dish(
        "Machboos", "mains", "", PRICED.format(60, 64, "2023-07-09", "Zaid")
    ),
    "dishes/d-hummus.md": dish("Hummus", "starters"),
    "dishes/e-water.md": dish("Water"),
    **{f"dishes/m{number:02}.md": dish(f"Main {number}", "mains", "milk") for number in range(24)},
}
DISHES = sum(path.startswith("dishes/") for path in FILES)


@pytest.fixture
def menu(shared_visit: Visit) -> Visitor:
    """A restaurant with more dishes than a page of a list has."""
    return shared_visit(FILES)


def slugs(menu: Visitor, query: str) -> list[str]:
    """Return the dishes that the API lists."""
    return [each["slug"] for each in menu.get(f"{API}?country=ae&filter={query}").json["items"]]


@cases(
    ("asked", "message", "resolution"),
    [
        ("allergen:-nuts", "no field “allergen”", "values of course, allergens, price"),
        ("colour:red", "no field “colour”", "values of course"),
        ("course:Sweets", "course has no value “Sweets”", "course: and one of starters, mains"),
        ("allergens:-nut", "allergens has no value “-nut”", "one of nuts, milk"),
        ("price:cheap", "price has no value “cheap”", "a range such as 10..50"),
        ("price:nan..inf", "price has no value “nan..inf”", "a range such as 10..50"),
        ("time:90", "time has no value “90”", "a range such as 1 hour..2 days"),
    ],
)
def test_a_filter_that_the_kind_has_not_is_refused(
    menu: Visitor, asked: str, message: str, resolution: str
) -> None:
    """Who leaves out nuts must not be told of all dishes; the page says what it left out."""
    reply = menu.get(f"{API}?country=ae&filter={quote(asked)}")
    assert (reply.status, reply.json["error"]["code"]) == (400, "VALIDATION_ERROR")
    assert reply.json["error"]["message"] == f"filter: {message}"
    assert resolution in reply.json["error"]["resolution"]
    name, _, value = asked.partition(":")
    assert menu.get(f"/ae/en/dishes?{name}={value}", HTML).status == 200


def test_groups_are_in_the_order_of_the_declaration(menu: Visitor) -> None:
    """All of them on one page, each below its heading; what has no group comes last."""
    listed = menu.get(f"{API}?country=ae").json
    groups = [each.get("group") for each in listed["items"]]
    assert list(dict.fromkeys(groups)) == ["Starters", "Mains", "Sweets", None]
    assert (len(groups), listed["pagination"]["totalPages"]) == (DISHES, 1)
    markdown = menu.get("/ae/en/dishes.md").text
    assert re.findall(r"^#{2,} (.*)$", markdown, re.MULTILINE) == ["Starters", "Mains", "Sweets"]
    arabic = menu.get("/ae/ar/dishes", HTML).text
    headings = re.findall(r"<h([23]) id[^>]*>([^<]+)", arabic)
    groups = ["المقبلات", "الأطباق الرئيسية", "الحلويات"]
    assert [text for level, text in headings if level == "2"] == groups
    assert not {text for level, text in headings if level == "3"} & {*groups}


def test_the_menu_of_a_list_leads_to_its_groups(menu: Visitor) -> None:
    """Each link names a heading of the page."""
    html = menu.get("/ae/en/dishes", HTML).text
    links = re.search(r'<nav class="chips groups".*?</nav>', html, re.DOTALL)
    assert links
    ids = re.findall(r'href="#([^"]+)"', links[0])
    assert ids == ["starters", "mains", "sweets"]
    assert all(f'<h2 id="{each}"' in html for each in ids)


def test_a_list_without_groups_has_no_menu(shared_visit: Visit) -> None:
    """Also if one group is all that it has."""
    one = {**FILES, **{path: dish("X", "mains") for path in FILES if path.startswith("dishes/")}}
    assert "chips groups" not in shared_visit(one).get("/ae/en/dishes", HTML).text


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
    all_three = "/ae/en/dishes?course=starters&amp;course=mains&amp;course=sweets"
    assert f'<a rel="nofollow" href="{all_three}"' in html


def test_crawlers_do_not_go_through_all_combinations(menu: Visitor) -> None:
    """They find a list with each value; the same values have one address, in whichever order."""
    plain = menu.get("/ae/en/dishes", HTML).text
    assert '<a href="/ae/en/dishes?course=mains"' in plain
    for first, then in (("course=mains", "allergens=-nuts"), ("allergens=-nuts", "course=mains")):
        html = menu.get(f"/ae/en/dishes?{first}", HTML).text
        filters = re.findall(r'<a ([^>]*)href="(/ae/en/dishes\?[^"]*)"[^>]*> ?[^<]* <small>', html)
        assert {href for rel, href in filters if not rel} == {f"/ae/en/dishes?{first}"}
        both = "/ae/en/dishes?course=mains&amp;allergens=-nuts"
        assert ('rel="nofollow" ', both) in filters, then
        markdown = menu.get(f"/ae/en/dishes.md?{first}").text
        asked = re.findall(r"/dishes[.]md[?]([^)]*)[)]", markdown.partition("\n---\n")[2])
        assert asked == [first] * len(asked)
        assert f"[All]({BASE_URL}/ae/en/dishes.md)" in markdown
    taken_back = f"**[Mains]({BASE_URL}/ae/en/dishes.md)** (25), Sweets (2)"
    assert taken_back in menu.get("/ae/en/dishes.md?course=mains").text


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


def test_an_answer_for_one_value_is_not_that_for_two(menu: Visitor) -> None:
    """In each order, in each form and in the API: a cache tells them apart."""
    one, two = "allergens=-nuts", "allergens=-nuts&allergens=-milk"
    for suffix, first in (("", one), (".md", two), (".json", one)):
        second = two if first == one else one
        texts = {each: menu.get(f"/sa/en/dishes{suffix}?{each}").text for each in (first, second)}
        assert ("Main 3" in texts[one], "Main 3" in texts[two]) == (True, False), suffix
    for path in ("filter=allergens:-nuts", "filter=allergens:-nuts&filter=allergens:-milk"):
        listed = menu.get(f"{API}?country=sa&{path}").json["items"]
        assert any(each["slug"] == "m03" for each in listed) == ("milk" not in path)


def test_values_may_stand_in_one_parameter(menu: Visitor) -> None:
    """By commas; what is to be left out, and is no value, is named on the page."""
    joined = menu.get("/ae/en/dishes.md?allergens=-nuts,-milk").text
    assert "Hummus" in joined
    assert "Kunafa" not in joined
    assert "Main 3" not in joined
    assert "Not understood" not in joined
    for form in ("", ".md"):
        text = menu.get(f"/ae/en/dishes{form}?allergens=-nuts&allergens=-peanut").text
        assert "Not understood and left out: -peanut" in text
        assert "Kunafa" not in text


def test_a_number_beside_what_is_left_out_is_that_of_the_list(menu: Visitor) -> None:
    """The next exclusion counts what the ones before it have left."""
    listed = menu.get(f"{API}?country=ae&filter=allergens:-nuts").json
    (allergens,) = (each for each in listed["filters"] if each["name"] == "allergens")
    numbers = {each["value"]: each["count"] for each in allergens["options"]}
    both = len(slugs(menu, "allergens:-nuts,allergens:-milk"))
    assert numbers == {"-nuts": len(slugs(menu, "allergens:-nuts")), "-milk": both}


def test_json_names_what_is_asked_for(menu: Visitor) -> None:
    """The counts are those of the list that the other filters leave."""
    listed = menu.get(f"{API}?country=ae&filter=course:sweets,allergens:-milk").json
    course, allergens, *_ = listed["filters"]
    assert (course["value"], course["values"]) == ("sweets", ["sweets"])
    assert allergens["values"] == ["-milk"]
    assert [(each["value"], each["count"]) for each in allergens["options"]] == [
        ("-nuts", 0),
        ("-milk", 1),
    ]


def test_unknown_values_and_signs_are_no_error_of_a_page(menu: Visitor) -> None:
    """A list that nothing matches is empty, and a value that nothing has leaves nothing out."""
    for query in ("course=-", "allergens=--", "course=&course=mains", "course=a,b"):
        assert menu.get(f"/ae/en/dishes?{query}", HTML).status == 200
    assert menu.get("/ae/en/dishes?course=%00", HTML).status == 400  # as on every page


def sorted_slugs(menu: Visitor, query: str) -> list[str]:
    """Return the sweets and machboos in the order that the API gives them."""
    listed = menu.get(f"{API}?filter=course:sweets,price:..1000&{query}").json
    return [each["slug"][2:] for each in listed["items"]]


def test_a_range_is_between_two_values(menu: Visitor) -> None:
    """Of money those of the country, as its pages show them first; what has none is not in it."""
    assert slugs(menu, "price:..40") == ["a-baklava", "b-kunafa"]
    assert slugs(menu, "price:22..") == ["c-machboos", "b-kunafa"]
    assert slugs(menu, "since:2024-05-01..2024-05-01") == ["a-baklava"]
    cheap = menu.get("/sa/en/dishes?minPrice=31&maxPrice=34.5", HTML).text
    assert ("Kunafa" in cheap, "Baklava" in cheap) == (True, False)  # 30 and 15 % VAT


def test_the_form_of_ranges_keeps_the_other_filters(menu: Visitor) -> None:
    """And shows what is asked for, and between which values the rest is."""
    html = menu.get("/ae/en/dishes?course=sweets&minPrice=21&sort=-price", HTML).text
    form = html[html.index('<form class="filters"') :].partition("</form>")[0]
    assert '<input type="hidden" name="course" value="sweets">' in form
    assert re.search(r'name="minPrice" dir="ltr" value="21"[^>]* placeholder="21', form)
    assert 'name="minSince" dir="ltr" value="" type="date"' in form
    assert '<option value="-price" selected>Price, highest first</option>' in form
    assert "minPrice=21&amp;sort=-price&amp;" not in form
    assert 'href="/ae/en/dishes?minPrice=21&amp;sort=-price"' in html


def test_visitors_sort(menu: Visitor) -> None:
    """By money of the country, days and texts, within the groups; unknown orders are none."""
    assert sorted_slugs(menu, "country=sa&sort=price") == ["baklava", "kunafa"]
    assert sorted_slugs(menu, "country=sa&sort=-price") == ["kunafa", "baklava"]
    assert sorted_slugs(menu, "country=ae&sort=cook") == ["kunafa", "baklava"]
    assert sorted_slugs(menu, "country=ae&sort=since") == ["baklava", "kunafa"]
    assert sorted_slugs(menu, "country=ae&sort=course") == ["baklava", "kunafa"]
    listed = menu.get(f"{API}?country=ae&sort=-since").json
    assert [each["slug"] for each in listed["items"][-3:]] == ["b-kunafa", "a-baklava", "e-water"]
    assert [each["value"] for each in listed["sorts"] if each["current"]] == ["-since"]


def test_whole_numbers_of_a_range_have_no_decimals(shared_visit: Visit) -> None:
    """As those of a field are written on pages."""
    site = shared_visit(
        {
            "_kinds/rooms.md": "---\nsingular: { en: Room, ar: غرفة }\n"
            "plural: { en: Rooms, ar: غرف }\n"
            "fields: { size: { type: number, filter: true } }\n---\n",
            **{
                f"rooms/r{number}.md": f"---\ntitle: Room\nsize: {size}\n---\nText.\n"
                for number, size in enumerate((28, 34.5))
            },
        }
    )
    (size,) = site.get("/api/public/v1/kinds/rooms").json["filters"]
    assert size["range"] == {"min": "28", "max": "34.5"}


def test_json_has_the_range(menu: Visitor) -> None:
    """Of the documents that the other filters leave."""
    listed = menu.get(f"{API}?country=ae&filter=course:sweets,price:22..").json
    price = next(each for each in listed["filters"] if each["name"] == "price")
    assert price["range"] == {"min": "21.00", "max": "36.75", "low": "22"}
    assert (price["values"], price["options"]) == (["22.."], [])


def test_offers_durations_and_ratings_have_ranges(menu: Visitor) -> None:
    """An offer has its lowest price, a duration is written in words, a rating as it stands."""
    assert slugs(menu, "platter:..95") == ["a-baklava"]
    assert slugs(menu, "time:91+min..") == slugs(menu, "time:PT1H31M..3+hours") == ["a-baklava"]
    assert slugs(menu, "stars:4.5..4.6") == ["a-baklava"]
    found = menu.get(f"{API}?country=ae&lang=en").json["filters"]
    ranges = {each["name"]: each["range"] for each in found if "range" in each}
    assert ranges["time"] == {"min": "PT90M", "max": "PT2H"}
    assert ranges["platter"] == {"min": "90", "max": "100"}
    html = menu.get("/ae/en/dishes?minTime=2+hours", HTML).text
    assert ("Baklava" in html, "Kunafa" in html) == (True, False)
    assert 'value="2 hours" maxlength="40" placeholder="90 minutes"' in html


def test_visitors_sort_by_offers_durations_and_ratings(menu: Visitor) -> None:
    """Of two scales, the better one counts more."""
    for sort in ("platter", "-time", "stars"):
        found = menu.get(f"{API}?filter=stars:0..&sort={sort}").json["items"]
        expected = ["a-baklava", "b-kunafa"] if sort != "stars" else ["b-kunafa", "a-baklava"]
        assert [each["slug"] for each in found] == expected, sort
    html = menu.get("/ae/en/dishes", HTML).text
    assert '<option value="-time">Time, longest first</option>' in html


def test_a_program_says_how_many_documents_it_wants(menu: Visitor, shared_visit: Visit) -> None:
    """A list in groups is one page for people, and so it is for programs."""
    plain = shared_visit({**FILES, "_kinds/dishes.md": KIND.replace("groupBy: course\n", "")})
    listed = plain.get(f"{API}?pageSize=2&page=2").json
    assert [each["slug"] for each in listed["items"]] == ["c-machboos", "d-hummus"]
    assert listed["pagination"]["totalPages"] == (DISHES + 1) // 2
    assert plain.get(f"{API}?pageSize=0").status == 400
    assert len(menu.get(f"{API}?pageSize=2").json["items"]) == DISHES


def test_a_template_of_a_list_sees_all_fields(shared_visit: Visit) -> None:
    """Also those that cards do not show, and those without a value; JSON has those of cards."""
    template = (
        '{% extends "majlis/entries.html" %}{% block list %}{% for each in resource["items"] %}'
        "<p>{{ each.title }}: {{ each.all_fields.since.year if each.all_fields.since }},"
        " {{ each.all_fields.time|duration }}, {{ each.all_fields|length }}</p>"
        "{% endfor %}{% endblock %}"
    )
    menu = shared_visit({**FILES, "_templates/entries.html": template})
    html = menu.get("/ae/en/dishes?course=sweets&course=starters", HTML).text
    found = re.findall(r"<p>([A-Z][^<]*), 8</p>", html.replace("\xa0", " "))
    assert found == ["Hummus: , ", "Baklava: 2024, 2 hours", "Kunafa: 2025, 90 minutes"]
    listed = menu.get(f"{API}?country=ae&filter=course:sweets").json["items"]
    assert set(listed[0]["fields"]) == {"course", "price"}
