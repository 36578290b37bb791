"""A form of a site in a real browser: on a phone, in Arabic, without scripts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from gulf import write_site
from live.checkers import accessibility_faults
from live.chromium import PHONE
from live.server import Server, majlis
from playwright.sync_api import Browser, Page, expect
from samples.forms import FORMS
from samples.tables import TABLES

pytestmark = pytest.mark.slow

DAY = f"{datetime.now(UTC).date() + timedelta(days=30)}"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page on a phone with JavaScript disabled."""
    context = browser.new_context(**PHONE, java_script_enabled=False)
    yield context.new_page()
    context.close()


def test_a_booking_in_arabic_on_a_phone(page: Page, browser: Browser, tmp_path: Path) -> None:
    """A fault keeps the answers and leads to its field; then there is a lead with answers.

    A link fills in answers of fields that people see.
    """
    folder = write_site(tmp_path / "content", FORMS, True)
    with Server(folder, tmp_path) as server:
        page.goto(f"{server.url}/sa/ar/booking")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.get_by_label("المريض").fill("نور")
        page.get_by_label("الخدمة").select_option("vaccination")
        page.get_by_label("المساء").check()
        page.get_by_label("اليوم المفضل").fill(DAY)
        page.get_by_label("أوافق على سياسة الخصوصية").check()
        page.get_by_role("button", name="اطلب موعدًا").click()
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text("الهاتف، البريد الإلكتروني")
        fault = alert.get_by_role("listitem")  # no row of products, in which texts are narrow
        assert fault.evaluate("item => getComputedStyle(item).display") == "list-item"
        expect(page.get_by_label("اليوم المفضل")).to_have_value(DAY)
        expect(page.get_by_label("المساء")).to_be_checked()
        alert.get_by_role("link", name="الهاتف").click()
        page.keyboard.type("0501234567")
        page.get_by_role("button", name="اطلب موعدًا").click()
        expect(page.get_by_role("status")).to_contain_text("وصلنا طلبك")
        page.goto(f"{server.url}/ae/en/careers")
        page.get_by_label("Name").fill("Omar")
        page.get_by_label("E-mail").fill("omar@example.test")
        cv = {"name": "cv.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7 synthetic"}
        page.get_by_label("Your CV").set_input_files(cv)  # type: ignore[arg-type]
        page.get_by_role("button", name="Send").click()
        expect(page.get_by_role("status")).to_contain_text("Thank you")
        checked = browser.new_page()
        for path in ("/sa/ar/booking", "/ae/en/careers", "/ae/en/about"):
            checked.goto(server.url + path)
            assert accessibility_faults(checked) == []
        checked.goto(f"{server.url}/ae/en/booking?service=vaccination&phone=050&day=soon&website=x")
        given = {"service": "vaccination", "phone": "050", "day": "", "website": ""}
        for name, value in given.items():
            expect(checked.locator(f'[name="{name}"]')).to_have_value(value)
        checked.goto(f"{server.url}/ae/en/booking?service=surgery")
        expect(checked.locator('[name="service"]')).to_have_value("")
        checked.close()
    exported = majlis("leads", "export", "--format", "jsonl", folder=tmp_path)
    booking, application = [json.loads(line) for line in exported.stdout.splitlines()]
    assert booking["phoneE164"] == "+966501234567"
    assert booking["answers"]["times"] == ["evening"]
    (file,) = application["answers"]["cv"]
    found = majlis("leads", "file", file["id"], folder=tmp_path)
    assert found.stdout == "%PDF-1.7 synthetic"


def test_a_table_on_a_closed_day_and_on_an_open_one(page: Page, tmp_path: Path) -> None:
    """The form says in Arabic when the branch opens again; its page fits a phone."""
    today = datetime.now(UTC).date()
    friday = today + timedelta(days=(4 - today.weekday()) % 7 + 7)
    folder = write_site(tmp_path / "content", TABLES, True)
    with Server(folder, tmp_path) as server:
        page.goto(f"{server.url}/sa/ar/table")
        send = page.locator("form[method=post] button[type=submit]")
        page.get_by_label("الاسم").fill("نور")
        page.get_by_label("الهاتف").fill("0501234567")
        page.get_by_label("الفرع").select_option("olaya")
        page.get_by_label("عدد الأشخاص").fill("4")
        page.get_by_label("اليوم").fill(f"{friday}")
        page.get_by_label("الوقت").fill("20:30")
        send.click()
        expect(page.get_by_role("alert")).to_contain_text("العليا مغلق يوم الجمعة")
        expect(page.get_by_role("alert")).to_contain_text("ويفتح من جديد يوم السبت")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.get_by_label("اليوم").fill(f"{friday + timedelta(days=1)}")
        send.click()
        expect(page.get_by_role("status")).to_be_visible()
