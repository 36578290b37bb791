"""Search, compared with SQLite FTS5 (trigram) and tantivy on the same texts and queries."""

from __future__ import annotations

import os
import sqlite3
import tracemalloc
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter

import tantivy
from benchmarks.figures import Figure
from benchmarks.search_texts import Corpus
from blog_index import FixedPosts
from gulf import DEFAULT_LOCALE
from whoosh.fields import TEXT, Schema
from whoosh.filedb.filestore import RamStorage

from indexes.bases import IndexFolder
from indexes.blog.index import BlogEngine, BlogIndex, PostBase
from indexes.blog.segment import PostText
from indexes.text.words import Vocabulary

METHOD = (
    "In one process, on the same generated texts and queries. The ratio is to the first row of "
    "the same kind."
)
_QUERIES = 120

Search = Callable[[str], object]


def measure(count: int) -> list[Figure]:
    """Measure `count` posts: building the index, its memory, an edit, and queries."""
    corpus = Corpus(count)
    queries = list(dict.fromkeys(corpus.queries(_QUERIES)))
    what = f"search, {count:,} posts"
    plain = _seconds(lambda: _plain_whoosh(corpus.texts))
    database = _fts5(corpus.texts)
    searcher = _tantivy(corpus.texts)
    with TemporaryDirectory() as name:
        folder, posts = _folder(name), corpus.posts
        made = _seconds(lambda: folder.make(posts))
        base, megabytes = _weighed(lambda: folder.open(posts))
        opened = _seconds(lambda: folder.open(posts))
    index = BlogIndex(base, Vocabulary()).updated(posts)
    index.find(DEFAULT_LOCALE, "warm")
    edited = FixedPosts([*corpus.texts[:-1], corpus.texts[-1]._replace(title="uniquely edited")])
    edit = _seconds(lambda: _find_edit(index, edited))
    rows = [
        Figure(what, "Whoosh, plain index of two fields: build", plain * 1e3, "ms", 1.0),
        Figure(what, "Majlis: build the index", made * 1e3, "ms", made / plain),
        Figure(
            what, "Majlis: open the index, as a restart does", opened * 1e3, "ms", opened / plain
        ),
        Figure(what, "Majlis: memory, with the texts", megabytes, "MB", 1.0),
        Figure(what, "Majlis: one edit, until search finds it", edit * 1e3, "ms", edit / plain),
    ]
    fts5 = _times(lambda query: _ask_fts5(database, query), queries)
    others = {
        "SQLite FTS5, trigram": fts5,
        "tantivy, whole words": _times(lambda query: _ask_tantivy(searcher, query), queries),
        "Majlis, cold": _times(lambda query: index.find(DEFAULT_LOCALE, query), queries),
        "Majlis, repeated": _times(lambda query: index.find(DEFAULT_LOCALE, query), queries),
    }
    for name, times in others.items():
        for figure, of in (("p50", median), ("p99", _p99)):
            rows.append(
                Figure(what, f"{name}: {figure}", of(times) * 1e6, "µs", of(times) / of(fts5))
            )
    return rows


def _p99(times: Sequence[float]) -> float:
    return quantiles(times, n=100)[98]


def _seconds(measured: Callable[[], object]) -> float:
    started = perf_counter()
    measured()
    return perf_counter() - started


def _times(search: Search, queries: Sequence[str]) -> list[float]:
    return [_seconds(partial(search, query)) for query in queries]


def _folder(name: str) -> IndexFolder[FixedPosts, PostBase]:
    return IndexFolder(Path(name), BlogEngine(Vocabulary()))


def _weighed(opened: Callable[[], PostBase | None]) -> tuple[PostBase, float]:
    tracemalloc.start()
    base = opened()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    if base is None:
        raise RuntimeError("The index was not opened.")
    return base, size / 1e6


def _find_edit(index: BlogIndex, edited: FixedPosts) -> None:
    """Update the index, as a reload does, and search for the edit."""
    if len(index.updated(edited).find(DEFAULT_LOCALE, "uniquely")) != 1:
        raise RuntimeError("The search did not find the edit.")


def _plain_whoosh(texts: Sequence[PostText]) -> None:
    # Whoosh names its temporary files after the index; the name must differ by process.
    name = f"plain{os.getpid()}"
    index = RamStorage().create_index(Schema(title=TEXT, excerpt=TEXT), indexname=name)
    with index.writer() as writer:
        for text in texts:
            writer.add_document(title=text.title, excerpt=text.excerpt)


def _fts5(texts: Sequence[PostText]) -> sqlite3.Connection:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE posts USING fts5(title, excerpt, tokenize = trigram)")
    rows = [(text.title, text.excerpt) for text in texts]
    database.executemany("INSERT INTO posts VALUES (?, ?)", rows)
    return database


def _ask_fts5(database: sqlite3.Connection, query: str) -> object:
    """Return all matches, best first: Majlis counts them too."""
    match = " AND ".join(f'"{term}"' for term in query.split())
    statement = "SELECT rowid FROM posts WHERE posts MATCH ? ORDER BY bm25(posts, 3.0, 1.0)"
    return database.execute(statement, (match,)).fetchall()


def _tantivy(texts: Sequence[PostText]) -> tuple[tantivy.Index, tantivy.Searcher]:
    builder = tantivy.SchemaBuilder()
    for field in ("title", "excerpt"):
        builder.add_text_field(field, tokenizer_name="en_stem")
    index = tantivy.Index(builder.build())
    writer = index.writer()
    for text in texts:
        writer.add_document(tantivy.Document(title=text.title, excerpt=text.excerpt))
    writer.commit()
    index.reload()
    return index, index.searcher()


def _ask_tantivy(opened: tuple[tantivy.Index, tantivy.Searcher], query: str) -> object:
    index, searcher = opened
    parsed = index.parse_query(" AND ".join(query.split()), ["title", "excerpt"])
    return searcher.search(parsed, limit=100_000).hits
