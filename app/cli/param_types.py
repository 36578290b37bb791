"""Types of command-line options: periods such as `90d`, and date-times."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import click

from app.clock import parse_instant


class Instant(click.ParamType[datetime]):
    """A date-time option; a date without a time means midnight UTC."""

    name = "date-time"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        """Parse the value of an option."""
        instant = parse_instant(f"{value}T00:00:00Z") or parse_instant(str(value))
        if instant is None:
            advice = "Use for example 2026-11-20 or 2026-11-20T09:30:00+04:00."
            self.fail(f"{value!r} is not a valid date-time. {advice}", param, ctx)
        return instant


_PERIOD = re.compile(r"(?P<number>\d{1,5})(?P<unit>[hdw]?)", re.ASCII)
_UNITS: Mapping[str, timedelta] = {
    "h": timedelta(hours=1),
    "": timedelta(days=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}


class Period(click.ParamType[timedelta]):
    """A period option; a number without a unit means days."""

    name = "period"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> timedelta:
        """Parse the value of an option."""
        match = _PERIOD.fullmatch(str(value))
        if match is None:
            advice = "Use for example 90d, 12w or 24h."
            self.fail(f"{value!r} is not a valid period. {advice}", param, ctx)
        return int(match["number"]) * _UNITS[match["unit"]]
