"""The front matter of `forms/`: the fields of a form, and where their answers go."""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal, TypeGuard, get_args

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag

from knowledge.diagnostics.messages import Text
from knowledge.fields.field_types import (
    MARKDOWN,
    InvalidValue,
    LocalizedText,
    NameList,
    PlainText,
    TextList,
    is_email,
)
from knowledge.fields.form_kinds import FormKindName, FormPurposeName
from knowledge.fields.front_matter import Common, front_matter
from knowledge.fields.json_schemas import LOCALIZED_TEXT, SCALAR, TEXT_LIST, written
from knowledge.fields.kind_fields import DeclaredField, FieldName, Options
from knowledge.fields.opening_hours import clock, minutes_of
from knowledge.fields.site_fields import LeadTopic

InputType = Literal[
    "text",
    "longText",
    "email",
    "phone",
    "number",
    "integer",
    "date",
    "time",
    "choice",
    "checkbox",
    "consent",
    "file",
]
"""The types of the fields of forms."""


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
_AHEAD = re.compile(r"(?P<from>[a-z][A-Za-z0-9]*)(?: ?\+ ?(?P<days>\d{1,4}))?")
"""Today, or the answer to another field, and perhaps how many days after it."""

LIMITED: Mapping[str, str] = {
    "number": "number",
    "integer": "number",
    "date": "date",
    "time": "time",
}
"""The types of answers that may have limits, and the type as which these are written."""

FILE_MEGABYTES = 5
"""The most megabytes of one file, if its field does not say."""
LARGEST_FILE = 10
"""The most that it may say."""
MOST_FILES = 5


def _limit(value: Any) -> Any:
    """Return the least or greatest value as a text: a number, a time, a day, `today+7`, a field."""
    if isinstance(value, date) and type(value) is date:
        return value.isoformat()
    text = str(value).strip()
    if ahead := _AHEAD.fullmatch(text):
        return f"{ahead['from']}+{int(ahead['days'])}" if ahead["days"] else text
    minutes = minutes_of(text)
    if isinstance(value, bool) or not (minutes is not None or _is_day(text) or _is_number(text)):
        raise InvalidValue(
            Text("invalid limit"),
            Text(
                "Use a number, a time such as 21:30, a day such as 2026-12-31, today, today+7, or"
                " the name of another field."
            ),
        )
    return text if minutes is None else clock(minutes)


def limit_field(limit: str | None) -> str:
    """Return the field whose answer is a limit, `""` for a value or a day ahead.

    >>> limit_field("arrival+1"), limit_field("today+7"), limit_field("12")
    ('arrival', '', '')
    """
    ahead = _AHEAD.fullmatch(limit or "")
    return ahead["from"] if ahead and ahead["from"] != TODAY else ""


def limit_type(limit: str) -> InputType | None:
    """Return the type of the answers for which a limit is, None for that of another field."""
    if limit_field(limit):
        return None
    is_time = ":" in limit
    return "time" if is_time else "date" if limit.startswith(TODAY) or _is_day(limit) else "number"


def day_of(limit: str | None, day: date) -> str | None:
    """Return the day of a limit, which may be one ahead of today or of another answer.

    >>> day_of("today+7", date(2026, 12, 28)), day_of("2026-12-31", date(2026, 12, 28))
    ('2027-01-04', '2026-12-31')
    """
    ahead = _AHEAD.fullmatch(limit or "")
    if ahead is None:
        return limit
    try:
        return f"{day + timedelta(days=int(ahead['days'] or 0))}"
    except OverflowError:
        return f"{date.max}"


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _is_number(text: str) -> bool:
    whole, __, decimals = text.removeprefix("-").partition(".")
    return f"{whole}{decimals or '0'}".isdecimal() and len(text) < 16


Limit = Annotated[str, BeforeValidator(_limit), written(SCALAR)]
"""The least or greatest value of a number, a date or a time, or the field whose answer it is."""


def _choices(value: Any) -> Any:
    """Return the kind that `{from: …}` names, else the options as written."""
    is_kind = isinstance(value, dict) and list(value) == ["from"] and isinstance(value["from"], str)
    return value["from"].strip() if is_kind else value


Choices = Annotated[
    Annotated[str, Tag("from")] | Annotated[Options, Tag("options")],
    Discriminator(lambda value: "from" if isinstance(value, str) else "options"),
    BeforeValidator(_choices),
    written({"type": "object", "additionalProperties": LOCALIZED_TEXT}),
]
"""The options of a choice, or the kind whose entries they are."""


_TYPE_SCHEMA = written({"type": "string", "enum": list(get_args(InputType))})


@front_matter
class InputDeclaration(DeclaredField):
    """One field of a form; that of a layer changes what it names of the field below it."""

    merges_by_name: ClassVar[bool] = True

    type: Annotated[InputType | None, _TYPE_SCHEMA] = None
    """The type of the answer; a field of a layer may leave it to the field below it."""

    choices: Choices | None = None
    """The options of a `choice`, each with its text; or `from`, the kind that has them."""

    of: PlainText | None = None
    """The choice from a kind of which the options are, such as the branch of a doctor."""

    help: Annotated[LocalizedText | None, MARKDOWN] = None
    """A line below the label."""

    placeholder: LocalizedText | None = None
    """An example in the empty field."""

    lead: LeadField | None = None
    """The field of the lead that gets the answer; by default the one of the same name."""

    link: PlainText | None = None
    """The page that a `consent` is about."""

    min: Limit | None = None
    """The least number, or the first day or time; `today` is the day of the visit.

    `arrival` is the answer to that field, and `arrival+1` the day after it.
    """

    max: Limit | None = None
    """The greatest number, or the last day or time; `today+60` is 60 days after the visit."""

    hours: PlainText | None = None
    """Where days and times are open: a choice from a kind, or an entry such as `branches/olaya`.

    `branch.kitchen` names one of several fields with hours.
    """

    max_length: Annotated[int, Field(ge=1, le=5_000)] | None = None
    """The most characters of a text."""

    accept: list[FileType] | None = None
    """The types of files, `pdf` by default."""

    max_size: Annotated[float, Field(gt=0, le=LARGEST_FILE)] | None = None
    """The most megabytes of one file, 5 by default."""

    max_files: Annotated[int, Field(ge=1, le=MOST_FILES)] | None = None
    """The most files, 1 by default."""


def has_crossed_limits(declared: InputDeclaration) -> bool:
    """Return whether the least value is above the greatest."""
    least, most = declared.min, declared.max
    if least is None or most is None:
        return False
    type_of_both = limit_type(least) if limit_type(least) == limit_type(most) else None
    if type_of_both == "number":
        return Decimal(least) > Decimal(most)
    if type_of_both is None or least.startswith(TODAY) != most.startswith(TODAY):
        return False
    first, last = (day_of(each, date.min) or "" for each in (least, most))
    return first > last


def _with_ordered_limits(declared: InputDeclaration) -> InputDeclaration:
    if has_crossed_limits(declared):
        limits = f"{declared.min}, {declared.max}"
        raise InvalidValue(Text("min is above max"), Text("Swap them."), limits)
    return declared


_TAKEN_NAMES = ("form", "answers", "id")


def _input_name(name: str) -> str:
    if name in _TAKEN_NAMES:
        advice = Text("Use another name: what a form sends has a key of this name.")
        raise InvalidValue(Text("reserved name of a field"), advice, name)
    return name


Mailboxes = Annotated[
    Annotated[PlainText, Tag("field")] | Annotated[dict[PlainText, TextList], Tag("options")],
    Discriminator(lambda value: "options" if isinstance(value, dict) else "field"),
    written({"anyOf": [SCALAR, {"type": "object", "additionalProperties": TEXT_LIST}]}),
]
"""The field with the mailbox of an entry, or the addresses by option."""

PLACEHOLDER = re.compile(r"\{(\w+)\}")
"""What stands for the answer to a field in the subject of mails."""

COUNTRY = "country"
"""What stands for the country of the visitor in `notifyBy`, unless it is a field."""


@front_matter
class FormDeclaration(Common):
    """`forms/`; the body is the text of the page, below which the form stands."""

    refuses_unknown_keys: ClassVar[bool] = True
    keeps_lines: ClassVar[bool] = True

    purpose: FormPurposeName | None = None
    """What people want with it, for agents, buttons and mails, such as `reservation`."""

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

    subject: LocalizedText | None = None
    """The subject of mails; `{people}` stands for the answer to the field `people`."""

    copy: bool | None = None
    """Whether the sender gets a mail with what was chosen, in the language of the page."""

    thanks: LocalizedText | None = None
    """The heading after the form was sent."""

    thanks_text: Annotated[LocalizedText | None, MARKDOWN] = None
    """The text below it."""

    notify: TextList | None = None
    """Who is told by e-mail, instead of `LEADS_EMAIL_TO`."""

    notify_by: dict[PlainText, Mailboxes] | None = None
    """Who is told instead, by the answer to a choice, or by `country`: the first that names some.

    A name is that of the field with the mailbox of the chosen entry.
    """


def is_mailbox(address: object) -> TypeGuard[str]:
    """Return whether mails can be sent to an address: one in ASCII, as all servers take."""
    return isinstance(address, str) and address.isascii() and is_email(address)


def hours_of(written: str) -> tuple[str, str]:
    """Return the field or entry that `hours` names, and the field of the entry, `""` for the first.

    >>> hours_of("branch"), hours_of("branches/olaya.kitchen")
    (('branch', ''), ('branches/olaya', 'kitchen'))
    """
    target, _dot, name = written.partition(".")
    return target, name


def lead_field(name: str, declared: InputDeclaration) -> str:
    """Return the field of the lead that has the answer of a field, `""` for `answers`."""
    is_text = declared.type in ("text", "longText", "email", "phone", "choice")
    own = name if name in LEAD_LENGTHS and is_text else ""
    return declared.lead or own
