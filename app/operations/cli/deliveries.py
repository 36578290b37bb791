"""`majlis deliveries`: lists, shows and replays deliveries."""

from collections.abc import Callable
from typing import TypeVar

import click

from app.console.database import with_database
from app.console.output import print_file, print_table
from app.feature import delivery_kinds
from app.platform.database.database import Database
from app.platform.deliveries.delivery import Attempt, Delivery, DeliveryKind, DeliveryStatus
from app.platform.deliveries.outbox import AlreadyPending, Outbox
from app.platform.printable import printable
from knowledge.resources.errors import NotFound

Command = TypeVar("Command", bound=Callable[..., None])


_SELECTABLE = [each for each in delivery_kinds().values() if each.option]


def _subject_options(command: Command) -> Command:
    """Add the options that list the deliveries of one subject, by its kind."""
    for each in reversed(_SELECTABLE):
        command = click.option(f"--{each.option}", each.kind, help=each.help)(command)
    return command


@click.group("deliveries")
def deliveries_group() -> None:
    """List, show and replay deliveries to webhooks and other receivers."""


_MAX_LISTED = 1_000

_kind_option = click.option(
    "--kind",
    type=click.Choice([*delivery_kinds()]),
    help="Only deliveries of this kind.",
)


@deliveries_group.command("list")
@click.option(
    "--status",
    type=click.Choice([status.value for status in DeliveryStatus]),
    help="Only deliveries with this status.",
)
@_kind_option
@_subject_options
@click.option(
    "--limit",
    type=click.IntRange(1, _MAX_LISTED),
    default=50,
    help="Maximum number of deliveries to list.",
)
def list_deliveries(
    status: str | None, kind: str | None, limit: int, **subjects: str | None
) -> None:
    """List deliveries, newest first."""
    subject = None
    for each in filter(lambda each: subjects.get(each.kind), _SELECTABLE):
        if kind not in (None, each.kind):
            raise click.UsageError(
                f"--{each.option} does not apply to deliveries of the kind {kind}."
            )
        kind, subject = each.kind, subjects[each.kind]
    status_filter = DeliveryStatus(status) if status else None
    deliveries: list[Delivery] = with_database(
        lambda database: Outbox(database).newest(limit, status_filter, _kind(kind), subject)
    )
    own = [name for each in delivery_kinds().values() for name in each.columns]
    heading = ("ID", *own, "STATUS", "ATTEMPTS", "NEXT", "KIND", "LAST ERROR")
    print_table(heading, [_row(delivery) for delivery in deliveries])


@deliveries_group.command("show")
@click.argument("delivery_id", metavar="ID")
@click.option("--body", is_flag=True, help="Print only the request body.")
def show_delivery(delivery_id: str, body: bool) -> None:
    """Print a delivery with all its attempts."""
    delivery, attempts = with_database(lambda database: _with_attempts(database, delivery_id))
    if body:
        print_file(f"{delivery.body.decode()}\n")
        return
    revision = "" if delivery.revision is None else f", revision {delivery.revision}"
    subject = f"{delivery.kind} {delivery.subject}{revision}"
    click.echo(printable(f"{delivery.id} of {subject}: {delivery.status}"))
    created, next_attempt = _format(delivery.created_at), _format(delivery.next_attempt_at)
    click.echo(f"created {created}, next attempt {next_attempt}")
    rows = [
        (_format(attempt.started_at), attempt.response_status or "none", attempt.error or "")
        for attempt in attempts
    ]
    print_table(("ATTEMPT AT", "RESPONSE", "ERROR"), rows)


@deliveries_group.command("replay")
@click.argument("delivery_ids", metavar="[ID]...", nargs=-1)
@click.option("--failed", is_flag=True, help="Replay all failed deliveries.")
@_kind_option
def replay_deliveries(delivery_ids: tuple[str, ...], failed: bool, kind: str | None) -> None:
    """Send deliveries again, with the same webhook-id and the same body.

    A running service sends them within two seconds.
    """
    if bool(delivery_ids) is failed:
        raise click.UsageError("Give either delivery IDs or --failed.")
    if kind and not failed:
        raise click.UsageError("Give --kind only with --failed.")
    refused = with_database(lambda database: _replay(database, delivery_ids, _kind(kind)))
    if refused:
        raise click.ClickException("\n".join(refused))


async def _with_attempts(database: Database, delivery_id: str) -> tuple[Delivery, list[Attempt]]:
    outbox = Outbox(database)
    try:
        return await outbox.get(delivery_id), await outbox.attempts(delivery_id)
    except NotFound as error:
        raise click.ClickException(f"{error.message} {error.resolution}") from None


async def _replay(
    database: Database, delivery_ids: tuple[str, ...], kind: DeliveryKind | None
) -> list[str]:
    """Replay the given deliveries, or all failed ones; return the reasons for those refused."""
    outbox = Outbox(database)
    if not delivery_ids:
        failed = await outbox.newest(_MAX_LISTED, DeliveryStatus.FAILED, kind)
        delivery_ids = tuple(delivery.id for delivery in failed)
    refused = []
    for delivery_id in delivery_ids:
        try:
            delivery = await outbox.replay(delivery_id)
        except (NotFound, AlreadyPending) as error:
            refused.append(f"Cannot replay {delivery_id}: {error}")
        else:
            click.echo(printable(f"Replaying {delivery.name}."))
    return refused


def _kind(name: str | None) -> DeliveryKind | None:
    return DeliveryKind(name) if name else None


def _row(delivery: Delivery) -> tuple[object, ...]:
    own = (
        getattr(delivery, attribute) if each.kind == delivery.kind else "-"
        for each in delivery_kinds().values()
        for attribute in each.columns.values()
    )
    return (
        delivery.id,
        *own,
        delivery.status,
        delivery.attempts,
        _format(delivery.next_attempt_at),
        delivery.kind,
        delivery.error or "",
    )


def _format(instant: object) -> str:
    return f"{instant:%Y-%m-%d %H:%M:%SZ}" if instant else "never"
