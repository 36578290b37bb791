"""The type of date-time options: a date, or a date with a time and an offset."""

from __future__ import annotations

from datetime import datetime
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
