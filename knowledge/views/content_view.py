"""The content view: a snapshot for the visitors of one locale at one instant."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from functools import wraps
from operator import attrgetter
from typing import TypeVar, cast
from urllib.parse import quote

from knowledge.addresses.addresses import LocalizedAddress, in_locale, page_of
from knowledge.addresses.links import link_rewriter, site_path
from knowledge.diagnostics.diagnostic import Made
from knowledge.edits import (
    CLOCK,
    EDITION,
    Key,
    SharedResult,
    note,
    note_all,
    recording,
)
from knowledge.fields.content_types import (
    FORM,
    PAGE,
    REGISTRY,
    SETTINGS,
    TESTIMONIAL,
    AnyContentType,
    ContentType,
    Singleton,
)
from knowledge.fields.settings_fields import CountryFields
from knowledge.locales import cldr
from knowledge.locales.locale import Country, Language, Locale
from knowledge.markdown.inline import rewrite_targets
from knowledge.sections.section_type import Testimonial
from knowledge.snapshot.layer_resolution import Entry, Fields, Resolved, resolve
from knowledge.snapshot.snapshot import Snapshot

_LONE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
"""A percent sign that does not start a percent-encoded byte."""
Cached = TypeVar("Cached")


@dataclass(frozen=True, slots=True)
class ContentView:
    """Everything a resource depends on; `base_url` has no trailing slash."""

    snapshot: Snapshot
    locale: Locale
    now: datetime
    base_url: str
    is_static: bool = False
    """Whether the pages are files of a static host, which answers no query, form or search."""

    def for_locale(self, locale: Locale) -> ContentView:
        """Return a view of the same snapshot and instant for another locale."""
        return replace(self, locale=locale)

    def at(self, now: datetime | None) -> ContentView:
        """Return a view at another instant; None returns this view."""
        return replace(self, now=now) if now else self

    def resolve(
        self, kind: ContentType[Fields], slug: str, city: str | None = None
    ) -> Resolved[Fields] | None:
        """Return a document resolved for these readers, or None."""
        entry = self.snapshot.entry(kind, slug)
        return self.resolve_entry(entry, city) if entry else None

    def singleton(self, document: Singleton[Fields]) -> Resolved[Fields] | None:
        """Return a document of `site/` resolved for these readers, or None."""
        entry = self.snapshot.singleton(document)
        return self.resolve_entry(entry) if entry else None

    def resolve_entry(
        self, entry: Entry[Fields], city: str | None = None
    ) -> Resolved[Fields] | None:
        """Return an entry resolved for these readers, or None."""
        note((entry.kind, entry.slug))
        return resolve(entry, self.locale, self.now, city)

    def pages_of(
        self, content_type: AnyContentType, slugs: Iterable[str]
    ) -> Iterator[LocalizedAddress]:
        """Yield the pages of some documents of a type in the view's locale."""
        addresses = (page_of(content_type, each, self.snapshot) for each in slugs)
        return in_locale(self.locale, addresses)

    def resolve_all(self, kind: ContentType[Fields]) -> list[Resolved[Fields]]:
        """Return all visible documents of a type, sorted by sortOrder, then slug."""
        return sorted(self._visible(kind), key=_sort_key)

    def _visible(self, kind: ContentType[Fields]) -> Iterator[Resolved[Fields]]:
        entries = self.snapshot.all(kind)
        results = self.snapshot.left_out.each(entries, self.resolve_entry, attrgetter("path"))
        return (resolved for resolved in results if resolved is not None)

    def each(
        self, documents: Iterable[Resolved[Fields]], make: Callable[[Resolved[Fields]], Made]
    ) -> list[Made]:
        """Return `make(document)` for each document, without those for which it raises."""
        return list(self.snapshot.left_out.each(documents, make, attrgetter("entry.path")))

    def path(self, target: str, source_path: str = "") -> str:
        """Return the site path of a link for these readers."""
        return site_path(self.snapshot, source_path, target, self.locale, self.now)

    def picture(self, path: str | None, shown: Resolved) -> str | None:
        """Return the site path of a picture that a document names, None without one."""
        return self.path(path, shown.documents[0].path) if path else None

    def markdown(self, text: str, source_path: str) -> str:
        """Return a text from the file at `source_path` with its links as site paths."""
        rewrite = link_rewriter(self.snapshot, source_path, self.locale, self.now)
        return rewrite_targets(text, rewrite)

    def absolute(self, path: str) -> str:
        """Return the absolute URL of a site path; a URL is returned unchanged."""
        return absolute(self.base_url, path)

    def part(
        self, name: Hashable, make: Callable[[], Cached], before: Iterable[Key] | None = ()
    ) -> Cached:
        """Return a part of pages, made once for all that show it, until an edit touches it.

        It is made of nothing but what the name and the view tell. `before` is what was read for it
        before; None, if that is not known, ends it with the edition. Do not mutate it.
        """
        key = (name, self.locale, self.base_url, self.is_static)
        shared, until = self.snapshot.shared, self.snapshot.next_change_at(self.now)
        part = shared.part(key, until)
        if part is None:
            with recording() as reads:
                value = make()
            reads.update((EDITION,) if before is None else before)
            part = SharedResult(value, frozenset(reads))
            shared.keep_part(key, until, part)
        note_all(part.reads)
        return cast(Cached, part.value)


@dataclass(frozen=True, slots=True)
class SharedResultKey:
    """The key of a result that the pages of a locale share."""

    function: Callable[[ContentView], object]
    locale: Locale
    base_url: str
    is_static: bool = False

    def value(self, snapshot: Snapshot, now: datetime) -> object:
        """Return the result in a snapshot, at that time."""
        view = ContentView(snapshot, self.locale, now, self.base_url, self.is_static)
        return _shared(self, view)


_SHARED: list[Callable[[ContentView], object]] = []
"""The functions whose results pages share."""


def shared_keys(snapshot: Snapshot, base_url: str) -> Iterator[SharedResultKey]:
    """Yield the keys of all results that the pages of a snapshot may share."""
    for locale in snapshot.open_locales:
        for function in _SHARED:
            yield SharedResultKey(function, locale, base_url)


def cached_per_snapshot(
    function: Callable[[ContentView], Cached],
) -> Callable[[ContentView], Cached]:
    """Cache the result in the snapshot, until the next scheduled change.

    An edit that touches nothing of what it was made from carries it over. The result is shared;
    do not mutate it.
    """
    _SHARED.append(function)

    @wraps(function)
    def cached(view: ContentView) -> Cached:
        key = SharedResultKey(function, view.locale, view.base_url, view.is_static)
        return cast(Cached, _shared(key, view))

    return cached


def _shared(key: SharedResultKey, view: ContentView) -> object:
    """Return the shared result, and note its key."""
    shared, until = view.snapshot.shared, view.snapshot.next_change_at(view.now)
    result = shared.find(key, until)
    if result is None:
        with recording() as reads:
            value = key.function(view)
        result = shared.keep(key, until, SharedResult(value, frozenset(reads)))
        if result is None:
            note(EDITION)
            return value
    note(key)
    if CLOCK in result.reads:
        note(CLOCK)
    return result.value


def absolute(base_url: str, path: str) -> str:
    """Return the absolute, percent-encoded URL of a site path; a URL is returned unchanged.

    >>> absolute("https://a.test", "/50%/جرد"), absolute("https://a.test", "/50%25")
    ('https://a.test/50%25/%D8%AC%D8%B1%D8%AF', 'https://a.test/50%25')
    """
    if not path.startswith("/") or path.startswith("//"):
        return path
    return base_url + quote(_LONE_PERCENT.sub("%25", path), safe="/#?&=%:@+,;~")


def _sort_key(resolved: Resolved) -> tuple[int, str]:
    order = resolved.fields.sort_order
    return 1_000_000 if order is None else order, resolved.entry.slug


def country_settings(snapshot: Snapshot, country: Country | None) -> CountryFields:
    """Return the settings of a country from `countries/`, with its layers merged."""
    return (snapshot.countries.get(country) if country else None) or CountryFields()


def currency_of(country: Country, settings: CountryFields) -> str:
    """Return the ISO 4217 code of a country's currency, by default that of CLDR."""
    return settings.currency or cldr.currency(country)


def price_currency(view: ContentView) -> str | None:
    """Return the ISO 4217 code of the currency of prices: the country's, else the site's own."""
    country = view.locale.country
    if country is not None:
        return currency_of(country, country_settings(view.snapshot, country))
    settings = view.singleton(SETTINGS)
    return settings.fields.currency if settings else None


def vat_rate(view: ContentView, country: Country | None) -> Decimal | None:
    """Return the rate of VAT of a country in percent, 0 if it has none, None if not known."""
    return country_settings(view.snapshot, country).vat_rate


def vat_first(view: ContentView, country: Country | None) -> bool:
    """Return whether prices with VAT come first: as the country says, else the site."""
    display = country_settings(view.snapshot, country).prices
    if display is None:
        settings = view.singleton(SETTINGS)
        display = settings.fields.prices if settings else None
    return display == "inclusive"


_CONTACT = "contact"
_WITHOUT_BRACKETS = str.maketrans("[]", "()")


@dataclass(frozen=True, slots=True)
class SectionReader:
    """The readers of one locale."""

    view: ContentView

    @property
    def language(self) -> Language:
        """The reader's language."""
        return self.view.locale.language

    @property
    def currency(self) -> str | None:
        """The currency of the country, else that of the site."""
        return price_currency(self.view)

    @property
    def vat_rate(self) -> Decimal | None:
        """The rate of VAT of the country in percent, 0 if it has none, None if not known."""
        return vat_rate(self.view, self.view.locale.country)

    @property
    def vat_first(self) -> bool:
        """Whether prices with VAT come first."""
        return vat_first(self.view, self.view.locale.country)

    @property
    def contact_link(self) -> str:
        """The link to the page `contact` in CommonMark, `""` without one."""
        title, path = _contact_page(self.view)
        return f"[{title}]({path})" if path else ""

    def call_url(self, setting: str, own: str) -> str:
        """Return where a call leads: its own address, else that of a setting, else the contact.

        `""` is no setting, but a quotation; without a page `contact` it is the result.
        """
        settings = self.view.singleton(SETTINGS)
        if settings and setting:
            fields = settings.fields
            own = own or (fields.trial_url if setting == "trialUrl" else fields.booking_url) or ""
        if not own and not setting and (asked := _quotation_page(self.view)):
            return asked
        return self.view.path(own) if own else _contact_page(self.view)[1]

    def testimonial(self, slug: str) -> Testimonial | None:
        """Return a published testimonial."""
        resolved = self.view.resolve(TESTIMONIAL, slug)
        if resolved is None:
            return None
        fields, pick = resolved.fields, resolved.pick
        about = filter(None, (pick(fields.designation), pick(fields.company)))
        path = resolved.documents[0].path
        portrait = f"![{pick(fields.image_alt) or ''}]({fields.image})" if fields.image else ""
        return Testimonial(
            words=pick(fields.quote) or "\n\n".join(each.body for each in resolved.bodies),
            name=pick(fields.customer_name) or pick(fields.title) or "",
            about=self.language.comma.join(about),
            portrait=self.view.markdown(portrait, path),
        )

    def file_size(self, path: str) -> int | None:
        """Return the bytes of a file of the content folder, None for any other path."""
        return self.view.snapshot.asset_sizes.get(path.removeprefix("/"))


@cached_per_snapshot
def _quotation_page(view: ContentView) -> str:
    """Return the path of the form by which quotations are asked for, `""` without one."""
    forms = (each for each in view.resolve_all(FORM) if each.fields.purpose == "quotation")
    pages = (page_of(FORM, each.entry.slug, view.snapshot).path for each in forms)
    return next((view.locale.path + path for path in pages), "")


@cached_per_snapshot
def _contact_page(view: ContentView) -> tuple[str, str]:
    """Return title and path of the page `contact`, `""` without one."""
    for kind in (REGISTRY, PAGE):
        resolved = view.resolve(kind, _CONTACT)
        if resolved is not None:
            title = (resolved.pick(resolved.fields.title) or _CONTACT).translate(_WITHOUT_BRACKETS)
            return title, view.locale.path + page_of(kind, _CONTACT, view.snapshot).path
    return "", ""
