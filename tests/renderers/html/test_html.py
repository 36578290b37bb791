"""HTML of every type of page: well-formedness, languages, links and forms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest
from cases import cases
from conftest import ViewOf
from gulf import COUNTRIES, all_locales
from page_scripts import own_scripts

from knowledge.addresses.addresses import parse_address
from knowledge.fields.page_type import PageType
from knowledge.fields.site_fields import DEFAULT_USES
from knowledge.locales.locale import Language, Locale
from knowledge.resources.base import Resource
from knowledge.resources.blog import BLOG_PAGE, CATEGORY_PAGE
from knowledge.resources.document_page import Fallback
from knowledge.resources.home import HOME_PAGE
from knowledge.resources.localized import CITY_CONTENT_PAGE, CITY_PAGE
from knowledge.resources.pages import CONTENT_PAGE
from knowledge.resources.posts import POST_PAGE
from knowledge.resources.product_list import PRODUCTS_PAGE
from knowledge.resources.products import PRODUCT_PAGE
from knowledge.resources.queries import PageQuery, PostQuery
from knowledge.resources.site import lead_topics
from knowledge.resources.site_map import DEVELOPERS
from knowledge.resources.site_page import DocumentationPage, PageModel, site_page
from knowledge.resources.software import INDUSTRY_PAGE, MODULE_PAGE
from knowledge.resources.testimonials import TESTIMONIALS_PAGE
from knowledge.snapshot.loading import load_content
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView
from renderers import json
from renderers.html import renderer as html
from renderers.html.renderer import FormState
from renderers.markdown.errors import ErrorPage

CONTENT = Path(__file__).parents[3] / "knowledge" / "content"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
BASE_URL = "https://wahat.test"
VOID = {"br", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
PATHS = {
    HOME_PAGE: "",
    CONTENT_PAGE: "/erp",
    MODULE_PAGE: "/modules/point-of-sale",
    INDUSTRY_PAGE: "/industries/retail",
    CITY_PAGE: "/cities/{city}",
    CITY_CONTENT_PAGE: "/cities/{city}/erp",
    BLOG_PAGE: "/blog",
    CATEGORY_PAGE: "/blog/category/tax-and-compliance",
    POST_PAGE: "/blog/vat-across-the-gulf",
    TESTIMONIALS_PAGE: "/testimonials",
    PRODUCTS_PAGE: "/products",
    PRODUCT_PAGE: "/products/counter-pos-15",
}
CITIES = {"ae": "dubai", "sa": "riyadh", "qa": "doha", "om": "muscat", "kw": "hawalli"}


class Outline(HTMLParser):
    """A parser that collects elements and checks that they are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: dict[str, str] = {}
        """The text of each element that has an id."""
        self._ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record an element, and whether it is open."""
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
            self._ids.append(dict(attrs).get("id") or "")

    def handle_endtag(self, tag: str) -> None:
        """Check that the closed element is the innermost open one."""
        assert self.open.pop() == tag
        self._ids.pop()

    def handle_data(self, data: str) -> None:
        """Add text to every open element that has an id."""
        for name in filter(None, self._ids):
            self.texts[name] = self.texts.get(name, "") + data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """Return the attributes of every element with this tag."""
        return [attributes for name, attributes in self.elements if name == tag]

    def links(self, rel: str) -> list[str | None]:
        """Return the targets of the `link` elements with this relation."""
        return [link["href"] for link in self.all("link") if link.get("rel") == rel]


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    """Load the content that ships with the service."""
    return load_content(CONTENT).snapshot


def page_at(view: ContentView, rest: str, query: PageQuery | None = None) -> PageModel[Resource]:
    """Return the page at a path below the view's locale."""
    address = parse_address(rest)
    assert address is not None
    return site_page(view, address, query or PageQuery())


def html_of(view: ContentView, rest: str, query: PageQuery | None = None) -> str:
    """Return the HTML of the page at a path below the view's locale."""
    return html.render(page_at(view, rest, query)).body.decode()


def views(snapshot: Snapshot) -> Iterator[ContentView]:
    """Return a view for each locale."""
    return (ContentView(snapshot, locale, NOW, BASE_URL) for locale in all_locales())


@cases("page", PATHS)
def test_every_page_is_well_formed_in_every_locale(page: PageType, snapshot: Snapshot) -> None:
    """Each page has one h1, closed elements, unique ids and an alt attribute on each image."""
    for view in views(snapshot):
        country = (view.locale.country or COUNTRIES[0]).slug
        if "{city}" in PATHS[page] and country not in CITIES:
            continue
        path = PATHS[page].format(city=CITIES.get(country))
        outline = Outline(html_of(view, path))
        assert outline.open == []
        assert outline.all("html") == [
            {"lang": view.locale.language, "dir": view.locale.language.direction}
        ]
        assert len(outline.all("h1")) == 1
        ids = [attributes["id"] for _, attributes in outline.elements if "id" in attributes]
        assert len(ids) == len(set(ids))
        assert all("alt" in image for image in outline.all("img"))


def test_there_are_no_inline_styles_or_handlers(snapshot: Snapshot) -> None:
    """A page needs no `unsafe-inline`: its few scripts have hashes, and no attributes."""
    view = ContentView(snapshot, all_locales()[0], NOW, BASE_URL)
    for path in PATHS.values():
        outline = Outline(html_of(view, path.format(city="dubai")))
        for _, attributes in outline.elements:
            assert not [name for name in attributes if name == "style" or name.startswith("on")]
        data = {"type": "application/ld+json"}
        own = [script for script in outline.all("script") if script != data]
        has_menu = any("data-markdown" in each for each in outline.all("button"))
        assert own == [{}, {}] + [{}] * (bool(outline.all("pre")) + has_menu)


def test_the_head_links_per_format_urls_feed_and_llms_txt(snapshot: Snapshot) -> None:
    """Agents and search engines find the other representations in the head."""
    view = ContentView(snapshot, all_locales()[1], NOW, BASE_URL)
    outline = Outline(html_of(view, ""))
    alternates = outline.links("alternate")
    assert {"/ae/ar/index.md", "/ae/ar/index.json", "/ae/ar/blog/feed.xml"} <= set(alternates)
    assert outline.links("describedby") == ["/ae/ar/llms.txt"]
    assert "/ae/ar/llms.txt" in [anchor["href"] for anchor in outline.all("a")]
    assert outline.links("canonical") == [f"{BASE_URL}/ae/ar"]
    hreflang = {link["hreflang"] for link in outline.all("link") if "hreflang" in link}
    assert {"ar-AE", "en-AE", "en", "ar", "x-default"} <= hreflang


def test_language_and_country_switch_stay_on_the_page(snapshot: Snapshot) -> None:
    """The links lead to the same page in the other language or country."""
    view = ContentView(snapshot, all_locales()[0], NOW, BASE_URL)
    outline = Outline(html_of(view, "/modules/finance"))
    anchors = {anchor["href"]: anchor for anchor in outline.all("a")}
    assert anchors["/ae/ar/modules/finance"]["hreflang"] == "ar"
    assert anchors["/ae/ar/modules/finance"]["dir"] == "rtl"
    assert "/kw/en/modules/finance" in anchors
    assert "/ae/en/llms.txt" in anchors


def test_a_later_page_of_a_list_is_its_own_canonical(snapshot: Snapshot) -> None:
    """The canonical URL of page 2 is not page 1, and its per-format URLs have its page number."""
    view = ContentView(snapshot, all_locales()[0], NOW, BASE_URL)
    outline = Outline(html_of(view, "/blog", PageQuery(PostQuery(page=2))))
    assert outline.links("canonical") == [f"{BASE_URL}/ae/en/blog?page=2"]
    assert outline.links("prev") == ["/ae/en/blog"]
    assert "/ae/en/blog.md?page=2" in outline.links("alternate")
    assert not [link for link in outline.all("link") if "hreflang" in link]


def test_a_search_is_counted_escaped_and_not_indexed(snapshot: Snapshot) -> None:
    """The search field and the number of results show the query as text."""
    view = ContentView(snapshot, all_locales()[0], NOW, BASE_URL)
    query = PageQuery(PostQuery(matches=[]), '"><script>alert(1)</script>')
    text = html_of(view, "/blog", query)
    assert "<script>alert" not in text
    assert "0 articles found" in text
    assert "Nothing found" in text
    assert '<meta name="robots" content="noindex, follow">' in text


def test_arabic_counts_have_their_own_plural_forms(snapshot: Snapshot) -> None:
    """The texts for one, two, few and many differ."""
    view = ContentView(snapshot, all_locales()[1], NOW, BASE_URL)
    slugs = [record.slug for record in snapshot.posts(view.locale).at(NOW)]
    pages = [
        html_of(view, "/blog", PageQuery(PostQuery(matches=slugs[:number]), "x"))
        for number in (1, 2, 3, 11)
    ]
    counts = ["مقال واحد", "مقالين", "3\u00a0مقالات", "11\u00a0مقالًا"]
    assert [count in page for count, page in zip(counts, pages, strict=True)] == [True] * 4


def test_a_page_in_the_fallback_language_has_a_notice_and_lang_attributes(view_of: ViewOf) -> None:
    """Header and notice are in the reader's language; the text has its own `lang` and `dir`."""
    view = view_of({"pages/about.md": "---\ntitle: About us\n---\nWe sell dates."}, "sa/ar")
    text = html_of(view, "/about")
    assert '<html lang="ar" dir="rtl">' in text
    assert "غير متاحة بالعربية" in text
    assert re.search(r'<header class="wrap title" lang="en" dir="ltr">\s*<linked-heading><h1', text)
    assert '<div class="wrap body columned" lang="en" dir="ltr">' in text
    assert f'<link rel="canonical" href="{BASE_URL}/sa/en/about">' in text


def test_the_sections_of_a_home_page_in_the_fallback_language_are_marked(view_of: ViewOf) -> None:
    """As those of other pages are."""
    view = view_of({"site/home.ar.md": "دليل Majlis من 10–20 صفحة.\n"}, "ae/en")
    text = html_of(view, "")
    assert '<div class="wrap body columned" lang="ar" dir="rtl"><div class="prose"' in text


@cases(
    ("label", "attributes"),
    [
        ("إضافة React إلى مشروع موجود", ' lang="ar" dir="rtl"'),
        ("إضافة التفاعلية", ' lang="ar" dir="rtl"'),
        ("The word نعم in forms", ""),
    ],
)
def test_a_title_in_another_language_is_marked_by_most_of_its_letters(
    view_of: ViewOf, label: str, attributes: str
) -> None:
    """A name in the other script is no reason to show it from the wrong side."""
    links = f"headerLinks: [{{id: a, label: {label}, href: /x}}]"
    view = view_of({"site/navigation.md": f"---\n{links}\n---\n", "pages/x.md": "# X\n"})
    text = html_of(view, "/x")
    assert re.search(
        rf'<a href="[^"]*/x"[^>]*{attributes}>(<bdi[^>]*>)?{label.split(maxsplit=1)[0]}', text
    )
    assert (' lang="ar" dir="rtl">' in text) == bool(attributes)


HOSTILE = "<script>alert(1)</script>"


def test_html_in_content_is_escaped(view_of: ViewOf) -> None:
    """HTML in titles, bodies and menus is shown as text."""
    view = view_of(
        {
            "pages/a.md": f"---\ntitle: '{HOSTILE}'\nshortDescription: '{HOSTILE}'\n---\n"
            f"{HOSTILE}\n\n:::{{faq}} {HOSTILE}\n\n### {HOSTILE}\n\n{HOSTILE}\n:::\n",
            "site/settings.md": f"---\nseo:\n  pageTitle: '{HOSTILE}'\n---\n",
            "site/navigation.md": "---\nheaderLinks: [{label: x, href: 'javascript:a()'}]\n---\n",
        }
    )
    text = html_of(view, "/a")
    assert HOSTILE not in text
    assert "javascript:" not in text
    assert len(re.findall(r"<script\b(?!>)", text)) == 1
    assert own_scripts(text) == []


def test_empty_content_still_gives_pages(view_of: ViewOf) -> None:
    """An empty content folder causes no errors."""
    view = view_of({})
    for path in ("", "/blog", "/testimonials", "/products"):
        assert Outline(html_of(view, path)).open == []


def test_every_type_of_section_has_its_own_markup(view_of: ViewOf) -> None:
    """Stats, feature grids, questions, images and calls to action."""
    body = (
        "Intro.\n\n:::{stats} Figures\n\n- **640**: customers\n:::\n\n"
        ":::{featureGrid} Parts\n\n- **Stock**: See [more](/x).\n:::\n\n"
        ":::{cta} Begin\n\nIt is easy. [Write](mailto:a@b.test)\n:::\n\n"
        ":::{image} Map\n\n![A map](/m.png)\n\nOur map.\n:::\n\n"
        ":::{faq} Ask\n\n### Why?\n\nSo.\n:::\n"
    )
    text = html_of(view_of({"pages/a.md": f"---\ntitle: A\n---\n{body}"}), "/a")

    def link(anchor: str) -> str:
        return f'<a class="anchor" href="#{anchor}" aria-labelledby="{anchor}" tabindex="-1"></a>'

    for expected in (
        "<div><dt>customers</dt><dd>640</dd></div>",
        f'<h3 id="stock"><a href="/x">Stock</a></h3>{link("stock")}',
        '<a class="button" href="mailto:a@b.test">Write</a>',
        "<figcaption>",
        '<summary><h3 id="why">Why?</h3></summary>',
        f"</details>\n{link('why')}\n",
    ):
        assert expected in text


def test_the_guide_s_call_to_action_has_a_button(view_of: ViewOf) -> None:
    """Its link is within a sentence, of which no word is lost."""
    guide = (Path(__file__).parents[3] / "docs" / "authoring.md").read_text("utf-8")
    example = guide[guide.index(":::{cta} Ask for a demo") :].partition("\n:::\n")[0]
    files: dict[str, str | bytes] = {
        "pages/a.md": f"---\ntitle: A\n---\n{example}\n:::\n",
        "pages/contact.md": "---\ntitle: Contact\n---\nx",
    }
    text = html_of(view_of(files), "/a")
    assert 'href="/ae/en/contact?page=/ae/en/a">Contact us</a>' in text
    assert "<p>Contact us and we call you back.</p>" in text


def test_a_heading_keeps_its_former_id_for_old_links(view_of: ViewOf) -> None:
    """An empty element in it, in posts and in sections; an explicit id is not shown."""
    body = "## المكوّنات\n\nنص.\n\n### ثانيًا {#two}\n"
    files = {
        "posts/p.ar.md": f"---\ntitle: P\n---\n{body}",
        "pages/a.ar.md": f"---\ntitle: A\n---\n{body}",
    }
    view = view_of(files, "ae/ar")
    for path in ("/blog/p", "/a"):
        text = html_of(view, path)
        others = '<span id="المكو-نات"></span><span id="s-1"></span>'
        assert f'<h2 id="المكوّنات">المكوّنات{others}</h2><a class="anchor"' in text
        assert '<h3 id="two">ثانيًا</h3><a class="anchor" href="#two"' in text
        assert "{#" not in text


def test_prices_are_in_the_country_s_currency_with_the_tax_note(snapshot: Snapshot) -> None:
    """Prices in Kuwait have three decimals."""
    kuwait = next(view for view in views(snapshot) if view.locale.path == "/kw/en")
    text = html_of(kuwait, "/products/counter-pos-15")
    assert '<bdi dir="ltr">KWD\u00a0356.000</bdi> <small>no VAT</small>' in text


def test_ratings_have_a_text_alternative(snapshot: Snapshot) -> None:
    """Screen readers need a text instead of stars."""
    view = ContentView(snapshot, all_locales()[0], NOW, BASE_URL)
    assert 'role="img" aria-label="Rated 5 out of 5"' in html_of(view, "/testimonials")


def test_a_post_links_to_adjacent_and_related_posts(snapshot: Snapshot) -> None:
    """It also shows its date in words and has an anchor at each heading."""
    view = ContentView(snapshot, all_locales()[0], NOW, BASE_URL)
    text = html_of(view, "/blog/vat-across-the-gulf")
    assert 'rel="prev"' in text
    assert "Related articles" in text
    assert '<time datetime="2025-10-14T06:00:00+00:00">14 October 2025</time>' in text
    assert '<h2 id="the-standard-rates-today">' in text


@cases("status", [400, 404, 405, 406, 500, 503])
@cases("language", list(Language))
def test_errors_render_with_and_without_content(
    status: int, language: Language, snapshot: Snapshot
) -> None:
    """Error pages have links even if the content cannot be loaded."""
    locale = Locale(all_locales()[0].country, language)
    nearest = ((HOSTILE, "/ae/en/erp"),)
    for view in (None, ContentView(snapshot, locale, NOW, BASE_URL)):
        page = ErrorPage(status, locale, BASE_URL, nearest, view)
        text = html.render_error(page).body.decode()
        outline = Outline(text)
        hrefs = {anchor["href"] for anchor in outline.all("a")}
        guide = f"{locale.path}/llms.txt" if view else "/llms.txt"
        assert {guide, "/sitemap.xml", locale.path, "/ae/en/erp"} <= hrefs
        assert outline.all("html")[0]["dir"] == language.direction
        assert HOSTILE not in text
        assert outline.links("canonical") == []


def test_an_error_links_to_the_locale_that_has_the_page(snapshot: Snapshot) -> None:
    """The link names the language and the country."""
    locale = all_locales()[0]
    elsewhere = Fallback(
        country_code=locale.country, lang="ar", href=f"{BASE_URL}/ae/ar/blog/only-arabic"
    )
    page = ErrorPage(404, locale, BASE_URL, elsewhere=elsewhere)
    text = html.render_error(page).body.decode()
    assert "Arabic" in text
    assert elsewhere.href in text


def test_a_documentation_page_has_the_site_header(snapshot: Snapshot) -> None:
    """For Arabic readers, its English text has `lang` and `dir`."""
    arabic = ContentView(snapshot, all_locales()[1], NOW, BASE_URL)
    page = DocumentationPage(arabic, DEVELOPERS, "## Versioning\n\nText.")
    representation = html.render_document(page)
    text = representation.body.decode()
    assert representation.language is Language.EN
    assert '<article lang="en" dir="ltr">' in text
    assert '<h2 id="versioning">Versioning</h2><a class="anchor" href="#versioning"' in text
    assert Outline(text).links("canonical") == [f"{BASE_URL}/developers"]
    assert {"/developers.md", "/developers.json"} <= set(Outline(text).links("alternate"))


def contact_page(snapshot: Snapshot, form: FormState | None) -> Outline:
    """Return the outline of the main part of the contact page with a form."""
    page = page_at(ContentView(snapshot, all_locales()[0], NOW, BASE_URL), "/contact")
    text = html.render(page, {"contact": form} if form else {}).body.decode()
    return Outline(text[text.index("<main") : text.index("</main>")] + "</main>")


def test_the_contact_page_has_no_form_unless_given(snapshot: Snapshot) -> None:
    """Without a `FormState`, the page has no form element."""
    assert contact_page(snapshot, None).all("form") == []


def test_the_contact_form_has_all_fields_of_a_lead(snapshot: Snapshot) -> None:
    """Each field has a label, one is a honeypot, and hidden fields hold the page and locale."""
    outline = contact_page(snapshot, FormState("/ae/en/contact", token="1.a"))
    assert [(form["method"], form["action"]) for form in outline.all("form")] == [
        ("post", "/ae/en/contact#contact-answer")
    ]
    fields = [*outline.all("input"), *outline.all("select"), *outline.all("textarea")]
    hidden = {field["name"]: field["value"] for field in fields if field.get("type") == "hidden"}
    page = {"sourcePage": "/ae/en/contact", "localeCountry": "ae", "localeLang": "en"}
    assert hidden == {**page, "token": "1.a"}
    visible = {field["name"]: field["id"] for field in fields if field["name"] not in hidden}
    assert set(visible) == {*DEFAULT_USES, "website"}
    assert {label["for"] for label in outline.all("label")} == set(visible.values())
    topics = [option["value"] for option in outline.all("option")]
    assert sorted(filter(None, topics)) == sorted(lead_topics(snapshot))


def test_the_contact_form_shows_values_and_errors(snapshot: Snapshot) -> None:
    """Each error is above the form and at its field; the submitted values are kept."""
    values = {"email": 'x"@', "topic": "support", "message": "\n<b>"}
    errors = {"email": "This is no e-mail address.", "sourcePage": "It is no path."}
    outline = contact_page(snapshot, FormState("/ae/en/contact", values, errors))
    email = next(field for field in outline.all("input") if field["name"] == "email")
    assert email["value"] == values["email"]
    assert email["aria-invalid"] == "true"
    assert outline.texts[str(email["aria-describedby"])] == errors["email"]
    selected = [option["value"] for option in outline.all("option") if "selected" in option]
    assert selected == ["support"]
    # HTML ignores one line feed after the tag.
    assert outline.texts["contact-message"] == "\n" + values["message"]
    assert {"#contact-email"} <= {anchor.get("href") for anchor in outline.all("a")}
    assert "It is no path." in " ".join(outline.texts.values())


@pytest.mark.parametrize(
    ("form", "role", "text", "forms"),
    [
        pytest.param(FormState("/x", sent=True), "status", "message has arrived", 0, id="sent"),
        pytest.param(FormState("/x", failed=True), "alert", "could not be saved", 1, id="failed"),
    ],
)
def test_the_contact_page_shows_the_outcome(
    form: FormState, role: str, text: str, forms: int, snapshot: Snapshot
) -> None:
    """A thank-you message replaces the form; after a server error the form remains."""
    outline = contact_page(snapshot, form)
    assert any(attributes.get("role") == role for _, attributes in outline.elements)
    assert text in " ".join(outline.texts.values())
    assert len(outline.all("form")) == forms


def test_rendering_is_pure(snapshot: Snapshot) -> None:
    """Rendering does not modify the page, and the same page gives the same bytes."""
    view = ContentView(snapshot, all_locales()[0], NOW, BASE_URL)
    page = page_at(view, "/erp")
    before = json.render_page(page)
    assert html.render(page) == html.render(page)
    assert json.render_page(page) == before
