"""What the commands on leads share: the store of the settings, and a bar that shows progress."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from rich.console import Console
from rich.progress import Progress

from app.cli.database import with_database
from app.leads.sql_store import SqlLeadStore
from app.leads.store import LeadStore

Result = TypeVar("Result")


def with_store(work: Callable[[LeadStore], Awaitable[Result]]) -> Result:
    """Do a command's work on the leads of the settings' database."""
    return with_database(lambda database: work(SqlLeadStore(database)))


def progress_bar() -> Progress:
    """A bar on the terminal, and nothing where there is none."""
    console = Console(stderr=True)
    return Progress(console=console, disable=not console.is_terminal)
