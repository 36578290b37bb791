"""Forms that a site declares: their fields, their words, and where their answers go."""

from collections.abc import Mapping

from knowledge.addresses.addresses import page_of
from knowledge.blocks.form import FormInput, FormOption, SiteForm
from knowledge.fields import form_fields
from knowledge.fields.content_types import FORM, WORDS
from knowledge.fields.field_types import BilingualString
from knowledge.fields.interface_texts import interface_texts
from knowledge.fields.own_fields import in_words
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView

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


def _form(view: ContentView, resolved: Resolved[form_fields.FormDeclaration]) -> SiteForm:
    declared, name = resolved.fields, resolved.entry.slug
    labels = _lead_labels(view)
    inputs = [
        _input(view, resolved, key, each, labels) for key, each in (declared.fields or {}).items()
    ]
    names = {each.name for each in inputs}
    one_of = [each for each in declared.require_one_of or () if each in names]
    words = ("submit", "thanks", "thanks_text", "short_description")
    return SiteForm(
        name=name,
        title=declared.title or in_words(name),
        path=view.locale.path + page_of(FORM, name, view.snapshot).path,
        fields=inputs,
        require_one_of=one_of or None,
        kind=declared.kind,
        topic=declared.topic or "other",
        words={each: text for each in words if (text := getattr(declared, each))},
        notify=tuple(declared.notify or ()),
    )


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
    labels: Mapping[str, BilingualString],
) -> FormInput:
    lead, is_file = form_fields.lead_field(name, declared), declared.type == "file"
    choices = declared.choices or {} if declared.type == "choice" else None
    link = view.path(declared.link, resolved.documents[0].path) if declared.link else None
    megabytes = declared.max_size or form_fields.FILE_MEGABYTES
    return FormInput(
        name=name,
        label=dict(declared.label or labels.get(name) or in_words(name)),
        type=declared.type,
        required=bool(declared.required),
        lead=lead or None,
        help=declared.help,
        options=[FormOption(value=each, label=text) for each, text in choices.items()]
        if choices is not None
        else None,
        many=(choices and declared.many) or None,
        minimum=declared.min,
        maximum=declared.max,
        max_length=_longest(lead, declared),
        link=link,
        accept=(declared.accept or ["pdf"]) if is_file else None,
        max_bytes=int(megabytes * _BYTES) if is_file else None,
        max_files=(declared.max_files or 1) if is_file else None,
        placeholder=declared.placeholder,
    )


def _longest(lead: str, declared: form_fields.InputDeclaration) -> int | None:
    defaults = {"text": _TEXT, "longText": _LONG_TEXT, "email": form_fields.LEAD_LENGTHS["email"]}
    own = {**defaults, "phone": form_fields.LEAD_LENGTHS["phone"]}.get(declared.type)
    most = form_fields.LEAD_LENGTHS.get(lead, own) if own else None
    return most and min(most, declared.max_length or most)
