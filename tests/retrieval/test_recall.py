"""The passage search finds the answers to customers' questions in the sample content."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from retrieval.questions import Question, all_questions
from retrieval.sample_search import SampleSearch

from knowledge.resources.passages import Passage

pytestmark = pytest.mark.slow

LEAST_RECALL = 0.95
FIRST = 5


def test_an_answer_is_among_the_first_five_passages(search: SampleSearch) -> None:
    """For 95 of 100 questions; a passage answers if it is of an answer's page, with its phrase."""
    questions = all_questions()
    found = {each: search.find(each.text, each.locale, FIRST) for each in questions}
    misses = [question for question in questions if not _answered(question, found[question])]
    recall = 1 - len(misses) / len(questions)
    report = "\n".join(_miss(question, found[question]) for question in misses)
    print(f"\nrecall@{FIRST}: {recall:.3f}\n{report}")  # noqa: T201  # shown by `pytest -s`
    assert recall >= LEAST_RECALL, report


def test_every_question_finds_something(search: SampleSearch) -> None:
    """Even if it is not the answer."""
    in_vain = [each.id for each in all_questions() if not search.find(each.text, each.locale, 1)]
    assert in_vain == []


def _answered(question: Question, passages: Sequence[Passage]) -> bool:
    return any(
        passage.page.path == answer.path and answer.contains in passage.text
        for passage in passages
        for answer in question.answers
    )


def _miss(question: Question, passages: Sequence[Passage]) -> str:
    wanted = [f"  wanted {answer.path} · {answer.heading}" for answer in question.answers]
    got = [f"  got {each.page.path} · {' · '.join(each.headings)}" for each in passages]
    return "\n".join((f"{question.id} ({question.form}): {question.text}", *wanted, *got))
