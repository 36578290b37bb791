"""The passage index of the editions: kept on disk, current after each edit, safe to lose."""

from __future__ import annotations

import asyncio
import fcntl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from contract.visitor import FakeClock, write_tree
from live.server import eventually
from meanings import meaning_in
from search_pages import replace_file

from app.platform.concurrency.executors import BoundedExecutor
from app.publishing.content.indexes import EditionPassages, SearchBeingPrepared
from app.publishing.content.passage_finder import answers_to
from app.publishing.content.search_pages import SearchPages
from app.publishing.content.store import ContentStore
from app.publishing.content.watcher import compact
from indexes.passages.index import PassageIndex, Writing
from indexes.passages.meaning import Encoder
from knowledge.locales.locale import ENGLISH
from knowledge.resources.search import Question
from knowledge.views.content_view import ContentView

POST = "---\ntitle: {}\npublishedAt: {}\n---\n\n{}\n"


def posts(*bodies: str) -> dict[str, str | bytes]:
    """Return posts that are published, by path."""
    return {
        f"posts/p{number}.md": POST.format(f"Post {number}", "2026-01-01", body)
        for number, body in enumerate(bodies)
    }


class Shop:
    """A content folder, a folder for indexes and a clock; `start` opens a store on them."""

    def __init__(self, folder: Path) -> None:
        self.content, self.index, self.clock = folder / "content", folder / "index", FakeClock()

    def write(self, files: Mapping[str, str | bytes]) -> None:
        """Write content files."""
        write_tree(self.content, files)

    def start(self) -> ContentStore:
        """Return a store that has loaded its first edition."""
        content_store = ContentStore(self.content, self.index, self.clock)
        content_store.reload()
        return content_store

    def start_with_index(self) -> ContentStore:
        """Return a store whose pages have been indexed in the background."""
        content_store = self.start()
        content_store.compact(lambda: None)
        return content_store

    def found(self, content_store: ContentStore, query: str) -> list[str]:
        """Return the pages that a query finds now."""
        edition = content_store.current
        view = ContentView(edition.snapshot, ENGLISH, self.clock(), "https://a.test")
        answer = answers_to(edition.passages, view, Question(query), ())
        return [item.page.slug for item in answer.items]

    @property
    def bases(self) -> list[Path]:
        """The bases of passages on disk."""
        return list(self.index.glob("*-*"))


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    """A shop with two posts."""
    shop = Shop(tmp_path)
    shop.write(posts("A stock count takes an hour.", "Invoices are sent."))
    return shop


@contextmanager
def cut_pages(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Collect the pages that are cut."""
    cut: list[str] = []
    real = SearchPages.passages

    def passages(pages: SearchPages, page: str) -> object:
        cut.append(page)
        return real(pages, page)

    with monkeypatch.context() as patch:
        patch.setattr(SearchPages, "passages", passages)
        yield cut


def test_a_search_waits_for_the_index_of_little_content(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first edition has none; the first search makes it, on disk, and others open it."""
    content_store = shop.start()
    assert _index_of(content_store) is None
    assert shop.bases == []
    assert shop.found(content_store, "stock counts") == ["p0"]
    assert len(shop.bases) == 1
    with cut_pages(monkeypatch) as cut:
        content_store.compact(lambda: None)
        assert _index_of(content_store) is not None
        assert shop.found(shop.start(), "invoices") == ["p1"]
    assert cut == []


def test_an_edit_before_there_is_an_index_is_found(shop: Shop) -> None:
    """Also if an earlier search has made the index of the edition before."""
    content_store = shop.start()
    for body, word in (("Barcodes.", "barcode"), ("Scales.", "scale")):
        shop.write(posts(body))
        content_store.reload()
        assert shop.found(content_store, word) == ["p0"]


def test_a_restart_opens_the_base_and_adds_what_differs(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the edited page is cut, and the base is the same."""
    shop.start_with_index()
    bases = shop.bases
    shop.write(posts("A stock count takes two days."))
    with cut_pages(monkeypatch) as cut:
        content_store = shop.start()
    assert cut == ["/blog/p0"]
    assert shop.bases == bases
    assert shop.found(content_store, "days") == ["p0"]
    assert shop.found(content_store, "hour") == []


def test_a_damaged_base_is_made_anew(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is never trusted."""
    shop.start_with_index()
    for path in shop.bases[0].rglob("*.store"):
        replace_file(path, path.read_bytes()[:-1] + b"x")
    with cut_pages(monkeypatch) as cut:
        content_store = shop.start_with_index()
    assert {"/blog/p0", "/blog/p1"} <= set(cut)
    assert shop.found(content_store, "stock") == ["p0"]


def test_a_folder_that_cannot_be_used_leaves_the_index_in_memory(shop: Shop) -> None:
    """A search finds the same."""
    shop.index.write_text("a file")
    content_store = shop.start()
    assert shop.found(content_store, "stock") == ["p0"]
    shop.write(posts("Barcodes."))
    content_store.reload()
    assert shop.found(content_store, "barcode") == ["p0"]
    assert shop.index.read_text() == "a file"


def test_an_edit_is_found_with_its_edition(shop: Shop) -> None:
    """So is a new page, and a deleted one is not."""
    content_store = shop.start_with_index()
    shop.write(posts("Barcodes.") | {"posts/new.md": POST.format("New", "2026-01-01", "Scales.")})
    (shop.content / "posts/p1.md").unlink()
    content_store.reload()
    assert shop.found(content_store, "barcodes") == ["p0"]
    assert shop.found(content_store, "scale") == ["new"]
    assert shop.found(content_store, "invoice") == []


def test_a_post_is_not_found_before_its_time_nor_after_it(shop: Shop) -> None:
    """No edit and no new index is needed for that."""
    shop.write(
        {
            "posts/launch.md": "---\ntitle: Launch\n"
            f"publishedAt: {(shop.clock() + timedelta(hours=1)).isoformat()}\n"
            f"unpublishAt: {(shop.clock() + timedelta(hours=2)).isoformat()}\n---\n\nSecret.\n"
        }
    )
    content_store = shop.start()
    seen = []
    for _ in range(3):
        seen.append(shop.found(content_store, "secret"))
        shop.clock.move(timedelta(hours=1))
    assert seen == [[], ["launch"], []]


def test_a_text_that_the_page_has_no_more_is_not_given(shop: Shop) -> None:
    """The text of an answer is that of the edition, whatever the index is."""
    content_store = shop.start_with_index()
    old = content_store.current.passages
    assert old is not None
    shop.write(posts("Nothing of that."))
    content_store.reload()
    view = ContentView(content_store.current.snapshot, ENGLISH, shop.clock(), "https://a.test")
    assert answers_to(old, view, Question("stock count"), ()).items == []


def test_much_content_is_indexed_in_the_background(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until then a search is refused, and scans nothing."""
    monkeypatch.setattr(EditionPassages, "MANY_PAGES", 1)
    content_store = shop.start()
    with cut_pages(monkeypatch) as cut, pytest.raises(SearchBeingPrepared) as refused:
        shop.found(content_store, "stock")
    assert (refused.value.status, cut) == (503, [])
    content_store.compact(lambda: None)
    assert shop.found(content_store, "stock") == ["p0"]
    assert shop.found(shop.start(), "stock") == ["p0"]


def test_an_edit_while_the_index_is_made_is_not_lost(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is added to the new index."""
    monkeypatch.setattr(EditionPassages, "MANY_PAGES", 1)
    monkeypatch.setattr("app.publishing.content.store._PAGES_PER_YIELD", 1)
    content_store = shop.start()

    def edit() -> None:
        if "posts/new.md" not in content_store.current.content.files:
            shop.write({"posts/new.md": POST.format("New", "2026-01-01", "Scales.")})
            content_store.reload()

    content_store.compact(edit)
    assert shop.found(content_store, "scales") == ["new"]


def test_many_edits_at_once_are_indexed_in_the_background(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Meanwhile the old index finds what is still there."""
    monkeypatch.setattr(EditionPassages, "MANY_EDITS", 1)
    content_store = shop.start_with_index()
    shop.write({f"posts/{n}.md": POST.format(n, "2026-01-01", "Scales.") for n in range(5)})
    content_store.reload()
    assert shop.found(content_store, "stock") == ["p0"]
    assert shop.found(content_store, "scales") == []
    content_store.compact(lambda: None)
    assert len(shop.found(content_store, "scales")) == 5
    passages = content_store.current.passages
    assert passages is not None
    assert passages.is_settled


def test_new_synonyms_are_used_at_once(shop: Shop) -> None:
    """Also before all texts are analysed again, and beside other edits."""
    content_store = shop.start_with_index()
    synonyms = "stock, merchandise\nPOS = point of sale = نقطة بيع\n"
    shop.write({"_synonyms.txt": synonyms} | posts("One stock count.", "At the point of sale."))
    content_store.reload()
    for _ in range(2):
        assert shop.found(content_store, "merchandise") == ["p0"]
        assert shop.found(content_store, "What is POS?") == ["p1"]
        assert shop.found(content_store, "نقطة البيع") == ["p1"]
        assert shop.found(content_store, "نقطة") == []
        content_store.compact(lambda: None)
    shop.write(posts("Sold by POS."))
    content_store.reload()
    assert sorted(shop.found(content_store, "points of sale")) == ["p0", "p1"]


def test_new_synonyms_are_used_beside_many_edits(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of which the texts wait for the next index."""
    content_store = shop.start_with_index()
    monkeypatch.setattr(EditionPassages, "MANY_EDITS", 0)
    shop.write({"_synonyms.txt": "stock, merchandise\n"} | posts("A stock count.", "Barcodes."))
    content_store.reload()
    assert shop.found(content_store, "merchandise") == []
    assert shop.found(content_store, "barcodes") == []
    shop.write({"_synonyms.txt": "invoice, receipt\n"} | posts("A stock count takes an hour."))
    content_store.reload()
    assert shop.found(content_store, "hour") == ["p0"]


def test_one_process_makes_the_base_and_the_others_open_it(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stores that start at the same time stand for the workers."""
    written: list[int] = []
    real = Writing.write

    def write(writing: Writing, *folders: Path | None) -> object:
        written.append(1)
        return real(writing, *folders)

    monkeypatch.setattr(Writing, "write", write)

    async def start_all() -> list[ContentStore]:
        return await asyncio.gather(*(asyncio.to_thread(shop.start_with_index) for _ in range(4)))

    stores = asyncio.run(start_all())
    assert written == [1]
    assert all(shop.found(content_store, "stock") == ["p0"] for content_store in stores)


async def test_the_index_is_made_soon_after_the_start(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any request."""
    monkeypatch.setattr(EditionPassages, "MANY_PAGES", 1)
    content_store = await asyncio.to_thread(shop.start)
    stop, edits = asyncio.Event(), BoundedExecutor("edits", threads=1, queue=1)
    task = asyncio.create_task(compact(content_store, edits, stop))
    await asyncio.to_thread(eventually, lambda: _index_of(content_store) is not None)
    stop.set()
    await task


def _index_of(content_store: ContentStore) -> PassageIndex | None:
    passages = content_store.current.passages
    return passages.index if passages else None


def test_a_store_without_a_folder_for_indexes_has_none(shop: Shop) -> None:
    """As in the commands that search nothing."""
    content_store = ContentStore(shop.content)
    content_store.reload()
    assert content_store.current.passages is None
    with pytest.raises(SearchBeingPrepared):
        shop.found(content_store, "stock")


def test_the_vectors_of_an_edition_are_made_once_for_all_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store is settled after that; one that another process leaves to wait touches nothing."""
    shop = Shop(tmp_path)
    shop.write(posts("Refunds take a week.", "Counting takes an hour."))
    one, other = (
        ContentStore(shop.content, shop.index, shop.clock, meaning=meaning_in(tmp_path / "m"))
        for _ in range(2)
    )
    for each in (one, other):
        each.reload()
        assert not each.is_settled
    with (tmp_path / "m" / ".lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        other.compact(lambda: None)
        before = other.current
        other.compact(lambda: None)
        assert not other.is_settled
        assert other.current is before
    one.compact(lambda: None)
    with monkeypatch.context() as patch:
        patch.setattr(Encoder, "vectors", None)  # the other one makes none
        other.compact(lambda: None)
    assert one.is_settled
    assert other.is_settled
    shop.write(posts("Refunds take two weeks."))
    one.reload()
    assert not one.is_settled
    one.compact(lambda: None)
    assert one.is_settled
