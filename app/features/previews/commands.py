"""`majlis preview`: prints a signed link to a page that is not yet published."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import click

from app.console.param_types import instant, period
from app.console.settings import command_settings
from app.features.previews import link
from app.features.previews.link import PreviewLink
from app.features.previews.settings import PreviewSettings
from app.features.previews.target import PreviewTargets
from app.platform.clock import utc_now
from app.platform.database.database import Database
from app.platform.database.errors import KeyMismatch, SchemaMismatch, StoreUnavailable
from app.platform.database.shared_keys import SharedKey
from app.platform.database.url import sqlite_file
from app.platform.key_file import InvalidKey, KeyFile
from app.tables import all_tables
from knowledge.resources.base import Resource
from knowledge.resources.errors import MajlisError
from knowledge.resources.missing import NotPublishedHere
from knowledge.resources.previews import preview_page
from knowledge.resources.site_page import PageModel
from knowledge.snapshot.loading import load_content
from knowledge.views.content_view import ContentView

_LONGEST = timedelta(days=3_650)


@click.command()
@click.argument("path")
@click.option("--at", type=instant, help="Show the page as it is at this time: 2027-01-20.")
@click.option("--for", "duration", type=period, default="7d", help="Valid for: 7d, 12h, 2w.")
def preview(path: str, at: datetime | None, duration: timedelta) -> None:
    """Print a link to a page that is not yet published.

    PATH is a file of the content folder, such as posts/hello.md, or the address of a page, such
    as /sa/ar/blog/hello. Whoever has the link sees this one page, also a draft, until the link
    expires. To revoke all links, delete the file in PREVIEW_KEY_FILE.
    """
    if not timedelta(0) < duration <= _LONGEST:
        raise click.BadParameter("Use from 1h to 3650d.", param_hint="--for")
    settings, now = command_settings().of(PreviewSettings), utc_now().replace(microsecond=0)
    at, until = at.replace(microsecond=0) if at else None, now + duration
    page = _page(settings, path, at, now, until)
    token = PreviewLink(page.path, at, until).token(_key(settings))
    click.echo(f"{settings.public_url}{link.PATH}{token}")
    click.echo(f"It shows {page.path}, until {until:%Y-%m-%d %H:%M} UTC.", err=True)
    if page.preview and page.preview.is_public:
        click.echo(f"This page is public already: {page.view.absolute(page.path)}", err=True)


def _page(
    settings: PreviewSettings, path: str, at: datetime | None, now: datetime, until: datetime
) -> PageModel[Resource]:
    """Return the page to link to, as its readers will see it."""
    try:
        loaded = load_content(settings.content_dir)
    except OSError as error:
        reason = f"Cannot read {settings.content_dir}: {error.strerror}."
        raise click.ClickException(reason) from None
    targets = PreviewTargets(settings.content_dir, loaded, at, now)
    locale, address = targets.find(path)
    public = ContentView(loaded.snapshot, locale, now, settings.public_url)
    try:
        return preview_page(public, address, at, until)
    except NotPublishedHere as error:
        fallback = error.missing.fallback
        advice = f"Use {urlsplit(fallback.href).path}." if fallback else error.resolution
        raise click.ClickException(f"{error.message} {advice}") from None
    except MajlisError as error:
        raise click.ClickException(f"{error.message} {error.resolution}") from None


def _key(settings: PreviewSettings) -> bytes:
    """Return the key of this machine, which other instances must have too, made if need be."""
    path = settings.preview_key_file
    if sqlite_file(settings.database_url) is None:
        asyncio.run(_claim(settings))
    try:
        return KeyFile(path).read_or_make()
    except InvalidKey as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"Cannot make the key {path}: {error.strerror}.") from None


async def _claim(settings: PreviewSettings) -> None:
    """Compare the key with that of the other instances, unless the database cannot be asked."""
    keys = [SharedKey("PREVIEW_KEY_FILE", settings.preview_key_file)]
    async with Database(settings.database_url, keys=keys, tables=all_tables) as database:
        try:
            await database.prepare()
        except KeyMismatch as error:
            raise click.ClickException(str(error)) from None
        except (SchemaMismatch, StoreUnavailable):
            pass
