"""`majlis feedback`: lists and deletes what readers reported about pages."""

import sys
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import TypeVar

import click

from app.console import older_than_option, since_option
from app.console.database import with_database
from app.features.feedback.store import FeedbackStore, StoredFeedback
from app.platform.clock import utc_now
from app.platform.printable import printable, printable_json

Result = TypeVar("Result")


@click.group("feedback")
def feedback_group() -> None:
    """List and delete feedback about pages."""


@feedback_group.command("list")
@since_option("Feedback received")
@click.option("--page", metavar="PATH", help="Feedback about this page and its sections.")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(("text", "jsonl")),
    default="text",
    help="Text to read, or one JSON object per line.",
)
def list_feedback(since: datetime | None, page: str | None, format_name: str) -> None:
    """List feedback, oldest first: ID, time, kind, page, and below them the message."""
    to_text = _json_line if format_name == "jsonl" else _paragraph

    async def work(store: FeedbackStore) -> None:
        async for stored in store.all(since, page):
            click.echo(to_text(stored))

    _with_store(work)


@feedback_group.command()
@click.argument("feedback_ids", metavar="ID...", nargs=-1, required=True)
def delete(feedback_ids: tuple[str, ...]) -> None:
    """Delete feedback by ID."""
    number = _with_store(lambda store: store.delete(feedback_ids))
    click.echo(f"Deleted {number} of {len(set(feedback_ids))}.")
    sys.exit(0 if number == len(set(feedback_ids)) else 1)


@feedback_group.command()
@older_than_option("feedback")
def purge(older_than: timedelta) -> None:
    """Delete old feedback."""
    before = utc_now() - older_than
    click.echo(f"Deleted {_with_store(lambda store: store.purge(before))} reports.")


def _with_store(work: Callable[[FeedbackStore], Awaitable[Result]]) -> Result:
    return with_database(lambda database: work(FeedbackStore(database)))


def _json_line(stored: StoredFeedback) -> str:
    fields = {
        "id": stored.id,
        "receivedAt": stored.received_at.isoformat(timespec="milliseconds"),
        **stored.feedback.model_dump(mode="json"),
    }
    return printable_json(fields)


def _paragraph(stored: StoredFeedback) -> str:
    report = stored.feedback
    received_at = f"{stored.received_at:%Y-%m-%d %H:%M}"
    head = "  ".join((stored.id, received_at, report.kind, printable(report.path)))
    lines = (f"    {printable(line)}".rstrip() for line in report.message.splitlines())
    return "\n".join((head, *lines))
