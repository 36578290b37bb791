"""Products for the public site."""

from __future__ import annotations

import json

import pytest
from conftest import ViewOf, locale_of

from knowledge.resources.errors import NotFound
from knowledge.resources.product_list import product_list
from knowledge.resources.products import product_detail
from knowledge.views.content_view import ContentView

HEAD = "---\nid: {}\ntitle: {}\nprices: {{AED: 10.5, KWD: 1.250}}\n"


@pytest.fixture
def view(view_of: ViewOf) -> ContentView:
    """Three products."""
    return view_of(
        {
            "products/a.md": HEAD.format(1, "A") + "stock: 0\nsku: S\n---\nx",
            "products/b.md": HEAD.format(2, "B") + "active: false\n---\nx",
            "products/c.md": HEAD.format(3, "C")
            + "specs: [{name: {en: Weight, ar: وزن}, value: 1 kg}]\n---\nx",
        }
    )


def test_prices_are_in_the_country_s_currency(view: ContentView) -> None:
    """They have the currency's decimals; a product without such a price has no `price`."""

    def prices(locale: str) -> list[object]:
        items = product_list(view.for_locale(locale_of(locale))).items
        return [json.loads(item.model_dump_json()).get("price") for item in items]

    assert prices("ae/en") == [{"amount": "10.50", "currency": "AED"}] * 2
    assert prices("kw/en") == [{"amount": "1.250", "currency": "KWD"}] * 2
    assert prices("sa/en") == [None, None]


def test_an_inactive_product_has_a_page_but_is_not_listed(view: ContentView) -> None:
    """Its availability is `Discontinued`."""
    items = product_list(view).items
    assert [(item.id, item.availability) for item in items] == [(1, "OutOfStock"), (3, "InStock")]
    assert product_detail(view, "b").resource.product.availability == "Discontinued"
    with pytest.raises(NotFound):
        product_detail(view, "gone")


def test_the_data_sheet_is_in_the_language_of_the_view(view: ContentView) -> None:
    """A text without that language falls back to the other one."""
    (spec,) = product_detail(view.for_locale(locale_of("ae/ar")), "c").resource.product.specs
    assert (spec.name, spec.value) == ("وزن", "1 kg")
