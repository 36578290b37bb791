"""The snapshot: all documents of one load of the content folder, by content type and slug."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import cast

from knowledge.diagnostics.diagnostic import Diagnostic, DiagnosticKind, LeftOut
from knowledge.diagnostics.messages import Text
from knowledge.documents.content_path import Countries, Places
from knowledge.documents.document import Document
from knowledge.documents.images import ASSET, DIAGRAM, NO_IMAGES, Images
from knowledge.documents.site_files import NO_TEMPLATES, SiteStylesheet, TemplateFiles
from knowledge.edits import (
    EDITION,
    ObservedMapping,
    ObservedSet,
    SharedResults,
    note,
    recording,
)
from knowledge.fields.blog_fields import PostFields
from knowledge.fields.content_types import (
    CATEGORY,
    FORM,
    OPTIONAL_KINDS,
    PAGE,
    POST,
    REGISTRY,
    SITE,
    AnyContentType,
    ContentType,
    ContentTypes,
    Singleton,
)
from knowledge.fields.form_fields import FormDeclaration
from knowledge.fields.kinds import BUILT_IN_KINDS, SiteKinds
from knowledge.fields.page_type import PAGE_TYPES, PageTypes
from knowledge.locales.locale import Country, Language, Locale, Locales
from knowledge.markdown.slugs import former_slug, former_term_slug
from knowledge.snapshot.document_index import (
    EMPTY_INDEX,
    DocumentIndex,
    Schedule,
    index_documents,
    schedule_of,
)
from knowledge.snapshot.layer_resolution import Entry, Fields
from knowledge.snapshot.named_terms import (
    NO_AUTHORS,
    NO_TERMS,
    Authors,
    NamedTerms,
    named_terms,
    with_files,
)
from knowledge.snapshot.old_addresses import NO_CLAIMS, Claims, OldAddress, claimed_addresses
from knowledge.snapshot.opening_clocks import NO_CLOCKS, OpeningClocks, opening_clocks
from knowledge.snapshot.post_indexes import BUILT, LocalePosts, PostIndexesByLocale, posts_key
from knowledge.snapshot.redirect_rules import NO_REDIRECTS, RedirectRules

FILE = "file"
"""The name of the files of documents among the keys of reads."""

FORMER_SLUG = "former slug"
OLD_ADDRESS = "old address"
CITY_COUNTRY = "country of a city"


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The documents of one load of the content folder; immutable, replaced as a whole."""

    entries: Mapping[AnyContentType, Mapping[str, Entry]]
    cities: Mapping[str, Country]
    assets: AbstractSet[str]
    schedule: Schedule = field(default_factory=Schedule)
    clocks: OpeningClocks = NO_CLOCKS

    redirects: RedirectRules = NO_REDIRECTS
    claims: Claims = NO_CLAIMS
    terms: NamedTerms = NO_TERMS
    authors: Authors = field(default_factory=dict)
    """The authors whom posts name by a key."""

    index: DocumentIndex = EMPTY_INDEX
    post_indexes: PostIndexesByLocale = field(
        default_factory=lambda: PostIndexesByLocale({}), repr=False
    )
    cache: dict[Hashable, object] = field(default_factory=dict, repr=False)
    """Tables made of all documents, such as the site map."""

    shared: SharedResults = field(default_factory=SharedResults, repr=False)
    """Results of `content_view.cached_per_snapshot`."""

    kept: dict[Hashable, object] = field(default_factory=dict, repr=False)
    """Results from which those of later snapshots are made; all snapshots of a folder share it."""

    left_out: LeftOut = field(default_factory=LeftOut, repr=False)
    stylesheet: SiteStylesheet | None = None
    """The stylesheet of the site itself."""

    templates: TemplateFiles = NO_TEMPLATES
    """The templates of the site itself."""

    countries: Countries = field(default_factory=dict)
    asset_sizes: Mapping[str, int] = field(default_factory=dict)
    """The number of bytes of each asset."""

    locales: Locales = field(default_factory=Locales)
    """All locales of the site, also those of disabled countries."""

    images: Images = NO_IMAGES
    """The sizes of the pictures among the assets."""

    kinds: SiteKinds = BUILT_IN_KINDS
    """The types of documents and pages of the site."""

    diagrams: Mapping[str, tuple[int, int]] = field(
        default_factory=lambda: ObservedMapping(DIAGRAM, {})
    )
    """The sizes of the diagrams that have been drawn, by the names of their files."""

    unanswered: AbstractSet[str] = frozenset()
    """The names of the forms that are left out, as nobody would answer them."""

    @property
    def page_types(self) -> PageTypes:
        """The types of the site's pages."""
        return self.kinds.page_types

    @property
    def content_types(self) -> ContentTypes:
        """The types of the site's documents."""
        return self.kinds.content_types

    def entry(self, kind: ContentType[Fields], slug: str) -> Entry[Fields] | None:
        """Return a document with all its layers, or None."""
        return cast("Entry[Fields] | None", self.entries.get(kind, {}).get(slug))

    def singleton(self, document: Singleton[Fields]) -> Entry[Fields] | None:
        """Return a document of `site/` with all its layers, or None."""
        return cast("Entry[Fields] | None", self.entry(SITE, document.slug))

    def has(self, *kinds: AnyContentType) -> bool:
        """Return whether the site has one of these kinds, by its documents or a declaration.

        This alone decides what pages, maps, the API and guides say of a built-in kind.
        """
        return any(
            kind not in self.kinds.absent if kind in OPTIONAL_KINDS else self.entries.get(kind)
            for kind in kinds
        )

    def all(self, kind: ContentType[Fields]) -> Iterable[Entry[Fields]]:
        """Return all documents of a content type, published or not."""
        return cast("Iterable[Entry[Fields]]", self.entries.get(kind, {}).values())

    def posts(self, locale: Locale) -> LocalePosts:
        """Return the posts of a locale; the index is built on first use."""
        note(posts_key(locale.language, BUILT))
        return LocalePosts(locale.language, self.post_indexes.of(locale))

    def entry_of_file(self, path: str) -> Entry | None:
        """Return the entry of which a file is a layer, or None."""
        note((FILE, path))
        document = self.index.documents.get(path)
        entry = self.index.entry_of(document) if document else None
        return entry if entry and self.entry(entry.kind, entry.slug) is entry else None

    @cached_property
    def open(self) -> Locales:
        """The locales without those of countries with `enabled: false`."""
        disabled = {
            country for country, fields in self.countries.items() if fields.enabled is False
        }
        return self.locales.within(set(self.locales.audiences) - disabled)

    @property
    def open_locales(self) -> tuple[Locale, ...]:
        """The locales that readers may visit, in the order in which they are listed."""
        return self.open.all

    @property
    def default_locale(self) -> Locale:
        """The locale of readers who ask for none, if possible an open one."""
        return next(iter(self.open.all), self.locales.default)

    @cached_property
    def by_path(self) -> Mapping[str, tuple[Entry, Document]]:
        """Return all documents and their entries by file path."""
        note(EDITION)
        return {
            document.path: (entry, document)
            for entries in self.entries.values()
            for entry in entries.values()
            for document in entry.documents
            if not document.is_named_only
        }

    @cached_property
    def former_slugs(self) -> Mapping[str, Entry]:
        """Return the entries with another slug than when marks separated words, by that slug.

        Categories with signs, such as C++, are also found by what `former_category` returns.
        """
        categories = self.entries.get(CATEGORY, {})
        with recording():
            former_slugs = {
                former: entry
                for entries in self.entries.values()
                for slug, entry in entries.items()
                if not entry.kind.is_nested
                and (former := former_slug(slug)) != slug
                and former not in entries
            }
            former_slugs |= {
                former_category(former): entry
                for slug, entry in sorted(categories.items(), reverse=True)
                if (former := former_term_slug(slug)) != slug and former not in categories
            }
        return ObservedMapping(FORMER_SLUG, former_slugs)

    @property
    def old_addresses(self) -> Mapping[str, OldAddress]:
        """Return the old addresses that documents list."""
        return ObservedMapping(OLD_ADDRESS, self.claims.by_path)

    def next_change_at(self, now: datetime) -> datetime | None:
        """Return the next instant after `now` at which pages differ without an edit.

        A document is published or withdrawn then, or something opens or closes.
        """
        due, opening = self.schedule.next_after(now), self.clocks.around(now)[1]
        return min(due, opening) if due and opening else due or opening

    def last_change_at(self, now: datetime) -> datetime:
        """Return the last instant up to `now` at which pages differed without an edit.

        Until the next one, what is published does not depend on the time.
        """
        return max(self.schedule.last_up_to(now), self.clocks.around(now)[0])

    def entries_due(self, since: datetime, now: datetime) -> AbstractSet[Entry]:
        """Return the entries that differ after `since`, up to `now`, without an edit.

        Files that were left out, for example because of their slug, have no entry.
        """
        documents = (self.index.documents[due.path] for due in self.schedule.between(since, now))
        due = {entry for each in documents if (entry := self.index.entry_of(each))}
        return due | self.clocks.entries_between(since, now)


def former_category(slug: str) -> str:
    """Return the key of a category among former slugs, by its slug without signs."""
    return f"{CATEGORY}/{slug}"


NO_DOCUMENTS = Snapshot({}, {}, frozenset())


def build_snapshot(
    documents: Mapping[str, Document],
    places: Places,
    assets: Iterable[str],
    previous: Snapshot | None = None,
    redirects: RedirectRules = NO_REDIRECTS,
    authors: Authors = NO_AUTHORS.authors,
    images: Images = NO_IMAGES,
    stylesheet: SiteStylesheet | None = None,
    templates: TemplateFiles = NO_TEMPLATES,
    asset_sizes: Mapping[str, int] | None = None,
    form_kinds: Collection[str] | None = None,
) -> tuple[Snapshot, tuple[Diagnostic, ...]]:
    """Build a snapshot and its diagnostics from documents by path, in directory order.

    Indexes of `previous` are reused for documents that did not change. A form of a kind is left
    out unless `form_kinds` has it, which is None for all.
    """
    index = index_documents(documents, previous.index if previous else EMPTY_INDEX)
    entries = dict(index.entries)
    forms = cast("Mapping[str, Entry[FormDeclaration]]", entries.get(FORM, {}))
    answered = {None, *(form_kinds or ())}
    kinds_of_forms = {} if form_kinds is None else {each: form_kind(forms[each]) for each in forms}
    unanswered = {name for name, kind in kinds_of_forms.items() if kind not in answered}
    if unanswered:
        entries[FORM] = {name: form for name, form in forms.items() if name not in unanswered}
    diagnostics = (*index.diagnostics, *_drop_shared_addresses(entries, places))
    posts = cast("Mapping[str, Entry[PostFields]]", entries.get(POST, {}))
    post_indexes = (
        previous.post_indexes.next_version(posts, places.locales)
        if previous
        else PostIndexesByLocale(posts, places.locales)
    )
    terms = named_terms(posts, authors, previous.terms if previous else NO_TERMS)
    for kind, named in terms.entries.items():
        entries[kind] = with_files(named, entries.get(kind, {}))
    page_types = places.kinds.page_types
    with_pages = [kind for kind in sorted(entries) if kind in page_types.by_content_type]
    claims = claimed_addresses({kind: entries[kind] for kind in with_pages}, page_types)
    kinds = dict.fromkeys((*entries, *places.kinds.content_types))
    snapshot = Snapshot(
        {kind: ObservedMapping(kind, entries.get(kind, {})) for kind in kinds},
        ObservedMapping(CITY_COUNTRY, places.cities),
        ObservedSet(ASSET, frozenset(assets)),
        schedule_of(documents, places.kinds),
        opening_clocks(entries, places.countries),
        redirects,
        claims,
        terms,
        authors,
        index,
        post_indexes,
        kept=previous.kept if previous else {},
        stylesheet=stylesheet,
        templates=templates,
        countries=places.countries,
        locales=places.locales,
        images=images,
        asset_sizes=ObservedMapping(ASSET, asset_sizes or {}),
        kinds=places.kinds.without(_absent_kinds(entries, places.kinds)),
        unanswered=unanswered,
    )
    return snapshot, (*diagnostics, *claims.diagnostics)


def _absent_kinds(
    entries: Mapping[AnyContentType, Mapping[str, Entry]], kinds: SiteKinds
) -> frozenset[AnyContentType]:
    """Return the built-in kinds without a document, a declaration, or the text of their list."""
    lists, site = kinds.page_types.lists, entries.get(SITE, {})
    return frozenset(
        kind
        for kind in OPTIONAL_KINDS
        if not (
            entries.get(kind)
            or kind.folder in kinds.by_name
            or (kind in lists and lists[kind].singleton in site)
        )
    )


def form_kind(form: Entry[FormDeclaration]) -> str | None:
    """Return what becomes of the answers to a form, None if they are an enquiry."""
    return next((each.fields.kind for each in form.documents if each.fields.kind), None)


def reserved_slugs(*, has_countries: bool, pages: PageTypes = PAGE_TYPES) -> frozenset[str]:
    """Return the slugs that no page may have, because the site has other pages there."""
    lists = (page.path.removeprefix("/") for page in pages.all if page.is_list)
    # `index` names the home page in per-format URLs. Without countries the languages are reserved,
    # because `/ar/en` is a country and a language.
    return frozenset(("index", *lists, *(() if has_countries else Language)))


def _drop_shared_addresses(
    entries: dict[AnyContentType, Mapping[str, Entry]], places: Places
) -> Iterator[Diagnostic]:
    """Drop what has a reserved address, and CMS pages at the address of a registry page."""
    has_countries = bool(places.locales.countries)
    reserved = reserved_slugs(has_countries=has_countries, pages=places.kinds.page_types)
    listed, written = entries.get(REGISTRY, {}), entries.get(PAGE, {})
    forms = entries.get(FORM, {})
    if reserved.isdisjoint((*listed, *written, *forms)) and listed.keys().isdisjoint(written):
        return
    registry, pages, forms = dict(listed), dict(written), dict(forms)
    for entries_by_slug in (registry, pages, forms):
        for slug in sorted(reserved & entries_by_slug.keys()):
            path = entries_by_slug.pop(slug).documents[0].path
            message = Text(
                "The address /{} is reserved by the site, so this file is left out.", slug
            )
            yield DiagnosticKind.RESERVED_ADDRESS.error(path, message, Text("Set another slug."))
    for slug in sorted(registry.keys() & pages.keys()):
        dropped = pages.pop(slug).documents[0]
        other = registry[slug].documents[0].path
        message = Text(
            "The address /{} is already used by {}, so this page is left out.", slug, other
        )
        yield DiagnosticKind.DUPLICATE_ADDRESS.error(
            dropped.path, message, Text("Set another slug for one of them.")
        )
    entries |= {REGISTRY: registry, PAGE: pages, FORM: forms}
