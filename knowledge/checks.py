"""The content check: what an author should know before readers find it.

Faults of single files come with the reading; here stands what shows only across files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

from knowledge import cldr
from knowledge.addresses import PAGES, entry_at, is_list, variants
from knowledge.content_path import ContentType, slugify
from knowledge.diagnostics import Diagnostic, Severity
from knowledge.documents import Document
from knowledge.inline import Reference, references
from knowledge.layers import Scope
from knowledge.links import is_external, resolve_link, route_of
from knowledge.loading import LoadedContent
from knowledge.locale import Language
from knowledge.memoize import document_cache
from knowledge.resolution import Entry
from knowledge.sections import document_sections, section_diagnostics
from knowledge.snapshot import Snapshot

_IMAGES = {"cover_image": "cover_image_alt", "image": "image_alt"}
_REQUIRED = {
    ContentType.CATEGORY: (("name", "title"),),
    ContentType.CITY: (("name",),),
    ContentType.PRODUCT: (("id",), ("sku",), ("title",), ("prices",)),
    ContentType.TESTIMONIAL: (("quote", "body"), ("customer_name", "title")),
}
"""For each kind its needs, and for each need the keys of which one must be there."""


@document_cache(512)
def _section_ids(entry: Entry, language: Language) -> frozenset[str]:
    """The anchors that a document's sections have in one language."""
    spoken = (each for each in entry.documents if each.language is language)
    return frozenset(section.id for each in spoken for section in document_sections(each))


@dataclass(frozen=True, slots=True)
class ContentLinter:
    """One pass over a snapshot at one instant."""

    snapshot: Snapshot
    now: datetime

    def diagnostics(self) -> Iterator[Diagnostic]:
        """Every finding, file by file."""
        left_out = self.snapshot.left_out
        for diagnostics in left_out.each(
            self.snapshot.by_path.values(), self._of_document, lambda pair: pair[1].path
        ):
            yield from diagnostics
        for kind in ContentType:
            for diagnostics in left_out.each(
                self.snapshot.all(kind), self._of_entry, attrgetter("path")
            ):
                yield from diagnostics
        yield from self._menu_links()
        yield from self._product_ids()

    def _of_document(self, found: tuple[Entry, Document]) -> list[Diagnostic]:
        entry, document = found
        return [
            *section_diagnostics(document),
            *self._body_links(entry, document),
            *self._images(document),
        ]

    def _of_entry(self, entry: Entry) -> list[Diagnostic]:
        return [diagnostic for rule in _RULES for diagnostic in rule(self, entry)]

    def _body_links(self, entry: Entry, document: Document) -> Iterator[Diagnostic]:
        body = document.body
        for reference in dict.fromkeys(references(body)):  # each is told once, where it is first
            line = document.body_line + body.count("\n", 0, max(0, body.find(reference.target)))
            if reference.is_image and not reference.alt.strip():
                message = f"The image {reference.target} has no alternative text."
                yield _warning(document, message, "Describe it: ![what it shows](path).", line)
            problem = self._broken(entry, document, reference)
            if problem:
                yield _warning(document, problem, "Correct the path, or remove the link.", line)

    def _broken(self, entry: Entry, document: Document, reference: Reference) -> str | None:
        """What is wrong with a link, if anything."""
        target, _, anchor = reference.target.partition("#")
        if not target:
            return self._broken_anchor(entry, document, anchor)
        if is_external(target):
            return None
        found = resolve_link(self.snapshot, document.path, target)
        if found is None:
            what = "image" if reference.is_image else "link"
            return f"The {what} {reference.target} leads nowhere."
        if isinstance(found, str):
            return None
        locales = variants(self.snapshot, found, self.now).locales
        if not any(locale.language is document.language for locale in locales):
            return f"The link {reference.target} leads to a page that is not published."
        linked = entry_at(self.snapshot, found) if anchor and not is_list(found) else None
        return self._broken_anchor(linked, document, anchor) if linked else None

    def _broken_anchor(self, entry: Entry, document: Document, anchor: str) -> str | None:
        if not anchor or entry.kind is ContentType.POST:
            return None
        ids = _section_ids(entry, document.language)
        return None if anchor in ids else f"The anchor #{anchor} is on no section of that page."

    def _images(self, document: Document) -> Iterator[Diagnostic]:
        for name, alt in _IMAGES.items():
            image = document.metadata.get(name)
            if not image or is_external(image):
                continue
            if not isinstance(resolve_link(self.snapshot, document.path, image), str):
                message = f"{_key(name)}: the image {image} is not there."
                yield _warning(document, message, "Correct the path, or add the file.")
            elif alt not in document.metadata:
                message = f"{_key(name)} has no alternative text."
                yield _warning(document, message, f"Add {_key(alt)}.")

    def _menu_links(self) -> Iterator[Diagnostic]:
        entry = self.snapshot.entry(ContentType.SITE, "navigation")
        for document in entry.documents if entry else ():
            columns = document.metadata.get("footer_columns", ())
            links = [link for column in columns for link in column.get("links") or ()]
            for link in (*document.metadata.get("header_links", ()), *links):
                href = link.get("href", "")
                if not is_external(href) and not resolve_link(self.snapshot, "", href):
                    message = f"The menu entry {href or link.get('id')} leads nowhere."
                    yield _warning(document, message, "Correct its href.")

    def _product_ids(self) -> Iterator[Diagnostic]:
        taken: dict[int, str] = {}
        for entry in self.snapshot.all(ContentType.PRODUCT):
            document = entry.documents[0]
            number = document.metadata.get("id")
            first = taken.setdefault(number, document.path) if number else document.path
            if first != document.path:
                message = f"The product id {number} is taken by {first}."
                yield _warning(document, message, "Give it a number of its own.")

    def languages(self, entry: Entry) -> Iterator[Diagnostic]:
        """A language in which a page is missing."""
        address = route_of(entry)
        if address is None:
            return
        found = variants(self.snapshot, address, self.now).locales
        spoken = {locale.language for locale in found}
        for language in Language:
            written = any(language in (d.language, d.layer.language) for d in entry.documents)
            if spoken and language not in spoken and not written:
                message = f"There is no text in {_LANGUAGE_NAMES[language]}."
                suggestion = f"Add {entry.slug}.{language}.md beside it."
                yield _notice(entry.documents[0], message, suggestion)

    def schedule(self, entry: Entry) -> Iterator[Diagnostic]:
        """What is published or withdrawn later, and when."""
        for document in entry.documents:
            for name, verb in (("published_at", "published"), ("unpublish_at", "withdrawn")):
                moment = document.metadata.get(name)
                if moment is not None and moment > self.now:
                    message = f"It is {verb} on {moment:%Y-%m-%d at %H:%M} UTC."
                    yield _notice(document, message, "Nothing to do.")

    def base(self, entry: Entry) -> Iterator[Diagnostic]:
        """Layers that override nothing."""
        scopes = {document.layer.scope for document in entry.documents}
        if Scope.GLOBAL not in scopes and entry.kind is not ContentType.POST:
            message = f"The layer {entry.documents[0].layer} overrides nothing."
            yield _warning(entry.documents[0], message, f"Add {entry.slug}.md, or rename it.")

    def required(self, entry: Entry) -> Iterator[Diagnostic]:
        """Fields without which a document cannot be shown."""
        present = {name for document in entry.documents for name in document.metadata}
        if any(document.has_body for document in entry.documents):
            present.add("body")
        for names in _REQUIRED.get(entry.kind, (("title",),) if entry.kind in PAGES else ()):
            if present.isdisjoint(names):
                yield _warning(entry.documents[0], f"{_key(names[0])} is missing.", "Add it.")

    def references(self, entry: Entry) -> Iterator[Diagnostic]:
        """Slugs in front matter that name no document."""
        for document in entry.documents:
            named = [("category", ContentType.CATEGORY, [document.metadata.get("category") or ""])]
            if entry.kind is ContentType.CITY:
                named.append(
                    ("industries", ContentType.INDUSTRY, document.metadata.get("industries", []))
                )
            for key, kind, slugs in named:
                for slug in slugs:
                    if slug and not self._names(kind, slug):
                        message = f"{key}: there is no {kind.singular} “{slug}”."
                        yield _warning(document, message, f"Add {kind}/{slugify(slug)}.md.")

    def _names(self, kind: ContentType, slug: str) -> bool:
        found = self.snapshot.entry(kind, slugify(slug))
        return found is not None

    def prices(self, entry: Entry) -> Iterator[Diagnostic]:
        """Amounts with more or fewer decimals than their currency has."""
        for document in entry.documents:
            for code, amount in document.metadata.get("prices", {}).items():
                digits = cldr.currency_digits(code)
                if -amount.as_tuple().exponent != digits:
                    message = f"prices: {code} {amount} does not have {digits} decimals."
                    yield _warning(document, message, "Write the amount in full.")


_RULES: tuple[Callable[[ContentLinter, Entry], Iterator[Diagnostic]], ...] = (
    ContentLinter.languages,
    ContentLinter.schedule,
    ContentLinter.base,
    ContentLinter.required,
    ContentLinter.references,
    ContentLinter.prices,
)
_LANGUAGE_NAMES = {Language.EN: "English", Language.AR: "Arabic"}


def check_content(loaded: LoadedContent, now: datetime) -> list[Diagnostic]:
    """All faults of a reading, its files' own and those across files, by place."""
    return by_place({*loaded.diagnostics, *ContentLinter(loaded.snapshot, now).diagnostics()})


def by_place(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Faults in the order in which an author goes through them."""
    return sorted(
        diagnostics, key=lambda diagnostic: (diagnostic.path, diagnostic.line, diagnostic.message)
    )


def _key(name: str) -> str:
    """A field as authors write it."""
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def _warning(document: Document, message: str, suggestion: str, line: int = 1) -> Diagnostic:
    return Diagnostic(document.path, message, suggestion, line, Severity.WARNING)


def _notice(document: Document, message: str, suggestion: str) -> Diagnostic:
    return Diagnostic(document.path, message, suggestion, 1, Severity.NOTICE)
