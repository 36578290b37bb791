"""The search index is made anew beside its readers."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from contract.visitor import write_tree
from live.server import eventually

from app.edition import Editions
from app.executors import BoundedExecutor
from app.settling import settle
from indexes.breath import hold_no_breath
from knowledge.locale import DEFAULT_LOCALE


def posts(count: int, title: str = "Post") -> dict[str, str | bytes]:
    """That many posts."""
    return {f"posts/p{n}.md": f"---\ntitle: {title} {n}\n---\nx" for n in range(count)}


@pytest.fixture
def editions(tmp_path: Path) -> Editions:
    """Editions of more posts than may lie on a pile for long."""
    loaded = Editions(write_tree(tmp_path / "content", posts(120)))
    loaded.reload()
    return loaded


def test_the_first_search_waits_for_no_index(editions: Editions) -> None:
    """All texts lie on piles, and are found."""
    index = editions.current.index
    assert not index.is_settled
    assert len(index.find(DEFAULT_LOCALE, "post")) == 120


def test_settling_changes_no_answer(editions: Editions) -> None:
    """The snapshot stays, and what is found."""
    before = editions.current
    found = before.index.find(DEFAULT_LOCALE, "posts")
    editions.settle(hold_no_breath)
    after = editions.current
    assert after.content is before.content
    assert after.index.is_settled
    assert after.index.find(DEFAULT_LOCALE, "posts") == found


def test_an_edit_while_the_index_is_made_is_not_lost(editions: Editions) -> None:
    """It lies on the pile of the new index."""
    fresh: dict[str, str | bytes] = {"posts/fresh.md": "---\ntitle: Fresh\n---\nx"}

    def edit_once() -> None:
        if not (editions.content_dir / "posts/fresh.md").exists():
            write_tree(editions.content_dir, fresh)
            editions.reload()

    editions.settle(edit_once)
    index = editions.current.index
    assert index.is_settled
    assert [text.address.slug for text in index.find(DEFAULT_LOCALE, "fresh")] == ["fresh"]
    assert len(index.find(DEFAULT_LOCALE, "post")) == 120


def test_other_word_lists_outdate_an_index_in_the_making(editions: Editions) -> None:
    """It is dropped, and the next one knows the new words."""

    def edit_words() -> None:
        if not editions.current.content.word_lists.groups:
            write_tree(editions.content_dir, {"_synonyms.txt": "post, article\n"})
            editions.reload()

    editions.settle(edit_words)
    assert len(editions.current.index.find(DEFAULT_LOCALE, "articles")) == 120
    assert not editions.current.index.is_settled
    editions.settle(hold_no_breath)
    assert editions.current.index.is_settled
    assert len(editions.current.index.find(DEFAULT_LOCALE, "articles")) == 120


async def test_the_index_settles_in_the_background(editions: Editions) -> None:
    """Soon after the start, and the end waits for it no longer than a breath."""
    stop = asyncio.Event()
    settling = asyncio.create_task(
        settle(editions, BoundedExecutor("edits", threads=1, queue=1), stop)
    )
    await asyncio.to_thread(eventually, lambda: editions.current.index.is_settled)
    stop.set()
    await settling


async def test_a_stop_abandons_an_index_in_the_making(editions: Editions) -> None:
    """Nothing is half made."""
    stop = asyncio.Event()
    stop.set()
    await settle(editions, BoundedExecutor("edits", threads=1, queue=1), stop)
    assert not editions.current.index.is_settled
