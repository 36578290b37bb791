"""`majlis doctor`: examines the installation, and says what to do about what it finds."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence

import click

from app.operations.doctor.checks import (
    judge_clock,
    judge_database,
    judge_disk,
    judge_folders,
    judge_receivers,
    judge_redis,
    judge_settings,
)
from app.operations.doctor.facts import Facts, Finding, Level, fault
from app.operations.doctor.gathering import gather
from app.operations.doctor.public_address import (
    judge_proxies,
    judge_public_address,
    judge_tls,
)
from app.platform.clock import utc_now
from app.platform.printable import printable, printable_json
from app.settings import SettingsError, load_settings

Findings = Sequence[tuple[str, Finding]]

_COLOURS = {Level.OK: "green", Level.WARNING: "yellow", Level.FAULT: "red"}


@click.command()
@click.option("--offline", is_flag=True, help="Ask no other machine, and not the public address.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with all findings.")
def doctor(offline: bool, as_json: bool) -> None:
    """Check settings, folders, disk, database, Redis, clock, proxies, TLS and public address.

    Run it as the user of the service, with its settings. It changes nothing. It exits with 1 if
    there is a fault.
    """
    findings = _findings(offline=offline)
    (_print_json if as_json else _print_lines)(findings)
    sys.exit(1 if any(finding.level is Level.FAULT for _, finding in findings) else 0)


def _findings(*, offline: bool) -> Findings:
    """Examine the installation; without valid settings there is nothing else to examine."""
    try:
        settings = load_settings()
    except SettingsError as error:
        return [("settings", fault(str(error), "Correct it in the environment or in .env."))]
    return [*examine(asyncio.run(gather(settings, utc_now, offline=offline)))]


def _print_lines(findings: Findings) -> None:
    for name, finding in findings:
        level = click.style(f"{finding.level:7}", fg=_COLOURS[finding.level])
        click.echo(f"{level}  {name}: {printable(finding.message)}")
        if finding.remedy:
            click.echo(f"         → {printable(finding.remedy)}")
    levels = [finding.level for _, finding in findings]
    click.echo(f"{levels.count(Level.FAULT)} faults, {levels.count(Level.WARNING)} warnings.")


def _print_json(findings: Findings) -> None:
    listed = [
        {
            "check": name,
            "level": finding.level,
            "message": finding.message,
            "remedy": finding.remedy or None,
        }
        for name, finding in findings
    ]
    ok = not any(finding.level is Level.FAULT for _, finding in findings)
    click.echo(printable_json({"ok": ok, "findings": listed}, indent=2))


CHECKS: Mapping[str, Callable[[Facts], Iterator[Finding]]] = {
    "settings": judge_settings,
    "folders": judge_folders,
    "disk": judge_disk,
    "database": judge_database,
    "redis": judge_redis,
    "clock": judge_clock,
    "proxies": judge_proxies,
    "tls": judge_tls,
    "public address": judge_public_address,
    "receivers": judge_receivers,
}


def examine(facts: Facts) -> Iterator[tuple[str, Finding]]:
    """Yield every finding with the name of its check."""
    for name, judge in CHECKS.items():
        for finding in judge(facts):
            yield name, finding
