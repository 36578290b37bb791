"""`GET /api/public/v1/changes`: what has changed since a cursor."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from conftest import Visit
from contract.visitor import FakeClock, Visitor

from app.features.changes.feed import MAX_RENDERED
from renderers.representation import MediaType, suffixed_path

URL = "/api/public/v1/changes"
FILES = {
    "site/home.md": "---\ntitle: {en: Home, ar: الرئيسية}\n---\n",
    "pages/erp.en.md": "---\ntitle: ERP\n---\nText.\n",
    "pages/erp.ar.md": "---\ntitle: نظام\n---\nنص.\n",
}


class Follower:
    """A site, and a client that follows its changes."""

    def __init__(self, visitor: Visitor, folder: Path) -> None:
        self.visitor = visitor
        self.folder = folder
        visitor.record_changes()
        self.cursor = self.get()["cursor"]

    def get(self, **query: object) -> Any:
        """Return the body of a response."""
        reply = self.visitor.get(f"{URL}?{'&'.join(f'{key}={query[key]}' for key in query)}")
        assert reply.status == 200, reply.text
        return reply.json

    def edit(self, **texts: str) -> None:
        """Write files of pages by slug and language, delete those without a text, and record."""
        for name, text in texts.items():
            slug, _, language = name.rpartition("_")
            file = self.folder / f"pages/{slug}.{language}.md"
            file.write_text(text, encoding="utf-8") if text else file.unlink()
        self.visitor.record_changes()

    def news(self, **query: object) -> list[Any]:
        """Return the changes since the last call."""
        body = self.get(since=self.cursor, limit=500, **query)
        self.cursor = body["cursor"]
        items: list[Any] = body["items"]
        return items


@pytest.fixture
def follower(visit: Visit, tmp_path: Path) -> Follower:
    """A client of a site with a page in both languages."""
    return Follower(visit(FILES), tmp_path / "content")


def test_a_follower_gets_what_has_changed(follower: Follower, clock: FakeClock) -> None:
    """In each locale once, with kind, instant and the ETag of the markdown; then no more."""
    clock.move(timedelta(hours=1))
    follower.edit(erp_en="---\ntitle: ERP\n---\nOther.\n", new_ar="---\ntitle: جديد\n---\nنص.\n")
    items = follower.news()
    changed = {f"/{country}/en/erp" for country in ("ae", "sa", "qa", "om", "kw", "bh")}
    assert {item["path"] for item in items if item["change"] == "changed"} == changed
    assert {item["path"] for item in items if item["change"] == "published"} == {
        path.replace("/en/erp", "/ar/new") for path in changed
    }
    assert {(item["kind"], item["at"]) for item in items} == {("page", "2026-11-20T13:00:00Z")}
    for item in items:
        page = follower.visitor.get(suffixed_path(item["path"], MediaType.MARKDOWN))
        assert page.headers["ETag"] == item["etag"]
    before = follower.cursor
    assert follower.news() == []
    assert follower.cursor == before


def test_what_is_gone_has_no_etag_and_what_has_moved_tells_where(follower: Follower) -> None:
    """Its ETag is that of the page to which it has moved."""
    follower.edit(erp_ar="", erp_en="", suite_en="---\ntitle: E\naliases: [/erp]\n---\nText.\n")
    items = {item["path"]: item for item in follower.news(country="sa")}
    assert items.keys() == {"/sa/en/erp", "/sa/ar/erp"}
    moved = items["/sa/en/erp"]
    page = follower.visitor.get("/sa/en/suite.md")
    assert (moved["change"], moved["to"]) == ("moved", "/sa/en/suite")
    assert moved["etag"] == page.headers["ETag"]


def test_a_page_that_is_gone_is_told_so(follower: Follower) -> None:
    """Without an ETag, as nothing is there."""
    follower.edit(erp_ar="")
    [item] = follower.news(country="KW", lang="ar")
    assert (item["path"], item["change"]) == ("/kw/ar/erp", "gone")
    assert item.keys() == {"path", "kind", "change", "at"}


def test_changes_are_read_page_by_page(follower: Follower) -> None:
    """No change is missing or repeated; only so many pages are rendered for a response."""
    files = {f"p{number}_en": f"---\ntitle: P {number}\n---\nText.\n" for number in range(15)}
    follower.edit(**files)
    bodies = [follower.get(since=follower.cursor, limit=40)]
    while bodies[-1]["more"]:
        bodies.append(follower.get(since=bodies[-1]["cursor"], limit=500))
    assert [len(body["items"]) for body in bodies] == [40, MAX_RENDERED]
    paths = [item["path"] for body in bodies for item in body["items"]]
    assert len(paths) == len(set(paths)) == 15 * 6
    assert all(one["cursor"] != other["cursor"] for one, other in pairwise(bodies))


def test_without_a_cursor_the_newest_changes_are_listed(follower: Follower) -> None:
    """Oldest first, with the cursor from which the next ones follow."""
    follower.edit(a_en="---\ntitle: A\n---\nText.\n")
    follower.edit(b_en="---\ntitle: B\n---\nText.\n")
    body = follower.get(limit=7)
    assert [item["path"][-2:] for item in body["items"]] == ["/a", *["/b"] * 6]
    assert body["more"] is False
    follower.cursor = body["cursor"]
    assert follower.news() == []


@pytest.mark.parametrize(
    "log", [pytest.param("", id="too new"), pytest.param("00000000", id="other")]
)
def test_an_unknown_cursor_says_from_where_to_go_on(follower: Follower, log: str) -> None:
    """As after the database was replaced."""
    name, _, number = follower.cursor.partition("-")
    reply = follower.visitor.get(f"{URL}?since={log or name}-{int(number) + (not log)}")
    assert reply.status == 410
    assert f"since={follower.cursor}" in reply.json["error"]["resolution"]
    assert "/sitemap.xml" in reply.json["error"]["resolution"]


@pytest.mark.parametrize(
    ("query", "allowed"),
    [
        ("since=yesterday", "the cursor of an earlier response"),
        ("limit=501", "from 1 to 500"),
        ("lang=fr", "en or ar"),
        ("country=xx", "one of AE, SA"),
    ],
)
def test_a_parameter_that_cannot_be_read_is_named(
    follower: Follower, query: str, allowed: str
) -> None:
    """The error says which one, and what is allowed."""
    reply = follower.visitor.get(f"{URL}?{query}")
    assert reply.status == 400
    assert reply.json["error"]["message"].startswith(f"{query.partition('=')[0]}:")
    assert allowed in reply.json["error"]["resolution"]


def test_a_response_may_be_revalidated_but_not_shared(follower: Follower) -> None:
    """The next edit must be seen at once."""
    reply = follower.visitor.get(f"{URL}?since={follower.cursor}")
    assert reply.headers["Cache-Control"] == "private, no-cache"
    again = follower.visitor.get(
        f"{URL}?since={follower.cursor}", {"If-None-Match": reply.headers["ETag"]}
    )
    assert again.status == 304
