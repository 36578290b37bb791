"""Order import: parses lines of JSON to orders, or to errors that name what is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from pydantic import ValidationError

from app.orders.arithmetic import check_totals
from app.orders.money import CURRENCIES, Currency
from app.orders.order import OrderDraft

MAX_LINE_BYTES = 1024 * 1024
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


def read_lines(lines: Iterable[bytes]) -> Iterator[ParsedOrder | Refused]:
    """Parse every non-blank line; yield an order or an error for each."""
    for number, line in enumerate(lines, 1):
        text = line.removeprefix(_BYTE_ORDER_MARK) if number == 1 else line
        if not text.strip():
            continue
        try:
            yield ParsedOrder(number, read_order(text))
        except Refused as refused:
            refused.line = number
            yield refused


def read_order(text: bytes) -> OrderDraft:
    """Parse one line and check its amounts; raises Refused."""
    draft = checked_draft(_parse_object(text))
    mismatches = check_totals(draft)
    if mismatches:
        raise Refused(*map(str, mismatches), number=draft.number)
    return draft


def checked_draft(fields: dict[str, Any]) -> OrderDraft:
    """Validate the fields of a JSON object; raises Refused."""
    code = fields.get("currency")
    currency = Currency.of(code) if isinstance(code, str) and code in CURRENCIES else None
    try:
        return OrderDraft.model_validate(fields, context=currency)
    except ValidationError as error:
        reasons = (_reason(detail["loc"], detail["msg"]) for detail in error.errors())
        number = fields.get("number")
        raise Refused(
            *dict.fromkeys(reasons), number=number if isinstance(number, str) else None
        ) from None


def _reason(location: tuple[str | int, ...], message: str) -> str:
    """Return the path of the field and what is wrong with it, as in `lines[0].net: …`."""
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return f"{path.removeprefix('.')}: {message.removeprefix('Value error, ')}"


def _parse_object(text: bytes) -> dict[str, Any]:
    if len(text) > MAX_LINE_BYTES:
        raise Refused(f"the line is longer than {MAX_LINE_BYTES} bytes")
    try:
        value = json.loads(
            text.decode(),
            parse_constant=_refuse_constant,
            object_pairs_hook=_unique_keys,
        )
    except UnicodeDecodeError:
        raise Refused("the line is not valid UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise Refused(f"invalid JSON: {error}") from None
    if not isinstance(value, dict):
        raise Refused("the line is not a JSON object")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object and refuse duplicate keys, of which `json` would silently keep the last."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        keys = [key for key, _ in pairs]
        duplicate = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"duplicate key “{duplicate}”")
    return fields
