"""Money: exact decimals at a currency's own number of digits, rounded half up, written as text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import partial
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, PlainSerializer, ValidationInfo
from pydantic.json_schema import WithJsonSchema

from knowledge import cldr
from knowledge.locale import Country

CURRENCIES = tuple(cldr.currency(country) for country in Country)
"""Those in which orders are taken."""

_AMOUNT = re.compile(r"-?(0|[1-9]\d{0,11})(\.\d+)?", re.ASCII)
_RATE = re.compile(r"(0|[1-9]\d?|100)(\.\d{1,4})?", re.ASCII)
_QUANTITY = re.compile(r"(0|[1-9]\d{0,8})(\.\d{1,6})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Currency:
    """A currency as amounts need it."""

    code: str
    digits: int

    @classmethod
    def of(cls, code: str) -> Currency:
        """The currency of an ISO 4217 code.

        >>> Currency.of("KWD").digits
        3
        """
        return cls(code, cldr.currency_digits(code))

    @property
    def unit(self) -> Decimal:
        """The smallest amount there is.

        >>> Currency.of("AED").unit
        Decimal('0.01')
        """
        return Decimal(1).scaleb(-self.digits)

    def round(self, amount: Decimal) -> Decimal:
        """The amount at this currency's digits, half up.

        >>> Currency.of("SAR").round(Decimal("2.345"))
        Decimal('2.35')
        """
        return amount.quantize(self.unit, ROUND_HALF_UP)


def parse_amount(written: object, currency: Currency) -> Decimal:
    """An amount as it is written on the wire; raises ValueError saying what is wrong.

    >>> parse_amount("12.5", Currency.of("BHD"))
    Decimal('12.500')
    """
    if not isinstance(written, str) or not _AMOUNT.fullmatch(written):
        example = currency.round(Decimal("12.5"))
        raise ValueError(f'is no amount; write money as a string such as "{example}"')
    amount = Decimal(written)
    if len(written.partition(".")[2]) > currency.digits:
        raise ValueError(f"has more decimals than {currency.code} has, which is {currency.digits}")
    return amount.quantize(currency.unit)


def _amount(value: object, info: ValidationInfo) -> Decimal:
    """Read with the currency that is the validation's context."""
    currency: Currency | None = info.context
    if not isinstance(value, Decimal):
        if currency is None:
            raise ValueError("cannot be read where the order has no currency served")
        return parse_amount(value, currency)
    return currency.round(value) if currency else value


def _not_negative(amount: Decimal) -> Decimal:
    if amount < 0:
        raise ValueError("is negative")
    return amount


def _number(pattern: re.Pattern[str], what: str, written: object) -> Decimal:
    """A number, also written as text; of a float its shortest text, which is what was written."""
    if isinstance(written, bool) or not pattern.fullmatch(str(written)):
        raise ValueError(f"is no {what}")
    return Decimal(str(written))


def _positive(quantity: Decimal) -> Decimal:
    if quantity <= 0:
        raise ValueError("is not above 0")
    return quantity


def _shortest(number: Decimal) -> str:
    """Without zeros that say nothing: `5`, `7.5`."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _plain(quantity: Decimal) -> int | float:
    return int(quantity) if quantity == quantity.to_integral_value() else float(quantity)


_MONEY = {"type": "string", "pattern": r"^-?\d+\.\d{2,3}$"}

SignedAmount = Annotated[
    Decimal,
    BeforeValidator(_amount),
    PlainSerializer(str, return_type=str),
    WithJsonSchema({**_MONEY, "description": "Money at the currency's digits."}),
]
"""Money that may be negative: a payment that went back."""

Amount = Annotated[SignedAmount, AfterValidator(_not_negative)]
"""Money."""

Rate = Annotated[
    Decimal,
    BeforeValidator(partial(_number, _RATE, 'rate; write percent as a string such as "5"')),
    PlainSerializer(_shortest, return_type=str),
    WithJsonSchema({"type": "string", "description": "Percent.", "pattern": r"^\d+(\.\d+)?$"}),
]
"""A tax rate in percent."""

Quantity = Annotated[
    Decimal,
    BeforeValidator(partial(_number, _QUANTITY, "quantity; write a number such as 3 or 1.5")),
    AfterValidator(_positive),
    PlainSerializer(_plain, return_type=int | float),
    WithJsonSchema({"type": "number", "exclusiveMinimum": 0}),
]
"""How many, or how much, of a product; at most six decimals, so that a JSON number is exact."""
