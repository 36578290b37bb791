"""Checks of what forms take from the entries of kinds: choices, hours and mailboxes."""

from collections.abc import Iterable, Iterator, Mapping

from knowledge.diagnostics.messages import Text, one_of
from knowledge.fields.content_types import FORM, AnyContentType
from knowledge.fields.form_fields import (
    COUNTRY,
    FormDeclaration,
    InputDeclaration,
    hours_of,
    is_mailbox,
)
from knowledge.fields.kind_faults import Fault
from knowledge.fields.own_fields import own_fields
from knowledge.locales.locale import Country
from knowledge.snapshot.snapshot import Snapshot


def entry_faults(snapshot: Snapshot, declared: FormDeclaration) -> Iterator[Fault]:
    """Yield what a form takes from entries that do not have it."""
    kinds = _kinds(snapshot)
    for name, each in (declared.fields or {}).items():
        if isinstance(each.choices, str) and each.choices not in kinds:
            message = Text("fields.{}.choices: there is no kind “{}”.", name, each.choices)
            advice = one_of(each.choices, kinds)
            yield Fault(("fields", name, "choices"), message, advice)
        if each.hours:
            yield from _hours_faults(snapshot, name, each.hours, declared)
        if each.of:
            yield from _part_faults(kinds, name, each, declared)
    yield from _notify_faults(snapshot, declared)


def _kinds(snapshot: Snapshot) -> Mapping[str, AnyContentType]:
    """Return the kinds that have pages, by the names of their folders."""
    shown = snapshot.page_types.by_content_type
    return {each.folder: each for each in snapshot.content_types if each in shown and each != FORM}


def _part_faults(
    kinds: Mapping[str, AnyContentType], name: str, field: InputDeclaration, form: FormDeclaration
) -> Iterator[Fault]:
    """Yield what is wrong with the choice of which the options of a field are."""
    keys, by = ("fields", name, "of"), (form.fields or {}).get(field.of or "")
    target = by.choices if by and not by.many else None
    kind = kinds.get(field.choices) if isinstance(field.choices, str) else None
    if kind is None or not isinstance(target, str) or target not in kinds:
        message = Text("fields.{}.of: “{}” is no choice of one entry of a kind.", name, field.of)
        yield Fault(keys, message, Text("Name a field with choices: { from: … }."))
        return
    if all(each.declaration.to != target for each in own_fields(kind.fields).values()):
        message = Text("fields.{}.of: {} refers to no {}.", name, kind.folder, target)
        yield Fault(keys, message, Text("Add {0}: {{ type: reference, to: {0} }}.", target))


def _hours_faults(
    snapshot: Snapshot, name: str, written: str, form: FormDeclaration
) -> Iterator[Fault]:
    """Yield what is wrong with the place in which a day or a time must be open."""
    fields = form.fields or {}
    keys, where = ("fields", name, "hours"), f"fields.{name}.hours"
    target, key = hours_of(written)
    folder, slash, slug = target.partition("/")
    chosen = None if slash or target not in fields else fields[target]
    kinds, from_choices = _kinds(snapshot), chosen and chosen.choices
    kind = kinds.get(folder if slash else from_choices if isinstance(from_choices, str) else "")
    if kind is None or (chosen is not None and chosen.many):
        message = Text("{}: “{}” is neither a choice from a kind nor an entry.", where, target)
        advice = Text("Name a field with choices: { from: … }, or an entry such as branches/olaya.")
        yield Fault(keys, message, advice)
        return
    if slash and snapshot.entry(kind, slug) is None:
        message = Text("{}: there is no {}.", where, f"{folder}/{slug}.md")
        yield Fault(keys, message, Text("Correct it."))
    own = {each.key for each in own_fields(kind.fields).values() if each.type == "hours"}
    if not own or (key and key not in own):
        message = Text("{}: {} has no field “{}” of the type hours.", where, kind.folder, key)
        advice = Text("Use one of {}.", sorted(own) or "opening: { type: hours }")
        yield Fault(keys, message, advice)
    if fields[name].type == "time" and all(each.type != "date" for each in fields.values()):
        message = Text("{}: a time with hours needs a field for the day.", where)
        yield Fault(keys, message, Text("Add day: { type: date, required: true }."))


def _notify_faults(snapshot: Snapshot, declared: FormDeclaration) -> Iterator[Fault]:
    """Yield what is wrong with those who are told by an answer."""
    fields = declared.fields or {}
    for name, told in (declared.notify_by or {}).items():
        keys, where = ("notifyBy", name), f"notifyBy.{name}"
        choices = fields[name].choices if name in fields else None
        kind = _kinds(snapshot).get(choices) if isinstance(choices, str) else None
        if choices is None and (name in fields or name != COUNTRY):
            message = Text("{}: there is no choice of this name.", where)
            yield Fault(keys, message, Text("Use the name of a choice, or country."))
        elif isinstance(told, str):
            own = own_fields(kind.fields).values() if kind else ()
            mails = [each.key for each in own if each.type == "mail"]
            if told not in mails:
                message = Text(
                    "{}: “{}” is no field of the type mail of a chosen entry.", where, told
                )
                advice = Text("Use one of {}.", tuple(mails) or "mailbox: { type: mail }")
                yield Fault(keys, message, advice)
        else:
            known = set(choices) if isinstance(choices, dict) else set()
            known |= {each.slug for each in snapshot.all(kind)} if kind else set()
            if choices is None:
                known = {each for each in told if Country.parse(each) in snapshot.countries}
            for option, addresses in told.items():
                if option not in known:
                    message = Text("{}: “{}” is not one of the options.", where, option)
                    yield Fault((*keys, option), message, Text("Correct it."))
                yield from address_faults((*keys, option), addresses)


def address_faults(keys: tuple[str, ...], addresses: Iterable[str]) -> Iterator[Fault]:
    """Yield the addresses to which no mail can be sent."""
    for each in addresses:
        if not is_mailbox(each):
            message = Text("{}: “{}” is no e-mail address.", ".".join(keys), each)
            yield Fault(keys, message, Text("Use addresses such as desk@example.com."))
