"""Forms that a site declares: their fields, their words, and where their answers go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import Field

from knowledge.addresses.addresses import page_of
from knowledge.fields.content_types import FORM, WORDS
from knowledge.fields.field_types import BilingualString, Omittable
from knowledge.fields.form_fields import (
    FILE_MEGABYTES,
    FORM_KINDS,
    LEAD_LENGTHS,
    FileType,
    FormDeclaration,
    FormKind,
    FormKindName,
    InputDeclaration,
    InputType,
    lead_field,
)
from knowledge.fields.interface_texts import interface_texts
from knowledge.fields.kind_fields import in_words
from knowledge.fields.site_fields import LeadTopic
from knowledge.resources.base import Resource
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView

CONTACT_NAME = "contact"
"""The name of the contact form, which `site/contact-form.md` declares."""

_TEXT, _LONG_TEXT = 255, 5_000
_BYTES = 1_000_000


class FormOption(Resource):
    """An option of a choice."""

    value: str
    """What to send."""
    label: BilingualString
    """The text of the option."""


class FormInput(Resource):
    """A field of a form; without `lead`, its answer is sent within `answers`."""

    name: str
    """Name of the field."""
    label: BilingualString
    """Label of the field."""
    type: InputType
    """Type of the answer; a date is `2026-12-31`, a `checkbox` or `consent` is `true`."""
    required: bool = False
    """Whether it must have an answer."""
    lead: Omittable[str] = None
    """Field of the lead that has the answer."""
    help: Omittable[BilingualString] = None
    """A line below the label."""
    options: Omittable[list[FormOption]] = None
    """The options of a choice."""
    many: Omittable[bool] = None
    """Whether a choice has a list of values."""
    minimum: Omittable[str] = None
    """The least number, or the first day, which may be `today`."""
    maximum: Omittable[str] = None
    """The greatest number, or the last day."""
    max_length: Omittable[int] = None
    """The most characters of a text."""
    link: Omittable[str] = None
    """The page that a consent is about."""
    accept: Omittable[list[FileType]] = None
    """The types of files; files are sent with the form of the page only."""
    max_bytes: Omittable[int] = None
    """The most bytes of one file."""
    max_files: Omittable[int] = None
    """The most files."""
    placeholder: Annotated[BilingualString | None, Field(exclude=True)] = None
    is_preset: Annotated[bool, Field(exclude=True)] = False
    """Whether the first option of a choice is chosen."""

    @property
    def plain_label(self) -> BilingualString:
        """The label without the brackets around the words that link."""
        signs = str.maketrans("", "", "[]" if self.link else "")
        return {language: text.translate(signs) for language, text in self.label.items()}

    @property
    def suffixes(self) -> str:
        """The names of files that it takes, for the dialog of browsers."""
        return ",".join(f".{each}" for each in self.accept or ())


class SiteForm(Resource):
    """A form: what it asks for, and where; enquiries name it in `form`."""

    name: str
    """Name of the form."""
    title: BilingualString
    """Title of its page."""
    path: str
    """Site path of the page of the form."""
    fields: list[FormInput]
    """The fields in their order."""
    require_one_of: Omittable[list[str]] = None
    """Names of fields of which at least one must have an answer."""
    kind: Omittable[FormKindName] = None
    """What becomes of the answers; absent for enquiries."""
    topic: Annotated[LeadTopic, Field(exclude=True)] = "other"
    words: Annotated[Mapping[str, BilingualString], Field(exclude=True)] = {}
    """The words that the site sets: `submit`, `thanks`, `thanks_text` and `short_description`."""
    notify: Annotated[tuple[str, ...], Field(exclude=True)] = ()

    @property
    def of_kind(self) -> FormKind | None:
        """The kind, which has words of its own; None for enquiries."""
        return FORM_KINDS[self.kind] if self.kind else None

    @property
    def files(self) -> Sequence[FormInput]:
        """The fields for files."""
        return [each for each in self.fields if each.type == "file"]

    @property
    def file_bytes(self) -> int:
        """The most bytes of all files together."""
        return sum((each.max_bytes or 0) * (each.max_files or 0) for each in self.files)

    def labels(self, names: Sequence[str]) -> list[BilingualString]:
        """Return the labels of some fields."""
        return [each.plain_label for each in self.fields if each.name in names]


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


def _form(view: ContentView, resolved: Resolved[FormDeclaration]) -> SiteForm:
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
    resolved: Resolved[FormDeclaration],
    name: str,
    declared: InputDeclaration,
    labels: Mapping[str, BilingualString],
) -> FormInput:
    lead, is_file = lead_field(name, declared), declared.type == "file"
    choices = declared.choices or {} if declared.type == "choice" else None
    link = view.path(declared.link, resolved.documents[0].path) if declared.link else None
    megabytes = declared.max_size or FILE_MEGABYTES
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


def _longest(lead: str, declared: InputDeclaration) -> int | None:
    defaults = {"text": _TEXT, "longText": _LONG_TEXT, "email": LEAD_LENGTHS["email"]}
    own = {**defaults, "phone": LEAD_LENGTHS["phone"]}.get(declared.type)
    most = LEAD_LENGTHS.get(lead, own) if own else None
    return most and min(most, declared.max_length or most)
