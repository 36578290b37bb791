"""Shared helpers of the lead commands: access to the store, and a progress bar."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from rich.console import Console
from rich.progress import Progress

from app.cli.database import with_database
from app.leads.store import LeadStore

Result = TypeVar("Result")


def with_store(work: Callable[[LeadStore], Awaitable[Result]]) -> Result:
    """Call a function with the lead store of the settings' database."""
    return with_database(lambda database: work(LeadStore(database)))


def progress_bar() -> Progress:
    """Create a progress bar on standard error, disabled unless that is a terminal."""
    console = Console(stderr=True)
    return Progress(console=console, disable=not console.is_terminal)
