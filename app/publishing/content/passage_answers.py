"""Answers to questions: the passages that fit best."""

from __future__ import annotations

from itertools import islice

from app.publishing.content.passage_finder import PassageFinder
from app.publishing.content.passage_index import EditionPassages
from knowledge.resources.answers import Answers, Question, answers
from knowledge.views.content_view import ContentView

_SPARE = 2
"""More passages are asked for than shown: some may not be those of the pages any more."""


def answers_to(
    passages: EditionPassages | None, view: ContentView, question: Question, kinds: tuple[str, ...]
) -> Answers:
    """Return the passages that fit a question; raises SearchBeingPrepared without an index."""
    finder = PassageFinder.of(passages, view)
    result = finder.find(question.text, _SPARE * question.limit, kinds)
    shown = list(islice(filter(None, map(finder.passage, result.hits)), question.limit))
    suggestion = None if shown else finder.suggestion(question.text, result)
    return answers(view, question, shown, suggestion)
