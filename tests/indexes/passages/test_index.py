"""Ranking over fields and pages, visibility, and the delta of an index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st
from search_pages import NOW, READER, FixedPages, found, index_in_memory, passage

from indexes.bases import is_small
from indexes.passages.passage import SearchPassage, SearchScope
from indexes.passages.ranking import LEAST_RELEVANCE, Fit

DAY = timedelta(days=1)


def test_a_title_counts_more_than_headings_and_these_more_than_the_body() -> None:
    """The same word in another field."""
    index = index_in_memory(
        passage("body", "One", "payroll"),
        passage("heading", "One", "two", headings=("payroll",)),
        passage("title", "payroll", "two"),
    )
    assert found(index, "payroll") == ["title", "heading", "body"]


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    """Nothing else differs."""
    common = [passage(str(number), "", "shop text") for number in range(20)]
    index = index_in_memory(*common, passage("rare", "", "scanner text"))
    assert found(index, "shop scanner", limit=21)[0] == "rare"


def test_the_name_of_the_site_says_little_about_what_is_asked() -> None:
    """It is found if there is nothing else, and the name of a product that has it is."""
    index = index_in_memory(
        passage("about", "Wahat", "wahat wahat"),
        passage("pocket", "Wahat Pocket", "a till"),
        passage("trade", "", "integrates, among others, with the tills of other makers"),
        *[passage(f"other{number}", "", "text") for number in range(9)],
    )
    site = replace(READER, site_names=("Wahat", "Oasis Tea"))
    assert found(index, "wahat integrates", site)[0] == "trade"
    assert found(index, "wahat integrates")[0] == "about"
    assert found(index, "Wahat", site)[0] == "about"
    assert found(index, "Wahat Pocket", site)[0] == "pocket"


def test_words_of_a_name_of_the_site_count_alone() -> None:
    """Only the whole name says little."""
    tea = passage("tea", "", "tea")
    index = index_in_memory(
        tea, *[passage(str(number), "", "shops of text") for number in range(9)]
    )
    site = replace(READER, site_names=("Oasis Tea",))
    scores = [index.find("tea", scope, 1).relevance for scope in (READER, site)]
    assert scores[0] == scores[1]


def test_the_name_of_the_country_finds_nothing_beside_other_words() -> None:
    """All pages are about it; it still ranks, and is found if there is nothing else."""
    index = index_in_memory(
        passage("office", "Oman", "oman oman"),
        passage("pricing", "", "the price of a till"),
        passage("vat", "", "the price with the tax of oman"),
        *[passage(f"other{number}", "", "a price") for number in range(9)],
    )
    there = replace(READER, country_names=("Oman", "Omani"))
    assert found(index, "price in Oman", there)[0] == "vat"
    assert "office" not in found(index, "price in Oman", there, limit=20)
    assert "office" in found(index, "price in Oman", limit=20)
    assert found(index, "Oman", there)[0] == "office"


def test_a_page_helps_its_passages() -> None:
    """Of two equal passages, that of the page which has the other word too comes first."""
    index = index_in_memory(
        passage("a", "", "scanner repairs", key="a#1"),
        passage("b", "", "scanner repairs", key="b#1"),
        passage("b", "", "the prices of delivery", key="b#2"),
    )
    assert found(index, "scanner delivery")[0] == "b"


def test_so_many_passages_of_a_page_at_most() -> None:
    """The best ones; all of the best page, unless pages are searched."""
    index = index_in_memory(
        *(passage(page, page, "shop " * n, key=f"{page}#{n}") for page in "ab" for n in range(1, 9))
    )
    for page_limit, of_best, of_other in ((3, 8, 3), (5, 8, 5), (1, 1, 1)):
        hits = index.find("shop a", READER, 20, page_limit=page_limit).hits
        assert Counter(hit.page for hit in hits) == {"a": of_best, "b": of_other}
    assert len(index.find("shop", READER, 2).hits) == 2


@cases(
    ("hidden", "reader"),
    [
        pytest.param({"published_at": NOW + DAY}, READER, id="not yet published"),
        pytest.param({"unpublish_at": NOW}, READER, id="withdrawn at this instant"),
        pytest.param({"audience": frozenset({"sa/ar"})}, READER, id="in another country"),
        pytest.param({"audience": frozenset[str]()}, READER, id="hidden"),
        pytest.param({"kind": "posts"}, replace(READER, kinds=("page", "faq")), id="another kind"),
    ],
)
def test_what_a_reader_may_not_see(hidden: dict[str, object], reader: SearchScope) -> None:
    """It is not found, not by a similar word, and no suggestion has its words."""
    index = index_in_memory(passage("seen", "", "shops"), passage("x", "", "secret", **hidden))
    for query in ("secret", "secrte", "secret shops", '"secret"'):
        assert "x" not in found(index, query, reader)
    assert index.find("sercet", reader, 5).suggestion is None
    assert found(index, "shops", reader) == ["seen"]


def test_a_passage_is_found_from_its_first_to_its_last_instant() -> None:
    """The index does not change."""
    dated = passage("dated", "", "offer", published_at=NOW, unpublish_at=NOW + DAY)
    index = index_in_memory(dated)
    moment = timedelta(microseconds=1)
    instants = (NOW - moment, NOW, NOW + DAY - moment, NOW + DAY)
    seen = [found(index, "offer", replace(READER, now=instant)) for instant in instants]
    assert seen == [[], ["dated"], ["dated"], []]


def test_a_word_that_only_others_see_is_read_as_a_similar_word() -> None:
    """As if the word did not exist."""
    other = passage("other", "", "stokk", audience=frozenset({"sa/ar"}))
    index = index_in_memory(passage("seen", "", "stock"), other)
    assert found(index, "stokk") == ["seen"]
    assert found(index, "stokk", replace(READER, audience="sa/ar")) == ["other"]


def test_an_edit_changes_what_is_found() -> None:
    """Only the edited pages are cut; the index before the edit stays as it is."""
    before = index_in_memory(passage("a", "", "old text"), passage("b"), passage("c", "", "gone"))
    pages = FixedPages(passage("a", "", "new text"), passage("b"), passage("d", "", "added"))
    after = before.updated(pages)
    assert [found(after, word) for word in ("old", "new", "gone", "added")] == [
        [],
        ["a"],
        [],
        ["d"],
    ]
    assert [found(before, word) for word in ("old", "new", "gone")] == [["a"], [], ["c"]]
    assert sorted(pages.cut) == ["a", "d"]
    assert after.is_settled
    again = FixedPages(passage("a", "", "new text"), passage("b"), passage("d", "", "changed"))
    assert found(after.updated(again), "changed") == ["d"]
    assert again.cut == ["d"]


WORDS = st.lists(st.sampled_from(["shop", "stock", "invoice", "plan", "till", "cash"]), max_size=12)
TEXTS = st.lists(WORDS.map(" ".join), min_size=1, max_size=8)


@pytest.mark.slow
@given(TEXTS, TEXTS, WORDS.map(" ".join))
def test_the_order_is_the_same_whichever_segment_has_a_passage(
    before: Sequence[str], after: Sequence[str], query: str
) -> None:
    """Base and delta rank as one index of the same passages."""
    edited = _passages(after)
    whole = index_in_memory(*edited)
    delta = index_in_memory(*_passages(before)).updated(FixedPages(*edited))
    results = [index.find(query, READER, 10) for index in (whole, delta)]
    assert results[0].hits == results[1].hits
    assert results[0].relevance == results[1].relevance
    assert results[0].not_found == results[1].not_found


def _passages(texts: Sequence[str]) -> list[SearchPassage]:
    return [passage(str(number), "", text) for number, text in enumerate(texts)]


def test_a_delta_is_small_up_to_a_number_of_pages_or_a_share() -> None:
    """Whichever is more."""
    assert is_small(100, 0)
    assert not is_small(101, 0)
    assert is_small(1000, 50_000)
    assert not is_small(1001, 50_000)


def test_all_words_alone_do_not_make_a_passage_the_first() -> None:
    """Words that are everywhere say less than one rare word in a title."""
    common = [passage(f"c{n}", "", "our shops and stock") for n in range(50)]
    rare = passage("rare", "Warranty", "stock")
    both = passage("both", "", f"{'shops and stock of many things ' * 50} warranty")
    assert found(index_in_memory(*common, rare, both), "warranty shops stock")[0] == "rare"


def test_relevance_tells_how_likely_it_is_that_the_texts_answer() -> None:
    """Rare words tell more than common ones, and words that are nowhere tell against it."""
    shops = [f"our shop number {number} sells many things" for number in range(60)]
    bodies = [*shops, "the warranty of a scanner"]
    index = index_in_memory(*(passage(str(n), "", body) for n, body in enumerate(bodies)))

    def relevance(query: str) -> float:
        return index.find(query, READER, 5).relevance

    assert relevance("what is the warranty of a scanner?") > 0.7
    assert relevance("warranty scanner") > relevance("warranty scanner salesforce") > 0.5
    assert relevance("warranty") > relevance("things") > 0.0
    assert index.find("do you sell things for salesforce?", READER, 5).is_poor
    assert relevance("salesforce") == 0.0


def test_what_fits_in_many_texts_tells_less_than_in_few() -> None:
    """As something fits by chance in many."""
    few, many = (Fit(share=0.4, evidence=0.4, size=size, closeness=None) for size in (6, 14))
    assert few.relevance > LEAST_RELEVANCE > many.relevance


def test_a_passage_that_has_all_words_is_never_told_to_be_none() -> None:
    """A search for one word has no other evidence, however many texts there are."""
    assert Fit(share=1.0, evidence=0.1, size=16, closeness=None).relevance == LEAST_RELEVANCE


def test_words_that_no_passage_has_are_told() -> None:
    """Not those that only ask, nor those that are read as another word."""
    hidden = passage("hidden", "", "a secret", audience=frozenset({"sa/ar"}))
    index = index_in_memory(passage("shops", "", "our shops integrate with others"), hidden)
    result = index.find("How do shps integrate with Salesforce and a secret WH-999?", READER, 5)
    assert result.not_found == ("salesforce", "secret", "wh-999")
    assert index.find("Salesforce", READER, 5).not_found == ("salesforce",)
