"""Resolution: merges the layers of a document for the readers of one locale. Pure functions.

`knowledge.fields.merging` has the rules of merging. Texts are mappings by language, so layers and
languages merge in the same way. A layer with `published: false` hides the document in all places
to which it applies.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Generic, TypeVar, cast

from knowledge.documents.document import Document
from knowledge.fields.content_types import ContentType, Fields_co
from knowledge.fields.front_matter import Common, Control, PageSeo
from knowledge.fields.merging import merge, only_texts, origins, texts_in
from knowledge.locales.locale import Country, Language, Locale, Scope, TextLanguage
from knowledge.markdown import document_cache

Fields = TypeVar("Fields", bound=Common)


@dataclass(frozen=True, eq=False, slots=True)
class Entry(Generic[Fields_co]):
    """All layers of one document, from general to specific."""

    kind: ContentType[Fields_co]
    slug: str
    documents: tuple[Document[Fields_co], ...]
    is_undated: bool = False
    """Whether `publishedAt` and `unpublishAt` hide nothing, as in a preview."""

    @property
    def path(self) -> str:
        """Return the file path of the most general layer."""
        return self.documents[0].path

    @property
    def is_named_only(self) -> bool:
        """Return whether there is no file: posts name this category or tag."""
        return self.documents[0].is_named_only

    @property
    def identity(self) -> str:
        """Return an identifier that is the same in all locales, such as `registry/erp`."""
        return f"{self.kind}/{self.slug}"

    def covering(
        self, country: Country | None, city: str | None = None
    ) -> tuple[Document[Fields_co], ...]:
        """Return the layers that apply to a country and city, in any language."""
        return tuple([each for each in self.documents if each.layer.covers(country, city)])

    @property
    def has_texts(self) -> bool:
        """Whether the document has texts in a language; one of the site may have only values."""
        if self.kind.singletons and not any(document.languages for document in self.documents):
            return False
        return self.kind.model_for(self.slug).has_texts


_NO_FIELDS = Common()
_NO_SEO = PageSeo()
_MAX_CACHED = 4_096
"""Resolved documents to cache: enough for those that many pages share."""


@dataclass(frozen=True, eq=False)
class Resolved(Generic[Fields_co]):
    """A document resolved for `locale`; `fields` is its merged front matter.

    `language` is the language of its main text.
    """

    entry: Entry[Fields_co]
    locale: Locale
    city: str | None
    language: Language
    documents: tuple[Document[Fields_co], ...]
    fields: Fields_co

    @property
    def id(self) -> str:
        """Return the id from front matter, else one of content type and slug."""
        return str(self.fields.id or f"{self.entry.kind.singular}-{self.entry.slug}")

    @property
    def text_language(self) -> TextLanguage:
        """The language in which its body is written, which may be a third one."""
        return self.bodies[-1].text_language if self.bodies else self.language

    @cached_property
    def seo(self) -> PageSeo:
        """The `seo` block, which may be empty."""
        return self.fields.seo or _NO_SEO

    @cached_property
    def updated_at(self) -> datetime | None:
        """Return the newest `updatedAt` of its layers; file system times are never used."""
        layers = (each for each in self.documents if each.layer.matches_language(self.language))
        moments = (document.fields.updated_at for document in layers)
        return max((moment for moment in moments if moment), default=self.fields.published_at)

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

    @cached_property
    def bodies(self) -> tuple[Document[Fields_co], ...]:
        """Return the layers whose body is in the served language, from general to specific."""
        return tuple(
            document
            for document in self.documents
            if document.has_body and document.language is self.language
        )


@dataclass(frozen=True, slots=True)
class Visibility:
    """Whether and when a document is published in a locale."""

    hidden: bool
    published_at: datetime | None
    unpublish_at: datetime | None

    def at(self, now: datetime) -> bool:
        """Return whether the document is visible at that instant."""
        return not self.hidden and is_published_at(self.published_at, self.unpublish_at, now)


def visibility(
    documents: Iterable[Document], country: Country | None, language: Language
) -> Visibility:
    """Return the visibility in a locale; all `documents` must apply to its country."""
    layers = [each.fields for each in documents if each.layer.matches_language(language)]
    control = merge(layers) if layers else _NO_FIELDS
    hidden = is_hidden(layers, control, country)
    return Visibility(hidden, control.published_at, control.unpublish_at)


def is_hidden(layers: Iterable[Common], merged: Common, country: Country | None) -> bool:
    """Return whether one of the layers, or what they are merged to, hides a document."""
    return False in [fields.published for fields in layers] or not is_shown_in(merged, country)


def is_shown_in(control: Common, country: Country | None) -> bool:
    """Return whether front matter allows a country; a site without countries has no limits."""
    return country is None or (
        (control.countries is None or country in control.countries)
        and control.only_country in (None, country)
    )


def is_published_at(
    published_at: datetime | None, unpublish_at: datetime | None, now: datetime
) -> bool:
    """Return whether `publishedAt <= now < unpublishAt`; None means unbounded."""
    return (published_at is None or published_at <= now) and (
        unpublish_at is None or now < unpublish_at
    )


def has_language(documents: Collection[Document], language: Language) -> bool:
    """Return whether the main text exists in a language: the body, or any text without bodies."""
    languages = [document.language for document in documents if document.has_body]
    if languages:
        return language in languages
    return any(
        language in text
        for document in documents
        if document.layer.matches_language(language)
        for text in texts_in(document.fields)
    )


def resolve(
    entry: Entry[Fields], locale: Locale, now: datetime, city: str | None = None
) -> Resolved[Fields] | None:
    """Return a document resolved for a locale at one instant, or None if it is not visible.

    The parts that do not depend on the instant are cached, because menus, links and alternates of
    a page resolve the same few documents repeatedly.
    """
    requested, other = _visibilities(entry, locale, city)
    if not requested.at(now):
        return None
    resolved = _resolved(entry, locale, city, other is not None and other.at(now))
    return cast("Resolved[Fields] | None", resolved)


def resolve_uncached(
    entry: Entry, locale: Locale, now: datetime, city: str | None = None
) -> Resolved | None:
    """Resolve without the caches, so that a pass over all documents does not evict entries."""
    requested, other = _visibilities.__wrapped__(entry, locale, city)
    if not requested.at(now):
        return None
    return _resolved.__wrapped__(entry, locale, city, other is not None and other.at(now))


@document_cache(_MAX_CACHED)
def _visibilities(
    entry: Entry, locale: Locale, city: str | None
) -> tuple[Visibility, Visibility | None]:
    """Return the visibility in the requested language and, if fallback is allowed, in the other."""
    documents = entry.covering(locale.country, city)

    def visible_in(language: Language) -> Visibility:
        visible = visibility(documents, locale.country, language)
        return Visibility(visible.hidden, None, None) if entry.is_undated else visible

    requested = visible_in(locale.language)
    return requested, visible_in(locale.language.other) if entry.kind.falls_back else None


@document_cache(_MAX_CACHED)
def _resolved(
    entry: Entry, locale: Locale, city: str | None, may_fall_back: bool
) -> Resolved | None:
    requested = locale.language
    languages = (requested, requested.other) if may_fall_back else (requested,)
    usable = tuple(
        document
        for document in entry.covering(locale.country, city)
        if document.layer.language is None or document.layer.language in languages
    )
    available = (
        language for language in languages if not entry.has_texts or has_language(usable, language)
    )
    language = next(available, None)
    if language is None and _has_values_only(entry, usable):
        language = requested
    if language is None:
        return None
    fields = merge([_contribution(document, language) for document in usable])
    return Resolved(entry, locale, city, language, usable, fields)


def _has_values_only(entry: Entry, documents: Collection[Document]) -> bool:
    """Return whether it is a document of `site/` without any text, such as one with colours."""
    return bool(entry.kind.singletons and documents) and not any(
        document.languages for document in documents
    )


def _contribution(document: Document, language: Language) -> Common:
    """Return a layer's front matter, but only its texts if the layer is in the other language."""
    if document.layer.matches_language(language):
        return document.fields
    return only_texts(document.fields, document.language)


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
    """Return the provenance: which layer each value comes from that readers see."""
    language = resolved.locale.language
    layers = [
        (_contribution(document, resolved.language), document.layer.scope)
        for document in resolved.documents
    ]
    content = (name for name in resolved.fields.field_names if name not in Control.field_names)
    seo = origins(layers, ("seo",), language)
    visible = origins(layers, [name for name in content if name != "seo"], language)
    scopes = {*section_scopes, *[origin.scope for origin in (*seo, *visible)]}
    other = language.other in [origin.language for origin in visible]
    return Provenance(frozenset(scopes), other or resolved.language is not language)


def is_country_specific(entry: Entry) -> bool:
    """Return whether a document's visibility or content depends on the country."""
    return any(map(_is_country_specific, entry.documents))


def group_countries(
    entry: Entry, countries: Iterable[Country | None], city: str | None = None
) -> Collection[Sequence[Country | None]]:
    """Group countries whose readers see the same version of the entry."""
    if not is_country_specific(entry):
        return [list(countries)]
    groups: dict[Hashable, list[Country | None]] = {}
    for country in countries:
        groups.setdefault(country_signature(entry, country, city), []).append(country)
    return groups.values()


@document_cache(4_096)
def country_signature(
    entry: Entry, country: Country | None, city: str | None, language: Language | None = None
) -> Hashable:
    """Return a key that is equal for countries for which the entry resolves equally.

    With a language, only the layers for readers of it count.
    """
    return tuple(
        (document.layer.covers(country, city), is_shown_in(document.fields, country))
        for document in entry.documents
        if _is_country_specific(document)
        and (language is None or document.layer.matches_language(language))
    )


def _is_country_specific(document: Document) -> bool:
    fields = document.fields
    return bool(document.layer.country or fields.countries is not None or fields.only_country)
