"""Forms that a site declares: their fields, their words, and where their answers go."""

from collections.abc import Mapping, Sequence

from pydantic.alias_generators import to_snake

from knowledge.addresses.addresses import page_of
from knowledge.blocks.form import FormInput, FormOption, OpenPlace, SiteForm
from knowledge.documents.body_opening import name_in_words
from knowledge.fields import form_fields
from knowledge.fields.content_types import FORM, NAVIGATION, WORDS
from knowledge.fields.field_types import BilingualString
from knowledge.fields.interface_texts import interface_texts
from knowledge.fields.opening_hours import OpeningHours
from knowledge.fields.own_fields import in_words, own_fields
from knowledge.locales import cldr
from knowledge.locales.locale import Country, Language, localized_text
from knowledge.resources.own_places import place_country
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView, cached_per_snapshot

CONTACT_NAME = "contact"
"""The name of the contact form, which `site/contact-form.md` declares."""

_TEXT, _LONG_TEXT = 255, 5_000
_BYTES = 1_000_000


def site_form(view: ContentView, name: str) -> SiteForm | None:
    """Return a declared form, or None if it is not published for these visitors."""
    resolved = view.resolve(FORM, name) if name else None
    return _form(view, resolved) if resolved else None


def enquiry_form(view: ContentView, name: str) -> SiteForm | None:
    """Return a declared form whose answers are an enquiry, or None."""
    form = site_form(view, name)
    return None if form is None or form.kind else form


def enquiry_forms(view: ContentView) -> list[SiteForm]:
    """Return the declared forms whose answers are enquiries."""
    forms = view.each(view.resolve_all(FORM), lambda each: _form(view, each))
    return [each for each in forms if each.kind is None]


@cached_per_snapshot
def purpose_forms(view: ContentView) -> list[SiteForm]:
    """Return the forms that say what people want with them."""
    return [each for each in enquiry_forms(view) if each.purpose]


def main_form(view: ContentView) -> SiteForm | None:
    """Return the form to which the main button leads, unless the site names another page."""
    menus = view.singleton(NAVIGATION)
    is_named = bool(menus and menus.fields.action)
    return None if is_named else next(iter(purpose_forms(view)), None)


def _form(view: ContentView, resolved: Resolved[form_fields.FormDeclaration]) -> SiteForm:
    declared, name = resolved.fields, resolved.entry.slug
    labels = _lead_labels(view)
    fields = declared.fields or {}
    inputs = [
        _input(view, resolved, key, each, each.type, labels)
        for key, each in fields.items()
        if each.type
    ]
    inputs = _in_parts(inputs)
    inputs = [
        _with_hours(view, each, fields[each.name], inputs)
        for each in inputs
        if each.options != []  # a kind without an entry for these visitors
    ]
    names = {each.name for each in inputs}
    one_of = [each for each in declared.require_one_of or () if each in names]
    words, thanks = ("submit", "thanks", "short_description", "subject"), declared.thanks_text
    return SiteForm(
        name=name,
        title=declared.title or in_words(name),
        path=view.locale.path + page_of(FORM, name, view.snapshot).path,
        fields=inputs,
        require_one_of=one_of or None,
        kind=declared.kind,
        purpose=declared.purpose,
        topic=declared.topic or "other",
        words={each: text for each in words if (text := getattr(declared, each))}
        | ({"thanks_text": _linked(view, resolved, thanks)} if thanks else {}),
        sends_copy=bool(declared.copy),
        notify=tuple(declared.notify or ()),
        notify_by={
            key: found
            for key, each in (declared.notify_by or {}).items()
            if (found := _mailboxes(view, key, each, inputs))
        },
    )


def _linked(view: ContentView, resolved: Resolved, text: BilingualString) -> BilingualString:
    """Return a text of a form with its links as site paths."""
    path = resolved.documents[0].path
    return {language: view.markdown(each, path) for language, each in text.items()}


def _mailboxes(
    view: ContentView,
    key: str,
    declared: str | Mapping[str, Sequence[str]],
    inputs: Sequence[FormInput],
) -> Mapping[str, tuple[str, ...]]:
    """Return who is told by the option of a field, or by `""` in the country of the visitors."""
    field = next((each for each in inputs if each.name == key), None)
    if isinstance(declared, Mapping) and field is None:
        country = view.locale.country
        codes = {Country.parse(each): found for each, found in declared.items()}
        return (
            {"": tuple(codes[country])} if key == form_fields.COUNTRY and country in codes else {}
        )
    if isinstance(declared, Mapping):
        former = field.former if field else {}
        return {former.get(each, each): tuple(found) for each, found in declared.items()}
    entries = entries_from(view, (field and field.options_from) or "")
    found = {each.entry.slug: getattr(each.fields, to_snake(declared), None) for each in entries}
    return {slug: (mail,) for slug, mail in found.items() if form_fields.is_mailbox(mail)}


def _lead_labels(view: ContentView) -> Mapping[str, BilingualString]:
    """Return the labels that the fields of a lead have without one of their own."""
    words, resolved = interface_texts(), view.singleton(WORDS)
    labels = {}
    for name in ("name", "email", "phone", "company", "message"):
        key = f"field_{name}"
        own = (getattr(resolved.fields, key) if resolved else None) or {}
        labels[name] = {
            str(language): own.get(language) or words[key].written(language)
            for language in view.snapshot.locales.languages
        }
    return labels


def _input(
    view: ContentView,
    resolved: Resolved[form_fields.FormDeclaration],
    name: str,
    declared: form_fields.InputDeclaration,
    kind: form_fields.InputType,
    labels: Mapping[str, BilingualString],
) -> FormInput:
    lead, is_file = form_fields.lead_field(name, declared), kind == "file"
    choices = declared.choices or {} if kind == "choice" else None
    chosen = entries_from(view, choices) if isinstance(choices, str) else ()
    texts = choices.items() if isinstance(choices, dict) else ()
    options = [FormOption(value=key, label=text) for key, text in texts]
    by = (resolved.fields.fields or {}).get(declared.of or "")
    folder = by.choices if by and isinstance(by.choices, str) else ""
    options += [
        FormOption(value=each.entry.slug, label=_title(each), of=_referred(each, folder))
        for each in chosen
    ]
    link = view.path(declared.link, resolved.documents[0].path) if declared.link else None
    megabytes = declared.max_size or form_fields.FILE_MEGABYTES
    return FormInput(
        name=name,
        label=dict(declared.label or labels.get(name) or in_words(name)),
        type=kind,
        required=bool(declared.required),
        lead=lead or None,
        help=declared.help and _linked(view, resolved, declared.help),
        options=None if choices is None else options,
        options_from=choices if isinstance(choices, str) else None,
        of=declared.of,
        many=(options and declared.many) or None,
        minimum=declared.min,
        maximum=declared.max,
        max_length=_longest(lead, declared),
        link=link,
        accept=(declared.accept or ["pdf"]) if is_file else None,
        max_bytes=int(megabytes * _BYTES) if is_file else None,
        max_files=(declared.max_files or 1) if is_file else None,
        placeholder=declared.placeholder,
        hours=declared.hours,
        former={old: each.entry.slug for each in chosen for old in _former(view, each)},
    )


def entries_from(view: ContentView, folder: str) -> Sequence[Resolved]:
    """Return the entries of a kind that these visitors see, in the order of its list."""
    kind = view.snapshot.content_types.of_folder(folder)
    if kind is None or kind not in view.snapshot.page_types.by_content_type:
        return ()
    found = [each for each in view.resolve_all(kind) if each.entry.slug != folder]
    declared = view.snapshot.kinds.by_name.get(folder)
    if declared and declared.sort[0] == "title":
        language = view.locale.language
        key = {each: localized_text(_title(each), language).casefold() for each in found}
        found.sort(key=key.__getitem__, reverse=declared.sort[1])
    return found


def _title(resolved: Resolved) -> BilingualString:
    fields = resolved.fields
    return dict(fields.title or fields.short_title or {"en": name_in_words(resolved.entry.slug)})


def _former(view: ContentView, resolved: Resolved) -> Sequence[str]:
    """Return the slugs that an entry had before, as its old addresses tell."""
    claims = view.snapshot.claims.by_entry.get(resolved.entry)
    beside = page_of(resolved.entry.kind, resolved.entry.slug, view.snapshot).path
    folder = beside.rpartition("/")[0]
    paths = [each.path for each in claims.addresses] if claims else []
    return [each.removeprefix(f"{folder}/") for each in paths if each.startswith(f"{folder}/")]


def _referred(resolved: Resolved, folder: str) -> list[str] | None:
    """Return the entries of a kind to which an entry refers, None without any."""
    own = own_fields(type(resolved.fields)).values()
    key = next((each.attribute for each in own if folder and each.declaration.to == folder), "")
    given = getattr(resolved.fields, key, None) or ()
    return [given] if isinstance(given, str) else [*given] or None


def _in_parts(inputs: Sequence[FormInput]) -> list[FormInput]:
    """Return fields whose options tell of which options of another field each is.

    An option with which a required field has none could not be sent, and is left out.
    """
    fields = whole = {each.name: each for each in inputs}
    for name, field in reversed(whole.items()):
        by = whole.get(field.of or "")
        options = _with_parts(fields[name], by).options or ()
        if by and field.required and options and all(each.of for each in options):
            having = {value for each in options for value in each.of or ()}
            left = [each for each in fields[by.name].options or () if each.value in having]
            fields = {**fields, by.name: by.model_copy(update={"options": left})}
    return [_with_parts(each, fields.get(each.of or "")) for each in fields.values()]


def _with_parts(field: FormInput, by: FormInput | None) -> FormInput:
    """Return a field whose options tell of which options of another field each is.

    Those of none that these visitors have are left out; an entry that refers to none is of all.
    """
    if by is None:
        return field
    options, known = [], {each.value for each in by.options or ()}
    for option in field.options or ():
        slugs = (by.former.get(each, each) for each in option.of or ())
        of = [each for each in slugs if each in known]
        if of or not option.of:
            options.append(option.model_copy(update={"of": of or None}))
    return field.model_copy(update={"options": options})


def _with_hours(
    view: ContentView,
    field: FormInput,
    declared: form_fields.InputDeclaration,
    inputs: Sequence[FormInput],
) -> FormInput:
    """Return a field with the hours of the places in which it must be open."""
    if not declared.hours:
        return field
    target, name = form_fields.hours_of(declared.hours)
    folder, slash, slug = target.partition("/")
    kinds = {each.name: each.options_from for each in inputs}
    entries = entries_from(view, folder if slash else kinds.get(target) or "")
    if slash:
        entries = [each for each in entries if slug in (each.entry.slug, *_former(view, each))]
    found = {"" if slash else each.entry.slug: _place(view, each, name) for each in entries}
    limits = [each.hours.limits if each else None for each in found.values()]
    known = [each for each in limits if each]
    is_known = bool(known) and len(known) == len(limits)
    days = [each for each in inputs if each.type == "date"]
    same = [each for each in days if each.hours == declared.hours]
    day = next((each.name for each in (*same, *days)), "")
    return field.model_copy(
        update={
            "hours": target,
            "places": {key: each for key, each in found.items() if each},
            "day": day if field.type == "time" else "",
            "span": (min(known)[0], max(last for _, last in known)) if is_known else None,
        }
    )


def _place(view: ContentView, resolved: Resolved, name: str) -> OpenPlace | None:
    """Return the place of an entry, by the field of that name or the first one with hours."""
    own = own_fields(type(resolved.fields)).values()
    named = [each for each in own if each.type == "hours" and name in ("", each.key)]
    found = [getattr(resolved.fields, each.attribute) for each in named]
    hours = next((each for each in found if isinstance(each, OpeningHours)), None)
    title = _title(resolved)
    if name and named:  # of several hours
        label = {each: localized_text(named[0].label, each) for each in Language}
        title = {each: f"{localized_text(title, each)} ({label[each]})" for each in Language}
    country = place_country(view, resolved)
    zone = hours.zone(cldr.time_zone(country) if country else None) if hours else None
    return OpenPlace(title, hours, zone) if hours else None


def _longest(lead: str, declared: form_fields.InputDeclaration) -> int | None:
    defaults = {"text": _TEXT, "longText": _LONG_TEXT, "email": form_fields.LEAD_LENGTHS["email"]}
    own = {**defaults, "phone": form_fields.LEAD_LENGTHS["phone"]}.get(declared.type or "")
    most = form_fields.LEAD_LENGTHS.get(lead, own) if own else None
    return most and min(most, declared.max_length or most)
