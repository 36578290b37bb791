"""The documents of an index of posts: the posts of one language, and the spellings in them.

A spelling is a part of a text between white space. Of the posts only the spellings are indexed; a
second set of documents has the stems and words of each spelling.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from indexes.blog.post import Post, PostText
from indexes.blog.postings import Document
from indexes.text.analysis import spellings, stems, words
from indexes.text.vocabulary import Vocabulary
from knowledge.locales.locale import Country

TITLE, EXCERPT = "title", "excerpt"
STEMS, WORDS = "stems", "words"

StoredPost = tuple[str, str, float, str, str]
"""Slug, countries, time of publication, title and excerpt of a post."""


def in_order(texts: Iterable[PostText]) -> list[PostText]:
    """Return texts in the order of their numbers in an index: newest first."""
    return sorted(texts, key=lambda text: text.post.order)


def post_documents(texts: Iterable[PostText]) -> Iterator[Document]:
    """Yield the documents of texts."""
    for text in texts:
        searched = {
            TITLE: " ".join(spellings(text.title)),
            EXCERPT: " ".join(spellings(text.excerpt)),
        }
        post = text.post
        countries = ",".join(sorted(country or "" for country in post.countries))
        yield Document(searched, (post.slug, countries, post.published, text.title, text.excerpt))


@cache
def _countries(names: str) -> frozenset[Country | None]:
    """Return the countries of a stored document; one object for equal ones."""
    return frozenset(Country(name) if name else None for name in names.split(","))


def stored_posts(stored: Iterable[StoredPost]) -> tuple[list[Post], Sequence[str], Sequence[str]]:
    """Return the posts, titles and excerpts of stored documents."""
    slugs, names, published, titles, excerpts = tuple(zip(*stored, strict=True)) or ((),) * 5
    posts = [*map(Post, slugs, map(_countries, names), published)]
    return posts, titles, excerpts


def spellings_in(texts: Iterable[PostText]) -> Sequence[str]:
    """Return all spellings of texts."""
    found: set[str] = set()
    for text in texts:
        found.update(spellings(text.title))
        found.update(spellings(text.excerpt))
    return sorted(found)


def spelling_documents(spelt: Iterable[str], vocabulary: Vocabulary) -> Iterator[Document]:
    """Yield the documents of spellings."""
    for spelling in spelt:
        terms = {STEMS: " ".join(stems(spelling, vocabulary)), WORDS: " ".join(words(spelling))}
        yield Document(terms, spelling)
