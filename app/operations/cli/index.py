"""`majlis index`: makes the search indexes ahead of a start."""

import sys

import click
from rich.progress import Progress

from app.console import command_settings, output_option
from app.console.output import progress_bar
from app.feature import form_kinds
from app.operations.cli.content import load_or_fail
from app.platform.artefacts import Artefacts, NotAdded, open_source
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
@output_option
def index(check: bool, output: Artefacts | None) -> None:
    """Make the search indexes of CONTENT_DIR in INDEX_DIR.

    The service then starts with them. Run it when a deployment has copied much content. If the
    indexes are there already, nothing is done. Those that INDEX_SOURCE has are fetched; with
    --output they are added to such a source, vectors too.
    """
    settings = command_settings()
    folder = settings.index_dir
    loaded = load_or_fail(settings.content_dir, form_kinds(settings))  # as the service does
    source = open_source(settings.index_source)
    vocabulary = Vocabulary(loaded.word_lists)
    in_passages, in_posts = PassageIndexes(folder, source=source), PostIndexes(folder, source)
    pages = in_passages.pages(loaded.snapshot)
    listed = SearchPosts.of(pages)
    if not check:
        with progress_bar() as bar:
            _make("Pages", in_passages, pages, vocabulary, bar, is_exact=bool(output))
            _make("Posts", in_posts, listed, vocabulary, bar, is_exact=bool(output))
            meaning = open_meaning(folder, source) if settings.meaning else None
            if meaning:
                task = bar.add_task("Meaning", total=len(pages.versions))
                meaning.complete(pages, lambda done, _: bar.update(task, completed=done))
        if output:
            try:
                in_passages.put(pages, vocabulary, output)
                in_posts.put(listed, vocabulary, output)
                if meaning:
                    meaning.put(pages, output)
            except NotAdded as error:
                raise click.ClickException(str(error)) from None
    passages = in_passages.open(pages, vocabulary)
    posts = in_posts.open(listed, vocabulary)
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
    *,
    is_exact: bool,
) -> None:
    """Make the index of pages, unless it is there; if `is_exact`, of no other pages."""
    if is_exact or indexes.open(pages, vocabulary) is None:
        task = bar.add_task(name, total=len(pages.versions))
        indexes.make(pages, vocabulary, lambda done, _: bar.update(task, completed=done))
