"""`majlis index`: makes the search index ahead of a start."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from app.cli.output import progress_bar
from app.cli.settings import command_settings
from app.clock import utc_now
from app.content.search_pages import search_pages
from indexes.passages.analysis import Analyzer
from indexes.passages.folder import IndexFolder
from indexes.passages.index import PassageIndex
from indexes.vocabulary import Vocabulary
from knowledge.loading import load_content


@click.command()
@click.option("--check", is_flag=True, help="Make nothing; exit with 1 if there is no index.")
def index(check: bool) -> None:
    """Make the search index of CONTENT_DIR in INDEX_DIR.

    The service then starts with it. Run it when a deployment has copied much content. If the
    index is there already, nothing is done.
    """
    settings = command_settings()
    try:
        loaded = load_content(settings.content_dir)
    except OSError as error:
        message = f"Cannot read {settings.content_dir}: {error.strerror}."
        raise click.ClickException(message) from None
    pages = search_pages(loaded.snapshot, utc_now())
    folder = IndexFolder(settings.index_dir, Analyzer(Vocabulary(loaded.word_lists)))
    found = folder.open(pages)
    if found is None and not check:
        with progress_bar() as bar:
            task = bar.add_task("Indexing", total=len(pages.versions))
            folder.make(pages, lambda done, _: bar.update(task, completed=done))
        found = folder.open(pages)
    if found is None:
        click.echo(f"There is no index of this content in {settings.index_dir}.", err=True)
        sys.exit(1)
    click.echo(_summary(found, len(pages.versions), settings.index_dir))


def _summary(found: PassageIndex, pages: int, folder: Path) -> str:
    return f"{folder}: {found.passages} passages of {pages} pages."
