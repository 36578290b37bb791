"""Options of several commands on leads: when the leads were received."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import click

from app.console.database import Result, with_database
from app.console.param_types import instant
from app.console.settings import command_settings
from app.features.leads.notifications.service import lead_store
from app.features.leads.settings import LeadSettings
from app.features.leads.store import LeadStore
from app.platform.deliveries.outbox import Outbox

since_option = click.option(
    "--since",
    type=instant,
    metavar="DATE-TIME",
    help="Leads received at or after this date-time, for example 2026-11-20.",
)
until_option = click.option(
    "--until",
    type=instant,
    metavar="DATE-TIME",
    help="Leads received before this date-time.",
)


def with_store(work: Callable[[LeadStore], Awaitable[Result]]) -> Result:
    """Call a function with the lead store of the settings' database, as `with_database` does."""
    settings = command_settings().of(LeadSettings)
    return with_database(lambda database: work(lead_store(settings, database, Outbox(database))))
