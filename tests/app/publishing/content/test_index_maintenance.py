"""The search index is rebuilt while searches use the old one."""

from __future__ import annotations

import asyncio
from pathlib import Path
from time import monotonic

import pytest
from gulf import DEFAULT_LOCALE, write_site
from live.server import eventually

from app.platform.concurrency.executors import BoundedExecutor
from app.publishing.content.indexes import EditionPosts, SearchBeingPrepared
from app.publishing.content.store import ContentStore
from app.publishing.content.watcher import compact


def posts(count: int, title: str = "Post") -> dict[str, str | bytes]:
    """Return a number of posts by path."""
    return {f"posts/p{n}.md": f"---\ntitle: {title} {n}\n---\nx" for n in range(count)}


@pytest.fixture
def content_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ContentStore:
    """Return a store with so many posts that they are indexed in the background."""
    monkeypatch.setattr(EditionPosts, "MANY_PAGES", 119)
    monkeypatch.setattr(EditionPosts, "MANY_EDITS", 119)
    loaded = ContentStore(write_site(tmp_path / "content", posts(120)), tmp_path / "index")
    loaded.reload()
    return loaded


def current(content_store: ContentStore) -> EditionPosts:
    """Return the posts of the current edition."""
    found = content_store.current.posts
    assert found is not None
    return found


def find(content_store: ContentStore, query: str) -> list[str]:
    """Return the posts that match the most words of a query."""
    return list(next(current(content_store).closest(DEFAULT_LOCALE, query), ()))


def never_yield() -> None:
    """Yield to nobody."""


def test_a_search_is_refused_until_there_is_an_index(content_store: ContentStore) -> None:
    """Many posts are never scanned."""
    assert not current(content_store).is_settled
    with pytest.raises(SearchBeingPrepared) as refused:
        find(content_store, "post")
    assert refused.value.status == 503
    content_store.compact(never_yield)
    assert current(content_store).is_settled
    assert len(find(content_store, "post")) == 120


def test_compaction_changes_no_result(content_store: ContentStore) -> None:
    """The snapshot and the matches stay the same."""
    content_store.compact(never_yield)
    write_site(content_store.content_dir, posts(110, "Posted"))
    content_store.reload()
    before = content_store.current
    found = find(content_store, "posts")
    assert not current(content_store).is_settled
    content_store.compact(never_yield)
    assert content_store.current.content is before.content
    assert current(content_store).is_settled
    assert find(content_store, "posts") == found


def test_an_edit_while_the_index_is_made_is_not_lost(content_store: ContentStore) -> None:
    """The edited post is added to the new index."""
    edited: dict[str, str | bytes] = {"posts/fresh.md": "---\ntitle: Fresh\n---\nx"}

    def edit_once() -> None:
        fresh = content_store.content_dir / "posts/fresh.md"
        if content_store.current.nearest.is_prepared and not fresh.exists():
            write_site(content_store.content_dir, edited)
            content_store.reload()

    content_store.compact(edit_once)
    assert current(content_store).is_settled
    assert find(content_store, "fresh") == ["fresh"]
    assert len(find(content_store, "post")) == 120


def test_a_prepared_edition_gets_the_index_that_was_made_meanwhile(
    content_store: ContentStore, tmp_path: Path
) -> None:
    """It is shown from an instant on, and its own posts are found."""
    other = write_site(
        tmp_path / "other", {**posts(120), "posts/new.md": "---\ntitle: Date\n---\nx"}
    )
    prepared = content_store.prepare(other)
    content_store.compact(never_yield)
    content_store.show(prepared, monotonic() + 60)
    assert content_store.current.folder != other.resolve()
    content_store.show(prepared)
    assert content_store.current.folder == content_store.content_dir == other.resolve()
    assert find(content_store, "date") == ["new"]
    content_store.reload()
    assert content_store.current.content is prepared.edition.content


def test_other_words_while_the_index_is_made_are_used(content_store: ContentStore) -> None:
    """The synonyms apply at once, and the next compaction makes an index that has them."""

    def edit_words() -> None:
        edition = content_store.current
        if edition.nearest.is_prepared and not edition.content.word_lists.groups:
            write_site(content_store.content_dir, {"_synonyms.txt": "post, article\n"})
            content_store.reload()

    content_store.compact(edit_words)
    assert len(find(content_store, "articles")) == 120
    assert not current(content_store).is_settled
    content_store.compact(never_yield)
    assert current(content_store).is_settled
    assert len(find(content_store, "articles")) == 120


async def test_the_index_is_made_in_the_background(content_store: ContentStore) -> None:
    """It happens soon after the start, and a stop ends it at once."""
    stop = asyncio.Event()
    task = asyncio.create_task(
        compact(content_store, BoundedExecutor("edits", threads=1, queue=1), stop)
    )
    await asyncio.to_thread(eventually, lambda: current(content_store).is_settled)
    stop.set()
    await task


async def test_a_stop_abandons_an_unfinished_index(content_store: ContentStore) -> None:
    """None is made after the stop, so that searches are still refused."""
    stop = asyncio.Event()
    stop.set()
    await compact(content_store, BoundedExecutor("edits", threads=1, queue=1), stop)
    assert not current(content_store).is_settled
