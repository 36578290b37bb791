"""Public addresses: which path shows which document, and in which locales."""

from __future__ import annotations

import pytest
from cases import cases
from conftest import NOW, ViewOf, locale_of

from knowledge.addresses.addresses import Address, Variants, parse_address, split_locale, variants
from knowledge.resources.blog import BLOG_PAGE, CATEGORY_PAGE
from knowledge.resources.home import HOME_PAGE
from knowledge.resources.localized import CITY_CONTENT_PAGE, CITY_PAGE
from knowledge.resources.pages import CONTENT_PAGE
from knowledge.resources.posts import POST_PAGE
from knowledge.resources.products import PRODUCT_PAGE
from knowledge.resources.software import INDUSTRY_PAGE, MODULE_PAGE

CITY = "---\ncountryCode: SA\nname: Riyadh\n---\nx"


@cases(
    ("path", "address"),
    [
        pytest.param("", Address(HOME_PAGE), id="home"),
        pytest.param("/", Address(HOME_PAGE), id="home with slash"),
        pytest.param("/erp", Address(CONTENT_PAGE, "erp"), id="content"),
        pytest.param("/erp/", Address(CONTENT_PAGE, "erp"), id="content with slash"),
        pytest.param("/blog", Address(BLOG_PAGE), id="the blog is not a content page"),
        pytest.param("/blog/a", Address(POST_PAGE, "a"), id="post"),
        pytest.param("/blog/category/a", Address(CATEGORY_PAGE, "a"), id="category"),
        pytest.param("/modules/a", Address(MODULE_PAGE, "a"), id="module"),
        pytest.param("/industries", Address(CONTENT_PAGE, "industries"), id="registry page"),
        pytest.param("/industries/a", Address(INDUSTRY_PAGE, "a"), id="industry"),
        pytest.param("/cities/a", Address(CITY_PAGE, city="a"), id="city"),
        pytest.param("/cities/a/b", Address(CITY_CONTENT_PAGE, "b", "a"), id="city's page"),
        pytest.param("/products/a", Address(PRODUCT_PAGE, "a"), id="product"),
        pytest.param("/blog/مقال", Address(POST_PAGE, "مقال"), id="Arabic"),
        pytest.param("/a/b/c/d", None, id="too deep"),
        pytest.param("/blog/a/b", None, id="below a post"),
    ],
)
def test_a_path_has_one_page(path: str, address: Address | None) -> None:
    """The address gives the same path back."""
    assert parse_address(path) == address
    assert address is None or address.path == path.rstrip("/")


@cases(
    ("path", "locale", "rest"),
    [
        pytest.param("/sa/ar", "sa/ar", "", id="root"),
        pytest.param("/sa/ar/", "sa/ar", "/", id="root with slash"),
        pytest.param("/sa/ar/erp", "sa/ar", "/erp", id="page"),
        pytest.param("/sa/arabic", None, "/sa/arabic", id="longer word"),
        pytest.param("/xx/ar/erp", None, "/xx/ar/erp", id="no country"),
        pytest.param("/eg/ar/erp", "eg/ar", "/erp", id="any country"),
        pytest.param("/ar/erp", "ar", "/erp", id="no countries"),
        pytest.param("/ar/en", "ar/en", "", id="Argentina"),
        pytest.param("/sa/fr/erp", None, "/sa/fr/erp", id="language not served"),
        pytest.param("/SA/ar/erp", None, "/SA/ar/erp", id="country in capitals"),
        pytest.param("/sa/AR/erp", None, "/sa/AR/erp", id="language in capitals"),
        pytest.param("/", None, "/", id="no locale"),
    ],
)
def test_a_path_begins_with_its_locale(path: str, locale: str | None, rest: str) -> None:
    """Only in lower case, so that there is one canonical path."""
    assert split_locale(path) == (locale_of(locale) if locale else None, rest)


def test_variants_are_the_locales_with_a_text(view_of: ViewOf) -> None:
    """A fallback is not a variant; a disabled country has none."""
    files: dict[str, str | bytes] = {
        "pages/a.md": "---\ncountries: [ae, sa, qa]\n---\nx",
        "pages/a.sa.ar.md": "ا",
        "countries/qa.md": "---\nenabled: false\n---\n",
    }
    locales = variants(view_of(files).snapshot, Address(CONTENT_PAGE, "a"), NOW).locales
    assert locales == tuple(map(locale_of, ("ae/en", "sa/en", "sa/ar")))


def test_a_city_has_variants_only_in_its_country(view_of: ViewOf) -> None:
    """So does a page of the city, even if its text is a global one."""
    snapshot = view_of({"cities/riyadh.md": CITY, "registry/erp.md": "x"}).snapshot
    for address in (Address(CITY_PAGE, city="riyadh"), Address(CITY_CONTENT_PAGE, "erp", "riyadh")):
        assert variants(snapshot, address, NOW).locales == (locale_of("sa/en"),)
    assert variants(snapshot, Address(CITY_CONTENT_PAGE, "erp", "x"), NOW).locales == ()


def test_lists_exist_without_a_document(view_of: ViewOf) -> None:
    """A list exists in every open locale; a page needs a document."""
    snapshot = view_of({"pages/a.md": "x"}).snapshot
    assert len(variants(snapshot, Address(BLOG_PAGE), NOW).locales) == 12
    assert variants(snapshot, Address(POST_PAGE, "gone"), NOW).locales == ()


def test_the_generic_variant_is_the_first() -> None:
    """`x-default` is the first locale of all, that of a language its first one."""
    three = Variants(tuple(map(locale_of, ("ae/ar", "sa/en", "sa/ar"))))
    assert three.generic(locale_of("ae/ar").language) == locale_of("ae/ar")
    assert three.generic(locale_of("ae/en").language) == locale_of("sa/en")
    assert three.default == locale_of("ae/ar")
    assert Variants(()).default is None
