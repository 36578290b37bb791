"""Tests of the tool `list_pages`."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import BASE_URL, NOW, FakeClock, Visitor
from mcp_calls import call, context_of

from app.features.mcp.tool import ToolError
from app.services import services_of
from knowledge.locales.locale import Locale
from knowledge.markdown.tokens import estimate_tokens
from knowledge.resources.site_map import site_map

PAGE = "---\ntitle: {}\n---\nText"


def _all(visitor: Visitor, **arguments: Any) -> list[dict[str, Any]]:
    """Return the pages of a list to its end, each part with only the cursor of the last."""
    part = call(visitor, "list_pages", **arguments)
    pages = part["pages"]
    while "next_cursor" in part:
        part = call(visitor, "list_pages", cursor=part["next_cursor"], limit=20)
        pages += part["pages"]
    return list(pages)


@pytest.mark.parametrize("path", ["/ae/en", "/sa/ar"])
def test_the_pages_are_those_of_the_site_map_each_once(sample: Visitor, path: str) -> None:
    """Over all parts of the list, in both languages."""
    view = context_of(sample, path).view(context_of(sample, path).locale)
    listed = [page["id"] for page in _all(sample, country=path[1:3], lang=path[4:], limit=20)]
    expected = site_map(view.snapshot, view.now).addresses(view.locale)
    assert sorted(listed) == sorted(path + address.path for address in expected)


def test_a_page_has_the_facts_of_its_markdown_and_its_id_is_fetched(sample: Visitor) -> None:
    """URL, tokens and date; the summary is short."""
    pages = call(sample, "list_pages", "/sa/ar", kind="module", limit=3)["pages"]
    assert len(pages) == 3
    for page in pages:
        fetched = call(sample, "fetch", id=page["id"])
        assert (page["id"], page["url"]) == (fetched["id"], fetched["url"])
        assert str(page["tokens"]) == fetched["metadata"]["tokens"]
        assert page["tokens"] == int(sample.get(f"{page['id']}.md").headers["X-Markdown-Tokens"])
        assert page["updated"] == fetched["metadata"]["updated"]
        assert 0 < len(page["summary"]) <= 160


def test_kind_and_date_choose_the_pages(sample: Visitor) -> None:
    """A date or an instant, which is included."""
    posts = _all(sample, kind="post")
    assert posts
    assert all(page["id"].startswith("/ae/en/blog/") for page in posts)
    recent = _all(sample, kind="post", updated_since="2026-09-01", limit=3)
    assert recent == [page for page in posts if page.get("updated", "") >= "2026-09-01"]
    assert 0 < len(recent) < len(posts)
    instant = recent[0]["updated"]
    assert recent[0] in _all(sample, updated_since=instant)


def test_a_cursor_has_the_filters_of_its_list(sample: Visitor) -> None:
    """So that the next call sends nothing else."""
    first = call(sample, "list_pages", country="sa", lang="ar", kind="post", limit=2)
    then = call(sample, "list_pages", cursor=first["next_cursor"], limit=100)["pages"]
    assert all(page["id"].startswith("/sa/ar/blog/") for page in then)
    assert first["pages"] + then == _all(sample, country="sa", lang="ar", kind="post")


def test_a_cursor_survives_edits(visit: Visit) -> None:
    """The list goes on behind the last page told, even if that is deleted meanwhile."""
    files = {f"pages/{name}.en.md": PAGE.format(name) for name in "bdf"}
    visitor = visit(files)
    first = call(visitor, "list_pages", kind="page", limit=2)
    assert [page["title"] for page in first["pages"]] == ["b", "d"]
    store = services_of(visitor.quart).content_store
    (store.content_dir / "pages/d.en.md").unlink()
    for name in "ae":
        (store.content_dir / f"pages/{name}.en.md").write_text(PAGE.format(name))
    store.reload()
    then = call(visitor, "list_pages", cursor=first["next_cursor"])
    assert [page["title"] for page in then["pages"]] == ["e", "f"]
    assert "next_cursor" not in then


@cases("cursor", ["abc", "é", "e30", "bnVsbA", "A" * 5_000])
def test_a_cursor_of_somebody_else_is_refused(sample: Visitor, cursor: str) -> None:
    """Made up, cut off, or of another list."""
    with pytest.raises(ToolError, match="Send next_cursor as list_pages returned it"):
        call(sample, "list_pages", cursor=cursor)


def test_a_list_ends_before_it_is_too_long_for_clients(visit: Visit) -> None:
    """Whatever the limit asks for; the cursor leads to the rest."""
    long = "شركة " * 40
    files = {
        f"pages/page-{number}.ar.md": f"---\ntitle: {long}\nshortDescription: {long}\n---\nنص"
        for number in range(130)
    }
    visitor = visit(files)
    part = call(visitor, "list_pages", "/ae/ar", limit=100)
    assert estimate_tokens(str(part)) < 25_000
    assert len(_all(visitor, lang="ar", kind="page", limit=100)) == 130


def test_only_what_is_published_now_is_listed(visit: Visit, clock: FakeClock) -> None:
    """Of the country, and not what search engines must not index."""
    starts = NOW + timedelta(hours=1)
    visitor = visit(
        {
            "pages/later.en.md": f"---\ntitle: x\npublishedAt: {starts.isoformat()}\n---\n",
            "pages/saudi.sa.en.md": PAGE.format("Saudi"),
            "pages/copy.en.md": "---\ntitle: x\nseo: {noIndex: true}\n---\n",
        }
    )
    assert _all(visitor, kind="page") == []
    assert [page["id"] for page in _all(visitor, kind="page", country="SA")] == ["/sa/en/saudi"]
    clock.move(timedelta(hours=2))
    assert [page["url"] for page in _all(visitor, kind="page")] == [f"{BASE_URL}/ae/en/later"]


def test_a_site_without_countries_ignores_the_country(visit: Visit) -> None:
    """Its locales are languages."""
    visitor = visit({"pages/a.en.md": PAGE.format("a")}, countries=False)
    context = context_of(visitor, "/en")
    assert context.locale == Locale(None, context.locale.language)
    pages = call(visitor, "list_pages", "/en", country="sa", kind="page")["pages"]
    assert [page["id"] for page in pages] == ["/en/a"]


def test_the_length_of_a_page_changes_with_its_text(visit: Visit, clock: FakeClock) -> None:
    """By an edit, and by the schedule."""
    starts = NOW + timedelta(hours=1)
    files = {
        f"posts/{name}.en.md": f"---\ntitle: {name}\npublishedAt: {day.isoformat()}\n---\nText"
        for name, day in (("first", NOW - timedelta(days=1)), ("second", starts))
    }
    visitor = visit(files)

    def tokens() -> int:
        pages = call(visitor, "list_pages")["pages"]
        (page,) = (page for page in pages if page["id"] == "/ae/en/blog")
        assert str(page["tokens"]) == call(visitor, "fetch", id=page["id"])["metadata"]["tokens"]
        return int(page["tokens"])

    before = tokens()
    clock.move(timedelta(hours=2))
    scheduled = tokens()
    store = services_of(visitor.quart).content_store
    third = files["posts/first.en.md"].replace("first", "a third")
    (store.content_dir / "posts/third.en.md").write_text(third)
    store.reload()
    assert before < scheduled < tokens()
