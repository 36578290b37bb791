"""Every response uses one edition, even if files are rewritten meanwhile."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from threading import Semaphore, Thread
from typing import Any, cast

import httpx
import pytest
from gulf import write_site

from app.factory import create_app
from app.publishing.content.store import ContentStore
from app.services import services_of
from app.settings import Settings
from knowledge.fields.content_types import POST

pytestmark = pytest.mark.slow

_MARK = re.compile(r"rev(\d+)x")
_REVISIONS = 12
_READERS = 6
_FORMS = ("text/html", "text/markdown", "application/json")
_PATHS = (
    *("/ae/en", "/ae/en/erp", "/ae/en/about", "/ae/en/blog", "/ae/en/blog/category/news"),
    *(
        "/ae/en/blog/p-1",
        "/ae/en/blog?search=revised",
        "/ae/en/search?q=revised",
        "/ae/en/products",
    ),
    *("/ae/en/testimonials", "/sa/en/cities/riyadh", "/ae/ar/blog", "/ae/en/modules/stock"),
    *("/ae/en/blog/p-1-x", "/ae/en/blog/feed.xml", "/llms.txt", "/ae/en/llms-full.txt"),
    *("/api/public/v1/blog/posts", "/api/public/v1/blog/posts?search=revised"),
    *("/api/public/v1/blog/posts/p-2", "/api/public/v1/blog/homepage", "/api/public/v1/pages"),
    *("/api/public/v1/site", "/api/public/v1/navigation", "/api/public/v1/testimonials"),
)


def tree(revision: int) -> Mapping[str, str | bytes]:
    """Return a site whose every text contains its revision."""
    mark = f"rev{revision}x"
    head = f"title: Revised {mark}\nexcerpt: Revised {mark}\nshortDescription: Revised {mark}"
    head += f"\nseo:\n  title: Revised {mark}\n  description: Revised {mark}"
    text = f"---\n{head}\n---\nRevised {mark}.\n\n## Revised {mark}\n\nRevised {mark}.\n"
    paths = ("site/settings", "site/home", "site/blog", "registry/erp", "pages/about")
    files = {f"{path}.md": text for path in (*paths, "modules/stock", "categories/news")}
    for number in range(8):
        dated = f"date: 2026-01-0{number + 1}\ncategory: news\ntags: [a, b]\n"
        for suffix in ("", ".ar"):
            files[f"posts/p-{number}{suffix}.md"] = text.replace("---\n", f"---\n{dated}", 1)
    files["cities/riyadh.md"] = f"---\nname: Riyadh {mark}\ncountryCode: SA\n---\nRevised {mark}."
    files["testimonials/one.md"] = (
        f"---\ncustomerName: Revised {mark}\nquote: Revised {mark}\n---\n"
    )
    files["products/scanner.md"] = (
        f"---\nid: 1\nsku: a\ntitle: Revised {mark}\n---\nRevised {mark}."
    )
    return dict(files)


def revisions(text: str) -> set[int]:
    """Return all revisions in a text."""
    return {int(number) for number in _MARK.findall(text)}


def rewrite(folder: Path, revision: int) -> None:
    """Replace each file atomically, one after the other, as a checkout does."""
    for path, text in tree(revision).items():
        (folder / "_next").write_text(str(text), encoding="utf-8")
        (folder / "_next").replace(folder / path)


async def test_no_answer_mixes_two_editions(tmp_path: Path) -> None:
    """Pages, lists, searches and sitemaps in all media types are read during reloads."""
    folder = write_site(tmp_path / "content", tree(0))
    settings = Settings(
        _env_file=None,
        content_dir=folder,
        index_dir=tmp_path / "index",
        database_url=f"sqlite:///{tmp_path}/majlis.db",
    )
    app = create_app(settings)
    content_store = services_of(app).content_store
    content_store.reload()
    done = asyncio.Event()

    async def publish() -> None:
        for revision in range(1, _REVISIONS + 1):
            await asyncio.to_thread(rewrite, folder, revision)
            await asyncio.to_thread(content_store.reload)
        done.set()

    async def read(start: int) -> list[set[int]]:
        seen = []
        for turn in count(start):
            path, form = _PATHS[turn % len(_PATHS)], _FORMS[turn % len(_FORMS)]
            transport = httpx.ASGITransport(
                cast(Any, app), client=(f"198.18.{turn % 250}.{start}", 1)
            )
            async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
                answer = await client.get(path, headers={"Accept": form})
            assert answer.status_code in (200, 404), path
            mentioned = revisions(answer.text)
            assert len(mentioned) == 1 or (answer.status_code == 404 and not mentioned), (
                path,
                mentioned,
            )
            seen.append(mentioned)
            if done.is_set() and turn > start + len(_PATHS) * len(_FORMS):
                return seen
        raise AssertionError

    publishing = asyncio.create_task(publish())
    readers = await asyncio.gather(*(read(number) for number in range(_READERS)))
    await publishing
    orders = [[revision for mentioned in seen for revision in mentioned] for seen in readers]
    assert all(order == sorted(order) for order in orders)
    assert len({revision for order in orders for revision in order}) > 2


def post_revisions(content_store: ContentStore) -> list[int]:
    """Return the revision of each post of an edition, in the order in which they are written."""
    entries = (content_store.current.snapshot.entry(POST, f"p-{number}") for number in range(8))
    return [
        min(revisions(document.body))
        for entry in entries
        if entry is not None
        for document in entry.documents
    ]


def test_an_edition_is_a_state_in_which_the_folder_was(tmp_path: Path) -> None:
    """Files are rewritten in order, so a later one is never newer than an earlier one."""
    folder = write_site(tmp_path / "content", tree(0))
    content_store = ContentStore(folder)
    content_store.reload()
    paths, read = set(tree(0)), Semaphore(0)

    def write() -> None:
        for revision in range(1, _REVISIONS + 1):
            rewrite(folder, revision)
            read.acquire()

    writer = Thread(target=write)
    writer.start()
    states = []
    while writer.is_alive():
        content_store.reload(paths)
        states.append(post_revisions(content_store))
        read.release()
    content_store.reload(paths)
    assert all(state == sorted(state, reverse=True) for state in states)
    assert all(state[0] - state[-1] <= 1 for state in states)
    assert set(post_revisions(content_store)) == {_REVISIONS}
