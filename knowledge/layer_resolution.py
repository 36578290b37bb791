"""Resolution: merges the layers of a document for the readers of one locale. Pure functions.

Absent or null values inherit, `""` and `[]` override, mappings merge key by key, lists and scalars
replace. Texts are mappings by language, so layers and languages merge in the same way. A layer
with `published: false` hides the document in all places to which it applies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, reduce
from typing import Any

from knowledge.content_type import AnyContentType
from knowledge.documents import Document, Metadata
from knowledge.layers import Scope
from knowledge.locale import Country, Language, Locale
from knowledge.memoize import document_cache
from knowledge.schemas import Common

_CONTROL = frozenset(
    {
        "countries",
        "dated",
        "id",
        "lang",
        "published",
        "published_at",
        "slug",
        "unpublish_at",
        "updated_at",
    }
)
_VISIBILITY = ("countries", "country_code", "dated", "published_at", "unpublish_at")
_LANGUAGES = frozenset(map(str, Language))
_COUNTRIES = frozenset(Country)
_MAX_CACHED = 4_096
"""Resolved documents to cache: enough for those that many pages share."""


@dataclass(frozen=True, eq=False, slots=True)
class Entry:
    """All layers of one document, from general to specific."""

    kind: AnyContentType
    slug: str
    documents: tuple[Document, ...]

    @property
    def path(self) -> str:
        """Return the file path of the most general layer."""
        return self.documents[0].path

    @property
    def identity(self) -> str:
        """Return an identifier that is the same in all locales, such as `registry/erp`."""
        return f"{self.kind}/{self.slug}"

    def covering(self, country: Country, city: str | None = None) -> tuple[Document, ...]:
        """Return the layers that apply to a country and city, in any language."""
        return tuple(
            document for document in self.documents if document.layer.covers(country, city)
        )


@dataclass(frozen=True, eq=False)
class Resolved:
    """A document resolved for `locale`; `language` is the language of its main text."""

    entry: Entry
    locale: Locale
    city: str | None
    language: Language
    documents: tuple[Document, ...]
    metadata: Metadata

    @cached_property
    def fields(self) -> Common:
        """Return the merged front matter as a model."""
        return self.entry.kind.model_for(self.entry.slug).model_validate(self.metadata)

    @property
    def id(self) -> str:
        """Return the id from front matter, else one of content type and slug."""
        return str(self.metadata.get("id") or f"{self.entry.kind.singular}-{self.entry.slug}")

    @property
    def updated_at(self) -> datetime | None:
        """Return the newest `updatedAt` of its layers; file system times are never used."""
        layers = (each for each in self.documents if each.layer.matches_language(self.language))
        moments = (document.metadata.get("updated_at") for document in layers)
        return max((moment for moment in moments if moment), default=self.published_at)

    @property
    def published_at(self) -> datetime | None:
        """Return the publication date from front matter, else from the file name."""
        moment: datetime | None = self.metadata.get("published_at", self.metadata.get("dated"))
        return moment

    def text(self, name: str) -> str | None:
        """Return a top-level text, chosen as by `pick`."""
        return self.pick(self.metadata.get(name))

    def pick(self, text: Mapping[str, str] | None) -> str | None:
        """Return a text in the reader's language, else in the other one if fallback is allowed."""
        if not text:
            return None
        language = self.locale.language
        if not self.entry.kind.falls_back:
            return text.get(language)
        return text.get(language, text.get(language.other))

    def spoken(self, text: Mapping[str, str] | None) -> str | None:
        """Return a text in the language of the main text, never in the other one."""
        return text.get(self.language) if text else None

    @property
    def bodies(self) -> tuple[Document, ...]:
        """Return the layers whose body is in the served language, from general to specific."""
        return tuple(
            document
            for document in self.documents
            if document.has_body and document.language is self.language
        )


def deep_merge(base: Any, top: Any) -> Any:
    """Merge a layer on top of another; mappings merge recursively.

    >>> deep_merge({"a": {"x": 1, "y": [1]}, "b": 1}, {"a": {"y": []}, "b": None})
    {'a': {'x': 1, 'y': []}, 'b': 1}
    """
    if top is None:
        return base
    if isinstance(base, dict) and isinstance(top, dict):
        merged = dict(base)
        for key, value in top.items():
            merged[key] = deep_merge(merged.get(key), value)
        return merged
    return top


def merge_layers(trees: Iterable[Metadata]) -> dict[str, Any]:
    """Merge layers given from general to specific."""
    return reduce(deep_merge, trees, {})


@dataclass(frozen=True, slots=True)
class Visibility:
    """Whether and when a document is published in a locale."""

    hidden: bool
    published_at: datetime | None
    unpublish_at: datetime | None

    def at(self, now: datetime) -> bool:
        """Return whether the document is visible at that instant."""
        return not self.hidden and is_published_at(self.published_at, self.unpublish_at, now)


def visibility(documents: Iterable[Document], country: Country, language: Language) -> Visibility:
    """Return the visibility in a locale; all `documents` must apply to its country."""
    layers = [each.metadata for each in documents if each.layer.matches_language(language)]
    control = last_values(layers, _VISIBILITY)
    hidden = (
        any(metadata.get("published") is False for metadata in layers)
        or country not in control.get("countries", _COUNTRIES)
        or control.get("country_code", country) is not country
    )
    published_at = control.get("published_at", control.get("dated"))
    return Visibility(hidden, published_at, control.get("unpublish_at"))


def is_published_at(
    published_at: datetime | None, unpublish_at: datetime | None, now: datetime
) -> bool:
    """Return whether `publishedAt <= now < unpublishAt`; None means unbounded."""
    return (published_at is None or published_at <= now) and (
        unpublish_at is None or now < unpublish_at
    )


def last_values(layers: Sequence[Metadata], names: Iterable[str]) -> Metadata:
    """Return the last value of each field; valid only for fields that are not mappings."""
    if len(layers) == 1:
        return layers[0]
    return {name: layer[name] for name in names for layer in layers if name in layer}


def has_language(documents: Iterable[Document], language: Language) -> bool:
    """Return whether the main text exists in a language: the body, or any text without bodies."""
    documents = tuple(documents)
    if any(document.has_body for document in documents):
        return any(document.has_body and document.language is language for document in documents)
    return any(
        language in text
        for document in documents
        if document.layer.matches_language(language)
        for name, value in document.metadata.items()
        if name != "seo"
        for text in _texts(value)
    )


def resolve(
    entry: Entry, locale: Locale, now: datetime, city: str | None = None
) -> Resolved | None:
    """Return a document resolved for a locale at one instant, or None if it is not visible.

    The parts that do not depend on the instant are cached, because menus, links and alternates of
    a page resolve the same few documents repeatedly.
    """
    availability = _availability(entry, locale, city)
    return (
        _resolved(entry, locale, city, availability.may_fall_back(now))
        if availability.at(now)
        else None
    )


def resolve_uncached(
    entry: Entry, locale: Locale, now: datetime, city: str | None = None
) -> Resolved | None:
    """Resolve without the caches, so that a pass over all documents does not evict entries."""
    availability = _availability.__wrapped__(entry, locale, city)
    if not availability.at(now):
        return None
    return _resolved.__wrapped__(entry, locale, city, availability.may_fall_back(now))


@dataclass(frozen=True, slots=True)
class _Availability:
    """The visibility in the requested language and, if fallback is allowed, in the other one."""

    requested: Visibility
    other: Visibility | None

    def at(self, now: datetime) -> bool:
        """Return whether the document is visible at that instant."""
        return self.requested.at(now)

    def may_fall_back(self, now: datetime) -> bool:
        """Return whether the other language is a possible fallback at that instant."""
        return self.other is not None and self.other.at(now)


@document_cache(_MAX_CACHED)
def _availability(entry: Entry, locale: Locale, city: str | None) -> _Availability:
    documents = entry.covering(locale.country, city)
    requested = visibility(documents, locale.country, locale.language)
    if not entry.kind.falls_back:
        return _Availability(requested, None)
    return _Availability(requested, visibility(documents, locale.country, locale.language.other))


@document_cache(_MAX_CACHED)
def _resolved(
    entry: Entry, locale: Locale, city: str | None, may_fall_back: bool
) -> Resolved | None:
    requested = locale.language
    languages = (requested, requested.other) if may_fall_back else (requested,)
    usable = tuple(
        document
        for document in entry.covering(locale.country, city)
        if any(document.layer.matches_language(language) for language in languages)
    )
    available = (language for language in languages if has_language(usable, language))
    language = next(available, None)
    if language is None:
        return None
    metadata = merge_layers(_contribution(document, language) for document in usable)
    return Resolved(entry, locale, city, language, usable, metadata)


def _contribution(document: Document, language: Language) -> Metadata:
    """Return a layer's metadata, but only its texts if the layer is in the other language."""
    if document.layer.matches_language(language):
        return document.metadata
    return _only_texts(document.metadata, document.language)


def _only_texts(tree: Mapping[str, Any], language: Language) -> dict[str, Any]:
    """Return only the texts in one language, at their keys, without empty mappings."""
    if is_text(tree):
        return {key: text for key, text in tree.items() if key == language}
    subtrees = {
        key: _only_texts(value, language) for key, value in tree.items() if isinstance(value, dict)
    }
    return {key: subtree for key, subtree in subtrees.items() if subtree}


def is_text(value: Any) -> bool:
    """Return whether a front matter value is a text by language."""
    return isinstance(value, dict) and not _LANGUAGES.isdisjoint(value)


def _texts(value: Any) -> Iterator[Mapping[str, str]]:
    """Yield all texts in a value, including those in lists."""
    if isinstance(value, dict):
        if is_text(value):
            yield value
        else:
            for child in value.values():
                yield from _texts(child)
    elif isinstance(value, list):
        for child in value:
            yield from _texts(child)


@dataclass(frozen=True, slots=True)
class Provenance:
    """The scopes and languages that contributed to a resolved document."""

    scopes: frozenset[Scope]
    other_language: bool

    @property
    def resolved_from(self) -> Scope:
        """Return the most specific scope that contributed a value."""
        return max(self.scopes, default=Scope.GLOBAL)

    @property
    def inherited(self) -> bool:
        """Return whether a more general scope contributed as well."""
        return len(self.scopes) > 1


def provenance(resolved: Resolved, section_scopes: Iterable[Scope]) -> Provenance:
    """Return the provenance: the layers are merged again, with scopes in place of values."""
    trees = (
        _scopes(_contribution(document, resolved.language), document.layer.scope)
        for document in resolved.documents
    )
    content = {name: tree for name, tree in merge_layers(trees).items() if name not in _CONTROL}
    language = resolved.locale.language
    scopes = set(section_scopes) | {scope for scope, _ in _used(content, language)}
    visible = {name: tree for name, tree in content.items() if name != "seo"}
    other = any(used is language.other for _, used in _used(visible, language))
    return Provenance(frozenset(scopes), other or resolved.language is not language)


def _scopes(tree: Any, scope: Scope) -> Any:
    if isinstance(tree, dict):
        return {key: _scopes(value, scope) for key, value in tree.items()}
    return None if tree is None else scope


def _used(tree: Any, language: Language) -> Iterator[tuple[Scope, Language | None]]:
    """Yield the scope of each value that a reader sees, and the language of a text."""
    if isinstance(tree, Scope):
        yield tree, None
    elif is_text(tree):
        used = language if language in tree else language.other
        yield tree[used], used
    elif isinstance(tree, dict):
        for child in tree.values():
            yield from _used(child, language)
