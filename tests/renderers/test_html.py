"""The HTML form of every kind of page: well formed, in both languages, with its ways on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest
from conftest import ViewOf

from knowledge.addresses import Page, parse_address
from knowledge.content_view import ContentView
from knowledge.loading import load_content
from knowledge.locale import Language, Locale, all_locales
from knowledge.resources.base import Resource
from knowledge.resources.blog import PostQuery
from knowledge.resources.missing import Fallback
from knowledge.resources.site_page import PageModel, PageQuery, site_page
from knowledge.snapshot import Snapshot
from renderers import html
from renderers.contact_form import FIELDS, TOPICS, ContactForm
from renderers.error_page import ErrorPage

CONTENT = Path(__file__).parents[2] / "knowledge" / "content"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
BASE_URL = "https://wahat.test"
VOID = {"br", "hr", "img", "input", "link", "meta", "source"}
PATHS = {
    Page.HOME: "",
    Page.CONTENT: "/erp",
    Page.MODULE: "/modules/point-of-sale",
    Page.INDUSTRY: "/industries/retail",
    Page.CITY: "/cities/{city}",
    Page.CITY_CONTENT: "/cities/{city}/erp",
    Page.BLOG: "/blog",
    Page.CATEGORY: "/blog/category/tax-and-compliance",
    Page.POST: "/blog/vat-across-the-gulf",
    Page.TESTIMONIALS: "/testimonials",
    Page.PRODUCTS: "/products",
    Page.PRODUCT: "/products/counter-pos-15",
}
CITIES = {"ae": "dubai", "sa": "riyadh", "qa": "doha", "om": "muscat", "kw": "hawalli"}


class Outline(HTMLParser):
    """Elements with their attributes, and whether each was closed in turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: dict[str, str] = {}
        """What is read within each element that has an id."""
        self._ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element, and that it is open."""
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
            self._ids.append(dict(attrs).get("id") or "")

    def handle_endtag(self, tag: str) -> None:
        """Only the innermost open element may close."""
        assert self.open.pop() == tag
        self._ids.pop()

    def handle_data(self, data: str) -> None:
        """A text belongs to every element around it."""
        for name in filter(None, self._ids):
            self.texts[name] = self.texts.get(name, "") + data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of every element of a name."""
        return [language_attributes for name, language_attributes in self.elements if name == tag]

    def links(self, rel: str) -> list[str | None]:
        """Where the head's links of one relation lead."""
        return [each["href"] for each in self.all("link") if each.get("rel") == rel]


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    """The content that ships with the service."""
    return load_content(CONTENT).snapshot


def page_at(view: ContentView, rest: str, query: PageQuery | None = None) -> PageModel[Resource]:
    """The page at a path below the view's locale."""
    address = parse_address(rest)
    assert address is not None
    return site_page(view, address, query or PageQuery())


def text_of(view: ContentView, rest: str, query: PageQuery | None = None) -> str:
    """Its HTML."""
    return html.render(page_at(view, rest, query)).body.decode()


def views(snapshot: Snapshot) -> Iterator[ContentView]:
    """The content as readers of each locale have it."""
    return (ContentView(snapshot, locale, NOW, BASE_URL) for locale in all_locales())


@pytest.mark.parametrize("page", PATHS, ids=[page.name for page in PATHS])
def test_every_page_is_well_formed_in_every_locale(page: Page, snapshot: Snapshot) -> None:
    """One h1, closed elements, ids that differ, a text for each image."""
    for view in views(snapshot):
        country = view.locale.country.slug
        if "{city}" in PATHS[page] and country not in CITIES:
            continue
        path = PATHS[page].format(city=CITIES.get(country))
        outline = Outline(text_of(view, path))
        assert outline.open == []
        assert outline.all("html") == [
            {"lang": view.locale.language, "dir": view.locale.language.direction}
        ]
        assert len(outline.all("h1")) == 1
        ids = [each["id"] for _, each in outline.elements if "id" in each]
        assert len(ids) == len(set(ids))
        assert all("alt" in image for image in outline.all("img"))


def test_no_element_carries_style_or_script_of_its_own(snapshot: Snapshot) -> None:
    """A security policy without unsafe-inline breaks nothing."""
    view = ContentView(snapshot, all_locales()[0], NOW, BASE_URL)
    for path in PATHS.values():
        outline = Outline(text_of(view, path.format(city="dubai")))
        for _, language_attributes in outline.elements:
            assert not [
                name for name in language_attributes if name == "style" or name.startswith("on")
            ]
        assert all(each == {"type": "application/ld+json"} for each in outline.all("script"))


def test_the_head_names_the_twins_the_feed_and_the_index(snapshot: Snapshot) -> None:
    """Agents and search engines find the other forms in the head."""
    view = ContentView(snapshot, all_locales()[1], NOW, BASE_URL)
    outline = Outline(text_of(view, ""))
    alternates = outline.links("alternate")
    assert {"/ae/ar/index.md", "/ae/ar/index.json", "/ae/ar/blog/feed.xml"} <= set(alternates)
    assert outline.links("describedby") == ["/llms.txt"]
    assert outline.links("canonical") == [f"{BASE_URL}/ae/ar"]
    hreflang = {each["hreflang"] for each in outline.all("link") if "hreflang" in each}
    assert {"ar-AE", "en-AE", "en", "ar", "x-default"} <= hreflang


def test_language_and_country_switch_stay_on_the_page(snapshot: Snapshot) -> None:
    """A reader who switches reads on where they were."""
    view = ContentView(snapshot, all_locales()[0], NOW, BASE_URL)
    outline = Outline(text_of(view, "/modules/finance"))
    anchors = {each["href"]: each for each in outline.all("a")}
    assert anchors["/ae/ar/modules/finance"]["hreflang"] == "ar"
    assert anchors["/ae/ar/modules/finance"]["dir"] == "rtl"
    assert "/kw/en/modules/finance" in anchors
    assert "/llms.txt" in anchors


def test_a_later_page_of_a_list_is_its_own_canonical(snapshot: Snapshot) -> None:
    """Page 2 is no copy of page 1, and its twins are of page 2 too."""
    view = ContentView(snapshot, all_locales()[0], NOW, BASE_URL)
    outline = Outline(text_of(view, "/blog", PageQuery(PostQuery(page=2))))
    assert outline.links("canonical") == [f"{BASE_URL}/ae/en/blog?page=2"]
    assert outline.links("prev") == ["/ae/en/blog"]
    assert "/ae/en/blog.md?page=2" in outline.links("alternate")
    assert not [each for each in outline.all("link") if "hreflang" in each]


def test_a_search_is_counted_escaped_and_not_indexed(snapshot: Snapshot) -> None:
    """What was typed stands in the field and the count, as text."""
    view = ContentView(snapshot, all_locales()[0], NOW, BASE_URL)
    query = PageQuery(PostQuery(matches=[]), '"><script>alert(1)</script>')
    text = text_of(view, "/blog", query)
    assert "<script>alert" not in text
    assert "0 articles found" in text
    assert "Nothing found" in text
    assert '<meta name="robots" content="noindex, follow">' in text


def test_arabic_counts_have_their_own_plural_forms(snapshot: Snapshot) -> None:
    """One, two, few and many differ."""
    view = ContentView(snapshot, all_locales()[1], NOW, BASE_URL)
    slugs = [card.entry.slug for card in snapshot.posts(view.locale).at(NOW)]
    counted = [
        text_of(view, "/blog", PageQuery(PostQuery(matches=slugs[:number]), "x"))
        for number in (1, 2, 3, 11)
    ]
    words = ["مقال واحد", "مقالين", "3 مقالات", "11 مقالًا"]
    assert [word in text for word, text in zip(words, counted, strict=True)] == [True] * 4


def test_a_page_in_the_other_language_says_so_and_marks_its_text(view_of: ViewOf) -> None:
    """Frame and notice speak to the reader, the text keeps its own language."""
    view = view_of({"pages/about.md": "---\ntitle: About us\n---\nWe sell dates."}, "sa/ar")
    text = text_of(view, "/about")
    assert '<html lang="ar" dir="rtl">' in text
    assert "غير متاحة بالعربية" in text
    assert re.search(r'<header class="wrap title" lang="en" dir="ltr">\s*<h1>About us</h1>', text)
    assert '<div class="wrap body columned" lang="en" dir="ltr">' in text
    assert f'<link rel="canonical" href="{BASE_URL}/sa/en/about">' in text


HOSTILE = "<script>alert(1)</script>"


def test_nothing_an_author_writes_becomes_markup(view_of: ViewOf) -> None:
    """Titles, bodies and menus are shown as they were typed."""
    view = view_of(
        {
            "pages/a.md": f"---\ntitle: '{HOSTILE}'\nshortDescription: '{HOSTILE}'\n---\n"
            f"{HOSTILE}\n\n:::{{faq}} {HOSTILE}\n\n### {HOSTILE}\n\n{HOSTILE}\n:::\n",
            "site/settings.md": f"---\nseo:\n  pageTitle: '{HOSTILE}'\n---\n",
            "site/navigation.md": "---\nheaderLinks: [{label: x, href: 'javascript:a()'}]\n---\n",
        }
    )
    text = text_of(view, "/a")
    assert HOSTILE not in text
    assert "javascript:" not in text
    assert text.count("<script") == 1


def test_empty_content_still_gives_pages(view_of: ViewOf) -> None:
    """A new folder is no reason for an error."""
    view = view_of({})
    for path in ("", "/blog", "/testimonials", "/products"):
        assert Outline(text_of(view, path)).open == []


def test_every_type_of_section_has_its_own_shape(view_of: ViewOf) -> None:
    """Figures, cards, questions, pictures and invitations."""
    body = (
        "Intro.\n\n:::{stats} Figures\n\n- **640**: customers\n:::\n\n"
        ":::{featureGrid} Parts\n\n- **Stock**: See [more](/x).\n:::\n\n"
        ":::{cta} Begin\n\nIt is easy. [Write](mailto:a@b.test)\n:::\n\n"
        ":::{image} Map\n\n![A map](/m.png)\n\nOur map.\n:::\n\n"
        ":::{faq} Ask\n\n### Why?\n\nSo.\n:::\n"
    )
    text = text_of(view_of({"pages/a.md": f"---\ntitle: A\n---\n{body}"}), "/a")
    for expected in (
        "<div><dt>customers</dt><dd>640</dd></div>",
        "<h3>Stock</h3>",
        '<a class="button" href="mailto:a@b.test">Write</a>',
        "<figcaption>",
        "<summary><h3>Why?</h3></summary>",
    ):
        assert expected in text


def test_prices_are_in_the_country_s_currency_with_the_tax_note(snapshot: Snapshot) -> None:
    """Three decimals in Kuwait."""
    kuwait = next(view for view in views(snapshot) if view.locale.path == "/kw/en")
    text = text_of(kuwait, "/products/counter-pos-15")
    assert '<bdi dir="ltr">KWD\u00a0356.000</bdi> <small>excl. VAT</small>' in text


def test_ratings_have_words(snapshot: Snapshot) -> None:
    """Stars alone say nothing to those who listen."""
    view = ContentView(snapshot, all_locales()[0], NOW, BASE_URL)
    assert 'role="img" aria-label="Rated 5 out of 5"' in text_of(view, "/testimonials")


def test_a_post_leads_on_to_its_neighbours_and_relatives(snapshot: Snapshot) -> None:
    """With its date in words and an anchor at each heading."""
    view = ContentView(snapshot, all_locales()[0], NOW, BASE_URL)
    text = text_of(view, "/blog/vat-across-the-gulf")
    assert 'rel="prev"' in text
    assert "Related articles" in text
    assert '<time datetime="2025-10-14T06:00:00+00:00">14 October 2025</time>' in text
    assert '<h2 id="the-standard-rates-today">' in text


@pytest.mark.parametrize("status", [400, 404, 405, 406, 500, 503])
@pytest.mark.parametrize("language", list(Language))
def test_errors_stand_with_and_without_their_frame(
    status: int, language: Language, snapshot: Snapshot
) -> None:
    """Ways on are there even when no content can be read."""
    locale = Locale(all_locales()[0].country, language)
    nearest = ((HOSTILE, "/ae/en/erp"),)
    page = ErrorPage(status, locale, BASE_URL, nearest)
    for view in (None, ContentView(snapshot, all_locales()[0], NOW, BASE_URL)):
        text = html.render_error(page, view).body.decode()
        outline = Outline(text)
        hrefs = {each["href"] for each in outline.all("a")}
        assert {"/llms.txt", "/sitemap.xml", locale.path, "/ae/en/erp"} <= hrefs
        assert outline.all("html")[0]["dir"] == language.direction
        assert HOSTILE not in text
        assert outline.links("canonical") == []


def test_an_error_leads_to_where_the_page_is_published(snapshot: Snapshot) -> None:
    """By the names of language and country."""
    locale = all_locales()[0]
    elsewhere = Fallback(
        country_code=locale.country, lang="ar", href=f"{BASE_URL}/ae/ar/blog/only-arabic"
    )
    page = ErrorPage(404, locale, BASE_URL, ())
    text = html.render_error(page, None, elsewhere).body.decode()
    assert "<bdi>Arabic</bdi>" in text
    assert elsewhere.href in text


def test_a_document_of_the_service_has_the_site_s_frame(snapshot: Snapshot) -> None:
    """Its English text is marked as such for Arabic readers."""
    arabic = ContentView(snapshot, all_locales()[1], NOW, BASE_URL)
    made = html.render_document("Developers", "## Versioning\n\nText.", arabic)
    text = made.body.decode()
    assert made.language is Language.EN
    assert '<article lang="en" dir="ltr">' in text
    assert '<h2 id="versioning">Versioning</h2>' in text
    assert Outline(text).links("canonical") == [f"{BASE_URL}/developers"]
    assert {"/developers.md", "/developers.json"} <= set(Outline(text).links("alternate"))


def contact(snapshot: Snapshot, form: ContactForm | None) -> Outline:
    """The contact page with a form."""
    page = page_at(ContentView(snapshot, all_locales()[0], NOW, BASE_URL), "/contact")
    return Outline(html.render(page, form).body.decode())


def test_there_is_no_form_where_nobody_takes_it(snapshot: Snapshot) -> None:
    """Only the blog's search is ever a form without being asked for."""
    assert contact(snapshot, None).all("form") == []


def test_the_contact_form_asks_for_what_can_be_sent(snapshot: Snapshot) -> None:
    """Each field is labelled, a trap for robots is among them, and the page is named."""
    outline = contact(snapshot, ContactForm("/ae/en/contact"))
    assert [(each["method"], each["action"]) for each in outline.all("form")] == [
        ("post", "/ae/en/contact")
    ]
    fields = [*outline.all("input"), *outline.all("select"), *outline.all("textarea")]
    hidden = {each["name"]: each["value"] for each in fields if each.get("type") == "hidden"}
    assert hidden == {"sourcePage": "/ae/en/contact", "localeCountry": "ae", "localeLang": "en"}
    shown = {each["name"]: each["id"] for each in fields if each["name"] not in hidden}
    assert set(shown) == {*FIELDS, "website"}
    assert {each["for"] for each in outline.all("label")} == set(shown.values())
    assert [each["value"] for each in outline.all("option")] == list(TOPICS)


def test_the_contact_form_shows_what_was_typed_and_what_is_wrong(snapshot: Snapshot) -> None:
    """Each fault stands above the form and at its field; nothing typed is lost."""
    typed = {"email": 'x"@', "topic": "support", "message": "\n<b>"}
    errors = {"email": "This is no e-mail address.", "sourcePage": "It is no path."}
    outline = contact(snapshot, ContactForm("/ae/en/contact", typed, errors))
    email = next(each for each in outline.all("input") if each["name"] == "email")
    assert email["value"] == typed["email"]
    assert email["aria-invalid"] == "true"
    assert outline.texts[str(email["aria-describedby"])] == errors["email"]
    assert [each["value"] for each in outline.all("option") if "selected" in each] == ["support"]
    # HTML drops the line feed that follows the tag, and only that one.
    assert outline.texts["contact-message"] == "\n" + typed["message"]
    assert {"#contact-email"} <= {each.get("href") for each in outline.all("a")}
    assert "It is no path." in " ".join(outline.texts.values())


@pytest.mark.parametrize(
    ("form", "role", "text", "forms"),
    [
        pytest.param(ContactForm("/x", sent=True), "status", "message has arrived", 0, id="sent"),
        pytest.param(ContactForm("/x", failed=True), "alert", "could not be saved", 1, id="failed"),
    ],
)
def test_what_came_of_a_message_is_said(
    form: ContactForm, role: str, text: str, forms: int, snapshot: Snapshot
) -> None:
    """Thanks take the form's place; a fault of ours leaves it there."""
    outline = contact(snapshot, form)
    assert any(
        language_attributes.get("role") == role for _, language_attributes in outline.elements
    )
    assert text in " ".join(outline.texts.values())
    assert len(outline.all("form")) == forms


def test_rendering_changes_nothing(snapshot: Snapshot) -> None:
    """The same page gives the same bytes."""
    view = ContentView(snapshot, all_locales()[0], NOW, BASE_URL)
    page = page_at(view, "/erp")
    before = page.answer.resource.model_dump_json()
    assert html.render(page) == html.render(page)
    assert page.answer.resource.model_dump_json() == before
