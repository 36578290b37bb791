"""Order import: parses lines of JSON to orders whose amounts are consistent, or to errors.

Tax is calculated per line on the net amount and rounded half up. Totals are the sums of lines and
shipping.

If prices exclude tax, a line's net is price times quantity, less discount. If they include tax,
the tax is extracted from price times quantity, less discount. A shop whose discounts exclude tax
extracts the tax before it subtracts the discount. Both are accepted.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NoReturn

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from app.features.orders.money import Currency
from app.features.orders.order import FORMS, Line, Order, OrderDraft, TaxCategory, Taxed, Totals
from knowledge.fields.value_problems import Keys, keys_of, unknown_keys, value_problem
from knowledge.locales import cldr

MAX_LINE_BYTES = 1024 * 1024
_MAX_DIGITS = 100
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Refused(Exception):
    """An order cannot be imported; `reasons` has one message per problem."""

    def __init__(self, *reasons: str, number: str | None = None) -> None:
        self.reasons = reasons
        self.number = number
        self.line: int | None = None
        """The number of the line, once it is known."""

    def __str__(self) -> str:
        """Return line, order number if there is one, and reasons."""
        which = f" (order {self.number})" if self.number else ""
        where = f"line {self.line}{which}: " if self.line else ""
        return where + "; ".join(self.reasons)


@dataclass(frozen=True, slots=True)
class ParsedOrder:
    """A valid order and its line number."""

    line: int
    draft: OrderDraft
    unknown: tuple[str, ...] = ()
    """A message for each field that orders do not have."""


def read_lines(
    lines: Iterable[bytes], currencies: Collection[str] = ()
) -> Iterator[ParsedOrder | Refused]:
    """Yield an order, in one of some currencies, or an error for each non-blank line."""
    is_first = True
    for number, line in enumerate(lines, 1):
        text = line.removeprefix(_BYTE_ORDER_MARK)  # files that were joined have several
        if not text.strip():
            continue
        if is_first and (form := _other_form(text)):
            refused = Refused(form)
            refused.line = number
            yield refused
            return
        is_first = False
        try:
            fields = _parse_object(text)
            yield ParsedOrder(number, _checked_order(fields, currencies), tuple(_unknown(fields)))
        except Refused as refused:
            refused.line = number
            yield refused


def _other_form(line: bytes) -> str | None:
    """Return what to do with a file that has no order on its first line; None if it may have."""
    if b"\0" in line:
        return "the file is in UTF-16, or no text; save it as UTF-8"
    text = line.strip()
    if text.startswith(b"["):
        return "the file is one JSON array; write each order on a line of its own (jq -c '.[]')"
    if text.startswith(b"{") and text.endswith((b"{", b"[", b",")):
        return "the order goes over several lines; write it on one (jq -c .)"
    return None


def read_order(text: bytes, currencies: Collection[str] = ()) -> OrderDraft:
    """Parse one line and check its currency and amounts; raises Refused."""
    return _checked_order(_parse_object(text), currencies)


def _checked_order(fields: dict[str, Any], currencies: Collection[str]) -> OrderDraft:
    draft = checked_draft(fields, _unsupported(fields, currencies))
    mismatches = check_totals(draft)
    if mismatches:
        raise Refused(*map(str, mismatches), number=draft.number)
    return draft


def _unsupported(fields: dict[str, Any], currencies: Collection[str]) -> list[str]:
    """Return a reason to refuse an order in a known currency that the site does not have."""
    code = fields.get("currency")
    if not currencies or not isinstance(code, str) or code in currencies:
        return []
    return [f"currency: unsupported currency (use one of {', '.join(currencies)})"]


def checked_draft(fields: dict[str, Any], reasons: Sequence[str] = ()) -> OrderDraft:
    """Validate the fields of a JSON object; raises Refused, also if there are `reasons` to."""
    number = fields.get("number")
    refused = Refused(*reasons, number=number if isinstance(number, str) else None)
    code = fields.get("currency")
    currency = Currency.of(code) if isinstance(code, str) and cldr.is_currency(code) else None
    try:
        draft = OrderDraft.model_validate(fields, context=currency)
    except ValidationError as error:
        found = [
            _reason(fields, each)
            for each in error.errors()
            # This error only follows from others: a list without its invalid items is too short.
            if not (each["type"] == "too_short" and each["input"])
        ]
        refused.reasons = tuple(dict.fromkeys((*reasons, *found, *_unknown(fields))))
        raise refused from None
    if reasons:
        raise refused
    return draft


def _reason(fields: dict[str, Any], detail: ErrorDetails) -> str:
    """Return the path of the field and what is wrong with it, as in `lines[0].net: …`."""
    keys = keys_of(fields, detail["loc"], is_missing=detail["type"] == "missing")
    form = FORMS.get(detail.get("ctx", {}).get("pattern", ""))
    return f"{_path(keys)}: {form or value_problem(detail)}"


def _unknown(fields: dict[str, Any]) -> Iterator[str]:
    """Yield a message for each field that no order has, with the nearest name of one."""
    for keys, nearest in unknown_keys(Order, fields):
        meant = f"; did you mean {nearest}?" if nearest else ""
        yield f"{_path(keys)}: unknown field{meant}"


def _path(keys: Keys) -> str:
    path = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys)
    return path.removeprefix(".")


def _parse_object(text: bytes) -> dict[str, Any]:
    if len(text) > MAX_LINE_BYTES:
        raise Refused(f"the line is longer than {MAX_LINE_BYTES} bytes")
    try:
        value = json.loads(
            text.decode(),
            parse_constant=_refuse_constant,
            parse_int=_short_integer,
            object_pairs_hook=_unique_keys,
        )
    except UnicodeDecodeError:
        raise Refused("the line is not valid UTF-8") from None
    except RecursionError:
        raise Refused("invalid JSON: lists and objects are nested too deeply") from None
    except ValueError as error:
        raise Refused(f"invalid JSON: {error}") from None
    if not isinstance(value, dict):
        raise Refused("the line is not a JSON object")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _short_integer(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise ValueError(f"a number has more than {_MAX_DIGITS} digits")
    return int(digits)


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object and refuse duplicate keys, of which `json` would silently keep the last."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        keys = [key for key, _ in pairs]
        duplicate = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"duplicate key “{duplicate}”")
    return fields


_PERCENT = Decimal(100)


@dataclass(frozen=True, slots=True)
class Split:
    """An amount split into net and tax."""

    net: Decimal
    tax: Decimal


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A stated amount that differs from the calculated one."""

    field: str
    stated: Decimal
    expected: Decimal
    unit: str

    def __str__(self) -> str:
        """Return a sentence with field, amounts and difference."""
        return (
            f"{self.field} is {self.stated} but should be {self.expected}"
            f" (difference {self.stated - self.expected} {self.unit})"
        )


def tax_on(net: Decimal, rate: Decimal, currency: Currency) -> Decimal:
    """Return the tax on a net amount, rounded half up.

    >>> tax_on(Decimal("10.10"), Decimal(5), Currency.of("AED"))
    Decimal('0.51')
    """
    return currency.round(net * rate / _PERCENT)


def tax_within(total: Decimal, rate: Decimal, currency: Currency) -> Split:
    """Split a total that includes tax; net and tax add up to the total exactly.

    >>> tax_within(Decimal("115.00"), Decimal(15), Currency.of("SAR"))
    Split(net=Decimal('100.00'), tax=Decimal('15.00'))
    """
    tax = currency.round(total * rate / (_PERCENT + rate))
    return Split(total - tax, tax)


def line_splits(line: Line, taxes_included: bool, currency: Currency) -> tuple[Split, ...]:
    """Return the accepted splits of a line; the first is the one reported as expected."""
    quoted = currency.round(line.unit_price * line.quantity)
    if not taxes_included:
        net = quoted - line.discount
        return (Split(net, tax_on(net, line.tax_rate, currency)),)
    net = tax_within(quoted, line.tax_rate, currency).net - line.discount
    return (
        tax_within(quoted - line.discount, line.tax_rate, currency),
        Split(net, tax_on(net, line.tax_rate, currency)),
    )


def shipping_splits(shipping: Taxed, taxes_included: bool, currency: Currency) -> tuple[Split, ...]:
    """Return the accepted splits: tax on the net, or within the total if prices include tax."""
    on_net = Split(shipping.net, tax_on(shipping.net, shipping.tax_rate, currency))
    within = tax_within(shipping.total, shipping.tax_rate, currency)
    return (on_net, within) if taxes_included else (on_net,)


def totals_of(order: OrderDraft, currency: Currency) -> Totals:
    """Return the totals calculated from lines and shipping."""
    zero = currency.round(Decimal(0))
    net = sum((line.net for line in order.lines), zero)
    shipping = sum((entry.net for entry in order.shipping), zero)
    tax = sum((taxed.tax for taxed in (*order.lines, *order.shipping)), zero)
    discount = sum((line.discount for line in order.lines), zero)
    grand = net + shipping + tax
    return Totals(net=net, discount=discount, shipping=shipping, tax=tax, grand=grand)


def check_totals(order: OrderDraft) -> list[Mismatch]:
    """Return every mismatch between stated and calculated amounts; empty for a valid order."""
    return list(_mismatches(order))


def _mismatches(order: OrderDraft) -> Iterator[Mismatch]:
    currency = Currency.of(order.currency)
    for index, line in enumerate(order.lines):
        splits = line_splits(line, order.taxes_included, currency)
        yield from _check_taxed(f"lines[{index}]", line, splits, currency)
    for index, shipping in enumerate(order.shipping):
        splits = shipping_splits(shipping, order.taxes_included, currency)
        yield from _check_taxed(f"shipping[{index}]", shipping, splits, currency)
    sums = totals_of(order, currency)
    for name in Totals.model_fields:
        yield from _check_equal(
            f"totals.{name}", getattr(order.totals, name), getattr(sums, name), currency.code
        )


def _check_taxed(
    path: str, taxed: Taxed, splits: tuple[Split, ...], currency: Currency
) -> Iterator[Mismatch]:
    stated = Split(taxed.net, taxed.tax)
    expected = stated if stated in splits else splits[0]
    if taxed.tax_category is not TaxCategory.STANDARD:
        yield from _check_equal(f"{path}.taxRate", taxed.tax_rate, Decimal(0), "percent")
    yield from _check_equal(f"{path}.net", taxed.net, expected.net, currency.code)
    yield from _check_equal(f"{path}.tax", taxed.tax, expected.tax, currency.code)
    yield from _check_equal(f"{path}.total", taxed.total, taxed.net + taxed.tax, currency.code)


def _check_equal(field: str, stated: Decimal, expected: Decimal, unit: str) -> Iterator[Mismatch]:
    if stated != expected:
        yield Mismatch(field, stated, expected, unit)
