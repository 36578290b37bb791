"""Commands on the content and its old addresses: `majlis content`, `redirects` and `words`."""

import asyncio
import json
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import click
from pydantic.alias_generators import to_camel

from app.console import command_settings
from app.console.output import print_table
from app.operations.cli.export import opened_site
from app.operations.export.pages import SiteFile, SiteFiles
from app.platform.clock import utc_now
from app.platform.printable import printable
from app.publishing.content.folder import write_acceptance
from knowledge.addresses.addresses import route_of
from knowledge.addresses.former_addresses import former_address
from knowledge.diagnostics.diagnostic import ContentFileError
from knowledge.documents import front_matter
from knowledge.documents.files import read_document, scan
from knowledge.documents.front_matter import OLD_ADDRESS_KEYS
from knowledge.fields.content_types import WORDS as DOCUMENT
from knowledge.fields.site_fields import WORDS
from knowledge.resources.places import visitor_locale
from knowledge.snapshot.loading import LoadedContent, load_content
from knowledge.snapshot.redirect_rules import GONE, REDIRECTS_FILE
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView
from renderers.l10n.translation import written_words

_FOLDER = click.argument("folder", required=False, type=click.Path(path_type=Path))


@click.group("content")
def content_group() -> None:
    """Manage the content folder of a running service."""


@content_group.command()
@_FOLDER
def accept(folder: Path | None) -> None:
    """Confirm that most documents were deleted on purpose.

    Every service that uses FOLDER (default: CONTENT_DIR) then serves the remaining documents.
    You can run this before the service has detected the deletion.
    """
    root = _root(folder)
    try:
        documents = scan(root).documents
        write_acceptance(root, documents)
    except OSError as error:
        reason = f"{root}: {error.strerror}."
        advice = "Run the command as a user with write permission, or restart the service."
        raise click.ClickException(f"{reason} {advice}") from None
    click.echo(
        f"Accepted: {len(documents)} documents. A running service serves them within seconds."
    )


@click.group("redirects")
def redirects_group() -> None:
    """Explain redirects from old addresses."""


@redirects_group.command("test")
@click.argument("url")
@_FOLDER
@click.option("--lang", default=None, help="The language that the reader prefers.")
def explain(url: str, folder: Path | None, lang: str | None) -> None:
    """Explain where URL leads in the content of FOLDER (default: CONTENT_DIR).

    URL is a path such as /2019/05/hello.html, or a whole address. The command exits with
    1 if it leads nowhere.
    """
    parts = urlsplit(url)
    path = unquote(parts.path) or "/"
    query = f"?{parts.query}" if parts.query else ""
    with opened_site(folder) as site:
        answer = asyncio.run(_answer(site, f"{quote(path)}{query}", lang or ""))
        snapshot = site.snapshot
    answer.body.close()
    if answer.status == 200:
        click.echo(printable(f"{path} is a page, which no redirect hides."))
        return
    location = answer.headers.get("location")
    if location is None and answer.status != GONE:
        message = f"No page and no redirect is at {path}{query}: the answer is {answer.status}."
        raise click.ClickException(printable(message))
    shown = f"{answer.status} to {location}" if location else f"{GONE} (gone)"
    click.echo(printable(f"{path}{query} is answered with {shown}"))
    visitor = visitor_locale(snapshot, None, [lang] if lang else [])
    found = former_address(snapshot, path, visitor, utc_now(), parts.query)
    if found and found.sources:
        places = (_place(folder, snapshot, source) for source in found.sources)
        click.echo(printable(f"because of {' → '.join(places)}"))


async def _answer(site: SiteFiles, url: str, language: str) -> SiteFile:
    async with site.running():
        return await site.response(url, language)


@redirects_group.command("list")
@_FOLDER
def list_redirects(folder: Path | None) -> None:
    """List all redirects in the content of FOLDER (default: CONTENT_DIR)."""
    print_table(("OLD", "NEW", "STATUS", "FROM"), list(_rows(load_or_fail(_root(folder)).snapshot)))


def load_or_fail(root: Path, form_kinds: Collection[str] | None = None) -> LoadedContent:
    """Load the content of a folder; one that cannot be read ends the command."""
    try:
        return load_content(root, form_kinds=form_kinds)
    except OSError as error:
        raise click.ClickException(f"Cannot read {root}: {error.strerror}.") from None


def _root(folder: Path | None) -> Path:
    return folder or command_settings().content_dir


def _place(folder: Path | None, snapshot: Snapshot, source: str) -> str:
    """Return the place of a source: of a document, the line that lists its old addresses."""
    if source not in snapshot.by_path:
        return source
    try:
        parts = front_matter.parse(read_document(_root(folder), source))
    except ContentFileError:
        return source
    key = next((key for key in OLD_ADDRESS_KEYS if key in parts.metadata), None)
    return f"{source}:{parts.line_of((key,)) if key else 1}"


def _rows(snapshot: Snapshot) -> Iterator[tuple[object, ...]]:
    """Yield the redirects that documents list, then the rules in the order of their file."""
    for claim in snapshot.old_addresses.values():
        address = route_of(snapshot, claim.entry)
        yield claim.path, address.path if address else "", 301, claim.document.path
    for rule in snapshot.redirects.rules:
        yield rule.source, rule.target or "-", rule.status, f"{REDIRECTS_FILE}:{rule.line}"


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--missing", is_flag=True, help="Only words that the site has not set.")
def words(folder: Path | None, missing: bool) -> None:
    """Print the words of the interface by key, each with its text in all languages of the site.

    They are lines for `site/words.md` in FOLDER (default: CONTENT_DIR). With --missing, only the
    words that this file does not set in each language.
    """
    snapshot = load_or_fail(folder or command_settings().content_dir).snapshot
    view = ContentView(snapshot, snapshot.default_locale, utc_now(), "")
    own = set(_set_by_site(snapshot)) if missing else set()
    for key, texts in written_words(view).items():
        if key not in own:
            click.echo(printable(f"{key}: {_mapping(texts)}"))


def _mapping(texts: Mapping[str, str]) -> str:
    pairs = (
        f"{language}: {json.dumps(text, ensure_ascii=False)}" for language, text in texts.items()
    )
    return f"{{ {', '.join(pairs)} }}"


def _set_by_site(snapshot: Snapshot) -> Iterator[str]:
    """Yield the words that the site has set in each of its languages, or removed."""
    entry = snapshot.singleton(DOCUMENT)
    everywhere = (
        [each.fields for each in entry.documents if not each.layer.country] if entry else []
    )
    for name in WORDS:
        texts: dict[str, str] = {}
        for fields in everywhere:
            texts |= getattr(fields, name) or {}
        if "" in texts.values() or texts.keys() >= set(snapshot.locales.languages):
            yield to_camel(name)
