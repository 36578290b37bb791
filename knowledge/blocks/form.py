"""Forms: what they ask for, and where they are sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import chain
from typing import Annotated, Any

from pydantic import Field, InstanceOf

from knowledge.blocks.block import ResponseModel
from knowledge.fields.field_types import BilingualString, Omittable
from knowledge.fields.form_fields import FileType, InputType
from knowledge.fields.form_kinds import (
    FORM_KINDS,
    PURPOSES,
    FormKind,
    FormKindName,
    FormPurpose,
    FormPurposeName,
)
from knowledge.fields.opening_hours import OpeningClock, OpeningHours
from knowledge.fields.site_fields import LeadTopic

FARTHEST = timedelta(hours=14)
"""How far the day of a visitor may be after that of UTC."""


@dataclass(frozen=True, slots=True)
class OpenPlace:
    """What is open at times: its title, its hours, and their zone if that is known."""

    title: BilingualString
    hours: OpeningHours
    zone: tzinfo | None

    def open_on(self, day: date, now: datetime) -> Sequence[tuple[datetime, datetime]]:
        """Return when it is open on a day, as far as that is not over."""
        now = now if self.zone else now - FARTHEST
        spans = OpeningClock(self.hours, self.zone or UTC).open_on(day, now)
        return [
            (opens.replace(tzinfo=None), closes.replace(tzinfo=None)) for opens, closes in spans
        ]

    def closed_day(self, day: date, spans: Sequence[tuple[datetime, datetime]]) -> ClosedDay:
        """Return what is open on a day with these spans, or on the next one with any."""
        is_whole = not self.hours.spans_on(day)
        texts = [] if is_whole else [f"{opens:%H:%M}-{closes:%H:%M}" for opens, closes in spans]
        following = None if texts else self.hours.next_day(day)
        later = self.hours.spans_on(following) if following else ()
        return ClosedDay(self.title, day, texts or later, following)


@dataclass(frozen=True, slots=True)
class ClosedDay:
    """A day on which a place is closed at the time of an answer, or whole.

    `spans` are those of the day, or those of the next day on which it opens.
    """

    title: BilingualString
    day: date
    spans: Sequence[str]
    next_day: date | None = None

    @property
    def allowed(self) -> str:
        """The day with its hours, as the API tells it."""
        hours = ", ".join(self.spans)
        return f"{self.next_day or self.day}: {hours}" if hours else "another day"

    def __str__(self) -> str:
        """Return what is wrong with the answer."""
        return "when it is closed"


@dataclass(frozen=True, slots=True)
class OutOfRange:
    """The limits of an answer that is outside them, and the field whose answer sets them."""

    type: InputType
    least: str | None
    most: str | None
    field: FormInput | None = None

    def __str__(self) -> str:
        """Return what is wrong with the answer."""
        return "outside its limits"


@dataclass(frozen=True, slots=True)
class OtherOptions:
    """An option that what another field chooses does not have, and the options that it has."""

    place: FormOption
    options: Sequence[FormOption]

    @property
    def allowed(self) -> str:
        """The options, as the API tells them."""
        return ", ".join(each.value for each in self.options) or "nothing: leave it out"

    def __str__(self) -> str:
        """Return what is wrong with the answer."""
        return f"not an option of {self.place.value}"


Misfit = ClosedDay | OutOfRange | OtherOptions
"""What is wrong with an answer that could be right at another time or with another answer."""


class FormOption(ResponseModel):
    """An option of a choice."""

    value: str
    """What to send."""
    label: BilingualString
    """The text of the option."""
    of: Omittable[list[str]] = None
    """Options of the field `of` with which it can be chosen; absent for all."""


class FormInput(ResponseModel):
    """A field of a form; without `lead`, its answer is sent within `answers`."""

    name: str
    """Name of the field."""
    label: BilingualString
    """Label of the field."""
    type: InputType
    """Type of the answer; a date is `2026-12-31`, a time `21:30`, a consent `true`."""
    required: bool = False
    """Whether it must have an answer."""
    lead: Omittable[str] = None
    """Field of the lead that has the answer."""
    help: Omittable[BilingualString] = None
    """A line below the label."""
    options: Omittable[list[FormOption]] = None
    """The options of a choice."""
    options_from: Omittable[str] = None
    """The kind whose entries are the options."""
    of: Omittable[str] = None
    """The field whose choice leaves a part of the options."""
    many: Omittable[bool] = None
    """Whether a choice has a list of values."""
    minimum: Omittable[str] = None
    """The least number, time or day, such as `today+7`, a field, or `arrival+1`."""
    maximum: Omittable[str] = None
    """The greatest number, or the last time or day."""
    hours: Omittable[str] = None
    """What must be open then: the entry that a field chooses, or one such as `branches/olaya`."""
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
    former: Annotated[Mapping[str, str], Field(exclude=True)] = {}
    """The present values of options by their former ones."""
    places: Annotated[Mapping[str, InstanceOf[OpenPlace]], Field(exclude=True)] = {}
    """Where it must be open, by the option of the field `hours`; `""` for the same place always."""
    day: Annotated[str, Field(exclude=True)] = ""
    """The field with the day of a time."""
    span: Annotated[tuple[str, str] | None, Field(exclude=True)] = None
    """The first and the last time at which any of the places is open."""

    @property
    def sent_name(self) -> str:
        """The name by which it is sent: that of the lead, or one within `answers`."""
        return self.lead or f"answers.{self.name}"

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
    purpose: Omittable[FormPurposeName] = None
    """What people want with it."""
    topic: Annotated[LeadTopic, Field(exclude=True)] = "other"
    words: Annotated[Mapping[str, BilingualString], Field(exclude=True)] = {}
    """The words that the site sets: `submit`, `thanks`, `thanks_text`, `subject` and
    `short_description`."""
    sends_copy: Annotated[bool, Field(exclude=True)] = False
    """Whether the sender gets a mail with what was chosen."""
    site: Annotated[str, Field(exclude=True)] = ""
    """The name of the site, for mails."""
    reply_to: Annotated[str, Field(exclude=True)] = ""
    """The public address of the site, to which answers to mails go."""
    notify: Annotated[tuple[str, ...], Field(exclude=True)] = ()
    notify_by: Annotated[Mapping[str, Mapping[str, tuple[str, ...]]], Field(exclude=True)] = {}
    """Who is told by the option of a field; by `""`, whatever is chosen."""

    def answers_of(self, sent: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the answers by field of the fields of a lead, some of which are in `answers`."""
        others = sent.get("answers") or {}
        return {
            each.name: sent.get(each.lead) if each.lead else others.get(each.name)
            for each in self.fields
        }

    def told_of(self, answers: Mapping[str, object]) -> tuple[str, ...]:
        """Return who is told of answers by e-mail: the first that an answer names, else all."""
        for name, mailboxes in self.notify_by.items():
            given = answers.get(name)
            chosen = given if isinstance(given, list) else [given]
            found = [mailboxes.get(str(each), mailboxes.get("", ())) for each in chosen]
            if any(found):
                return tuple(dict.fromkeys(chain.from_iterable(found)))
        return self.notify

    @property
    def wanted(self) -> FormPurpose | None:
        """What people want with it, in words and as an action."""
        return PURPOSES[self.purpose] if self.purpose else None

    @property
    def required_fields(self) -> list[FormInput]:
        """The fields that must have an answer, without those of which one must."""
        return [each for each in self.fields if each.required]

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

    def chosen_by(self, field: FormInput) -> Mapping[str, FormOption]:
        """Return the options of the field that leaves a part of those of another, by value."""
        by = next((each for each in self.fields if each.name == field.of), None)
        return {each.value: each for each in (by and by.options) or ()}

    def labels(self, names: Sequence[str]) -> list[BilingualString]:
        """Return the labels of some fields."""
        return [each.plain_label for each in self.fields if each.name in names]
