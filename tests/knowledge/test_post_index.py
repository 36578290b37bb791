"""Shelves: the posts of a locale, and what locales have in common."""

from __future__ import annotations

from conftest import Content

from knowledge.content_path import ContentType
from knowledge.loading import load_content
from knowledge.locale import Country, Language
from knowledge.post_index import PostRecord, records_of

POST = "---\ntitle: A\ntags: [VAT, erp, vat]\ncountries: [ae, sa, om]\n---\nText."
OVERRIDE = "---\ntags: [zatca]\n---\n"


def records(
    content: Content, files: dict[str, str], language: Language
) -> dict[Country, PostRecord]:
    """The cards of the post `a`, by country."""
    entry = load_content(content(files)).snapshot.entry(ContentType.POST, "a")
    assert entry is not None
    return dict(records_of(entry, language, Country))


def test_countries_that_read_the_same_share_a_card(content: Content) -> None:
    """A country with a layer of its own has another; one that is not named has none."""
    found = records(content, {"posts/a.md": POST, "posts/a.sa.md": OVERRIDE}, Language.EN)
    assert found.keys() == {Country.AE, Country.SA, Country.OM}
    assert found[Country.AE] is found[Country.OM]
    assert found[Country.SA] is not found[Country.AE]
    assert found[Country.AE].tags == ("erp", "vat")
    assert found[Country.SA].tags == ("zatca",)


def test_a_post_has_no_card_in_a_language_that_it_does_not_speak(content: Content) -> None:
    """Posts never fall back."""
    assert records(content, {"posts/a.md": POST}, Language.AR) == {}
