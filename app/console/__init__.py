"""Console: what commands share. Here are their settings, and types of their options."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import reduce
from typing import Any, TypeVar

import click

from app.platform.artefacts import Artefacts, open_source
from app.platform.clock import parse_instant
from app.platform.settings import checked_source
from app.settings import Settings, SettingsError, load_settings

Command = TypeVar("Command", bound=Callable[..., Any])


def command_settings(**overrides: Any) -> Settings:
    """Load the settings from the environment; invalid settings end the command."""
    try:
        return load_settings(**overrides)
    except SettingsError as error:
        raise click.ClickException(f"Invalid configuration: {error}") from None


def _target(_: click.Context, __: click.Parameter, address: str | None) -> Artefacts | None:
    try:
        return open_source(checked_source(address or ""))
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


output_option = click.option(
    "--output",
    metavar="FOLDER|URL",
    callback=_target,
    help="Where to add them too: a folder, https://host/path or s3://bucket/prefix.",
)

_PERIOD = re.compile(r"(?P<number>\d{1,5})(?P<unit>[hdw]?)", re.ASCII)
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


def instant(text: str) -> datetime:
    """Parse a date-time; a date without a time means midnight UTC."""
    parsed = parse_instant(f"{text}T00:00:00Z") or parse_instant(text)
    if parsed is None:
        advice = "Use for example 2026-11-20 or 2026-11-20T09:30:00+04:00."
        raise click.BadParameter(f"{text!r} is not a valid date-time. {advice}")
    return parsed


def with_options(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Return a decorator that adds options to a command, in their order in the help."""

    def add(command: Command) -> Command:
        return reduce(lambda decorated, option: option(decorated), reversed(options), command)

    return add


def since_option(received: str) -> Callable[[Command], Command]:
    """Return the option for what was received from an instant on."""
    about = f"{received} at or after this date-time, for example 2026-11-20."
    return click.option("--since", type=instant, metavar="DATE-TIME", help=about)


def period(text: str) -> timedelta:
    """Parse a period; a number without a unit means days."""
    match = _PERIOD.fullmatch(text)
    if match is None:
        advice = "Use for example 90d, 12w or 24h."
        raise click.BadParameter(f"{text!r} is not a valid period. {advice}")
    return int(match["number"]) * _UNITS[match["unit"] or "d"]


def older_than_option(what: str) -> Callable[[Command], Command]:
    """Return the option for the age from which something is deleted or anonymised."""
    about = f"Minimum age of the {what}, for example 90d, 12w or 24h."
    return click.option("--older-than", type=period, required=True, help=about, metavar="PERIOD")
