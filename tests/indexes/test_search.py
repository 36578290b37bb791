"""Search: what readers type finds what authors wrote, wherever in the index it lies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

import pytest
from conftest import NOW, ViewOf, examples, locale_of
from hypothesis import given, settings
from hypothesis import strategies as st

from indexes.page_text import Gathered, PageText
from indexes.search import SearchIndex, first_index
from indexes.vocabulary import Vocabulary
from knowledge.addresses import Address, Page
from knowledge.content_view import ContentView
from knowledge.locale import DEFAULT_LOCALE, Country, Language
from knowledge.resources.blog import PostQuery, post_list
from knowledge.snapshot import Snapshot

FILES: dict[str, str | bytes] = {
    "posts/vat.md": "---\ntitle: VAT in Oman\ndate: 2026-05-03\nexcerpt: Rates and dates.\n---\nx",
    "posts/rates.md": "---\ntitle: Rates\ndate: 2026-05-04\nexcerpt: On VAT too.\n---\nx",
    "posts/stock.md": "---\ntitle: Stock\ndate: 2026-05-05\n---\n"
    "Counting, then VAT.\n\nHidden depth.",
    "posts/draft.md": "---\ntitle: VAT draft\ndraft: true\n---\nx",
    "posts/later.md": "---\ntitle: VAT later\ndate: 2026-09-01\n---\nx",
    "posts/einvoicing.md": "---\ntitle: E-invoicing, phase 2\ndate: 2026-04-01\n"
    "excerpt: The company's invoices at 15% and KWD 12.5.\n---\nx",
    "posts/einvoice.md": "---\ntitle: An einvoice\ndate: 2026-04-02\nexcerpt: Café.\n---\nx",
    "posts/mixed.md": "---\ntitle: Point of sale in مسقط\ndate: 2026-04-03\nexcerpt: Sold.\n---\nx",
    "posts/saudi.md": "---\ntitle: ZATCA clearing\ndate: 2026-04-04\ncountries: [SA]\n---\nx",
    "posts/arabic.ar.md": "---\ntitle: الفاتورة الإلكترونية\ndate: 2026-05-01\n---\nأهلاً",
    "posts/papers.ar.md": "---\ntitle: فواتير الموردين\ndate: 2026-05-02\n"
    "excerpt: كَيفَ تُحفظ مستندات الشركة ١٠ سنوات؟\n---\nx",
    "posts/tax.ar.md": "---\ntitle: ضريبة القيمة المضافة ١٥٪\ndate: 2026-05-03\n"
    "excerpt: برنامج لإدارة المخزون والمتاجر مع نظام ERP.\n---\nx",
    "posts/ministry.ar.md": "---\ntitle: وزارة المالية\ndate: 2026-05-04\n"
    "excerpt: مسؤوليات الموظفين وأنظمتها.\n---\nx",
}

Making = Callable[[ContentView], SearchIndex]


def on_piles(view: ContentView) -> SearchIndex:
    """All texts lie on piles."""
    return first_index(view.snapshot)


def in_catalogues(view: ContentView) -> SearchIndex:
    """All texts lie in the Whoosh index."""
    index = first_index(view.snapshot)
    return index.resting_on(index.new_catalogues())


WHEREVER = pytest.mark.parametrize("make", [on_piles, in_catalogues])


@pytest.fixture
def view(view_of: ViewOf) -> ContentView:
    """A small blog."""
    return view_of(FILES)


def found(view: ContentView, index: SearchIndex, query: str) -> list[str]:
    """Slugs of what a reader is shown for a query."""
    matches = index.posts(view, query)
    return [post.slug for post in post_list(view, PostQuery(matches=matches)).items]


@WHEREVER
@pytest.mark.parametrize(
    ("query", "slugs"),
    [
        pytest.param("vat", ["vat", "stock", "rates"], id="title first, then newest"),
        pytest.param("VAT rates", ["rates", "vat"], id="every term must match"),
        pytest.param("vat elephants", [], id="one term does not"),
        pytest.param("oman", ["vat"], id="any case"),
        pytest.param("coun", ["stock"], id="part of a word"),
        pytest.param("ounti", ["stock"], id="the middle of a word"),
        pytest.param("rate", ["rates", "vat"], id="singular for plural"),
        pytest.param("rated", ["rates", "vat"], id="another form"),
        pytest.param("counted", ["stock"], id="-ed for -ing"),
        pytest.param("depth", [], id="the body beyond the excerpt is not searched"),
        pytest.param("draft", [], id="drafts are not found"),
        pytest.param("later", [], id="nor what is not due"),
        pytest.param("zatca", [], id="nor what is for another country"),
        pytest.param("*", [], id="nothing to search for"),
        pytest.param("vat *", ["vat", "stock", "rates"], id="signs are no terms"),
        pytest.param("“VAT”, (Oman)?", ["vat"], id="signs around words"),
        pytest.param("vat OR stock", [], id="no query syntax: operators are words"),
        pytest.param("title:vat", [], id="nor fields"),
        pytest.param("va*", [], id="nor wildcards"),
        pytest.param("e-invoicing", ["einvoicing", "einvoice"], id="hyphen, exact first"),
        pytest.param("einvoicing", ["einvoice", "einvoicing"], id="joined, newest first"),
        pytest.param("e-invoices", ["einvoice", "einvoicing"], id="hyphen and plural"),
        pytest.param("e invoicing", ["einvoicing"], id="apart"),
        pytest.param("invoices", ["einvoicing"], id="a part of a compound"),
        pytest.param("company", ["einvoicing"], id="without the apostrophe"),
        pytest.param("companies", ["einvoicing"], id="plural for possessive"),
        pytest.param("company’s", ["einvoicing"], id="typographic apostrophe"),
        pytest.param("15%", ["einvoicing"], id="a number with its sign"),
        pytest.param("12.5", ["einvoicing"], id="decimals"),
        pytest.param("5.12", [], id="other decimals"),
        pytest.param("٢", ["einvoicing"], id="Arabic digits for Latin ones"),
        pytest.param("cafe", ["einvoice"], id="without accent"),
        pytest.param("CAFÉ", ["einvoice"], id="accent and case"),
        pytest.param("point-of-sale", ["mixed"], id="hyphens for blanks"),
        pytest.param("sell", ["mixed"], id="an irregular form"),
        pytest.param("مسقط sale", ["mixed"], id="two scripts"),
        pytest.param("فاتورة", [], id="another language's posts"),
    ],
)
def test_a_query_finds_posts(view: ContentView, make: Making, query: str, slugs: list[str]) -> None:
    """Best first."""
    assert found(view, make(view), query) == slugs


@WHEREVER
@pytest.mark.parametrize(
    ("query", "slugs"),
    [
        pytest.param("فاتورة", ["papers", "arabic"], id="its plural, and with the article"),
        pytest.param("الفاتوره", ["arabic", "papers"], id="ha for ta marbuta"),
        pytest.param("فواتير", ["papers", "arabic"], id="broken plural, exact first"),
        pytest.param("الفواتير", ["papers", "arabic"], id="with article"),
        pytest.param("والفواتير", ["papers", "arabic"], id="and the"),
        pytest.param("بالفواتير", ["papers", "arabic"], id="by the"),
        pytest.param("للفواتير", ["papers", "arabic"], id="for the"),
        pytest.param("فاتورتك", ["papers", "arabic"], id="your"),
        pytest.param("فاتورتنا", ["papers", "arabic"], id="our"),
        pytest.param("الالكترونيه", ["arabic"], id="without hamza"),
        pytest.param("إلكترونية", ["arabic"], id="without article"),
        pytest.param("الإلكترونيّة", ["arabic"], id="with a vowel sign"),
        pytest.param("اهلا", ["arabic"], id="without hamza and tanwin"),
        pytest.param("كيف", ["papers"], id="without the vowel signs of the text"),
        pytest.param("المورد", ["papers"], id="singular"),
        pytest.param("شركات", ["papers"], id="plural"),
        pytest.param("مستند", ["papers"], id="singular of a feminine plural"),
        pytest.param("10", ["papers"], id="Latin digits for Arabic ones"),
        pytest.param("سنة", ["papers"], id="an irregular plural's singular"),
        pytest.param("15%", ["tax"], id="Latin percent sign"),
        pytest.param("الضرائب", ["tax"], id="plural with hamza on ya"),
        pytest.param("ضرايب", ["tax"], id="and without"),
        pytest.param("إدارة", ["tax"], id="behind a preposition"),
        pytest.param("الإدارة", ["tax"], id="article for preposition"),
        pytest.param("لإدارة المخزون", ["tax"], id="as it stands"),
        pytest.param("متجر", ["tax"], id="singular of and-the-plural"),
        pytest.param("أنظمه", ["ministry", "tax"], id="plural, and hers"),
        pytest.param("erp", ["tax"], id="Latin among Arabic"),
        pytest.param("الـERP", ["tax"], id="with an Arabic article"),
        pytest.param("الوزارة", ["ministry"], id="a first letter that is no and"),
        pytest.param("مسئوليات", ["ministry"], id="hamza on another carrier"),
        pytest.param("مسؤولية", ["ministry"], id="singular"),
        pytest.param("موظف", ["ministry"], id="singular of a sound plural"),
        pytest.param("vat", [], id="another language's posts"),
    ],
)
def test_an_arabic_query_finds_posts(
    view: ContentView, make: Making, query: str, slugs: list[str]
) -> None:
    """In any spelling, with any particle, in singular and plural."""
    arabic = view.for_locale(locale_of("sa/ar"))
    assert found(arabic, make(arabic), query) == slugs


@WHEREVER
def test_a_post_is_found_once_it_is_due_and_only_where_it_is_published(
    view: ContentView, make: Making
) -> None:
    """The index of an edition holds what is to come."""
    index = make(view)
    later = view.at(datetime(2026, 9, 1, tzinfo=UTC))
    assert found(view, index, "later") == []
    assert found(later, index, "later") == ["later"]
    assert found(view.for_locale(locale_of("sa/en")), index, "zatca") == ["saudi"]


def test_an_exact_word_stands_above_its_stem_and_a_part(view_of: ViewOf) -> None:
    """Though the others are newer."""
    view = view_of(
        {
            "posts/a.md": "---\ntitle: Invoicing\ndate: 2026-03-03\n---\nx",
            "posts/b.md": "---\ntitle: Invoice\ndate: 2026-03-01\n---\nx",
            "posts/c.md": "---\ntitle: Reinvoice\ndate: 2026-03-02\n---\nx",
            "posts/d.md": "---\ntitle: Other\ndate: 2026-03-04\nexcerpt: An invoice.\n---\nx",
        }
    )
    assert found(view, in_catalogues(view), "invoice")[0] == "b"
    assert found(view, in_catalogues(view), "invoice")[-1] == "d"


# What is found depends neither on where texts lie nor on how they came there.

WORDS = st.sampled_from(
    [
        "vat",
        "VAT,",
        "invoice",
        "invoices",
        "e-invoicing",
        "einvoice",
        "tax",
        "stock-take",
        "x",
        "15%",
        "فاتورة",
        "والفواتير",
        "ضريبة",
        "الضرائب",
        "إدارة",
        "٢٠٢٦",
    ]
)
PHRASES = st.lists(WORDS, max_size=5).map(" ".join)
POSTS = st.lists(st.tuples(PHRASES, PHRASES, st.integers(1, 4)), max_size=12)


@WHEREVER
def test_texts_for_other_countries_count_nothing_in_the_rarity_of_words(
    view_of: ViewOf, make: Making
) -> None:
    """Neither how many have a word, nor how many there are: readers see the order of theirs."""
    vat = ("vat stock stock", "2026-01-02")
    goods = ("vat vat stock", "2026-01-01")

    def order(files: dict[str, str | bytes], locale: str = "ae/en") -> list[str]:
        view = view_of(files, locale)
        return found(view, make(view), "vat stock")

    ours = {"goods": goods, "vat": vat, "other-1": ("stock", "2026-01-03")}
    saudi = {f"saudi-{number}": ("vat", "2026-02-01") for number in range(20)}
    files = {f"posts/{slug}.md": post(*said) for slug, said in ours.items()}
    alone = order(dict(files))
    assert alone == ["goods", "vat"]  # `vat` is rarer than `stock`, and stands in `goods` twice
    files |= {f"posts/{slug}.md": post(*said, countries="[SA]") for slug, said in saudi.items()}
    assert order(dict(files)) == alone
    assert order(dict(files), "sa/en") == ["vat", "goods"]  # there `vat` is the common word


@WHEREVER
def test_how_many_texts_other_countries_have_changes_no_order(
    view_of: ViewOf, make: Making
) -> None:
    """The rarer word weighs more among four texts than it would among many."""
    ours = {
        "twice": ("vat vat stock", "2026-01-01"),
        "thrice": ("vat stock stock stock", "2026-01-02"),
        "other-1": ("stock", "2026-01-03"),
        "other-2": ("stock", "2026-01-03"),
    }
    files: dict[str, str | bytes] = {f"posts/{slug}.md": post(*said) for slug, said in ours.items()}
    saudi = {f"posts/saudi-{n}.md": post("goods", "2026-02-01", "[SA]") for n in range(96)}
    view = view_of(files)
    assert found(view, make(view), "vat stock") == ["twice", "thrice"]
    view = view_of(files | saudi)
    assert found(view, make(view), "vat stock") == ["twice", "thrice"]
    view = view_of({}, "sa/en")
    assert found(view, make(view), "vat stock") == ["thrice", "twice"]


def post(excerpt: str, day: str, countries: str = "") -> str:
    """A post whose title says nothing; of one country where `countries` names it."""
    only = f"countries: {countries}\n" if countries else ""
    return f"---\ntitle: Untitled\ndate: {day}\nexcerpt: {excerpt}\n{only}---\nx"


def text(number: int, title: str, excerpt: str, day: int) -> PageText:
    """A post of that title and excerpt."""
    return PageText(
        address=Address(Page.POST, f"post-{number}"),
        countries=frozenset(Country) if day > 1 else frozenset({Country.SA}),
        title=title.lower(),
        excerpt=excerpt.lower(),
        opens=datetime(2026, 1, day, tzinfo=UTC),
        closes=None,
        is_listed=True,
    )


def index_of(texts: Mapping[Address, PageText], before: SearchIndex | None = None) -> SearchIndex:
    """An index of English texts, over the catalogues of the one before."""
    english = {at: (text,) for at, text in texts.items()}
    empty = Snapshot({}, {}, frozenset())
    gathered = Gathered(empty, {Language.EN: english, Language.AR: {}})
    vocabulary = before.vocabulary if before else VOCABULARY
    return SearchIndex(empty, vocabulary, before.catalogues if before else {}, gathered)


VOCABULARY = Vocabulary()


@settings(max_examples=examples(0.6))
@given(POSTS, POSTS, st.sets(st.integers(0, 11)), PHRASES)
def test_an_updated_index_answers_as_one_made_anew(
    first: list[tuple[str, str, int]],
    second: list[tuple[str, str, int]],
    deleted: set[int],
    query: str,
) -> None:
    """The same posts in the same order, whatever was edited, added or deleted."""
    old = {each.address: each for each in (text(n, *post) for n, post in enumerate(first))}
    new = old | {each.address: each for each in (text(n + 3, *p) for n, p in enumerate(second))}
    new = {at: each for n, (at, each) in enumerate(new.items()) if n not in deleted}
    before = index_of(old)
    before = before.resting_on(before.new_catalogues())
    updated, anew = index_of(new, before), index_of(new)
    catalogued = anew.resting_on(anew.new_catalogues())
    expected = list(anew.find(DEFAULT_LOCALE, query))
    assert list(updated.find(DEFAULT_LOCALE, query)) == expected
    assert list(catalogued.find(DEFAULT_LOCALE, query)) == expected


@given(st.text(max_size=200))
def test_any_query_has_an_answer(query: str) -> None:
    """Whatever readers or robots type."""
    for index in (HOSTED, HOSTED_IN_CATALOGUES):
        assert set(index.find(DEFAULT_LOCALE, query)) <= set(index.gathered.spoken(Language.EN))


HOSTED = index_of(
    {each.address: each for each in [text(1, "vat in oman", "e-invoicing at 15%", 2)]}
)
HOSTED_IN_CATALOGUES = HOSTED.resting_on(HOSTED.new_catalogues())


@settings(max_examples=examples(0.4))
@given(st.integers(0, 60), st.integers(1, 24))
def test_paging_repeats_and_loses_no_post(count: int, size: int) -> None:
    """The pages of a search, laid one after another, are what it found."""
    texts = [text(n, "vat " * (n % 3), "vat stock", 1 + n % 4) for n in range(count)]
    index = index_of({each.address: each for each in texts})
    view = ContentView(Snapshot({}, {}, frozenset()), locale_of("sa/en"), NOW, "")
    slugs = list(index.posts(view, "vat stock"))
    assert sorted(slugs) == sorted(each.address.slug for each in texts)
    pages = [index.posts(view, "vat stock")[at : at + size] for at in range(0, count, size)]
    assert [slug for page in pages for slug in page] == slugs


def test_an_edit_keeps_the_catalogue_and_lies_on_the_pile(view_of: ViewOf) -> None:
    """One edited post makes no index anew."""
    view = view_of(FILES)
    index = in_catalogues(view)
    edited = view_of(FILES | {"posts/rates.md": "---\ntitle: Fresh\ndate: 2026-05-04\n---\nx"})
    updated = index.updated(edited.snapshot, index.vocabulary.lists)
    assert updated.catalogues is index.catalogues
    assert updated.is_settled
    assert found(edited, updated, "fresh") == ["rates"]
    assert found(edited, updated, "vat") == ["vat", "stock"]
    assert found(view, index, "vat") == ["vat", "stock", "rates"]
