"""The product catalogue for partners."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from knowledge.resources.catalogue import CatalogueQuery, catalogue

NOW = datetime(2026, 11, 20, tzinfo=UTC)
LONG_AGO = datetime(2025, 1, 1, tzinfo=UTC)
FILES = {
    "products/till.md": (
        "---\nid: 7\nsku: T-7\nbarcode: '0629'\ntitle: Till\nshortDescription: A till.\n"
        "prices: {AED: '10.00', KWD: '1.5'}\ntaxCategory: S\nstock: 3\n"
        "image: /images/till.png\nupdatedAt: 2026-03-01T00:00:00Z\n---\n"
    ),
    "products/till.ar.md": "---\ntitle: كاشير\nupdatedAt: 2026-03-02T00:00:00Z\n---\n",
    "products/drawer.md": "---\nid: 3\ntitle: Drawer\nactive: false\nupdatedAt: 2026-01-01\n---\n",
    "products/arabic.sa.ar.md": "---\nid: 9\ntitle: للسعودية\n---\n",
    "products/nameless.md": "---\ntitle: Without an id\n---\n",
    "products/till-copy.md": "---\nid: 7\ntitle: Same id\n---\n",
    "products/hidden.md": "---\nid: 11\ntitle: Hidden\npublished: false\n---\n",
    "products/later.md": "---\nid: 12\ntitle: Later\npublishedAt: 2030-01-01\n---\n",
    "images/till.png": b"png",
}


def test_a_product_has_all_the_fields_an_erp_needs(view_of: Any) -> None:
    """Amounts have the currency's decimals; texts are in both languages; the later date counts."""
    shown = catalogue(view_of(FILES), CatalogueQuery()).model_dump(mode="json", by_alias=True)
    assert shown["products"][1] == {
        "id": 7,
        "sku": "T-7",
        "barcode": "0629",
        "slug": "till",
        "name": {"en": "Till", "ar": "كاشير"},
        "description": {"en": "A till."},
        "prices": {"AED": "10.00", "KWD": "1.500"},
        "taxCategory": "S",
        "stock": 3,
        "active": True,
        "image": "https://wahat.test/images/till.png",
        "updatedAt": "2026-03-02T00:00:00Z",
    }


@pytest.mark.parametrize(
    ("query", "ids", "next_since_id"),
    [
        pytest.param(CatalogueQuery(), [3, 7, 9], None, id="all"),
        pytest.param(CatalogueQuery(limit=2), [3, 7], 7, id="the first two"),
        pytest.param(CatalogueQuery(since_id=7, limit=1), [9], None, id="the last"),
        pytest.param(CatalogueQuery(since_id=9), [], None, id="after the last"),
        pytest.param(
            CatalogueQuery(
                updated_since=datetime(2026, 3, 2, tzinfo=UTC),
                seen_at={"till": NOW, "drawer": LONG_AGO},
            ),
            [7, 9],
            None,
            id="changed since, or never seen",
        ),
    ],
)
def test_pages_are_in_ascending_order_of_id(
    view_of: Any, query: CatalogueQuery, ids: list[int], next_since_id: int | None
) -> None:
    """Inactive products are included; hidden, future, and duplicate or missing ids are not."""
    page = catalogue(view_of(FILES), query)
    assert [product.id for product in page.products] == ids
    assert page.pagination.next_since_id == next_since_id
    assert page.pagination.has_more is (next_since_id is not None)
    assert page.pagination.count == len(ids)
