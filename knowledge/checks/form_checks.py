"""Checks of forms: whether their fields fit together, and sections name forms that exist."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import chain
from typing import cast, get_args

from pydantic.alias_generators import to_camel

from knowledge.addresses.links import is_external, resolve_link
from knowledge.checks.form_entries import address_faults, entry_faults
from knowledge.diagnostics.diagnostic import Diagnostic
from knowledge.diagnostics.diagnostic import DiagnosticKind as Kind
from knowledge.diagnostics.messages import Text
from knowledge.documents.document import place_of_keys
from knowledge.fields.blog_fields import BlogFields
from knowledge.fields.content_types import BLOG, FORM
from knowledge.fields.form_fields import (
    FILE_MEGABYTES,
    LIMITED,
    PLACEHOLDER,
    FormDeclaration,
    InputDeclaration,
    InputType,
    has_crossed_limits,
    lead_field,
    limit_field,
    limit_type,
)
from knowledge.fields.form_kinds import FORM_KINDS
from knowledge.fields.kind_faults import Fault
from knowledge.fields.merging import merge
from knowledge.locales.locale import Locale
from knowledge.resources.forms import CONTACT_NAME, entries_from, site_form
from knowledge.resources.page_sections import form_name
from knowledge.sections.section_type import FORM_SECTION
from knowledge.sections.sections import document_sections
from knowledge.snapshot.layer_resolution import Entry
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView

MOST_MEGABYTES = 25
"""The most megabytes of all files of one form."""


def form_diagnostics(snapshot: Snapshot, entry: Entry, now: datetime) -> Iterator[Diagnostic]:
    """Yield what is wrong with a form, and sections that name a form which does not exist."""
    if entry.kind == FORM:
        yield from _of_declaration(snapshot, cast("Entry[FormDeclaration]", entry), now)
    if entry is snapshot.singleton(BLOG):
        for document in entry.documents:
            name = cast("BlogFields", document.fields).form
            if name and snapshot.entry(FORM, name) is None:
                message = Text("form: there is no form “{}”.", name)
                advice = Text("Correct it, or add forms/{}.md.", name)
                yield Kind.UNKNOWN_REFERENCE.warning(document.path, message, advice, key="form")
    for document in entry.documents if entry.kind.has_sections else ():
        for section in document_sections(document):
            name = form_name(section)
            if section.type == FORM_SECTION and name and snapshot.entry(FORM, name) is None:
                message = Text("The section names the unknown form “{}”.", name)
                advice = Text("Correct it, or add forms/{}.md.", name)
                line = document.file_line(section.line)
                yield Kind.UNKNOWN_REFERENCE.warning(document.path, message, advice, line)


def _of_declaration(
    snapshot: Snapshot, entry: Entry[FormDeclaration], now: datetime
) -> Iterator[Diagnostic]:
    declared = merge([each.fields for each in entry.documents])
    faults = [*(_kind_faults(declared) if declared.kind else _faults(entry.slug, declared))]
    faults += [*entry_faults(snapshot, declared), *_mail_faults(declared)]
    for name, each in (declared.fields or {}).items():
        faults += _field_faults(name, each, declared.fields or {})
        is_there = is_external(each.link or "") or resolve_link(
            snapshot, entry.documents[0].path, each.link or ""
        )
        if each.link and not is_there:
            message = Text("fields.{}.link: the page {} does not exist.", name, each.link)
            faults.append(Fault(("fields", name, "link"), message, Text("Correct it.")))
    faults += _lost_choices(snapshot, entry.slug, declared, now)
    for fault in faults:
        document, line = place_of_keys(entry.documents, fault.keys)
        yield Kind.INVALID_FORM.warning(document.path, fault.message, fault.advice, line)


def _faults(name: str, declared: FormDeclaration) -> Iterator[Fault]:
    fields, group = declared.fields or {}, declared.require_one_of or ()
    if name == CONTACT_NAME:
        message = Text("The contact form is declared by site/contact-form.md.")
        yield Fault((), message, Text("Rename the file."))
    reached = {each for each in fields if lead_field(each, fields[each]) in ("email", "phone")}
    is_reached = any(fields[each].required for each in reached) or reached.issuperset(group or "-")
    if fields and not is_reached:
        message = Text("No field says how to answer the sender.")
        advice = Text(
            "Add phone: { type: phone, required: true }, or requireOneOf: [phone, email]."
        )
        yield Fault(("fields",), message, advice)
    for each in group:
        if each not in fields:
            message = Text("requireOneOf: there is no field “{}”.", each)
            yield Fault(("requireOneOf",), message, Text("Use some of {}.", tuple(fields)))
    yield from address_faults(("notify",), declared.notify or ())
    files = [each for each in fields.values() if each.type == "file"]
    if (
        sum((each.max_size or FILE_MEGABYTES) * (each.max_files or 1) for each in files)
        > MOST_MEGABYTES
    ):
        message = Text("The files of the form may have more than {} MB together.", MOST_MEGABYTES)
        yield Fault(("fields",), message, Text("Lower maxSize or maxFiles."))
    used = [lead_field(each, fields[each]) for each in fields]
    for each in fields:
        lead = lead_field(each, fields[each])
        if lead and used.count(lead) > 1:
            message = Text("fields.{}: two fields are the lead's {}.", each, lead)
            yield Fault(("fields", each), message, Text("Give one of them another lead or name."))


def _lost_choices(
    snapshot: Snapshot, name: str, declared: FormDeclaration, now: datetime
) -> Iterator[Fault]:
    """Yield choices of which no option has one of each required field that depends on it."""
    fields = declared.fields or {}
    names = {each.of for each in fields.values() if each.of in fields and each.required}
    for country in snapshot.open.audiences if names else ():
        view = ContentView(snapshot, Locale(country, snapshot.open.languages[0]), now, "")
        asked = site_form(view, name)
        for lost in names.difference(each.name for each in asked.fields) if asked else ():
            choices = fields[lost].choices
            if isinstance(choices, str) and entries_from(view, choices):
                message = Text(
                    "fields.{}: in {} no option has one of each required field that depends on it.",
                    lost,
                    view.locale.tag,
                )
                yield Fault(("fields", lost), message, Text("Add an entry, or leave out of."))


def _kind_faults(declared: FormDeclaration) -> Iterator[Fault]:
    name, fields = declared.kind or "", declared.fields or {}
    kind = FORM_KINDS[name]
    single = [each for each in fields if fields[each].type == kind.single]
    for key, each in fields.items():
        if each.type not in (kind.single, *kind.others) or key in single[1:]:
            others = tuple(kind.others)
            message = Text(
                "fields.{}: a {} has one {}, and perhaps {}.", key, name, kind.single, others
            )
            yield Fault(("fields", key), message, Text("Remove it."))
    if fields and not single:
        message = Text("No field of the {} is of the type {}.", name, kind.single)
        advice = Text("Add {0}: {{ type: {0}, required: true }}.", kind.single)
        yield Fault(("fields",), message, advice)
    for attribute in kind.without:
        if getattr(declared, attribute) is not None:
            key = to_camel(attribute)
            yield Fault((key,), Text("{}: a {} has no such key.", key, name), Text("Remove it."))


def _mail_faults(declared: FormDeclaration) -> Iterator[Fault]:
    """Yield what the subject of mails names and the form does not ask, and a copy for nobody."""
    fields = declared.fields or {}
    texts = (declared.subject or {}).values()
    for name in dict.fromkeys(chain.from_iterable(map(PLACEHOLDER.findall, texts))):
        if name not in fields:
            message = Text("subject: there is no field “{}”.", name)
            yield Fault(("subject",), message, Text("Use some of {}.", tuple(fields)))
    if declared.copy and all(lead_field(each, fields[each]) != "email" for each in fields):
        message = Text("copy: the form does not ask for an e-mail address.")
        yield Fault(("copy",), message, Text("Add email: { type: email }."))


_OF_TYPES: Mapping[str, tuple[str, ...]] = {
    "choices": ("choice",),
    "many": ("choice",),
    "of": ("choice",),
    "link": ("consent",),
    "min": tuple(LIMITED),
    "max": tuple(LIMITED),
    "hours": ("date", "time"),
    "max_length": ("text", "longText", "email", "phone"),
    "placeholder": ("text", "longText", "email", "phone"),
    "accept": ("file",),
    "max_size": ("file",),
    "max_files": ("file",),
}
"""The keys that only some types have."""


def _field_faults(
    name: str, declared: InputDeclaration, fields: Mapping[str, InputDeclaration]
) -> Iterator[Fault]:
    keys, where, kind = ("fields", name), f"fields.{name}", declared.type
    if kind is None:
        advice = Text("Use one of {}.", get_args(InputType))
        yield Fault(keys, Text("{}.type is required.", where), advice)
        return
    if has_crossed_limits(declared):
        yield Fault(keys, Text("{}: min is above max.", where), Text("Correct one of them."))
    if kind == "choice" and not declared.choices:
        advice = Text("Write choices: { value: { en: …, ar: … } }, or choices: { from: branches }.")
        yield Fault(keys, Text("{}: a choice needs choices.", where), advice)
    if kind == "consent" and not declared.link:
        advice = Text("Add link: /privacy, the page that says what is agreed to.")
        yield Fault(keys, Text("{}: a consent needs a link.", where), advice)
    for attribute, types in _OF_TYPES.items():
        if getattr(declared, attribute) is not None and kind not in types:
            key = to_camel(attribute)
            message = Text("{}.{}: a field of the type {} has no such key.", where, key, kind)
            yield Fault((*keys, key), message, Text("Remove it; it is for {}.", tuple(types)))
    lead = lead_field(name, declared)
    typed = {"email": ("email",), "phone": ("phone",)}.get(
        lead, ("text", "longText", "email", "phone", "choice")
    )
    if lead and kind not in typed:
        message = Text("{}: the lead's {} cannot be of the type {}.", where, lead, kind)
        yield Fault(keys, message, Text("Use the type {}, or another lead.", " or ".join(typed)))
    if kind in LIMITED:
        yield from _limit_faults(name, declared, LIMITED[kind], fields)


def _limit_faults(
    name: str, declared: InputDeclaration, written: str, fields: Mapping[str, InputDeclaration]
) -> Iterator[Fault]:
    """Yield limits of another type, and those of a field that the form does not have."""
    for key in ("min", "max"):
        limit, keys = getattr(declared, key), ("fields", name, key)
        other = limit_field(limit)
        if other and other not in fields:
            message = Text("{}: there is no field “{}”.", ".".join(keys), other)
            yield Fault(keys, message, _LIMITS[written])
        elif limit is not None and not _fits(limit, written, fields):
            message = Text("{}: {} does not fit the type {}.", ".".join(keys), limit, declared.type)
            yield Fault(keys, message, _LIMITS[written])


def _fits(limit: str, written: str, fields: Mapping[str, InputDeclaration]) -> bool:
    """Return whether a limit is for answers of a type: one of its own, or that of another field."""
    other = limit_field(limit)
    has_days = limit != other
    of = LIMITED.get(fields[other].type or "") if other else limit_type(limit)
    return of == written and not (other and has_days and written != "date")


_LIMITS: Mapping[str, Text] = {
    "number": Text("Use a number, or another field for a number."),
    "date": Text("Use a day such as 2026-12-31, today, today+7, or another field for a day."),
    "time": Text("Use a time such as 21:30, or another field for a time."),
}
"""What to write as a limit of answers."""
