"""All texts of the interface are words of a site: by key, in each form of each page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest
from cases import cases
from conftest import Content
from contract.visitor import Visitor
from examples import CLINIC
from pydantic.alias_generators import to_camel

from knowledge.documents.front_matter import normalize_keys
from knowledge.fields.content_types import SITE
from knowledge.fields.front_matter import Common
from knowledge.fields.interface_texts import catalog, interface_texts, name_of
from knowledge.fields.site_fields import WORDS
from knowledge.locales.locale import Language
from knowledge.snapshot.loading import load_content

PLACEHOLDER = re.compile(r"\{\w+\}")
FORMATS = ("text/html", "text/markdown")
LOCALES = ("/sa/en", "/sa/ar", "/ae/en", "/ae/ar")
PATHS = (
    "",
    "/about",
    "/doctors",
    "/doctors?specialty=cardiology",
    "/doctors/layla-haddad",
    "/care/services/heart-check",
    "/branches/olaya",
    "/classes",
    "/blog",
    "/blog?search=pressure",
    "/blog/blood-pressure",
    "/riyadh",
    "/contact",
    "/contact?sent",
    "/search",
    "/search?q=heart",
    "/search?q=zzzz",
    "/nowhere",
)
FILES = ("/llms.txt", "/llms-full.txt", "/blog/feed.xml", "/classes/feed.xml", "/opensearch.xml")


def marked(name: str, language: Language) -> str:
    """Return a text of one's own with the placeholders of the original."""
    text = interface_texts().get(name)
    written = text.written(language) if text else ""
    named = "".join(dict.fromkeys(PLACEHOLDER.findall(written)))
    return f"«{to_camel(name)}»{named}"


def with_form(folder: Path) -> Path:
    """Return a copy of the clinic with a page that has the contact form."""
    copied = copytree(CLINIC, folder / "content")
    pages = {
        "contact.md": "---\ntitle: Visits\n---\nText.\n",
        "contact.ar.md": "---\ntitle: زيارة\n---\nنص.\n",
    }
    (copied / "registry").mkdir(exist_ok=True)
    for name, text in pages.items():
        (copied / "registry" / name).write_text(text)
    return copied


@pytest.fixture(scope="module")
def marked_clinic(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """The clinic with a text of its own for each key."""
    folder = with_form(tmp_path_factory.mktemp("marked"))
    lines = (
        f"{to_camel(name)}: {json.dumps({str(each): marked(name, each) for each in Language})}\n"
        for name in WORDS
    )
    (folder / "site/words.md").write_text(f"---\n{''.join(lines)}---\n")
    assert load_content(folder).diagnostics == ()
    with Visitor(content_dir=folder) as visitor:
        yield visitor


def pages(visitor: Visitor) -> Iterator[tuple[str, str, str]]:
    """Yield locale, place and text of all forms of the pages, and of the files for programs."""
    for locale in LOCALES:
        for path in PATHS:
            for media_type in FORMATS:
                reply = visitor.get(locale + path, {"Accept": media_type})
                yield locale, f"{locale}{path} {media_type}", reply.text
        for path in FILES:
            yield locale, locale + path, visitor.get(locale + path).text


def visible(text: str) -> str:
    """Return what visitors read of HTML, and hear of its labels; other texts as they are."""
    if not text.startswith("<!"):
        return text
    text = re.sub(r"<(script|style)\b.*?</\1>", " ", text, flags=re.DOTALL)
    labels = re.findall(r'(?:aria-label|alt|placeholder|title)="([^"]*)"', text)
    return " ".join((re.sub("<[^>]*>", " ", text), *labels))


def defaults(language: Language) -> dict[str, str]:
    """Return the longer texts of the catalogs, up to their first placeholder."""
    known = {
        name: PLACEHOLDER.split(interface_texts()[name].written(language).split("|")[0])[0].strip()
        for name in WORDS
        if name in interface_texts()
    }
    return {name: text for name, text in known.items() if len(text) > 12}


def test_no_text_of_the_interface_is_left_where_a_site_has_its_own(marked_clinic: Visitor) -> None:
    """In HTML, markdown, llms.txt and feeds; the texts of the site are there instead."""
    texts = {language: defaults(language) for language in Language}
    found, left = set(), set()
    for locale, place, text in pages(marked_clinic):
        found |= set(re.findall(r"«(\w+)»", text))
        shown = visible(text)
        left |= {
            (place, name)
            for name, default in texts[Language(locale[-2:])].items()
            if default in shown
        }
    assert not left, sorted(left)[:20]
    assert len(found) > 80
    assert {"pageNotFound", "nothingFound", "indexOfThisSite", "useWhen", "search"} <= found


ERP = re.compile(
    r"\b(?:ERP|modules?|software|demos?|trials?|consultants?|point of sale|payroll)\b"
    r"|وحدات|وحدة|تخطيط الموارد|تخطيط موارد|برمجي|نسخة تجريبية|عرض تجريبي|عرض توضيحي|مستشارين",
    re.IGNORECASE,
)
"""Words of a vendor of ERP, which no text about a clinic has."""


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """The clinic with words of the product."""
    with Visitor(content_dir=with_form(tmp_path_factory.mktemp("clinic"))) as visitor:
        yield visitor


def test_a_clinic_reads_no_word_of_a_vendor_of_erp(clinic: Visitor) -> None:
    """In any form of any page, in both languages."""
    found = {
        (place, match[0], shown[max(0, match.start() - 60) : match.end() + 40])
        for _, place, text in pages(clinic)
        for shown in [visible(text)]
        for match in ERP.finditer(shown)
    }
    assert not found, sorted(found)[:20]


def test_arabic_pages_have_no_english_text_of_the_interface(clinic: Visitor) -> None:
    """Each text that the Arabic catalog words otherwise."""
    arabic = defaults(Language.AR)
    english = {
        name: re.compile(rf"\b{re.escape(text)}\b")
        for name, text in defaults(Language.EN).items()
        if arabic.get(name) != text
    }
    found = {
        (place, name)
        for locale, place, text in pages(clinic)
        if locale.endswith("ar")
        for name, default in english.items()
        if default.search(visible(text))
    }
    assert not found, sorted(found)[:20]


def test_each_text_has_a_key_of_its_own() -> None:
    """Which is no key of other documents or generators."""
    names = [name_of(each.message) for each in interface_texts().values()]
    messages = vars(catalog(Language.EN))["_catalog"]
    ids = {each if isinstance(each, str) else each[0] for each in messages}
    read = {each for each in ids if each and not each.startswith("mail\x04")}
    assert len(names) == len(read), "give one text a name in knowledge/fields/interface_texts.py"
    assert not {*names} & {*Common.field_names}
    keys = {to_camel(name): f"own {name}" for name in names}
    assert normalize_keys(SITE, keys) == (keys, {})


@cases(
    ("text", "problem"),
    [
        ("howToReachUsInCity: Find us", "howToReachUsInCity: missing placeholder “{city}”"),
        (
            "howToReachUsInCity: '{town} and {city}'",
            "howToReachUsInCity: unknown placeholder “{town}”. Write {city}.",
        ),
        ("numArticle: {en: '{num} | b | c'}", "numArticle: another number of forms"),
        ("pageNotFound: ''", "pageNotFound: empty text"),
        ("pageNotFond: Gone", "pageNotFond: unknown key. Did you mean pageNotFound?"),
    ],
)
def test_check_names_a_text_that_does_not_fit(content: Content, text: str, problem: str) -> None:
    """With its line and what to write."""
    loaded = load_content(content({"site/words.md": f"---\nsend: Go\n{text}\n---\n"}))
    (found,) = loaded.diagnostics
    assert problem in found.message + " " + found.suggestion
    assert found.line == 3


def test_plurals_have_as_many_forms_as_the_language(content: Content) -> None:
    """Divided by bars; one form stands for all, and a text of a site is no markup."""
    words = "---\nnumArticle: {en: '{num} <b>tip</b> | {num} tips', ar: 'نصائح {name}'}\n---\n"
    post = "---\ntitle: A\npublishedAt: 2026-01-01\n---\nText.\n"
    files = {"site/words.md": words, "posts/a.md": post, "posts/a.ar.md": post}
    with Visitor(content_dir=content(files)) as visitor:
        assert (
            "1 &lt;b&gt;tip&lt;/b&gt;" in visitor.get("/ae/en/blog", {"Accept": "text/html"}).text
        )
        assert "نصائح" in visitor.get("/ae/ar/blog", {"Accept": "text/html"}).text
