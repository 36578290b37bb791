"""`majlis orders` imports orders and reports the reason for each refused line."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from storefront.pricing import Item, Written, priced

from app.operations.cli import main


@pytest.fixture(autouse=True)
def own_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a database for this test alone."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/majlis.db")


def run(*words: str) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(main, ["orders", *words], catch_exceptions=False)


def order(number: str, **fields: Any) -> Written:
    """Return a valid order."""
    return priced([Item("A", Decimal("2.00"))], "QAR", number=number, **fields)


def write(path: Path, *orders: object) -> str:
    """Write a JSON Lines file and return its path."""
    path.write_text("".join(f"{json.dumps(order)}\n" for order in orders))
    return str(path)


def test_an_import_is_repeatable_and_reports_what_it_did(tmp_path: Path) -> None:
    """New, unchanged and changed orders are counted separately."""
    first = write(tmp_path / "first.jsonl", order("A"), order("B"))
    assert run("import", first).output == "2 new, 0 changed, 0 unchanged, 0 refused\n"
    assert run("import", first).output == "0 new, 0 changed, 2 unchanged, 0 refused\n"
    second = write(tmp_path / "second.jsonl", order("A", status="completed"), order("C"))
    assert run("import", second).output == "1 new, 1 changed, 0 unchanged, 0 refused\n"
    assert json.loads(run("show", "A").output)["revision"] == 2


def test_a_dry_run_stores_nothing(tmp_path: Path) -> None:
    """It reports the same counts, also of a file that has an order several times."""
    changed = {**order("A"), "notes": "Call first"}
    file = write(tmp_path / "orders.jsonl", order("A"), changed, order("A"), order("A"), order("B"))
    counts = "2 new, 2 changed, 1 unchanged, 0 refused\n"
    dry = run("import", "--dry-run", file)
    assert dry.output == f"Dry run, nothing was stored: {counts}"
    assert run("list").output.splitlines() == ["ID  NUMBER  REVISION  STATUS  TOTAL  PLACED"]
    assert run("import", file).output == counts
    assert run("import", "--dry-run", file).output == run("import", file).output.join(
        ["Dry run, nothing was stored: ", ""]
    )


def test_refused_orders_are_named_and_the_others_imported(tmp_path: Path) -> None:
    """The report has the line, the order number and the reason; the exit status is not 0."""
    wrong = order("B")
    wrong["totals"]["grand"] = "2.01"
    result = run("import", write(tmp_path / "orders.jsonl", order("A"), wrong, [], order("C")))
    assert result.exit_code == 1
    assert result.stdout == "2 new, 0 changed, 0 unchanged, 2 refused\n"
    assert result.stderr.splitlines() == [
        "line 2 (order B): totals.grand is 2.01 but should be 2.00 (difference 0.01 QAR)",
        "line 3: the line is not a JSON object",
    ]


def test_a_saudi_company_s_order_without_an_address_is_remarked_on(tmp_path: Path) -> None:
    """The order is imported: the shop may complete it before the invoice."""
    customer = {"name": "Buyer", "company": "Company"}
    saudi = order("A", customer=customer, billingAddress={"countryCode": "SA", "city": "Riyadh"})
    result = run("import", write(tmp_path / "orders.jsonl", saudi))
    assert result.exit_code == 0
    assert "needs customer.taxId, billingAddress.buildingNumber" in result.stderr


def test_orders_are_listed_and_shown(tmp_path: Path) -> None:
    """Orders are listed by id in pages; an unknown number is an error."""
    run("import", write(tmp_path / "orders.jsonl", order("A"), order("B", status="cancelled")))
    first = run("list", "--limit", "1")
    assert first.stdout.splitlines()[1].split()[:4] == ["1", "A", "1", "confirmed"]
    assert first.stderr == "More orders: --since-id 1\n"
    assert run("list", "--status", "cancelled").stdout.splitlines()[1].split()[1] == "B"
    assert "There is no order X." in run("show", "X").output


def test_fields_that_orders_do_not_have_are_named_with_the_nearest(tmp_path: Path) -> None:
    """With the line; the order is imported, also if it was pulled here and has more fields."""
    misspelt = order("A", poNumbr="7", xyzzy=1)
    misspelt["lines"][0]["barcod"] = "6290000010022"
    pulled = order("B", id=5, revision=2, updatedAt="2026-05-02T00:00:00Z")
    result = run("import", write(tmp_path / "orders.jsonl", misspelt, pulled))
    assert result.exit_code == 0
    assert result.stdout == "2 new, 0 changed, 0 unchanged, 0 refused\n"
    assert result.stderr.splitlines() == [
        "line 1 (order A): accepted, but poNumbr: unknown field; did you mean poNumber?",
        "line 1 (order A): accepted, but xyzzy: unknown field",
        "line 1 (order A): accepted, but lines[0].barcod: unknown field; did you mean barcode?",
    ]


def test_a_misspelt_field_that_is_required_is_named_twice(tmp_path: Path) -> None:
    """As missing, and as unknown with the nearest name."""
    wrong = order("A")
    wrong["lines"][0]["unitprice"] = wrong["lines"][0].pop("unitPrice")
    result = run("import", write(tmp_path / "orders.jsonl", wrong))
    assert result.stderr == (
        "line 1 (order A): lines[0].unitPrice: is required;"
        " lines[0].unitprice: unknown field; did you mean unitPrice?\n"
    )
