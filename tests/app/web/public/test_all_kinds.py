"""`/kinds`: all kinds of a site in one shape, those that it declares and the built-in ones."""

from __future__ import annotations

from cases import cases
from conftest import Visit
from contract.test_openapi import closed, violations
from contract.visitor import Visitor

API = "/api/public/v1/kinds"
BUILT_IN = ("modules", "industries", "products", "cities", "testimonials")
DOCTORS = (
    "---\nsingular: {en: Doctor, ar: طبيب}\nplural: {en: Doctors, ar: الأطباء}\nnested: true\n"
    "fields:\n  room: {type: text, label: {en: Room, ar: الغرفة}, filter: true}\n---\n"
)
FILES = {
    "_kinds/doctors.md": DOCTORS,
    "doctors/north/layla.md": "---\ntitle: {en: Layla, ar: ليلى}\nroom: A1\n---\nText.\n",
    "cities/riyadh.md": "---\nname: {en: Riyadh, ar: الرياض}\ncountryCode: SA\n---\nText.\n",
    "testimonials/noor.md": "---\nquote: {en: Good.}\ncustomerName: {en: Noor}\nrating: 5\n---\n",
}


def test_the_list_names_each_kind_with_its_fields(sample: Visitor) -> None:
    """In the language of the request, with the page above the documents."""
    listed = {each["kind"]: each for each in sample.get(f"{API}?lang=ar").json["items"]}
    assert tuple(listed) == BUILT_IN
    products = listed["products"]
    assert (products["plural"], products["path"]) == ("المنتجات", "/ae/ar/products")
    assert products["total"] == len(sample.get("/ae/ar/products.json").json["items"])
    filters = {each["name"] for each in products["fields"] if each["filter"]}
    assert filters == {"productCategory", "prices"}


@cases("kind", BUILT_IN)
def test_a_built_in_kind_has_the_shape_of_a_declared_one(sample: Visitor, kind: str) -> None:
    """Each document as well; the contract has a schema of it, by its name."""
    document = closed(sample.get("/openapi.json").json)
    for path, name in ((f"{API}/{kind}", "EntryList"), (None, "EntryDetail")):
        slug = sample.get(f"{API}/{kind}").json["items"][0]["slug"]
        reply = sample.get(path or f"{API}/{kind}/{slug}")
        assert reply.status == 200
        schema = {"$ref": f"#/components/schemas/{name}"}
        assert violations(document, schema, reply.json) == []
    assert reply.json["entry"]["kind"] == kind
    assert reply.json["entry"]["title"]


def test_a_list_is_filtered_by_a_built_in_field(sample: Visitor) -> None:
    """As the list of products is by its category."""
    listed = sample.get(f"{API}/products?filter=productCategory:pos-systems").json
    categories = {each["fields"]["productCategory"] for each in listed["items"]}
    assert categories == {"pos-systems"}
    assert listed["pagination"]["total"] < listed["total"]


def test_a_price_is_that_of_the_country(sample: Visitor) -> None:
    """With the decimals of its currency."""
    detail = sample.get(f"{API}/products/counter-pos-15?country=KW").json
    assert detail["entry"]["fields"]["prices"] == {"amount": "356.000", "currency": "KWD"}


def test_a_site_lists_only_what_it_has(shared_visit: Visit) -> None:
    """Its own kinds first; a slug may have folders, and what has no page the path of the list."""
    site = shared_visit(FILES)
    listed = [each["kind"] for each in site.get(API).json["items"]]
    assert listed == ["doctors", "cities", "testimonials"]
    assert site.get(f"{API}/modules").status == 404
    layla = site.get(f"{API}/doctors/north/layla").json["entry"]
    assert layla["fields"] == {"room": "A1"}
    (noor,) = site.get(f"{API}/testimonials").json["items"]
    assert (noor["title"], noor["path"]) == ("Noor", "/ae/en/testimonials")
    assert site.get(f"{API}/testimonials/noor").json["entry"]["fields"]["rating"] == 5
    assert site.get(f"{API}/testimonials/nobody").status == 404
    fields = {each["kind"]: each["fields"] for each in site.get(API).json["items"]}["cities"]
    assert "services" not in {each["name"] for each in fields}
