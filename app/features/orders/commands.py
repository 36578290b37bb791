"""`majlis orders`: imports orders from a file, and lists and shows orders."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import BinaryIO

import click
from rich.console import Console
from rich.progress import Progress, TaskID

from app.console import command_settings
from app.console.database import with_database
from app.console.output import print_table, progress_bar
from app.features.orders.intake import ParsedOrder, Refused, read_lines
from app.features.orders.order import Order, OrderDraft, OrderStatus, PostalAddress
from app.features.orders.store import OrderChange, OrderPage, OrderQuery, OrderStore
from app.platform.clock import utc_now
from app.platform.database.database import Database
from app.platform.printable import printable, printable_json
from knowledge.resources.places import site_currencies
from knowledge.snapshot.loading import load_content

_REFUSED = "refused"


@click.group("orders")
def orders_group() -> None:
    """Import and inspect orders."""


@orders_group.command("import")
@click.argument("file", type=click.File("rb"))
@click.option("--dry-run", is_flag=True, help="Report the result without storing anything.")
def import_orders(file: BinaryIO, dry_run: bool) -> None:
    """Import orders from FILE, one JSON object per line; - reads standard input.

    Each order is imported completely or not at all. If an order with the same number exists and
    has changed, it gets a new revision; without changes it keeps its revision. Refused lines are
    printed with the reason, all other orders are imported, and the exit status is 1. Fields that
    orders do not have are printed with the nearest name, and ignored.
    """
    currencies = _currencies()
    counts = with_database(lambda database: _import(database, file, dry_run, currencies))
    summary = ", ".join(f"{counts[name]} {name}" for name in (*OrderChange, _REFUSED))
    click.echo(f"{'Dry run, nothing was stored: ' if dry_run else ''}{summary}")
    if counts[_REFUSED]:
        sys.exit(1)


@orders_group.command("list")
@click.option(
    "--status",
    type=click.Choice([status.value for status in OrderStatus]),
    help="Only orders with this status.",
)
@click.option(
    "--since-id", type=click.IntRange(0), default=0, help="Only orders with a greater ID."
)
@click.option(
    "--limit", type=click.IntRange(1, 1_000), default=50, help="Maximum number of orders to list."
)
def list_orders(status: str | None, since_id: int, limit: int) -> None:
    """List orders by ascending ID."""
    statuses = (OrderStatus(status),) if status else ()
    query = OrderQuery(limit=limit, since_id=since_id, statuses=statuses)
    page: OrderPage = with_database(lambda database: _store(database).page(query))
    heading = ("ID", "NUMBER", "REVISION", "STATUS", "TOTAL", "PLACED")
    print_table(heading, [_row(order) for order in page.orders])
    if page.has_more:
        click.echo(f"More orders: --since-id {page.orders[-1].id}", err=True)


@orders_group.command("show")
@click.argument("number")
def show_order(number: str) -> None:
    """Print the order with this NUMBER as JSON."""
    order: Order | None = with_database(lambda database: _store(database).by_number(number))
    if order is None:
        raise click.ClickException(f"There is no order {number}. See `majlis orders list`.")
    click.echo(printable_json(order.model_dump(mode="json"), indent=2))


def _store(database: Database) -> OrderStore:
    return OrderStore(database, utc_now)


def _row(order: Order) -> tuple[object, ...]:
    total = f"{order.totals.grand} {order.currency}"
    placed = f"{order.created_at:%Y-%m-%d %H:%M}"
    return order.id, order.number, order.revision, order.status, total, placed


def _currencies() -> Sequence[str]:
    """Return the currencies of the site's countries; none, and so any, without content."""
    try:
        return site_currencies(load_content(command_settings().content_dir).snapshot)
    except OSError:
        return ()


async def _import(
    database: Database, file: BinaryIO, dry_run: bool, currencies: Sequence[str]
) -> Counter[str]:
    """Import the orders, and return how many were new, changed, unchanged and refused."""
    store = _store(database)
    save = partial(store.would_save, earlier={}) if dry_run else store.save
    counts: Counter[str] = Counter()
    with progress_bar() as progress:
        task = progress.add_task("Orders", total=_size(file))
        for result in read_lines(_with_progress(file, progress, task), currencies):
            if isinstance(result, Refused):
                progress.console.print(printable(str(result)), markup=False)
                counts[_REFUSED] += 1
                continue
            _warn(progress.console, result)
            counts[await save(result.draft)] += 1
    return counts


def _warn(console: Console, order: ParsedOrder) -> None:
    """Print the fields that orders do not have, and those that a Saudi tax invoice requires."""
    location, warnings = f"line {order.line} (order {order.draft.number})", [*order.unknown]
    missing = missing_for_invoice(order.draft)
    if missing:
        warnings.append(f"a Saudi tax invoice needs {', '.join(missing)}")
    for warning in warnings:
        console.print(printable(f"{location}: accepted, but {warning}"), markup=False)


def _size(file: BinaryIO) -> int | None:
    """Return the size of a file in bytes, or None for a stream."""
    if not file.seekable():
        return None
    size = file.seek(0, 2)
    file.seek(0)
    return size


def _with_progress(file: BinaryIO, progress: Progress, task: TaskID) -> Iterator[bytes]:
    for line in file:
        yield line
        progress.advance(task, len(line))


_ADDRESS = ("building_number", "district", "city", "postal_code")


def missing_for_invoice(order: OrderDraft) -> list[str]:
    """Return the names of missing fields; empty if no Saudi tax invoice to a company is needed."""
    buyer, address = order.customer, order.billing_address
    if not buyer.company or address is None or address.country_code != "SA":
        return []
    fields = (
        {"customer.taxIdScheme": buyer.tax_id_scheme} if buyer.tax_id else {"customer.taxId": None}
    )
    for name in _ADDRESS:
        fields[f"billingAddress.{PostalAddress.model_fields[name].alias}"] = getattr(address, name)
    return [name for name, value in fields.items() if not value]
