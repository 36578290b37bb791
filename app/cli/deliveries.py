"""`majlis deliveries`: what was pushed, what is still to arrive, and sending it again."""

from __future__ import annotations

import click

from app.cli.columns import columns
from app.cli.database import with_database
from app.database.database import Database
from app.deliveries.delivery import Attempt, Delivery, DeliveryStatus
from app.deliveries.outbox import AlreadyPending, Outbox
from knowledge.errors import NotFound

_MOST = 1_000


@click.group("deliveries")
def deliveries_group() -> None:
    """Look after orders on their way to the webhook."""


@deliveries_group.command("list")
@click.option(
    "--status",
    type=click.Choice([each.value for each in DeliveryStatus]),
    help="Only of this status.",
)
@click.option("--order", "number", help="Only of the order with this number.")
@click.option("--limit", type=click.IntRange(1, _MOST), default=50, help="At most so many.")
def list_deliveries(status: str | None, number: str | None, limit: int) -> None:
    """List deliveries, newest first."""
    wanted = DeliveryStatus(status) if status else None
    found: list[Delivery] = with_database(
        lambda database: Outbox(database).newest(limit, wanted, number)
    )
    heading = ("ID", "ORDER", "REVISION", "STATUS", "ATTEMPTS", "NEXT", "LAST ERROR")
    for line in columns(heading, [_row(delivery) for delivery in found]):
        click.echo(line)


@deliveries_group.command("show")
@click.argument("delivery_id", metavar="ID")
@click.option("--body", is_flag=True, help="Print the bytes that are sent, and nothing else.")
def show_delivery(delivery_id: str, body: bool) -> None:
    """Print a delivery and every attempt of it."""
    delivery, attempts = with_database(lambda database: _whole(database, delivery_id))
    if body:
        click.echo(delivery.body.decode())
        return
    order = f"{delivery.order_number}, revision {delivery.revision}"
    click.echo(f"{delivery.id} of order {order}: {delivery.status}")
    click.echo(f"opened {_moment(delivery.created_at)}, next {_moment(delivery.next_attempt_at)}")
    rows = [
        (_moment(each.started_at), each.response_status or "none", each.error or "")
        for each in attempts
    ]
    for line in columns(("ATTEMPT AT", "ANSWER", "ERROR"), rows):
        click.echo(line)


@deliveries_group.command("replay")
@click.argument("delivery_ids", metavar="[ID]...", nargs=-1)
@click.option("--failed", is_flag=True, help="All that were given up.")
def replay_deliveries(delivery_ids: tuple[str, ...], failed: bool) -> None:
    """Send deliveries again, under the same webhook-id and with the same bytes.

    A running service does so within a second or two.
    """
    if bool(delivery_ids) is failed:
        raise click.UsageError("Name deliveries by ID, or say --failed.")
    refused = with_database(lambda database: _replay(database, delivery_ids))
    if refused:
        raise click.ClickException("\n".join(refused))


async def _whole(database: Database, delivery_id: str) -> tuple[Delivery, list[Attempt]]:
    outbox = Outbox(database)
    try:
        return await outbox.get(delivery_id), await outbox.attempts(delivery_id)
    except NotFound as error:
        raise click.ClickException(f"{error.message} {error.resolution}") from None


async def _replay(database: Database, delivery_ids: tuple[str, ...]) -> list[str]:
    """Replay the given deliveries, or all failed ones; return the reasons for those refused."""
    outbox = Outbox(database)
    failed = await outbox.newest(_MOST, DeliveryStatus.FAILED) if not delivery_ids else []
    refused = []
    for delivery_id in delivery_ids or [delivery.id for delivery in failed]:
        try:
            delivery = await outbox.replay(delivery_id)
        except (NotFound, AlreadyPending) as error:
            refused.append(f"{delivery_id} is not replayed: {error}")
        else:
            click.echo(f"{delivery.id} of order {delivery.order_number} is sent again.")
    return refused


def _row(delivery: Delivery) -> tuple[object, ...]:
    return (
        delivery.id,
        delivery.order_number,
        delivery.revision,
        delivery.status,
        delivery.attempts,
        _moment(delivery.next_attempt_at),
        delivery.error or "",
    )


def _moment(moment: object) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%SZ}" if moment else "never"
