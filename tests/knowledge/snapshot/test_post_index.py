"""Post records: which countries share one, and which languages have one."""

from __future__ import annotations

from conftest import Content
from gulf import COUNTRIES

from knowledge.fields.content_types import POST
from knowledge.locales.locale import Country, Language
from knowledge.snapshot.loading import load_content
from knowledge.snapshot.post_index import PostRecord, records_of

POST_TEXT = "---\ntitle: A\ntags: [VAT, erp, vat]\ncountries: [ae, sa, om]\n---\nText."
OVERRIDE = "---\ntags: [zatca]\n---\n"


def records(
    content: Content, files: dict[str, str], language: Language
) -> dict[Country | None, PostRecord]:
    """Return the records of the post `a` by country."""
    entry = load_content(content(files)).snapshot.entry(POST, "a")
    assert entry is not None
    return dict(records_of(entry, language, COUNTRIES))


def test_countries_with_the_same_version_share_a_record(content: Content) -> None:
    """A country with an override has another record; a country not listed has none."""
    by_country = records(content, {"posts/a.md": POST_TEXT, "posts/a.sa.md": OVERRIDE}, Language.EN)
    assert by_country.keys() == {Country("AE"), Country("SA"), Country("OM")}
    assert by_country[Country("AE")] is by_country[Country("OM")]
    assert by_country[Country("SA")] is not by_country[Country("AE")]
    assert by_country[Country("AE")].tags == ("erp", "vat")
    assert by_country[Country("SA")].tags == ("zatca",)


def test_a_post_has_no_record_in_a_language_without_a_text(content: Content) -> None:
    """Posts never fall back to the other language."""
    assert records(content, {"posts/a.md": POST_TEXT}, Language.AR) == {}
