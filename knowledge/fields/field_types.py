"""The value types of front matter, and how each is parsed.

Scalars are strings in YAML and typed in TOML. A localized text becomes a mapping from language to
string, so that layers and languages merge key by key. Each type has bounds: a valid value can be
rendered, sorted, sent in a header and converted to any time zone.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal, InvalidOperation
from functools import partial
from operator import is_
from typing import Annotated, Any, TypeVar
from urllib.parse import quote, urlsplit

from pydantic import BeforeValidator, Field, ValidationInfo, WithJsonSchema
from typing_extensions import TypeAliasType

from knowledge.diagnostics.diagnostic import DiagnosticKind
from knowledge.diagnostics.messages import Text
from knowledge.fields import json_schemas
from knowledge.fields.json_schemas import written
from knowledge.fields.moments import HIJRI_YEARS, AmbiguousMoment, gregorian, is_day, parse_moment
from knowledge.fields.yaml import UnquotedScalar
from knowledge.locales import cldr
from knowledge.locales.locale import Country, Language, OtherLanguage

YEARS = range(1_000, 9_999)
"""The years allowed in dates: four digits in HTTP and XML, in any time zone."""

MAX_SLUG = 200
MAX_URL = 2_048
MAX_INTEGER = 2**63 - 1
MAX_AMOUNT_DIGITS = 12
"""Maximum number of digits before the decimal point."""

MAX_DECIMALS = 20
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")
_INVALID_IN_URLS = re.compile(r"[\s<>\"\\^`{|}\x00-\x20\x7f]")
_URL_SAFE = "/#?&=%:@+,;~!$'()*[]"
_CURRENCY = re.compile(r"[A-Z]{3}")
_SITE_PATH = re.compile(r"/[^/\s%*?#$`\\][^\s%*?#$`\\]*")


class InvalidValue(ValueError):
    """A value that a field does not allow.

    The message consists of `problem`, the quoted value, and `suggestion` as a second sentence.
    `value` replaces the whole input in the message, for example one item of a list.
    """

    def __init__(
        self,
        problem: Text,
        suggestion: Text,
        value: object = None,
        kind: DiagnosticKind = DiagnosticKind.INVALID_VALUE,
    ) -> None:
        super().__init__(f"{problem}. {suggestion}")
        self.kind = kind
        self.problem = problem
        self.suggestion = suggestion
        self.value = value


@dataclass(slots=True)
class ValidationContext:
    """The language of a file under validation, and what its warnings are about."""

    language: Language
    ambiguous_scalars: list[UnquotedScalar] = field(default_factory=list)
    cleaned: list[str] = field(default_factory=list)
    """The fields from which control characters were removed."""

    dropped: list[tuple[str, object]] = field(default_factory=list)
    """The fields with a list, and the item in it that is no text."""

    unlinked: list[tuple[str, InvalidValue]] = field(default_factory=list)
    """The fields whose value is shown as it is, and why it leads nowhere."""

    is_hijri: bool = False
    """Whether years from 1300 to 1500 are of the Hijri calendar."""

    hijri: list[tuple[str, datetime, datetime]] = field(default_factory=list)
    """The dates of such years that are read as they are, and what they are in that calendar."""

    without_offset: list[tuple[str, datetime]] = field(default_factory=list)
    """The fields with a time that is read in UTC, since it names no offset, and that time."""


def _context(info: ValidationInfo) -> ValidationContext:
    # Blocks that resources change are validated again without a context; their texts are mappings.
    return info.context if info.context is not None else ValidationContext(Language.EN)


def _plain_text(value: Any, info: ValidationInfo) -> Any:
    if isinstance(value, UnquotedScalar):
        _context(info).ambiguous_scalars.append(value)
        return str(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)  # TOML parses numbers, the YAML reader keeps text
    return _clean(value, info) if isinstance(value, str) else value


def _clean(text: str, info: ValidationInfo) -> str:
    """Return a text with line feeds as line ends, without control characters."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    clean = _CONTROL_CHARACTERS.sub("", text)
    if clean != text:
        _context(info).cleaned.append(info.field_name or "")
    return clean


def _slug(value: Any, info: ValidationInfo) -> Any:
    text = _plain_text(value, info)
    if isinstance(text, str) and len(text) > MAX_SLUG:
        raise InvalidValue(Text("invalid slug"), Text("Use at most {} characters.", MAX_SLUG))
    return text


def _site_path(value: Any) -> Any:
    if not isinstance(value, str) or not _SITE_PATH.fullmatch(value):
        advice = Text("Write it as /cart, or as /cart/ for what is below it.")
        raise InvalidValue(Text("invalid path"), advice)
    return value


def _url(value: Any, info: ValidationInfo) -> Any:
    """Return a URL that a header can hold: letters outside ASCII are percent-encoded."""
    text = _plain_text(value, info)
    if not isinstance(text, str) or not text.strip():
        return text
    text = text.strip()
    if _INVALID_IN_URLS.search(text) or not is_web_address(text):
        raise InvalidValue(
            Text("invalid URL"), Text("Write it as https://example.com/page or /page.")
        )
    text = quote(text, safe=_URL_SAFE)
    if len(text) > MAX_URL:
        raise InvalidValue(Text("invalid URL"), Text("Use at most {} characters.", MAX_URL))
    return text


def linked_text(
    value: Any, info: ValidationInfo, is_valid: Callable[[str], object], problem: Text, advice: Text
) -> Any:
    """Return a text as typed; note one to which no link leads."""
    text = _plain_text(value, info)
    if isinstance(text, str) and text.strip() and not is_valid(text):
        _note_unlinked(InvalidValue(problem, advice, text), info)
    return text


_CALLED = Text("Use the international format, such as +971 4 555 0142.")


def _phone_number(value: Any, info: ValidationInfo) -> Any:
    return linked_text(value, info, e164, Text("invalid phone number"), _CALLED)


def _contact_url(value: Any, info: ValidationInfo) -> Any:
    """Return a URL as typed; note one that is none."""
    text = _plain_text(value, info)
    if isinstance(text, str):
        try:
            _url(text, info)
        except InvalidValue as error:
            error.value = text
            _note_unlinked(error, info)
    return text


def _note_unlinked(error: InvalidValue, info: ValidationInfo) -> None:
    _context(info).unlinked.append((info.field_name or "", error))


def is_web_address(text: str) -> bool:
    """Return whether a text is a site path or the address of a page on the web."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return text.startswith("/") or (parts.scheme in ("http", "https") and bool(parts.netloc))


def _text(value: Any, info: ValidationInfo) -> Any:
    context = _context(info)
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        return {context.language.value: _plain_text(value, info)}
    if isinstance(value, dict):
        return {key: _plain_text(text, info) for key, text in value.items() if text is not None}
    raise InvalidValue(
        Text("invalid text"), Text("Write a string, or one string each for `en:` and `ar:`.")
    )


_COMMAS = re.compile("[,،]")


def _text_list(value: Any, info: ValidationInfo) -> Any:
    if isinstance(value, str):
        parts = _COMMAS.split(value) if _COMMAS.search(value) else value.split()
        return [part.strip() for part in parts if part.strip()]
    return _texts(value, info) if isinstance(value, list) else value


def _texts(items: list[Any], info: ValidationInfo) -> list[Any]:
    """Return the texts of a list; an item that is none costs only itself."""
    nested = [item for item in items if isinstance(item, list | dict)]
    _context(info).dropped.extend((info.field_name or "", item) for item in nested)
    return [_plain_text(item, info) for item in items if item is not None and item not in nested]


_AUTHOR_KEYS: Mapping[str, tuple[str, ...]] = {
    "name": ("name",),
    "url": ("url", "link", "website", "href"),
    "title": ("title", "role"),
    "image": ("image", "image_url", "imageURL", "picture", "avatar"),
}
"""The keys of an author, and those that other generators have for them."""

_EMAIL = re.compile(r"(?<!\s)\s*+<[^<>@]*+@[^<>]*+>\s*+$")


def author_entries(value: Any, info: ValidationInfo) -> Any:
    """Return the authors of a text, by whom they are written: names, or mappings with details."""
    items = value if isinstance(value, list) else [value]
    return [_author(item, info) for item in items if item not in (None, "")]


def _author(value: Any, info: ValidationInfo) -> Any:
    if not isinstance(value, dict):
        text = _plain_text(value, info)
        return {"name": _EMAIL.sub("", text) if isinstance(text, str) else text}
    if not any(key in value for key in _AUTHOR_KEYS["name"]):
        return {"name": value}  # by language
    found = {
        key: next((value[name] for name in names if value.get(name)), None)
        for key, names in _AUTHOR_KEYS.items()
    }
    try:
        return {**found, "url": _url(found["url"], info)}
    except InvalidValue:
        return {**found, "url": None}


def _names(value: Any, info: ValidationInfo) -> Any:
    items = _COMMAS.split(value) if isinstance(value, str) else value
    if not isinstance(items, list):
        return value
    texts = _texts(items, info)
    return [text.strip() if isinstance(text, str) else text for text in texts if text]


def _address_list(value: Any, info: ValidationInfo) -> Any:
    items = value if isinstance(value, list) else [value]
    return [text for text in _texts(items, info) if text != ""]


def _utc_datetime(value: Any, info: ValidationInfo) -> Any:
    context = _context(info)
    moment = read_moment(value, is_hijri=context.is_hijri)
    if not context.is_hijri and moment.year in HIJRI_YEARS:
        with suppress(InvalidValue):
            hijri = read_moment(value, is_hijri=True)
            context.hijri.append((info.field_name or "", moment, hijri))
    written = None if is_day(moment) else _moment(value, context.is_hijri)
    if written and written.tzinfo is None:
        context.without_offset.append((info.field_name or "", moment))
    return moment


SET_HIJRI = Text("set hijri: true in site/settings.md")
_USE_DATE = Text("Use 2026-05-01 or an RFC 3339 date-time.")


def read_moment(value: object, *, is_hijri: bool) -> datetime:
    """Return a date-time as `UtcDateTime` has it; raises InvalidValue."""
    moment = _moment(value, is_hijri)
    if moment is None:
        hijri = None if is_hijri else _moment(value, True)
        advice = Text("Write {}, or {}.", f"{hijri:%Y-%m-%d}", SET_HIJRI) if hijri else _USE_DATE
        raise InvalidValue(Text("invalid date"), advice)
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        instant = aware.astimezone(UTC)
    except OverflowError:
        instant = None
    if instant is None or instant.year not in YEARS:
        first, last = YEARS[0], YEARS[-1]
        raise InvalidValue(
            Text("date out of range"), Text("Use a year from {} to {}.", first, last)
        )
    return on_own_day(aware)


def on_own_day(moment: datetime) -> datetime:
    """Return an instant in UTC, but in its own offset if it has another day there.

    >>> on_own_day(datetime.fromisoformat("2026-05-02T09:30:00+03:00")).isoformat()
    '2026-05-02T06:30:00+00:00'
    >>> on_own_day(datetime.fromisoformat("2026-05-02T01:30:00+03:00")).isoformat()
    '2026-05-02T01:30:00+03:00'
    """
    instant = moment.astimezone(UTC)
    if instant.date() == moment.date():
        return instant
    return moment.replace(tzinfo=timezone(moment.utcoffset() or timedelta()))


def _moment(value: object, is_hijri: bool) -> datetime | None:
    if isinstance(value, date):
        at = value if isinstance(value, datetime) else datetime.combine(value, time())
        try:
            return gregorian(at) if is_hijri and at.year in HIJRI_YEARS else at
        except ValueError:
            return None
    if not isinstance(value, str):
        return None
    try:
        return parse_moment(value, is_hijri=is_hijri)
    except AmbiguousMoment as error:
        advice = Text("Write one of the two, as in 2026-05-01T09:30:00+04:00: {}.", error)
        raise InvalidValue(Text("ambiguous date"), advice) from None


_USE_COUNTRY = Text("Use an ISO 3166 code such as sa.")


def _countries(value: Any, info: ValidationInfo) -> Any:
    names = _text_list(value, info)
    if not isinstance(names, list):
        raise InvalidValue(Text("invalid list of countries"), Text("Write it as [sa, eg]."))
    return [_country(name) for name in names]


def _country(value: Any) -> Any:
    country = value if isinstance(value, Country) else Country.parse(str(value))
    if country is None:
        code = cldr.country_named(str(value))
        advice = Text("Did you mean {}?", code.lower()) if code else _USE_COUNTRY
        raise InvalidValue(Text("unknown country"), advice, value)
    return country


def _language(value: Any) -> Any:
    language = value if isinstance(value, Language) else Language.parse(str(value))
    if language is None:
        raise InvalidValue(Text("unknown language"), Text("Use en or ar."))
    return language


def _text_language(value: Any) -> Any:
    is_other = value is None or OtherLanguage.parse(str(value))
    return None if is_other else _language(value)


def _price(value: Any) -> Any:
    try:
        amount = Decimal(str(value))
    except InvalidOperation:
        raise InvalidValue(
            Text("invalid amount"), Text('Write a number such as 5 or "1499.00".')
        ) from None
    if not amount.is_finite() or amount < 0:
        raise InvalidValue(Text("invalid amount"), Text("Use 0 or a positive number."))
    if amount.adjusted() >= MAX_AMOUNT_DIGITS:
        limit = Text("Use at most {} digits before the decimal point.", MAX_AMOUNT_DIGITS)
        raise InvalidValue(Text("invalid amount"), limit)
    if -int(amount.as_tuple().exponent) > MAX_DECIMALS:
        raise InvalidValue(Text("invalid amount"), Text("Use at most {} decimals.", MAX_DECIMALS))
    return amount


def _currency(value: Any) -> Any:
    code = value.strip().upper() if isinstance(value, str) else ""
    if not _CURRENCY.fullmatch(code):
        raise InvalidValue(Text("invalid currency"), Text("Use an ISO 4217 code such as AED."))
    return code


def _image(value: Any, info: ValidationInfo) -> Any:
    """Return an image path, also from the mappings of other generators, such as `{src: x.png}`."""
    if isinstance(value, dict):
        nested = (value.get(key) for key in ("image", "src", "url", "path", "relative"))
        value = next((path for path in nested if isinstance(path, str)), None)
    if str(value).lower() in ("true", "false"):
        return None  # whether there is one, beside the file of a text
    return _clean(value, info) if isinstance(value, str) else value


def _first_text(value: Any, info: ValidationInfo) -> Any:
    first = next(iter(value), None) if isinstance(value, list) else value
    return _plain_text(first, info)


@dataclass(frozen=True, slots=True)
class RefersTo:
    """Marks a field that holds slugs, or one slug, of the documents in a folder."""

    folder: str


@dataclass(frozen=True, slots=True)
class Markdown:
    """Marks a text that pages show as markdown.

    All other texts are shown as they are, and have neither links nor bold words.
    """


MARKDOWN = Markdown()
Value = TypeVar("Value")
OMITTED: Any = Field(exclude_if=partial(is_, None))
Omittable = Annotated[Value | None, OMITTED]
"""An optional field: omitted from the body when it has no value, never null."""


def enum_schema(options: Iterable[str]) -> WithJsonSchema:
    """Return the JSON schema of a string that has one of these values."""
    return WithJsonSchema({"type": "string", "enum": list(options)})


Id = Annotated[int, Field(json_schema_extra={"format": "int64"})]
"""A number that names an entry, of 64 bits as in the database."""


def _open_texts(schema: dict[str, Any]) -> None:
    """Name the languages of a text, in place; other keys are allowed, but not typed.

    TypeScript under `strict` accepts no optional properties beside an index of texts.
    """
    del schema["additionalProperties"]
    schema["properties"] = {
        "en": {"type": "string", "description": "The text in English."},
        "ar": {"type": "string", "description": "The text in Arabic."},
    }


BilingualString = TypeAliasType(
    "BilingualString",
    Annotated[
        dict[str, str],
        Field(
            description="A text by language code. A language without a text is absent.",
            json_schema_extra=_open_texts,
        ),
    ],
)
"""A text by language code: `{"en": …, "ar": …}`. A language without a text is absent."""

LocalizedText = Annotated[
    BilingualString, BeforeValidator(_text), written(json_schemas.LOCALIZED_TEXT)
]
"""A text by language: `{"en": …, "ar": …}`; a plain string is in the file's language."""

PlainText = Annotated[str, BeforeValidator(_plain_text), written(json_schemas.SCALAR)]
"""A text that is the same in every language."""

SitePath = Annotated[str, BeforeValidator(_site_path), written({"type": "string"})]
"""A path of the site, as robots.txt names it; with `/` at its end all that is below it."""

Slug = Annotated[
    str, BeforeValidator(_slug), written({**json_schemas.SCALAR, "maxLength": MAX_SLUG})
]
"""The last part of a document's URL, as typed."""

FirstText = Annotated[str | None, BeforeValidator(_first_text), written(json_schemas.FIRST_TEXT)]
"""A text that is the same in every language; of a list, the first item."""

URI_SCHEMA = WithJsonSchema({"type": "string", "format": "uri"})
ContactUrl = Annotated[str, BeforeValidator(_contact_url), URI_SCHEMA]
"""An absolute URL, as typed. One that is none is a warning, and not linked."""

PhoneNumber = Annotated[str, BeforeValidator(_phone_number), written(json_schemas.SCALAR)]
"""A telephone number, as typed. One that cannot be called is a warning, and not linked."""

Url = Annotated[
    str, BeforeValidator(_url), URI_SCHEMA, written({**json_schemas.URL, "maxLength": MAX_URL})
]
"""An http or https URL, or a path of the site, in ASCII."""

Integer = Annotated[int, Field(ge=-MAX_INTEGER - 1, le=MAX_INTEGER)]
"""A signed 64-bit integer."""

TextList = Annotated[list[str], BeforeValidator(_text_list), written(json_schemas.TEXT_LIST)]
"""A list of texts; a string is split at commas, or at white space if it has no comma."""

NameList = Annotated[list[str], BeforeValidator(_names), written(json_schemas.TEXT_LIST)]
"""A list of names; a string is split at commas."""

AddressList = Annotated[list[str], BeforeValidator(_address_list), written(json_schemas.TEXT_LIST)]
"""Paths; a string is one of them."""

UtcDateTime = Annotated[datetime, BeforeValidator(_utc_datetime), written(json_schemas.DATE)]
"""A date-time in UTC, or in the author's offset if the day is another one there.

UTC is the default zone, midnight the default time.
"""

Countries = Annotated[list[Country], BeforeValidator(_countries), written(json_schemas.COUNTRIES)]
"""Countries by code or slug."""

CountryCode = Annotated[Country, BeforeValidator(_country), written(json_schemas.COUNTRY)]
"""One country by code or slug."""

TextLanguageTag = Annotated[
    Language | None, BeforeValidator(_text_language), written(json_schemas.TEXT_LANGUAGE)
]
"""`en` or `ar`, or None for another language, which `knowledge.documents.document` reads."""

LanguageTag = Annotated[Language, BeforeValidator(_language), written(json_schemas.LANGUAGE)]
"""`en` or `ar`; a region is ignored."""

Price = Annotated[Decimal, BeforeValidator(_price), written(json_schemas.PRICE)]
"""An exact amount of money."""

Currency = Annotated[str, BeforeValidator(_currency), written(json_schemas.CURRENCY)]
"""An ISO 4217 code."""

ImagePath = Annotated[str | None, BeforeValidator(_image), written(json_schemas.IMAGE)]
"""An image: a site path, a path relative to the file, or a URL."""


def e164(text: str, region: str | None = None) -> str | None:
    """Return a valid number in E.164 format, else None.

    A number without the code of its country is one of the region, such as `AE`.

    >>> e164("+971 4 555 0142"), e164("04 555 0142", "AE"), e164("call us")
    ('+97145550142', '+97145550142', None)
    """
    if not text.strip():
        return None
    # It takes 20 ms to import, and a site need not have a number.
    import phonenumbers  # noqa: PLC0415

    try:
        number = phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException:
        return None
    if not phonenumbers.is_valid_number(number):
        return None
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


_LABEL = r"[^\W_](?:[\w-]{0,61}[^\W_])?"
_ATOM = r"[^\s@.,:;<>()\[\]\\\"\x00-\x20\x7f]+"
_MAIL_ADDRESS = re.compile(rf"(?=[^@]{{1,64}}@){_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})+")


def is_email(text: str) -> bool:
    """Return whether a text has the format of an e-mail address, in any script.

    Whether the address exists is not checked.

    >>> [is_email(text) for text in ("a.b+c@shop.test", "نور@مثال.إختبار", "a@b", "a b@c.test")]
    [True, True, False, False]
    """
    return bool(_MAIL_ADDRESS.fullmatch(text))
