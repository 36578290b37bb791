"""`majlis redirects`: explains where old addresses lead."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import click

from app.cli.output import print_table
from app.cli.settings import command_settings
from app.clock import utc_now
from knowledge.addresses import is_visible, parse_address, route_of, split_locale
from knowledge.former_addresses import Redirect, former_address
from knowledge.loading import load_content
from knowledge.redirect_rules import GONE, REDIRECTS_FILE
from knowledge.resources.locales import reader_locale
from knowledge.snapshot import Snapshot

_FOLDER = click.argument("folder", required=False, type=click.Path(path_type=Path))
_STEP = " → "


@click.group("redirects")
def redirects_group() -> None:
    """Explain redirects from old addresses."""


@redirects_group.command("test")
@click.argument("url")
@_FOLDER
@click.option("--lang", default=None, help="The language that the reader prefers.")
def explain(url: str, folder: Path | None, lang: str | None) -> None:
    """Explain where URL leads in the content of FOLDER (default: CONTENT_DIR).

    URL is a path such as /2019/05/hello.html, or a whole address. Exits with 1 if it leads
    nowhere.
    """
    snapshot = _snapshot(folder)
    path = unquote(urlsplit(url).path) or "/"
    if _is_page(snapshot, path):
        click.echo(f"{path} is a page, which no redirect hides.")
        return
    reader = reader_locale(snapshot, None, [lang] if lang else [])
    found = former_address(snapshot, path, reader, utc_now())
    if found is None:
        raise click.ClickException(f"No page and no redirect is at {path}: the answer is 404.")
    click.echo(f"{path} is answered with {_answer(found)}")
    click.echo(f"because of {_STEP.join(found.sources)}")


@redirects_group.command("list")
@_FOLDER
def list_redirects(folder: Path | None) -> None:
    """List all redirects in the content of FOLDER (default: CONTENT_DIR)."""
    rows = list(_rows(_snapshot(folder)))
    print_table(("OLD", "NEW", "STATUS", "FROM"), rows)


def _snapshot(folder: Path | None) -> Snapshot:
    root = folder or command_settings().content_dir
    try:
        return load_content(root).snapshot
    except OSError as error:
        raise click.ClickException(f"Cannot read {root}: {error.strerror}.") from None


def _is_page(snapshot: Snapshot, path: str) -> bool:
    locale, below = split_locale(path)
    address = parse_address(below)
    if path[1:] in snapshot.assets:
        return True
    return bool(locale and address and is_visible(snapshot, address, locale, utc_now()))


def _answer(found: Redirect) -> str:
    return f"{GONE} (gone)" if found.status == GONE else f"{found.status} to {found.location}"


def _rows(snapshot: Snapshot) -> Iterator[tuple[object, ...]]:
    """Yield the redirects that documents list, then the rules in the order of their file."""
    for claim in snapshot.old_addresses.values():
        address = route_of(claim.entry)
        yield claim.path, address.path if address else "", 301, claim.document.path
    for rule in snapshot.redirects.rules:
        yield rule.source, rule.target or "-", rule.status, f"{REDIRECTS_FILE}:{rule.line}"
