"""Answers to the further questions of a form: read, judged by its declaration, and written."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from app.platform.submitted_fields import FieldError, is_absent, is_email
from knowledge.fields.form_fields import TODAY
from knowledge.locales.locale import Language, localized_text
from knowledge.resources.forms import FormInput, SiteForm

ANSWERS = "answers"
_LARGEST_NUMBER = 10**15
_EARLIEST, _LATEST = timedelta(hours=12), timedelta(hours=14)
"""How far the day of a visitor may be before and after that of UTC."""
_LONGEST_NAME = 120
_MEDIA_TYPES = {
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "odt": "application/vnd.oasis.opendocument.text",
    "png": "image/png",
    "jpg": "image/jpeg",
    "webp": "image/webp",
    "txt": "text/plain",
}
_OFFICE = {"word/": "docx", "xl/": "xlsx", "ppt/": "pptx"}


FindForm = Callable[[str | None], SiteForm | None]
"""Returns a form by its name, None if the site has it no more."""


def no_form(_name: str | None) -> None:
    """Return None: no form is known."""


class UploadedFile(NamedTuple):
    """A file as sent: the name that its sender gives it, and its bytes."""

    name: str
    content: bytes


@dataclass(slots=True)
class Answers:
    """The answers by field, the bytes of the files that they name, and what is wrong."""

    values: dict[str, Any] = field(default_factory=dict)
    files: list[bytes] = field(default_factory=list)
    errors: dict[str, FieldError] = field(default_factory=dict)


def read_answers(
    asked: SiteForm,
    sent: Mapping[str, Any],
    files: Mapping[str, Sequence[UploadedFile]],
    now: datetime,
) -> Answers:
    """Return the answers to a form; `sent` has the fields of a lead and `answers`.

    Errors are named as sent: a field of the lead, or `answers.` and the name.
    """
    values = {} if sent.get(ANSWERS) is None else sent[ANSWERS]
    if not isinstance(values, Mapping):
        return Answers(errors={ANSWERS: FieldError.MALFORMED})
    read, present = _read(asked, sent, files, now), _present(asked, sent, files)
    group = [each for each in asked.fields if each.name in (asked.require_one_of or ())]
    if group and not any(each.name in present for each in group):
        read.errors.setdefault(sent_name(group[0]), FieldError.ONE_OF)
    known = {each.name for each in asked.fields if not each.lead}
    unknown = (f"{ANSWERS}.{name}" for name in values if name not in known)
    read.errors |= dict.fromkeys(unknown, FieldError.NO_OPTION)
    return read


def _present(
    asked: SiteForm, sent: Mapping[str, Any], files: Mapping[str, Sequence[UploadedFile]]
) -> set[str]:
    """Return the names of the fields that have an answer."""
    values = sent.get(ANSWERS) or {}
    return {
        each.name
        for each in asked.fields
        if files.get(each.name)
        or not _is_empty(sent.get(each.lead) if each.lead else values.get(each.name))
    }


def _read(
    asked: SiteForm,
    sent: Mapping[str, Any],
    files: Mapping[str, Sequence[UploadedFile]],
    now: datetime,
) -> Answers:
    read, values, present = Answers(), sent.get(ANSWERS) or {}, _present(asked, sent, files)
    for each in asked.fields:
        name, value = sent_name(each), values.get(each.name)
        if each.name not in present:
            if each.required:
                read.errors[name] = FieldError.MISSING
        elif each.type == "file":
            _add_files(each, files.get(each.name, ()), read)
        elif each.lead:
            if each.options and sent[each.lead] not in _values(each):
                read.errors[name] = FieldError.NO_OPTION
        else:
            answer = _answer(each, value, now)
            if isinstance(answer, FieldError):
                read.errors[name] = answer
            else:
                read.values[each.name] = answer
    return read


def sent_name(each: FormInput) -> str:
    """Return the name by which a field is sent: that of the lead, or one within `answers`."""
    return each.lead or f"{ANSWERS}.{each.name}"


def allowed_values(asked: SiteForm) -> Mapping[str, str]:
    """Return in words what each field of a form may have, by the name by which it is sent."""
    return {sent_name(each): _allowed(each, asked) for each in asked.fields}


def _allowed(each: FormInput, asked: SiteForm) -> str:
    if each.name in (asked.require_one_of or ()):
        group = (one for one in asked.fields if one.name in (asked.require_one_of or ()))
        return f"a value, or another of {', '.join(map(sent_name, group))}"
    if each.options:
        return f"{'a list of ' if each.many else ''}{', '.join(_values(each))}"
    if each.type == "file":
        types = ", ".join(each.accept or ())
        return f"a file ({types}) of at most {each.max_bytes} bytes, with the form at {asked.path}"
    limits = [f"from {each.minimum}"] if each.minimum else []
    limits += [f"up to {each.maximum}"] if each.maximum else []
    words = {
        "number": "a number",
        "date": "a day such as 2026-12-31",
        "checkbox": "true or false",
        "consent": "true",
        "email": "an address such as noor@example.com",
    }
    text = words.get(each.type, f"text of at most {each.max_length} characters")
    return " ".join((text, *limits))


def _values(each: FormInput) -> list[str]:
    return [option.value for option in each.options or ()]


def _is_empty(value: object) -> bool:
    return is_absent(value) or value is False or value == []


def _answer(each: FormInput, value: Any, now: datetime) -> Any:
    """Return an answer, or what is wrong with it."""
    if each.many:
        known = _values(each)
        is_known = isinstance(value, list) and all(one in known for one in value)
        return [one for one in known if one in value] if is_known else FieldError.NO_OPTION
    if each.options:
        return value if value in _values(each) else FieldError.NO_OPTION
    if each.type in ("checkbox", "consent"):
        return True if value is True else FieldError.NO_OPTION
    if each.type == "number":
        return _number(each, value)
    return _text(each, value, now) if isinstance(value, str) else FieldError.NOT_TEXT


def _text(each: FormInput, value: str, now: datetime) -> str | FieldError:
    if "\0" in value or any("\ud800" <= one <= "\udfff" for one in value):
        return FieldError.MALFORMED
    if each.type == "date":
        return _day(each, value.strip(), now)
    if len(value) > (each.max_length or 0):
        return FieldError.TOO_LONG
    return FieldError.MALFORMED if each.type == "email" and not is_email(value.strip()) else value


def _number(each: FormInput, value: Any) -> float | FieldError:
    try:
        number = float(value) if isinstance(value, str | int | float) else float("nan")
    except (ValueError, OverflowError):
        number = float("nan")
    if isinstance(value, bool) or not abs(number) < _LARGEST_NUMBER:
        return FieldError.MALFORMED
    least, most = float(each.minimum or "-inf"), float(each.maximum or "inf")
    if not least <= number <= most:
        return FieldError.OUT_OF_RANGE
    return int(number) if number.is_integer() else number


def _day(each: FormInput, text: str, now: datetime) -> str | FieldError:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return FieldError.MALFORMED
    least = (now - _EARLIEST).date() if each.minimum == TODAY else each.minimum
    most = (now + _LATEST).date() if each.maximum == TODAY else each.maximum
    is_within = (least is None or f"{least}" <= f"{day}") and (
        most is None or f"{day}" <= f"{most}"
    )
    return day.isoformat() if is_within else FieldError.OUT_OF_RANGE


def _add_files(each: FormInput, files: Sequence[UploadedFile], read: Answers) -> None:
    """Add the files of a field; what they are is seen in their bytes, not in their names."""
    types = [file_type(one.content) for one in files]
    problem: FieldError | None = None
    if len(files) > (each.max_files or 0):
        problem = FieldError.TOO_MANY
    elif any(len(one.content) > (each.max_bytes or 0) for one in files):
        problem = FieldError.TOO_LARGE
    elif any(one not in (each.accept or ()) for one in types):
        problem = FieldError.WRONG_TYPE
    if problem:
        read.errors[sent_name(each)] = problem
        return
    answer = []
    for one, kind in zip(files, types, strict=True):
        read.files.append(one.content)
        answer.append(
            {
                "number": len(read.files),
                "name": _file_name(one.name, kind or ""),
                "type": _MEDIA_TYPES[kind or ""],
                "size": len(one.content),
                "sha256": hashlib.sha256(one.content).hexdigest(),
            }
        )
    read.values[each.name] = answer


def _file_name(sent: str, kind: str) -> str:
    r"""Return a name without folders and control characters, whose suffix tells the type.

    >>> _file_name("..\\cv.\u202efdp.exe", "pdf")
    'cv.fdp.exe.pdf'
    """
    last = sent.replace("\\", "/").rpartition("/")[2]
    name = "".join(each for each in last if each.isprintable()).strip(" .")[-_LONGEST_NAME:]
    suffix = name.rpartition(".")[2].lower().replace("jpeg", "jpg")
    return name if suffix == kind and len(name) > len(kind) + 1 else f"{name or 'file'}.{kind}"


def file_type(content: bytes) -> str | None:
    r"""Return the type of a file by its bytes, None if it is none that forms take.

    >>> file_type(b"%PDF-1.7\n"), file_type(b"MZ\x90\x00"), file_type("سيرة".encode())
    ('pdf', None, 'txt')
    """
    if content.startswith(b"%PDF-"):
        return "pdf"
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if content.startswith(b"\xff\xd8\xff"):
        return "jpg"
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "webp"
    if content.startswith(b"PK\x03\x04"):
        return _archive_type(content)
    return "txt" if _is_text(content) else None


def _archive_type(content: bytes) -> str | None:
    """Return the type of a document that is an archive; nothing of it is unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return None
    if any(name.endswith("vbaProject.bin") for name in names):
        return None
    if content[30:69] == b"mimetypeapplication/vnd.oasis.opendocum" and b".text" in content[69:80]:
        return "odt"
    if "[Content_Types].xml" not in names:
        return None
    found = (kind for folder, kind in _OFFICE.items() if any(map(_below(folder), names)))
    return next(found, None)


def _below(folder: str) -> Callable[[str], bool]:
    return lambda name: name.startswith(folder)


def _is_text(content: bytes) -> bool:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    return bool(text) and all(each.isprintable() or each in "\t\r\n\f" for each in text)


def with_ids(lead_id: str, answers: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return answers in which files have the ids by which `majlis leads file` gets them."""
    return {
        name: [{"id": file_id(lead_id, each["number"]), **_without_number(each)} for each in value]
        if is_files(value)
        else value
        for name, value in answers.items()
    }


def _without_number(each: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in each.items() if name != "number"}


def file_id(lead_id: str, number: int) -> str:
    """Return the id of a file: that of its lead, and its number."""
    return f"{lead_id}.{number}"


def is_files(value: object) -> bool:
    """Return whether an answer names files."""
    return isinstance(value, list) and any(isinstance(each, Mapping) for each in value)


def answer_texts(
    answers: Mapping[str, Any], asked: SiteForm | None, language: Language, yes: str
) -> Iterator[tuple[str, str]]:
    """Yield label and text of each answer; without its form, by the names of the fields."""
    fields = {each.name: each for each in asked.fields} if asked else {}
    for name, value in answers.items():
        each = fields.get(name)
        label = localized_text(each.plain_label, language) if each else name
        labels = {one.value: one.label for one in (each.options or ())} if each else {}
        if is_files(value):
            yield label, ", ".join(f"{one['name']} ({one['size']:,} B)" for one in value)
        elif value is True:
            yield label, yes
        else:
            values = value if isinstance(value, list) else [value]
            shown = (localized_text(labels.get(one), language) or str(one) for one in values)
            yield label, ", ".join(shown)
