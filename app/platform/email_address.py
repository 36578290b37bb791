"""E-mail addresses: their format, and the form in which they are compared."""

from __future__ import annotations

import re

_LABEL = r"[^\W_](?:[\w-]{0,61}[^\W_])?"
_ATOM = r"[^\s@.,:;<>()\[\]\\\"\x00-\x20\x7f]+"
_EMAIL = re.compile(rf"(?=[^@]{{1,64}}@){_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})+")


def is_email(text: str) -> bool:
    """Return whether a text has the format of an e-mail address, in any script.

    Whether the address exists is not checked.

    >>> [is_email(text) for text in ("a.b+c@shop.test", "نور@مثال.إختبار", "a@b", "a b@c.test")]
    [True, True, False, False]
    """
    return bool(_EMAIL.fullmatch(text))


def normalize_email(email: str) -> str:
    """Return an e-mail address in the form used for comparison: stripped and case-folded.

    >>> normalize_email(" Noor@Example.COM")
    'noor@example.com'
    """
    return email.strip().casefold()
