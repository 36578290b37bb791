"""The questions on the sample content are sound: each answer stands where the question says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product

import pytest
from cases import cases
from contract.visitor import Reply, Visitor
from retrieval.questions import COUNTRIES, FORMS, LANGUAGES, Question, all_questions

from indexes.text.analysis import words
from indexes.text.words import fold

QUESTIONS = all_questions()
PATHS = sorted({answer.path for question in QUESTIONS for answer in question.answers})

Markdown = Callable[[str], Reply]
"""Returns a page of the sample as markdown, by path."""


@pytest.fixture(scope="module")
def markdown(sample: Visitor) -> Markdown:
    """Return the pages of the sample as markdown; each is requested once."""
    return cache(lambda path: sample.get(path, {"Accept": "text/markdown"}))


def sections(text: str) -> Iterator[tuple[str, str]]:
    """Yield each heading of a markdown page with the text up to the next heading."""
    _, _, body = text.removeprefix("---\n").partition("\n---\n")
    prose = re.sub(r"(?ms)^```.*?^```$", _without_headings, body)
    for part in re.split(r"(?m)^(?=#{1,6} )", prose)[1:]:
        heading, _, section = part.partition("\n")
        yield heading.lstrip("#").strip(), section


def _without_headings(fence: re.Match[str]) -> str:
    return fence[0].replace("\n#", "\n #")


def plain(text: str) -> str:
    """Return a text without what two copies of one sentence may differ in."""
    return " ".join(words(fold(text)))


def test_languages_and_countries_have_equal_shares() -> None:
    """Each language has 60 questions, ten from every country."""
    shares = Counter((question.lang, question.country) for question in QUESTIONS)
    assert shares == dict.fromkeys(product(LANGUAGES, COUNTRIES), 10)


def test_every_form_of_a_question_occurs() -> None:
    """The files use the documented forms and no other."""
    assert {question.form for question in QUESTIONS} == set(FORMS)


def test_ids_and_texts_are_unique() -> None:
    """An id names the locale of its question and belongs to no other; no text is asked twice."""
    assert len({question.id for question in QUESTIONS}) == len(QUESTIONS)
    assert len({plain(question.text) for question in QUESTIONS}) == len(QUESTIONS)
    for question in QUESTIONS:
        assert question.id.startswith(f"{question.lang}-{question.country}-")


@cases("question", QUESTIONS)
def test_the_answers_stand_where_the_question_says(question: Question, markdown: Markdown) -> None:
    """Each answer is on a page of the question's locale, under its heading, word for word."""
    assert question.answers
    assert len(set(question.answers)) == len(question.answers)
    for answer in question.answers:
        assert f"{answer.path}/".startswith(f"{question.locale.path}/")
        reply = markdown(answer.path)
        assert reply.status == 200
        assert reply.headers["Content-Type"].startswith("text/markdown")
        assert reply.headers["Content-Language"] == question.lang
        found = [text for heading, text in sections(reply.text) if heading == answer.heading]
        assert found, answer
        assert any(answer.contains in text for text in found), answer


def test_no_question_is_a_sentence_of_the_content(markdown: Markdown) -> None:
    """No question is a heading or part of a paragraph of any page that answers one."""
    content = " | ".join(plain(line) for path in PATHS for line in markdown(path).text.splitlines())
    copied = [question.id for question in QUESTIONS if plain(question.text) in content]
    assert copied == []
