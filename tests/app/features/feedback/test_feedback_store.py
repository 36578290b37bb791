"""The feedback store, on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest_asyncio
from contract.visitor import NOW

from app.features.feedback.store import DEDUPE_WINDOW, Feedback, FeedbackStore, StoredFeedback
from app.platform.database.database import Database


@pytest_asyncio.fixture
async def store(database: Database) -> FeedbackStore:
    """A store on each kind of database."""
    return FeedbackStore(database)


def report(
    name: str, path: str = "/sa/ar/erp", after: timedelta = timedelta(), message: str = ""
) -> StoredFeedback:
    """Return a report; its message is its name by default."""
    feedback = Feedback.model_validate({"path": path, "message": message or name, "kind": "wrong"})
    return StoredFeedback(name, NOW + after, feedback)


async def ids(store: FeedbackStore, **conditions: object) -> list[str]:
    """Return the ids of the reports that meet the conditions."""
    return [stored.id async for stored in store.all(**conditions)]  # type: ignore[arg-type]


async def test_reports_are_stored_listed_and_deleted(store: FeedbackStore) -> None:
    """Oldest first, with all their fields."""
    later, first = report("later", after=timedelta(minutes=1)), report("first")
    for each in (later, first):
        assert await store.add(each) == each.id
    assert [stored async for stored in store.all()] == [first, later]
    assert await ids(store, since=later.received_at) == ["later"]
    assert await store.delete(["first", "unknown"]) == 1
    assert await store.purge(before=later.received_at) == 0
    assert await store.purge(before=later.received_at + timedelta(seconds=1)) == 1
    assert await ids(store) == []


async def test_reports_of_a_page_include_those_of_its_sections(store: FeedbackStore) -> None:
    """But not those of pages below it, nor of paths that only match as a pattern."""
    for path in ("/a", "/a#x", "/a/b", "/ab", "/_#y"):
        await store.add(report(path, path))
    assert await ids(store, page="/a") == ["/a", "/a#x"]
    assert await ids(store, page="/_") == ["/_#y"]


async def test_equal_reports_within_ten_minutes_are_one(store: FeedbackStore) -> None:
    """Also if they are sent at the same time; later it is a new report."""
    sent = [report(str(number), message="same") for number in range(5)]
    stored = await asyncio.gather(*map(store.add, sent))
    assert len(set(stored)) == 1
    assert await store.add(report("other", message="another")) == "other"
    soon = report("soon", after=DEDUPE_WINDOW, message="same")
    late = report("late", after=DEDUPE_WINDOW + timedelta(seconds=1), message="same")
    assert await store.add(soon) == stored[0]
    assert await store.add(late) == "late"
