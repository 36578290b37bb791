"""What a query means, and what passages it finds."""

from __future__ import annotations

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st
from search_pages import ANALYZER, READER, found, index_in_memory, index_of_bodies, passage

from indexes.passages.analysis import Analyzer
from indexes.passages.queries import MAX_CHARACTERS, read_query, shortened
from indexes.text.words import Vocabulary
from knowledge.documents.site_files import WordLists

INDEX = index_of_bodies(
    "A rollout takes two weeks. How it is done depends on the branch.",
    "Stock counts without closing the shop, with the scanner WH-POS-115.",
    "الفواتير الإلكترونية في المرحلة ٢ تصدر من نظام Odoo، ونسبة الضريبة ١٥٪",
    "Our libraries are in C++, go1.14 and version 2.5; the point of sale is not.",
    "Working with the scanner WH-POS-116 and C# takes 15 people.",
)


@cases(
    ("query", "first"),
    [
        pytest.param("how long does a rollout take", "0", id="a question, word for word"),
        pytest.param("counting stocks quickly", "1", id="stems, and a word that no text has"),
        pytest.param("WH-POS-115", "1", id="a SKU"),
        pytest.param("wh-pos-116?", "4", id="another SKU, in small letters"),
        pytest.param("C++", "3", id="signs"),
        pytest.param("(C#)", "4", id="other signs"),
        pytest.param("go1.14", "3", id="a version"),
        pytest.param("15%", "2", id="Arabic-Indic digits and percent sign"),
        pytest.param("٢٫٥", "3", id="Latin digits, asked in Arabic-Indic ones"),
        pytest.param("ما هي الفاتورة الإلكترونية؟", "2", id="Arabic inflections"),
        pytest.param("اودو odoo", "2", id="a Latin name in Arabic text"),
        pytest.param("الOdoo", "2", id="a Latin name with the Arabic article"),
        pytest.param("point-of-sale", "3", id="a compound"),
        pytest.param("stok", "1", id="one edit in a short word"),
        pytest.param("rolluot", "0", id="two letters swapped"),
        pytest.param("libarreis", "3", id="two edits in a long word"),
        pytest.param("الفواتبر", "2", id="an Arabic slip"),
        pytest.param("WH/POS/115x", "1", id="an unknown code is read by its parts"),
    ],
)
def test_the_best_passage(query: str, first: str) -> None:
    """It is found, and ranks first."""
    assert found(INDEX, query)[0] == first


@cases(
    ("query", "missing"),
    [
        pytest.param("how", "1", id="a word that only asks"),
        pytest.param("C++", "4", id="another name with signs"),
        pytest.param("WH-POS-115", "4", id="another number"),
        pytest.param("15%", "4", id="a number without its sign"),
        pytest.param("stwck closxng", "0", id="nothing similar"),
        pytest.param("scann", "0", id="two edits in a short word"),
        pytest.param("WH-POS-117", "0", id="a code is not misspelt"),
    ],
)
def test_what_is_not_found(query: str, missing: str) -> None:
    """A text without the meaning of the query."""
    assert missing not in found(INDEX, query)


def test_any_word_may_match_but_all_words_come_first() -> None:
    """However often a text repeats one of the words."""
    index = index_of_bodies(
        "payroll " * 30, "a long text on many things and payroll, then an export"
    )
    assert found(index, "payroll export") == ["1", "0"]


@pytest.mark.parametrize("query", ["invoices without number", "closed during الفواتير القادمة"])
def test_words_of_a_frame_only_ask_where_no_text_has_them(query: str) -> None:
    """They are not told to be missing, and the answer fits; where a text has one, it is found."""
    result = index_of_bodies("the invoices of a shop", "الفواتير").find(query, READER, 5)
    assert (result.not_found, result.is_poor) == ((), False)
    assert found(index_of_bodies("a number", "a shop"), "number") == ["0"]


def test_words_of_questions_never_decide() -> None:
    """A text that has only them is not found."""
    index = index_of_bodies("how does it what how does", "كيف هل ما", "the invoices of a shop")
    assert found(index, "how does it invoice") == ["2"]
    assert found(index, "كيف الفاتورة what") == []
    assert found(index, "how does") == ["0"]


def test_a_rare_word_of_questions_finds_if_others_find_nothing() -> None:
    """It may be another word in this text; a frequent one never is."""
    index = index_of_bodies("واجد الضالة", *["how to count"] * 99)
    assert found(index, "واجد الأمتعة") == ["0"]
    assert found(index, "how baggage") == []
    assert found(index, "واجد count")[0] != "0"


def test_quotes_ask_for_a_phrase() -> None:
    """Its words stand side by side, in one field; curly quotes are quotes too."""
    index = index_of_bodies("stock counts of shops", "counts of stock", "الجرد السنوي للمخزون")
    assert found(index, '"stock counts"') == ["0"]
    assert found(index, " “Counts of stock” ") == ["1"]
    assert found(index, "«الجرد السنوي»") == ["2"]
    assert found(index, '"counts stock"') == []


def test_quotes_within_a_question_exclude_nothing() -> None:
    """A phrase alone finds nothing but itself, and its words are suggested."""
    index = index_of_bodies("stock counts of shops", "counts of stock")
    assert {*found(index, 'our "counts stock" in shops')} == {"0", "1"}
    assert index.find('"counts stock"', READER, 5).suggestion == "counts stock"


def test_a_misspelt_word_ranks_below_the_word() -> None:
    """Another word of the query decides."""
    index = index_of_bodies("shift plans", "shirt plans and more about shops", "invoices plans")
    assert found(index, "invoices plxns shift")[0] in "02"
    assert found(index_of_bodies("cash", "cart"), "cash") == ["0"]


def test_a_suggestion_has_similar_words_without_words_that_only_ask() -> None:
    """It is there only if nothing is found, and never has words that nobody may see."""
    assert INDEX.find('"how is the stokc"', READER, 5).suggestion == "stock"
    assert INDEX.find("how is the stwkc", READER, 5).suggestion is None
    assert INDEX.find("stock", READER, 5).suggestion is None
    assert INDEX.find("zzzzzzzz what", READER, 5).suggestion is None


@cases(
    ("query", "body"),
    [
        pytest.param("letters", "a better text", id="a common word"),
        pytest.param("demo", "a damp text", id="a common word of the trade"),
        pytest.param("resigned", "designed", id="a common word in another form"),
        pytest.param("is it café", "the care of shops", id="a common word with an accent"),
        pytest.param("ابغي", "ابقي", id="a word that only asks"),
        pytest.param("tamara", "camera", id="two edits in a name of six letters"),
        pytest.param("sap", "sip", id="a short name"),
        pytest.param("تقسيط", "بسيط", id="two edits in Arabic"),
        pytest.param("بالتقسيط", "بالبسيط", id="two edits beside article and particles"),
        pytest.param("دواء", "دوام", id="a short Arabic word"),
        pytest.param("الدواء", "الدوام", id="a short Arabic word with its article"),
        pytest.param("والاستقلال", "استقبال", id="a common Arabic word"),
    ],
)
def test_a_word_that_is_spelt_right_is_not_read_as_another(query: str, body: str) -> None:
    """Nor is the other suggested."""
    result = index_of_bodies(body).find(query, READER, 5)
    assert (result.hits, result.suggestion) == ((), None)


@cases(
    ("query", "word"),
    [
        pytest.param("paymnet", "payment", id="English"),
        pytest.param("neccesary", "necessary", id="two edits in a long word"),
        pytest.param("بالتقسبط", "تقسيط", id="an Arabic word with particles"),
        pytest.param("تقسبط", "وبالتقسيط", id="an Arabic word without those of the text"),
        pytest.param("االتقسيط", "التقسيط", id="the Arabic article"),
    ],
)
def test_a_misspelt_word_is_read_as_the_most_similar_one(query: str, word: str) -> None:
    """The result tells how it is read."""
    result = index_of_bodies(word, "another text").find(query, READER, 5)
    assert [hit.page for hit in result.hits] == ["0"]
    assert list(result.words.values()) == [word]


def test_arabic_in_latin_letters_is_read_as_arabic() -> None:
    """If no text has it in Latin letters, and only as words that the reader may see."""
    index = index_in_memory(
        passage("0", "", "سعر النظام"),
        passage("1", "", "nezam"),
        passage("2", "", "الحضور", audience=frozenset({"sa/ar"})),
    )
    result = index.find("kam se3r el nezam", READER, 5)
    assert {hit.page for hit in result.hits} == {"0", "1"}
    assert (result.words["se3r"], result.words["nezam"]) == ("سعر", "nezam")
    assert index.find("el 7odoor", READER, 5).hits == ()


def test_of_similar_words_the_most_frequent_one_is_shown() -> None:
    """All of them are found."""
    index = index_of_bodies("stack", "stock", "stock", "stick")
    result = index.find("stokc", READER, 5)
    assert result.words == {"stokc": "stock"}
    assert index.find("stxck", READER, 5).words == {"stxck": "stock"}
    assert {hit.page for hit in index.find("stxck", READER, 5).hits} == {"0", "1", "2", "3"}


@cases(
    ("query", "meaning"),
    [
        pytest.param("What does a scanner cost?", ["scanner", "cost"], id="English"),
        pytest.param("How long and how often is it open?", ["open"], id="how long"),
        pytest.param("كيف أطلب الأجهزة؟", ["اطلب", "الاجهزه"], id="Arabic"),
        pytest.param("وش أسعار الأجهزة اللي عندكم", ["اسعار", "الاجهزه"], id="Najd"),
        pytest.param("شنو لازم للضمان", ["للضمان"], id="Kuwait"),
        pytest.param("عايز أعرف بكام الجهاز ده", ["اعرف", "الجهاز"], id="Egypt"),
        pytest.param("قديش بدكم لتوصيل الجهاز هلق", ["لتوصيل", "الجهاز"], id="Levant"),
        pytest.param("kam el se3r", ["se3r"], id="Latin letters"),
        pytest.param("Starter vs Growth, please", ["starter", "growth"], id="vs"),
        pytest.param("Hi! scanner versus printer etc.", ["scanner", "printer"], id="versus"),
        pytest.param("ok thanks, hours via phone", ["hours", "phone"], id="thanks"),
        pytest.param("شكم سعر الجهاز", ["سعر", "الجهاز"], id="how much in the Gulf"),
        pytest.param("مدري اشكم السعر", ["السعر"], id="I do not know"),
        pytest.param("متى جت الشحنة", ["الشحنه"], id="it came"),
        pytest.param("مرحبا، وشو الضمان رجاء", ["الضمان"], id="a greeting"),
        pytest.param("what is this", ["what", "is", "this"], id="no other words"),
    ],
)
def test_words_that_only_ask_find_nothing_beside_others(query: str, meaning: list[str]) -> None:
    """In both languages, and in the speech of the Gulf; they count a little in the order."""
    concepts = read_query(query, ANALYZER).concepts
    assert [concept.word for concept in concepts if not concept.asks] == meaning
    assert all(concept.weight < 1 for concept in concepts if concept.asks)


@cases(
    "word", ["فوائد", "فقد", "فهم", "فرح", "فلم", "وهم", "فان", "فاي", "فلة", "وعد", "ولاء", "فلوس"]
)
def test_a_word_that_begins_like_a_conjunction_is_a_word(word: str) -> None:
    """The rest of it may be a word that only asks, such as a dialect's."""
    index = index_of_bodies(f"عن {word} هنا", "نص آخر")
    assert [each.word for each in read_query(f"ما هي {word}", ANALYZER).concepts if not each.asks]
    assert found(index, f"كيف {word}") == ["0"]
    assert found(index, f"{word} الشاحنات") == ["0"]


@cases("word", ["وهل", "فهل", "وكيف", "فما", "ومن", "وماذا", "فمتى"])
def test_a_standard_word_of_questions_may_have_a_conjunction(word: str) -> None:
    """It still only asks."""
    concepts = read_query(f"{word} الفاتورة", ANALYZER).concepts
    assert [each.word for each in concepts if not each.asks] == ["الفاتوره"]


POSSESSIVES = ("ك", "كم", "نا", "هم", "هن")


@cases(
    ("query", "body"),
    [
        *(pytest.param(f"رقم{each}", "رقم الهاتف", id=f"رقم{each}") for each in POSSESSIVES),
        *(pytest.param(f"سعر{each}", "السعر", id=f"سعر{each}") for each in POSSESSIVES),
        pytest.param("وسعركم", "سعر الجهاز", id="after a conjunction"),
        pytest.param("جهازك", "أجهزة أخرى", id="a longer word, and its plural"),
        pytest.param("دعمكم", "الدعم", id="support"),
        pytest.param("هالجهاز", "جهاز", id="this"),
        pytest.param("هالسعر", "الأسعار", id="this, and a plural"),
        pytest.param("بهالجهاز", "جهاز", id="in this"),
        pytest.param("وهالنظام", "نظام", id="and this"),
        pytest.param("عالموقع", "موقعنا", id="on the"),
        pytest.param("عالواتساب", "واتساب", id="on the, with a root in w"),
    ],
)
def test_a_word_is_found_without_what_is_joined_to_it(query: str, body: str) -> None:
    """Possessives after three letters, and the particles of the Gulf before the article."""
    assert found(index_of_bodies(body, "نص آخر"), query) == ["0"]


@cases(
    "word", ["دراهم", "بنوك", "شريك", "مالك", "اشتراك", "محرك", "عالمي", "هالة", "مساهم", "محاكم"]
)
def test_a_word_that_ends_like_a_possessive_is_found_as_it_is(word: str) -> None:
    """And first of all."""
    index = index_of_bodies("درا بنو شري مال اشترا محر مي مسا محا", word, "نص آخر")
    assert found(index, word)[0] == "1"


@cases(
    ("query", "names"),
    [
        pytest.param("which IT support", ["it", "support"], id="IT"),
        pytest.param("do you ship to the US?", ["ship", "us"], id="US"),
        pytest.param("هل تشحنون إلى US", ["تشحنون", "us"], id="in an Arabic question"),
        pytest.param("US", ["us"], id="alone"),
        pytest.param("is it open for us", ["open"], id="in small letters"),
        pytest.param("WHO HAS TOLD US IT IS OPEN", ["told", "open"], id="all in capitals"),
    ],
)
def test_a_name_in_capitals_is_no_word_that_asks(query: str, names: list[str]) -> None:
    """But in a question that is all in capitals."""
    concepts = read_query(query, ANALYZER).concepts
    assert [each.word for each in concepts if not each.asks] == names


def test_a_name_in_capitals_finds_itself_only() -> None:
    """Or it is told that no text has it."""
    index = index_of_bodies("Contact us about it", "We ship to the US", "Help for IT, by shops")
    assert found(index, "US offices") == ["1"]
    assert found(index, "(IT) offices") == ["2"]
    assert index.find("offices of the WHO", READER, 5).not_found == ("offices", "who")
    assert found(index, "contact us")[0] == "0"


@cases(
    ("query", "body"),
    [
        pytest.param("costs", "our prices", id="cost"),
        pytest.param("fees", "a subscription", id="fee"),
        pytest.param("demo", "a free trial", id="demo"),
        pytest.param("refunds", "returns are free", id="refund"),
        pytest.param("reviews", "what our customers say", id="reviews"),
        pytest.param("integration", "an API", id="integration"),
        pytest.param("Mecca", "shops in Makkah", id="a city"),
        pytest.param("كلفة", "الأسعار", id="cost in Arabic"),
        pytest.param("ديمو", "فترة تجريبية", id="demo in Arabic"),
        pytest.param("ترجيع", "إرجاع الأجهزة", id="refund in Arabic"),
        pytest.param("تقييمات", "آراء العملاء", id="reviews in Arabic"),
        pytest.param("مطورين", "ربط الأنظمة", id="integration in Arabic"),
        pytest.param("فلوس", "درج النقود", id="money in the Gulf"),
        pytest.param("مصاري", "درج النقود", id="money in the Levant"),
        pytest.param("شريت جهاز", "إذا اشتريتم", id="to buy in the Gulf"),
        pytest.param("الكرت", "بالبطاقة", id="card"),
        pytest.param("خربان", "عند الأعطال", id="broken"),
        pytest.param("شغال", "يعمل دون اتصال", id="to work"),
    ],
)
def test_built_in_synonyms(query: str, body: str) -> None:
    """Of intent, and of dialects."""
    assert found(index_of_bodies(body, "another text, نص آخر"), query) == ["0"]


def test_synonyms_may_be_phrases_and_in_other_scripts() -> None:
    """Each member of a group finds the others."""
    lists = WordLists(groups=(("POS", "point of sale", "نقطة بيع"),))
    texts = "Our POS", "A point of sale for shops", "في نقطة البيع الجديدة", "points and sales"
    index = index_of_bodies(*texts, analyzer=Analyzer(Vocabulary(lists)))
    for query in ("POS", "the point of sale", "نقطة بيع"):
        assert {"0", "1", "2"} <= set(found(index, query)), query
    assert "3" not in found(index, "POS")


def test_a_synonym_may_be_a_compound() -> None:
    """It is the phrase of its parts."""
    lists = WordLists(groups=(("e-invoicing", "الفوترة الإلكترونية"),))
    texts = "On e-invoicing", "On e invoicing", "عن الفوترة الإلكترونية", "another text"
    index = index_of_bodies(*texts, analyzer=Analyzer(Vocabulary(lists)))
    for query in ("e-invoicing", "فوترة إلكترونية"):
        assert {*found(index, query)} == {"0", "1", "2"}, query


def test_a_group_of_phrases_changes_the_digest_of_the_analysis() -> None:
    """So an index made with other lists is not opened."""
    lists = WordLists(groups=(("POS", "point of sale"),))
    assert Analyzer(Vocabulary(lists)).digest != ANALYZER.digest
    assert Analyzer(Vocabulary(lists)).digest == Analyzer(Vocabulary(lists)).digest


@cases(
    "query",
    [
        pytest.param("", id="nothing"),
        pytest.param("* ? ! ()", id="signs only"),
        pytest.param('"' * 1000, id="a thousand quotes"),
        pytest.param("a" * 400, id="one letter"),
        pytest.param("x\ud800y \x00 \ufdfa ﷽ 👩‍👩‍👧", id="odd Unicode"),
        pytest.param("ـ" * 400, id="tatweel"),
        pytest.param("title:x OR body:(y AND NOT z)~2^3 [a TO b] /.*/", id="operators"),
    ],
)
def test_any_query_is_data(query: str) -> None:
    """Signs and operators mean nothing, and no length or letter is an error."""
    assert INDEX.find(query, READER, 5).hits == ()


@given(st.text(max_size=500))
def test_any_text_is_a_query(text: str) -> None:
    """It is read and answered, whatever it has."""
    INDEX.find(text, READER, 5)


@given(st.text(max_size=2000))
def test_a_long_query_is_cut(text: str) -> None:
    """Nothing is left out of a short one."""
    cut = shortened(text)
    assert len(cut) <= MAX_CHARACTERS
    assert text.startswith(cut)
    assert cut == text or len(text) > MAX_CHARACTERS


@cases(
    ("query", "phrases"),
    [
        ('"shop"', 1),
        (' "shop" «till» ', 2),
        ('"shop"shop', 0),
        ('"shop" "till', 0),
        ('"" ""', 0),
        ('one "some phrase"', 0),
    ],
)
def test_only_a_query_that_is_quoted_as_a_whole_has_phrases(query: str, phrases: int) -> None:
    """An open quotation mark quotes nothing."""
    assert len(read_query(query, ANALYZER).phrases) == phrases


def test_only_some_words_of_a_query_are_read_as_similar_ones() -> None:
    """A query of many unknown words stays fast."""
    index = index_of_bodies("warehouse")
    unknown = [f"{chr(97 + number)}unknown" for number in range(6)]
    assert found(index, " ".join([*unknown[:5], "warehuose"])) == ["0"]
    assert found(index, " ".join([*unknown, "warehuose"])) == []


def test_a_word_of_a_text_is_analysed_once() -> None:
    """Whatever its case, and whatever punctuation stands around it."""
    vocabulary = Vocabulary()
    analysed = Analyzer(vocabulary).text("Stock, (stock) – STOCK! Stock")
    assert (analysed.words, analysed.terms) == (" ".join(["stock"] * 4),) * 2
    assert vocabulary.stems.cache_info()[:2] == (0, 1)


def test_the_words_of_long_work_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """An analyzer forgets, and analyses again."""
    monkeypatch.setattr("indexes.passages.analysis._MOST_TEXTS", 2)
    vocabulary = Vocabulary()
    analyzer = Analyzer(vocabulary)
    for _ in range(2):
        assert analyzer.text("stock price branch till").words == "stock price branch till"
    assert sum(vocabulary.stems.cache_info()[:2]) > 4
