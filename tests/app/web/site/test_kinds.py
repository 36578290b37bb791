"""Kinds that a site declares: a clinic with doctors, services, branches and classes."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from time import time_ns
from typing import Any, get_args

import pytest
from cases import cases
from contract.visitor import Visitor
from examples import CLINIC
from mcp_calls import call

from app.services import services_of
from knowledge.diagnostics.diagnostic import Severity
from knowledge.documents.parsed_files import ParsedFiles
from knowledge.fields.front_matter import Common
from knowledge.fields.kind_fields import FieldDeclaration, FieldType, KindFields
from knowledge.snapshot.loading import load_content

GUIDE = Path(__file__).parents[4] / "docs" / "kinds.md"
LAYLA = "/doctors/layla-haddad"
API = "/api/public/v1/kinds"


@pytest.fixture(scope="module")
def clinic() -> Iterator[Visitor]:
    """The clinic, for tests that only read."""
    with Visitor(content_dir=CLINIC) as visitor:
        yield visitor


def shown(visitor: Visitor, path: str) -> dict[str, str]:
    """Return the lines of the labelled values in the markdown of a page."""
    lines = (line for line in visitor.get(f"{path}.md").text.splitlines() if "**: " in line)
    pairs = (line.removeprefix("- **").partition("**: ") for line in lines)
    return {label: value for label, _, value in pairs}


def test_the_clinic_passes_the_check() -> None:
    """Each field type, reference and layer of the sample is valid."""
    assert load_content(CLINIC).diagnostics == ()


def test_a_page_shows_the_fields_that_its_readers_have(clinic: Visitor) -> None:
    """A price in the currency of the country, a layer of it, and no branch of another one."""
    saudi, emirati = shown(clinic, f"/sa/en{LAYLA}"), shown(clinic, f"/ae/ar{LAYLA}")
    assert saudi["Specialty"] == "Cardiology"
    assert saudi["Consultation fee"] == "SAR 350.00"
    assert saudi["Years of experience"] == "18"
    assert saudi["With us since"] == "1 March 2019"
    assert saudi["Languages"] == "Arabic, English, French"
    assert saudi["Branches"].count("](") == 2
    assert emirati["التخصص"] == "أمراض القلب"
    assert emirati["سنوات الخبرة"] == "17"
    assert "400.00" in emirati["رسوم الاستشارة"]
    assert emirati["الفروع"].count("](") == 1
    assert "Motto" not in saudi
    text = clinic.get(f"/sa/en{LAYLA}.md").text
    assert (
        "She leads our [heart check](https://www.wahat.example/sa/en/care/services/heart-check.md)"
        in text
    )


FORMATS = ("text/html", "text/markdown", "application/json", "application/xml", "text/plain")
PAGES = ("/doctors", LAYLA, "/care/services", "/care/services/heart-check", "/classes/first-aid")


@cases("path", PAGES)
def test_a_page_has_every_format_in_every_locale(clinic: Visitor, path: str) -> None:
    """It is in the site map too, with its locales."""
    for locale in ("/sa/en", "/sa/ar", "/ae/en", "/ae/ar"):
        for media_type in FORMATS:
            reply = clinic.get(locale + path, {"Accept": media_type})
            assert reply.status == 200, (locale, media_type)
            assert reply.headers["Content-Type"].startswith(media_type)
    assert f"{path}</loc>" in clinic.get("/sitemap.xml").text


def test_html_has_facts_links_and_structured_data(clinic: Visitor) -> None:
    """References lead to their pages, choices to the filtered list."""
    html = clinic.get(f"/sa/en{LAYLA}", {"Accept": "text/html"}).text
    assert '<a href="/sa/en/branches/olaya">Olaya branch</a>' in html
    assert '<a href="/sa/en/doctors?specialty=cardiology">Cardiology</a>' in html
    start = html.index('<script type="application/ld+json">') + len(
        '<script type="application/ld+json">'
    )
    graph = json.loads(html[start : html.index("</script>", start)])["@graph"]
    (node,) = (each for each in graph if each["@type"] == "Physician")
    assert node["knowsAbout"] == "Cardiology"
    assert node["knowsLanguage"] == ["Arabic", "English", "French"]


def test_the_list_has_cards_and_filters(clinic: Visitor) -> None:
    """A filter counts what it would show, and several hold at once."""
    html = clinic.get("/sa/en/doctors", {"Accept": "text/html"}).text
    assert html.index("Dr Layla Haddad") < html.index("Dr Omar Nasser")
    assert '<a href="/sa/en/doctors?specialty=paediatrics">Paediatrics <small>1</small></a>' in html
    filtered = clinic.get("/sa/en/doctors?specialty=paediatrics&branches=olaya").text
    assert "Dr Omar Nasser" in filtered
    assert "Dr Layla Haddad</a></h2>" not in filtered
    nothing = clinic.get("/sa/en/doctors?specialty=cardiology&branches=nowhere")
    assert nothing.status == 200
    assert "Nothing found" in nothing.text


def test_the_api_lists_and_filters(clinic: Visitor) -> None:
    """The body is that of the page; `fields` has typed values."""
    listed = clinic.get(f"{API}/doctors?country=sa&filter=branches:corniche").json
    assert [each["slug"] for each in listed["items"]] == ["layla-haddad", "sara-alharbi"]
    assert listed["total"] == 3
    assert [(each["name"], each["count"]) for each in listed["filters"]] == [
        ("specialty", 2),
        ("branches", 3),
    ]
    entry = clinic.get(f"{API}{LAYLA}?country=sa").json["entry"]
    assert entry["fields"]["fee"] == {"amount": "350.00", "currency": "SAR"}
    assert entry["fields"]["since"] == "2019-03-01T00:00:00Z"
    assert entry["fields"]["branches"][0] == {
        "slug": "olaya",
        "title": "Olaya branch",
        "path": "/sa/en/branches/olaya",
    }
    assert entry == clinic.get(f"/sa/en{LAYLA}.json").json["entry"]
    place = clinic.get(f"{API}/branches/olaya?country=sa").json["entry"]["fields"]["place"]
    assert (place["latitude"], place["mapUrl"]) == (24.69, "https://maps.example/olaya")
    assert clinic.get(f"{API}/nothing").status == 404
    assert clinic.get(f"{API}/doctors/nobody").status == 404
    assert clinic.get(f"{API}/posts").status == 404


def test_the_contract_names_each_kind(clinic: Visitor, sample: Visitor) -> None:
    """A site without declarations has the built-in ones, and no fields of its own."""
    document = clinic.get("/openapi.json").json
    schemas = document["components"]["schemas"]
    fields = schemas["Doctor"]["allOf"][1]["properties"]["fields"]["properties"]
    assert fields["specialty"]["properties"]["value"]["enum"][0] == "cardiology"
    options = schemas["EntryDetail"]["properties"]["entry"]["anyOf"]
    assert {"$ref": "#/components/schemas/Branch"} in options
    assert "reviewedBy" in schemas["PostBody"]["properties"]["fields"]["properties"]
    assert f"{API}/{{kind}}/{{slug}}" in document["paths"]
    plain = sample.get("/openapi.json").json
    assert {"Module", "Product"} <= plain["components"]["schemas"].keys()
    assert "Doctor" not in plain["components"]["schemas"]
    assert "fields" not in plain["components"]["schemas"]["PostBody"]["properties"]


def test_agents_find_the_kinds(clinic: Visitor) -> None:
    """In llms.txt with their chapter and reason, and with the tools of MCP."""
    guide = clinic.get("/sa/en/llms.txt").text
    chapter = guide.partition("## Our doctors\n")[2].partition("\n## ")[0]
    assert f"/sa/en{LAYLA}.md): use when someone asks who treats them" in chapter
    assert "أطباؤنا" in clinic.get("/sa/ar/llms.txt").text
    pages = call(clinic, "list_pages", "/sa/en", kind="doctor")["pages"]
    assert [each["title"] for each in pages] == [
        *("Dr Layla Haddad", "Dr Omar Nasser", "Dr Sara Alharbi")
    ]
    fetched = call(clinic, "fetch", "/sa/en", id=f"/sa/en{LAYLA}")
    assert "Consultation fee" in fetched["text"]


@cases(
    ("query", "found"),
    [
        pytest.param("Olaya", True, id="title of a reference"),
        pytest.param("listen first", True, id="searched, but not shown"),
        pytest.param("SA-10443", False, id="shown, but not searched"),
    ],
)
def test_the_search_finds_what_is_declared(clinic: Visitor, query: str, found: bool) -> None:
    """By the texts of fields, and with the name of the kind as a filter."""
    target = f"/api/public/v1/search?country=sa&kind=doctor&q={query.replace(' ', '+')}"
    paths = [each["page"]["path"] for each in clinic.get(target).json["items"]]
    assert (f"/sa/en{LAYLA}" in paths) is found


def test_links_menus_and_breadcrumbs_lead_to_kinds(clinic: Visitor) -> None:
    """Files link each other by path, and the menu of a site without one has the lists."""
    about = clinic.get("/sa/en/about", {"Accept": "text/html"}).text
    assert f'<a href="/sa/en{LAYLA}">Dr Layla Haddad</a>' in about
    assert '<li><a href="/sa/en/care/services">Services</a></li>' in about
    service = clinic.get("/sa/en/care/services/heart-check", {"Accept": "text/html"}).text
    assert '<li><a href="/sa/en/care/services">Services</a></li>' in service


def test_built_in_kinds_have_further_fields(clinic: Visitor) -> None:
    """In HTML, markdown, JSON and the search."""
    post = "/sa/en/blog/blood-pressure"
    assert shown(clinic, post)["Reviewed by"].startswith("[Dr Layla Haddad](")
    html = clinic.get(post, {"Accept": "text/html"}).text
    assert f'<dt>Reviewed by</dt><dd><a href="/sa/en{LAYLA}">' in html
    fields = clinic.get("/api/public/v1/blog/posts/blood-pressure?country=sa").json["post"]
    assert fields["fields"]["reviewedBy"]["slug"] == "layla-haddad"
    found = clinic.get("/api/public/v1/search?country=sa&kind=post&q=Layla").json["items"]
    assert [each["page"]["path"] for each in found] == [post]


def test_a_kind_with_dates_has_feeds(clinic: Visitor) -> None:
    """Atom and JSON Feed beside its list, which names them; other kinds have none."""
    html = clinic.get("/sa/en/classes", {"Accept": "text/html"}).text
    assert 'type="application/atom+xml" title="Health classes | Noor Clinics"' in html
    atom = clinic.get("/sa/ar/classes/feed.xml")
    assert atom.headers["Content-Type"].startswith("application/atom+xml")
    assert "<title>الإسعافات الأولية للوالدين</title>" in atom.text
    feed = clinic.get("/sa/en/classes/feed.json").json
    later, item, past = feed["items"]
    assert (later["title"], past["title"]) == ("Living with diabetes", "A healthy back")
    assert (item["title"], item["date_published"][:10]) == ("First aid for parents", "2026-01-05")
    assert "chokes" in item["content_html"]
    assert clinic.get("/sa/en/doctors/feed.xml").status == 404


DOCTORS = """---
singular: Doctor
plural: Doctors
fields:
  specialty:
    type: choice
    choices: { heart: Heart }
---
"""
WRONG = [
    ("  specialty:\n    type: text\n", 5, "a choice needs choices"),
    ("  specialty: { type: colour }\n", 5, "must be one of text"),
    ("  from: { type: text }\n", 5, "reserved name of a field “from”"),
    ("  title: { type: text }\n", 5, "documents have a key of this name"),
    ("  clinic: { type: reference, to: clinics }\n", 5, "there is no kind “clinics”"),
    ("  heart: { type: image, filter: true }\n", 5, "no list is filtered by this type"),
    ("  heart: { type: money, filter: without }\n", 5, "no list is filtered by this type"),
    ("  heart: { type: place, sort: true }\n", 5, "no list is sorted by this type"),
    ("  sort: { type: list, filter: true }\n", 5, "lists have a parameter of this name"),
    ("sort: name\n", 5, "there is no field “name”"),
    ("date: title\n", 5, "“title” is no date"),
    ("path: /blog\n", 5, "/blog"),
    ("path: /Doctors!\n", 5, "invalid address"),
    ("parent: /nowhere/at/all\n", 5, "there is no page at"),
    ("colour: red\n", 5, "unknown key"),
]


@cases(("part", "line", "message"), WRONG)
def test_a_wrong_declaration_is_named(
    tmp_path_factory: pytest.TempPathFactory, part: str, line: int, message: str
) -> None:
    """With its line and what to do."""
    root = tmp_path_factory.mktemp("site")
    (root / "_kinds").mkdir()
    head = "---\nsingular: Doctor\nplural: Doctors\n"
    fields = f"fields:\n{part}" if part.startswith(" ") else f"# a comment\n{part}"
    if message.startswith("a choice"):
        fields = fields.replace("text\n", "text\n    choices: { heart: Heart }\n")
    (root / "_kinds/doctors.md").write_text(f"{head}{fields}---\n")
    (found,) = load_content(root).diagnostics
    assert message in found.message
    assert (found.path, found.line) == ("_kinds/doctors.md", line)
    assert found.suggestion


def test_the_running_service_keeps_the_last_good_declaration(tmp_path: Path) -> None:
    """An edit of a declaration is seen at once, and one that is wrong changes nothing."""
    shutil.copytree(CLINIC, tmp_path / "site")
    declaration = tmp_path / "site/_kinds/doctors.md"
    good = declaration.read_text(encoding="utf-8")
    with Visitor(content_dir=tmp_path / "site") as visitor:
        store = services_of(visitor.quart).content_store

        def edit(text: str) -> None:
            declaration.write_text(text, encoding="utf-8")
            store.reload()

        edit(good.replace("en: Specialty", "en: Field of work").replace("sort: title\n", ""))
        assert shown(visitor, f"/sa/en{LAYLA}")["Field of work"] == "Cardiology"
        edit(good.replace("type: choice", "type: colour"))
        assert shown(visitor, f"/sa/en{LAYLA}")["Field of work"] == "Cardiology"
        health = visitor.get("/api/public/v1/health").json
        assert "_kinds/doctors.md:16" in health["bootstrapError"]
        edit(good.replace("sort: title\n", "path: /team\n"))
        assert visitor.get(f"/sa/en/team{LAYLA.removeprefix('/doctors')}").status == 200
        assert visitor.get(f"/sa/en{LAYLA}").status == 404
        branch = tmp_path / "site/branches/olaya.md"
        text = branch.read_text(encoding="utf-8").replace("Olaya branch", "Sahafa branch")
        branch.write_text(text, encoding="utf-8")
        store.reload()
        assert "Sahafa branch" in visitor.get(f"/sa/en/team{LAYLA.removeprefix('/doctors')}").text
        found = visitor.get("/api/public/v1/search?country=sa&kind=doctor&q=Sahafa").json
        assert {each["page"]["slug"] for each in found["items"]} == {
            *("layla-haddad", "omar-nasser", "sara-alharbi")
        }
        declaration.unlink()
        store.reload()
        assert visitor.get("/sa/en/team").status == 404
        assert visitor.get("/sa/en/about").status == 200


def test_a_warm_start_parses_no_document_of_a_declared_kind(tmp_path: Path) -> None:
    """Nor one of a built-in kind with further fields, unless its declaration is another."""
    shutil.copytree(CLINIC, tmp_path / "site")
    for path in (tmp_path / "site").rglob("*.md"):
        os.utime(path, (0, 1_700_000_000))
    first = load_content(
        tmp_path / "site", parsed=ParsedFiles(tmp_path / "kept", tmp_path / "site")
    )
    kept = ParsedFiles(tmp_path / "kept", tmp_path / "site")
    kept.write(first.read.known, frozenset(), time_ns(), lambda: None)
    again = load_content(tmp_path / "site", parsed=kept)
    assert kept.missed == 0
    assert again.files["doctors/omar-nasser.md"].document is not None
    declaration = tmp_path / "site/_kinds/doctors.md"
    text = declaration.read_text(encoding="utf-8")
    declaration.write_text(text.replace("    required: true\n", "", 1), encoding="utf-8")
    changed = ParsedFiles(tmp_path / "kept", tmp_path / "site")
    assert load_content(tmp_path / "site", parsed=changed).diagnostics == ()
    assert changed.missed > 0


def test_templates_are_chosen_by_kind_and_document(tmp_path: Path) -> None:
    """A template of the kind's name, and the one that a document names; both extend ours."""
    shutil.copytree(CLINIC, tmp_path / "site")
    own = tmp_path / "site/_templates"
    own.mkdir()
    head = '{% extends "majlis/entry.html" %}{% block related %}'
    (own / "doctors.html").write_text(f"{head}<p>of the kind</p>{{% endblock %}}")
    (own / "star.html").write_text(f"{head}<p>of the document</p>{{% endblock %}}")
    omar = tmp_path / "site/doctors/omar-nasser.md"
    omar.write_text(omar.read_text(encoding="utf-8").replace("---\n", "---\ntemplate: star\n", 1))
    with Visitor(content_dir=tmp_path / "site") as visitor:
        html = {"Accept": "text/html"}
        assert "<p>of the kind</p>" in visitor.get(f"/sa/en{LAYLA}", html).text
        assert "<p>of the document</p>" in visitor.get("/sa/en/doctors/omar-nasser", html).text


@cases(
    ("written", "problem"),
    [
        pytest.param("beds: nan", "invalid number", id="no number"),
        pytest.param("beds: 1e400", "invalid number", id="too large"),
        pytest.param("opened: soon", "invalid date", id="no date"),
        pytest.param("fee: { AED: free }", "invalid amount", id="no amount"),
        pytest.param("fee: { Dirham: 3 }", "invalid currency", id="no currency"),
        pytest.param("ward: cellar", "must be one of upper", id="no option"),
        pytest.param("spot: { latitude: 91 }", "must be at most 90", id="no place"),
    ],
)
def test_a_wrong_value_of_a_field_is_named(
    tmp_path_factory: pytest.TempPathFactory, written: str, problem: str
) -> None:
    """With its line, and the document is left out."""
    root = tmp_path_factory.mktemp("site")
    for folder in ("_kinds", "clinics"):
        (root / folder).mkdir()
    (root / "_kinds/clinics.md").write_text(CLINICS)
    (root / "clinics/one.md").write_text(f"---\ntitle: One\n{written}\n---\nText.\n")
    loaded = load_content(root)
    assert problem in str(loaded.diagnostics[0])
    assert loaded.diagnostics[0].line == 3
    assert not [*loaded.snapshot.all(loaded.snapshot.content_types.named("clinics"))]


def test_a_key_that_no_field_has_is_a_notice(tmp_path: Path) -> None:
    """With the nearest key, or how to declare it; the document is served."""
    for folder in ("_kinds", "clinics"):
        (tmp_path / folder).mkdir()
    (tmp_path / "_kinds/clinics.md").write_text(CLINICS)
    text = "---\ntitle: One\ndraft: false\nwads: upper\ncolour: red\n---\nText.\n"
    (tmp_path / "clinics/one.md").write_text(text)
    loaded = load_content(tmp_path)
    near, far = loaded.diagnostics
    assert (near.line, near.suggestion) == (4, "Did you mean ward?")
    assert far.suggestion == "Declare it in _kinds/clinics.md, or remove it."
    assert {near.severity, far.severity} == {Severity.NOTICE}
    assert [*loaded.snapshot.all(loaded.snapshot.content_types.named("clinics"))]


def test_an_edited_declaration_is_that_of_its_documents(tmp_path: Path) -> None:
    """A kind of the same folder had other fields before; nothing is kept by the folder alone."""
    (tmp_path / "_kinds").mkdir()
    (tmp_path / "suites").mkdir()
    (tmp_path / "suites/a.md").write_text("---\ntitle: A\nprice_from: 3\ndraft: text\n---\nText.\n")
    for fields, found in (
        ("sea: { type: boolean }", 1),
        ("price_from: { type: number }\n  draft: { type: text }", 0),
    ):
        (tmp_path / "_kinds/suites.md").write_text(
            f"---\nsingular: Suite\nplural: Suites\nfields:\n  {fields}\n---\n"
        )
        loaded = load_content(tmp_path)
        unknown = [each for each in loaded.diagnostics if "price_from" in str(each.message)]
        assert len(unknown) == found, fields


def test_fields_may_have_the_keys_of_other_systems(tmp_path: Path) -> None:
    """In the declaration and in documents, where `price_from` is `priceFrom`."""
    for folder in ("_kinds", "rooms"):
        (tmp_path / folder).mkdir()
    (tmp_path / "_kinds/rooms.md").write_text(
        "---\nsingular: Room\nplural: Rooms\nsort: -price_from\nrequireOneOf: [price_from]\n"
        "fields:\n  price_from: { type: number }\n  sea: { type: boolean }\n---\n"
    )
    for name, key in (("a", "price_from"), ("b", "priceFrom")):
        (tmp_path / f"rooms/{name}.md").write_text(f"---\ntitle: {name}\n{key}: 3\n---\nText.\n")
    loaded = load_content(tmp_path)
    assert not loaded.diagnostics
    rooms = loaded.snapshot.all(loaded.snapshot.content_types.named("rooms"))
    read = attrgetter("price_from")
    assert [read(each.documents[0].fields) for each in rooms] == [3, 3]


CLINICS = """---
singular: Clinic
plural: Clinics
fields:
  beds: { type: number }
  opened: { type: date }
  fee: { type: money }
  ward: { type: choice, choices: { upper: Upper } }
  spot: { type: place }
---
"""


def test_several_sites_have_their_own_kinds(tmp_path: Path) -> None:
    """In one process, as in tests and in checks."""
    (tmp_path / "_kinds").mkdir()
    (tmp_path / "_kinds/doctors.md").write_text(DOCTORS)
    one, two = load_content(tmp_path).snapshot, load_content(CLINIC).snapshot
    assert [each.name for each in one.kinds.declared] == ["doctors"]
    assert len(two.kinds.declared) == 4
    assert (
        one.content_types.named("doctors").fields is not two.content_types.named("doctors").fields
    )


def test_the_guide_has_all_keys_and_types() -> None:
    """Those of declarations and of their fields."""
    guide = GUIDE.read_text(encoding="utf-8")
    keys: dict[str, Any] = {**_keys(FieldDeclaration), **_keys(KindFields)}
    inherited = set(_keys(Common)) - {"template"}
    missing = [key for key in keys if f"`{key}`" not in guide and key not in inherited]
    assert missing == []
    types = [each for each in get_args(FieldType) if f"| `{each}` |" not in guide]
    assert types == []


def _keys(model: type[Any]) -> dict[str, None]:
    words = (name.split("_") for name in model.field_names)
    return {first + "".join(word.title() for word in rest): None for first, *rest in words}
