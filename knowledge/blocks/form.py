"""Forms: what they ask for, and where they are sent."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import Field

from knowledge.blocks.block import ResponseModel
from knowledge.fields.field_types import BilingualString, Omittable
from knowledge.fields.form_fields import FORM_KINDS, FileType, FormKind, FormKindName, InputType
from knowledge.fields.site_fields import LeadTopic


class FormOption(ResponseModel):
    """An option of a choice."""

    value: str
    """What to send."""
    label: BilingualString
    """The text of the option."""


class FormInput(ResponseModel):
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


class SiteForm(ResponseModel):
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
