"""The front matter of markdown pages: the country, and the countries with another text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
import yaml
from cases import cases
from conftest import NOW, ViewOf

from app.platform.settings import SAMPLE_CONTENT
from knowledge.addresses.addresses import Address, parse_address
from knowledge.fields.content_types import PRODUCT
from knowledge.locales import cldr
from knowledge.locales.locale import Country, Language, Locale
from knowledge.resources.posts import POST_PAGE
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_map import site_map
from knowledge.resources.site_page import site_page
from knowledge.snapshot.loading import load_content
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView
from renderers.markdown import renderer as markdown
from renderers.markdown.passages import page_passages

SITE = "https://a.test"
_LOCALE = re.compile(r"/[a-z]{2}/(en|ar)\b|(?:\.[a-z]{2}){1,2}(?=\.svg\))")
"""The locale of a link, and the country and language of a picture."""


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    """The sample content."""
    return load_content(SAMPLE_CONTENT).snapshot


def front_matter_of(view: ContentView, address: Address) -> Mapping[str, Any]:
    """Return the front matter of a page."""
    text = markdown.render(site_page(view, address, PageQuery())).body.decode()
    found: Mapping[str, Any] = yaml.safe_load(text.split("---\n", 2)[1])
    return found


def text_of(
    view: ContentView, address: Address, front_matter: Mapping[str, Any]
) -> tuple[object, ...]:
    """Return the text of a page, whose links and pictures have no locale.

    Of other pages only prices count.
    """
    own = (
        _LOCALE.sub("", passage.text)
        for passage in page_passages(view, address)
        if not passage.is_listing or address.page.lists is PRODUCT
    )
    return *(front_matter.get(each) for each in ("title", "description", "lang")), *own


def tried(snapshot: Snapshot) -> Iterator[tuple[Address, Sequence[ContentView]]]:
    """Yield the pages, of posts a few, as the readers of three countries see them."""
    posts = 0
    for page in site_map(snapshot, NOW).pages:
        posts += page.address.page is POST_PAGE
        if posts > 5 and page.address.page is POST_PAGE:
            continue
        for language in Language:
            locales = (Locale(Country(each), language) for each in ("AE", "SA", "KW"))
            shown = [each for each in locales if each in page.locales]
            yield page.address, [ContentView(snapshot, each, NOW, SITE) for each in shown]


def test_a_page_names_its_country_and_those_with_another_text(snapshot: Snapshot) -> None:
    """Exactly those: a page that says the same everywhere names none."""
    named = 0
    for address, views in tried(snapshot):
        found = [(view.locale, front_matter_of(view, address)) for view in views]
        texts = [text_of(view, address, each) for view, (_, each) in zip(views, found, strict=True)]
        for text, (locale, front_matter) in zip(texts, found, strict=True):
            assert locale.country is not None
            assert front_matter["country"] == locale.country.slug
            assert front_matter["countryName"] == cldr.country_name(locale.country, locale.language)
            others = {
                each["country"]: f"{SITE}{other.path}{address.path or '/index'}.md"
                for (other, each), its in zip(found, texts, strict=True)
                if its != text
            }
            differing = front_matter.get("countries", {})
            assert {each: differing[each] for each in others} == others, address.path
            assert differing.keys().isdisjoint({each["country"] for _, each in found} - set(others))
            named += bool(differing)
    assert named > 50


@cases(
    ("locale", "path"),
    [
        pytest.param("ae/en", "/a", id="no country's layer"),
        pytest.param("ae/en", "/b", id="a layer in the other language"),
    ],
)
def test_what_does_not_differ_is_not_named(view_of: ViewOf, locale: str, path: str) -> None:
    """Nor is a country without the page."""
    text = "---\ntitle: A\n---\nOne."
    files = {
        "pages/a.md": text,
        "pages/b.md": text,
        "pages/b.ar.md": text,
        "pages/b.kw.ar.md": text,
    }
    address = parse_address(path)
    assert address is not None
    assert "countries" not in front_matter_of(view_of(files, locale), address)
