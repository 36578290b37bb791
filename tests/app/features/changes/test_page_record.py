"""Page records: what of the content makes a page another one, in which locales."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import pytest
from conftest import NOW, ViewOf

from app.features.changes.published import Derivation, PublishedContent, all_dependents
from app.publishing.content.search_pages import search_pages
from knowledge.snapshot.snapshot import Snapshot

CITY = "---\ntitle: {en: Riyadh, ar: الرياض}\ncountryCode: SA\n---\n"


def content_of(snapshot: Snapshot) -> PublishedContent:
    """Return the content of a snapshot with the versions of its pages."""
    return PublishedContent(snapshot, search_pages(snapshot, NOW).versions)


def told(
    before: Mapping[str, str], after: Mapping[str, str], view_of: ViewOf, at: datetime = NOW
) -> set[str]:
    """Return what an edit tells of pages for the United Arab Emirates and for Saudi Arabia."""
    records: Mapping[str, str] = {}
    for files in (before, after):
        content = content_of(view_of(files).snapshot)
        derivation = Derivation(records, content)
        derivation.look_at(
            {*records, *content.versions, *all_dependents(content.versions, content.snapshot)}, at
        )
        records = derivation.records
    changes = [change for each in derivation.differences for change in each.changes]
    return {f"{each.change} {each.path}" for each in changes if each.country in ("AE", "SA")}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param(
            {"pages/a.en.md": "One.", "pages/a.ar.md": "نص"},
            {"pages/a.ar.md": "نص آخر"},
            {"changed /ae/ar/a", "changed /sa/ar/a"},
            id="the file of one language",
        ),
        pytest.param(
            {"pages/a.md": "---\ntitle: {en: A, ar: أ}\n---\n"},
            {"pages/a.md": "---\ntitle: {en: A, ar: ب}\n---\n"},
            {"changed /ae/ar/a", "changed /sa/ar/a", "changed /ae/en/a", "changed /sa/en/a"},
            id="a file with both languages",
        ),
        pytest.param(
            {"pages/a.en.md": "---\nheading: Old\n---\nOne.", "pages/a.ar.md": "نص"},
            {"pages/a.en.md": "---\nheading: New\n---\nOne."},
            {"changed /ae/ar/a", "changed /sa/ar/a", "changed /ae/en/a", "changed /sa/en/a"},
            id="a text that the other language borrows",
        ),
        pytest.param(
            {"pages/a.en.md": "One.", "pages/a.sa.en.md": "Of Saudi Arabia."},
            {"pages/a.sa.en.md": "Other."},
            {"changed /sa/en/a"},
            id="the layer of a country",
        ),
        pytest.param(
            {"pages/a.en.md": "One."},
            {"pages/a.en.md": "---\nseo: {noIndex: true}\n---\nOne."},
            {"gone /ae/en/a", "gone /sa/en/a"},
            id="a page that leaves the sitemap",
        ),
        pytest.param(
            {"pages/a.en.md": "One.", "countries/sa.md": "---\ntitle: {en: x, ar: س}\n---\n"},
            {"countries/sa.md": "---\ntitle: {en: x, ar: س}\nenabled: false\n---\n"},
            {"gone /sa/en/a", "gone /sa/en", "gone /sa/ar"},
            id="a country that is disabled",
        ),
        pytest.param(
            {"cities/riyadh.md": CITY, "registry/erp.en.md": "One."},
            {"registry/erp.sa.riyadh.en.md": "Of Riyadh."},
            {"published /sa/en/cities/riyadh/erp"},
            id="the layer of a city",
        ),
        pytest.param(
            {"posts/a.en.md": "One."},
            {"posts/b.en.md": "---\npublished: false\n---\n"},
            set(),
            id="a draft",
        ),
    ],
)
def test_a_page_changes_with_its_own_content(
    view_of: ViewOf, before: Mapping[str, str], after: Mapping[str, str], expected: set[str]
) -> None:
    """For the readers who see it."""
    assert told(before, after, view_of) == expected
