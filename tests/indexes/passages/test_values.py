"""Types of values: which a text holds, which a question asks for, and the order that follows."""

from __future__ import annotations

from time import thread_time

import pytest
from cases import cases
from search_pages import ANALYZER, READER, found, index_of_bodies

from indexes.passages.analysis import AROUND
from indexes.passages.queries import read_query
from indexes.passages.values import values_in
from indexes.passages.wishes import wish_of


@cases(
    ("text", "types"),
    [
        pytest.param("SAR 399 per month", "amount fee", id="a code, and no duration"),
        pytest.param("399 د.إ. شهريًا", "amount fee", id="a sign in Arabic"),
        pytest.param("$100", "amount", id="a sign"),
        pytest.param("5 US dollars", "amount", id="a name of two words"),
        pytest.param("٢٫٥ دينار", "amount", id="Arabic digits"),
        pytest.param("ALL 5 of 12 shops", "amount", id="a code in capitals"),
        pytest.param("all 5 of 12 shops", "", id="a word that is a code in capitals"),
        pytest.param("VAT at 15%", "percentage", id="a percentage"),
        pytest.param("بنسبة ١٥٪", "percentage", id="an Arabic percentage"),
        pytest.param("call +966 11 555 0142", "telephone", id="an international number"),
        pytest.param("04 555 0142", "telephone", id="a national number"),
        pytest.param("write to hello@wahat.example.", "mail", id="mail"),
        pytest.param("Office 702, Palm Tower", "address", id="an office"),
        pytest.param("المكتب 903، برج البوم", "address", id="an Arabic office"),
        pytest.param("Sunday to Thursday, 08:00–18:00", "hours", id="times"),
        pytest.param("from 8 am", "hours", id="the clock of twelve hours"),
        pytest.param("since July 2026", "date", id="a month"),
        pytest.param("في 18 نوفمبر", "date", id="an Arabic month"),
        pytest.param("2026-11-29", "date", id="an ISO date"),
        pytest.param("founded in 2012", "date", id="a year"),
        pytest.param("2012 devices", "", id="a number like a year"),
        pytest.param("5 working days", "duration", id="days"),
        pytest.param("two years", "duration", id="a number as a word"),
        pytest.param("سنتان، مع جهاز بديل", "duration", id="a dual"),
        pytest.param("خلال 14 يومًا", "duration", id="Arabic days"),
        pytest.param("a 23.8-inch screen", "size", id="a size in one word"),
        pytest.param("410 × 420 × 100 mm", "size", id="a size in several words"),
        pytest.param("VAT number: 300455501420003", "number", id="a registration"),
        pytest.param("Barcode: 6290000010107", "", id="another number"),
        pytest.param("up to 25 users in 3 branches", "", id="counts"),
    ],
)
def test_the_types_of_the_values_in_a_text(text: str, types: str) -> None:
    """By the words beside numbers, in both languages and all digits."""
    assert values_in(text) == {*types.split()}


@cases(
    ("query", "types"),
    [
        pytest.param("How much does it cost?", "#amount", id="English"),
        pytest.param("كم السعر؟", "#amount", id="Arabic"),
        pytest.param("بكم الجهاز", "#amount", id="the Gulf"),
        pytest.param("kam s3r", "#amount", id="Latin letters"),
        pytest.param("وش ايميل الدعم", "#mail", id="mail"),
        pytest.param("wain maktabkom", "#address", id="an office in Latin letters"),
        pytest.param("when are you open", "#hours", id="hours"),
        pytest.param("is the restaurant closed during Ramadan", "#hours", id="closed at a time"),
        pytest.param("هل المطعم مغلق في رمضان", "#hours", id="closed at a time, in Arabic"),
        pytest.param("formatting when copying", "", id="a conjunction"),
        pytest.param("how many users", "", id="a count"),
        pytest.param(
            "price " + "word " * 3 + " ".join(map("w{}".format, range(12))), "", id="long"
        ),
    ],
)
def test_the_types_that_a_question_asks_for(query: str, types: str) -> None:
    """By its words and phrases; a long text describes something."""
    wish = wish_of(read_query(query, ANALYZER).concepts, ANALYZER.vocabulary)
    assert wish.values == {*types.split()}


def test_a_passage_with_the_value_ranks_first() -> None:
    """Before one that has the word alone; and it is found without the word."""
    with_word, with_value = "The price of a scanner is fair.", "Price of a scanner: KWD 35.500."
    longer = f"{with_value} It has a cable."
    others = "a printer", "a drawer", "a screen"
    assert found(index_of_bodies(with_word, longer, *others), "scanner price")[0] == "1"
    assert found(index_of_bodies("A scanner: KWD 35.500", *others), "price") == ["0"]


def test_of_two_types_a_passage_with_both_ranks_first() -> None:
    """A fee is an amount for a time."""
    once, monthly = "The fee: SAR 399 for the start.", "The fee: SAR 399 per month to begin."
    assert found(index_of_bodies(once, monthly), "monthly fee")[0] == "1"


def test_a_word_for_a_value_is_known_where_texts_have_the_value() -> None:
    """So it is not told to be missing, and an answer with the value fits."""
    result = index_of_bodies("VAT in Oman is 5%.").find("VAT percentage", READER, 5)
    assert (result.not_found, result.is_poor) == ((), False)


@pytest.mark.parametrize("word", ["+9", "a@", "08:", "2026-", "9,", "A1-", AROUND, "1.1", "a.a"])
def test_to_find_values_takes_linear_time(word: str) -> None:
    """Whatever the text repeats, within a word and in many."""

    def seconds(text: str) -> float:
        started = thread_time()
        values_in(text)
        return thread_time() - started

    for space in ("", " "):
        short, long = ((word + space) * count for count in (4_000, 32_000))
        assert seconds(long) < 24 * max(seconds(short), 0.002)
