"""The lowest price of the plans on other pages, and a customer's words beside the prices."""

from __future__ import annotations

from pathlib import Path

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import BASE_URL, Visitor

HTML = {"Accept": "text/html"}
PLANS = """---
title: Plans
{0}---
:::{{plans}} Prices
:id: prices
:testimonial: noor

### Small
:price: 1,250 AED, 99.5 SAR, 31 KWD
:yearly: 9 AED

One shop.

- Users

### Large
:price: 400 AED, 120 SAR, 33 KWD
:includes: small

Two shops.

### Free of charge
:price: request
:::
"""
NOOR = """---
customerName: Salma
company: Noor
image: /images/salma.svg
imageAlt: Portrait of Salma
quote: It paid for itself.
---
"""
SITE = {
    "registry/erp.md": "---\ntitle: ERP\n---\nText.\n",
    "testimonials/noor.md": NOOR,
    "images/salma.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
}


@cases(
    ("locale", "text"),
    [
        pytest.param("ae/en", "[From AED 400 per month](/ae/en/plans.md#prices)", id="lowest"),
        pytest.param("sa/en", "[From SAR 99.50 per month](/sa/en/plans.md#prices)", id="own"),
        pytest.param("kw/ar", "[ابتداءً من 31", id="in Arabic"),
    ],
)
@cases("page", ["/index", "/erp"])
def test_home_and_erp_name_the_lowest_price_of_the_country(
    shared_visit: Visit, locale: str, text: str, page: str
) -> None:
    """The price for the first period, with a link to all plans; other pages do not."""
    site = shared_visit({**SITE, "pages/plans.md": PLANS.format("")})
    markdown = site.get(f"/{locale}{page}.md").text
    assert text in markdown.replace(BASE_URL, "")
    path = f"/{locale}{page.removesuffix('/index')}"
    assert 'class="least"' in site.get(path, HTML).text
    blocks = site.get(f"{path}.json" if page == "/erp" else f"{path}/index.json").json["blocks"]
    assert any(text.partition("]")[0] in each["text"] for each in blocks)
    assert 'class="least"' not in site.get(f"/{locale}/plans", HTML).text


@pytest.mark.parametrize(
    "plans",
    [
        pytest.param({}, id="none"),
        pytest.param({"pages/plans.md": PLANS.format("seo: { noIndex: true }\n")}, id="not listed"),
        pytest.param({"pages/plans.md": PLANS.format("countries: [SA]\n")}, id="elsewhere"),
    ],
)
def test_without_plans_for_all_to_see_there_is_no_price(
    shared_visit: Visit, plans: dict[str, str]
) -> None:
    """None on the site, on a page that is not listed, or in another country."""
    site = shared_visit({**SITE, **plans})
    assert 'class="least"' not in site.get("/ae/en", HTML).text


def test_a_price_follows_the_edit_of_a_plan(visit: Visit, tmp_path: Path) -> None:
    """Also on the pages that only name it."""
    site = visit({**SITE, "pages/plans.md": PLANS.format("")})
    assert "From AED 400" in site.get("/ae/en/index.md").text
    edited = PLANS.format("").replace("400 AED", "300 AED")
    (tmp_path / "content" / "pages" / "plans.md").write_text(edited, encoding="utf-8")
    site.record_changes()
    assert "From AED 300" in site.get("/ae/en/index.md").text


def test_a_customer_s_words_stand_between_prices_and_table(shared_visit: Visit) -> None:
    """In the section of the plans, with portrait and name, in markdown as a quotation."""
    site = shared_visit({**SITE, "pages/plans.md": PLANS.format("")})
    html = site.get("/ae/en/plans", HTML).text
    before, words, after = html.partition("It paid for itself.")
    assert words
    assert 'class="customer"' in before
    assert before.index("Two shops.") < before.index('class="customer"')
    assert after.index('alt="Portrait of Salma"') < after.index("Compare the plans")
    assert "> It paid for itself.\n>\n> ![Portrait of Salma](" in site.get("/ae/en/plans.md").text


def test_customers_of_a_product_stand_below_its_price(shared_visit: Visit) -> None:
    """In HTML; in all forms they are below their own heading, as the text has them."""
    text = "Sells.\n\n:::{quote} A customer\n:testimonial: noor\n:::\n\n## In the box\n\nTwo."
    product = f"---\nsku: A\nname: Till\nprices: {{AED: 9}}\n---\n{text}\n"
    site = shared_visit({**SITE, "products/till.md": product})
    html = site.get("/ae/en/products/till", HTML).text
    purchase, words, after = html.partition('class="purchase"')[2].partition("It paid for itself.")
    assert words
    assert "Sells." not in purchase
    assert after.index("Noor") < after.index("Sells.") < after.index("In the box")
    markdown = site.get("/ae/en/products/till.md").text
    assert "## A customer\n\n> It paid for itself." in markdown
    assert markdown.index("Sells.") < markdown.index("Noor") < markdown.index("In the box")
    blocks = site.get("/ae/en/products/till.json").json["blocks"]
    assert [each["heading"] for each in blocks if "paid" in each["text"]] == ["A customer"]
    found = site.get("/api/public/v1/search?q=paid+for+itself&country=ae&lang=en").json["items"]
    assert any(each["section"]["id"] == "a-customer" for each in found)


def test_the_sample_names_its_prices(sample: Visitor) -> None:
    """In each country in its own currency."""
    for country, price in (("sa", "SAR 399"), ("kw", "KWD 33"), ("om", "OMR 42")):
        assert f"From {price} per month" in sample.get(f"/{country}/en/erp.md").text
