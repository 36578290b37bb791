"""Countries whose readers see the same text of a page, and those whose readers see another."""

import re
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence

from knowledge.addresses.addresses import Address, entry_at, locales_of, page_of
from knowledge.documents.document import Document
from knowledge.fields.content_types import (
    CONTACT_FORM,
    COUNTRY,
    PRODUCT,
    REGISTRY,
    SETTINGS,
    SITE,
    WORDS,
    AnyContentType,
)
from knowledge.fields.own_fields import OwnField
from knowledge.fields.page_type import PageType
from knowledge.locales.locale import Country, Language, Locale
from knowledge.markdown import document_cache
from knowledge.markdown.slugs import slugify
from knowledge.sections.section_type import ENTRIES_SECTION
from knowledge.sections.sections import DECLARED_SECTIONS
from knowledge.snapshot.layer_resolution import Entry, country_signature, is_country_specific
from knowledge.snapshot.snapshot import NO_DOCUMENTS, Snapshot
from knowledge.views.content_view import country_settings, currency_of

_DIRECTIVE = re.compile(r"(?<!:):{3,}+[ \t]*+\{(\w+)\}")
_KIND_OPTION = re.compile(r"^ {0,3}:kind:(.*)", re.MULTILINE)
_PRICES = frozenset({COUNTRY, SITE})
"""What decides the currency of prices, and the rate of VAT."""

SHARED_TYPES = _PRICES | DECLARED_SECTIONS.reads
"""The types of the documents that pages show besides their own."""


def is_contact_page(address: Address) -> bool:
    """Return whether a page has the contact details and the form, which `site/` sets."""
    return address == page_of(REGISTRY, "contact", NO_DOCUMENTS)


def read_types(snapshot: Snapshot, address: Address) -> frozenset[AnyContentType]:
    """Return the types of the documents from which the text of a page comes, besides its own."""
    if PRODUCT in (*address.page.content_types, address.page.lists):
        return _PRICES
    entry = entry_at(snapshot, address)
    read = _named_types(entry) if entry else frozenset()
    read |= frozenset(_types_of_declared(snapshot, address.page))
    for name in _listed_kinds(entry) if entry else ():
        if (kind := snapshot.content_types.of_folder(name)) is not None:
            own = snapshot.kinds.by_name.get(name)
            read |= {kind, *_types_of_fields(snapshot, own.fields if own else ())}
    return read | {SITE} if is_contact_page(address) else read


def _declared(snapshot: Snapshot, page: PageType) -> Iterator[OwnField]:
    """Yield the fields that the site declares for the documents that a page shows or lists."""
    for kind in page.content_types if page.lists is None else (page.lists,):
        declared = snapshot.kinds.by_name.get(str(kind))
        yield from declared.fields if declared else ()


def _types_of_declared(snapshot: Snapshot, page: PageType) -> Iterator[AnyContentType]:
    """Yield what declared fields show: prices; and in a list all documents, with their references.

    A page of one document names those to which it refers, see `referred_entries`.
    """
    fields = list(_declared(snapshot, page))
    is_list = page.kind and page.lists is not None
    found = set(_types_of_fields(snapshot, fields))
    yield from found if is_list else found & _PRICES
    if page.kind and page.lists is not None:
        yield page.lists


def _types_of_fields(snapshot: Snapshot, fields: Iterable[OwnField]) -> Iterator[AnyContentType]:
    """Yield what the fields of a list show: the documents to which they refer, and prices."""
    for field in fields:
        if not field.types.isdisjoint(("money", "offer")):
            yield from _PRICES
        target = snapshot.content_types.of_folder(field.declaration.to or "")
        if target is not None:
            yield target


def reads_declared(snapshot: Snapshot, page: PageType) -> bool:
    """Return whether fields that the site declares show other documents, or prices."""
    fields = _declared(snapshot, page)
    return any(not field.types.isdisjoint(("reference", "money", "offer")) for field in fields)


def referred_entries(snapshot: Snapshot, entry: Entry) -> Iterator[Entry]:
    """Yield the entries to which the declared fields of an entry refer."""
    declared = snapshot.kinds.by_name.get(str(entry.kind))
    for field in declared.fields if declared else ():
        kind = snapshot.content_types.of_folder(field.declaration.to or "")
        values = (getattr(each.fields, field.attribute) for each in entry.documents if kind)
        for value in filter(None, values):
            for slug in value if field.has_many else [value]:
                found = snapshot.entry(kind, slugify(slug)) if kind else None
                if found is not None:
                    yield found


@document_cache(4_096)
def _named_types(entry: Entry) -> frozenset[AnyContentType]:
    """Return the types that the sections of an entry read; its bodies are not parsed for that."""
    names = {name for document in entry.documents for name in _directives(document)}
    return frozenset(kind for name in names for kind in DECLARED_SECTIONS.named(name).reads)


@document_cache(4_096)
def _listed_kinds(entry: Entry) -> frozenset[str]:
    """Return the kinds that the sections of an entry list."""
    bodies = (each.body for each in entry.documents)
    return frozenset(
        kind.strip()
        for body in bodies
        if f"{{{ENTRIES_SECTION}}}" in body
        for kind in _KIND_OPTION.findall(body)
    )


def _directives(document: Document) -> Iterable[str]:
    body = document.body
    return _DIRECTIVE.findall(body) if ":::" in body else ()


def country_groups(
    snapshot: Snapshot, address: Address, language: Language | None = None
) -> Collection[Sequence[Country | None]]:
    """Group the countries that may have a page by what decides its text in a language or in all."""
    countries = locales_of(snapshot, address).audiences
    has_prices = COUNTRY in read_types(snapshot, address)
    entries = [each for each in _entries(snapshot, address) if is_country_specific(each)]
    if not entries and not has_prices:
        return [countries]
    groups: dict[Hashable, list[Country | None]] = {}
    for country in countries:
        city = address.city or None
        layers = [country_signature(each, country, city, language) for each in entries]
        prices = _prices(snapshot, country) if has_prices else None
        groups.setdefault((tuple(layers), prices), []).append(country)
    return groups.values()


def _entries(snapshot: Snapshot, address: Address) -> Iterator[Entry]:
    """Yield the document of a page, and the others from which its text comes."""
    own = entry_at(snapshot, address)
    if own is not None:
        yield own
        yield from referred_entries(snapshot, own)
    for kind in read_types(snapshot, address).difference(_PRICES):
        yield from snapshot.all(kind)
    if is_contact_page(address):
        site = map(snapshot.singleton, (SETTINGS, WORDS, CONTACT_FORM))
        yield from (each for each in site if each is not None)


def _prices(snapshot: Snapshot, country: Country | None) -> Hashable:
    """Return the currency of a country, its rate of VAT, and which price comes first."""
    settings = country_settings(snapshot, country)
    return country and currency_of(country, settings), settings.vat_rate, settings.prices


def countries_with_other_text(
    snapshot: Snapshot, address: Address, locale: Locale
) -> frozenset[Country]:
    """Return the countries whose readers see another text of a page than those of a locale."""
    groups = country_groups(snapshot, address, locale.language)
    others = (group for group in groups if locale.country not in group)
    return frozenset(each for group in others for each in group if each is not None)
