"""Search in the main index and in the delta index."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime

import pytest
from conftest import NOW, ViewOf, examples, locale_of
from gulf import COUNTRIES, DEFAULT_LOCALE
from hypothesis import given, settings
from hypothesis import strategies as st

from indexes.page_text import Gathered, PageText
from indexes.search import SearchIndex, first_index
from indexes.vocabulary import Vocabulary
from knowledge.addresses import Address
from knowledge.content_view import ContentView
from knowledge.locale import Country, Language
from knowledge.resources.blog import POST_PAGE, post_list
from knowledge.resources.queries import PostQuery
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

BuildIndex = Callable[[ContentView], SearchIndex]


def delta_only(view: ContentView) -> SearchIndex:
    """Return an index with all texts in the delta index."""
    return first_index(view.snapshot)


def main_only(view: ContentView) -> SearchIndex:
    """Return an index with all texts in the main index (Whoosh)."""
    index = first_index(view.snapshot)
    return index.resting_on(index.new_catalogues())


BOTH_INDEXES = pytest.mark.parametrize("build_index", [delta_only, main_only])


@pytest.fixture
def view(view_of: ViewOf) -> ContentView:
    """A small blog."""
    return view_of(FILES)


def search(view: ContentView, index: SearchIndex, query: str) -> list[str]:
    """Return the slugs of the posts in the response to a query."""
    for matches in index.closest_posts(view, query):
        if posts := post_list(view, PostQuery(matches=matches)).items:
            return [post.slug for post in posts]
    return []


@BOTH_INDEXES
@pytest.mark.parametrize(
    ("query", "slugs"),
    [
        pytest.param("vat", ["vat", "stock", "rates"], id="title first, then newest"),
        pytest.param("VAT rates", ["rates", "vat"], id="every term must match"),
        pytest.param("vat elephants", ["vat", "stock", "rates"], id="no post has one term"),
        pytest.param("elephants zebras", [], id="no post has any term"),
        pytest.param("oman rates counting", ["vat"], id="no post has all terms: most of them"),
        pytest.param("draft vat rates", ["rates", "vat"], id="most terms of the visible posts"),
        pytest.param("what are the rates of VAT?", ["rates", "vat"], id="words that only ask"),
        pytest.param("how's the zebra", [], id="and that alone would match"),
        pytest.param("then", ["stock"], id="but a query may have no other"),
        pytest.param("oman", ["vat"], id="any case"),
        pytest.param("coun", ["stock"], id="part of a word"),
        pytest.param("ounti", ["stock"], id="the middle of a word"),
        pytest.param("rate", ["rates", "vat"], id="singular for plural"),
        pytest.param("rated", ["rates", "vat"], id="another inflection"),
        pytest.param("counted", ["stock"], id="-ed for -ing"),
        pytest.param("depth", [], id="the body beyond the excerpt is not searched"),
        pytest.param("draft", [], id="drafts are not found"),
        pytest.param("later", [], id="nor posts not yet published"),
        pytest.param("zatca", [], id="nor posts for another country"),
        pytest.param("*", [], id="nothing to search for"),
        pytest.param("vat *", ["vat", "stock", "rates"], id="punctuation is not a term"),
        pytest.param("“VAT”, (Oman)?", ["vat"], id="punctuation around words"),
        pytest.param("vat OR counting", ["stock"], id="no query syntax: operators only join"),
        pytest.param("title:vat", [], id="nor fields"),
        pytest.param("va*", [], id="nor wildcards"),
        pytest.param("e-invoicing", ["einvoicing", "einvoice"], id="hyphen, exact first"),
        pytest.param("einvoicing", ["einvoice", "einvoicing"], id="joined, newest first"),
        pytest.param("e-invoices", ["einvoice", "einvoicing"], id="hyphen and plural"),
        pytest.param("e invoicing", ["einvoicing"], id="two words"),
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
def test_a_query_finds_posts(
    view: ContentView, build_index: BuildIndex, query: str, slugs: list[str]
) -> None:
    """Results are best first."""
    assert search(view, build_index(view), query) == slugs


@BOTH_INDEXES
@pytest.mark.parametrize(
    ("query", "slugs"),
    [
        pytest.param("فاتورة", ["papers", "arabic"], id="its plural, and with the article"),
        pytest.param("الفاتوره", ["arabic", "papers"], id="ha for ta marbuta"),
        pytest.param("فواتير", ["papers", "arabic"], id="broken plural, exact first"),
        pytest.param("الفواتير", ["papers", "arabic"], id="with article"),
        pytest.param("والفواتير", ["papers", "arabic"], id="with and the"),
        pytest.param("بالفواتير", ["papers", "arabic"], id="with by the"),
        pytest.param("للفواتير", ["papers", "arabic"], id="with for the"),
        pytest.param("فاتورتك", ["papers", "arabic"], id="your"),
        pytest.param("فاتورتنا", ["papers", "arabic"], id="our"),
        pytest.param("الالكترونيه", ["arabic"], id="without hamza"),
        pytest.param("إلكترونية", ["arabic"], id="without article"),
        pytest.param("الإلكترونيّة", ["arabic"], id="with a vowel sign"),
        pytest.param("اهلا", ["arabic"], id="without hamza and tanwin"),
        pytest.param("كيف", ["papers"], id="without the vowel signs of the text"),
        pytest.param("كيف أحسب الضريبة؟", ["tax"], id="words that only ask"),
        pytest.param("وش الموردين", ["papers"], id="as in the Gulf"),
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
        pytest.param("لإدارة المخزون", ["tax"], id="as in the text"),
        pytest.param("متجر", ["tax"], id="singular of and-the-plural"),
        pytest.param("أنظمه", ["ministry", "tax"], id="plural, and hers"),
        pytest.param("erp", ["tax"], id="Latin among Arabic"),
        pytest.param("الـERP", ["tax"], id="with an Arabic article"),
        pytest.param("الوزارة", ["ministry"], id="a first letter that is not the particle and"),
        pytest.param("مسئوليات", ["ministry"], id="hamza on another carrier"),
        pytest.param("مسؤولية", ["ministry"], id="singular"),
        pytest.param("موظف", ["ministry"], id="singular of a sound plural"),
        pytest.param("vat", [], id="another language's posts"),
    ],
)
def test_an_arabic_query_finds_posts(
    view: ContentView, build_index: BuildIndex, query: str, slugs: list[str]
) -> None:
    """Spelling, particles and number do not matter."""
    arabic = view.for_locale(locale_of("sa/ar"))
    assert search(arabic, build_index(arabic), query) == slugs


@BOTH_INDEXES
def test_a_post_is_found_only_when_and_where_it_is_published(
    view: ContentView, build_index: BuildIndex
) -> None:
    """The index also holds posts that are published later."""
    index = build_index(view)
    later = view.at(datetime(2026, 9, 1, tzinfo=UTC))
    assert search(view, index, "later") == []
    assert search(later, index, "later") == ["later"]
    assert search(view.for_locale(locale_of("sa/en")), index, "zatca") == ["saudi"]


def test_an_exact_word_ranks_above_its_stem_and_a_part(view_of: ViewOf) -> None:
    """It does so although the other posts are newer."""
    view = view_of(
        {
            "posts/a.md": "---\ntitle: Invoicing\ndate: 2026-03-03\n---\nx",
            "posts/b.md": "---\ntitle: Invoice\ndate: 2026-03-01\n---\nx",
            "posts/c.md": "---\ntitle: Reinvoice\ndate: 2026-03-02\n---\nx",
            "posts/d.md": "---\ntitle: Other\ndate: 2026-03-04\nexcerpt: An invoice.\n---\nx",
        }
    )
    assert search(view, main_only(view), "invoice")[0] == "b"
    assert search(view, main_only(view), "invoice")[-1] == "d"


# Results do not depend on which index holds a text, nor on how the index was built.

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


@BOTH_INDEXES
def test_texts_for_other_countries_do_not_affect_idf(
    view_of: ViewOf, build_index: BuildIndex
) -> None:
    """Word frequencies count only the texts of the country that searches."""
    vat = ("vat stock stock", "2026-01-02")
    goods = ("vat vat stock", "2026-01-01")

    def order(files: dict[str, str | bytes], locale: str = "ae/en") -> list[str]:
        view = view_of(files, locale)
        return search(view, build_index(view), "vat stock")

    ae_posts = {"goods": goods, "vat": vat, "other-1": ("stock", "2026-01-03")}
    saudi = {f"saudi-{number}": ("vat", "2026-02-01") for number in range(20)}
    files = {f"posts/{slug}.md": post(*fields) for slug, fields in ae_posts.items()}
    alone = order(dict(files))
    assert alone == ["goods", "vat"]  # `vat` is rarer than `stock`, and `goods` has it twice
    files |= {f"posts/{slug}.md": post(*fields, countries="[SA]") for slug, fields in saudi.items()}
    assert order(dict(files)) == alone
    assert order(dict(files), "sa/en") == ["vat", "goods"]  # in SA, `vat` is the more common word


@BOTH_INDEXES
def test_the_number_of_texts_of_other_countries_does_not_affect_the_order(
    view_of: ViewOf, build_index: BuildIndex
) -> None:
    """The rarer word has another weight among 4 texts than among 100."""
    ae_posts = {
        "twice": ("vat vat stock", "2026-01-01"),
        "thrice": ("vat stock stock stock", "2026-01-02"),
        "other-1": ("stock", "2026-01-03"),
        "other-2": ("stock", "2026-01-03"),
    }
    files: dict[str, str | bytes] = {
        f"posts/{slug}.md": post(*fields) for slug, fields in ae_posts.items()
    }
    saudi = {f"posts/saudi-{n}.md": post("goods", "2026-02-01", "[SA]") for n in range(96)}
    view = view_of(files)
    assert search(view, build_index(view), "vat stock") == ["twice", "thrice"]
    view = view_of(files | saudi)
    assert search(view, build_index(view), "vat stock") == ["twice", "thrice"]
    view = view_of({}, "sa/en")
    assert search(view, build_index(view), "vat stock") == ["thrice", "twice"]


def post(excerpt: str, day: str, countries: str = "") -> str:
    """Return a post with a neutral title, restricted to `countries` if given."""
    countries_key = f"countries: {countries}\n" if countries else ""
    return f"---\ntitle: Untitled\ndate: {day}\nexcerpt: {excerpt}\n{countries_key}---\nx"


def text(number: int, title: str, excerpt: str, day: int) -> PageText:
    """Return the text of a post; one of day 1 is for Saudi Arabia only."""
    return PageText(
        address=Address(POST_PAGE, f"post-{number}"),
        countries=frozenset(COUNTRIES) if day > 1 else frozenset({Country("SA")}),
        title=title.lower(),
        excerpt=excerpt.lower(),
        opens=datetime(2026, 1, day, tzinfo=UTC),
        closes=None,
        is_listed=True,
    )


def by_address(texts: Iterable[PageText]) -> dict[Address, PageText]:
    """Return the texts by address."""
    return {text.address: text for text in texts}


def index_of(texts: Mapping[Address, PageText], before: SearchIndex | None = None) -> SearchIndex:
    """Return an index of English texts that reuses the main index of `before`."""
    english = {address: (text,) for address, text in texts.items()}
    empty = Snapshot({}, {}, frozenset())
    gathered = Gathered(empty, {Language.EN: english, Language.AR: {}})
    vocabulary = before.vocabulary if before else VOCABULARY
    return SearchIndex(empty, vocabulary, before.catalogues if before else {}, gathered)


VOCABULARY = Vocabulary()


@settings(max_examples=examples(0.6))
@given(POSTS, POSTS, st.sets(st.integers(0, 11)), PHRASES)
def test_an_updated_index_returns_the_same_results_as_a_new_one(
    first: list[tuple[str, str, int]],
    second: list[tuple[str, str, int]],
    deleted: set[int],
    query: str,
) -> None:
    """The posts and their order are the same after any edits, additions and deletions."""
    old = by_address(text(number, *fields) for number, fields in enumerate(first))
    edited = by_address(text(number + 3, *fields) for number, fields in enumerate(second))
    remaining = enumerate((old | edited).items())
    new = {address: page for number, (address, page) in remaining if number not in deleted}
    before = index_of(old)
    before = before.resting_on(before.new_catalogues())
    updated, delta = index_of(new, before), index_of(new)
    main = delta.resting_on(delta.new_catalogues())
    expected = list(map(list, delta.closest(DEFAULT_LOCALE, query)))
    assert list(map(list, updated.closest(DEFAULT_LOCALE, query))) == expected
    assert list(map(list, main.closest(DEFAULT_LOCALE, query))) == expected


@given(st.text(max_size=200))
def test_any_query_returns_a_result(query: str) -> None:
    """No input raises an error."""
    for index in (DELTA_INDEX, MAIN_INDEX):
        all_texts = set(index.gathered.spoken(Language.EN))
        assert set(index.find(DEFAULT_LOCALE, query)) <= all_texts
        assert all(all_texts.issuperset(texts) for texts in index.closest(DEFAULT_LOCALE, query))


DELTA_INDEX = index_of(by_address([text(1, "vat in oman", "e-invoicing at 15%", 2)]))
MAIN_INDEX = DELTA_INDEX.resting_on(DELTA_INDEX.new_catalogues())


@settings(max_examples=examples(0.4))
@given(st.integers(0, 60), st.integers(1, 24))
def test_paging_repeats_and_loses_no_post(count: int, size: int) -> None:
    """The pages of a search, joined in order, are its complete result."""
    texts = [
        text(number, "vat " * (number % 3), "vat stock", 1 + number % 4) for number in range(count)
    ]
    index = index_of(by_address(texts))
    view = ContentView(Snapshot({}, {}, frozenset()), locale_of("sa/en"), NOW, "")
    slugs = next(index.closest_posts(view, "vat stock"))
    assert sorted(slugs) == sorted(page.address.slug for page in texts)
    pages = [
        next(index.closest_posts(view, "vat stock"))[start : start + size]
        for start in range(0, count, size)
    ]
    assert [slug for page in pages for slug in page] == slugs


def test_an_edit_keeps_the_main_index_and_goes_to_the_delta_index(view_of: ViewOf) -> None:
    """One edited post does not rebuild the main index."""
    view = view_of(FILES)
    index = main_only(view)
    edited = view_of(FILES | {"posts/rates.md": "---\ntitle: Fresh\ndate: 2026-05-04\n---\nx"})
    updated = index.updated(edited.snapshot, index.vocabulary.lists)
    assert updated.catalogues is index.catalogues
    assert updated.is_settled
    assert search(edited, updated, "fresh") == ["rates"]
    assert search(edited, updated, "vat") == ["vat", "stock"]
    assert search(view, index, "vat") == ["vat", "stock", "rates"]
