"""The search index is rebuilt while searches use the old one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from contract.visitor import write_tree
from live.server import eventually

from app.concurrency.executors import BoundedExecutor
from app.content.index_maintenance import compact
from app.content.store import ContentStore
from indexes.breath import hold_no_breath
from knowledge.locale import ENGLISH


def posts(count: int, title: str = "Post") -> dict[str, str | bytes]:
    """Return a number of posts by path."""
    return {f"posts/p{n}.md": f"---\ntitle: {title} {n}\n---\nx" for n in range(count)}


@pytest.fixture
def content_store(tmp_path: Path) -> ContentStore:
    """Return a store with enough posts to need compaction."""
    loaded = ContentStore(write_tree(tmp_path / "content", posts(120)))
    loaded.reload()
    return loaded


def test_the_first_search_waits_for_no_index(content_store: ContentStore) -> None:
    """Posts are found before the first compaction."""
    index = content_store.current.index
    assert not index.is_settled
    assert len(index.find(ENGLISH, "post")) == 120


def test_compaction_changes_no_result(content_store: ContentStore) -> None:
    """The snapshot and the matches stay the same."""
    before = content_store.current
    texts = before.index.find(ENGLISH, "posts")
    content_store.compact(hold_no_breath)
    after = content_store.current
    assert after.content is before.content
    assert after.index.is_settled
    assert after.index.find(ENGLISH, "posts") == texts


def test_an_edit_while_the_index_is_made_is_not_lost(content_store: ContentStore) -> None:
    """The edited post is added to the new index."""
    edited: dict[str, str | bytes] = {"posts/fresh.md": "---\ntitle: Fresh\n---\nx"}

    def edit_once() -> None:
        if not (content_store.content_dir / "posts/fresh.md").exists():
            write_tree(content_store.content_dir, edited)
            content_store.reload()

    content_store.compact(edit_once)
    index = content_store.current.index
    assert index.is_settled
    assert [text.address.slug for text in index.find(ENGLISH, "fresh")] == ["fresh"]
    assert len(index.find(ENGLISH, "post")) == 120


def test_other_word_lists_discard_an_unfinished_index(content_store: ContentStore) -> None:
    """The next compaction uses the new words."""

    def edit_words() -> None:
        if not content_store.current.content.word_lists.groups:
            write_tree(content_store.content_dir, {"_synonyms.txt": "post, article\n"})
            content_store.reload()

    content_store.compact(edit_words)
    assert len(content_store.current.index.find(ENGLISH, "articles")) == 120
    assert not content_store.current.index.is_settled
    content_store.compact(hold_no_breath)
    assert content_store.current.index.is_settled
    assert len(content_store.current.index.find(ENGLISH, "articles")) == 120


async def test_the_index_is_compacted_in_the_background(content_store: ContentStore) -> None:
    """It happens soon after the start, and a stop ends it at once."""
    stop = asyncio.Event()
    task = asyncio.create_task(
        compact(content_store, BoundedExecutor("edits", threads=1, queue=1), stop)
    )
    await asyncio.to_thread(eventually, lambda: content_store.current.index.is_settled)
    stop.set()
    await task


async def test_a_stop_abandons_an_unfinished_index(content_store: ContentStore) -> None:
    """The old index stays in use."""
    stop = asyncio.Event()
    stop.set()
    await compact(content_store, BoundedExecutor("edits", threads=1, queue=1), stop)
    assert not content_store.current.index.is_settled
