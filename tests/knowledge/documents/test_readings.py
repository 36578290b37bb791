"""How files are read that do not say it: their language, and the calendar of their dates."""

from __future__ import annotations

from pathlib import Path

from cases import cases
from conftest import Content

from knowledge.diagnostics.diagnostic import Diagnostic
from knowledge.documents.document import Document
from knowledge.documents.parsed_files import ParsedFiles
from knowledge.fields.content_types import POST
from knowledge.locales.locale import Language
from knowledge.snapshot.loading import LoadedContent, load_consistent, load_content

HIJRI = "---\ntitle: One\ndate: 1447-07-10\n---\nText.\n"
TOML = "+++\ntitle = 'Two'\ndate = 1447-07-10\n+++\nText.\n"
SETTINGS = "---\nlang: en\nhijri: {}\n---\n"


def post(loaded: LoadedContent, slug: str) -> Document:
    """Return the one document of a post."""
    (document,) = loaded.snapshot.entries[POST][slug].documents
    return document


def named(loaded: LoadedContent, kind: str) -> list[Diagnostic]:
    """Return the diagnostics of a kind."""
    return [each for each in loaded.diagnostics if each.kind == kind]


def test_a_year_of_the_hijri_calendar_is_a_warning_with_both_readings(content: Content) -> None:
    """Also in TOML, and in the name of a file."""
    files = {"posts/a.md": HIJRI, "posts/b.md": TOML, "posts/1447-07-10-c.md": "Text.\n"}
    found = named(load_content(content(files)), "hijri-date")
    assert {each.path for each in found} == files.keys()
    assert all("1447-07-10" in each.message for each in found)
    assert all("2025-12-30" in each.message for each in found)


def test_a_setting_says_that_such_years_are_hijri(content: Content, tmp_path: Path) -> None:
    """An edit of it reads all files again; the cache of parsed files knows it, too."""
    files = {
        "posts/a.md": HIJRI,
        "posts/b.md": TOML,
        "posts/c.md": HIJRI.replace("1447-07-10", "1446-02-30"),
    }
    root = content({**files, "site/settings.md": SETTINGS.format("false")}, countries=False)
    before = load_content(root)
    assert f"{post(before, 'a').fields.published_at:%Y-%m-%d}" == "1447-07-10"
    (invalid,) = named(before, "invalid-value")
    assert invalid.suggestion.startswith("Write 2024-09-03, or set hijri: true")
    content({"site/settings.md": SETTINGS.format("true")}, countries=False)
    after = load_content(root, before)
    for loaded in (after, load_content(root)):
        dates = [f"{post(loaded, slug).fields.published_at:%Y-%m-%d}" for slug in "abc"]
        assert dates == ["2025-12-30", "2025-12-30", "2024-09-03"]
        assert named(loaded, "hijri-date") == []
    cache = ParsedFiles(tmp_path / "cache", root)
    (tmp_path / "cache").mkdir()
    cache.write(after.read.known, after.scanned.links, 2**63, lambda: None)
    again = load_consistent(root, None, None, lambda: False, ParsedFiles(tmp_path / "cache", root))
    assert f"{post(again, 'a').fields.published_at:%Y-%m-%d}" == "2025-12-30"


ENGLISH = "---\ntitle: A story\ndate: 2026-01-02\n---\n\nThis text is about tills.\n"
ARABIC = "---\ntitle: قصة\ndate: 2026-01-02\n---\n\nهذا النص عن أنظمة البيع.\n"
CODE = f"{ARABIC}\n```python\n{'print(0)  # a long program ' * 40}\n```\n"
MIXED = ARABIC.replace("البيع", "البيع Point of Sale")


@cases(
    ("text", "language"),
    [(ENGLISH, "en"), (ARABIC, "ar"), (CODE, "ar"), (MIXED, "ar")],
)
def test_a_text_without_marks_is_in_the_language_of_its_letters(
    text: str, language: str, content: Content
) -> None:
    """Also among files of the other one, with a notice; what states its language keeps it."""
    for site in Language:
        others = {f"posts/{each}.md": ENGLISH if site == "en" else ARABIC for each in range(5)}
        settings = {"site/settings.md": f"---\nlang: {site}\n---\n"}
        stated = {f"posts/stated-{site}.{site}.md": text, "posts/short.md": "---\ntitle: A\n---\n"}
        loaded = load_content(content({**others, **settings, **stated, "posts/it.md": text}))
        found = post(loaded, "it")
        assert found.language == language, site
        assert found.fields.title == {language: "A story" if language == "en" else "قصة"}
        assert post(loaded, f"stated-{site}").language == site
        assert post(loaded, "short").language == site
        paths = [each.path for each in named(loaded, "unstated-language")]
        assert paths == ([] if language == site else ["posts/it.md"])
