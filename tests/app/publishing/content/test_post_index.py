"""The index of the blog: kept on disk, current after each edit, safe to lose."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from gulf import DEFAULT_LOCALE, write_site
from search_pages import replace_file

from app.publishing.content.indexes import EditionPosts, SearchPosts
from app.publishing.content.store import ContentStore
from indexes.blog.index import BlogEngine


def post(title: str, excerpt: str = "") -> str:
    """Return a post."""
    return f"---\ntitle: {title}\nexcerpt: {excerpt}\n---\nx"


@pytest.fixture
def start(tmp_path: Path) -> Callable[[], ContentStore]:
    """Return a function that starts a store on a blog of two posts, which are indexed then."""
    folder = write_site(
        tmp_path / "content",
        {"posts/stock.md": post("Stock counts"), "posts/tax.md": post("Taxes", "On invoices.")},
    )

    def start() -> ContentStore:
        content_store = ContentStore(folder, tmp_path / "index")
        content_store.reload()
        content_store.compact(lambda: None)
        return content_store

    return start


def found(content_store: ContentStore, query: str) -> list[str]:
    """Return the posts that match the most words of a query."""
    posts = content_store.current.posts
    assert posts is not None
    return list(next(posts.closest(DEFAULT_LOCALE, query), ()))


def bases(folder: Path) -> list[Path]:
    """Return the bases of posts on disk."""
    return sorted(path for path in (folder / "index/posts").iterdir() if path.is_dir())


@contextmanager
def asked_posts(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Collect the posts whose texts are asked for."""
    asked: list[str] = []
    real = SearchPosts.texts

    def texts(posts: SearchPosts, slug: str) -> object:
        asked.append(slug)
        return real(posts, slug)

    with monkeypatch.context() as patch:
        patch.setattr(SearchPosts, "texts", texts)
        yield asked


def test_a_search_waits_for_the_index_of_few_posts(tmp_path: Path) -> None:
    """The first search makes it, on disk; it has posts only."""
    files = {"posts/stock.md": post("Stock counts"), "pages/about.md": post("About stock")}
    content_store = ContentStore(write_site(tmp_path / "content", files), tmp_path / "index")
    content_store.reload()
    assert content_store.current.posts is not None
    assert content_store.current.posts.index is None
    assert found(content_store, "stock") == ["stock"]
    assert len(bases(tmp_path)) == 1


def test_a_restart_opens_the_base_and_adds_what_differs(
    tmp_path: Path, start: Callable[[], ContentStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the edited post is analysed, and the base is the same."""
    start()
    before = bases(tmp_path)
    write_site(tmp_path / "content", {"posts/tax.md": post("Zakat")})
    with asked_posts(monkeypatch) as asked:
        content_store = start()
    assert asked == ["tax"]
    assert bases(tmp_path) == before
    assert [found(content_store, word) for word in ("zakat", "taxes", "stock")] == [
        ["tax"],
        [],
        ["stock"],
    ]


def _cut_short(path: Path) -> None:
    replace_file(path, path.read_bytes()[:-1])


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    replace_file(path, bytes(data))


@pytest.mark.parametrize("damage", [_cut_short, _flip, Path.unlink], ids=["cut", "flip", "gone"])
@pytest.mark.parametrize("name", ["posts_*.seg", "_posts_*.toc", "manifest.json"])
def test_a_damaged_base_is_made_anew(
    tmp_path: Path,
    start: Callable[[], ContentStore],
    monkeypatch: pytest.MonkeyPatch,
    damage: Callable[[Path], None],
    name: str,
) -> None:
    """It is never trusted: the next start analyses all posts, and the one after it none."""
    start()
    damage(next(bases(tmp_path)[0].glob(name)))
    with asked_posts(monkeypatch) as asked:
        content_store = start()
    assert {*asked} == {"stock", "tax"}
    assert found(content_store, "stock") == ["stock"]
    with asked_posts(monkeypatch) as asked:
        start()
    assert asked == []
    assert found(start(), "invoice") == ["tax"]


def test_a_base_of_other_words_is_outdated(
    tmp_path: Path, start: Callable[[], ContentStore]
) -> None:
    """It is deleted when the new one is made."""
    start()
    before = bases(tmp_path)
    write_site(tmp_path / "content", {"_synonyms.txt": "stock, merchandise\n"})
    assert found(start(), "merchandise") == ["stock"]
    assert len(bases(tmp_path)) == 1
    assert bases(tmp_path) != before


def test_a_folder_that_cannot_be_used_leaves_the_index_in_memory(
    tmp_path: Path, start: Callable[[], ContentStore]
) -> None:
    """A search finds the same."""
    (tmp_path / "index").write_text("a file")
    content_store = start()
    assert found(content_store, "stock") == ["stock"]
    write_site(tmp_path / "content", {"posts/tax.md": post("Zakat")})
    content_store.reload()
    assert found(content_store, "zakat") == ["tax"]


def test_one_process_makes_the_base_and_the_others_open_it(
    start: Callable[[], ContentStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stores that start at the same time stand for the workers."""
    written: list[Path | None] = []
    real = BlogEngine.write

    def write(engine: BlogEngine, posts: SearchPosts, folder: Path | None, *rest: object) -> object:
        written.append(folder)
        return real(engine, posts, folder, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(BlogEngine, "write", write)

    async def start_all() -> list[ContentStore]:
        return await asyncio.gather(*(asyncio.to_thread(start) for _ in range(4)))

    assert all(found(store, "stock") == ["stock"] for store in asyncio.run(start_all()))
    assert len(written) == 1


def test_of_many_edits_at_once_only_unchanged_posts_are_found(
    tmp_path: Path, start: Callable[[], ContentStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until there is a new index: no post is found by words that it does not have any more."""
    content_store = start()
    monkeypatch.setattr(EditionPosts, "MANY_PAGES", 0)
    monkeypatch.setattr(EditionPosts, "MANY_EDITS", 0)
    write_site(tmp_path / "content", {"posts/tax.md": post("Zakat"), "posts/new.md": post("Tax")})
    content_store.reload()
    assert found(content_store, "tax") == []
    assert found(content_store, "stock") == ["stock"]
    content_store.compact(lambda: None)
    assert found(content_store, "tax") == ["new"]
    assert found(content_store, "zakat") == ["tax"]


def test_a_store_without_a_folder_for_indexes_has_none(tmp_path: Path) -> None:
    """As in the commands that search nothing."""
    content_store = ContentStore(write_site(tmp_path / "content", {}))
    content_store.reload()
    assert content_store.current.posts is None


def test_a_blog_without_posts_is_searched(tmp_path: Path) -> None:
    """It finds nothing; the first post gives it an index."""
    content_store = ContentStore(write_site(tmp_path / "content", {}), tmp_path / "index")
    content_store.reload()
    assert found(content_store, "stock") == []
    write_site(tmp_path / "content", {"posts/stock.md": post("Stock")})
    content_store.reload()
    assert found(content_store, "stock") == ["stock"]
    content_store.compact(lambda: None)
    assert found(content_store, "stock") == ["stock"]
    assert content_store.current.posts is not None
    assert content_store.current.posts.is_settled
