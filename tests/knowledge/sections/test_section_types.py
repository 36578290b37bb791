"""The types of sections: their items in the API, and what the check reports."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from cases import cases
from conftest import NOW, Content, ViewOf, document_of, locale_of
from guide_sections import EXAMPLES, GUIDE

from knowledge.checks.content_linter import check_content
from knowledge.diagnostics.diagnostic import DiagnosticKind
from knowledge.fields.file_types import DOWNLOAD_TYPES
from knowledge.resources.pages import page_detail
from knowledge.sections.sections import DECLARED_SECTIONS, section_diagnostics
from knowledge.snapshot.loading import load_content
from renderers import json as json_renderer

TEXTS = [text for _, text in EXAMPLES]
COUNTRIES: dict[str, str | bytes] = {
    "countries/ae.md": '---\nvatRate: "5"\n---\n',
    "countries/sa.md": '---\nvatRate: "15"\n---\n',
    "countries/kw.md": "",
}
PLANS = """:::{plans} Plans
### Starter
:price: 399 AED, SAR 400, 33 KWD
:yearly: 3,990 AED

- Up to **5** users
- One company

[Try it](/contact)

### Growth
:price: 72.5
:period: once
:recommended: true

### Enterprise
:price: request

We agree on it.
:::"""


def section_of(
    view_of: ViewOf, text: str, locale: str = "ae/en", files: Mapping[str, str | bytes] = COUNTRIES
) -> Any:
    """Return the only section of a page, as JSON."""
    page = {"pages/a.md": f"---\ntitle: A\n---\n{text}"}
    view = view_of({**page, **COUNTRIES, **files}).for_locale(locale_of(locale))
    body = json.loads(json_renderer.render(page_detail(view, "a")).body)
    (section,) = body["page"]["sections"]
    return section


NAMED: Mapping[str, str | bytes] = {
    "forms/ask.md": "---\ntitle: Ask\nfields:\n  email: { type: email }\n---\n",
    "_kinds/things.md": "---\nsingular: { en: Thing }\nplural: { en: Things }\n---\n",
    "things/lamp.md": "---\ntitle: Lamp\n---\nText.\n",
}


@cases("name", DECLARED_SECTIONS.directives)
def test_the_guide_has_an_example_of_each_type(name: str) -> None:
    """Under each of its names, or beside the first one."""
    section_type = DECLARED_SECTIONS.named(name)
    assert section_type.name in dict(EXAMPLES)
    assert f"**{name}**" in GUIDE or f"`{name}`" in GUIDE


@cases("example", TEXTS)
def test_an_example_of_the_guide_lacks_nothing(example: str) -> None:
    """An author may copy it."""
    assert list(section_diagnostics(document_of("pages/a.md", example))) == []


@pytest.mark.parametrize("name", DECLARED_SECTIONS.names[1:])
def test_each_type_can_be_hidden_and_has_ids(view_of: ViewOf, name: str) -> None:
    """Of itself, and of its items if it has some."""
    option = {"form": ":form: ask\n", "entries": ":kind: things\n"}.get(name, "")
    text = f":::{{{name}}} Title {{#own}}\n{option}%s\n### One {{#first}}\nText.\n:::"
    section = section_of(view_of, text % "", files=NAMED)
    assert (section["id"], section["heading"]) == ("own", "Title")
    own_type = section["layout"]["name"] if "layout" in section else section["type"]
    assert own_type == name
    page = {"pages/a.md": f"---\ntitle: A\n---\n{text % ':visible: false'}"}
    hidden = page_detail(view_of({**page, **NAMED}), "a").resource
    assert hidden.page.sections == []
    page = {"pages/a.md": f"---\ntitle: A\n---\n{text % ''}"}
    shown = page_detail(view_of({**page, **NAMED}), "a").resource
    assert "first" in shown.heading_ids


@pytest.mark.parametrize(
    ("locale", "starter"),
    [
        pytest.param("ae/en", ("399.00", "AED", "5", "418.95"), id="AE"),
        pytest.param("sa/en", ("400.00", "SAR", "15", "460.00"), id="SA"),
        pytest.param("kw/en", ("33.000", "KWD", None, None), id="without a rate"),
    ],
)
def test_a_plan_has_the_price_of_the_country(
    view_of: ViewOf, locale: str, starter: tuple[str, str, str | None, str | None]
) -> None:
    """With VAT at its rate; without a rate nothing says that there is none."""
    first, growth, enterprise = section_of(view_of, PLANS, locale)["layout"]["entries"]
    price = first["prices"][0]
    found = (price["amount"], price["currency"], price.get("vatRate"), price.get("amountWithVat"))
    assert found == starter
    assert price["period"] == "month"
    assert growth["prices"][0]["period"] == "once"
    assert growth["prices"][0]["currency"] == starter[1]
    assert growth["recommended"] is True
    assert not {"prices", "recommended"} & enterprise.keys()


def test_a_price_in_another_currency_only_has_no_vat(view_of: ViewOf) -> None:
    """It is shown as it is."""
    yearly = section_of(view_of, PLANS, "sa/en")["layout"]["entries"][0]["prices"][1]
    assert yearly == {"period": "year", "amount": "3990.00", "currency": "AED"}


def test_the_items_of_a_plan_are_its_features(view_of: ViewOf) -> None:
    """Its text stays whole."""
    first = section_of(view_of, PLANS)["layout"]["entries"][0]
    assert first["features"] == ["Up to **5** users", "One company"]
    assert first["links"] == [{"label": "Try it", "href": "/contact"}]
    assert first["text"] == "- Up to **5** users\n- One company\n\n[Try it](/contact)"


@pytest.mark.parametrize(
    ("text", "items"),
    [
        pytest.param(
            ":::{pricing} P\n### A\n:price: 1 USD\n:::",
            [{"title": "A", "prices": [{"period": "month", "amount": "1.00", "currency": "USD"}]}],
            id="plans by their other name",
        ),
        pytest.param(
            ":::{team} T\n### Maryam\n:role: Chief\n\n![M](/m.png)\n\nHi.\n:::",
            [
                {
                    "title": "Maryam",
                    "text": "![M](/m.png)\n\nHi.",
                    "role": "Chief",
                    "image": {"src": "/m.png", "alt": "M"},
                }
            ],
            id="team",
        ),
        pytest.param(
            ":::{comparison} C\n| | S | G |\n|---|---|---|\n| Users | 5 | **25** |\n:::",
            [
                {
                    "title": "Users",
                    "values": [{"label": "S", "value": "5"}, {"label": "G", "value": "25"}],
                }
            ],
            id="comparison",
        ),
        pytest.param(
            ":::{gallery} G\n![A](/a.png)\nOne.\n\n- ![B](/b.png) Two.\n- [![C](/c.png)](/c)\n:::",
            [
                {"text": "One.", "image": {"src": "/a.png", "alt": "A"}},
                {"text": "Two.", "image": {"src": "/b.png", "alt": "B"}},
                {"image": {"src": "/c.png", "alt": "C"}, "href": "/c"},
            ],
            id="gallery",
        ),
        pytest.param(
            ":::{hero} H\nWords.\n\n[Ask](/ask)\n\n[![P](/p.png)](/v.mp4)\n:::",
            [
                {
                    "image": {"src": "/p.png", "alt": "P"},
                    "links": [{"label": "Ask", "href": "/ask"}],
                    "href": "/v.mp4",
                }
            ],
            id="hero",
        ),
    ],
)
def test_the_parts_of_a_section_are_fields(view_of: ViewOf, text: str, items: Any) -> None:
    """Besides its body."""
    section = section_of(view_of, text, files={"countries/ae.md": ""})
    assert section["layout"]["entries"] == items


def test_a_quotation_may_be_a_testimonial(view_of: ViewOf) -> None:
    """With who said it, in the body as well."""
    files: dict[str, str | bytes] = {
        "testimonials/noor.md": "---\nquote: We count.\ncustomerName: Saeed\ncompany: Noor\n"
        "image: /s.png\nimageAlt: Saeed\n---\n"
    }
    section = section_of(view_of, ":::{quote} Q\n:testimonial: noor\n:::", files=files)
    assert section["body"] == "> We count.\n\n![Saeed](/s.png)\n**Saeed**, Noor"
    item = {"title": "Saeed", "text": "We count.", "role": "Noor"}
    assert section["layout"]["entries"] == [{**item, "image": {"src": "/s.png", "alt": "Saeed"}}]
    files["testimonials/noor.ar.md"] = "---\nquote: نعدّ.\ncustomerName: سعيد\ncompany: نور\n---\n"
    arabic = section_of(view_of, ":::{quote} Q\n:testimonial: noor\n:::", "ae/ar", files)
    assert arabic["body"].endswith("**سعيد**، نور")


def test_downloads_have_the_type_and_size_of_their_files(view_of: ViewOf) -> None:
    """Only those of the content folder."""
    links = ("[Sheet](/files/a.pdf)", "[Other](https://b.test/b.pdf)", "[Again](/files/a.pdf)")
    text = "\n- ".join((":::{downloads} D", *links)) + "\n:::"
    section = section_of(view_of, text, files={"files/a.pdf": b"x" * 12_300})
    assert section["body"] == (
        "- [Sheet](/files/a.pdf) (PDF, 12 kB)\n- [Other](https://b.test/b.pdf)\n"
        "- [Again](/files/a.pdf) (PDF, 12 kB)"
    )
    sheet = {"title": "Sheet", "href": "/files/a.pdf", "mediaType": "application/pdf"}
    assert section["layout"]["entries"][0] == {**sheet, "size": 12_300}
    arabic = section_of(view_of, text, "ae/ar", {"files/a.pdf": b"x" * 12_300})
    assert "(PDF\u200f، 12 كيلوبايت)" in arabic["body"]


@pytest.mark.parametrize("suffix", DOWNLOAD_TYPES)
def test_downloads_of_all_common_types_have_type_and_size(view_of: ViewOf, suffix: str) -> None:
    """What visitors save: texts, tables, slides, archives, drawings and books."""
    text = f":::{{downloads}} D\n- [File](/files/a{suffix})\n:::"
    section = section_of(view_of, text, files={f"files/a{suffix}": b"x" * 2_000})
    assert section["body"] == f"- [File](/files/a{suffix}) ({suffix[1:].upper()}, 2 kB)"
    (entry,) = section["layout"]["entries"]
    assert entry["mediaType"] == DOWNLOAD_TYPES[suffix].partition(";")[0]
    assert entry["size"] == 2_000


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        pytest.param(":::{plans} P\n:::", 4, "no plans", id="no plans"),
        pytest.param(
            "x\n\n:::{plans} P\n:id: p\n\nText.\n\n### A\n:price: 1\n\n### B\n\nText.\n:::",
            14,
            "“B” has no price",
            id="plan without a price",
        ),
        pytest.param(
            ":::{plans} P\n### A\n:price: 1\n:period: week\n:::",
            5,
            "unknown period “week”",
            id="unknown period",
        ),
        pytest.param(":::{plans} P\n### A\n:price: 1 ABC\n:::", 5, "no price", id="no currency"),
        pytest.param(
            ":::{plans} P\n### A\n:price: 1\n:includes: b\n\n### B\n:price: 1\n:::",
            5,
            "unknown plan “b”",
            id="a plan that comes later",
        ),
        pytest.param(
            ":::{plans} P\n### A\n:price: 1\n:call: buy\n:::", 5, "call “buy”", id="unknown call"
        ),
        pytest.param(
            ":::{plans} P\n### A\n:price: 1\n:call: trial\n:trialUrl: javascript:x\n:::",
            5,
            "no address",
            id="no address",
        ),
        pytest.param(":::{steps} S\nText.\n:::", 4, "no steps", id="no steps"),
        pytest.param(":::{tabs} S\n### A\n### B\nx\n:::", 5, "“A” has no text", id="empty tab"),
        pytest.param(":::{comparison} C\nText.\n:::", 4, "no table", id="no table"),
        pytest.param(":::{quote} Q\n:::", 4, "no words", id="no words"),
        pytest.param(":::{mediaText} M\nText.\n:::", 4, "no picture", id="no picture"),
        pytest.param(":::{video} V\n![A](/a.png)\n:::", 4, "link to the video", id="no link"),
        pytest.param(":::{downloads} D\nText.\n:::", 4, "no link to a file", id="no file"),
        pytest.param(
            ":::{quote} Q\n:testimonial: gone\n:::", 4, "unknown testimonial “gone”", id="unknown"
        ),
    ],
)
def test_the_check_reports_what_a_section_lacks(
    content: Content, text: str, line: int, words: str
) -> None:
    """With its line."""
    root = content({"pages/a.md": f"---\ntitle: A\n---\n{text}"})
    kinds = (DiagnosticKind.INCOMPLETE_SECTION, DiagnosticKind.UNKNOWN_REFERENCE)
    found = [each for each in check_content(load_content(root), NOW) if each.kind in kinds]
    assert [each.line for each in found] == [line]
    assert words in found[0].message


INCLUDING = """:::{plans} P
Text.

### Starter {#start}
:price: 399
:call: trial

- **Users**: up to 5
- Till | scanner

### Growth
:price: 999
:includes: start
:call: demo
:bookingUrl: https://meet.example/growth

- **Users**: up to 25
- Branches

### Enterprise
:price: request
:includes: Growth
:call: quotation
:::"""
CONTACT = {"registry/contact.md": "---\ntitle: Contact\n---\nx"}
SIGN_UP = {"site/settings.md": "---\ntrialUrl: https://app.example/new\nbookingUrl: /meet\n---\n"}


@cases(
    ("locale", "title", "yes", "no"),
    [("ae/en", "Compare the plans", "yes", "no"), ("ae/ar", "قارن بين الباقات", "نعم", "لا")],
)
def test_a_plan_has_the_features_of_the_one_that_it_includes(
    view_of: ViewOf, locale: str, title: str, yes: str, no: str
) -> None:
    """A table compares all of them; the lists of plans stay as they are written."""
    section = section_of(view_of, INCLUDING, locale)
    table = (
        f"Text.\n\n| {title} | Starter | Growth | Enterprise |\n| --- | --- | --- | --- |\n"
        "| Users | up to 5 | up to 25 | up to 25 |\n"
        f"| Till \\| scanner | {yes} | {yes} | {yes} |\n| Branches | {no} | {yes} | {yes} |\n\n"
    )
    assert section["body"].startswith(table)
    entries = section["layout"]["entries"]
    assert [each.get("includes") for each in entries] == [None, "Starter", "Growth"]
    assert entries[1]["features"] == ["**Users**: up to 25", "Branches"]


@cases(
    ("files", "hrefs", "words"),
    [
        pytest.param({}, [None, "https://meet.example/growth", None], ["Book a demo"], id="none"),
        pytest.param(
            CONTACT,
            ["/ae/en/contact", "https://meet.example/growth", "/ae/en/contact"],
            ["Ask for a trial", "Book a demo", "Ask for a quotation"],
            id="contact",
        ),
        pytest.param(
            {**CONTACT, **SIGN_UP},
            ["https://app.example/new", "https://meet.example/growth", "/ae/en/contact"],
            ["Start the trial", "Book a demo", "Ask for a quotation"],
            id="sign-up",
        ),
    ],
)
def test_the_call_of_a_plan_says_what_happens(
    view_of: ViewOf, files: dict[str, str | bytes], hrefs: list[str | None], words: list[str]
) -> None:
    """It leads to the plan's own address, to that of the site, or to the contact page."""
    section = section_of(view_of, INCLUDING, files=files)
    assert [each.get("href") for each in section["layout"]["entries"]] == hrefs
    links = [f"[{text}]({href})" for text, href in zip(words, filter(None, hrefs), strict=True)]
    assert re.findall(r"\[.*?\]\(.*?\)", section["body"]) == links
