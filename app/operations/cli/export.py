"""Files for hosts, tools and portals: `majlis export`, `majlis openapi`, `majlis products`."""

import asyncio
import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO, StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from app.console import command_settings
from app.console.default_view import default_view
from app.console.output import print_file
from app.factory import create_app
from app.feature import form_kinds
from app.operations.cli.serve import refuse_foreign_source
from app.operations.export import ExportFolder
from app.operations.export.hosting import Hosting, Moved, moved_by_rule
from app.operations.export.pages import SiteFile, SiteFiles
from app.platform.observability.logs import log_to_stderr
from app.platform.printable import printable, printable_json
from app.publishing.content.store import ContentStore
from app.services import StaticSite
from app.web.http.origins import origin_of
from app.web.openapi.document import openapi_document
from app.web.openapi.information import CONTRACT, LEGACY
from knowledge.locales.locale import Country, Language, Locale
from knowledge.views.content_view import ContentView
from renderers.feeds.product_feed import FORMS, Row, product_feed


def _service(context: click.Context, parameter: click.Parameter, value: str | None) -> str:
    """Refuse what is no address of a service."""
    if value and not value.startswith(("https://", "http://")):
        raise click.BadParameter("write it as https://forms.example.com", context, parameter)
    return (value or "").rstrip("/")


@click.command()
@click.argument(
    "folder", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@click.option(
    "--into",
    "target",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to write; it must be empty, or written by an export.",
)
@click.option("--service", callback=_service, help="URL of a service that gets the forms.")
def export(folder: Path | None, target: Path, service: str) -> None:
    """Write the site of FOLDER (default: CONTENT_DIR) as files for a static host.

    BASE_URL is the address of the site. Files that are as before are not written again, and
    those that the site no longer has are removed.
    """
    log_to_stderr("WARNING")
    with opened_site(folder, service) as site:
        if not site.settings.base_url:
            raise click.ClickException("Set BASE_URL to the address of the site: links begin so.")
        try:
            asyncio.run(_export(site, target, service))
        except (OSError, ValueError) as error:
            raise click.ClickException(str(error)) from None


@contextmanager
def opened_site(folder: Path | None, service: str = "") -> Iterator[SiteFiles]:
    """Load the site of a folder into this process; one that cannot be read ends the command."""
    with TemporaryDirectory(prefix="majlis-site-") as scratch:
        own = {} if folder is None else {"content_dir": folder}
        settings = command_settings(database_url=f"sqlite:///{scratch}/unused.db", **own)
        refuse_foreign_source(settings.content_dir)
        kinds = form_kinds(settings) if service else ()
        store = ContentStore(settings.content_dir, cache_dir=settings.cache_dir, form_kinds=kinds)
        store.reload()
        if not store.loaded:
            raise click.ClickException(f"{settings.content_dir}: {store.first_error}")
        app = create_app(settings, content_store=store, static_site=StaticSite(service))
        yield SiteFiles(app)


_REDIRECTS = (301, 302, 307, 308)
_SHOWN = 10
_ABSENT = (
    "Not in the export, as it needs a running service: search, what is open now, the comparison"
    " and filters of lists, the API with its manual, MCP, counting of readers, previews, orders,"
    " changes, and the choice of a form by Accept and of a country or language by the visitor's"
    " own."
)
_FORMS = "Forms are sent to {service}, which accepts them if its LEADS_ORIGINS names {site}."
_NO_FORMS = "Pages with a form show how to call and write instead; --service URL keeps the forms."


async def _export(site: SiteFiles, target: Path, service: str) -> None:
    locale = site.snapshot.default_locale
    written = ExportFolder(target)
    hosting = Hosting(site.snapshot.open_locales, origin_of(service) if service else "")
    async for file in site.each():
        with file.body:
            if file.status in _REDIRECTS:
                hosting.moved.append(Moved(file.path, file.headers["location"], file.status))
            elif file.status >= 500:
                raise click.ClickException(f"{file.path} cannot be shown, see the log above.")
            elif file.path.endswith("/404.html") or _is_for_all(file):
                written.write(hosting.add(file), file.body)
    hosting.moved += (Moved(path, found.location, found.status) for path, found in site.redirects())
    rules = site.snapshot.redirects
    literal = set(rules.literal.values())
    hosting.moved += (
        moved_by_rule(rule, locale)
        for rule in rules.rules
        if rule not in literal and not rule.query
    )
    for name, text in hosting.files():
        written.write(name, BytesIO(text.encode()))
    removed = written.finish()
    click.echo(
        f"{len(written.names)} files in {target}: {written.written} written, {removed} removed."
    )
    _tell(site, service, site.settings.public_url)


def _is_for_all(file: SiteFile) -> bool:
    """Return whether a file can be the response for all clients; not all of the API are."""
    is_personal = file.headers.get("cache-control", "").startswith("private")
    return file.status == 200 and not (is_personal and file.path.startswith("/api/"))


def _tell(site: SiteFiles, service: str, public_url: str) -> None:
    """Print what the files lack, and the links that lead to it."""
    click.echo(_ABSENT)
    click.echo(_FORMS.format(service=service, site=public_url) if service else _NO_FORMS)
    for path, source in sorted(site.broken.items())[:_SHOWN]:
        click.echo(f"{source} links to {path}, which is not in the export.", err=True)
    if len(site.broken) > _SHOWN:
        click.echo(f"… and {len(site.broken) - _SHOWN} more links.", err=True)


@click.command()
@click.option("--legacy", is_flag=True, help="Print the document of the legacy paths instead.")
def openapi(legacy: bool) -> None:
    """Print the OpenAPI 3.1 document of this service."""
    settings = command_settings()
    view = default_view(settings)
    document = openapi_document(create_app(settings), view, LEGACY if legacy else CONTRACT)
    click.echo(printable_json(document, indent=2))


@click.group("products")
def products_group() -> None:
    """Print the products for shopping portals."""


@products_group.command("feed")
@click.option("--country", "code", required=True, help="Country of the buyers, such as sa.")
@click.option(
    "--lang", type=click.Choice([str(each) for each in Language]), help="Language of the texts."
)
@click.option(
    "--format",
    "form",
    type=click.Choice([*FORMS]),
    default="csv",
    help="csv for Google Merchant Center, jsonl for OpenAI.",
)
def feed(code: str, lang: str | None, form: str) -> None:
    """Print a feed of the products on sale, with their prices in a country.

    The price includes VAT, as Google wants it outside of the United States and Canada. Standard
    error has what the portals will not accept.
    """
    settings = command_settings()
    if not settings.base_url:
        raise click.ClickException(
            "BASE_URL is not set. Set it to the public address of the service, such as"
            " https://www.example.com."
        )
    view = default_view(settings)
    country = _country(view, code)
    language = Language(lang) if lang else view.locale.language
    locale = Locale(country if view.snapshot.open.countries else None, language)
    if locale not in view.snapshot.open_locales:
        raise click.BadParameter("The site has no such language.", param_hint="--lang")
    found = product_feed(view.for_locale(locale), country, form)
    if not found.rows:
        raise click.ClickException(f"No product is on sale with a price in {country}.")
    print_file(_TEXTS[form](found.rows))
    for note in found.notes:
        click.echo(printable(note), err=True)


def _csv(rows: Sequence[Row]) -> str:
    lines = StringIO()
    writer = csv.DictWriter(lines, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return lines.getvalue()


_TEXTS: Mapping[str, Callable[[Sequence[Row]], str]] = {
    "csv": _csv,
    "jsonl": lambda rows: "".join(f"{printable_json(row)}\n" for row in rows),
}


def _country(view: ContentView, code: str) -> Country:
    """Return a country of the site, or of the world if the site has no countries."""
    known, country = view.snapshot.open.countries, Country.parse(code.strip())
    if country is None and not known:
        message = f"{printable(code)!r} is no code of a country. Use two letters, such as sa."
        raise click.BadParameter(message, param_hint="--country")
    if country is None or (known and country not in known):
        slugs = ", ".join(each.slug for each in known)
        message = f"The site has no country {printable(code)!r}. It has {slugs}."
        raise click.BadParameter(message, param_hint="--country")
    return country
