"""Localized pages, CMS pages, and the fallbacks of missing pages."""

from __future__ import annotations

import json

import pytest
from conftest import ViewOf, locale_of

from knowledge.resources.document_page import NotPublishedHere
from knowledge.resources.errors import InvalidArgument, NotFound
from knowledge.resources.localized import city_page, registry_page
from knowledge.resources.pages import page_detail, page_list
from knowledge.resources.posts import post_detail
from knowledge.resources.software import software_detail, software_page
from knowledge.views.content_view import ContentView
from renderers import json as json_renderer

RIYADH = "---\ncountryCode: SA\nname: {en: Riyadh, ar: الرياض}\n---\nWelcome."
FILES: dict[str, str | bytes] = {
    "cities/riyadh.md": RIYADH,
    "cities/jeddah.md": "---\ncountryCode: SA\nname: Jeddah\n---\nx",
    "registry/erp.md": "---\ntitle: ERP\nseo: {title: S}\n---\nBase.\n\n## One\n\n1",
    "registry/erp.ar.md": "---\ntitle: نظام\n---\nأساس.",
    "registry/erp.sa.riyadh.md": "## One\n\nRiyadh",
    "registry/contact.md": "Write to us.",
    "modules/stock.md": "---\ntitle: Stock\nshortDescription: Short\n---\n"
    ":::{cta} Hid\n:visible: no\n\nx\n:::",
    "pages/about.md": "---\ntitle: About\nsortOrder: 2\ntemplate: wide\n---\nx",
    "pages/terms.md": "---\ntitle: Terms\nsortOrder: 1\n---\nx",
    "pages/hidden.md": "---\npublished: false\n---\nx",
    "pages/gulf.ar.md": "---\ncountries: [sa, qa]\n---\nا",
}


CTA = "---\ntitle: A\n---\n:::{cta} Ask us\nWe call you.\n:::"


@pytest.mark.parametrize(
    ("files", "body"),
    [
        pytest.param({}, "We call you.", id="no contact page"),
        pytest.param(
            {"registry/contact.md": "---\ntitle: Talk [to] us\n---\nx"},
            "We call you.\n\n[Talk (to) us](/ae/en/contact)",
            id="contact page",
        ),
        pytest.param(
            {"pages/contact.md": "---\ntitle: Talk\n---\nx"},
            "We call you.\n\n[Talk](/ae/en/contact)",
            id="contact page of the site's own",
        ),
    ],
)
def test_a_call_to_action_without_a_link_leads_to_the_contact_page(
    view_of: ViewOf, files: dict[str, str | bytes], body: str
) -> None:
    """In all representations, as the link is part of its text."""
    (section,) = page_detail(view_of({"pages/a.md": CTA, **files}), "a").resource.page.sections
    assert section.body == body


@pytest.fixture
def view(view_of: ViewOf) -> ContentView:
    """A small site, read in AE/en."""
    return view_of(FILES)


def test_the_json_of_a_registry_page(view: ContentView) -> None:
    """Keys without a value are absent, except citySlug."""
    answer = registry_page(view, "erp")
    body = json.loads(json_renderer.render(answer).body)
    meta = {
        "resolvedFrom": "global",
        "inherited": False,
        "fallbackUsed": False,
        "cityFallback": False,
        "missing": False,
    }
    assert body == {
        "page": {
            "id": "registry-erp",
            "slug": "erp",
            "title": "ERP",
            "heading": "ERP",
            "contentType": "registry",
            "globalIdentity": "registry/erp",
            "template": "default",
            "published": True,
            "sections": [
                {"id": "intro", "type": "richText", "visible": True, "body": "Base."},
                {"id": "one", "type": "richText", "visible": True, "heading": "One", "body": "1"},
            ],
            "seo": {"title": {"en": "S"}},
            "citySlug": None,
            "_locale": meta,
        },
        "meta": meta,
    }


def test_a_page_without_title_is_named_by_its_slug(view: ContentView) -> None:
    """Title and heading are required."""
    page = registry_page(view, "contact").resource.page
    assert (page.title, page.heading) == ("Contact", "Contact")


def test_an_empty_heading_differs_from_a_missing_one(view_of: ViewOf) -> None:
    """An empty heading overrides; the title is used only if no layer has a heading."""
    view = view_of(
        {
            "registry/erp.md": "---\ntitle: ERP\nheading: All of it\n---\n",
            "registry/erp.sa.md": '---\nheading: ""\n---\n',
        },
        "sa/en",
    )
    assert registry_page(view, "erp").resource.page.heading == ""


def test_a_fallback_reports_the_language_of_its_text(view: ContentView) -> None:
    """Arabic readers get English text, with `fallbackUsed`."""
    answer = registry_page(view.for_locale(locale_of("sa/ar")), "contact")
    assert answer.language == "en"
    assert answer.resource.meta.fallback_used


@pytest.mark.parametrize("slug", ["gone", "../erp", "about", ""])
def test_only_six_slugs_are_registry_pages(view: ContentView, slug: str) -> None:
    """Other slugs are not found, and the error names no fallback."""
    with pytest.raises(NotFound) as caught:
        registry_page(view, slug)
    assert not isinstance(caught.value, NotPublishedHere)


def test_a_city_has_its_own_layer(view: ContentView) -> None:
    """The city's own country applies, whatever country was requested."""
    page = city_page(view, "riyadh", "erp").resource.page
    assert [section.body for section in page.sections] == ["Base.", "Riyadh"]
    assert page.city_slug == "riyadh"
    assert page.locale_meta.resolved_from == "city_override"
    assert page.locale_meta.inherited
    assert not page.locale_meta.city_fallback


def test_a_city_without_a_layer_falls_back_to_its_country(view: ContentView) -> None:
    """The meta flags report it."""
    meta = city_page(view, "jeddah", "erp").resource.meta
    assert (meta.resolved_from, meta.city_fallback, meta.requested_city) == (
        "global",
        True,
        "jeddah",
    )


def test_a_city_s_landing_page_is_its_own_document(view: ContentView) -> None:
    """Its slug is `index`."""
    page = city_page(view, "riyadh", "index").resource.page
    assert (page.content_type, page.city_slug) == ("city", "riyadh")
    assert page.sections[0].body == "Welcome."


@pytest.mark.parametrize(
    ("city", "slug", "href"),
    [
        pytest.param("nowhere", "erp", "/ae/en/erp", id="unknown city"),
        pytest.param("riyadh", "hidden", None, id="unpublished page"),
        pytest.param("riyadh", "gone", None, id="unknown page"),
        pytest.param("nowhere", "gone", None, id="unknown both"),
    ],
)
def test_a_city_page_that_is_missing(
    view: ContentView, city: str, slug: str, href: str | None
) -> None:
    """The error names a fallback if the page is published elsewhere."""
    with pytest.raises(NotFound) as caught:
        city_page(view, city, slug)
    fallback = getattr(getattr(caught.value, "missing", None), "fallback", None)
    assert (fallback and fallback.href) == (href and f"https://wahat.test{href}")


@pytest.mark.parametrize(
    ("kind", "slug", "parameter"),
    [
        pytest.param("planet", "stock", "kind", id="kind"),
        pytest.param("modules", "stock", "kind", id="plural"),
        pytest.param("module", "Stock", "slug", id="capital"),
        pytest.param("module", "a b", "slug", id="blank"),
        pytest.param("module", "a--b", "slug", id="two hyphens"),
    ],
)
def test_an_unknown_kind_or_malformed_slug_is_an_invalid_argument(
    view: ContentView, kind: str, slug: str, parameter: str
) -> None:
    """In the legacy format there is nothing of that name."""
    with pytest.raises(InvalidArgument) as caught:
        software_page(view, kind, slug)
    assert caught.value.parameter == parameter
    with pytest.raises(NotFound):
        software_detail(view, kind, slug)


def test_software_in_both_formats(view: ContentView) -> None:
    """Neither includes hidden sections."""
    page = software_page(view, "module", "stock").resource.page
    detail = software_detail(view, "module", "stock").resource
    assert page.sections == detail.sections == []
    assert (detail.kind, detail.title, detail.short_description) == ("module", "Stock", "Short")
    with pytest.raises(NotFound):
        software_page(view, "industry", "stock")


def test_cms_pages_are_listed_by_sort_order(view: ContentView) -> None:
    """One that is not published is neither listed nor found."""
    items = page_list(view).items
    assert [(item.slug, item.template, item.published) for item in items] == [
        ("terms", "default", True),
        ("about", "wide", True),
    ]
    assert page_detail(view, "about").resource.page.title == "About"
    with pytest.raises(NotFound):
        page_detail(view, "hidden")


@pytest.mark.parametrize(
    ("published", "requested", "nearest"),
    [
        pytest.param(["sa/en", "ae/ar", "ae/en"], "sa/ar", "sa/en", id="same country first"),
        pytest.param(["ae/ar", "ae/en", "qa/ar"], "sa/ar", "ae/ar", id="then AE, same language"),
        pytest.param(["qa/ar", "ae/en"], "sa/ar", "ae/en", id="then AE in English"),
        pytest.param(["bh/ar", "om/ar"], "sa/ar", "om/ar", id="then the first locale that has it"),
        pytest.param(["kw/en"], "sa/ar", "kw/en", id="in any language"),
    ],
)
def test_the_nearest_locale_of_a_missing_post(
    published: list[str], requested: str, nearest: str, view_of: ViewOf
) -> None:
    """Same country first, then AE, then the first locale that has the post."""
    files: dict[str, str | bytes] = {
        f"posts/a.{locale.replace('/', '.')}.md": "x" for locale in published
    }
    view = view_of(files, requested)
    with pytest.raises(NotPublishedHere) as caught:
        post_detail(view, "a")
    missing = caught.value.missing
    assert missing.fallback is not None
    assert missing.fallback.href == f"https://wahat.test/{nearest}/blog/a"
    assert (missing.country_code, missing.lang) == ("SA", "ar")
    assert missing.meta.missing


def test_a_page_for_other_countries_has_a_fallback(view: ContentView) -> None:
    """The fallback is a locale of one of those countries."""
    with pytest.raises(NotPublishedHere) as caught:
        page_detail(view, "gulf")
    assert caught.value.missing.fallback is not None
    assert caught.value.missing.fallback.href == "https://wahat.test/sa/ar/gulf"
