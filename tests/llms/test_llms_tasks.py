"""llms.txt for tasks: few tokens, and the link that leads to the answer of each."""

from __future__ import annotations

import re
from typing import NamedTuple

from cases import cases
from conftest import ViewOf
from contract.visitor import BASE_URL, Visitor
from gulf import all_locales

from knowledge.markdown.tokens import estimate_tokens
from knowledge.resources.site_map import site_map
from llms import llms_txt


class Task(NamedTuple):
    """A question, the page that answers it, words of the answer, and those that lead to it."""

    question: str
    page: str
    answer: str
    lead: str


TASKS = (
    Task("Starter in Kuwait", "/kw/en/pricing", "**KWD 33** per month", "prices"),
    Task("سعر الباقة الأساسية في السعودية", "/sa/ar/pricing", "458.85 ر.س. شامل", "الأسعار"),
    Task("سعر الباقة الأساسية في قطر", "/qa/ar/pricing", "**399 ر.ق.** شهريًا", "الأسعار"),
    Task("سعر باقة النمو في الكويت", "/kw/ar/pricing", "**104 د.ك.** شهريًا", "الأسعار"),
    Task("Growth in Saudi Arabia", "/sa/en/pricing", "SAR 1,437.50 incl. 15% VAT", "prices"),
    Task("Growth in Qatar", "/qa/en/pricing", "**QAR 1,250** per month", "prices"),
    Task("الماسح اللاسلكي", "/qa/ar/products/scanner-wireless-2d", "590.00 ر.ق.", "اللاسلكي"),
    Task("Wireless scanner", "/sa/en/products/scanner-wireless-2d", "SAR 695.75", "cordless"),
    Task("Kiosk in Qatar", "/qa/en/products/kiosk-24", "QAR 8,810.00", "self-order kiosk"),
    Task("جهاز الطلب الذاتي", "/sa/ar/products/kiosk-24", "10,442.00 ر.س.", "للطلب"),
    Task("Hours in Riyadh", "/sa/en/contact", "It is open Sunday to Thursday", "Riyadh"),
    Task("هاتف مسقط", "/om/ar/contact", "+968 2455 0142", "مسقط"),
    Task("VAT number", "/sa/en/contact", "300455501420003", "Contact"),
    Task("VAT rate in Oman", "/om/en/faqs", "5% in Oman", "VAT"),
    Task("نسبة الضريبة في البحرين", "/bh/ar/faqs", "10%", "ضريبة"),
    Task("Data of customers in Oman", "/om/en/privacy", "UAE and Saudi regions", "hosted"),
    Task("بيانات الشركات السعودية", "/sa/ar/privacy", "السعودية", "بيانات"),
    Task("مدة الضمان", "/ae/ar/faqs", "الضمان", "الضمان"),
    Task("Time of a rollout", "/ae/en/faqs", "6 to 10 weeks", "rollout"),
    Task("Returns", "/ae/en/terms", "within 14 days", "returns"),
    Task("المستخدمون في باقة النمو", "/ae/ar/pricing", "حتى 25", "25"),
    Task("Selling offline", "/ae/en/blog/offline-pos-in-practice", "offline", "Offline"),
    Task("زاتكا", "/sa/ar/blog/zatca-phase-2-explained", "المرحلة الثانية", "المرحلة الثانية"),
    Task("Prints Arabic", "/ae/en/products/printer-receipt-80", "joined Arabic", "printer"),
    Task("900 people", "/ae/en/products/biometric-fingerprint", "1,000", "attendance"),
    Task("A demo", "/kw/en/contact", "/api/public/v1/leads", "Contact"),
    Task("Trial", "/ae/en/pricing", "30 days", "trial"),
)


@cases("task", TASKS)
def test_the_line_of_the_page_that_answers_is_in_llms_txt(sample: Visitor, task: Task) -> None:
    """A reader of it finds the page by the words of its line; the page has the answer."""
    country, lang = task.page.split("/")[1:3]
    guide = sample.get(f"/{country}/{lang}/llms.txt").text
    (line,) = re.findall(rf"^- \[.*\({BASE_URL}{task.page}\.md\): .*$", guide, re.MULTILINE)
    assert task.lead in line.replace(f"{task.page}.md", "")
    assert task.answer in sample.get(f"{task.page}.md").text


@cases(
    ("path", "before"),
    [("/llms.txt", 6_410), ("/ae/en/llms.txt", 6_083), ("/sa/ar/llms.txt", 9_288)],
)
def test_it_has_a_seventh_fewer_tokens_than_with_a_reason_on_each_line(
    sample: Visitor, path: str, before: int
) -> None:
    """With descriptions that are whole; the figures before are of the sample in November 2026."""
    assert estimate_tokens(sample.get(path).text) <= before * 0.85


def test_what_holds_for_a_whole_section_is_said_once(sample: Visitor) -> None:
    """Before the first section, as parsers of the format expect only links in one."""
    head, _, sections = sample.get("/sa/en/llms.txt").text.partition("\n## ")
    assert "\n- Products: its price or details are asked for\n" in head
    assert "\n- Cities: the reader is in that city\n" in head
    assert "its price or details" not in sections


def test_lines_have_the_date_of_the_last_change(sample: Visitor) -> None:
    """That of the author; a list that no author dates has none."""
    lines = sample.get("/ae/en/llms.txt").text.splitlines()
    pricing, products, post = (
        next(line for line in lines if f"/ae/en/{page}.md)" in line)
        for page in ("pricing", "products", "blog/vat-across-the-gulf")
    )
    assert pricing.endswith("no card needed. 2026-10-06")
    assert post.endswith("/blog/vat-across-the-gulf.md): 2026-08-18")
    assert not re.search(r"\d{4}-\d\d-\d\d", products)


def test_a_page_of_which_nothing_is_known_has_a_line_too(view_of: ViewOf) -> None:
    """How its text begins; a date in the future is not told."""
    view = view_of({"pages/bread.md": "---\ntitle: Bread\nupdatedAt: 2999-01-01\n---\nText.\n"})
    guide = llms_txt.render_locale(view, site_map(view.snapshot, view.now)).body.decode()
    line = next(line for line in guide.splitlines() if "/bread.md)" in line)
    assert line == f"- [Bread]({view.absolute('/ae/en/bread.md')}): Text."


@cases("path", [f"{locale.path}/llms.txt" for locale in all_locales()])
def test_no_line_is_cut_short_or_says_only_the_name_of_its_section(
    sample: Visitor, path: str
) -> None:
    """Each says what its page is about, or when it changed, and ends with a whole word."""
    text = sample.get(path).text
    headings = set(re.findall("^## (.*)$", text, re.MULTILINE))
    said = re.findall(r"^- \[.*?\]\([^)]*\)(?:: (.*))?$", text, re.MULTILINE)
    assert len(said) > 60
    assert [each for each in said if not each or each in headings] == []
    assert [each for each in said if "…" in each and len(each) < 100] == []


def test_posts_without_a_date_or_a_description_say_how_they_begin(view_of: ViewOf) -> None:
    """Also on a site with so many pages that lines have no descriptions."""
    posts = {f"posts/p{number}.md": f"Post {number} begins here.\n" for number in range(200)}
    view = view_of({name: f"---\ntitle: T\n---\n{text}" for name, text in posts.items()})
    guide = llms_txt.render_locale(view, site_map(view.snapshot, view.now)).body.decode()
    assert ": Post 150 begins here." in guide
    assert not re.search(r": Blog$", guide, re.MULTILINE)


def test_the_line_of_an_event_says_when_it_is(view_of: ViewOf) -> None:
    """After its description; in Arabic too, in a whole sentence."""
    kind = """---
singular: {en: Event, ar: فعالية}
plural: {en: Events, ar: الفعاليات}
date: starts
fields:
  starts: {type: date, label: {en: Starts, ar: تبدأ}}
---
"""
    event = "---\ntitle: {en: Oud, ar: العود}\nstarts: 2026-12-10\n---\nThree players.\n"
    files = {"_kinds/events.md": kind, "events/oud.md": event, "events/oud.ar.md": "ثلاثة عازفين."}
    for locale, said in (
        ("ae/en", "use when the question is about “Oud”. Three players. Starts: 10 December 2026"),
        ("ae/ar", "يُستخدم عندما يكون السؤال عن «العود». ثلاثة عازفين. تبدأ: 10 ديسمبر 2026"),
    ):
        view = view_of(files, locale)
        guide = llms_txt.render_locale(view, site_map(view.snapshot, view.now)).body.decode()
        assert f"/{locale}/events/oud.md): {said}\n" in guide
