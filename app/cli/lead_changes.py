"""`majlis leads delete`, `quarantine` and `release`: change leads by ID, or all that match."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import click

from app.cli.instant import Instant
from app.cli.lead_store import progress_bar, with_store
from app.leads.retention import BATCH
from app.leads.selection import Selection, batches
from app.leads.store import LeadStore

Command = TypeVar("Command", bound=Callable[..., Any])


def _not_empty(_context: click.Context, _parameter: click.Parameter, text: Any) -> Any:
    """Refuse a text that would match every lead, as an unset shell variable does."""
    if text is not None and not text.strip():
        raise click.BadParameter("it is empty; write * to mean every lead.")
    return text


_OPTIONS = (
    click.argument("lead_ids", metavar="[ID]...", nargs=-1),
    click.option(
        "--matching",
        metavar="TEXT",
        callback=_not_empty,
        help="Leads with this text in e-mail, name, company, message or source page, in any case"
        " of letters. With * or ? it stands for a whole field: *@spam.example.",
    ),
    click.option(
        "--since", type=Instant(), help="Leads received then or later: 2026-11-20, or with a time."
    ),
    click.option("--until", type=Instant(), help="Leads received earlier than this."),
    click.option("--yes", is_flag=True, help="Do not ask before leads that match are changed."),
)


def _selecting(command: Command) -> Command:
    """Give a command the ID argument and the options that select leads instead."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class Change:
    """What a command does with leads, and how it tells of it."""

    verb: str
    done: str
    unfit: str
    apply: Callable[[LeadStore, Collection[str]], Awaitable[frozenset[str]]]


_DELETE = Change(
    "Delete", "Deleted", "is not there", lambda store, lead_ids: store.delete(lead_ids)
)
_QUARANTINE = Change(
    "Put in quarantine",
    "Put in quarantine",
    "is not there, or is in quarantine already",
    lambda store, lead_ids: store.quarantine(lead_ids),
)
_RELEASE = Change(
    "Release", "Released", "is not in quarantine", lambda store, lead_ids: store.release(lead_ids)
)


@click.command()
@_selecting
@click.option(
    "--quarantined/--not-quarantined",
    default=None,
    help="Leads in quarantine, or only those that are not in it.",
)
def delete(
    lead_ids: tuple[str, ...],
    matching: str | None,
    since: datetime | None,
    until: datetime | None,
    yes: bool,
    quarantined: bool | None,
) -> None:
    """Delete leads, by ID or all that match."""
    selection = Selection(matching, since, until, quarantined)
    _run(_DELETE, lead_ids, selection, yes, is_given=selection != Selection())


@click.command()
@_selecting
def quarantine(
    lead_ids: tuple[str, ...],
    matching: str | None,
    since: datetime | None,
    until: datetime | None,
    yes: bool,
) -> None:
    """Put leads in quarantine, by ID or all that match."""
    given = (matching, since, until)
    _run(_QUARANTINE, lead_ids, Selection(*given, quarantined=False), yes, is_given=any(given))


@click.command()
@_selecting
def release(
    lead_ids: tuple[str, ...],
    matching: str | None,
    since: datetime | None,
    until: datetime | None,
    yes: bool,
) -> None:
    """Take leads out of quarantine, by ID or all that match."""
    given = (matching, since, until)
    _run(_RELEASE, lead_ids, Selection(*given, quarantined=True), yes, is_given=any(given))


def _run(
    change: Change, lead_ids: Sequence[str], selection: Selection, yes: bool, *, is_given: bool
) -> None:
    """Change the leads that were named, or those that match once somebody has agreed."""
    if bool(lead_ids) is is_given:
        raise click.UsageError("Name leads by ID, or select them with --matching and the like.")
    if is_given:
        lead_ids = with_store(selection.ids)
        if not lead_ids:
            click.echo("No lead matches.")
            return
        if not yes:
            click.confirm(f"{change.verb} {len(lead_ids)} leads?", abort=True)
    changed = _changed(change, lead_ids)
    click.echo(f"{change.done} {len(changed)} of {len(lead_ids)}.")
    unfit = [each for each in lead_ids if each not in changed]
    for each in unfit:
        click.echo(f"{each} {change.unfit}.", err=True)
    sys.exit(1 if unfit else 0)


def _changed(change: Change, lead_ids: Sequence[str]) -> frozenset[str]:
    """Change exactly these, some at a time so that no visitor's lead waits long."""

    async def work(store: LeadStore) -> frozenset[str]:
        changed: frozenset[str] = frozenset()
        with progress_bar() as progress:
            task = progress.add_task(change.done, total=len(lead_ids))
            for batch in batches(lead_ids, BATCH):
                changed |= await change.apply(store, batch)
                progress.advance(task, len(batch))
        return changed

    return with_store(work)
