"""Options of several commands on leads: when the leads were received."""

from __future__ import annotations

import click

from app.operations.cli.param_types import instant

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
