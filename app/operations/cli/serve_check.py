"""`majlis serve --check`: what a start does and says, without listening and without a change."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from app.factory import create_app
from app.operations.doctor.checks import judge_folder
from app.operations.doctor.facts import Level
from app.operations.doctor.gathering import folder_facts, folders_of
from app.platform.database import migrations
from app.platform.database.database import WAIT_SECONDS
from app.platform.database.errors import SchemaMismatch
from app.platform.database.inspection import DatabaseState, inspect
from app.platform.database.metadata import NEWEST, require_newest
from app.platform.database.url import sqlite_file
from app.platform.keys import REMEDY, SharedKey, fingerprint, mismatch
from app.publishing.content.store import ContentStore
from app.settings import Settings
from app.tables import shared_keys
from knowledge.diagnostics.diagnostic import Severity
from renderers.html.site_templates import template_diagnostics

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
        finding = judge_folder(folder_facts(variable, path))
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
