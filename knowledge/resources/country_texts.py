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
from knowledge.fields.own_fields import OwnField, further_fields
from knowledge.fields.page_type import PageType
from knowledge.locales import cldr
from knowledge.locales.locale import Country, Language, Locale
from knowledge.markdown import document_cache
from knowledge.markdown.slugs import slugify
from knowledge.resources.kind_documents import all_kinds
from knowledge.sections.section_type import ENTRIES_SECTION
from knowledge.sections.sections import DECLARED_SECTIONS
from knowledge.snapshot.layer_resolution import Entry, country_signature, is_country_specific
from knowledge.snapshot.snapshot import NO_DOCUMENTS, Snapshot
from knowledge.views.content_view import country_settings, currency_of

_DIRECTIVE = re.compile(r"(?<!:):{3,}+[ \t]*+\{(\w+)\}")
_PRICES = frozenset({COUNTRY, SITE})
"""What decides the currency of prices, and the rate of VAT."""

_OF_COUNTRIES = ("date", "money", "offer")
"""The types of fields whose text differs by country."""

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
    names = _section_types(entry) if entry else frozenset()
    read = frozenset(kind for name in names for kind in DECLARED_SECTIONS.named(name).reads)
    if ENTRIES_SECTION in names:  # of any kind
        read |= {*_PRICES, *(each.content_type for each in all_kinds(snapshot))}
    read |= frozenset(_types_of_declared(snapshot, address.page))
    return read | {SITE} if is_contact_page(address) else read


def _declared(snapshot: Snapshot, page: PageType) -> Iterator[OwnField]:
    """Yield the declared fields that the documents show which a page shows or lists."""
    for kind in page.content_types if page.lists is None else (page.lists,):
        yield from _further(snapshot, kind)


def _further(snapshot: Snapshot, kind: AnyContentType) -> Sequence[OwnField]:
    return further_fields(snapshot.content_types.named(kind.folder).fields)


def _types_of_declared(snapshot: Snapshot, page: PageType) -> Iterator[AnyContentType]:
    """Yield what declared fields show: prices and times; in a list all documents and references.

    A page of one document names those to which it refers, see `referred_entries`.
    """
    fields = list(_declared(snapshot, page))
    if any(not field.types.isdisjoint(_OF_COUNTRIES) for field in fields):
        yield from _PRICES
    if page.kind and page.lists is not None:
        yield page.lists
        targets = (snapshot.content_types.of_folder(each.declaration.to or "") for each in fields)
        yield from (each for each in targets if each is not None)


def reads_declared(snapshot: Snapshot, page: PageType) -> bool:
    """Return whether declared fields show other documents, or what differs by country."""
    fields = _declared(snapshot, page)
    return any(not field.types.isdisjoint(("reference", *_OF_COUNTRIES)) for field in fields)


def referred_entries(snapshot: Snapshot, entry: Entry) -> Iterator[Entry]:
    """Yield the entries to which the declared fields of an entry refer."""
    for field in _further(snapshot, entry.kind):
        kind = snapshot.content_types.of_folder(field.declaration.to or "")
        values = (getattr(each.fields, field.attribute) for each in entry.documents if kind)
        for value in filter(None, values):
            for slug in value if field.has_many else [value]:
                found = snapshot.entry(kind, slugify(slug)) if kind else None
                if found is not None:
                    yield found


@document_cache(4_096)
def _section_types(entry: Entry) -> frozenset[str]:
    """Return the names of the sections of an entry; its bodies are not parsed for that."""
    return frozenset(name for document in entry.documents for name in _directives(document))


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
    """Return currency and time of a country, its rate of VAT, and which price comes first."""
    settings = country_settings(snapshot, country)
    here = country and (currency_of(country, settings), cldr.time_zone(country))
    return here, settings.vat_rate, settings.prices


def countries_with_other_text(
    snapshot: Snapshot, address: Address, locale: Locale
) -> frozenset[Country]:
    """Return the countries whose readers see another text of a page than those of a locale."""
    groups = country_groups(snapshot, address, locale.language)
    others = (group for group in groups if locale.country not in group)
    return frozenset(each for group in others for each in group if each is not None)
