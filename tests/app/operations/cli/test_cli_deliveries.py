"""`majlis deliveries` lists deliveries and replays them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from storefront.receiver import answers
from storefront.shop import Shop

from app.operations.cli import main
from app.platform.clock import utc_now
from app.platform.deliveries.delivery import DeliveryKind, Message
from app.platform.deliveries.outbox import Outbox

Run = Callable[..., Result]


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    """A shop with one order, whose receiver first rejects deliveries and then accepts them."""
    url = f"sqlite:///{tmp_path}/majlis.db"
    with Shop(answers(410), answers(200), clock=utc_now, database_url=url) as opened:
        opened.take()
        yield opened


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs a command on the shop's database."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/majlis.db")
    return lambda *words: CliRunner().invoke(main, ["deliveries", *words], catch_exceptions=False)


def test_failed_deliveries_are_listed_and_replayed(shop: Shop, run: Run) -> None:
    """The webhook-id and the body stay the same, and every attempt is recorded."""
    delivery_id = shop.push(1).json["deliveryId"]
    listed = run("list", "--status", "failed", "--order", "WH-1").output.splitlines()
    assert [line.split()[0] for line in listed] == ["ID", delivery_id]
    assert "the receiver answered 410" in run("show", delivery_id).output
    again = run("replay", "--failed")
    assert again.output == f"Replaying {delivery_id} (order WH-1).\n"
    assert "order" in listed[1].split()
    shop.wait_for(lambda: len(shop.received) == 2)
    shop.wait_for(lambda: "delivered" in run("show", delivery_id).output)
    assert [request.webhook_id for request in shop.received] == [delivery_id] * 2
    assert len({request.body for request in shop.received}) == 1
    assert run("show", "--body", delivery_id).output == f"{shop.received[0].body.decode()}\n"
    assert len(run("show", delivery_id).output.splitlines()) == 5


def test_deliveries_of_one_kind_are_listed_and_replayed(shop: Shop, run: Run) -> None:
    """The columns are the same for all kinds; only orders have a number and a revision."""
    ordered = shop.push(1).json["deliveryId"]
    kind = DeliveryKind("change")
    message = Message(kind=kind, subject_id="1", subject="reader.example", body=b"{}")
    database = shop.quart.extensions["majlis"].database
    told = shop._runner.run(Outbox(database).open_due(message))
    heading, row = run("list", "--kind", "change").output.splitlines()
    assert heading.split() == [
        "ID",
        "ORDER",
        "REVISION",
        "STATUS",
        "ATTEMPTS",
        "NEXT",
        "KIND",
        "LAST",
        "ERROR",
    ]
    assert row.split()[:5] == [told.id, "-", "-", "pending", "0"]
    assert f"{told.id} of change reader.example: pending" in run("show", told.id).output
    assert run("replay", "--failed", "--kind", "change").output == ""
    assert ordered in run("replay", "--failed", "--kind", "order").output


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param(("show", "msg_none"), "There is no delivery msg_none", id="show"),
        pytest.param(("replay", "msg_none"), "There is no delivery msg_none", id="replay"),
        pytest.param(("replay",), "Give either delivery IDs or --failed", id="nothing"),
        pytest.param(("replay", "x", "--failed"), "Give either delivery IDs or", id="both"),
        pytest.param(("replay", "x", "--kind", "order"), "only with --failed", id="kind of one"),
        pytest.param(
            ("list", "--kind", "change", "--order", "WH-1"), "--order does not apply", id="order"
        ),
    ],
)
def test_errors_are_reported(shop: Shop, run: Run, words: tuple[str, ...], expected: str) -> None:
    """The error says what to do, and sets the exit status."""
    result = run(*words)
    assert expected in result.output
    assert result.exit_code > 0
