"""Countries, languages, locales and layers."""

from __future__ import annotations

import itertools

import pytest
from cases import cases
from gulf import DEFAULT_LOCALE, all_locales

from knowledge.locales.locale import Country, Language, Layer, Locale, OtherLanguage, Scope

LAYERS = [
    Layer(country, city, language)
    for country, city in ((None, None), (Country("SA"), None), (Country("SA"), "riyadh"))
    for language in (None, *Language)
]


def test_there_are_twelve_locales_in_the_order_of_the_contract() -> None:
    """Countries as listed there, English first."""
    assert [locale.path for locale in all_locales()[:4]] == ["/ae/en", "/ae/ar", "/sa/en", "/sa/ar"]
    assert len(set(all_locales())) == 12
    assert all_locales()[0] == DEFAULT_LOCALE


@cases("text", ["sa", "SA", "Sa"])
def test_a_country_is_read_in_any_case(text: str) -> None:
    """Code and slug differ only in case."""
    assert Country.parse(text) == Country("SA")


@cases("text", ["", "xx", "SAU", " sa", "parse"])
def test_other_countries_are_none(text: str) -> None:
    """They are no ISO 3166 codes."""
    assert Country.parse(text) is None


@cases("text", ["", "fr", "e", "english", "-en"])
def test_other_languages_are_none(text: str) -> None:
    """Unsupported values give None."""
    assert Language.parse(text) is None


@cases(
    ("tag", "direction"),
    [
        *((tag, "rtl") for tag in ("ar", "he", "fa", "ur", "az-Arab", "pa-PK", "fa-u-nu-latn")),
        *((tag, "ltr") for tag in ("en", "fr", "tr", "az", "pa", "und-Cyrl", "tlh", "")),
    ],
)
def test_the_direction_is_that_of_babel(tag: str, direction: str) -> None:
    """By language, script and country of the tag; that of an unknown language is `ltr`."""
    language = Language.parse(tag) or OtherLanguage(tag)
    assert language.direction == direction


def test_each_language_has_a_fallback() -> None:
    """English and Arabic are each other's fallback."""
    assert {language: language.other for language in Language} == {
        Language.EN: Language.AR,
        Language.AR: Language.EN,
    }
    assert Locale(Country("BH"), Language.AR).tag == "ar-BH"


@cases(
    ("layer", "scope"),
    [
        pytest.param(Layer(), "global", id="erp.md"),
        pytest.param(Layer(language=Language.AR), "global", id="erp.ar.md"),
        pytest.param(Layer(Country("SA")), "country_default", id="erp.sa.md"),
        pytest.param(Layer(Country("SA"), None, Language.AR), "locale_override", id="erp.sa.ar.md"),
        pytest.param(Layer(Country("SA"), "riyadh"), "city_override", id="erp.sa.riyadh.md"),
        pytest.param(
            Layer(Country("SA"), "riyadh", Language.AR), "city_override", id="erp.sa.riyadh.ar.md"
        ),
    ],
)
def test_each_layer_has_one_of_four_scopes(layer: Layer, scope: str) -> None:
    """By country and city; the language changes only that of a country."""
    assert layer.scope.label == scope


def test_order_and_scope_agree() -> None:
    """A layer that sorts later never has a more general scope."""
    ordered = sorted(LAYERS, key=lambda layer: layer.order)
    assert all(a.scope <= b.scope for a, b in itertools.pairwise(ordered))
    assert ordered[0] == Layer()
    assert [str(layer) for layer in ordered[-3:]] == ["sa.riyadh", "sa.riyadh.ar", "sa.riyadh.en"]


def test_a_layer_covers_its_country_or_city_only() -> None:
    """A country layer covers all cities of the country, a city layer only that city."""
    country, city = Layer(Country("SA")), Layer(Country("SA"), "riyadh")
    assert country.covers(Country("SA"), None)
    assert country.covers(Country("SA"), "jeddah")
    assert not country.covers(Country("AE"), None)
    assert city.covers(Country("SA"), "riyadh")
    assert not city.covers(Country("SA"), None)
    assert not city.covers(Country("SA"), "jeddah")
    assert max(Scope) is Scope.CITY_OVERRIDE
