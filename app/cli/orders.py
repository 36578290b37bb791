"""`majlis orders`: take orders in from a file, and look at those there are."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO

import click
from rich.console import Console
from rich.progress import Progress, TaskID

from app.cli.columns import columns
from app.cli.database import with_database
from app.clock import utc_now
from app.database.database import Database
from app.orders.e_invoicing import missing_for_invoice
from app.orders.intake import ParsedOrder, ParseError, read_lines
from app.orders.order import Order, OrderStatus
from app.orders.store import Change, OrderPage, OrderQuery, OrderStore

_REFUSED = "refused"


@click.group("orders")
def orders_group() -> None:
    """Take orders in, and look at them."""


@orders_group.command("import")
@click.argument("file", type=click.File("rb"))
@click.option("--dry-run", is_flag=True, help="Tell what would happen, and store nothing.")
def import_orders(file: BinaryIO, dry_run: bool) -> None:
    """Take in the orders of FILE, one JSON object a line; - reads standard input.

    Each order goes in whole or not at all. One that is known by its number and has changed gets
    its next revision; one that has not stays as it is. A line that is refused is named with its
    reason, the rest goes in, and the exit status is 1.
    """
    told = with_database(lambda database: _import(database, file, dry_run))
    counts = ", ".join(f"{told[name]} {name}" for name in (*Change, _REFUSED))
    click.echo(f"{'Nothing was stored. It would be: ' if dry_run else ''}{counts}")
    if told[_REFUSED]:
        sys.exit(1)


@orders_group.command("list")
@click.option(
    "--status",
    type=click.Choice([each.value for each in OrderStatus]),
    help="Only orders of this status.",
)
@click.option("--since-id", type=click.IntRange(0), default=0, help="Only greater ids.")
@click.option("--limit", type=click.IntRange(1, 1_000), default=50, help="At most so many.")
def list_orders(status: str | None, since_id: int, limit: int) -> None:
    """List orders by ascending id."""
    statuses = (OrderStatus(status),) if status else ()
    query = OrderQuery(limit=limit, since_id=since_id, statuses=statuses)
    page: OrderPage = with_database(lambda database: _store(database).page(query))
    heading = ("ID", "NUMBER", "REVISION", "STATUS", "TOTAL", "PLACED")
    for line in columns(heading, [_row(order) for order in page.orders]):
        click.echo(line)
    if page.has_more:
        click.echo(f"There are more: --since-id {page.orders[-1].id}", err=True)


@orders_group.command("show")
@click.argument("number")
def show_order(number: str) -> None:
    """Print the order of a NUMBER as JSON."""
    order: Order | None = with_database(lambda database: _store(database).by_number(number))
    if order is None:
        raise click.ClickException(f"There is no order {number}. See `majlis orders list`.")
    click.echo(order.model_dump_json(indent=2))


def _store(database: Database) -> OrderStore:
    return OrderStore(database, utc_now)


def _row(order: Order) -> tuple[object, ...]:
    total = f"{order.totals.grand} {order.currency}"
    placed = f"{order.created_at:%Y-%m-%d %H:%M}"
    return order.id, order.number, order.revision, order.status, total, placed


async def _import(database: Database, file: BinaryIO, dry_run: bool) -> Counter[str]:
    """How many orders met which fate."""
    store = _store(database)
    save = store.would_save if dry_run else store.save
    told: Counter[str] = Counter()
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("Orders", total=_size(file))
        for line in read_lines(_followed(file, progress, task)):
            if isinstance(line, ParseError):
                console.print(str(line), markup=False)
                told[_REFUSED] += 1
                continue
            _advise(console, line)
            told[await save(line.draft)] += 1
    return told


def _advise(console: Console, taken: ParsedOrder) -> None:
    """What is worth knowing of an order that goes in all the same."""
    missing = missing_for_invoice(taken.draft)
    if missing:
        note = f"line {taken.line} (order {taken.draft.number}): goes in, but a Saudi tax invoice"
        console.print(f"{note} needs {', '.join(missing)}", markup=False)


def _size(file: BinaryIO) -> int | None:
    """Bytes to come, None where nobody knows."""
    if not file.seekable():
        return None
    size = file.seek(0, 2)
    file.seek(0)
    return size


def _followed(file: BinaryIO, progress: Progress, task: TaskID) -> Iterator[bytes]:
    for line in file:
        yield line
        progress.advance(task, len(line))
