"""Types of lead fields: format checks for text, apart from its length."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, StringConstraints
from pydantic_core import PydanticCustomError

from knowledge.locale import Country

_LABEL = r"[^\W_](?:[\w-]{0,61}[^\W_])?"
_ATOM = r"[^\s@.,:;<>()\[\]\\\"\x00-\x20\x7f]+"
_EMAIL = re.compile(rf"(?=[^@]{{1,64}}@){_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})+")
_TWO_LETTERS = re.compile(r"[A-Za-z]{2}")


def is_email(text: str) -> bool:
    """Return whether a text has the format of an e-mail address, in any script.

    Whether the address exists is not checked.

    >>> [is_email(text) for text in ("a.b+c@shop.test", "نور@مثال.إختبار", "a@b", "a b@c.test")]
    [True, True, False, False]
    """
    return bool(_EMAIL.fullmatch(text))


def _error(kind: Literal["malformed", "no_option"]) -> PydanticCustomError:
    return PydanticCustomError(kind, "refused")


def _storable(text: str) -> str:
    """Refuse lone surrogates: JSON can encode them, databases cannot store them."""
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise _error("malformed")
    return text


def _email(text: str) -> str:
    if not is_email(text):
        raise _error("malformed")
    return text


def _path(text: str) -> str:
    if not text.startswith("/"):
        raise _error("malformed")
    return text


def _country_code(text: str) -> str:
    if not _TWO_LETTERS.fullmatch(text):
        raise _error("malformed")
    return text.upper()


def _country_slug(text: str) -> str:
    if text not in {country.slug for country in Country}:
        raise _error("no_option")
    return text


def _trimmed(value: object) -> object:
    return value.strip() if isinstance(value, str) else value


Text = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$"), AfterValidator(_storable)]
"""Any characters except NUL, which PostgreSQL cannot store."""
Email = Annotated[Text, AfterValidator(_email), BeforeValidator(_trimmed)]
SitePath = Annotated[Text, AfterValidator(_path)]
CountryCode = Annotated[Text, AfterValidator(_country_code)]
CountrySlug = Annotated[Text, AfterValidator(_country_slug)]
