"""Types of lead fields: format checks for text, apart from its length."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, StringConstraints
from pydantic_core import PydanticCustomError

from knowledge.locale import Country

_LABEL = r"[^\W_](?:[\w-]{0,61}[^\W_])?"
_ATOM = r"[^\s@.,:;<>()\[\]\\\"\x00-\x20\x7f]+"
_EMAIL = re.compile(rf"(?=[^@]{{1,64}}@){_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})+")
_TEXT = StringConstraints(pattern=r"^[^\x00]*$")


def is_email(text: str) -> bool:
    """Return whether a text has the format of an e-mail address, in any script.

    Whether the address exists is not checked.

    >>> [is_email(text) for text in ("a.b+c@shop.test", "نور@مثال.إختبار", "a@b", "a b@c.test")]
    [True, True, False, False]
    """
    return bool(_EMAIL.fullmatch(text))


def _email(text: str) -> str:
    if not is_email(text):
        raise ValueError
    return text


def _country_slug(text: str) -> str:
    if text not in {country.slug for country in Country}:
        raise PydanticCustomError("no_option", "refused")
    return text


Text = Annotated[str, _TEXT]
"""Any characters except NUL, which PostgreSQL cannot store, and lone surrogates."""
Email = Annotated[str, _TEXT, StringConstraints(strip_whitespace=True), AfterValidator(_email)]
SitePath = Annotated[str, StringConstraints(pattern=r"^/[^\x00]*$")]
CountryCode = Annotated[str, StringConstraints(pattern="^[A-Za-z]{2}$", to_upper=True)]
CountrySlug = Annotated[Text, AfterValidator(_country_slug)]
