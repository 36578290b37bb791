"""Blocks of declared kinds on the home page, and where its main button leads."""

from __future__ import annotations

from datetime import timedelta

import pytest
from cases import cases
from conftest import NOW, Visit
from contract.visitor import FakeClock, Visitor
from gulf import write_site
from mcp_calls import call

from knowledge.checks.content_linter import check_content
from knowledge.diagnostics.diagnostic import Severity
from knowledge.snapshot.loading import load_content

NOTICE = Severity.NOTICE
HOME = """---
hero: { title: { en: Welcome, ar: أهلًا } }
kinds:
  - { kind: doctors, title: { en: Your doctors, ar: أطباؤك }, limit: 2 }
  - { kind: talks }
demoCta: { title: { en: When would you like to come?, ar: متى تودّ زيارتنا؟ } }
---
"""
SITE = {
    "_kinds/doctors.md": "---\nsingular: Doctor\nplural: Doctors\n---\n",
    "_kinds/talks.md": (
        "---\nsingular: Talk\nplural: { en: Talks, ar: محاضرات }\ndate: startsAt\n"
        "fields: { startsAt: { type: date, show: card } }\n---\n"
    ),
    **{f"doctors/{name}.md": f"---\ntitle: Dr {name}\n---\nText.\n" for name in ("a", "b", "c")},
    "talks/now.md": "---\ntitle: Sleep\nstartsAt: 2026-12-01T13:00:00Z\n---\nText.\n",
    "talks/old.md": "---\ntitle: Salt\nstartsAt: 2025-06-01T13:00:00Z\n---\nText.\n",
    "pages/booking.md": "---\ntitle: Book\n---\nText.\n",
    "registry/contact.md": "---\ntitle: Contact\n---\nText.\n",
    "site/home.md": HOME,
    "site/navigation.md": "---\naction: /booking\n---\n",
}


def home(visitor: Visitor, locale: str = "/sa/en") -> str:
    """Return the text of the home page."""
    return visitor.get(locale, {"Accept": "text/html"}).text.partition("<main")[2]


def test_blocks_show_the_first_documents_of_kinds(visit: Visit, clock: FakeClock) -> None:
    """As cards with a link to all; of events those to come, and no block without any."""
    site = visit(SITE)
    shown = home(site)
    assert shown.index("Your doctors</h2>") < shown.index("Dr b</a>") < shown.index("Talks</h2>")
    assert "Dr c" not in shown
    assert "Salt" not in shown
    assert (
        '<a href="/sa/en/doctors">Show all<span class="hidden">: Your doctors</span></a>' in shown
    )
    assert ">محاضرات<" in home(site, "/sa/ar")
    body = site.get("/api/public/v1/homepage?country=sa").json
    assert [(each["kind"], each["path"]) for each in body["kinds"]] == [
        ("doctors", "/sa/en/doctors"),
        ("talks", "/sa/en/talks"),
    ]
    assert [each["title"] for each in body["kinds"][0]["items"]] == ["Dr a", "Dr b"]
    text = site.get("/sa/en/index.md").text
    assert "## Your doctors\n\n- [Dr a](" in text
    clock.move(timedelta(days=365))
    assert "Talks</h2>" not in home(site)


def test_the_main_button_leads_to_the_page_of_the_site(visit: Visit) -> None:
    """In header and bar at the foot, at both ends of the home page; by default to the contact."""
    site = visit({**SITE, "site/words.md": "---\ntalkToUs: Book a visit\n---\n"}, mcp=True)
    whole = site.get("/sa/en", {"Accept": "text/html"}).text
    assert whole.count('<a class="button" href="/sa/en/booking"') == 4
    offer = call(site, "find_passages", "/sa/en", query="When would you like to come")
    assert "/sa/en/booking.md)" in offer["passages"][0]["text"]
    plain = visit({**SITE, "site/navigation.md": "---\n---\n"})
    assert '<a class="button" href="/sa/en/contact"' in plain.get("/sa/en/booking").text


SECTIONS = """
:::{hero}
:id: screen

![A screen](/images/screen.svg)
:::

:::{quote} Words
:after: doctors

> Fast.
:::

:::{quote} Others
:after: modules

> Good.
:::

:::{stats} Figures
- **3**: doctors
:::
"""
ICON = "icon: /images/screen.svg\n"


def test_sections_stand_on_the_home_page(visit: Visit) -> None:
    """After the blocks that they name, else after the figures; a hero is beside the title."""
    files = {
        "site/home.md": HOME + SECTIONS,
        "modules/till.md": f"---\ntitle: Till\n{ICON}---\nText.\n",
        "registry/erp.md": f"---\ntitle: All\n---\n{SECTIONS}",
        "images/screen.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"/>',
    }
    site = visit({**SITE, **files})
    shown = home(site)
    places = [shown.index(each) for each in ("<img ", "Words</h2>", "Till</a>", "Others</h2>")]
    assert places == sorted(places)
    assert shown.index("Others</h2>") < shown.index("Figures</h2>")
    assert 'class="icon" src="/images/screen.' in shown
    body = site.get("/api/public/v1/homepage?country=sa").json
    assert body["modules"]["items"][0]["icon"] == "/images/screen.svg"
    assert "## Figures" in site.get("/sa/en/index.md").text
    opened = site.get("/sa/en/erp").text.partition("<h1")
    assert '<header class="hero">' in opened[0]
    assert opened[2].index("/images/screen.") < opened[2].index("</header>")


@cases(
    ("path", "text", "problem"),
    [
        (
            "site/home.md",
            HOME + ":::{quote} Words\n:after: modules\n\n> Fast.\n:::\n"
            ":::{quote} Others\n:after: doctors\n\n> Good.\n:::\n",
            "The section “others” names “doctors”, which the page lacks.",
        ),
        (
            "modules/till.md",
            "---\ntitle: Till\nicon: /images/nowhere.svg\n---\nText.\n",
            "icon: the image /images/nowhere.svg does not exist.",
        ),
        (
            "site/home.md",
            HOME.replace("kind: talks", "kind: walks"),
            "The home page names the unknown kind “walks”.",
        ),
        ("site/navigation.md", "---\naction: /nowhere\n---\n", "Broken link in the menu entry"),
    ],
)
def test_what_leads_nowhere_is_named(
    tmp_path_factory: pytest.TempPathFactory, path: str, text: str, problem: str
) -> None:
    """By the check, which finds nothing else."""
    folder = write_site(tmp_path_factory.mktemp("site"), {**SITE, path: text})
    (found,) = (
        each for each in check_content(load_content(folder), NOW) if each.severity is not NOTICE
    )
    assert found.message.startswith(problem)
    assert found.path == path
