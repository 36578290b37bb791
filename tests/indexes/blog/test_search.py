"""Search of the blog, in the base and in the delta."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path

import pytest
from blog_index import VOCABULARY, FixedPosts, in_base, in_delta, posts_of
from cases import cases
from conftest import ViewOf, examples, locale_of
from gulf import COUNTRIES, DEFAULT_LOCALE
from hypothesis import given, settings
from hypothesis import strategies as st
from whoosh.index import open_dir
from whoosh.qparser import MultifieldParser, QueryParser
from whoosh.query import And, Or, Query, Term, Wildcard

from indexes.bases import no_progress
from indexes.blog.index import BlogEngine, BlogIndex
from indexes.blog.segment import EXCERPT, INDEX_NAME, TITLE, PostText
from indexes.text.words import fold
from knowledge.locales.locale import Country, Language
from knowledge.resources.blog import post_list
from knowledge.resources.queries import PostQuery
from knowledge.views.content_view import ContentView

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

BuildIndex = Callable[[ContentView], BlogIndex]


def delta_only(view: ContentView) -> BlogIndex:
    """Return an index with all posts in its delta."""
    return in_delta(posts_of(view.snapshot))


def base_only(view: ContentView) -> BlogIndex:
    """Return an index with all posts in its base, which Whoosh reads."""
    return in_base(posts_of(view.snapshot))


BOTH_INDEXES = pytest.mark.parametrize("build_index", [delta_only, base_only])


@pytest.fixture
def view(view_of: ViewOf) -> ContentView:
    """A small blog."""
    return view_of(FILES)


def search(view: ContentView, index: BlogIndex, query: str) -> list[str]:
    """Return the slugs of the posts in the response to a query."""
    for matches in index.closest(view.locale, query):
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
    assert search(view, base_only(view), "invoice")[0] == "b"
    assert search(view, base_only(view), "invoice")[-1] == "d"


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


def text(number: int, title: str, excerpt: str, day: int) -> PostText:
    """Return the text of a post; one of day 1 is for Saudi Arabia only."""
    countries = frozenset(COUNTRIES) if day > 1 else frozenset({Country("SA")})
    published = datetime(2026, 1, day, tzinfo=UTC).timestamp()
    return PostText(f"post-{number}", countries, published, Language.EN, fold(title), fold(excerpt))


def by_slug(texts: Iterable[PostText]) -> dict[str, PostText]:
    """Return the texts by slug."""
    return {text.slug: text for text in texts}


@pytest.mark.slow
@settings(max_examples=examples(0.6))
@given(POSTS, POSTS, st.sets(st.integers(0, 11)), PHRASES)
def test_an_updated_index_returns_the_same_results_as_a_new_one(
    first: list[tuple[str, str, int]],
    second: list[tuple[str, str, int]],
    deleted: set[int],
    query: str,
) -> None:
    """The posts and their order are the same after any edits, additions and deletions."""
    old = by_slug(text(number, *fields) for number, fields in enumerate(first))
    edited = by_slug(text(number + 3, *fields) for number, fields in enumerate(second))
    remaining = enumerate((old | edited).items())
    new = FixedPosts(text for number, (_, text) in remaining if number not in deleted)
    updated = in_base(FixedPosts(old.values())).updated(new)
    expected = list(map(list, in_delta(new).closest(DEFAULT_LOCALE, query)))
    assert list(map(list, updated.closest(DEFAULT_LOCALE, query))) == expected
    assert list(map(list, in_base(new).closest(DEFAULT_LOCALE, query))) == expected


@given(st.text(max_size=200))
def test_any_query_returns_a_result(query: str) -> None:
    """No input raises an error."""
    for index in (DELTA_INDEX, BASE_INDEX):
        assert set(index.find(DEFAULT_LOCALE, query)) <= {"post-1"}
        assert all(set(slugs) <= {"post-1"} for slugs in index.closest(DEFAULT_LOCALE, query))


ONE_POST = FixedPosts([text(1, "vat in oman", "e-invoicing at 15%", 2)])
DELTA_INDEX, BASE_INDEX = in_delta(ONE_POST), in_base(ONE_POST)


def test_whoosh_alone_finds_what_the_service_finds(view_of: ViewOf, tmp_path: Path) -> None:
    """The folder is an ordinary index: its schema has the analysis, and a document is a post."""
    view = view_of(FILES)
    posts = posts_of(view.snapshot)
    base = BlogEngine(VOCABULARY).write(posts, tmp_path, no_progress)
    index = BlogIndex(base, VOCABULARY)
    plain = open_dir(str(tmp_path), INDEX_NAME)
    parser = MultifieldParser([TITLE, EXCERPT], plain.schema)
    with plain.searcher() as searcher:
        for path, queries in {
            "ae/en": ["invoice", "invoices", "VAT rates", "counted", "zatca", "elephants"],
            "sa/en": ["invoicing", "zatca"],
            "sa/ar": ["فاتورة", "الفواتير", "الإدارة", "ضرائب"],
        }.items():
            locale = locale_of(path)
            country = Term("countries", str(locale.country))
            readers = And([Term("language", str(locale.language)), country])
            for query in queries:
                found = And([by_stem_or_letters(parser, word) for word in query.split()])
                hits = searcher.search(found, filter=readers, limit=None)
                assert {hit["slug"] for hit in hits} == set(index.find(locale, query)), query
        hit = searcher.search(parser.parse("invoice"))[0]
        assert "<b" in hit.highlights(EXCERPT)
        assert "invoices" in searcher.suggest(f"{EXCERPT}_words", "invoces")


def by_stem_or_letters(parser: QueryParser, word: str) -> Query:
    """Return Whoosh's query for posts with the stem of a word, or with its letters in a word."""
    fields = (f"{field}_words" for field in (TITLE, EXCERPT))
    return Or([parser.parse(word), *(Wildcard(field, f"*{fold(word)}*") for field in fields)])


def test_threads_search_one_index_at_the_same_time() -> None:
    """Each gets what a single thread gets."""
    texts = [text(n, f"vat w{n} {'stock ' * (n % 5)}", f"goods w{n % 7} vat", 2) for n in range(99)]
    queries = [f"{word} w{number}" for number in range(20) for word in ("vat", "stock", "goods")]

    def found(index: BlogIndex) -> list[object]:
        return [list(index.closest(DEFAULT_LOCALE, query)) for query in queries]

    expected = found(in_base(FixedPosts(texts)))
    index = in_base(FixedPosts(texts))
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(found, [index] * 8)) == [expected] * 8


def test_forked_processes_search_one_index_at_the_same_time() -> None:
    """They share the position of each file that was open before, so that none may count."""
    words = [f"w{number * 7919:x}" for number in range(100)]
    texts = [text(n, word, " ".join(words[n : n + 20]), 2) for n, word in enumerate(words)]

    def found(index: BlogIndex) -> list[object]:
        similar = [list(index.near(word)) for word in words[::20]]
        return [similar, [index.find(DEFAULT_LOCALE, word) for word in words]]

    def search() -> None:
        assert found(index) == expected

    expected = found(in_base(FixedPosts(texts)))
    index = in_base(FixedPosts(texts))
    processes = [get_context("fork").Process(target=search) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0]


def test_characters_that_no_index_can_store_are_ignored() -> None:
    """Half of a surrogate pair, in a query."""
    for index in (DELTA_INDEX, BASE_INDEX):
        assert index.find(DEFAULT_LOCALE, "vat\ud800") == ["post-1"]


@settings(max_examples=examples(0.4))
@given(st.integers(0, 60), st.integers(1, 24))
def test_paging_repeats_and_loses_no_post(count: int, size: int) -> None:
    """The pages of a search, joined in order, are its complete result."""
    texts = [
        text(number, "vat " * (number % 3), "vat stock", 1 + number % 4) for number in range(count)
    ]
    index, locale = in_delta(FixedPosts(texts)), locale_of("sa/en")
    slugs = list(next(index.closest(locale, "vat stock")))
    assert sorted(slugs) == sorted(text.slug for text in texts)
    pages = [
        next(index.closest(locale, "vat stock"))[start : start + size]
        for start in range(0, count, size)
    ]
    assert [slug for page in pages for slug in page] == slugs


def test_a_part_of_very_many_words_is_found_in_each() -> None:
    """At the end of a word as at its beginning, in the base as in the delta."""
    texts = [text(number, f"w{number}shop", "", 2) for number in range(60)]
    texts.append(text(60, "other", "", 2))
    for index in (in_delta(FixedPosts(texts)), in_base(FixedPosts(texts))):
        for part in ("shop", "sh"):
            assert len(index.find(DEFAULT_LOCALE, part)) == 60
        assert index.find(DEFAULT_LOCALE, "w7sh") == ["post-7"]


def test_an_edit_keeps_the_base_and_goes_to_the_delta(view_of: ViewOf) -> None:
    """Only the edited post is analysed."""
    view = view_of(FILES)
    index = base_only(view)
    edited = view_of(FILES | {"posts/rates.md": "---\ntitle: Fresh\ndate: 2026-05-04\n---\nx"})
    updated = index.updated(posts_of(edited.snapshot))
    assert updated.is_settled
    assert search(edited, updated, "fresh") == ["rates"]
    assert search(edited, updated, "vat") == ["vat", "stock"]
    assert search(view, index, "vat") == ["vat", "stock", "rates"]


def test_only_posts_of_new_versions_are_analysed() -> None:
    """Those of an earlier edit are kept too."""
    index = in_base(FixedPosts([text(1, "one", "", 2), text(2, "two", "", 2)]))
    first = FixedPosts([text(1, "uno", "", 2), text(2, "two", "", 2)])
    second = FixedPosts([text(1, "uno", "", 2), text(3, "tre", "", 2)])
    index = index.updated(first).updated(second)
    assert (first.asked, second.asked) == (["post-1"], ["post-3"])
    found = [list(index.find(DEFAULT_LOCALE, word)) for word in ("one", "uno", "two", "tre")]
    assert found == [[], ["post-1"], [], ["post-3"]]


def test_synonyms_that_the_base_does_not_have() -> None:
    """Single words, until there is a base with them."""
    index = in_base(FixedPosts([text(1, "tills", "", 2), text(2, "counting", "", 2)]))
    groups = [("till", "cash desk", "counter"), ("x", "y")]
    assert index.with_synonyms(groups).find(DEFAULT_LOCALE, "counters") == ["post-1"]
    assert index.find(DEFAULT_LOCALE, "counters") == ()


@cases(
    ("word", "similar"),
    [
        pytest.param("invoce", ["invoice"], id="a letter missing"),
        pytest.param("invvoice", ["invoice"], id="a letter twice"),
        pytest.param("inboice", ["invoice"], id="a wrong letter"),
        pytest.param("invioce", ["invoice"], id="two letters swapped"),
        pytest.param("wharehuose", ["warehouse"], id="two edits in a long word"),
        pytest.param("stcok", ["stock"], id="a swap in a short word"),
        pytest.param("stroke", [], id="two edits in a short word"),
        pytest.param("فاترة", ["فاتورة"], id="Arabic"),
        pytest.param("stock", [], id="the word itself"),
        pytest.param("vt", [], id="too short"),
    ],
)
def test_similar_words(word: str, similar: list[str]) -> None:
    """They are one edit away, or two for a long word."""
    texts = [text(1, "invoice stock", "vat: warehouse, فاتورة", 2)]
    for index in (in_delta(FixedPosts(texts)), in_base(FixedPosts(texts))):
        assert list(index.near(fold(word))) == list(map(fold, similar))
