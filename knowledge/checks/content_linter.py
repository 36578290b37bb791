"""The content linter: problems that show only across files.

Problems of single files are found when the content is loaded.
"""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from difflib import get_close_matches
from itertools import chain
from operator import attrgetter

from pydantic.alias_generators import to_camel

from knowledge.addresses.addresses import (
    Address,
    entry_at,
    is_visible,
    resolutions,
    route_of,
    split_locale,
    variants,
)
from knowledge.addresses.links import current_fragment, is_external, resolve_link
from knowledge.checks.body_checks import (
    failed_markdown,
    missing_ids,
    removed_html,
    translations,
    unclear_address,
    unclear_addresses,
    unreadable_formulas,
)
from knowledge.checks.form_checks import form_diagnostics
from knowledge.checks.rich_results import (
    lacking,
    rich_results,
    unmarked,
    unmarked_document,
)
from knowledge.checks.site_checks import redirect_diagnostics, theme_diagnostics, word_diagnostics
from knowledge.diagnostics.diagnostic import Diagnostic, Severity
from knowledge.diagnostics.diagnostic import DiagnosticKind as Kind
from knowledge.diagnostics.messages import Text, one_of
from knowledge.documents.body_opening import name_in_words
from knowledge.documents.document import Document, place_of_keys
from knowledge.fields.content_types import (
    COUNTRY,
    HOME,
    KIND,
    NAVIGATION,
    POST,
    PRODUCT,
    SETTINGS,
    TESTIMONIAL,
)
from knowledge.fields.front_matter import Fields
from knowledge.fields.kind_fields import FieldDeclaration, schema_org
from knowledge.fields.own_fields import further_fields, own_fields
from knowledge.fields.settings_fields import PlainLinkFields
from knowledge.fields.trade_values import Offer
from knowledge.locales import cldr
from knowledge.locales.locale import Language, Locale, Scope
from knowledge.markdown.inline import Reference, references
from knowledge.markdown.raw_html import LINK_SCHEMES
from knowledge.markdown.slugs import slugify
from knowledge.resources.entry_queries import wrong_options
from knowledge.resources.listing import private_path
from knowledge.resources.own_values import local_amount
from knowledge.sections.section_type import ENTRIES_SECTION
from knowledge.sections.sections import document_sections, section_diagnostics, unknown_places
from knowledge.sections.types.texts import QUOTED
from knowledge.snapshot.layer_resolution import Entry
from knowledge.snapshot.loading import LoadedContent
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView

_Problem = tuple[Kind, Text]
"""The kind and the message of a diagnostic."""


@dataclass(frozen=True, slots=True)
class ContentLinter:
    """Checks documents of a snapshot at one instant: those at some paths, by default all."""

    snapshot: Snapshot
    now: datetime
    paths: Container[str] | None = None

    def diagnostics(self) -> Iterator[Diagnostic]:
        """Yield all diagnostics."""
        left_out, by_path = self.snapshot.left_out, self.snapshot.by_path
        checked = [by_path[each] for each in by_path if self.paths is None or each in self.paths]
        entries = dict.fromkeys(entry for entry, _ in checked)
        of_documents = left_out.each(checked, self._of_document, lambda pair: pair[1].path)
        of_entries = left_out.each(entries, self.of_entry, attrgetter("path"))
        yield from chain.from_iterable(chain(of_documents, of_entries))
        for path in self.snapshot.assets:
            yield from unclear_address(path, path)
        yield from self._menu_links()
        yield from self._home_blocks()
        yield from self._product_ids()
        yield from self._vat_rates()
        yield from self._company()
        yield from self._specification_names()
        yield from self._undated_posts()
        yield from redirect_diagnostics(self.snapshot, self.now)
        yield from theme_diagnostics(self.snapshot)
        yield from word_diagnostics(self.snapshot)

    def _of_document(self, pair: tuple[Entry, Document]) -> list[Diagnostic]:
        entry, document = pair
        return [
            *section_diagnostics(document),
            *self._body_links(entry, document),
            *self._images(document),
            *removed_html(document),
            *failed_markdown(document),
            *unclear_addresses(document),
            *unreadable_formulas(document),
        ]

    def of_entry(self, entry: Entry) -> list[Diagnostic]:
        """Return the diagnostics of one document with all its layers, without those of bodies."""
        if entry.is_named_only:
            return []
        return [diagnostic for rule in _RULES for diagnostic in rule(self, entry)]

    def _body_links(self, entry: Entry, document: Document) -> Iterator[Diagnostic]:
        body = document.body
        for reference in dict.fromkeys(references(body)):  # report each target once
            place = _place(document, body, reference)
            is_icon = f"**![]({reference.target}) " in body  # the words of the term say it
            if reference.is_image and not reference.alt.strip() and not is_icon:
                message = Text("The image {} has no alternative text.", reference.target)
                suggestion = Text("Describe it: ![description](path).")
                yield Kind.MISSING_ALT_TEXT.warning(document.path, message, suggestion, *place)
            locale, below = split_locale(reference.target)
            if locale and self._exists(document, locale, below):
                if document.layer.country in (None, locale.country):
                    message = Text(
                        "The link {} leads all readers to {}.", reference.target, locale.tag
                    )
                    advice = Text("Leave out the locale: {}.", below)
                    yield Kind.BROKEN_LINK.notice(document.path, message, advice, place[0])
                continue
            problem = self._broken(entry, document, reference)
            if problem:
                kind, message = problem
                advice = _HEADINGS_ONLY if kind is Kind.BROKEN_ANCHOR else _CORRECT
                yield kind.warning(document.path, message, advice, *place)

    def _exists(self, document: Document, locale: Locale, below: str) -> bool:
        """Return whether a page is published in a locale that a link names."""
        address = resolve_link(self.snapshot, document.path, below.partition("#")[0])
        return isinstance(address, Address) and is_visible(self.snapshot, address, locale, self.now)

    def _broken(self, entry: Entry, document: Document, reference: Reference) -> _Problem | None:
        """Return what is wrong with a link or image, or None."""
        target, _, anchor = reference.target.partition("#")
        if not target:
            return self._broken_anchor(entry, document, anchor)
        if is_external(target):
            scheme = _SCHEME.match(target)
            is_shown = scheme is None or scheme[1].lower() in LINK_SCHEMES
            message = Text("The link {} has a scheme that pages do not link.", reference.target)
            return None if is_shown or reference.is_image else (Kind.UNLINKED_SCHEME, message)
        resolved = resolve_link(self.snapshot, document.path, target)
        if resolved is None:
            image = Kind.BROKEN_IMAGE, Text("Broken image: {} does not exist.", reference.target)
            link = Kind.BROKEN_LINK, Text("Broken link: {} does not exist.", reference.target)
            return image if reference.is_image else link
        if isinstance(resolved, str):
            return None
        locales = resolutions(self.snapshot, resolved, self.now)  # also those of a fallback
        if not any(locale.language is document.language for locale in locales):
            language = _LANGUAGE_NAMES[document.language]
            message = Text("Broken link: {} is not published in {}.", reference.target, language)
            return Kind.UNPUBLISHED_LINK, message
        linked = entry_at(self.snapshot, resolved) if anchor and not resolved.page.is_list else None
        return self._broken_anchor(linked, document, anchor) if linked else None

    def _broken_anchor(self, entry: Entry, document: Document, anchor: str) -> _Problem | None:
        if not anchor or current_fragment(entry, document.language, anchor) is not None:
            return None
        return Kind.BROKEN_ANCHOR, Text("Broken anchor: the page has no heading #{}.", anchor)

    def _images(self, document: Document) -> Iterator[Diagnostic]:
        yield from self._images_in(document.fields, document, "")
        for name, number, record in _records(document.fields):
            yield from self._images_in(record, document, f"{to_camel(name)}.{number}.")

    def _images_in(self, fields: Fields, document: Document, place: str) -> Iterator[Diagnostic]:
        declared = own_fields(type(fields)).values()
        bare = [
            each.attribute for each in declared if each.type == "image" and not each.alternative
        ]
        bare += ["icon"] if "icon" in fields.field_names else []
        for name, alt in (fields.images() | dict.fromkeys(bare, "")).items():
            image: str | None = getattr(fields, name)
            if not image or is_external(image):
                continue
            key = f"{place}{to_camel(name)}"
            if not isinstance(resolve_link(self.snapshot, document.path, image), str):
                message = Text("{}{}: the image {} does not exist.", place, to_camel(name), image)
                suggestion = Text("Correct the path, or add the file.")
                yield Kind.BROKEN_IMAGE.warning(document.path, message, suggestion, key=key)
            elif alt and getattr(fields, alt) is None:
                message = Text("{}{} has no alternative text.", place, to_camel(name))
                suggestion = Text("Add {}{}.", place, to_camel(alt))
                yield Kind.MISSING_ALT_TEXT.warning(document.path, message, suggestion, key=key)

    def _menu_links(self) -> Iterator[Diagnostic]:
        entry = self.snapshot.singleton(NAVIGATION)
        for document in entry.documents if entry else ():
            columns = document.fields.footer_columns or ()
            links: list[PlainLinkFields] = [
                link for column in columns for link in column.links or ()
            ]
            for each in document.fields.header_links or ():
                links += each.links or ()
                if each.href or not each.links:
                    links.append(each)
            announcement = document.fields.announcement
            if announcement and announcement.href:
                links.append(announcement)
            names = (each.id or next(iter((each.label or {}).values()), "") for each in links)
            entries = [(each.href or "", name) for each, name in zip(links, names, strict=True)]
            action = document.fields.action
            for href, name in [*entries, *([(action, "")] if action else ())]:
                if not is_external(href) and not resolve_link(self.snapshot, "", href):
                    message = Text("Broken link in the menu entry {}.", href or name)
                    yield Kind.BROKEN_MENU_LINK.warning(
                        document.path, message, Text("Correct its href.")
                    )

    def _home_blocks(self) -> Iterator[Diagnostic]:
        """Report blocks of the home page with kinds that nobody declares."""
        entry, declared = self.snapshot.singleton(HOME), self.snapshot.kinds.declared
        names = {kind.name for kind in declared}
        for document in entry.documents if entry else ():
            for block in document.fields.kinds or ():
                if block.kind not in names:
                    message = Text("The home page names the unknown kind “{}”.", block.kind)
                    others = Text("use one of {}, or ", sorted(names)) if names else ""
                    advice = Text("Remove it, {}declare it in _kinds/.", others)
                    place = document.path, message, advice
                    yield Kind.UNKNOWN_REFERENCE.warning(*place, key="kinds")

    def _company(self) -> Iterator[Diagnostic]:
        """Report what search engines require of the company of the site, and the settings lack."""
        entry = self.snapshot.singleton(SETTINGS)
        settings = [each.fields for each in entry.documents] if entry else []
        companies = filter(None, (each.site_settings for each in settings))
        has = {"name", *("address" for each in companies if each.office_address)}
        for type_ in filter(None, (each.schema_type for each in settings)):
            for name, source in lacking(type_, frozenset(has)):
                message = Text("schemaType: Google requires {} of {}.", name, type_)
                advice = Text("Add officeAddress to siteSettings. See {}.", source)
                place = entry.path if entry else "", message, advice
                yield Kind.MISSING_MARKUP.notice(*place, key="schemaType")

    def _specification_names(self) -> Iterator[Diagnostic]:
        """Report names of specifications that differ from earlier ones in case or plural only."""
        first: dict[str, tuple[str, str]] = {}
        for entry in self.snapshot.all(PRODUCT):
            for document in entry.documents:
                for spec in document.fields.specs or ():
                    for name in (spec.name or {}).values():
                        known, path = first.setdefault(
                            name.casefold().removesuffix("s"), (name, document.path)
                        )
                        if name != known:
                            message = Text("specs: “{}” is “{}” in {}.", name, known, path)
                            advice = Text("Give it one name: comparisons have a row for each.")
                            place = document.path, message, advice
                            yield Kind.SIMILAR_NAMES.notice(*place, key="specs")

    def _undated_posts(self) -> Iterator[Diagnostic]:
        """Report once how many posts have no date, of a file or of a commit."""
        undated = [
            entry
            for entry in self.snapshot.all(POST)
            if all(document.fields.published_at is None for document in entry.documents)
        ]
        if undated:
            message = Text(
                "Posts without a date: {}. They come last in lists, by name.", len(undated)
            )
            suggestion = Text("Write publishedAt into them, or keep them in Git.")
            yield Kind.UNDATED_POSTS.notice(undated[0].documents[0].path, message, suggestion)

    def _product_ids(self) -> Iterator[Diagnostic]:
        first_paths: dict[int, str] = {}
        for entry in self.snapshot.all(PRODUCT):
            document = entry.documents[0]
            number = document.fields.id
            first = first_paths.setdefault(number, document.path) if number else document.path
            if first != document.path:
                message = Text("The product id {} is already used by {}.", number, first)
                yield Kind.DUPLICATE_PRODUCT_ID.warning(
                    document.path, message, Text("Set another id."), key="id"
                )

    def _vat_rates(self) -> Iterator[Diagnostic]:
        """Report the countries without a rate of VAT on a site that has prices."""
        products = (each for entry in self.snapshot.all(PRODUCT) for each in entry.documents)
        if not any(document.fields.prices for document in products):
            return
        for entry in self.snapshot.all(COUNTRY):
            fields = [document.fields for document in entry.documents]
            if all(each.vat_rate is None and each.enabled is not False for each in fields):
                message = Text("The country has no vatRate, so prices say nothing of VAT.")
                advice = Text(
                    'Add vatRate: "15" with its rate in percent, or "0" if it has no VAT.'
                )
                yield Kind.MISSING_VAT_RATE.notice(entry.path, message, advice)

    def languages(self, entry: Entry) -> Iterator[Diagnostic]:
        """Report the language in which a page has no text."""
        address = route_of(self.snapshot, entry)
        if address is None:
            return
        locales = variants(self.snapshot, address, self.now).locales
        published = {locale.language for locale in locales}
        for language in self.snapshot.locales.languages:
            has_file = any(language in (d.language, d.layer.language) for d in entry.documents)
            if published and language not in published and not has_file:
                message = Text("The page has no {} text.", _LANGUAGE_NAMES[language])
                suggestion = Text("Add {}.{}.md to the same folder.", entry.slug, language)
                yield Kind.MISSING_TRANSLATION.notice(entry.path, message, suggestion)

    def privacy(self, entry: Entry) -> Iterator[Diagnostic]:
        """Report a page at a path that is private."""
        address = route_of(self.snapshot, entry)
        private = private_path(self.snapshot, address.path) if address else None
        if address and private:
            names = address.path, private
            message = Text("No map and no search has {}, because {} is a private path.", *names)
            advice = Text("Set another slug, or privatePaths without it in site/settings.md.")
            yield Kind.PRIVATE_ADDRESS.warning(entry.path, message, advice)

    def translations(self, entry: Entry) -> Iterator[Diagnostic]:
        """Report translations that are older than their original, or lack its section ids."""
        for original, translation in translations(entry):
            before, after = translation.fields.updated_at, original.fields.updated_at
            if before and after and before < after:
                of = before.date(), original.path, after.date()
                message = Text("The translation is of {}, {} of {}.", *of)
                suggestion = Text("Translate what has changed, and set updatedAt.")
                place = translation.path, message, suggestion
                yield Kind.OUTDATED_TRANSLATION.notice(*place, key="updatedAt")
            for missing in missing_ids(original, translation) if entry.kind.has_sections else ():
                message = Text(
                    "The section has no id; in {} it is “{}”.", original.path, missing.id
                )
                suggestion = Text("Add {}, or run majlis check --fix.", missing.text)
                path, line = translation.path, missing.line
                yield Kind.MISSING_SECTION_ID.notice(path, message, suggestion, line)

    def testimonials(self, entry: Entry) -> Iterator[Diagnostic]:
        """Report quotations of testimonials that do not exist."""
        for document in entry.documents if entry.kind.has_sections else ():
            for section in document_sections(document):
                slug = section.options.get(QUOTED, "")
                if slug and self.snapshot.entry(TESTIMONIAL, slugify(slug)) is None:
                    message = Text("The section names the unknown testimonial “{}”.", slug)
                    suggestion = Text("Correct it, or add testimonials/{}.md.", slugify(slug))
                    line = document.file_line(section.line)
                    yield Kind.UNKNOWN_REFERENCE.warning(document.path, message, suggestion, line)

    def forms(self, entry: Entry) -> Iterator[Diagnostic]:
        """Report forms whose fields do not fit together, and unknown forms in sections."""
        yield from form_diagnostics(self.snapshot, entry, self.now)

    def lists(self, entry: Entry) -> Iterator[Diagnostic]:
        """Report what the lists in sections ask for that the site does not have."""
        view = ContentView(self.snapshot, self.snapshot.default_locale, self.now, "")
        for document in entry.documents if entry.kind.has_sections else ():
            listed = (each for each in document_sections(document) if each.type == ENTRIES_SECTION)
            for section in listed:
                for name, value, allowed in wrong_options(view, section):
                    message = Text("{}: “{}” is not allowed.", name, value)
                    advice = one_of(value, allowed)
                    line = _line_of_option(document, section.line, name.partition(".")[0])
                    yield Kind.UNKNOWN_REFERENCE.warning(document.path, message, advice, line)

    def places(self, entry: Entry) -> Iterator[Diagnostic]:
        """Report sections that are placed beside one that their page does not have."""
        for document in entry.documents if entry.kind.has_sections else ():
            for section, beside in unknown_places(entry, document):
                message = Text(
                    "The section “{}” names “{}”, which the page lacks.", section.id, beside
                )
                suggestion = Text("Write the id of another section after :after: or :before:.")
                line = document.file_line(section.line)
                yield Kind.UNKNOWN_SECTION_ID.warning(document.path, message, suggestion, line)

    def named(self, entry: Entry) -> Iterator[Diagnostic]:
        """Report templates that the site does not have, and what schema.org does not have."""
        for document in entry.documents:
            template = document.fields.template
            known = self.snapshot.templates.texts
            if template and template != "default" and f"{template}.html" not in known:
                message = Text("template: there is no file _templates/{}.html.", template)
                advice = Text("Add it, or remove the key; the API has it as it is.")
                yield Kind.UNKNOWN_REFERENCE.notice(document.path, message, advice, key="template")
            name = getattr(document.fields, "schema_type", None)
            if name and name not in schema_org("types"):
                near = get_close_matches(name, schema_org("types"))
                message = Text("schemaType: schema.org has no type “{}”.", name)
                advice = Text("Use a type such as {}, or remove the key.", near or "Service")
                place = document.path, message, advice
                yield Kind.UNKNOWN_REFERENCE.warning(*place, key="schemaType")
            declared = getattr(document.fields, "fields", None) if entry.kind == KIND else None
            for key, name in _schema_properties(declared or {}):
                if name not in schema_org("properties"):
                    near = get_close_matches(name, schema_org("properties"))
                    message = Text("schemaProperty: schema.org has no property “{}”.", name)
                    advice = Text("Use a property such as {}, or remove the key.", near or "about")
                    yield Kind.UNKNOWN_REFERENCE.warning(document.path, message, advice, key=key)

    def rich_results(self, entry: Entry) -> Iterator[Diagnostic]:
        """Report what search engines require, and a declaration or a document lacks."""
        if entry.kind == KIND and (kind := self.snapshot.kinds.by_name.get(entry.slug)):
            document, line = place_of_keys(entry.documents, ("schemaType",))
            for message, advice in unmarked(kind):
                yield Kind.MISSING_MARKUP.notice(document.path, message, advice, line)
        own = self.snapshot.kinds.by_name.get(entry.kind.folder)
        is_list = own and own.content_type.is_nested and entry.slug == own.name
        if own and own.schema_type in rich_results() and not is_list:
            locales = self.snapshot.open_locales
            views = (ContentView(self.snapshot, each, self.now, "") for each in locales)
            for message, advice in unmarked_document(views, own, entry.slug):
                yield Kind.MISSING_MARKUP.notice(entry.path, message, advice)

    def schedule(self, entry: Entry) -> Iterator[Diagnostic]:
        """Report documents that will be published or withdrawn later."""
        for document in entry.documents:
            fields = document.fields
            published, withdrawn = Text("published"), Text("withdrawn")
            moments = {published: "published_at", withdrawn: "unpublish_at"}
            for verb, name in moments.items():
                moment: datetime | None = getattr(fields, name)
                if moment is not None and moment > self.now:
                    at = moment.astimezone(UTC)
                    message = Text("Scheduled: {} on {} at {:%H:%M} UTC.", verb, at.date(), at)
                    place = document.path, message, Text("No action needed.")
                    yield Kind.SCHEDULED.notice(*place, key=to_camel(name))

    def base(self, entry: Entry) -> Iterator[Diagnostic]:
        """Report overrides without a base document."""
        scopes = {document.layer.scope for document in entry.documents}
        if Scope.GLOBAL not in scopes and entry.kind.needs_base:
            message = Text("This override has no base document.")
            suggestion = Text("Add {}.md, or rename this file.", entry.slug)
            yield Kind.MISSING_BASE.warning(entry.path, message, suggestion)

    def required(self, entry: Entry) -> Iterator[Diagnostic]:
        """Report missing required fields."""
        for names in entry.kind.required:
            if not any(_has(document, name) for document in entry.documents for name in names):
                document, message = entry.documents[0], Text("{} is missing.", to_camel(names[0]))
                yield Kind.MISSING_FIELD.warning(document.path, message, Text("Add it."))

    def required_prices(self, entry: Entry) -> Iterator[Diagnostic]:
        """Report required prices that readers in some countries do not have."""
        required = [each for each in further_fields(entry.kind.fields) if each.declaration.required]
        for field in (each for each in required if each.type in ("money", "offer")):
            lacks: dict[str, None] = {}
            for locale in self.snapshot.open_locales:
                view = ContentView(self.snapshot, locale, self.now, "")
                resolved = view.resolve_entry(entry)
                value = getattr(resolved.fields, field.attribute) if resolved else None
                amounts = value.lowest if isinstance(value, Offer) else value
                amount, currency = local_amount(view, amounts or {})
                if amounts and amount is None and locale.country:
                    lacks[f"{locale.country} ({currency})"] = None
            if lacks:
                message = Text("{}: readers in {} see no price.", field.key, tuple(lacks))
                advice = Text("Add the amounts, or name the other countries in countries.")
                yield Kind.MISSING_FIELD.notice(entry.path, message, advice, key=field.key)

    def references(self, entry: Entry) -> Iterator[Diagnostic]:
        """Report slugs in front matter for which no document exists."""
        for name, reference in entry.kind.fields.references.items():
            kind = self.snapshot.content_types.named(reference.folder)
            for document in entry.documents:
                value: str | list[str] | None = getattr(document.fields, name)
                for slug in filter(None, [value] if isinstance(value, str) else value or ()):
                    if self.snapshot.entry(kind, slugify(slug)) is None:
                        message = Text("{}: unknown {} “{}”.", to_camel(name), kind.singular, slug)
                        suggestion = Text("Correct it, or add {}/{}.md.", kind, slugify(slug))
                        place = document.path, message, suggestion
                        yield Kind.UNKNOWN_REFERENCE.warning(*place, key=to_camel(name))

    def countries(self, entry: Entry) -> Iterator[Diagnostic]:
        """Report countries in front matter that the site does not have."""
        own = self.snapshot.countries
        for document in entry.documents if own else ():
            for country in document.fields.countries or ():
                if country not in own:
                    message = Text("countries: the site has no country {}.", country)
                    suggestion = Text("Remove it, or add countries/{}.md.", country.slug)
                    place = document.path, message, suggestion
                    yield Kind.UNKNOWN_REFERENCE.warning(*place, key="countries")

    def replacements(self, entry: Entry) -> Iterator[Diagnostic]:
        """Report products that replace each other in a circle."""
        for document in entry.documents if entry.kind == PRODUCT else ():
            seen: list[str] = []
            slug = _replaced_by(document)
            while slug and slugify(slug) not in seen:
                seen.append(slugify(slug))
                other = self.snapshot.entry(PRODUCT, seen[-1])
                slugs = map(_replaced_by, other.documents if other else ())
                slug = next(filter(None, slugs), None)
            if entry.slug in seen:
                circle = " → ".join((entry.slug, *seen[: seen.index(entry.slug) + 1]))
                message = Text("replacedBy: the products replace each other: {}.", circle)
                suggestion = Text("Remove it from the product that is still sold.")
                place = document.path, message, suggestion
                yield Kind.CIRCULAR_REPLACEMENT.warning(*place, key="replacedBy")

    def prices(self, entry: Entry) -> Iterator[Diagnostic]:
        """Report amounts with more or fewer decimals than their currency has.

        Fewer are as exact but for products, which partners read as they are written.
        """
        for document in entry.documents:
            for key, code, amount in _amounts(document.fields):
                digits, written = cldr.currency_digits(code), -int(amount.as_tuple().exponent)
                if written > digits or (written < digits and entry.kind == PRODUCT):
                    values = key, code, amount, digits
                    message = Text("{}: {} {} must have {} decimals.", *values)
                    yield Kind.WRONG_DECIMALS.warning(
                        document.path, message, Text("Add or remove decimals."), key=key
                    )


_RULES: tuple[Callable[[ContentLinter, Entry], Iterator[Diagnostic]], ...] = (
    ContentLinter.languages,
    ContentLinter.privacy,
    ContentLinter.translations,
    ContentLinter.places,
    ContentLinter.testimonials,
    ContentLinter.forms,
    ContentLinter.lists,
    ContentLinter.named,
    ContentLinter.rich_results,
    ContentLinter.schedule,
    ContentLinter.base,
    ContentLinter.required,
    ContentLinter.required_prices,
    ContentLinter.references,
    ContentLinter.countries,
    ContentLinter.replacements,
    ContentLinter.prices,
)
_CORRECT = Text("Correct the path, or remove it.")
_HEADINGS_ONLY = Text(
    "Use the id of a heading; ids of pictures, paragraphs and words are left out."
)
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_LANGUAGE_NAMES = {Language.EN: Text("English"), Language.AR: Text("Arabic")}


def check_content(
    loaded: LoadedContent, now: datetime, paths: Container[str] | None = None
) -> list[Diagnostic]:
    """Return all diagnostics, those from loading and those across files, sorted by location."""
    found = ContentLinter(loaded.snapshot, now, paths).diagnostics()
    return by_place(_causes(loaded.diagnostics, found))


_OF_KINDS = (Kind.BROKEN_LINK, Kind.UNKNOWN_REFERENCE, Kind.INVALID_FORM)
"""What a page cannot have while the declaration of a kind cannot be read."""


def _causes(loaded: Iterable[Diagnostic], found: Iterable[Diagnostic]) -> set[Diagnostic]:
    """Return the diagnostics without those that follow from a file that cannot be read."""
    read = {*loaded}
    unread = {_stem(each.path) for each in read if each.severity is Severity.ERROR}
    lacks_kind = any(each.startswith(f"{KIND}/") for each in unread)
    folders = {
        each
        for each in read
        if each.kind is Kind.UNKNOWN_FOLDER and f"{KIND}/{each.path.partition('/')[0]}" in unread
    }
    own = {
        each
        for each in found
        if _stem(each.path) not in unread and not (lacks_kind and each.kind in _OF_KINDS)
    }
    return (read - folders) | own


def _stem(path: str) -> str:
    """Return a path without the suffixes of its layer."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{name.partition('.')[0]}"


def by_place(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sort diagnostics by path, line and message."""
    return sorted(
        diagnostics, key=lambda diagnostic: (diagnostic.path, diagnostic.line, diagnostic.message)
    )


def _amounts(fields: Fields) -> Iterator[tuple[str, str, Decimal]]:
    """Yield the amounts in a document, each with its key and currency."""
    for field in own_fields(type(fields)).values():
        value = getattr(fields, field.attribute)
        ends = {field.key: value} if field.type == "money" else {}
        if isinstance(value, Offer):
            names = ("amount", "least", "most")
            ends = {f"{field.key}.{name}": getattr(value, name) for name in names}
        for key, amounts in ends.items():
            yield from ((key, code, amount) for code, amount in (amounts or {}).items())
    for name, number, record in _records(fields):
        for key, code, amount in _amounts(record):
            yield f"{to_camel(name)}.{number}.{key}", code, amount


def _records(fields: Fields) -> Iterator[tuple[str, int, Fields]]:
    """Yield the records of a document, each with its field and number."""
    for name in fields.field_names:
        value = getattr(fields, name)
        for number, each in enumerate(value if isinstance(value, list) else ()):
            if isinstance(each, Fields):
                yield name, number, each


def _schema_properties(
    fields: Mapping[str, FieldDeclaration], above: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield the properties of schema.org that fields and those of their records have, by key."""
    for name, each in fields.items():
        place = f"{above}fields.{name}."
        if each.schema_property:
            yield f"{place}schemaProperty", each.schema_property
        yield from _schema_properties(each.fields or {}, place)


def _replaced_by(document: Document) -> str | None:
    slug: str | None = getattr(document.fields, "replaced_by", None)
    return slug


def _has(document: Document, name: str) -> bool:
    """Return whether a document sets a field, has a `body`, or a file name that is its `title`.

    Notes of a vault have such names: `Opening hours.md`, in contrast to `opening-hours.md`.
    """
    if name == "body":
        return document.has_body
    is_name = name == "title" and name_in_words(document.name) == document.name
    return is_name or getattr(document.fields, name) is not None


def _place(document: Document, body: str, reference: Reference) -> tuple[int, int]:
    """Return line and column of a link's target in the file, from 1."""
    position = max(0, body.find(reference.target))
    line = document.file_line(body.count("\n", 0, position) + 1)
    return line, position - body.rfind("\n", 0, position)


def _line_of_option(document: Document, start: int, option: str) -> int:
    """Return the line in the file of an option of the section that starts at a line of the body."""
    below = enumerate(document.body.split("\n")[start - 1 :], start)
    lines = (line for line, text in below if text.lstrip().startswith(f":{option}:"))
    return document.file_line(next(lines, start))
