"""Money as exact decimals with the currency's number of digits; on the wire a string."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import partial
from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer, ValidationInfo
from pydantic.json_schema import WithJsonSchema

from app.platform.submitted_fields import must
from knowledge.fields.prices import AMOUNT_PATTERN
from knowledge.locales import cldr

_AMOUNT = re.compile(r"-?(0|[1-9]\d{0,11})(\.\d+)?", re.ASCII)
_RATE = re.compile(r"(0|[1-9]\d?|100)(\.\d{1,4})?", re.ASCII)
_QUANTITY = re.compile(r"(0|[1-9]\d{0,8})(\.\d{1,6})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Currency:
    """A currency code and its number of decimal digits."""

    code: str
    digits: int

    @classmethod
    def of(cls, code: str) -> Currency:
        """Return the currency with an ISO 4217 code.

        >>> Currency.of("KWD").digits
        3
        """
        return cls(code, cldr.currency_digits(code))

    @property
    def unit(self) -> Decimal:
        """The smallest amount of the currency.

        >>> Currency.of("AED").unit
        Decimal('0.01')
        """
        return Decimal(1).scaleb(-self.digits)

    def round(self, amount: Decimal) -> Decimal:
        """Round an amount half up to the digits of this currency.

        >>> Currency.of("SAR").round(Decimal("2.345"))
        Decimal('2.35')
        """
        return amount.quantize(self.unit, ROUND_HALF_UP)


def parse_amount(value: object, currency: Currency | None) -> Decimal:
    """Parse an amount as written on the wire; raises ValueError with the reason.

    Of an unknown currency any number of decimals is right.

    >>> parse_amount("12.5", Currency.of("BHD"))
    Decimal('12.500')
    """
    if not isinstance(value, str) or not _AMOUNT.fullmatch(value):
        example = currency.round(Decimal("12.5")) if currency else "12.50"
        raise ValueError(f'invalid amount (write money as a string such as "{example}")')
    amount = Decimal(value)
    if currency is None:
        return amount
    if len(value.partition(".")[2]) > currency.digits:
        raise ValueError(f"too many decimals ({currency.code} has {currency.digits})")
    return amount.quantize(currency.unit)


def _amount(value: object, info: ValidationInfo) -> Decimal:
    """Parse an amount with the currency in the validation context."""
    currency: Currency | None = info.context
    if not isinstance(value, Decimal):
        return parse_amount(value, currency)
    return currency.round(value) if currency else value


def _number(pattern: re.Pattern[str], expected: str, value: object) -> Decimal:
    """Parse a number or a string. A float's shortest text is what the JSON had."""
    if isinstance(value, bool) or not pattern.fullmatch(str(value)):
        raise ValueError(f"invalid {expected}")
    return Decimal(str(value))


def _shortest(number: Decimal) -> str:
    """Return the number without trailing zeros: `5`, `7.5`."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _plain(quantity: Decimal) -> int | float:
    return int(quantity) if quantity == quantity.to_integral_value() else float(quantity)


_MONEY = {"type": "string", "pattern": AMOUNT_PATTERN}

SignedAmount = Annotated[
    Decimal,
    BeforeValidator(_amount),
    PlainSerializer(str, return_type=str),
    WithJsonSchema(
        {**_MONEY, "description": "Money, with the number of decimals of the currency."}
    ),
]
"""Money that may be negative, such as a refund."""

Amount = Annotated[SignedAmount, must(lambda amount: amount >= 0, "must not be negative")]
"""Money that is not negative."""

Rate = Annotated[
    Decimal,
    BeforeValidator(partial(_number, _RATE, 'rate (write percent as a string such as "5")')),
    PlainSerializer(_shortest, return_type=str),
    WithJsonSchema({"type": "string", "description": "Percent.", "pattern": r"^\d+(\.\d+)?$"}),
]
"""A tax rate in percent."""

Quantity = Annotated[
    Decimal,
    BeforeValidator(partial(_number, _QUANTITY, "quantity (write a number such as 3 or 1.5)")),
    must(lambda quantity: quantity > 0, "must be greater than 0"),
    PlainSerializer(_plain, return_type=int | float),
    WithJsonSchema({"type": "number", "exclusiveMinimum": 0}),
]
"""Quantity of a product, with at most six decimals so that a JSON number is exact."""
