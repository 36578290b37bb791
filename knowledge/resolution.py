"""Resolution: the layers of a document folded into what one reader sees. Pure functions.

Absent or null inherits, `""` and `[]` override, mappings merge key by key, lists and scalars
replace. Texts are mappings by language, so one fold serves layers and languages alike.
A layer with `published: false` hides all that it covers and never falls through.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, reduce
from typing import Any

from knowledge.content_path import ContentType
from knowledge.documents import Document, Metadata
from knowledge.layers import Scope
from knowledge.locale import Country, Language, Locale
from knowledge.memoize import document_cache
from knowledge.schemas import Common, schema

STRICT_KINDS = frozenset({ContentType.POST, ContentType.CATEGORY, ContentType.TESTIMONIAL})
"""Kinds that never fall back to the other language: lists hold only what speaks it."""

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
"""Documents as one locale sees them: enough for all that many pages have in common."""


@dataclass(frozen=True, eq=False, slots=True)
class Entry:
    """All layers of one document, from broad to particular."""

    kind: ContentType
    slug: str
    documents: tuple[Document, ...]

    @property
    def path(self) -> str:
        """The file of its broadest layer."""
        return self.documents[0].path

    @property
    def identity(self) -> str:
        """The same in every locale: `registry/erp`."""
        return f"{self.kind}/{self.slug}"

    def covering(self, country: Country, city: str | None = None) -> tuple[Document, ...]:
        """The layers that speak to readers there, in whatever language."""
        return tuple(each for each in self.documents if each.layer.covers(country, city))


@dataclass(frozen=True, eq=False)
class Resolved:
    """One document as readers of `locale` see it; `language` is that of its main text."""

    entry: Entry
    locale: Locale
    city: str | None
    language: Language
    documents: tuple[Document, ...]
    metadata: Metadata

    @cached_property
    def fields(self) -> Common:
        """The merged front matter, typed."""
        return schema(self.entry.kind, self.entry.slug).model_validate(self.metadata)

    @property
    def id(self) -> str:
        """The author's id, else one made of kind and slug."""
        return str(self.metadata.get("id") or f"{self.entry.kind.singular}-{self.entry.slug}")

    @property
    def updated_at(self) -> datetime | None:
        """When the newest of its layers changed, as authors say; never the file system's word."""
        layers = (each for each in self.documents if each.layer.matches_language(self.language))
        told = (each.metadata.get("updated_at") for each in layers)
        return max((moment for moment in told if moment), default=self.published_at)

    @property
    def published_at(self) -> datetime | None:
        """When it was first there to read, by front matter or else by the file's name."""
        moment: datetime | None = self.metadata.get("published_at", self.metadata.get("dated"))
        return moment

    def text(self, name: str) -> str | None:
        """A top-level text in the reader's language, else in the other one."""
        return self.pick(self.metadata.get(name))

    def pick(self, text: Mapping[str, str] | None) -> str | None:
        """The reader's language of a text, else the other one where the kind may fall back."""
        if not text:
            return None
        language = self.locale.language
        if self.entry.kind in STRICT_KINDS:
            return text.get(language)
        return text.get(language, text.get(language.other))

    def spoken(self, text: Mapping[str, str] | None) -> str | None:
        """A text in the language that is served, never in the other one."""
        return text.get(self.language) if text else None

    @property
    def bodies(self) -> tuple[Document, ...]:
        """The layers whose body counts, from broad to particular."""
        return tuple(
            each for each in self.documents if each.has_body and each.language is self.language
        )


def deep_merge(base: Any, top: Any) -> Any:
    """One layer on another.

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
    """All layers on one another, broad to particular."""
    return reduce(deep_merge, trees, {})


@dataclass(frozen=True, slots=True)
class Visibility:
    """What a document's layers say of who may read it, and when."""

    hidden: bool
    published_at: datetime | None
    unpublish_at: datetime | None

    def at(self, now: datetime) -> bool:
        """Whether it is there to read at that instant."""
        return not self.hidden and is_published_at(self.published_at, self.unpublish_at, now)


def visibility(documents: Iterable[Document], country: Country, language: Language) -> Visibility:
    """Fold what the layers say to readers of one locale; `documents` cover its country."""
    own = [each.metadata for each in documents if each.layer.matches_language(language)]
    control = last_values(own, _VISIBILITY)
    hidden = (
        any(each.get("published") is False for each in own)
        or country not in control.get("countries", _COUNTRIES)
        or control.get("country_code", country) is not country
    )
    published_at = control.get("published_at", control.get("dated"))
    return Visibility(hidden, published_at, control.get("unpublish_at"))


def is_published_at(
    published_at: datetime | None, unpublish_at: datetime | None, now: datetime
) -> bool:
    """`publishedAt <= now < unpublishAt`, where an absent bound is no bound."""
    return (published_at is None or published_at <= now) and (
        unpublish_at is None or now < unpublish_at
    )


def last_values(layers: Sequence[Metadata], names: Iterable[str]) -> Metadata:
    """Return the last value of each field; for fields that are not mappings."""
    if len(layers) == 1:
        return layers[0]
    return {name: layer[name] for name in names for layer in layers if name in layer}


def has_language(documents: Iterable[Document], language: Language) -> bool:
    """Whether the main text is there in that language: the body, or without one any text."""
    documents = tuple(documents)
    if any(each.has_body for each in documents):
        return any(each.has_body and each.language is language for each in documents)
    return any(
        language in text
        for each in documents
        if each.layer.matches_language(language)
        for name, value in each.metadata.items()
        if name != "seo"
        for text in _texts(value)
    )


def resolve(
    entry: Entry, locale: Locale, now: datetime, city: str | None = None
) -> Resolved | None:
    """What readers of the locale see of the document at this instant, or None.

    All but the instant is worked out once and remembered: a page's menus, links and alternates
    ask for the same few documents over and over.
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
    """The same for those who go through all documents: it pushes out nothing remembered."""
    availability = _availability.__wrapped__(entry, locale, city)
    if not availability.at(now):
        return None
    return _resolved.__wrapped__(entry, locale, city, availability.may_fall_back(now))


@dataclass(frozen=True, slots=True)
class _Availability:
    """When readers see a document in the language asked and, where that may be, in the other."""

    asked: Visibility
    other: Visibility | None

    def at(self, now: datetime) -> bool:
        """Whether it is there to read at that instant."""
        return self.asked.at(now)

    def may_fall_back(self, now: datetime) -> bool:
        """Whether the other language may stand in at that instant."""
        return self.other is not None and self.other.at(now)


@document_cache(_MAX_CACHED)
def _availability(entry: Entry, locale: Locale, city: str | None) -> _Availability:
    documents = entry.covering(locale.country, city)
    asked = visibility(documents, locale.country, locale.language)
    if entry.kind in STRICT_KINDS:
        return _Availability(asked, None)
    return _Availability(asked, visibility(documents, locale.country, locale.language.other))


@document_cache(_MAX_CACHED)
def _resolved(
    entry: Entry, locale: Locale, city: str | None, may_fall_back: bool
) -> Resolved | None:
    asked = locale.language
    languages = (asked, asked.other) if may_fall_back else (asked,)
    usable = tuple(
        each
        for each in entry.covering(locale.country, city)
        if any(each.layer.matches_language(language) for language in languages)
    )
    language = next((each for each in languages if has_language(usable, each)), None)
    if language is None:
        return None
    metadata = merge_layers(_contribution(each, language) for each in usable)
    return Resolved(entry, locale, city, language, usable, metadata)


def _contribution(document: Document, language: Language) -> Metadata:
    """All of a layer, or only the texts of one that stands in for missing texts."""
    if document.layer.matches_language(language):
        return document.metadata
    return _only_texts(document.metadata, document.language)


def _only_texts(tree: Mapping[str, Any], language: Language) -> dict[str, Any]:
    """The texts in one language at their places, and nothing else, not even empty mappings."""
    if is_text(tree):
        return {key: text for key, text in tree.items() if key == language}
    below = {
        key: _only_texts(value, language) for key, value in tree.items() if isinstance(value, dict)
    }
    return {key: found for key, found in below.items() if found}


def is_text(value: Any) -> bool:
    """Whether a value of front matter is a text by language."""
    return isinstance(value, dict) and not _LANGUAGES.isdisjoint(value)


def _texts(value: Any) -> Iterator[Mapping[str, str]]:
    """All texts at or below a value, those in lists too."""
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
    """Where the parts of a resolved document came from."""

    scopes: frozenset[Scope]
    other_language: bool

    @property
    def resolved_from(self) -> Scope:
        """The most particular scope that gave anything."""
        return max(self.scopes, default=Scope.GLOBAL)

    @property
    def inherited(self) -> bool:
        """Whether something came from a broader scope than that."""
        return len(self.scopes) > 1


def provenance(resolved: Resolved, section_scopes: Iterable[Scope]) -> Provenance:
    """Fold the layers once more, with each value replaced by the scope that gave it."""
    trees = (
        _scopes(_contribution(each, resolved.language), each.layer.scope)
        for each in resolved.documents
    )
    content = {name: tree for name, tree in merge_layers(trees).items() if name not in _CONTROL}
    language = resolved.locale.language
    scopes = set(section_scopes) | {scope for scope, _ in _used(content, language)}
    visible = {name: tree for name, tree in content.items() if name != "seo"}
    other = any(spoken is language.other for _, spoken in _used(visible, language))
    return Provenance(frozenset(scopes), other or resolved.language is not language)


def _scopes(tree: Any, scope: Scope) -> Any:
    if isinstance(tree, dict):
        return {key: _scopes(value, scope) for key, value in tree.items()}
    return None if tree is None else scope


def _used(tree: Any, language: Language) -> Iterator[tuple[Scope, Language | None]]:
    """The scopes of the values that a reader of the language sees, and a text's language."""
    if isinstance(tree, Scope):
        yield tree, None
    elif is_text(tree):
        spoken = language if language in tree else language.other
        yield tree[spoken], spoken
    elif isinstance(tree, dict):
        for child in tree.values():
            yield from _used(child, language)
