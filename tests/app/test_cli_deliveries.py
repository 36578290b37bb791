"""`majlis deliveries`: an operator sees what is on its way, and sends it again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from storefront.receiver import answers
from storefront.shop import Shop

from app.cli import main
from app.clock import utc_now

Run = Callable[..., Result]


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    """A shop with one order; its receiver wants no more at first, and then takes everything."""
    url = f"sqlite:///{tmp_path}/majlis.db"
    with Shop(answers(410), answers(200), clock=utc_now, database_url=url) as opened:
        opened.take()
        yield opened


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command on the shop's database."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/majlis.db")
    return lambda *words: CliRunner().invoke(main, ["deliveries", *words], catch_exceptions=False)


def test_what_failed_is_seen_and_sent_again(shop: Shop, run: Run) -> None:
    """Under the same webhook-id, with the same bytes, and every attempt is remembered."""
    delivery_id = shop.push(1).json["deliveryId"]
    listed = run("list", "--status", "failed", "--order", "WH-1").output.splitlines()
    assert [line.split()[0] for line in listed] == ["ID", delivery_id]
    assert "the receiver answered 410" in run("show", delivery_id).output
    again = run("replay", "--failed")
    assert again.output == f"Replaying {delivery_id} (order WH-1).\n"
    shop.wait_for(lambda: len(shop.received) == 2)
    shop.wait_for(lambda: "delivered" in run("show", delivery_id).output)
    assert [request.webhook_id for request in shop.received] == [delivery_id] * 2
    assert len({request.body for request in shop.received}) == 1
    assert run("show", "--body", delivery_id).output == f"{shop.received[0].body.decode()}\n"
    assert len(run("show", delivery_id).output.splitlines()) == 5


@pytest.mark.parametrize(
    ("words", "told"),
    [
        pytest.param(("show", "msg_none"), "There is no delivery msg_none", id="show"),
        pytest.param(("replay", "msg_none"), "There is no delivery msg_none", id="replay"),
        pytest.param(("replay",), "Give either delivery IDs or --failed", id="nothing"),
        pytest.param(("replay", "x", "--failed"), "Give either delivery IDs or", id="both"),
    ],
)
def test_what_cannot_be_done_is_told(
    shop: Shop, run: Run, words: tuple[str, ...], told: str
) -> None:
    """With what to do, and an exit status."""
    result = run(*words)
    assert told in result.output
    assert result.exit_code > 0
