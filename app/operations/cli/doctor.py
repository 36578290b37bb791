"""`majlis doctor` and `majlis serve --check`: examine the installation, and change nothing."""

import asyncio
import logging
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import click

from app.factory import create_app
from app.operations.doctor import Facts, Finding, Level, checks, fault
from app.operations.doctor.gathering import folder_facts, folders_of, gather
from app.operations.doctor.public_address import judge_proxies, judge_public_address, judge_tls
from app.platform.clock import utc_now
from app.platform.database import SchemaMismatch, migrations
from app.platform.database.database import WAIT_SECONDS
from app.platform.database.inspection import DatabaseState, inspect
from app.platform.database.metadata import NEWEST, require_newest
from app.platform.database.url import sqlite_file
from app.platform.keys import REMEDY, SharedKey, fingerprint, mismatch
from app.platform.printable import printable, printable_json
from app.publishing.content.store import ContentStore
from app.settings import Settings, SettingsError, load_settings
from app.tables import shared_keys
from knowledge.diagnostics.diagnostic import Severity
from renderers.html.site_templates import template_diagnostics

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
    "settings": checks.judge_settings,
    "folders": checks.judge_folders,
    "disk": checks.judge_disk,
    "database": checks.judge_database,
    "redis": checks.judge_redis,
    "clock": checks.judge_clock,
    "proxies": judge_proxies,
    "tls": judge_tls,
    "public address": judge_public_address,
    "receivers": checks.judge_receivers,
}


def examine(facts: Facts) -> Iterator[tuple[str, Finding]]:
    """Yield every finding with the name of its check."""
    for name, judge in CHECKS.items():
        for finding in judge(facts):
            yield name, finding


log = logging.getLogger(__name__)


def check_start(settings: Settings) -> None:
    """Say what a start would find; ends the command with its message if it would fail."""
    create_app(settings)
    state = asyncio.run(inspect(settings.database_url, WAIT_SECONDS))
    database = _database(state, sqlite_file(settings.database_url), shared_keys(settings))
    _warn_of_folders(settings)
    click.echo(_content(settings.content_dir))
    click.echo(database)
    click.echo(f"The service would start on {settings.host}:{settings.port}.")


def _database(state: DatabaseState, file: Path | None, keys: Sequence[SharedKey]) -> str:
    """Return what the start would do with the database."""
    if state.problem:
        return f"Database: unavailable, so that leads would get 503. {state.problem}"
    try:
        if file is None:  # as the start does
            require_newest(state.revision)
        missing = migrations.missing(state.revision)
    except SchemaMismatch as error:
        raise click.ClickException(str(error)) from None
    for key in keys:
        own = fingerprint(key.path)
        problem = mismatch(key, own, state.fingerprints.get(key.variable))
        if problem and (own or key.needed):
            raise click.ClickException(f"{problem} {REMEDY}")
    if not state.exists:
        return f"Database: {file} would be created, with schema {NEWEST}."
    if missing:
        revisions = ", ".join(missing)
        return f"Database: schema {state.revision or 'none'}; the start would add {revisions}."
    return f"Database: schema {state.revision}, as this version needs."


def _warn_of_folders(settings: Settings) -> None:
    for variable, path in folders_of(settings):
        finding = checks.judge_folder(folder_facts(variable, path))
        if finding.level is not Level.OK:
            log.warning("%s %s", finding.message, finding.remedy)


def _content(folder: Path) -> str:
    """Load the content, which logs its problems as at the start, and return how much there is."""
    store = ContentStore(folder)
    store.reload()
    if not store.loaded:
        return "Content: none, so that pages would get 503 until the folder can be read."
    content = store.current.content
    templates = [*template_diagnostics(content.snapshot)]
    for diagnostic in templates:
        log.warning("%s", diagnostic)
    counts = Counter(each.severity for each in (*content.diagnostics, *templates))
    errors, warnings = counts[Severity.ERROR], counts[Severity.WARNING]
    return f"Content: {len(content.files)} files, {errors} errors, {warnings} warnings."
