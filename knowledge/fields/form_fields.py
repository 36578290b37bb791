"""The front matter of `forms/`: the fields of a form, and where their answers go."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_core.core_schema import CoreSchema, literal_schema

from knowledge.diagnostics.messages import Text
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.field_types import (
    MARKDOWN,
    InvalidValue,
    LocalizedText,
    NameList,
    PlainText,
    TextList,
)
from knowledge.fields.front_matter import Common, front_matter
from knowledge.fields.json_schemas import SCALAR, written
from knowledge.fields.kind_fields import DeclaredField, FieldName
from knowledge.fields.site_fields import LeadTopic

InputType = Literal[
    "text",
    "longText",
    "email",
    "phone",
    "number",
    "date",
    "choice",
    "checkbox",
    "consent",
    "file",
]
"""The types of the fields of forms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormKind:
    """What becomes of the answers to a form, if they are no enquiry.

    Such a form has one field of the type `single`, and perhaps some of the types `others`; the
    attributes `without` are for enquiries. `submit`, `thanks` and `thanks_text` are its words if
    the site sets none.
    """

    single: InputType
    others: tuple[InputType, ...]
    without: tuple[str, ...]
    submit: str
    thanks: str
    thanks_text: str


FORM_KINDS: Mapping[str, FormKind] = {
    "newsletter": FormKind(
        single="email",
        others=("consent",),
        without=("require_one_of", "topic", "notify"),
        submit=_("Subscribe"),
        thanks=_("Look into your mail"),
        thanks_text=_("We have sent a message to this address. Please open the link in it."),
    )
}


class _KindName:
    """Validates as the literal of all names does."""

    def __get_pydantic_core_schema__(self, _source: object, _: object) -> CoreSchema:
        return literal_schema([*FORM_KINDS])


FormKindName = Annotated[str, _KindName()]
"""The name of a kind of forms."""

LeadField = Literal["name", "email", "phone", "company", "message", "productService"]
"""The fields of a lead that may have the answer of a field."""

LEAD_LENGTHS: Mapping[str, int] = {
    "name": 120,
    "email": 254,
    "phone": 32,
    "company": 255,
    "message": 5_000,
    "productService": 160,
}
"""The most characters of each field of a lead."""

FileType = Literal["pdf", "docx", "xlsx", "pptx", "odt", "png", "jpg", "webp", "txt"]
"""The types of files that a form may take."""

TODAY = "today"
FILE_MEGABYTES = 5
"""The most megabytes of one file, if its field does not say."""
LARGEST_FILE = 10
"""The most that it may say."""
MOST_FILES = 5


def _limit(value: Any) -> Any:
    """Return the least or greatest value as a text: a number, a day, or `today`."""
    if isinstance(value, date) and type(value) is date:
        return value.isoformat()
    text = str(value).strip()
    if isinstance(value, bool) or not (text == TODAY or _is_day(text) or _is_number(text)):
        raise InvalidValue(
            Text("invalid limit"), Text("Use a number, a day such as 2026-12-31, or today.")
        )
    return text


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _is_number(text: str) -> bool:
    whole, __, decimals = text.removeprefix("-").partition(".")
    return f"{whole}{decimals or '0'}".isdecimal() and len(text) < 16


Limit = Annotated[str, BeforeValidator(_limit), written(SCALAR)]
"""The least or greatest value of a number or a date."""


@front_matter
class InputDeclaration(DeclaredField):
    """One field of a form."""

    type: InputType
    """The type of the answer."""

    help: Annotated[LocalizedText | None, MARKDOWN] = None
    """A line below the label."""

    placeholder: LocalizedText | None = None
    """An example in the empty field."""

    lead: LeadField | None = None
    """The field of the lead that gets the answer; by default the one of the same name."""

    link: PlainText | None = None
    """The page that a `consent` is about."""

    min: Limit | None = None
    """The least number, or the first day; `today` is the day of the visit."""

    max: Limit | None = None
    """The greatest number, or the last day."""

    max_length: Annotated[int, Field(ge=1, le=5_000)] | None = None
    """The most characters of a text."""

    accept: list[FileType] | None = None
    """The types of files, `pdf` by default."""

    max_size: Annotated[float, Field(gt=0, le=LARGEST_FILE)] | None = None
    """The most megabytes of one file, 5 by default."""

    max_files: Annotated[int, Field(ge=1, le=MOST_FILES)] | None = None
    """The most files, 1 by default."""


def _with_ordered_limits(declared: InputDeclaration) -> InputDeclaration:
    least, most = declared.min, declared.max
    if least is None or most is None:
        return declared
    days = _is_day(least) and _is_day(most) and least > most
    if days or (_is_number(least) and _is_number(most) and Decimal(least) > Decimal(most)):
        raise InvalidValue(Text("min is above max"), Text("Swap them."), f"{least}, {most}")
    return declared


_TAKEN_NAMES = ("form", "answers", "id")


def _input_name(name: str) -> str:
    if name in _TAKEN_NAMES:
        advice = Text("Use another name: what a form sends has a key of this name.")
        raise InvalidValue(Text("reserved name of a field"), advice, name)
    return name


@front_matter
class FormDeclaration(Common):
    """`forms/`; the body is the text of the page, below which the form stands."""

    refuses_unknown_keys: ClassVar[bool] = True
    keeps_lines: ClassVar[bool] = True

    kind: FormKindName | None = None
    """`newsletter` for a list of subscribers; without it the answers are an enquiry."""

    fields: (
        dict[
            Annotated[FieldName, AfterValidator(_input_name)],
            Annotated[InputDeclaration, AfterValidator(_with_ordered_limits)],
        ]
        | None
    ) = None
    """The fields by name, in their order."""

    require_one_of: NameList | None = None
    """Fields of which at least one must have an answer."""

    topic: LeadTopic | None = None
    """The topic of the leads; `other` by default."""

    submit: LocalizedText | None = None
    """The button."""

    thanks: LocalizedText | None = None
    """The heading after the form was sent."""

    thanks_text: Annotated[LocalizedText | None, MARKDOWN] = None
    """The text below it."""

    notify: TextList | None = None
    """Who is told by e-mail, instead of `LEADS_EMAIL_TO`."""


def lead_field(name: str, declared: InputDeclaration) -> str:
    """Return the field of the lead that has the answer of a field, `""` for `answers`."""
    is_text = declared.type in ("text", "longText", "email", "phone", "choice")
    own = name if name in LEAD_LENGTHS and is_text else ""
    return declared.lead or own
