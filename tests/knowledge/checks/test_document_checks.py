"""Checks of one document."""

from __future__ import annotations

from cases import cases
from conftest import NOW, Content, document_of

from knowledge.checks.body_checks import failed_markdown
from knowledge.checks.content_linter import check_content
from knowledge.snapshot.loading import load_content

_SETTINGS = "---\nlang: en\nseo: {pageTitle: S}\n---\n"
_ARABIC = "---\ntitle: ساعات العمل\n---\n\nنعمل من الأحد إلى الخميس، من الثامنة صباحًا.\n"


def test_a_text_in_arabic_that_counts_as_english_is_named(content: Content) -> None:
    """Unless its name or front matter states the language, or most of it is English."""
    files = {
        "site/settings.md": _SETTINGS,
        "pages/hours.md": _ARABIC,
        "pages/one.ar.md": _ARABIC,
        "pages/two.md": _ARABIC.replace("title", "lang: ar\ntitle"),
        "pages/three.md": "---\ntitle: Three\n---\n\nThe word قهوة means coffee.\n",
    }
    found = check_content(load_content(content(files)), NOW)
    named = [each.path for each in found if str(each.kind) == "unstated-language"]
    assert named == ["pages/hours.md"]


def test_a_link_whose_scheme_is_not_linked_is_named(content: Content) -> None:
    """Those of messengers and maps are linked."""
    text = "---\ntitle: A\n---\n[a](whatsapp://send) [b](tg://x) [c](geo:1,2) [d](skype:x)\n"
    found = check_content(load_content(content({"pages/a.md": text})), NOW)
    named = [each.message for each in found if str(each.kind) == "unlinked-scheme"]
    assert named == ["The link skype:x has a scheme that pages do not link."]


@cases(
    "text",
    [
        "##Heading",
        "#\u00a0Heading",
        "\u200f- item",
        "\u200e# Heading",
        "![x](a.png =100x20)",
        "![alt|200](https://x.example/a.png)",
        "[x](my file.md)",
        "A text^[a note]",
        "The value \\(x^2\\) counts",
        ":rocket: Launch",
        "<<<<<<< HEAD",
        "(a-target)=",
        "See {ref}`the part <part>`.",
        "```{note} Mind\nthe gap\n```",
        "~~~{toctree}\na\n~~~",
        "و**«الاسم»** هنا",
        "قال ل**(السيد)** هنا",
        "**الاسم:**والباقي",
        "the**“name”** of it",
    ],
)
def test_markup_that_fails_is_named(text: str) -> None:
    """With its line and what to do."""
    document = document_of("pages/a.md", f"---\ntitle: A\n---\n\nOne.\n\n{text}\n")
    (found,) = failed_markdown(document)
    assert (found.line, bool(found.suggestion)) == (7, True)


def test_markup_that_is_read_is_not_named() -> None:
    """Nor code, hashtags, times, escaped parentheses, titles of links."""
    text = (
        "## Heading\n\n`##x` #tag C# 10:30:45 \\(optional\\) [a](<b c.md>) [a](b.md 'T c.d')\n\n"
        "```\n##x\n<<<<<<< HEAD\n:rocket:\n```\n\n```{r}\n1\n```\n\n````\n```{note}\n````\n\n"
        "و**الاسم** و«**الاسم**» وقال **«نعم»**، ثم **a**(b)**c** `x**(y)**` 2**(3)\n\n"
        "![a](b.png) x^2 [^1] a::b:: :not-an-emoji:\n"
    )
    assert list(failed_markdown(document_of("pages/a.md", text))) == []


def test_a_link_with_a_locale_is_told_to_leave_it_out(content: Content) -> None:
    """Readers get theirs."""
    files = {"pages/a.md": "---\ntitle: A\n---\n[b](/sa/en/b)\n", "pages/b.md": "# B\n"}
    found = check_content(load_content(content(files)), NOW)
    advice = [each.suggestion for each in found if str(each.kind) == "broken-link"]
    assert advice == ["Leave out the locale: /b."]


def test_a_link_to_a_page_of_another_country_is_right(content: Content) -> None:
    """In the text of one country; one that is not there is broken."""
    files = {
        "pages/a.sa.md": "---\ntitle: A\n---\n[b](/ae/en/b) [c](/ae/en/c#x) [d](/sa/en/b)\n",
        "pages/b.md": "# B\n",
    }
    found = check_content(load_content(content(files)), NOW)
    links = [each for each in found if str(each.kind) == "broken-link"]
    assert {(each.message, each.severity.name) for each in links} == {
        ("Broken link: /ae/en/c#x does not exist.", "WARNING"),
        ("The link /sa/en/b leads all readers to en-SA.", "NOTICE"),
    }


@cases(
    ("path", "code"),
    [
        ("pages/\u0440\u0430\u0443pal.md", "mixed-scripts"),
        ("pages/نظامERP.md", "mixed-scripts"),
        ("pages/cafe\u0301\u0431.md", "mixed-scripts"),
        ("pages/a\u200db\u202ec.md", "invisible-character"),
        ("pages/نظام\u200f.md", "invisible-character"),
        ("forms/\u0430pply.md", "mixed-scripts"),
        ("files/\u0440rices.pdf", "mixed-scripts"),
        ("pages/نظام-ERP-٢٠٢٦.md", ""),
        ("pages/نظام الـERP.md", ""),
        ("pages/東京タワー.md", ""),
        ("pages/Ağ kurulumu.md", ""),
        ("pages/المكوّنات.md", ""),
        ("pages/µm-café.md", ""),
    ],
)
def test_names_that_look_like_others_are_named(content: Content, path: str, code: str) -> None:
    """A word is of one script; words of several scripts stand beside each other."""
    text = "%PDF-1.7\n" if path.endswith(".pdf") else "---\ntitle: A\n---\nText.\n"
    found = check_content(load_content(content({path: text})), NOW)
    named = {str(each.kind) for each in found if each.path == path} & {
        "mixed-scripts",
        "invisible-character",
    }
    assert named == {*filter(None, [code])}


def test_slugs_and_former_addresses_that_look_like_others_are_named(content: Content) -> None:
    """With what is wrong with them."""
    text = "---\ntitle: A\nslug: \u0440ay\naliases:\n  - /b\u200bc\n---\nText.\n"
    found = check_content(load_content(content({"pages/a.md": text})), NOW)
    shown = [
        str(each) for each in found if str(each.kind) in ("mixed-scripts", "invisible-character")
    ]
    mixed = "The word “\u0440ay” of “\u0440ay” has Cyrillic and Latin letters."
    hidden = "“/b\u200bc” has the invisible character U+200B (ZERO WIDTH SPACE)."
    assert shown == [
        f"pages/a.md:1: {mixed} Write it in one script, or put a hyphen between two scripts.",
        f"pages/a.md:1: {hidden} Remove it.",
    ]


ROOMS = """---
singular: Room
plural: Rooms
fields:
  price: { type: offer }
  hotel: { type: reference, to: hotel }
---
"""


@cases(
    ("text", "messages"),
    [
        ("price: { amount: { OMR: 2.4 } }", set()),
        ("price: { amount: { OMR: 60 } }", set()),
        (
            "price: { amount: { OMR: 2.4001 } }",
            {"price.amount: OMR 2.4001 must have 3 decimals. Add or remove decimals."},
        ),
    ],
)
def test_an_amount_may_have_fewer_decimals_than_its_currency(
    content: Content, text: str, messages: set[str]
) -> None:
    """It is as exact; pages show all of them."""
    kind = ROOMS.replace("  hotel: { type: reference, to: hotel }\n", "")
    files = {"_kinds/rooms.md": kind, "rooms/a.md": f"---\ntitle: A\n{text}\n---\n"}
    found = check_content(load_content(content(files)), NOW)
    decimals = [each for each in found if str(each.kind) == "wrong-decimals"]
    assert {f"{each.message} {each.suggestion}" for each in decimals} == messages


def test_an_unknown_name_is_advised_with_the_nearest_one(content: Content) -> None:
    """Of a kind, in declarations and in sections; of a country by its name."""
    section = "---\ntitle: A\n---\n:::{entries} Rooms\n:kind: room\n:::\n"
    files = {
        "_kinds/rooms.md": ROOMS,
        "_kinds/hotels.md": "---\nsingular: Hotel\nplural: Hotels\n---\n",
        "pages/a.md": section,
        "pages/b.md": "---\ntitle: B\ncountries: [Oman]\n---\n",
    }
    advice = {each.suggestion for each in check_content(load_content(content(files)), NOW)}
    assert "Did you mean hotels?" in advice
    (unknown,) = [each for each in advice if "om" in each and "mean" in each and "room" not in each]
    assert unknown == "Did you mean om?"


def test_what_follows_from_an_unread_file_is_not_told(content: Content) -> None:
    """Neither of the other layers of a document nor of the documents and links of a kind."""
    kind = "---\nsingular: Room\nplural: Rooms\nfields: { size: { type: number } }\n---\n"
    files = {
        "_kinds/rooms.md": kind,
        "rooms/a.md": "---\ntitle: { en: A, ar: أ }\nsize: big\n---\n",
        "rooms/a.ar.md": "---\n---\nنص.\n",
        "pages/a.md": "---\ntitle: A\n---\n[a](/rooms)\n",
    }
    found = check_content(load_content(content(files)), NOW)
    assert [each.path for each in found if each.path.startswith("rooms/")] == ["rooms/a.md"]
    files["_kinds/rooms.md"] = kind.replace("plural:", "plurals:")
    found = check_content(load_content(content(files)), NOW)
    paths = {each.path for each in found if each.path.partition("/")[0] in ("rooms", "_kinds")}
    assert paths == {"_kinds/rooms.md"}
    assert "broken-link" not in {str(each.kind) for each in found}
