"""`majlis index`: makes the search indexes ahead of a start."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.progress import Progress

from app.cli.output import progress_bar
from app.cli.settings import command_settings
from app.clock import utc_now
from app.content.post_index import PostIndexes
from app.content.search_pages import SearchPages, search_pages
from app.content.search_posts import SearchPosts
from indexes.blog.index import BlogIndex
from indexes.passages.analysis import Analyzer
from indexes.passages.folder import IndexFolder
from indexes.passages.index import PassageIndex
from indexes.vocabulary import Vocabulary
from knowledge.loading import load_content


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
    pages = search_pages(loaded.snapshot, utc_now())
    indexes = _Indexes(settings.index_dir, pages, Vocabulary(loaded.word_lists))
    if not check:
        with progress_bar() as bar:
            indexes.make(bar)
    passages, posts = indexes.passages, indexes.posts
    if passages is None or posts is None:
        click.echo(f"There is no index of this content in {settings.index_dir}.", err=True)
        sys.exit(1)
    found = f"{passages.passages} passages of {len(pages.versions)} pages"
    click.echo(f"{settings.index_dir}: {found}, {len(posts.versions)} posts.")


class _Indexes:
    """The indexes of a folder; each is None if it is not there."""

    def __init__(self, folder: Path, pages: SearchPages, vocabulary: Vocabulary) -> None:
        self._passages = IndexFolder(folder, Analyzer(vocabulary))
        self._posts = PostIndexes(folder)
        self._pages = pages
        self._vocabulary = vocabulary

    @property
    def passages(self) -> PassageIndex | None:
        """The index of passages."""
        return self._passages.open(self._pages)

    @property
    def posts(self) -> BlogIndex | None:
        """The index of the blog."""
        return self._posts.open(SearchPosts.of(self._pages), self._vocabulary)

    def make(self, bar: Progress) -> None:
        """Make what is missing."""
        posts = SearchPosts.of(self._pages)
        if self.passages is None:
            task = bar.add_task("Pages", total=len(self._pages.versions))
            self._passages.make(self._pages, lambda done, _: bar.update(task, completed=done))
        if self.posts is None:
            task = bar.add_task("Posts", total=len(posts.versions))
            self._posts.make(
                posts, self._vocabulary, lambda done, _: bar.update(task, completed=done)
            )
