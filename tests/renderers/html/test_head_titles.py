"""Titles in the heads of pages: they tell countries and cities apart."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from conftest import Visit
from contract.visitor import Visitor
from page_heads import page_head

SETTINGS = "---\nseo: {pageTitle: {en: Wahat | ERP, ar: واحات | نظام}}\n---\n"
FILES: Mapping[str, str] = {
    "site/settings.md": SETTINGS,
    "countries/ae.md": "---\nshortName: {en: UAE, ar: الإمارات}\n---\n",
    "countries/om.md": "",
    "countries/bh.md": "",
    "pages/plans.md": "---\ntitle: {en: Plans, ar: الخطط}\n---\nText.\n",
    "pages/plans.ar.md": "---\ntitle: الخطط\n---\nنص.\n",
    "pages/team.md": "---\ntitle: The people of Wahat\n---\nText.\n",
    "pages/vat.md": "---\ntitle: VAT in Oman\n---\nText.\n",
    "pages/both.md": "---\ntitle: VAT in Oman and Bahrain\n---\nText.\n",
    "pages/tax.ar.md": "---\ntitle: الضريبة في عمان\n---\nنص.\n",
    "pages/only.md": "---\ntitle: Only here\ncountries: [OM]\n---\nText.\n",
    "cities/muscat.md": "---\ncountryCode: OM\nname: Muscat\ntitle: Our branch\n---\nText.\n",
    "cities/sohar.md": "---\ncountryCode: OM\nname: Sohar\ntitle: ERP in Sohar\n---\nText.\n",
    "pages/plans.om.muscat.md": "---\nshortDescription: For the capital.\n---\n",
}
TITLES = {
    "/ae/en/plans": "Plans | Wahat – UAE",
    "/om/en/plans": "Plans | Wahat – Oman",
    "/om/ar/plans": "الخطط | واحات – عُمان",
    "/bh/en/team": "The people of Wahat | Bahrain",
    "/om/en/vat": "VAT in Oman | Wahat",
    "/bh/en/vat": "VAT in Oman | Wahat – Bahrain",
    "/om/en/both": "VAT in Oman and Bahrain | Wahat – Oman",
    "/bh/en/both": "VAT in Oman and Bahrain | Wahat – Bahrain",
    "/om/ar/tax": "الضريبة في عمان | واحات",
    "/om/en/only": "Only here | Wahat",
    "/om/en/cities/muscat": "Our branch | Wahat – Muscat",
    "/om/en/cities/sohar": "ERP in Sohar | Wahat",
    "/om/en/cities/muscat/plans": "Plans | Wahat – Muscat",
}


def title(site: Visitor, path: str) -> str:
    """Return the title in the head of a page."""
    head = page_head(site.get(path, {"Accept": "text/html"}))
    assert head
    return head.title


def test_a_title_names_the_place_once(visit: Visit) -> None:
    """Unless the title names it, and no other place of the site, or no other country has it."""
    site = visit(dict(FILES))
    assert {path: title(site, path) for path in TITLES} == TITLES


@pytest.mark.parametrize("countries", [True, False])
def test_a_site_of_one_country_names_none(visit: Visit, countries: bool) -> None:
    """There is nothing to tell apart."""
    files = {"site/settings.md": SETTINGS, "pages/plans.md": "---\ntitle: Plans\n---\nText.\n"}
    files |= {"countries/ae.md": ""} if countries else {}
    path = "/ae/en/plans" if countries else "/en/plans"
    assert title(visit(files, countries=False), path) == "Plans | Wahat"
