"""Values of front matter as MessagePack: decoding gives what was encoded, in values and types."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from msgspec import msgpack

from knowledge.documents.parsed_values import packed_column, unpacked
from knowledge.fields.schemas import Author, PageSeo, Stats
from knowledge.locales.locale import Country, Language, OtherLanguage

SEO = PageSeo(title={"en": "A"})
STATS = Stats()


@pytest.mark.parametrize(
    "values",
    [
        pytest.param([], id="none"),
        pytest.param([None, None], id="missing"),
        pytest.param([1, 2**63, 0.5, True, "a", None], id="plain"),
        pytest.param([datetime(2026, 5, 1, tzinfo=UTC), Decimal("1.10")], id="date, amount"),
        pytest.param([Country("SA"), Language.AR, OtherLanguage("fr")], id="codes"),
        pytest.param([SEO, PageSeo(keywords={"ar": "ب"})], id="models"),
        pytest.param([None, SEO, None, SEO], id="missing models"),
        pytest.param([SEO, STATS], id="models of two classes"),
        pytest.param([SEO, "a"], id="a model or not"),
        pytest.param([{"seo": SEO}, {}], id="a model in a mapping"),
        pytest.param([[Author(name={"en": "Sara"})], None, []], id="lists of models"),
    ],
)
def test_values_come_back_as_they_were(values: list[Any]) -> None:
    """Equal, and of the same types."""
    encoded = msgpack.encode([packed_column(values)])
    decoded: list[Any] = msgpack.Decoder(list[Any], ext_hook=unpacked).decode(encoded)[0]
    assert decoded == values
    assert [type(value) for value in decoded] == [type(value) for value in values]


@pytest.mark.parametrize(
    "value",
    [
        object(),
        date(2026, 5, 1),
        {1: "a"},
        datetime(2026, 5, 1, tzinfo=timezone(timedelta(hours=3))),
    ],
)
def test_other_values_have_no_form(value: object) -> None:
    """They are refused, not changed."""
    with pytest.raises(TypeError):
        packed_column([value])
