"""Telephone numbers: the E.164 form of what people write."""

from __future__ import annotations


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
