"""`updated_since` of products: by the author's date, and by when the service saw what changed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from contract.visitor import NOW, FakeClock
from gulf import write_site
from storefront.shop import Shop

HOUR = timedelta(hours=1)
TILL = """---
title: {en: Till, ar: صندوق}
id: 1
prices: {AED: "100.00", SAR: "110.00"}
stock: 5
updatedAt: 2026-01-01
---
Text.
"""
FILES = {
    "products/till.md": TILL,
    "products/scanner.md": TILL.replace("id: 1", "id: 2").replace("Till", "Scanner"),
    "products/old.md": TILL.replace("id: 1", "id: 3\nactive: false\nnoindex: true"),
}
EDITS = {
    "price": ("products/till.md", TILL.replace("100.00", "101.00")),
    "stock": ("products/till.md", TILL.replace("stock: 5", "stock: 4")),
    "Arabic": ("products/till.md", TILL.replace("صندوق", "صندوق النقد")),
    "withdrawal": ("products/till.md", TILL.replace("id: 1", "id: 1\nactive: false")),
    "price of a country": ("products/till.sa.md", '---\nprices: {SAR: "99.00"}\n---\n'),
    "text of a country": ("products/till.sa.en.md", "---\ntitle: Saudi till\n---\n"),
}


@pytest.fixture
def clock() -> FakeClock:
    """A clock that the test moves."""
    return FakeClock()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with three products, of which one is no longer sold and not indexed."""
    return write_site(tmp_path / "content", FILES)


@pytest.fixture
def shop(folder: Path, clock: FakeClock) -> Iterator[Shop]:
    """A shop that has seen the products an hour ago."""
    with Shop(clock=clock, content_dir=folder) as opened:
        opened.record_changes()
        clock.move(HOUR)
        yield opened


def changed(shop: Shop, since: str) -> dict[int, str]:
    """Return the products that changed since a time, with when they did."""
    products = shop.pull(f"/api/products?updated_since={since}").json["products"]
    return {each["id"]: each["updatedAt"] for each in products}


@pytest.mark.parametrize("name", list(EDITS))
def test_an_edit_counts_without_the_authors_date(
    shop: Shop, folder: Path, clock: FakeClock, name: str
) -> None:
    """A partner that asks for what changed since its last request gets the new price."""
    since = clock.now.isoformat().replace("+00:00", "Z")
    assert changed(shop, since) == {}
    path, text = EDITS[name]
    write_site(folder, {path: text})
    clock.move(HOUR)
    shop.record_changes()
    assert changed(shop, since) == {1: "2026-11-20T14:00:00Z"}
    clock.move(HOUR)
    later = clock.now.isoformat().replace("+00:00", "Z")
    assert changed(shop, later) == {}


def test_a_later_date_of_the_author_counts(shop: Shop, folder: Path) -> None:
    """It says when the change happens, which may be after the edit."""
    write_site(folder, {"products/till.md": TILL.replace("2026-01-01", "2026-12-01")})
    shop.record_changes()
    assert changed(shop, "2026-11-25T00:00:00Z") == {1: "2026-12-01T00:00:00Z"}


def test_what_was_first_seen_counts_as_changed_then(shop: Shop) -> None:
    """Of all products, however old the dates of their authors; also of those not indexed."""
    seen = NOW.isoformat().replace("+00:00", "Z")
    assert changed(shop, seen) == dict.fromkeys((1, 2, 3), "2026-11-20T12:00:00Z")


def test_products_that_were_not_seen_yet_count_as_changed(folder: Path) -> None:
    """Right after the start, and without the database: a client must not miss any."""
    with Shop(content_dir=folder) as opened:
        assert list(changed(opened, "2026-11-20T13:00:00Z")) == [1, 2, 3]
    with Shop(content_dir=folder, database_url="postgresql://nobody@127.0.0.1:1/none") as away:
        assert list(changed(away, "2026-11-20T13:00:00Z")) == [1, 2, 3]
        assert away.pull("/api/products").json["products"][0]["updatedAt"] == "2026-01-01T00:00:00Z"
