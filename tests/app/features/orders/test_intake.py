"""Order import: each line gives an order or an error with line, order number and reasons."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from cases import cases
from gulf import CURRENCIES
from storefront.pricing import Item, Written, priced

from app.features.orders.intake import ParsedOrder, Refused, read_lines, read_order

GOOD = priced([Item("A", Decimal("12.500"), Decimal(2))], "KWD", number="WH-1")


def line(order: object) -> bytes:
    """Return an order as one line of a file."""
    return json.dumps(order, ensure_ascii=False).encode()


def without(order: Written, field: str) -> Written:
    """Return a copy without a field."""
    return {name: value for name, value in order.items() if name != field}


def deep(**fields: Any) -> Written:
    """Return a copy of the valid order with other fields in its first line."""
    return {**GOOD, "lines": [{**GOOD["lines"][0], **fields}]}


def test_valid_lines_are_parsed_despite_invalid_ones() -> None:
    """Blank lines and a byte order mark are ignored; line numbers count all lines."""
    text = [b"\xef\xbb\xbf" + line(GOOD), b"", b"{", line({**GOOD, "number": "WH-2"}), b"  \r\n"]
    results = list(read_lines(text))
    assert [(type(result), result.line) for result in results] == [
        (ParsedOrder, 1),
        (Refused, 3),
        (ParsedOrder, 4),
    ]
    assert str(results[1]).startswith("line 3: invalid JSON: ")


@cases(
    ("text", "message"),
    [
        pytest.param(b"[]", "the line is not a JSON object", id="a list"),
        pytest.param(b"\xff{}", "the line is not valid UTF-8", id="bytes"),
        pytest.param(b'{"a": NaN}', "invalid JSON: NaN is not a number", id="NaN"),
        pytest.param(b'{"a": 1, "a": 2}', "duplicate key “a”", id="a key twice"),
        pytest.param(b"[" * 100_000, "invalid JSON", id="nested without end"),
        pytest.param(b" " * 1_048_577, "the line is longer than 1048576 bytes", id="too long"),
        pytest.param(line({}), "number: is required", id="nothing"),
        pytest.param(line(without(GOOD, "totals")), "totals: is required", id="no totals"),
        pytest.param(
            line({**GOOD, "currency": "USD"}), "currency: unsupported currency", id="currency"
        ),
        pytest.param(
            line({**GOOD, "currency": "XYZ"}), "currency: unsupported currency", id="no currency"
        ),
        pytest.param(
            line({**GOOD, "status": "shipped"}),
            "status: must be one of pending, confirmed",
            id="status",
        ),
        pytest.param(
            line({**GOOD, "createdAt": "2026-05-01"}),
            "createdAt: invalid instant (write it as 2026-05-01T09:30:00+04:00)",
            id="a date without time",
        ),
        pytest.param(line({**GOOD, "lines": []}), "lines: must not be empty", id="no lines"),
        pytest.param(
            line({**GOOD, "customer": {"name": "a\u0000b"}}),
            "customer.name: must not contain control characters",
            id="NUL",
        ),
        pytest.param(
            line({**GOOD, "number": "A 1"}), "number: must not contain blanks", id="number"
        ),
        pytest.param(
            line(deep(unitPrice=12.5)),
            'lines[0].unitPrice: invalid amount (write money as a string such as "12.500")',
            id="money as a number",
        ),
        pytest.param(
            line(deep(unitPrice="12.5000")),
            "lines[0].unitPrice: too many decimals (KWD has 3)",
            id="too many decimals",
        ),
        pytest.param(line(deep(unitPrice="1e3")), "invalid amount", id="exponent"),
        pytest.param(line(deep(unitPrice="١٢")), "invalid amount", id="other digits"),
        pytest.param(line(deep(unitPrice="-1.000")), "must not be negative", id="negative"),
        pytest.param(
            line(deep(quantity=0)), "lines[0].quantity: must be greater than 0", id="none"
        ),
        pytest.param(line(deep(quantity=True)), "invalid quantity", id="a truth"),
        pytest.param(line(deep(taxRate="NaN")), "invalid rate", id="rate"),
        pytest.param(
            line(deep(name={})),
            "lines[0].name: must have a text under en, ar or both",
            id="no name",
        ),
        pytest.param(
            line(deep(net="24.999")),
            "lines[0].net is 24.999 but should be 25.000 (difference -0.001 KWD)",
            id="does not add up",
        ),
    ],
)
def test_an_error_names_the_field_and_the_problem(text: bytes, message: str) -> None:
    """Fields have their names on the wire."""
    with pytest.raises(Refused) as refused:
        read_order(text, CURRENCIES)
    assert message in str(refused.value)


def test_an_error_names_the_order_and_all_reasons() -> None:
    """So that all of them can be corrected at once."""
    broken = {**GOOD, "status": "x", "customer": {}}
    assert str(next(read_lines([line(broken)]))).startswith("line 1 (order WH-1): ")
    with pytest.raises(Refused) as refused:
        read_order(line(broken))
    assert len(refused.value.reasons) == 2


def test_amounts_are_written_with_the_digits_of_the_currency() -> None:
    """12.5 dinars are 12.500, and a missing discount is 0.000."""
    fields = deep(unitPrice="12.5")
    del fields["lines"][0]["discount"]
    shown = json.loads(read_order(line(fields)).model_dump_json())
    assert shown["lines"][0]["unitPrice"] == "12.500"
    assert shown["lines"][0]["discount"] == "0.000"
    assert shown["createdAt"] == "2026-05-01T05:30:00Z"


def test_a_pulled_order_can_be_imported_again() -> None:
    """Id, revision and updatedAt are ignored."""
    again = {**GOOD, "id": 5, "revision": 2, "updatedAt": "2026-05-02T00:00:00Z"}
    assert read_order(line(again)) == read_order(line(GOOD))


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([b"[\n", line(GOOD) + b",\n", b"]\n"], "line 1: the file is one JSON array"),
        ([b"[" + line(GOOD) + b"]\n"], "line 1: the file is one JSON array"),
        (
            json.dumps(GOOD, indent=2).encode().splitlines(keepends=True),
            "line 1: the order goes over several lines",
        ),
        ([b"\n", b'{"number": "A",\n', b"}\n"], "line 2: the order goes over several lines"),
        ([line(GOOD).decode().encode("utf-16"), b"\0"], "line 1: the file is in UTF-16"),
        ([line(GOOD).decode().encode("utf-16-le")], "line 1: the file is in UTF-16"),
    ],
)
def test_a_file_of_another_form_is_one_sentence(lines: list[bytes], reason: str) -> None:
    """It says what to do, and no line after it is read."""
    (refused,) = read_lines(lines)
    assert str(refused).startswith(reason)


def test_files_with_byte_order_marks_may_be_joined() -> None:
    """Each has its mark at the beginning of a line."""
    marked = b"\xef\xbb\xbf" + line(GOOD)
    assert all(isinstance(each, ParsedOrder) for each in read_lines([marked, marked]))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b'{"number": ' + b"9" * 5_000 + b"}", "invalid JSON: a number has more than 100 digits"),
        (b'{"number": -' + b"9" * 101 + b"}", "invalid JSON: a number has more than 100 digits"),
        (
            b'{"notes": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
            "invalid JSON: lists and objects are nested too deeply",
        ),
    ],
)
def test_huge_numbers_and_depth_are_named_in_plain_words(text: bytes, reason: str) -> None:
    """The words of the interpreter do not help anybody."""
    with pytest.raises(Refused) as refused:
        read_order(text)
    assert refused.value.reasons == (reason,)


@pytest.mark.parametrize("currency", ["XYZ", "usd", None, 5])
def test_a_wrong_currency_is_one_fault(currency: object) -> None:
    """The amounts are as right as before; those with another fault are named."""
    with pytest.raises(Refused) as refused:
        read_order(line({**GOOD, "currency": currency}))
    (reason,) = refused.value.reasons
    assert reason.startswith("currency: ")
    with pytest.raises(Refused) as refused:
        read_order(line({**deep(net="1,5"), "currency": currency}))
    assert [each.partition(":")[0] for each in refused.value.reasons] == [
        "currency",
        "lines[0].net",
    ]
