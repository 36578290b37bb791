"""Instants on the command line: a date, or a date with a time and an offset."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import click

from app.clock import parse_instant


class Instant(click.ParamType[datetime]):
    """A point in time; a date alone is its midnight in UTC."""

    name = "instant"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        """The instant that was written."""
        instant = parse_instant(f"{value}T00:00:00Z") or parse_instant(str(value))
        if instant is None:
            wanted = "write 2026-11-20 or 2026-11-20T09:30:00+04:00"
            self.fail(f"{value!r} is no instant; {wanted}.", param, ctx)
        return instant
