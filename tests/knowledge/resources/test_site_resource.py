"""Site settings, home page, navigation, testimonials, cities, countries and locale hints."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import ViewOf, locale_of
from pydantic import BaseModel

from knowledge.locales.locale import Country
from knowledge.resources.home import homepage
from knowledge.resources.places import city_list, country_list, locale_hint, locale_routing
from knowledge.resources.site import navigation, site_settings
from knowledge.resources.testimonials import testimonial_list
from knowledge.views.content_view import ContentView

NAVIGATION = """---
headerLinks:
  - {id: blog, label: {en: Blog, ar: المدونة}, href: /blog, sortOrder: 2}
  - {label: Home, href: /, sortOrder: 1, active: false}
  - {label: nothing}
footerColumns:
  - {title: Company, links: [{label: About, href: /about}]}
  - {title: Empty}
---
"""
FILES: dict[str, str | bytes] = {
    "site/navigation.md": NAVIGATION,
    "site/settings.md": "---\nheader: {logoUrl: ../images/l.svg}\nseo: {pageTitle: Wahat}\n"
    "siteSettings: {primaryEmail: a@x.test, officeAddress: {en: Street, ar: شارع}}\n---\n",
    "site/home.md": "---\nhero: {title: {en: Hi, ar: أهلا}}\nstats: {items: [{value: 6}]}\n"
    "demoCta: {enabled: false}\nabout: {paragraphs: [One]}\n---\n",
    "site/testimonials.md": "---\nsection: {heading: {en: Said}, viewAllUrl: /testimonials}\n---\n",
    "images/l.svg": "x",
    "pages/about.md": "---\ntitle: About\n---\nx",
    "modules/stock.md": "---\ntitle: {en: Stock, ar: مخزون}\nshortDescription: D\n---\nx",
    "industries/retail.md": "---\ntitle: Retail trade\nname: Retail\n---\nx",
    "testimonials/a.md": "---\ncustomerName: A\nquote: {en: Good, ar: جيد}\nrating: 5\n"
    "featuredOnHomepage: true\nsortOrder: 2\n---\n",
    "testimonials/b.md": "---\ncustomerName: B\nrating: 4.5\nsortOrder: 1\n---\nFrom the *body*.",
    "testimonials/c.md": "---\ncustomerName: C\n---\n",
    "cities/riyadh.md": "---\ncountryCode: SA\nname: {en: Riyadh, ar: الرياض}\nsortOrder: 1\n---\n",
    "cities/jeddah.md": "---\ncountryCode: SA\nname: Jeddah\nservices: [erp]\nsortOrder: 2\n---\nx",
    "cities/dubai.md": "---\ncountryCode: AE\nname: Dubai\n---\nx",
    "countries/sa.md": "---\nsortOrder: 1\ndefaultLang: ar\nname: {en: Saudi}\n---\n",
    "countries/qa.md": "---\nsortOrder: 12\nenabled: false\n---\n",
}


@pytest.fixture
def view(view_of: ViewOf) -> ContentView:
    """A small site."""
    return view_of(FILES)


def body(resource: BaseModel) -> Any:
    """Return the JSON body that a client receives."""
    return json.loads(resource.model_dump_json())


def test_menus_are_sorted_and_localized(view: ContentView) -> None:
    """Links without a target are left out; `href` is a path in the locale."""
    menus = body(navigation(view.for_locale(locale_of("sa/ar"))))
    assert menus["headerLinks"] == [
        {"id": "home", "label": "Home", "href": "/sa/ar", "active": False, "sortOrder": 1},
        {"id": "blog", "label": "المدونة", "href": "/sa/ar/blog", "active": True, "sortOrder": 2},
    ]
    assert [link["href"] for link in menus["footerColumns"]["links"]] == ["/sa/ar/about"]
    assert menus["pages"] == [{"slug": "about", "title": "About"}]


def test_settings(view: ContentView) -> None:
    """The logo is a site path; footer titles are localized; other texts are bilingual."""
    settings = body(site_settings(view))
    assert settings["header"]["logoUrl"] == "/images/l.svg"
    assert settings["footer"] == {"columns": [{"title": "Company"}, {"title": "Empty"}]}
    assert settings["seo"] == {"pageTitle": {"en": "Wahat"}}
    assert settings["siteSettings"] == {
        "primaryEmail": "a@x.test",
        "officeAddress": {"en": "Street", "ar": "شارع"},
    }


def test_the_home_page_gathers_other_documents(view: ContentView) -> None:
    """It includes modules, industries and featured testimonials."""
    home = body(homepage(view).resource)
    assert home["hero"] == {"title": {"en": "Hi", "ar": "أهلا"}}
    assert home["stats"]["items"] == [{"id": "stat-1", "value": "6"}]
    assert home["modules"]["items"] == [
        {"id": "module-stock", "title": {"en": "Stock", "ar": "مخزون"}, "description": {"en": "D"}}
    ]
    assert home["industries"]["items"][0]["name"] == {"en": "Retail"}
    assert home["testimonials"]["items"] == [
        {"id": "testimonial-a", "quote": "Good", "customerName": "A"}
    ]
    assert home["demoCta"] == {"enabled": False}
    assert home["about"]["paragraphs"] == [{"en": "One"}]
    assert home["_locale"]["resolvedFrom"] == "global"


def test_a_site_without_content_has_empty_resources(view_of: ViewOf) -> None:
    """No resource raises an error."""
    view = view_of({"pages/a.md": "---\npublished: false\n---\nx"})
    assert body(homepage(view).resource)["hero"] == {}
    assert body(navigation(view)) == {
        "headerLinks": [],
        "footerColumns": {"links": [], "columns": []},
        "pages": [],
    }
    assert body(site_settings(view))["siteSettings"] == {}
    assert body(testimonial_list(view))["items"] == []


def test_english_readers_do_not_get_a_menu_from_an_arabic_layer(view_of: ViewOf) -> None:
    """A list in an Arabic layer applies to Arabic only."""
    view = view_of(
        {
            "site/navigation.md": "---\ntitle: Menu\n---\n",
            "site/navigation.ar.md": "---\nheaderLinks: [{label: ا, href: /blog}]\n---\n",
        }
    )
    assert navigation(view).header_links == []
    assert len(navigation(view.for_locale(locale_of("ae/ar"))).header_links) == 1


def test_testimonials_are_in_the_language_of_the_view(view: ContentView) -> None:
    """They are in sortOrder; one without a quote is skipped; whole ratings are integers."""
    testimonials = body(testimonial_list(view))
    assert [(item["quote"], item["rating"]) for item in testimonials["items"]] == [
        ("From the *body*.", 4.5),
        ("Good", 5),
    ]
    assert testimonials["schemaVersion"] == 1
    assert testimonials["section"] == {
        "enabled": True,
        "heading": "Said",
        "viewAllUrl": "/ae/en/testimonials",
    }
    arabic = testimonial_list(view.for_locale(locale_of("sa/ar"))).items
    assert [item.quote for item in arabic] == ["جيد"]


def test_cities_of_one_country(view: ContentView) -> None:
    """They are in sortOrder, with names in both languages."""
    cities = body(city_list(view.for_locale(locale_of("sa/ar"))))
    assert cities["cities"] == [
        {"slug": "riyadh", "countryCode": "SA", "name": {"en": "Riyadh", "ar": "الرياض"}},
        {
            "slug": "jeddah",
            "countryCode": "SA",
            "name": {"en": "Jeddah"},
            "services": ["erp"],
        },
    ]
    assert [city.slug for city in city_list(view).cities] == ["dubai"]


def test_all_six_countries_are_listed(view: ContentView) -> None:
    """Disabled countries are included; names are from CLDR unless set."""
    items = country_list(view.for_locale(locale_of("ae/ar"))).items
    assert [item.slug for item in items] == ["sa", "ae", "qa", "om", "kw", "bh"]
    assert [item.slug for item in items if not item.enabled] == ["qa"]
    by_code = {item.code: item for item in items}
    assert by_code[Country("SA")].name == "المملكة العربية السعودية"
    assert by_code[Country("BH")].currency == "BHD"
    assert country_list(view).items[0].name == "Saudi"


def test_a_hint_is_from_the_header_or_the_default(view: ContentView) -> None:
    """`source` reports which."""
    hinted = locale_hint(view.snapshot, Country("KW"))
    assert body(hinted) == {
        "countryCode": "KW",
        "source": "header",
    }
    assert body(locale_hint(view.snapshot, None)) == {"countryCode": "SA", "source": "fallback"}


@pytest.mark.parametrize(
    ("hinted", "languages", "redirect", "country", "lang"),
    [
        pytest.param(Country("SA"), ["en"], "/sa/en", "sa", "en", id="hint and language"),
        pytest.param(Country("SA"), ["ar-EG", "en"], "/sa/ar", "sa", "ar", id="region ignored"),
        pytest.param(
            Country("SA"), ["fr", "en"], "/sa/en", "sa", "en", id="first supported language"
        ),
        pytest.param(Country("SA"), [], "/sa/ar", "sa", "ar", id="the country's default"),
        pytest.param(Country("OM"), ["fr"], "/om/en", "om", "en", id="English by default"),
        pytest.param(None, ["ar"], "/sa/ar", "sa", "ar", id="no hint: another language"),
        pytest.param(None, ["en", "ar"], None, "sa", "en", id="no hint: the main language"),
        pytest.param(None, ["fr"], None, "sa", "ar", id="no hint, no language that is served"),
        pytest.param(Country("QA"), ["en"], None, "sa", "en", id="country disabled"),
    ],
)
def test_the_redirect_of_the_site_root(
    view: ContentView,
    hinted: Country | None,
    languages: list[str],
    redirect: str | None,
    country: str,
    lang: str,
) -> None:
    """It leads to the hinted country, and to the client's language if the root has another."""
    routing = body(locale_routing(view.snapshot, hinted, languages))
    assert routing == {"redirect": redirect, "country": country, "lang": lang}
