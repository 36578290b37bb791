"""Intake: lines of JSON become orders, or refusals that name what is wrong."""

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
    """An order that cannot be taken; `reasons` has a sentence for each thing wrong."""

    def __init__(self, *reasons: str, number: str | None = None) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = reasons
        self.number = number


@dataclass(frozen=True, slots=True)
class ParsedOrder:
    """A line of a file that is a good order."""

    line: int
    draft: OrderDraft


@dataclass(frozen=True, slots=True)
class ParseError:
    """A line of a file that is none."""

    line: int
    reason: Refused

    def __str__(self) -> str:
        """Where, which, and why."""
        which = f" (order {self.reason.number})" if self.reason.number else ""
        return f"line {self.line}{which}: {self.reason}"


def read_lines(lines: Iterable[bytes]) -> Iterator[ParsedOrder | ParseError]:
    """Each line that is not empty, as the order it is or the reason why it is none."""
    for number, line in enumerate(lines, 1):
        text = line.removeprefix(_BYTE_ORDER_MARK) if number == 1 else line
        if not text.strip():
            continue
        try:
            yield ParsedOrder(number, read_order(text))
        except Refused as reason:
            yield ParseError(number, reason)


def read_order(text: bytes) -> OrderDraft:
    """The order of one line, its arithmetic checked; raises Refused."""
    written = _parsed(text)
    draft = checked_draft(written)
    wrong = check_totals(draft)
    if wrong:
        raise Refused(*map(str, wrong), number=draft.number)
    return draft


def checked_draft(written: dict[str, Any]) -> OrderDraft:
    """The order that a JSON object is, each field read; raises Refused."""
    code = written.get("currency")
    currency = Currency.of(code) if isinstance(code, str) and code in CURRENCIES else None
    try:
        return OrderDraft.model_validate(written, context=currency)
    except ValidationError as error:
        reasons = (_reason(each["loc"], each["msg"]) for each in error.errors())
        number = written.get("number")
        raise Refused(
            *dict.fromkeys(reasons), number=number if isinstance(number, str) else None
        ) from None


def _reason(location: tuple[str | int, ...], message: str) -> str:
    """The field as its owner writes it, and what is wrong with it."""
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return f"{path.removeprefix('.')}: {message.removeprefix('Value error, ')}"


def _parsed(text: bytes) -> dict[str, Any]:
    if len(text) > MAX_LINE_BYTES:
        raise Refused(f"it is longer than {MAX_LINE_BYTES} bytes")
    try:
        written = json.loads(
            text.decode(),
            parse_constant=_no_number,
            object_pairs_hook=_distinct,
        )
    except UnicodeDecodeError:
        raise Refused("it is not UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise Refused(f"it is no JSON: {error}") from None
    if not isinstance(written, dict):
        raise Refused("it is no JSON object")
    return written


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys stand once; json would keep the last of two without a word."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key “{twice}” stands twice")
    return found
