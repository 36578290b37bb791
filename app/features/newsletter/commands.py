"""`majlis newsletter`: lists and exports the subscribers, and erases an address."""

from __future__ import annotations

import csv
from collections.abc import Awaitable, Callable
from functools import cache
from io import StringIO
from typing import TypeVar

import click

from app.console import command_settings
from app.console.database import with_database
from app.console.output import BYTE_ORDER_MARK, escaped, print_file, print_table
from app.features.newsletter.service import SubscriberLinks
from app.features.newsletter.settings import NewsletterSettings
from app.features.newsletter.store import Subscriber, SubscriberStore
from app.platform.clock import utc_now
from app.platform.deliveries.outbox import DatabaseClock, Outbox
from app.platform.keys import InvalidKey, KeyFile
from app.platform.printable import printable_json

Result = TypeVar("Result")
_FORM = click.option("--form", metavar="NAME", help="Only the subscribers of this form.")
_COLUMNS = (*("email", "form", "language", "country", "requestedAt", "confirmedAt", "unsubscribe"),)


@click.group()
def newsletter() -> None:
    """List, export and erase the subscribers of newsletters."""


@newsletter.command("list")
@_FORM
def list_subscribers(form: str | None) -> None:
    """List all subscribers, and who has not yet confirmed, oldest first."""
    rows = [
        (
            f"{each.confirmed_at:%Y-%m-%d}" if each.confirmed_at else "no",
            *(each.form, each.country or "", each.language, each.email),
        )
        for each in _subscribers(form, confirmed=False)
    ]
    print_table(("CONFIRMED", "FORM", "COUNTRY", "LANGUAGE", "EMAIL"), rows)


@newsletter.command()
@_FORM
@click.option(
    "--format",
    "format_name",
    type=click.Choice(("csv", "jsonl")),
    default="csv",
    help="A table for mailing programs, or one JSON object per line.",
)
def export(form: str | None, format_name: str) -> None:
    """Export who has confirmed, each with the URL to unsubscribe.

    A mailing program puts that URL into each mail, and into its header List-Unsubscribe. Whoever
    unsubscribes is missing in the next export.
    """
    links = _links()
    exported = [_fields(each, links) for each in _subscribers(form, confirmed=True)]
    if format_name == "jsonl":
        for each in exported:
            click.echo(printable_json(each))
        return
    lines = StringIO()
    table = csv.DictWriter(lines, _COLUMNS)
    table.writeheader()
    table.writerows({name: escaped(each[name] or "") for name in _COLUMNS} for each in exported)
    print_file(BYTE_ORDER_MARK + lines.getvalue())


def _links() -> SubscriberLinks:
    """Return the links of the service; a key made here would be another one than its own."""
    settings = command_settings().of(NewsletterSettings)

    @cache
    def key() -> bytes:
        try:
            found = KeyFile(settings.newsletter_key_file).read()
        except (InvalidKey, OSError) as error:
            raise click.ClickException(f"NEWSLETTER_KEY_FILE: {error}") from None
        if found is None:
            where = f"there is no key in {settings.newsletter_key_file}"
            advice = "Copy it from a machine on which the service runs."
            raise click.ClickException(f"NEWSLETTER_KEY_FILE: {where}. {advice}")
        return found

    return SubscriberLinks(key, settings.public_url)


def _fields(each: Subscriber, links: SubscriberLinks) -> dict[str, str | None]:
    return {
        **{name: getattr(each, name) for name in _COLUMNS[:4]},
        "requestedAt": each.requested_at.isoformat(timespec="seconds"),
        "confirmedAt": each.confirmed_at and each.confirmed_at.isoformat(timespec="seconds"),
        "unsubscribe": links.cancellation(each),
    }


@newsletter.command()
@click.option("--email", required=True, help="The e-mail address, ignoring case.")
def erase(email: str) -> None:
    """Delete an address from all lists, as when its owner unsubscribes."""
    click.echo(f"Deleted from {_with_store(lambda store: store.erase(email))} lists.")


def _subscribers(form: str | None, *, confirmed: bool) -> list[Subscriber]:
    async def listed(store: SubscriberStore) -> list[Subscriber]:
        return [each async for each in store.all(form, confirmed=confirmed)]

    return _with_store(listed)


def _with_store(work: Callable[[SubscriberStore], Awaitable[Result]]) -> Result:
    return with_database(
        lambda database: work(SubscriberStore(database, Outbox(database, DatabaseClock(utc_now))))
    )
