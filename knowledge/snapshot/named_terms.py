"""Named terms: categories, tags and authors that posts name, and that no document describes.

Each becomes an entry with a text in every language in which a post names it, so that it has a page
like those of files.

A file `authors.yml` beside the posts, or `_data/authors.yml`, has a block of details by key.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, repeat
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from knowledge.diagnostics.diagnostic import ContentFileError, Diagnostic, DiagnosticKind
from knowledge.diagnostics.messages import Text
from knowledge.documents.document import Document
from knowledge.documents.files import FileFingerprint, fingerprint_of, read_document
from knowledge.edits import changed_keys
from knowledge.fields import yaml
from knowledge.fields.blog_fields import Author, AuthorFields, CategoryFields, PostFields
from knowledge.fields.content_types import AUTHOR, CATEGORY, POST, TAG, AnyContentType
from knowledge.fields.field_types import ValidationContext
from knowledge.locales.locale import Language, Layer, localized_text
from knowledge.markdown.slugs import slugify, term_slug
from knowledge.snapshot.layer_resolution import Entry


class NamedTerm(NamedTuple):
    """A category, tag or author, as a post names it in one language."""

    kind: AnyContentType
    slug: str
    language: Language
    name: str


Authors = Mapping[str, Author]
"""Authors by the keys with which posts name them."""

Terms = Mapping[AnyContentType, Mapping[str, Entry]]
"""The entries of terms, by type and slug."""


class NamedTerms(NamedTuple):
    """The terms that posts name; the next ones are built from them."""

    posts: Mapping[str, Entry[PostFields]]
    by_post: Mapping[str, tuple[NamedTerm, ...]]
    entries: Terms
    authors: Authors


NO_TERMS = NamedTerms({}, {}, {}, {})


def named_terms(
    posts: Mapping[str, Entry[PostFields]], authors: Authors, before: NamedTerms = NO_TERMS
) -> NamedTerms:
    """Return the terms of posts, given by slug in the order of slugs.

    Of several spellings, that of the first post counts.
    """
    known = before.posts if before.authors is authors else {}
    changed = changed_keys(known, posts)
    by_post = {
        slug: _terms(post, authors) if slug in changed else before.by_post[slug]
        for slug, post in posts.items()
    }
    names: dict[AnyContentType, dict[str, dict[str, str]]] = {CATEGORY: {}, TAG: {}, AUTHOR: {}}
    for kind, slug, language, name in _distinct(by_post.values()):
        names[kind].setdefault(slug, {}).setdefault(language.value, name)
    entries = {
        kind: {
            slug: _entry(kind, slug, texts, before.entries.get(kind, {}).get(slug))
            for slug, texts in by_slug.items()
        }
        for kind, by_slug in names.items()
    }
    return NamedTerms(posts, by_post, entries, authors)


def with_files(named: Mapping[str, Entry], files: Mapping[str, Entry]) -> Mapping[str, Entry]:
    """Return all terms of a type by slug; a file describes a term in place of its name."""
    if named.keys() <= files.keys():
        return files
    merged = {**named, **files}
    return {slug: merged[slug] for slug in sorted(merged)}


def _distinct(by_post: Iterable[Iterable[NamedTerm]]) -> Iterable[NamedTerm]:
    """Return the terms in their order, each object once, as thousands of posts share a few."""
    terms = [*chain.from_iterable(by_post)]
    return dict(zip(map(id, terms), terms, strict=True)).values()


def _terms(post: Entry[PostFields], authors: Authors) -> tuple[NamedTerm, ...]:
    languages = dict.fromkeys([document.language for document in post.documents])
    terms: list[NamedTerm | None] = []
    for document in post.documents:
        own, fields = document.layer.language, document.fields
        for language in (own,) if own else languages:
            terms += map(_category, fields.all_categories, repeat(language))
            terms += map(_tag, fields.tags or (), repeat(language))
            terms += [_author(author, language, authors) for author in fields.authors or ()]
    return tuple(filter(None, terms))


def _author(author: Author, language: Language, authors: Authors) -> NamedTerm | None:
    slug, name = author_slug(author), listed_author(author, authors).name
    return NamedTerm(AUTHOR, slug, language, localized_text(name, language)) if slug else None


_EVERYWHERE = Layer(None, None, None)
_MAX_SLUGS = 8_192
"""Names whose slugs are kept: thousands of posts name the same few."""


@lru_cache(_MAX_SLUGS)
def _category(name: str, language: Language) -> NamedTerm | None:
    """Return a category; equal ones are one object, to save memory."""
    slug = category_slug(name)
    return NamedTerm(CATEGORY, slug, language, name) if slug else None


@lru_cache(_MAX_SLUGS)
def _tag(name: str, language: Language) -> NamedTerm | None:
    """Return a tag; equal ones are one object, to save memory."""
    slug = tag_slug(name)
    return NamedTerm(TAG, slug, language, name.lstrip("#")) if slug else None


@lru_cache(_MAX_SLUGS)
def category_slug(category: str) -> str:
    """Return the slug of a category or series."""
    return term_slug(category)


@lru_cache(_MAX_SLUGS)
def tag_slug(tag: str) -> str:
    """Return the slug of a tag; those of programming languages stay apart.

    >>> tag_slug("#VAT"), tag_slug("C++"), tag_slug("C#"), tag_slug("ضريبة القيمة")
    ('vat', 'c-plus-plus', 'c-sharp', 'ضريبة-القيمة')
    """
    return slugify(tag.lstrip("#").replace("+", " plus ").replace("#", " sharp "))


_author_slug = lru_cache(_MAX_SLUGS)(slugify)


def author_slug(author: Author) -> str:
    """Return the slug of an author: that of the key or name in English, else in Arabic."""
    return _author_slug(localized_text(author.name, Language.EN))


def listed_author(author: Author, authors: Authors) -> Author:
    """Return the author of whom a post names only the key in a list of authors."""
    key = next(iter(author.name.values()), "")
    return author if author.url else authors.get(key, author)


def _entry(
    kind: AnyContentType, slug: str, names: Mapping[str, str], before: Entry | None
) -> Entry:
    """Return the entry of a term; the previous one if its names are the same."""
    if before is not None and before.documents[0].fields.short_title == names:
        return before
    model = AuthorFields if kind is AUTHOR else CategoryFields
    fields = model(name=dict(names))
    language = Language(next(iter(names)))
    document = Document(
        path=f"{kind}/{slug}",
        kind=kind,
        slug=slug,
        name=slug,
        chosen_slug=None,
        layer=_EVERYWHERE,
        language=language,
        fields=fields,
        compressed_body=b"",
        body_line=1,
        states_language=True,
        other_language=None,
        languages=frozenset(map(Language, names)),
        letters=(0, 0),
        digest=blake2b(repr(sorted(names.items())).encode(), digest_size=8).digest(),
        is_named_only=True,
    )
    return Entry(kind, slug, (document,))


AUTHOR_FILES = (f"{POST}/authors.yml", f"{POST}/authors.yaml", "_data/authors.yml")


@dataclass(frozen=True, eq=False, slots=True)
class AuthorList:
    """The authors of one version of a file; a broken file has none."""

    path: str = ""
    fingerprint: FileFingerprint | None = None
    authors: Authors = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()


NO_AUTHORS = AuthorList()


def load_authors(root: Path, before: AuthorList = NO_AUTHORS) -> AuthorList:
    """Return the list of the first file that there is; the previous one if it did not change."""
    for path in AUTHOR_FILES:
        fingerprint = fingerprint_of(root, path)
        if fingerprint is None:
            continue
        if (before.path, before.fingerprint) == (path, fingerprint):
            return before
        return AuthorList(path, fingerprint, *_read_authors(root, path))
    return NO_AUTHORS


def _read_authors(root: Path, path: str) -> tuple[Authors, tuple[Diagnostic, ...]]:
    try:
        listed = yaml.load(read_document(root, path).text)
    except ContentFileError as broken:
        return {}, tuple(diagnostic.as_warning() for diagnostic in broken.diagnostics)
    except yaml.YamlError as error:
        return {}, (_warning(path, Text("Invalid YAML: {}.", error)),)
    if not isinstance(listed, dict):
        return {}, (_warning(path, Text("The file is not a mapping of keys to authors.")),)
    found = {key: _author_details(key, value) for key, value in listed.items()}
    problems = tuple(
        _warning(path, Text("The author “{}” is invalid.", key))
        for key, author in found.items()
        if author is None
    )
    return {key: author for key, author in found.items() if author is not None}, problems


def _author_details(key: str, details: object) -> Author | None:
    if not isinstance(details, dict):
        return None
    entry = {"name": key, **details}
    try:
        fields = PostFields.parse({"authors": [entry]}, ValidationContext(Language.EN))
    except ValidationError:
        return None
    return next(iter(fields.authors or ()), None)


def _warning(path: str, message: Text) -> Diagnostic:
    suggestion = Text("Write a key, and below it name, url, title and image.")
    return DiagnosticKind.INVALID_AUTHORS.warning(path, message, suggestion)
