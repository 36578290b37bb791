"""The bases of the blog on disk: a Whoosh index of posts and one of spellings for each language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from whoosh.index import EmptyIndexError, IndexVersionError

from indexes.bases.folder import Progress
from indexes.blog.documents import (
    EXCERPT,
    STEMS,
    TITLE,
    WORDS,
    in_order,
    post_documents,
    spelling_documents,
    spellings_in,
    stored_posts,
)
from indexes.blog.post import Posts, PostText
from indexes.blog.postings import MemoryPostings, WhooshPostings, write_postings
from indexes.blog.segment import Segment, Spellings
from indexes.text.lexicon import Lexicon
from indexes.text.vocabulary import Vocabulary
from knowledge.locales.locale import Language

_VERSION = 2
"""To be raised with each change of what is indexed, so that older bases are not used."""


@dataclass(frozen=True, slots=True)
class Base:
    """The segment of each language, and the version of each post in them."""

    segments: Mapping[Language, Segment]
    versions: Mapping[str, str]


def segment_in_memory(texts: Iterable[PostText], vocabulary: Vocabulary) -> Segment:
    """Return a segment of some texts of one language."""
    ordered = in_order(texts)
    spelt = spellings_in(ordered)
    return Segment(
        [text.post for text in ordered],
        {
            TITLE: Lexicon(text.title for text in ordered),
            EXCERPT: Lexicon(text.excerpt for text in ordered),
        },
        MemoryPostings(post_documents(ordered)),
        Spellings(Lexicon(spelt), MemoryPostings(spelling_documents(spelt, vocabulary))),
    )


class BlogEngine:
    """Writes and opens bases with Whoosh, in the terms of one vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    @property
    def digest(self) -> str:
        """Names software and analysis."""
        return f"{_VERSION} {version('whoosh-reloaded')} {self._vocabulary.fingerprint}"

    def write(self, posts: Posts, folder: Path | None, progress: Progress) -> Base:
        """Write a base to an empty folder, or to memory."""
        segments = {}
        for language, texts in _by_language(posts, progress).items():
            if folder is None:
                segments[language] = segment_in_memory(texts, self._vocabulary)
            else:
                self._write(folder, language, texts)
                segments[language] = _opened(folder, language)
        return Base(segments, dict(posts.versions))

    def _write(self, folder: Path, language: Language, texts: Iterable[PostText]) -> None:
        ordered = in_order(texts)
        write_postings(folder, f"{language}-posts", (TITLE, EXCERPT), post_documents(ordered))
        spelt = spelling_documents(spellings_in(ordered), self._vocabulary)
        write_postings(folder, f"{language}-spellings", (STEMS, WORDS), spelt)

    def open(self, folder: Path, versions: Mapping[str, str]) -> Base:
        """Open the base of these posts; raise OSError or ValueError if it is damaged."""
        try:
            segments = {language: _opened(folder, language) for language in Language}
        except (EmptyIndexError, IndexVersionError) as error:
            raise ValueError(str(error)) from error
        return Base(segments, versions)


def _by_language(posts: Posts, progress: Progress) -> Mapping[Language, list[PostText]]:
    texts: dict[Language, list[PostText]] = {language: [] for language in Language}
    for done, slug in enumerate(posts.versions, start=1):
        for text in posts.texts(slug):
            texts[text.language].append(text)
        progress(done, len(posts.versions))
    return texts


def _opened(folder: Path, language: Language) -> Segment:
    postings = WhooshPostings(folder, f"{language}-posts")
    posts, titles, excerpts = stored_posts(postings.stored)
    spellings = WhooshPostings(folder, f"{language}-spellings")
    return Segment(
        posts,
        {TITLE: Lexicon(titles), EXCERPT: Lexicon(excerpts)},
        postings,
        Spellings(Lexicon(map(str, spellings.stored)), spellings),
    )
