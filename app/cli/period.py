"""Periods on the command line: `90d`, `12w`, `24h`."""

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
    """A length of time; a bare number counts days."""

    name = "period"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> timedelta:
        """The length that was written."""
        match = _PERIOD.fullmatch(str(value))
        if match is None:
            self.fail(f"{value!r} is no period; write 90d, 12w or 24h.", param, ctx)
        return int(match["number"]) * _UNITS[match["unit"]]
