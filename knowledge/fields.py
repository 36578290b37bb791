"""The value types of front matter: how each is read from what an author typed.

Every scalar arrives as the text it was (YAML) or with its own type (TOML). A text becomes a
mapping from language to string, so that layers and languages merge key by key. Each type has
bounds: what passes them can be shown, sorted, sent in a header and converted to any time zone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from decimal import Decimal, InvalidOperation
from email.utils import parsedate_to_datetime
from typing import Annotated, Any
from urllib.parse import quote, urlsplit

from pydantic import BeforeValidator, Field, ValidationInfo

from knowledge.content_path import YEARS
from knowledge.locale import Country, Language
from knowledge.yaml import UnquotedScalar

MAX_SLUG = 200
MAX_URL = 2_048
MAX_INTEGER = 2**63 - 1
MAX_AMOUNT_DIGITS = 12
"""Before the decimal point."""

MAX_DECIMALS = 20
_SHOWN_CHARACTERS = 40
_UNFIT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")
_UNFIT_FOR_URLS = re.compile(r"[\s<>\"\\^`{|}\x00-\x20\x7f]")
_URL_SIGNS = "/#?&=%:@+,;~!$'()*[]"
_CURRENCY = re.compile(r"[A-Z]{3}")


@dataclass(slots=True)
class ReadingContext:
    """What validating one file needs to know, and the doubts it collects."""

    language: Language
    ambiguous_scalars: list[str] = field(default_factory=list)
    cleaned: list[str] = field(default_factory=list)
    """The fields of which a text held control characters."""


def _context(info: ValidationInfo) -> ReadingContext:
    # Merged front matter is validated again without a file: its texts are mappings already.
    return info.context if info.context is not None else ReadingContext(Language.EN)


def _plain_text(value: Any, info: ValidationInfo) -> Any:
    if isinstance(value, UnquotedScalar):
        _context(info).ambiguous_scalars.append(value)
        return str(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)  # TOML has numbers where YAML leaves text
    return _clean(value, info) if isinstance(value, str) else value


def _clean(text: str, info: ValidationInfo) -> str:
    """A text with line feeds at its line ends, and without control characters."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    clean = _UNFIT.sub("", text)
    if clean != text:
        _context(info).cleaned.append(info.field_name or "")
    return clean


def _slug(value: Any, info: ValidationInfo) -> Any:
    text = _plain_text(value, info)
    if isinstance(text, str) and len(text) > MAX_SLUG:
        raise ValueError(f"is longer than {MAX_SLUG} characters")
    return text


def _url(value: Any, info: ValidationInfo) -> Any:
    """A URL as headers can hold it: other letters than ASCII are percent-encoded."""
    text = _plain_text(value, info)
    if not isinstance(text, str) or not text.strip():
        return text
    text = text.strip()
    if _UNFIT_FOR_URLS.search(text) or not _is_web_address(text):
        raise ValueError("is no address; write it as https://example.com/page or /page")
    text = quote(text, safe=_URL_SIGNS)
    if len(text) > MAX_URL:
        raise ValueError(f"is longer than {MAX_URL} characters")
    return text


def _is_web_address(text: str) -> bool:
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
    raise ValueError("is no text; write a string, or one each under `en:` and `ar:`")


def _text_list(value: Any, info: ValidationInfo) -> Any:
    if isinstance(value, str):
        parts = value.split(",") if "," in value else value.split()
        return [part.strip() for part in parts if part.strip()]
    if isinstance(value, list):
        return [_plain_text(item, info) for item in value if item is not None]
    return value


_DATE_FORMATS = (
    "%Y-%m-%d %H:%M:%S %z",
    "%Y-%m-%d %H:%M %z",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%d %B %Y",
    "%d %b %Y",
    "%B %d, %Y",
    "%b %d, %Y",
    "%B %d %Y",
    "%b %d %Y",
)
_LONGEST_DATE = 100
_ZONE_NAME = re.compile(r"\s*(?:UTC|GMT|Z)$", re.IGNORECASE)


def _utc_datetime(value: Any) -> Any:
    moment = _moment(value)
    if moment is None:
        raise ValueError("is no date; write it as 2026-05-01 or 2026-05-01T09:30:00+04:00")
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        instant = aware.astimezone(UTC)
    except OverflowError:
        instant = None
    if instant is None or instant.year not in YEARS:
        first, last = YEARS[0], YEARS[-1]
        raise ValueError(f"is a date out of range; use a year from {first} to {last}")
    return instant


def _moment(value: Any) -> datetime | None:
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime.combine(value, time())
    if not isinstance(value, str) or len(value) > _LONGEST_DATE:
        return None
    text = _ZONE_NAME.sub("+00:00", value.strip()) if ":" in value else value.strip()
    for parse in (datetime.fromisoformat, *_PARSERS, parsedate_to_datetime):
        try:
            return parse(text)
        except (ValueError, TypeError):
            continue
    return None


def _parser(date_format: str) -> Callable[[str], datetime]:
    return lambda text: datetime.strptime(text.replace("+00:00", " +0000"), date_format)


_PARSERS = tuple(_parser(date_format) for date_format in _DATE_FORMATS)


def _countries(value: Any, info: ValidationInfo) -> Any:
    names = _text_list(value, info)
    if not isinstance(names, list):
        raise ValueError("is no list of country slugs")
    found = [name if isinstance(name, Country) else Country.parse(str(name)) for name in names]
    if None in found:
        unknown = str(names[found.index(None)])[:_SHOWN_CHARACTERS]
        raise ValueError(f"names no country served: {unknown}; use ae, sa, qa, om, kw, bh")
    return found


def _country(value: Any) -> Any:
    country = value if isinstance(value, Country) else Country.parse(str(value))
    if country is None:
        raise ValueError("is no country served; use ae, sa, qa, om, kw or bh")
    return country


def _language(value: Any) -> Any:
    language = value if isinstance(value, Language) else Language.parse(str(value))
    if language is None:
        raise ValueError("is no language served; use en or ar")
    return language


def _price(value: Any) -> Any:
    try:
        amount = Decimal(str(value))
    except InvalidOperation:
        raise ValueError('is no amount; write it as "1499.00"') from None
    if not amount.is_finite() or amount < 0:
        raise ValueError("is no amount of money")
    if amount.adjusted() >= MAX_AMOUNT_DIGITS:
        raise ValueError(f"has more than {MAX_AMOUNT_DIGITS} digits before the decimal point")
    if -int(amount.as_tuple().exponent) > MAX_DECIMALS:
        raise ValueError(f"has more than {MAX_DECIMALS} decimals")
    return amount


def _currency(value: Any) -> Any:
    code = value.strip().upper() if isinstance(value, str) else ""
    if not _CURRENCY.fullmatch(code):
        raise ValueError("is no currency; write its ISO 4217 code, such as AED")
    return code


def _image(value: Any, info: ValidationInfo) -> Any:
    """A path, also where other generators nest it: `{image: x.png}`, `{src: x.png}`."""
    if isinstance(value, dict):
        nested = (value.get(key) for key in ("image", "src", "url", "path", "relative"))
        value = next((path for path in nested if isinstance(path, str)), None)
    return _clean(value, info) if isinstance(value, str) else value


LocalizedText = Annotated[dict[str, str], BeforeValidator(_text)]
"""A text by language: `{"en": …, "ar": …}`; a plain string counts for the file's own."""

PlainText = Annotated[str, BeforeValidator(_plain_text)]
"""A text that is the same in every language."""

Slug = Annotated[str, BeforeValidator(_slug)]
"""A name in URLs, as typed; all addresses and headers of a document hold it."""

Url = Annotated[str, BeforeValidator(_url)]
"""An address with http or https, or a path of the site, in ASCII."""

Integer = Annotated[int, Field(ge=-MAX_INTEGER - 1, le=MAX_INTEGER)]
"""A whole number of 64 bits."""

TextList = Annotated[list[str], BeforeValidator(_text_list)]
"""A list of such texts; one line of text is split at commas, or else at blanks."""

UtcDateTime = Annotated[datetime, BeforeValidator(_utc_datetime)]
"""A moment in UTC; without a zone it is UTC, without a time it is midnight."""

Countries = Annotated[list[Country], BeforeValidator(_countries)]
"""Countries by code or slug."""

CountryCode = Annotated[Country, BeforeValidator(_country)]
"""One country by code or slug."""

LanguageTag = Annotated[Language, BeforeValidator(_language)]
"""`en` or `ar`; a region is ignored."""

Price = Annotated[Decimal, BeforeValidator(_price)]
"""An amount of money, exact."""

Currency = Annotated[str, BeforeValidator(_currency)]
"""An ISO 4217 code."""

ImagePath = Annotated[str | None, BeforeValidator(_image)]
"""An image by site path, by path relative to its file, or by URL."""
