"""Previews: one page as it looks once it is published, while all others stay as they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import cast

from knowledge.addresses.addresses import Address, entry_at, is_visible
from knowledge.documents.document import Document
from knowledge.fields.content_types import POST
from knowledge.fields.schemas import PostFields
from knowledge.locales.locale import Country, Language, Locale
from knowledge.resources.base import Resource
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_chrome import site_chrome
from knowledge.resources.site_page import PageModel, PreviewNote, site_page
from knowledge.snapshot.layer_resolution import Entry, resolve_uncached
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView


def preview_page(
    public: ContentView, address: Address, at: datetime | None, valid_until: datetime
) -> PageModel[Resource]:
    """Return a page, also a draft, as it is at `at`; raises NotFound if it is not there then.

    `public` is what readers see at present. Without `at` the dates of the page itself do not
    matter. Header, footer and links are those of the published pages.
    """
    site = public.at(at)
    view = replace(site, snapshot=_revealed(site.snapshot, address, is_undated=at is None))
    page = site_page(view, address, PageQuery())
    is_public = is_visible(public.snapshot, address, public.locale, public.now)
    hidden = {"no_index": True, "robots": "noindex, nofollow", "alternates": []}
    return replace(
        page,
        seo=page.seo.model_copy(update=hidden),
        chrome=site_chrome(site, address),
        preview=PreviewNote(valid_until, at, is_public, site),
    )


def preview_locales(
    snapshot: Snapshot, document: Document, address: Address, at: datetime | None, now: datetime
) -> Iterator[Locale]:
    """Yield the locales in which a preview of the page shows a document, its language first."""
    entry = entry_at(_revealed(snapshot, address, is_undated=at is None), address)
    first = (document.language, snapshot.default_locale.country)
    locales = sorted(snapshot.open_locales, key=lambda each: _distance(each, *first))
    for locale in locales if entry else ():
        resolved = resolve_uncached(cast(Entry, entry), locale, at or now, address.city or None)
        if resolved and any(each.path == document.path for each in resolved.documents):
            yield locale


def _distance(locale: Locale, language: Language, country: Country | None) -> tuple[bool, bool]:
    return locale.language is not language, locale.country != country


def _revealed(snapshot: Snapshot, address: Address, *, is_undated: bool) -> Snapshot:
    """Return a snapshot in which the document at an address is no draft."""
    entry = entry_at(snapshot, address)
    if entry is None:
        return snapshot
    documents = tuple(map(_published, entry.documents))
    revealed = replace(entry, documents=documents, is_undated=is_undated)
    entries = {**snapshot.entries.get(entry.kind, {}), entry.slug: revealed}
    indexes = snapshot.post_indexes
    if entry.kind is POST:
        indexes = indexes.next_version(
            cast("Mapping[str, Entry[PostFields]]", entries), snapshot.locales
        )
    return replace(
        snapshot,
        entries={**snapshot.entries, entry.kind: entries},
        post_indexes=indexes,
        cache={},
    )


def _published(document: Document) -> Document:
    if document.fields.published is not False:
        return document
    return replace(document, fields=replace(document.fields, published=None))
