"""`majlis preview`: prints a signed link to a page that is not yet published."""

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import unquote, urlsplit

import click

from app.console import command_settings, instant, period
from app.features.previews import routes
from app.features.previews.routes import PreviewLink
from app.features.previews.settings import PreviewSettings
from app.platform.clock import utc_now
from app.platform.database import KeyMismatch, SchemaMismatch, StoreUnavailable
from app.platform.database.database import Database
from app.platform.database.url import sqlite_file
from app.platform.keys import InvalidKey, KeyFile, SharedKey
from app.tables import all_tables
from knowledge.addresses.addresses import Address, parse_address, route_of, split_locale
from knowledge.diagnostics.diagnostic import Severity
from knowledge.documents.document import Document
from knowledge.fields.content_types import SITE
from knowledge.fields.file_types import DOCUMENT_SUFFIXES
from knowledge.locales.locale import Locale
from knowledge.resources.base import Resource
from knowledge.resources.document_page import NotPublishedHere
from knowledge.resources.errors import MajlisError
from knowledge.resources.site_page import PageModel, preview_locales, preview_page
from knowledge.snapshot.loading import LoadedContent, load_content
from knowledge.views.content_view import ContentView
from renderers.representation import split_suffix

_LONGEST = timedelta(days=3_650)


@click.command()
@click.argument("path")
@click.option("--at", type=instant, help="Show the page as it is at this time: 2027-01-20.")
@click.option(
    "--for", "duration", type=period, default="7d", help="How long the link works: 7d, 12h, 2w."
)
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
    click.echo(f"{settings.public_url}{routes.PATH}{token}")
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


@dataclass(frozen=True, slots=True)
class PreviewTargets:
    """The pages of a content folder, as they are at `at` (None: regardless of their dates)."""

    root: Path
    loaded: LoadedContent
    at: datetime | None
    now: datetime

    def find(self, text: str) -> tuple[Locale, Address]:
        """Return the page of a file or address; raises ClickException if there is none."""
        file = self._file(text)
        if file is not None:
            return self._page_of_file(file)
        path = unquote(urlsplit(text).path)
        locale, rest = split_locale(split_suffix(path)[0])
        address = parse_address(rest, self.loaded.snapshot) if path.startswith("/") else None
        if address is None:
            raise click.ClickException(
                f"“{text}” is neither a file of {self.root} nor the address of a page. "
                "Use for example posts/hello.md, or /sa/ar/blog/hello."
            )
        return locale or self.loaded.snapshot.open_locales[0], address

    def _file(self, text: str) -> str | None:
        """Return the path of a content file below the folder, or None for an address."""
        if not text.endswith(DOCUMENT_SUFFIXES):
            return None
        if text in self.loaded.files:
            return text
        absolute, root = Path(text).absolute(), self.root.absolute()
        if absolute.is_file() and absolute.is_relative_to(root):
            return absolute.relative_to(root).as_posix()
        return None if text.startswith("/") else text

    def _page_of_file(self, path: str) -> tuple[Locale, Address]:
        document = self._document(path)
        address = self._address(document)
        if address is None:
            advice = "Give the address of a page that shows it, and --at if it is dated."
            raise click.ClickException(f"{path} has no page of its own. {advice}")
        locales = preview_locales(self.loaded.snapshot, document, address, self.at, self.now)
        locale = next(locales, None)
        if locale is None:
            when = f"on {self.at:%Y-%m-%d at %H:%M} UTC" if self.at else "in any open country"
            raise click.ClickException(
                f"{path} is not shown {when}. Check its dates, countries and layer."
            )
        return locale, address

    def _document(self, path: str) -> Document:
        file = self.loaded.files.get(path)
        if file is not None and file.document is not None:
            return file.document
        errors = [
            str(each)
            for each in self.loaded.diagnostics
            if each.path == path and each.severity is Severity.ERROR
        ]
        reason = errors[0] if errors else f"{path} is not a content file of {self.root}."
        raise click.ClickException(reason)

    def _address(self, document: Document) -> Address | None:
        entry = self.loaded.snapshot.entry_of_file(document.path)
        if entry is None:
            return None
        pages = self.loaded.snapshot.page_types.all
        if entry.kind == SITE:
            lists = (page for page in pages if page.singleton == entry.slug)
            return next(map(Address, lists), None)
        in_city = (page for page in pages if page.in_city and entry.kind in page.content_types)
        page = next(in_city, None) if document.layer.city else None
        if page is not None:
            return Address(page, entry.slug, document.layer.city or "")
        return route_of(self.loaded.snapshot, entry)
