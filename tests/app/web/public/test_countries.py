"""Countries are content: a file adds one everywhere, and without files a site has none."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import BASE_URL, Visitor
from gulf import COUNTRIES
from live.documents import ROOT
from openapi_spec_validator import validate

from app.features.leads.model import StoredLead
from app.services import services_of

API = "/api/public/v1"
BROWSER = {"Accept": "text/html"}
PRODUCT = "---\nid: 1\nsku: s\ntitle: Scale\nprices: {AED: 10, EGP: 125}\n---\nText.\n"
FILES = {
    "site/settings.md": "---\nseo: {pageTitle: {en: Wahat, ar: واحات}}\n---\n",
    "countries/eg.md": "---\nsortOrder: 70\ndefaultLang: ar\nvatRate: 14\n---\n",
    "cities/cairo.md": "---\nname: {en: Cairo, ar: القاهرة}\ncountryCode: EG\n---\nText.\n",
    "pages/about.md": "---\ntitle: About\n---\nFor all.\n",
    "pages/about.ar.md": "---\ntitle: عنا\n---\nللجميع.\n",
    "pages/about.eg.ar.md": "---\ntitle: عنا في مصر\n---\nنص مصري.\n",
    "registry/erp.md": "---\ntitle: ERP\n---\nText.\n",
    "registry/erp.eg.cairo.md": "---\ntitle: ERP in Cairo\n---\nText for Cairo.\n",
    "registry/contact.md": "---\ntitle: Contact\n---\nText.\n",
    "posts/only.eg.md": "---\ntitle: Only in Egypt\ndate: 2026-05-12T22:30:00Z\n---\nText.\n",
    "products/scale.md": PRODUCT,
}


@pytest.fixture
def egypt(shared_visit: Visit) -> Visitor:
    """A site with the six countries of the sample, and with Egypt."""
    return shared_visit(FILES, trusted_proxies="0.0.0.0/0")


@pytest.fixture
def own_egypt(visit: Visit) -> Visitor:
    """The same site, for a test that changes it."""
    return visit(FILES, trusted_proxies="0.0.0.0/0")


def contract(visitor: Visitor) -> Any:
    """Return the OpenAPI document, which is valid."""
    document = visitor.get("/openapi.json").json
    validate(document)
    return document


def test_a_file_adds_pages_in_both_languages(egypt: Visitor) -> None:
    """Its layers are those of file names with its code."""
    english, arabic = (egypt.get(f"/eg/{each}/about", BROWSER) for each in ("en", "ar"))
    assert "For all." in english.text
    assert "نص مصري." in arabic.text
    assert '<html lang="ar" dir="rtl"' in arabic.text
    assert f'hreflang="ar-EG" href="{BASE_URL}/eg/ar/about"' in english.text
    assert ">مصر</a>" in egypt.get("/sa/ar/about", BROWSER).text
    assert "نص مصري." not in egypt.get("/sa/ar/about", BROWSER).text
    assert "Text for Cairo." in egypt.get("/eg/en/cities/cairo/erp").text


def test_a_file_adds_a_country_to_the_api(egypt: Visitor) -> None:
    """Its currency and names are those of CLDR."""
    (item,) = [
        each for each in egypt.get(f"{API}/countries?lang=ar").json["items"] if each["slug"] == "eg"
    ]
    assert item == {"code": "EG", "slug": "eg", "name": "مصر", "currency": "EGP", "enabled": True}
    posts = egypt.get(f"{API}/blog/posts?country=EG").json["items"]
    assert [post["slug"] for post in posts] == ["only"]
    assert egypt.get(f"{API}/blog/posts?country=AE").json["items"] == []
    assert egypt.get(f"{API}/cities?country=eg").json["cities"][0]["countryCode"] == "EG"
    refused = egypt.get(f"{API}/pages?country=FR")
    assert refused.status == 400
    assert "one of AE, SA, QA, OM, KW, BH, EG" in refused.json["error"]["resolution"]


def test_dates_and_prices_are_those_of_the_country(egypt: Visitor) -> None:
    """Egypt has summer time: 22:30 UTC is half past one of the next day."""
    assert "13 May 2026" in egypt.get("/eg/en/blog/only", BROWSER).text
    assert "EGP\u00a0125.00" in egypt.get("/eg/en/products/scale", BROWSER).text
    assert "AED\u00a010.00" in egypt.get("/ae/en/products/scale", BROWSER).text


def test_the_contract_has_the_countries_of_the_content(egypt: Visitor) -> None:
    """In enums of parameters, responses and bodies."""
    document = contract(egypt)
    schemas = document["components"]["schemas"]
    codes = [*COUNTRIES, "EG"]
    slugs = [code.lower() for code in codes]
    assert schemas["Country"]["enum"] == codes
    assert schemas["CountrySlug"]["enum"] == slugs
    slug = {"$ref": "#/components/schemas/CountrySlug"}
    assert schemas["LocaleRouting"]["properties"]["country"].items() >= slug.items()
    assert slug in schemas["Lead"]["properties"]["localeCountry"]["anyOf"]
    parameters = document["paths"][f"{API}/pages"]["get"]["parameters"]
    assert {"$ref": "#/components/parameters/Country"} in parameters
    country = document["components"]["parameters"]["Country"]
    assert country["schema"]["$ref"] == "#/components/schemas/Country"


def test_maps_list_the_country(egypt: Visitor) -> None:
    """sitemap.xml, robots.txt, llms.txt and the feed."""
    assert f"<loc>{BASE_URL}/eg/ar/about</loc>" in egypt.get("/sitemap.xml").text
    assert "Disallow: /eg/en/cart\n" in egypt.get("/robots.txt").text
    assert f"[Egypt, Arabic]({BASE_URL}/eg/ar/llms.txt)" in egypt.get("/llms.txt").text
    assert "/eg/en/about.md" in egypt.get("/eg/en/llms.txt").text
    assert "Only in Egypt" in egypt.get("/eg/en/blog/feed.xml").text
    assert ", EG" in egypt.get("/developers.md").text
    passages = egypt.get(f"{API}/search?q=Cairo&country=eg").json["items"]
    assert {each["page"]["path"].split("/")[1] for each in passages} == {"eg"}


def test_a_hint_leads_to_the_country(egypt: Visitor) -> None:
    """In its default language, if the client names none."""
    header = {"CF-IPCountry": "EG"}
    assert egypt.get("/", header).headers["Location"] == "/eg/ar"
    assert egypt.get(f"{API}/locale-hint", header).json["countryCode"] == "EG"
    assert egypt.get(f"{API}/locale-hint", {"CF-IPCountry": "FR"}).json["source"] == "fallback"


def test_a_lead_names_a_country_of_the_site(own_egypt: Visitor) -> None:
    """Its telephone number is one of that country."""
    lead = {"email": "a@b.test", "phone": "010 12345678", "localeCountry": "eg"}
    assert own_egypt.post(f"{API}/leads", lead).status == 200
    (stored,) = own_egypt.leads()
    assert stored.phone_e164 == "+201012345678"
    refused = own_egypt.post(f"{API}/leads", lead | {"localeCountry": "fr"}).json["error"]
    assert "ae, sa, qa, om, kw, bh or eg" in refused["resolution"]


def test_a_country_whose_file_is_removed_is_gone(own_egypt: Visitor) -> None:
    """Its addresses are 404; what was stored of it stays readable."""
    own_egypt.post(f"{API}/leads", {"email": "a@b.test", "localeCountry": "eg"})
    assert own_egypt.get("/eg/en/about").status == 200
    store = services_of(own_egypt.quart).content_store
    (store.content_dir / "countries/eg.md").unlink()
    store.reload({"countries/eg.md"})
    for path in ("/eg/en/about", "/eg/ar", "/eg/en/blog/only", "/eg/en/llms.txt"):
        assert own_egypt.get(path).status == 404, path
    assert own_egypt.get(f"{API}/pages?country=eg").status == 400
    shown = own_egypt.get("/sitemap.xml").text + own_egypt.get("/ae/en/about", BROWSER).text
    assert "/eg/" not in shown
    assert "EG" not in contract(own_egypt)["components"]["schemas"]["Country"]["enum"]
    leads: list[StoredLead] = own_egypt.leads()
    assert [lead.lead.locale_country for lead in leads] == ["eg"]
    assert own_egypt.get("/ae/en/about-eg").status == 200  # the ending is part of the name now


BARE = {
    path: text
    for path, text in FILES.items()
    if not path.startswith(("countries/", "cities/")) and ".eg." not in path
} | {
    "site/home.md": "---\nhero: {title: {en: Hello, ar: مرحبًا}}\n---\n",
    "posts/first.md": "---\ntitle: First\ncategory: news\ndate: 2026-05-01\n---\nText.\n",
    "posts/first.ar.md": "---\ntitle: أول\ncategory: news\n---\nنص.\n",
    "posts/second.sa.md": "---\ntitle: Second\ncountries: [sa]\ndate: 2026-05-02\n---\nText.\n",
    "categories/news.md": "---\nname: {en: News, ar: أخبار}\n---\n",
    "modules/stock.md": "---\ntitle: Stock\n---\nText.\n",
}
PAGES = (
    *("", "/about", "/erp", "/contact", "/blog", "/blog/first", "/blog/category/news"),
    *("/products", "/products/scale", "/modules/stock", "/search?q=text"),
)


@pytest.fixture
def bare(shared_visit: Visit) -> Visitor:
    """A site without countries."""
    return shared_visit(BARE, countries=False)


@cases("path", PAGES)
def test_pages_of_a_site_without_countries_have_a_language_only(bare: Visitor, path: str) -> None:
    """In all three media types, and with alternates that lead to each other."""
    for media_type in ("text/html", "text/markdown", "application/json"):
        assert bare.get(f"/en{path}", {"Accept": media_type}).status == 200
    page = bare.get(f"/en{path}", BROWSER).text
    assert bare.get(f"/ar{path}", BROWSER).status == 200
    assert not re.search(r'(?:href|action|value)="/(?:ae|sa)/', page)
    assert 'class="countries"' not in page
    assert '<a href="/ar' in page
    alternates = set(re.findall(r'hreflang="([^"]+)" href', page))
    assert alternates <= {"en", "ar", "x-default"}


def test_the_root_leads_to_the_language(bare: Visitor) -> None:
    """The client's, else the site's."""
    assert bare.get("/").headers["Location"] == "/en"
    assert bare.get("/", {"Accept-Language": "ar-EG"}).headers["Location"] == "/ar"
    assert bare.get("/ae/en/about").status == 404


def test_a_country_ending_is_part_of_the_name(bare: Visitor) -> None:
    """`countries` in front matter limits nothing."""
    assert bare.get("/en/blog/second-sa").status == 200


def test_the_api_ignores_the_country(bare: Visitor) -> None:
    """Any value gives the same."""
    plain = bare.get(f"{API}/blog/posts")
    assert plain.json["items"]
    for country in ("AE", "sa", "nowhere"):
        assert bare.get(f"{API}/blog/posts?country={country}").body == plain.body
    assert bare.get(f"{API}/countries").json == {"items": []}
    assert bare.get(f"{API}/locale-hint").json == {"source": "fallback"}
    assert bare.get(f"{API}/locale-routing").json == {"redirect": "/en", "lang": "en"}
    missing = bare.get(f"{API}/blog/posts/second-sa?lang=ar").json
    assert "countryCode" not in missing | missing["fallback"]
    assert missing["fallback"] == {"lang": "en", "href": f"{BASE_URL}/en/blog/second-sa"}
    assert bare.get("/ar/blog/second-sa", BROWSER).status == 404


def test_the_contract_of_a_site_without_countries_has_none(bare: Visitor) -> None:
    """It is valid, and no schema or parameter is about a country of the site."""
    document = contract(bare)
    schemas = document["components"]["schemas"]
    assert "Country" not in schemas
    assert "localeCountry" not in schemas["Lead"]["properties"]
    assert "countryCode" not in schemas["MissingEnvelope"]["properties"]
    names = {
        parameter.get("name")
        for path in document["paths"].values()
        for operation in path.values()
        for parameter in operation["parameters"]
    }
    assert "country" not in names


def test_maps_of_a_site_without_countries(bare: Visitor) -> None:
    """Addresses begin with the language."""
    root = ET.fromstring(bare.get("/sitemap.xml").text)  # noqa: S314  # our own output
    locations = {each.text for each in root.iter() if each.tag.endswith("}loc")}
    assert {f"{BASE_URL}/en/about", f"{BASE_URL}/ar/about", f"{BASE_URL}/developers"} <= locations
    assert all(
        re.match(rf"{BASE_URL}/(?:(?:en|ar)(?:/|$)|developers)", each) for each in locations if each
    )
    assert "Disallow: /ar/cart\n" in bare.get("/robots.txt").text
    assert f"{BASE_URL}/ar/llms.txt" in bare.get("/llms.txt").text
    for path in ("/en/llms.txt", "/ar/llms-full.txt", "/en/blog/feed.xml", "/developers"):
        assert bare.get(path).status == 200, path
    manual = bare.get("/developers.md").text
    assert "`country` is one of" not in manual
    assert "country=" not in manual


def test_a_form_of_a_site_without_countries(visit: Visit) -> None:
    """It stores no country; one that a client sends is ignored."""
    bare = visit(BARE, countries=False)
    lead = {"email": "a@b.test", "localeCountry": "anywhere", "phone": "+20 10 12345678"}
    assert bare.post(f"{API}/leads", lead).status == 200
    (stored,) = bare.leads()
    assert stored.lead.locale_country is None
    assert stored.phone_e164 == "+201012345678"
    assert 'name="localeCountry"' not in bare.get("/en/contact", BROWSER).text


def test_no_code_lists_the_countries_of_the_sample() -> None:
    """No module has several of their codes, in a list, a table or a text."""
    for package in ("knowledge", "renderers", "indexes", "llms", "app"):
        for path in (ROOT / package).rglob("*.py"):
            constants = _texts(ast.parse(path.read_text()))
            named = {word.upper() for text in constants for word in re.findall(r"\w+", text)}
            found = {country for country in COUNTRIES if country in named}
            assert len(found) < 3, f"{path}: {found}"


def _texts(tree: ast.AST) -> Iterator[str]:
    """Yield all texts of a module but its docstrings."""
    nodes = list(ast.walk(tree))
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in (each for each in nodes if id(each) not in docstrings):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
