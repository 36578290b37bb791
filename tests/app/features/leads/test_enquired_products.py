"""An enquiry about several products: pages pass it on by their links, and the lead has it."""

from __future__ import annotations

import json
import re
from html import unescape
from urllib.parse import urlencode

from cases import cases
from contract.visitor import Visitor

HTML = {"Accept": "text/html"}
FORM = {"Content-Type": "application/x-www-form-urlencoded", **HTML}
JSON = {"Content-Type": "application/json"}
CONTACT = "/sa/en/contact"
QUERY = "product=counter-pos-15:2&product=printer-receipt-80:1"
_QUANTITY = re.compile(r'name="product:([\w-]+)" type="number" [^>]*value="(\d+)"')


def asked(visitor: Visitor, query: str) -> dict[str, int]:
    """Return what the contact form asks for with a query."""
    found = _QUANTITY.findall(visitor.get(f"{CONTACT}?{query}", HTML).text)
    return {slug: int(number) for slug, number in found}


@cases(
    ("query", "expected"),
    [
        (QUERY, {"counter-pos-15": 2, "printer-receipt-80": 1}),
        ("product=counter-pos-15", {"counter-pos-15": 1}),
        ("product=counter-pos-15&quantity=7", {"counter-pos-15": 7}),
        (
            f"{QUERY}&product=counter-pos-15&quantity=5",
            {"counter-pos-15": 5, "printer-receipt-80": 1},
        ),
        ("items=pocket-pos&items=kiosk-24", {"pocket-pos": 1, "kiosk-24": 1}),
        ("product=counter-pos-15:99999999", {"counter-pos-15": 9999}),
        ("product=counter-pos-15:0", {"counter-pos-15": 1}),
        ("product=counter-pos-15:many", {"counter-pos-15": 1}),
        ("product=no-such:3&product=&product=scanner-presentation", {}),
        ("product=%3Cscript%3E:2", {}),
    ],
)
def test_the_form_has_the_products_of_its_address(
    sample: Visitor, query: str, expected: dict[str, int]
) -> None:
    """Those that are sold, each with a quantity; the last one of a product counts."""
    assert asked(sample, query) == expected


@cases(
    "path",
    ["/sa/en/products", "/sa/en/products/pocket-pos", "/sa/en/products/compare?items=pocket-pos"],
)
def test_pages_of_products_pass_an_enquiry_on(sample: Visitor, path: str) -> None:
    """In links to products and to the form, in forms, and to the other language; nowhere else."""
    sign = "&" if "?" in path else "?"
    page = sample.get(f"{path}{sign}{QUERY}", HTML).text
    links = [unescape(each) for each in re.findall(r'<a [^>]*href="(/[^"]*)"', page)]
    below = re.compile(r"/\w+/(en|ar)/(products|contact)\b(?!\.)")
    passing = [each for each in links if below.match(each)]
    assert passing
    assert all(QUERY in each for each in passing), passing
    assert {each[:7] for each in passing} >= {"/sa/en/", "/sa/ar/", "/kw/en/"}
    assert not any("product=" in each for each in links if each not in passing)
    assert 'name="product" value="counter-pos-15:2"' in page
    assert "Your enquiry" in page
    assert "noindex" in re.findall(r'<meta name="robots" content="([^"]*)">', page)[0]
    plain = sample.get(path, HTML).text
    assert "Your enquiry" not in plain
    assert not re.search(r'href="[^"]*[?;]product=', plain)


def test_a_product_is_added_with_its_quantity(sample: Visitor) -> None:
    """To the form, or to the list to look further; the form of the page tells of the page."""
    page = sample.get(f"/sa/en/products/pocket-pos?{QUERY}", HTML).text
    (form,) = re.findall(r'<form class="enquire".*?</form>', page, re.DOTALL)
    assert f'action="{CONTACT}"' in form
    assert 'formaction="/sa/en/products"' in form
    assert form.count('<button class="button') == form.count('name="product" value="pocket-pos"')
    sent = [*re.findall(r'name="([\w:]+)" value="([^"]*)">', form.partition("<div")[0])]
    assert ("page", "/sa/en/products/pocket-pos") in sent
    query = urlencode([*sent, ("quantity", "3"), ("product", "pocket-pos")])
    expected = {"counter-pos-15": 2, "printer-receipt-80": 1, "pocket-pos": 3}
    assert asked(sample, query) == expected
    again = sample.get("/sa/en/products/counter-pos-15?" + QUERY, HTML).text
    assert re.search(r'id="quantity" [^>]*value="2"', again)
    assert 'value="counter-pos-15:2"' not in again


def test_a_product_can_be_removed(sample: Visitor) -> None:
    """By a link that has the others, down to none."""
    for left in ({"printer-receipt-80": 1}, {}):
        query = QUERY if left else "product=printer-receipt-80:1"
        page = sample.get(f"{CONTACT}?{query}", HTML).text
        link = unescape(re.findall(r'href="[^"?]*\?([^"]*)">Remove', page)[0])
        assert asked(sample, link) == left


def test_the_lead_has_the_products(sample: Visitor) -> None:
    """Without those of which there are to be none; the first is also its product."""
    sample.forget_leads()
    fields = {
        "email": "noor@example.test",
        "product:counter-pos-15": "4",
        "product:printer-receipt-80": "0",
        "product:pocket-pos": "1",
    }
    assert sample.ask("POST", CONTACT, FORM, body=urlencode(fields).encode()).status == 303
    (stored,) = sample.leads()
    expected = [{"slug": "counter-pos-15", "quantity": 4}, {"slug": "pocket-pos", "quantity": 1}]
    assert json.loads(stored.lead.model_dump_json())["products"] == expected
    assert stored.lead.product_service == "counter-pos-15"
    assert stored.lead.product_list == "counter-pos-15:4 pocket-pos:1"
    sample.forget_leads()


def test_what_is_refused_keeps_its_products(sample: Visitor) -> None:
    """With their quantities."""
    fields = {"email": "noor", "product:counter-pos-15": "4", "product:pocket-pos": "0"}
    reply = sample.ask("POST", CONTACT, FORM, body=urlencode(fields).encode())
    assert reply.status == 400
    assert _QUANTITY.findall(reply.text) == [("counter-pos-15", "4")]


@cases(
    ("products", "status"),
    [
        ([{"slug": "till", "quantity": 2}], 200),
        ([{"slug": "till", "quantity": 2.0}], 200),
        ([{"slug": "till", "quantity": 2.5}], 400),
        ([], 200),
        ([{"slug": "till", "quantity": 0}], 400),
        ([{"slug": "till", "quantity": 10_000}], 400),
        ([{"slug": "", "quantity": 1}], 400),
        ([{"slug": "till"}], 400),
        ([{"slug": "till", "quantity": 1}] * 31, 400),
        ("till:2", 400),
    ],
)
def test_the_api_takes_products(sample: Visitor, products: object, status: int) -> None:
    """Each with a slug and a quantity; what is wrong is named."""
    sample.forget_leads()
    body = json.dumps({"email": "noor@example.test", "products": products}).encode()
    reply = sample.ask("POST", "/api/public/v1/leads", JSON, body=body)
    assert reply.status == status
    if status == 400:
        assert "products" in reply.json["error"]["message"]
    sample.forget_leads()
