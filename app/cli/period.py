"""The type of period options: `90d`, `12w`, `24h`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import click

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
