"""Enquiries in a real browser: their origin is stored, and a refused form keeps its input."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import httpx
import pytest
from live.chromium import PHONE
from live.fixtures import SAMPLE, made_of_sample
from live.server import Server, majlis
from playwright.sync_api import Browser, Locator, Page, expect

pytestmark = pytest.mark.slow

TYPED = {"name": "نور", "email": "noor@example.test", "message": "Two tills.\nMay we see one?"}
TILL = "Wahat Counter 15"
CAMPAIGN = "utm_source=newsletter&utm_campaign=spring"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page on a phone with JavaScript disabled."""
    context = browser.new_context(**PHONE, java_script_enabled=False)
    yield context.new_page()
    context.close()


def fill(page: Page) -> None:
    """Type into the form."""
    for name, value in TYPED.items():
        page.locator(f"#contact-{name}").fill(value)


def send(page: Page) -> int:
    """Send the form and return the status of the answer to it."""
    with page.expect_response(lambda response: response.request.method == "POST") as response:
        page.locator("#contact-form button[type=submit]").click()
    page.wait_for_load_state()
    return response.value.status


def check_input(page: Page, alert: str) -> None:
    """Check that the form says why it was refused, and has everything that was typed."""
    expect(page.get_by_role("alert")).to_contain_text(alert)
    for name, value in TYPED.items():
        expect(page.locator(f"#contact-{name}")).to_have_value(value)


def test_an_enquiry_keeps_its_origin_and_its_input(page: Page, tmp_path: Path) -> None:
    """From a campaign over a product to the lead; a fault and the rate limit lose nothing."""
    with Server(SAMPLE, tmp_path, **made_of_sample()) as server:
        page.goto(f"{server.url}/sa/en/products/counter-pos-15?{CAMPAIGN}")
        page.get_by_role("spinbutton", name="Quantity").fill("3")
        page.get_by_role("navigation", name="Contact at once").get_by_role("button").click()
        asked = page.get_by_role("spinbutton", name=f"Quantity: {TILL}")
        expect(asked).to_have_value("3")
        fill(page)
        page.locator("#contact-email").fill("noor@example")
        assert send(page) == 400
        expect(page.locator("#contact-message")).to_have_value(TYPED["message"])
        expect(asked).to_have_value("3")
        page.locator("#contact-email").fill(TYPED["email"])
        assert send(page) == 303
        expect(page.get_by_role("status")).to_contain_text("within one working day")

        page.get_by_role("link", name="Write another message").click()
        fill(page)
        for _ in range(10):
            httpx.post(f"{server.url}/api/public/v1/leads", json={})
        assert send(page) == 429
        check_input(page, "send it again in 10 minutes")
    exported = majlis("leads", "export", "--format", "jsonl", folder=tmp_path)
    (lead,) = [json.loads(line) for line in exported.stdout.splitlines()]
    origin = {
        "topic": "pricing",
        "productService": "counter-pos-15",
        "page": "/sa/en/products/counter-pos-15",
        "utm_source": "newsletter",
        "utm_campaign": "spring",
    }
    assert {name: lead[name] for name in origin} == origin


@pytest.mark.parametrize(
    ("locale", "error", "thanks"),
    [("/ae/en", "Error: ", "Thank you: "), ("/sa/ar", "خطأ: ", "شكرًا لك: ")],
)
def test_the_answer_is_what_a_phone_shows(
    locale: str, error: str, thanks: str, page: Page, tmp_path: Path
) -> None:
    """The message is in view and has the focus, and the title begins with what became of it."""
    with Server(SAMPLE, tmp_path, **made_of_sample()) as server:
        page.goto(f"{server.url}{locale}/contact")
        form, details = page.locator("#contact-form form"), page.locator("#contact-form .reach")
        assert top_of(form) < top_of(details)
        fill(page)
        page.locator("#contact-email").fill("noor@example")
        assert send(page) == 400
        check_answer(page, "alert", error)
        page.locator("#contact-email").fill(TYPED["email"])
        assert send(page) == 303
        check_answer(page, "status", thanks)


def check_answer(page: Page, role: Literal["alert", "status"], word: str) -> None:
    """Check that the page stands at its message, which has the focus, and has the title of it."""
    message = page.get_by_role(role)
    expect(message).to_be_focused()
    expect(page).to_have_title(re.compile(f"^{word}"))
    assert 0 <= top_of(message) < PHONE["viewport"]["height"] / 2


def top_of(part: Locator) -> float:
    """Return how far below the upper edge of the viewport a part of the page begins."""
    box = part.bounding_box()
    assert box is not None
    return box["y"]


def test_a_store_that_is_away_loses_no_input(page: Page, tmp_path: Path) -> None:
    """It can be sent again as it is once the store is back."""
    obstacle = tmp_path / "obstacle"
    obstacle.write_text("")
    settings = made_of_sample() | {"DATABASE_URL": f"sqlite:///{obstacle}/majlis.db"}
    with Server(SAMPLE, tmp_path, **settings) as server:
        page.goto(f"{server.url}/ae/en/contact")
        fill(page)
        assert send(page) == 503
        check_input(page, "could not be saved")
        obstacle.unlink()
        assert send(page) == 303


def test_a_browser_proves_its_work_while_the_form_is_filled_in(
    browser: Browser, tmp_path: Path
) -> None:
    """Without JavaScript the enquiry arrives too, and a person looks at it first."""
    problems: list[str] = []
    with Server(SAMPLE, tmp_path, LEADS_PROOF="altcha", **made_of_sample()) as server:
        for script in (True, False):
            context = browser.new_context(**PHONE, java_script_enabled=script)
            page = context.new_page()
            page.on("console", lambda message: problems.append(message.text))
            page.goto(f"{server.url}/ae/en/contact")
            fill(page)
            page.locator("#contact-email").fill(f"script-{script}@example.test")
            if script:
                proof = page.locator("input[name=altcha]")
                expect(proof).not_to_have_value("", timeout=30_000)
            assert send(page) == 303
            context.close()
    exported = majlis("leads", "export", "--format", "jsonl", folder=tmp_path)
    reviewed = majlis("leads", "review", "--json", folder=tmp_path)
    leads = [json.loads(line)["email"] for line in exported.stdout.splitlines()]
    assert leads == ["script-True@example.test"]
    assert reviewed.stdout.count("no_proof") == 1
    assert "script-False@example.test" in reviewed.stdout
    assert problems == []
