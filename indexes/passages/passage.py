"""What is searched: passages of pages, their visitors, and their fields in tantivy."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from hashlib import blake2b
from itertools import chain, repeat
from operator import mul
from pathlib import Path
from typing import Protocol

from tantivy import Document, Index, Schema, SchemaBuilder, TextAnalyzerBuilder, Tokenizer

from indexes.passages.analysis import Analyzer
from indexes.passages.values import OPENING, value_terms

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = 1_000_000
_MOST_CHARACTERS = 2_000
"""The meaning of a longer text is that of its beginning."""
ALWAYS, NEVER = -(2**62), 2**62
"""The instants before and after all others, in microseconds."""


@dataclass(frozen=True, slots=True)
class SearchPassage:
    """A section of a page, or a part of one, with plain text in all fields.

    `key` is unique in the index, `page` joins the passages of one page. `audience` holds labels of
    the readers who see the passage, such as `sa/ar`; nobody else finds it. A text that different
    readers see at different times is several passages. One that `is_opening` tells what the whole
    page is about.
    """

    key: str
    page: str
    kind: str
    audience: frozenset[str]
    title: str
    headings: tuple[str, ...]
    body: str
    is_opening: bool = False
    published_at: datetime | None = None
    unpublish_at: datetime | None = None

    @property
    def texts(self) -> Sequence[str]:
        """The texts whose meaning is compared with that of a question: body, and headings."""
        return self.body[:_MOST_CHARACTERS], " – ".join((self.title, *self.headings))


def text_name(text: str) -> int:
    """Return a number of 64 bits that names a text."""
    digest = blake2b(text.encode(errors="surrogatepass"), digest_size=8)
    return int.from_bytes(digest.digest())


class Pages(Protocol):
    """All pages to search; `passages` is called only for pages whose version is not yet indexed."""

    @property
    def versions(self) -> Mapping[str, str]:
        """The version of each page: a digest of all that its passages depend on."""

    def passages(self, page: str) -> Sequence[SearchPassage]:
        """Return the passages of a page."""


@dataclass(frozen=True, slots=True)
class SearchScope:
    """Who asks, and when; `kinds` limits the search to pages of these kinds, if there are any.

    `site_names` and `country_names` are those of the site and of its country: a question that has
    one asks about something else. `other_audience` is that of the country's other language.
    """

    audience: str
    now: datetime
    kinds: tuple[str, ...] = ()
    site_names: tuple[str, ...] = ()
    country_names: tuple[str, ...] = ()
    other_audience: str | None = None


def microseconds(instant: datetime | None, otherwise: int) -> int:
    """Return an instant as an integer.

    >>> microseconds(datetime(1970, 1, 2, tzinfo=UTC), ALWAYS)
    86400000000
    """
    if instant is None:
        return otherwise
    elapsed = instant - _EPOCH
    return (elapsed.days * 86_400 + elapsed.seconds) * _MICROSECOND + elapsed.microseconds


FIELD_WEIGHTS = (3, 2, 1)
"""The weights of a term in the title, in the headings and in the body."""

TERMS, WORDS, STORED, TEXTS = "terms", "words", "stored", "texts"
KEY, PAGE, KIND, AUDIENCE = "key", "page", "kind", "audience"
PUBLISHED, UNPUBLISHED = "published", "unpublished"

_BETWEEN_FIELDS = " ¶ "
"""A sign that is no word: no phrase reaches from one field into the next."""
_MEMORY = 32_000_000
_TOKENIZERS = {"spaces": Tokenizer.whitespace, "whole": Tokenizer.raw}


@dataclass(frozen=True, slots=True)
class AnalysedPassage:
    """A passage in the form of the index; the texts are those of title, headings and body.

    `length` is the number of terms, counted with the weights of their fields.
    """

    passage: SearchPassage
    words: tuple[str, ...]
    terms: tuple[str, ...]
    length: int


def analysed(passage: SearchPassage, analyzer: Analyzer) -> AnalysedPassage:
    """Return a passage with its words and terms."""
    fields = passage.title, "\n".join(passage.headings), passage.body
    texts = [analyzer.text(field) for field in fields]
    words, terms = tuple(text.words for text in texts), [text.terms for text in texts]
    counts = [each.count(" ") + 1 if each else 0 for each in terms]
    marks = (*value_terms(passage.body), *([OPENING] if passage.is_opening else []))
    terms[-1] = " ".join((*filter(None, terms[-1:]), *marks))
    return AnalysedPassage(passage, words, tuple(terms), sum(map(mul, FIELD_WEIGHTS, counts)))


def enclosed(term: str) -> str:
    """Return a term with a space on both sides, so that `str.count` counts whole terms."""
    return f" {term} "


@cache
def schema() -> Schema:
    """Return the schema of all segments.

    `terms` has those of the title and of the headings as often as they weigh, so that tantivy's
    own BM25 of this one field is nearly the final BM25F.
    """
    builder = SchemaBuilder()
    builder.add_text_field(TERMS, tokenizer_name="spaces", index_option="freq")
    builder.add_text_field(WORDS, tokenizer_name="spaces", index_option="position")
    builder.add_text_field(TEXTS, tokenizer_name="spaces", index_option="basic")
    builder.add_text_field(AUDIENCE, tokenizer_name="spaces", index_option="basic")
    for name in (KEY, PAGE, KIND):
        builder.add_text_field(name, stored=True, tokenizer_name="whole", index_option="basic")
    builder.add_bytes_field(STORED, stored=True)
    for name in (PUBLISHED, UNPUBLISHED):
        builder.add_integer_field(name, fast=True)
    return builder.build()


def write_index(passages: Iterable[AnalysedPassage], folder: Path | None = None) -> Index:
    """Write passages to a new index in an empty folder, or in memory."""
    return write(map(_document, passages), schema(), folder)


def write(documents: Iterable[Document], schema: Schema, folder: Path | None) -> Index:
    """Write documents to a new index."""
    index = Index(schema, path=str(folder) if folder else None)
    _register(index)
    writer = index.writer(_MEMORY, num_threads=1)
    for document in documents:
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index


def open_index(folder: Path) -> Index:
    """Open the index of a folder; raise ValueError or OSError if there is none."""
    index = Index.open(str(folder))
    _register(index)
    return index


def _register(index: Index) -> None:
    for name, tokenizer in _TOKENIZERS.items():
        index.register_tokenizer(name, TextAnalyzerBuilder(tokenizer()).build())


def _document(analysed: AnalysedPassage) -> Document:
    passage, document = analysed.passage, Document()
    weighted = map(repeat, analysed.terms, FIELD_WEIGHTS)
    document.add_text(TERMS, " ".join(chain.from_iterable(weighted)))
    document.add_text(WORDS, _BETWEEN_FIELDS.join(analysed.words))
    document.add_text(AUDIENCE, " ".join(passage.audience))
    document.add_text(KIND, passage.kind)
    document.add_text(PAGE, passage.page)
    document.add_text(KEY, passage.key)
    # Each term with a space on both sides, so that `enclosed` terms can be counted.
    spaced = (enclosed(terms.replace(" ", "  ")) if terms else "" for terms in analysed.terms)
    texts = " ".join(f"{text_name(text):x}" for text in passage.texts)
    document.add_text(TEXTS, texts)
    document.add_bytes(STORED, "\n".join((texts, str(analysed.length), *spaced)).encode())
    document.add_integer(PUBLISHED, microseconds(passage.published_at, ALWAYS))
    document.add_integer(UNPUBLISHED, microseconds(passage.unpublish_at, NEVER))
    return document
