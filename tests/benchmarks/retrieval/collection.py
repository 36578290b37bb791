"""A judged collection: documents, questions and which documents answer them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from indexes.passages.passage import SearchPassage

AUDIENCE = "ae/en"


@dataclass(frozen=True)
class Collection:
    """The JSON of one collection; its documents are pages, or sections of the page `article`."""

    name: str
    language: str
    documents: Mapping[str, Mapping[str, str]]
    questions: Mapping[str, str]
    grades: Mapping[str, Mapping[str, int]]
    answers: Mapping[str, Sequence[str]]
    articles: Mapping[str, str]
    foreign: Sequence[str]

    def page(self, document: str) -> str:
        """Return the page of a document."""
        return str(self.documents[document].get("article", document))

    def article(self, document: str) -> str:
        """Return the article of a document, also where each is a page of its own."""
        return self.articles.get(document, document)

    @cached_property
    def versions(self) -> Mapping[str, str]:
        """The pages, as the index wants them."""
        return dict.fromkeys(map(self.page, self.documents), "1")

    @cached_property
    def _by_page(self) -> Mapping[str, list[SearchPassage]]:
        pages: dict[str, list[SearchPassage]] = {page: [] for page in self.versions}
        for key, document in self.documents.items():
            page, title, text = self.page(key), document["title"], document["text"]
            passage = SearchPassage(key, page, "page", frozenset({AUDIENCE}), title, (), text)
            pages[page].append(passage)
        return pages

    def passages(self, page: str) -> Sequence[SearchPassage]:
        """Return the documents of a page as its passages."""
        return self._by_page[page]


def read_collection(path: Path, sections: bool) -> Collection:
    """Read a collection; without `sections`, each document is a page of its own."""
    read = json.loads(path.read_text(encoding="utf-8"))
    documents = {document["id"]: document for document in read["docs"]}
    articles = {key: each["article"] for key, each in documents.items() if "article" in each}
    if not sections:
        documents = {
            key: {"title": document["title"], "text": document["text"]}
            for key, document in documents.items()
        }
    questions = {question["id"]: question["text"] for question in read["queries"]}
    answers = read.get("answers") or {}
    foreign = read.get("foreign") or []
    return Collection(
        read["name"], read["lang"], documents, questions, read["qrels"], answers, articles, foreign
    )
