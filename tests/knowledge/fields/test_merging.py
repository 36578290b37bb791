"""Merging of front matter models: one test for each rule."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from cases import cases

from knowledge.fields.content_types import PRODUCT
from knowledge.fields.front_matter import DECLARED_MODELS, Common, PageSeo
from knowledge.fields.merging import Origin, merge, only_texts, origins, texts_in
from knowledge.locales.locale import Language, Scope

SPEC: Any = DECLARED_MODELS["products@.specs.Spec"]
BASE = PRODUCT.fields(
    title={"en": "Till", "ar": "صندوق"},
    brand="Wahat",
    specs=[SPEC(name={"en": "Width"})],
    prices={"AED": Decimal(1), "SAR": Decimal(2)},
    stock=3,
    active=True,
    seo=PageSeo(no_index=True, title={"en": "Tills"}),
)


@cases(
    ("top", "changed"),
    [
        pytest.param(PRODUCT.fields(), BASE, id="None inherits"),
        pytest.param(PRODUCT.fields(brand=""), {"brand": ""}, id="empty text overrides"),
        pytest.param(PRODUCT.fields(specs=[]), {"specs": []}, id="empty list overrides"),
        pytest.param(
            PRODUCT.fields(specs=[SPEC(value={"en": "1"})]),
            {"specs": [SPEC(value={"en": "1"})]},
            id="lists replace",
        ),
        pytest.param(PRODUCT.fields(stock=0, active=False), {"stock": 0, "active": False}, id="0"),
        pytest.param(
            PRODUCT.fields(title={"ar": "آلة"}),
            {"title": {"en": "Till", "ar": "آلة"}},
            id="texts merge by language",
        ),
        pytest.param(
            PRODUCT.fields(prices={"SAR": Decimal(3)}),
            {"prices": {"AED": Decimal(1), "SAR": Decimal(3)}},
            id="mappings merge key by key",
        ),
        pytest.param(
            PRODUCT.fields(seo=PageSeo(no_index=False)),
            {"seo": PageSeo(no_index=False, title={"en": "Tills"})},
            id="nested models recurse",
        ),
    ],
)
def test_a_layer_is_merged_on_top(top: Common, changed: object) -> None:
    """All other values stay, and neither layer changes."""
    before = repr((BASE, top))
    merged = merge((BASE, top))
    for name in BASE.field_names:
        expected = changed.get(name) if isinstance(changed, dict) else None
        assert getattr(merged, name) == (getattr(BASE, name) if expected is None else expected)
    assert repr((BASE, top)) == before


def test_one_layer_is_merged_with_nothing() -> None:
    """Most documents have one layer; its model is not copied."""
    assert merge((BASE,)) is BASE


def test_only_texts_in_one_language_are_kept() -> None:
    """Other values, lists, and blocks without such a text are None."""
    assert only_texts(BASE, Language.AR) == PRODUCT.fields(title={"ar": "صندوق"})
    english = PRODUCT.fields(title={"en": "Till"}, seo=PageSeo(title={"en": "Tills"}))
    assert only_texts(BASE, Language.EN) == english


def test_texts_are_found_in_lists_but_not_in_seo() -> None:
    """A product may have its only text in a list."""
    assert list(texts_in(BASE)) == [{"en": "Till", "ar": "صندوق"}, {"en": "Width"}]


def test_each_value_has_the_origin_of_the_last_layer_that_sets_it() -> None:
    """A text has that of the language which the reader sees."""
    layers = [
        (BASE, Scope.GLOBAL),
        (PRODUCT.fields(title={"ar": "آلة"}, brand="W"), Scope.COUNTRY_DEFAULT),
        (PRODUCT.fields(prices={"SAR": Decimal(3)}), Scope.LOCALE_OVERRIDE),
    ]
    assert origins(layers, ("title",), Language.EN) == [Origin(Scope.GLOBAL, Language.EN)]
    assert origins(layers, ("title",), Language.AR) == [Origin(Scope.COUNTRY_DEFAULT, Language.AR)]
    assert origins(layers, ("brand", "sku"), Language.EN) == [Origin(Scope.COUNTRY_DEFAULT)]
    assert origins(layers, ("prices",), Language.EN) == [
        Origin(Scope.GLOBAL),
        Origin(Scope.LOCALE_OVERRIDE),
    ]
    assert origins(layers, ("seo",), Language.AR) == [
        Origin(Scope.GLOBAL, Language.EN),
        Origin(Scope.GLOBAL),
    ]
