"""`majlis index`: makes the search indexes ahead of a start."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import click
from rich.progress import Progress, TaskID

from app.console.output import progress_bar
from app.console.settings import command_settings
from app.publishing.content.indexes import PassageIndexes, PostIndexes, SearchPosts
from indexes.blog.index import BlogIndex
from indexes.passages.index import PassageIndex
from indexes.text.words import Vocabulary
from knowledge.snapshot.loading import LoadedContent, load_content


@click.command()
@click.option("--check", is_flag=True, help="Make nothing; exit with 1 if an index is missing.")
def index(check: bool) -> None:
    """Make the search indexes of CONTENT_DIR in INDEX_DIR.

    The service then starts with them. Run it when a deployment has copied much content. If the
    indexes are there already, nothing is done.
    """
    settings = command_settings()
    try:
        loaded = load_content(settings.content_dir)
    except OSError as error:
        message = f"Cannot read {settings.content_dir}: {error.strerror}."
        raise click.ClickException(message) from None
    indexes = _Indexes(settings.index_dir, loaded)
    if not check:
        with progress_bar() as bar:
            indexes.make(bar)
    passages, posts = indexes.passages, indexes.posts
    if passages is None or posts is None:
        click.echo(f"There is no index of this content in {settings.index_dir}.", err=True)
        sys.exit(1)
    found = f"{passages.passages} passages of {len(passages.versions)} pages"
    click.echo(f"{settings.index_dir}: {found}, {len(posts.versions)} posts.")


class _Indexes:
    """The indexes of a folder; each is None if it is not there."""

    def __init__(self, folder: Path, loaded: LoadedContent) -> None:
        self._in_passages, self._in_posts = PassageIndexes(folder), PostIndexes(folder)
        self._pages = self._in_passages.pages(loaded.snapshot)
        self._listed = SearchPosts.of(self._pages)
        self._vocabulary = Vocabulary(loaded.word_lists)

    @property
    def passages(self) -> PassageIndex | None:
        """The index of passages."""
        return self._in_passages.open(self._pages, self._vocabulary)

    @property
    def posts(self) -> BlogIndex | None:
        """The index of the blog."""
        return self._in_posts.open(self._listed, self._vocabulary)

    def make(self, bar: Progress) -> None:
        """Make what is missing."""
        if self.passages is None:
            task = bar.add_task("Pages", total=len(self._pages.versions))
            progress = partial(_show, bar, task)
            self._in_passages.make(self._pages, self._vocabulary, progress)
        if self.posts is None:
            task = bar.add_task("Posts", total=len(self._listed.versions))
            self._in_posts.make(self._listed, self._vocabulary, partial(_show, bar, task))


def _show(bar: Progress, task: TaskID, done: int, _: int) -> None:
    bar.update(task, completed=done)
