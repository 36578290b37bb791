"""Texts in a third language: lists, the home page and search say which language they are in."""

from __future__ import annotations

from urllib.parse import quote

from cases import cases
from conftest import Visit

from knowledge.locales.cldr import language_of_script
from knowledge.locales.locale import Language
from renderers.l10n.bidi import foreign_attributes, paragraph_direction

_POST = "---\ntitle: {}\ndate: 2026-01-0{}\n{}---\n\n{}\n"
FILES = {
    "site/settings.md": "---\nlang: en\nseo: {pageTitle: S}\n---\n",
    "posts/a.md": _POST.format("מדריך 2026 (3)", 1, "", "טקסט בעברית 10–20"),
    "posts/b.md": _POST.format("راهنمای ۲", 2, "", "این یک متن است که چگونه شروع کنیم"),
    "posts/c.md": _POST.format("Été à Paris", 3, "lang: fr\n", "Un texte."),
    "posts/d.md": _POST.format("Summer", 4, "", "A text."),
}


def test_lists_name_the_language_of_their_texts(visit: Visit) -> None:
    """Of title and excerpt, also on the home page; the API has the tag."""
    site = visit(FILES, countries=False)
    languages = [("fa", "rtl"), ("fr", "ltr"), ("he", "rtl")]
    for path, shown in (("/en/blog", languages), ("/en", languages[:2])):
        html = site.get(path, {"Accept": "text/html"}).text
        for tag, direction in shown:
            assert html.count(f'lang="{tag}" dir="{direction}"><a href="/en/blog/') == 1, path
            assert html.count(f'<p lang="{tag}" dir="{direction}">') == 1, path
    items = site.get("/api/public/v1/blog/posts?lang=en").json["items"]
    assert {item["slug"]: item.get("lang") for item in items} == {
        "a": "he",
        "b": "fa",
        "c": "fr",
        "d": None,
    }


def test_search_names_the_language_of_what_it_finds(visit: Visit) -> None:
    """Of the title, of the passage and of the path to it; letters alone do not tell French."""
    files = {
        **FILES,
        "posts/c.md": FILES["posts/c.md"] + "\n## Rue et métro\n\nLe métro ouvre tôt.\n",
        "pages/g.md": "---\ntitle: Hallo\nlang: nl\n---\nWinkelwagen.\n",
    }
    site = visit(files, countries=False)
    found = {
        "/en/search?q=בעברית": ("he", "rtl", "/en/blog/a"),
        "/en/search?q=métro": ("fr", "ltr", "/en/blog/c"),
        "/en/search?q=Winkelwagen": ("nl", "ltr", "/en/g"),
    }
    for address, (tag, direction, path) in found.items():
        html = site.get(quote(address, safe="/?="), {"Accept": "text/html"}).text
        attributes = f'lang="{tag}" dir="{direction}"'
        assert f'{attributes}><a href="{path}' in html
        assert f"<p {attributes}>" in html
        found_items = site.get(quote(address, safe="/?="), {"Accept": "application/json"}).json
        assert [item.get("lang") for item in found_items["items"]] == [tag]
    html = site.get("/en/search?q=metro", {"Accept": "text/html"}).text
    assert '<p class="headings" lang="fr" dir="ltr">' in html
    items = site.get("/en/search?q=summer", {"Accept": "application/json"}).json["items"]
    assert [item.get("lang") for item in items] == [None]


@cases(
    ("text", "tag"),
    [
        ("چگونه شروع کنیم", "fa"),
        ("سلام دنیا", "fa"),
        ("یہ ایک اردو متن ہے", "ur"),
        ("ئەم دەقە بە کوردی نووسراوە", "ckb"),
        ("دا په پښتو ژبه کې یو متن دی", "ps"),
        ("تعلّم كيف تبدأ مع گوگل", None),
        ("نص مكتوب بلوحة مفاتیح فارسیة وفیه كلمات كثیرة عن الإدارة", None),
        ("السلام عليكم ورحمة الله", None),
        ("منتجات جوجل وپاناسونيك في السوق", None),
    ],
)
def test_languages_in_arabic_script_are_told_apart(text: str, tag: str | None) -> None:
    """By their letters; a foreign name makes no text Persian."""
    assert language_of_script(text) == tag


def test_the_direction_of_a_text_is_that_of_its_element() -> None:
    """Runs in it are isolated for the same direction."""
    assert foreign_attributes("מדריך 10–20", Language.EN) == ' lang="he" dir="rtl"'
    assert paragraph_direction("מדריך 10–20", Language.EN) == "rtl"
    assert paragraph_direction("Проба", Language.EN) == "ltr"
