"""`majlis index`: makes the search indexes ahead of a start."""

from __future__ import annotations

import sys

import click
from rich.progress import Progress

from app.console.reports import progress_bar
from app.console.settings import command_settings
from app.operations.cli.content import load_or_fail
from app.publishing.content.indexes import (
    EditionIndexes,
    IndexT,
    PagesT,
    PassageIndexes,
    PostIndexes,
    SearchPosts,
    open_meaning,
)
from indexes.text.words import Vocabulary


@click.command()
@click.option("--check", is_flag=True, help="Make nothing; exit with 1 if an index is missing.")
def index(check: bool) -> None:
    """Make the search indexes of CONTENT_DIR in INDEX_DIR.

    The service then starts with them. Run it when a deployment has copied much content. If the
    indexes are there already, nothing is done.
    """
    settings = command_settings()
    loaded, folder = load_or_fail(settings.content_dir), settings.index_dir
    vocabulary, in_passages = Vocabulary(loaded.word_lists), PassageIndexes(folder)
    pages = in_passages.pages(loaded.snapshot)
    listed = SearchPosts.of(pages)
    if not check:
        with progress_bar() as bar:
            _make("Pages", in_passages, pages, vocabulary, bar)
            _make("Posts", PostIndexes(folder), listed, vocabulary, bar)
            meaning = open_meaning(folder) if settings.meaning else None
            if meaning:
                task = bar.add_task("Meaning", total=len(pages.versions))
                meaning.complete(pages, lambda done, _: bar.update(task, completed=done))
    passages = in_passages.open(pages, vocabulary)
    posts = PostIndexes(folder).open(listed, vocabulary)
    if passages is None or posts is None:
        click.echo(f"There is no index of this content in {folder}.", err=True)
        sys.exit(1)
    found = f"{passages.passages} passages of {len(passages.versions)} pages"
    click.echo(f"{folder}: {found}, {len(posts.versions)} posts.")


def _make(
    name: str,
    indexes: EditionIndexes[PagesT, IndexT],
    pages: PagesT,
    vocabulary: Vocabulary,
    bar: Progress,
) -> None:
    """Make the index of pages, unless it is there."""
    if indexes.open(pages, vocabulary) is None:
        task = bar.add_task(name, total=len(pages.versions))
        indexes.make(pages, vocabulary, lambda done, _: bar.update(task, completed=done))
