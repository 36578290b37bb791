"""Answers to the further questions of a form: read, judged by its declaration, and written.

What a file is that comes with a form is seen in its bytes, not in its name.
"""

from __future__ import annotations

import codecs
import hashlib
import io
import os
import struct
import zipfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import partial, reduce
from itertools import islice
from typing import IO, Any, NamedTuple, cast, get_args

from app.features.leads.model import Lead
from app.platform.submitted_fields import FieldError, is_absent
from knowledge.blocks.form import (
    FARTHEST,
    ClosedDay,
    FormInput,
    Misfit,
    OtherOptions,
    OutOfRange,
    SiteForm,
)
from knowledge.diagnostics.messages import Text
from knowledge.fields.field_types import e164, is_email
from knowledge.fields.file_types import ASSET_TYPES
from knowledge.fields.form_fields import LIMITED, FileType, day_of, limit_field, limit_type
from knowledge.fields.opening_hours import clock, minutes_of
from knowledge.locales.locale import Language, Locale, localized_text
from renderers.l10n.formats import full_date

_EARLIEST = timedelta(hours=12)
"""How far the day of a visitor may be before that of UTC."""

FindForm = Callable[[Lead], SiteForm | None]
"""Returns the form of a lead as its sender saw it, None if the site has it no more."""


def no_form(_lead: Lead) -> None:
    """Return None: no form is known."""


@dataclass(slots=True)
class Answers:
    """The answers by field, the bytes of the files that they name, and what is wrong."""

    values: dict[str, Any] = field(default_factory=dict)
    files: list[bytes] = field(default_factory=list)
    errors: dict[str, FieldError | Misfit] = field(default_factory=dict)


ANSWERS = "answers"
_LARGEST_NUMBER = 10**15
_MOST_UNKNOWN, _LONGEST_NAME = 10, 64
"""How many unknown answers an error names, and how much of each name."""


def read_answers(
    asked: SiteForm,
    sent: Mapping[str, Any],
    files: Mapping[str, Sequence[UploadedFile]],
    now: datetime,
    region: str | None = None,
) -> Answers:
    """Return the answers to a form; `sent` has the fields of a lead and `answers`.

    Errors are named as sent: a field of the lead, or `answers.` and the name. A telephone number
    without the code of its country is one of the `region`. To read files takes long: not in the
    event loop.
    """
    values = {} if sent.get(ANSWERS) is None else sent[ANSWERS]
    if not isinstance(values, Mapping):
        return Answers(errors={ANSWERS: FieldError.MALFORMED})
    read, given = Answers(), dict[str, Any]()
    for each in asked.fields:
        value = sent.get(each.lead) if each.lead else values.get(each.name)
        found = files.get(each.name, ())
        if not found and (is_absent(value) or value is False or value == []):
            if each.required:
                read.errors[each.sent_name] = FieldError.MISSING
            continue
        answer = _stored_files(each, found, read.files) if found else _answer(each, value, region)
        given[each.name] = None if isinstance(answer, FieldError) else answer
        if isinstance(answer, FieldError):
            read.errors[each.sent_name] = answer
        elif not each.lead:
            read.values[each.name] = answer
    for each in sorted(asked.fields, key=lambda one: one.type != "date"):
        wrong = (
            _out_of_range(asked, each, given, now)
            or _closed(asked, each, given, now)
            or _not_offered(asked, each, given)
        )
        if wrong:
            read.errors[each.sent_name], given[each.name] = wrong, None
    group = [each for each in asked.fields if each.name in (asked.require_one_of or ())]
    if group and not any(each.name in given for each in group):
        read.errors.setdefault(group[0].sent_name, FieldError.ONE_OF)
    known = {each.name for each in asked.fields if not each.lead}
    unknown = (f"{ANSWERS}.{_cut(name)}" for name in values if name not in known)
    read.errors |= dict.fromkeys(islice(unknown, _MOST_UNKNOWN), FieldError.NO_OPTION)
    return read


def _cut(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"


def allowed_values(asked: SiteForm) -> Mapping[str, str]:
    """Return in words what each field of a form may have, by the name by which it is sent."""
    return {each.sent_name: _allowed(each, asked) for each in asked.fields}


def _allowed(each: FormInput, asked: SiteForm) -> str:
    if each.name in (asked.require_one_of or ()):
        group = (one for one in asked.fields if one.name in (asked.require_one_of or ()))
        return Text("a value, or another of {}", tuple(one.sent_name for one in group))
    if each.options:
        values = _values(each)
        return Text("a list of {}", values) if each.many else Text("{}", values)
    if each.type == "file":
        types, most = each.accept or (), each.max_bytes
        return Text("a file ({}) of at most {} bytes, with the form at {}", types, most, asked.path)
    limits = [Text("from {}", each.minimum)] if each.minimum else []
    limits += [Text("up to {}", each.maximum)] if each.maximum else []
    words = {
        "number": "a number",
        "integer": "a whole number",
        "date": "a day such as 2026-12-31",
        "time": "a time such as 21:30",
        "checkbox": "true or false",
        "consent": "true",
        "email": "an address such as noor@example.com",
        "phone": "a telephone number such as +971501234567",
    }
    text = words.get(each.type) or Text("text of at most {} characters", each.max_length)
    return reduce(partial(Text, "{} {}"), limits, text)


def suitable(wrong: Misfit) -> str:
    """Return what could be sent instead of an answer, as the API tells it."""
    if not isinstance(wrong, OutOfRange):
        return wrong.allowed
    if wrong.least and wrong.most:
        return Text("from {} up to {}", wrong.least, wrong.most)
    limit = Text("from {}", wrong.least) if wrong.least else Text("up to {}", wrong.most)
    return Text("{}, by {}", limit, wrong.field.sent_name) if wrong.field else limit


def _values(each: FormInput) -> list[str]:
    return [option.value for option in each.options or ()]


def _answer(each: FormInput, value: Any, region: str | None) -> Any:
    """Return an answer, or what is wrong with it."""
    if each.type == "file":  # what is in its place is no file
        return FieldError.MISSING if each.required else FieldError.WRONG_TYPE
    if each.many:
        known, is_list = _values(each), isinstance(value, list)
        chosen = {one for one in value if isinstance(one, str)} if is_list else set()
        is_known = is_list and chosen.issubset(known) and all(isinstance(one, str) for one in value)
        return [one for one in known if one in chosen] if is_known else FieldError.NO_OPTION
    if each.options:
        value = each.former.get(value, value) if isinstance(value, str) else value
        return value if value in _values(each) else FieldError.NO_OPTION
    if each.type in ("checkbox", "consent"):
        return True if value is True else FieldError.NO_OPTION
    if each.type in ("number", "integer"):
        return _number(each, value)
    return _text(each, value, region) if isinstance(value, str) else FieldError.NOT_TEXT


def _text(each: FormInput, value: str, region: str | None) -> str | FieldError:
    if "\0" in value or any("\ud800" <= one <= "\udfff" for one in value):
        return FieldError.MALFORMED
    if each.type == "date":
        return _day(value.strip())
    if each.type == "time":
        return _time(value)
    if len(value) > (each.max_length or 0):
        return FieldError.TOO_LONG
    is_wrong = (each.type == "email" and not is_email(value.strip())) or (
        each.type == "phone" and e164(value, region) is None
    )
    return FieldError.MALFORMED if is_wrong else value


def _number(each: FormInput, value: Any) -> float | FieldError:
    try:
        number = float(value) if isinstance(value, str | int | float) else float("nan")
    except (ValueError, OverflowError):
        number = float("nan")
    is_broken = each.type == "integer" and not number.is_integer()
    if isinstance(value, bool) or is_broken or not abs(number) < _LARGEST_NUMBER:
        return FieldError.MALFORMED
    return int(number) if number.is_integer() else number


def _day(text: str) -> str | FieldError:
    try:
        return f"{date.fromisoformat(text)}"
    except ValueError:
        return FieldError.MALFORMED


def _time(text: str) -> str | FieldError:
    minutes = minutes_of(text)
    if minutes is None or clock(minutes) == "24:00":
        return FieldError.MALFORMED
    return clock(minutes)


def _out_of_range(
    asked: SiteForm, each: FormInput, given: Mapping[str, Any], now: datetime
) -> OutOfRange | None:
    """Return the limits of an answer if it is outside them; another answer may set them.

    A day that is within them in some time zone is; those of UTC are told.
    """
    answer, fields = given.get(each.name), {one.name: one for one in asked.fields}
    if answer is None or each.type not in LIMITED:
        return None
    both = (each.minimum, each.maximum)
    for limit, there in zip(both, (now - _EARLIEST, now + FARTHEST), strict=True):
        by, is_least = fields.get(limit_field(limit)), limit is each.minimum
        bound = _bound(each, limit, by, given, there.date())
        if bound is None or not (answer < bound if is_least else bound < answer):
            continue
        own = [None if limit_field(one) else day_of(one, now.date()) for one in both]
        alone = [f"{bound}", None] if is_least else [None, f"{bound}"]
        least, most = alone if by else own
        return OutOfRange(each.type, least, most, by)
    return None


def _bound(
    each: FormInput,
    limit: str | None,
    by: FormInput | None,
    given: Mapping[str, Any],
    today: date,
) -> Any:
    """Return a limit in the type of the answer, None without one."""
    kind, other = LIMITED[each.type], given.get(by.name) if by else None
    if by and (other is None or LIMITED.get(by.type) != kind):
        return None
    if by:
        return day_of(limit, date.fromisoformat(str(other))) if kind == "date" else other
    if limit is None or limit_type(limit) != kind:
        return None
    return float(limit) if kind == "number" else day_of(limit, today)


def _closed(
    asked: SiteForm, each: FormInput, given: Mapping[str, Any], now: datetime
) -> ClosedDay | None:
    """Return what is open on the day of an answer; None if it is open then, or not known."""
    answer, day = given.get(each.name), given.get(each.day or each.name)
    chosen = given.get(each.hours or "", "")
    place = each.places.get(chosen if isinstance(chosen, str) else "")
    if place is None or not answer or not day:
        return None
    on_day = date.fromisoformat(day)
    spans = place.open_on(on_day, now)
    # A day on which it is open after midnight only is for those who say at which time.
    times = [one for one in asked.fields if one.places and each.name in (one.name, one.day)]
    texts = [given.get(one.name) for one in times if one.type == "time"]
    moments = [datetime.combine(on_day, time.fromisoformat(each)) for each in texts if each]
    is_open = any(opens <= moment < closes for opens, closes in spans for moment in moments)
    if each.type == "date":
        is_open |= bool(spans and place.hours.spans_on(on_day))
    return None if is_open else place.closed_day(on_day, spans)


def _not_offered(asked: SiteForm, each: FormInput, given: Mapping[str, Any]) -> OtherOptions | None:
    """Return what can be chosen with the answer to another field if this answer cannot."""
    chosen, answer = given.get(each.of or ""), given.get(each.name)
    place = asked.chosen_by(each).get(chosen) if isinstance(chosen, str) else None
    if place is None or not answer:
        return None
    offered = [one for one in each.options or () if not one.of or place.value in one.of]
    known, answers = {one.value for one in offered}, answer if each.many else [answer]
    return None if known.issuperset(answers) else OtherOptions(place, offered)


def _stored_files(
    each: FormInput, sent: Sequence[UploadedFile], stored: list[bytes]
) -> list[dict[str, Any]] | FieldError:
    """Add the files of a field to those that are stored; return its answer, or what is wrong.

    Number and size are known before a file is read, and its first bytes before the rest.
    """
    if len(sent) > (each.max_files or 0):
        return FieldError.TOO_MANY
    if any(one.size > (each.max_bytes or 0) for one in sent):
        return FieldError.TOO_LARGE
    contents = [one.read() for one in sent]
    types = [file_type(content, each.accept or ()) for content in contents]
    if None in types:
        return FieldError.WRONG_TYPE
    described = [
        {"number": len(stored) + number, **one.described(kind or "", content)}
        for number, (one, kind, content) in enumerate(zip(sent, types, contents, strict=True), 1)
    ]
    stored += contents
    return described


def with_ids(lead_id: str, answers: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return answers in which files have the ids by which `majlis leads file` gets them."""
    return {
        name: [_with_id(lead_id, **each) for each in value] if is_files(value) else value
        for name, value in answers.items()
    }


def _with_id(lead_id: str, number: int, **facts: Any) -> Mapping[str, Any]:
    return {"id": file_id(lead_id, number), **facts}


def file_id(lead_id: str, number: int) -> str:
    """Return the id of a file: that of its lead, and its number."""
    return f"{lead_id}.{number}"


def is_files(value: object) -> bool:
    """Return whether an answer names files."""
    return isinstance(value, list) and any(isinstance(each, Mapping) for each in value)


def answer_texts(
    answers: Mapping[str, Any],
    asked: SiteForm | None,
    language: Language,
    yes: str,
    readers: Locale | None = None,
) -> Iterator[tuple[str, str]]:
    """Yield label and text of each answer; without its form, by the names of the fields.

    Days are in words for readers, and else as they are sent.
    """
    fields = {each.name: each for each in asked.fields} if asked else {}
    for name, value in answers.items():
        each = fields.get(name)
        label = localized_text(each.plain_label, language) if each else name
        yield label, _answer_text(value, each, language, yes, readers)


def _answer_text(
    value: Any, each: FormInput | None, language: Language, yes: str, readers: Locale | None
) -> str:
    """Return an answer as text; a consent has none, as its label is a sentence."""
    if readers and each and each.type == "date" and isinstance(value, str):
        return full_date(date.fromisoformat(value), readers)
    if is_files(value):
        return language.comma.join(f"{one['name']} ({one['size']:,} B)" for one in value)
    if value is True:
        return "" if each and each.type == "consent" else yes
    values = value if isinstance(value, list) else [value]
    labels = {one.value: one.label for one in (each.options or ())} if each else {}
    if each and each.former:
        labels |= {old: labels[new] for old, new in each.former.items() if new in labels}
    shown = (localized_text(labels.get(one), language) or str(one) for one in values)
    return language.comma.join(shown)


CHOSEN_TYPES = ("choice", "date", "time", "number", "integer", "checkbox")
"""The types of answers that are chosen, and have no text of the sender."""


def answers_in_words(
    asked: SiteForm, sent: Mapping[str, Any], readers: Locale, yes: str
) -> Mapping[str, str]:
    """Return the answers of a lead by field, with days in words."""
    given = asked.answers_of(sent)
    return {
        each.name: _answer_text(given[each.name], each, readers.language, yes, readers)
        for each in asked.fields
        if given.get(each.name) not in (None, "")
    }


class UploadedFile(NamedTuple):
    """A file as sent: the name that its sender gives it, and its bytes, which are not read yet."""

    name: str
    stream: IO[bytes]

    @property
    def size(self) -> int:
        """The number of its bytes."""
        return self.stream.seek(0, os.SEEK_END)

    def read(self) -> bytes:
        """Return its bytes."""
        self.stream.seek(0)
        return self.stream.read()

    def described(self, kind: str, content: bytes) -> dict[str, Any]:
        """Return what an answer says of a file of this type."""
        return {
            "name": _file_name(self.name, kind),
            "type": ASSET_TYPES.get(f".{kind}", "text/plain"),
            "size": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
        }


_LONGEST_NAME = 120
_OFFICE = {"word/": "docx", "xl/": "xlsx", "ppt/": "pptx"}
_SIGNATURES = {"pdf": b"%PDF-", "png": b"\x89PNG\r\n\x1a\n", "jpg": b"\xff\xd8\xff"}
_ARCHIVES = frozenset({*_OFFICE.values(), "odt"})
_MOST_ENTRIES, _MOST_DIRECTORY_BYTES = 5_000, 512 * 1024
"""Of the directory of an archive; to list it takes 10 µs for each entry."""


def _file_name(sent: str, kind: str) -> str:
    r"""Return a name without folders and control characters, whose suffix tells the type.

    >>> _file_name("..\\cv.\u202efdp.exe", "pdf")
    'cv.fdp.exe.pdf'
    """
    last = sent.replace("\\", "/").rpartition("/")[2]
    name = "".join(each for each in last if each.isprintable()).strip(" .")[-_LONGEST_NAME:]
    suffix = name.rpartition(".")[2].lower().replace("jpeg", "jpg")
    return name if suffix == kind and len(name) > len(kind) + 1 else f"{name or 'file'}.{kind}"


def file_type(content: bytes, accepted: Collection[str] = get_args(FileType)) -> str | None:
    r"""Return the type of a file by its bytes, None if it is none of the accepted ones.

    Its first bytes tell which types it may have; the others are read only if one is accepted.

    >>> file_type(b"%PDF-1.7\n"), file_type(b"MZ\x90\x00"), file_type("سيرة".encode())
    ('pdf', None, 'txt')
    """
    if content.startswith(b"PK\x03\x04"):
        found = None if _ARCHIVES.isdisjoint(accepted) else _archive_type(content)
    elif content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        found = "webp"
    else:
        found = next((kind for kind, each in _SIGNATURES.items() if content.startswith(each)), None)
        if found is None and "txt" in accepted and _is_text(content):
            found = "txt"
    return found if found in accepted else None


def _archive_type(content: bytes) -> str | None:
    """Return the type of a document that is an archive; nothing of it is unpacked."""
    try:
        if not _has_short_directory(content):
            return None
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, struct.error):
        return None
    if any(name.endswith("vbaProject.bin") for name in names):
        return None
    if content[30:69] == b"mimetypeapplication/vnd.oasis.opendocum" and b".text" in content[69:80]:
        return "odt"
    if "[Content_Types].xml" not in names:
        return None
    return next((_OFFICE[each] for each in _OFFICE if any(n.startswith(each) for n in names)), None)


_END, _END64 = b"PK\x05\x06", b"PK\x06\x07"
_PIECE_BYTES = 64 * 1024
"""A text is read in pieces, between which other threads run."""


def _has_short_directory(content: bytes) -> bool:
    """Return whether the end record of an archive tells of few entries; raises struct.error.

    One with a record of 64 bits, which would count instead, is longer than any file of a form.
    """
    end = content.rfind(_END, -(22 + 0xFFFF))
    if end < 0 or content.startswith(_END64, max(0, end - 20)):
        return False
    entries, size = cast("tuple[int, int]", struct.unpack_from("<HI", content, end + 10))
    return entries <= _MOST_ENTRIES and size <= _MOST_DIRECTORY_BYTES


def _is_text(content: bytes) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    try:
        for start in range(0, len(content), _PIECE_BYTES):
            piece = decoder.decode(content[start : start + _PIECE_BYTES])
            for sign in "\t\r\n\f":  # `translate` takes twenty times as long for Arabic
                piece = piece.replace(sign, "")
            if not piece.isprintable():
                return False
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return content not in (b"", codecs.BOM_UTF8)
