"""The guides as a whole: their length, their groups, links into them, and how they read."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path

from cases import cases
from contract.visitor import Visitor
from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
GENERATED = ("commands", "configuration", "templates")
GUIDES = sorted(path for path in (ROOT / "docs").glob("*.md") if ".ar." not in path.name)
WRITTEN = [path for path in GUIDES if path.stem not in GENERATED]
LONGEST = {README: 1_000, ROOT / "docs/write.md": 1_500, ROOT / "docs/authoring.md": 7_000}
"""The most words of a text, without code."""

TEXTS = {".md", ".html", ".py", ".svg", ".txt", ".toml", ".yaml", ".yml", ".conf", ".js"}
SCRIPT = re.compile(r"""<script[^>]*\ssrc\s*=\s*["']?((?:https?:)?//[^"'\s>]+)""")
TURNSTILE = "https://challenges.cloudflare.com/turnstile/v0/api.js"
"""Cloudflare changes this script without notice, so that it has no hash."""

SENTENCE_END = re.compile(r"[.!?](?=\s|$)")
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


@cache
def parsed(path: Path) -> tuple[Token, ...]:
    """Return the tokens of a guide, without front matter."""
    text = re.sub(r"\A---\n.*?\n---\n", "", path.read_text("utf-8"), flags=re.DOTALL)
    return tuple(MarkdownIt().enable("table").parse(text))


def words(path: Path) -> int:
    """Return the number of words of a guide: all but blocks of code."""
    inline = (token for token in parsed(path) if token.type == "inline")
    return sum(any(map(str.isalnum, word)) for token in inline for word in _text(token).split())


def _text(token: Token, code: str = "") -> str:
    """Return the text of a line; `code` stands for code in it, which is otherwise kept."""
    return "".join(
        (code or each.content) if each.type == "code_inline" else each.content or " "
        for each in token.children or ()
        if each.type in ("text", "code_inline", "softbreak")
    )


def prose(path: Path) -> list[str]:
    """Return the paragraphs and list items of a guide, with “it” for code."""
    tokens = [token for token in parsed(path) if token.type != "html_block"]
    inside, found = 0, []
    for before, token in pairwise(tokens):
        inside += (token.type == "table_open") - (token.type == "table_close")
        if token.type == "inline" and not inside and before.type == "paragraph_open":
            found.append(_text(token, "it"))
    return found


def syllables(word: str) -> int:
    """Return how many syllables an English word has, about: groups of vowels but a silent e."""
    groups = len(re.findall("[aeiouy]+", re.sub("(?<![^aeiouy]l)e$", "", word.lower())))
    return max(1, groups)


def grade(texts: list[str]) -> float:
    """Return the Flesch–Kincaid grade of texts."""
    found = [word for text in texts for word in WORD.findall(text)]
    sentences = sum(max(1, len(SENTENCE_END.findall(text))) for text in texts)
    per_word = sum(map(syllables, found)) / len(found)
    return 0.39 * len(found) / sentences + 11.8 * per_word - 15.59


@cases("path", LONGEST)
def test_a_text_for_newcomers_is_short(path: Path) -> None:
    """The README in five minutes; what it leaves out stands in a guide."""
    assert words(path) <= LONGEST[path]


def test_the_guides_are_short() -> None:
    """All of them but those that commands print, without records for maintainers."""
    assert sum(map(words, WRITTEN)) <= 33_000


def test_no_script_comes_from_another_host() -> None:
    """In guides, templates, samples and starters, unless it must, and an operator asks for it."""
    folders = [ROOT / name for name in ("docs", "renderers", "knowledge", "app", "llms", "deploy")]
    texts = [path for folder in folders for path in folder.rglob("*") if path.suffix in TEXTS]
    found = [(each, url) for each in texts for url in SCRIPT.findall(each.read_text("utf-8"))]
    assert found == [(ROOT / "renderers/templates/parts/form.html", TURNSTILE)]


def test_every_guide_is_in_a_group_of_the_menu() -> None:
    """With one sentence on the page of all guides; records for maintainers are in a folder."""
    with Visitor(content_dir=ROOT / "docs") as site:
        groups = re.split(r"^- ", site.get("/en/docs.md").text, flags=re.MULTILINE)[1:]
    *titles, way = (group.partition("\n")[0] for group in groups)
    assert way.startswith("Next page: ")
    assert titles == ["Start", "Write", "Look", "Run", "Build on", "Records"]
    listed = re.findall(
        r"^  - \[[^]]+\]\([^)]*/en/docs/([\w-]+)\.md\): .+\.$", "\n".join(groups), re.MULTILINE
    )
    assert sorted(listed) == [path.stem for path in GUIDES]


@cases("name", ["README.md", "CONTRIBUTING.md", "SECURITY.md"])
def test_links_into_the_guides_lead_to_a_heading(name: str) -> None:
    """Links among the guides are checked with the site that they are."""
    text = (ROOT / name).read_text("utf-8")
    links = re.findall(r"\]\(docs/([\w-]+)\.md(?:#([^)]+))?\)", text)
    with Visitor(content_dir=ROOT / "docs") as site:
        for guide, anchor in links:
            page = site.get(f"/en/docs/{guide}", {"Accept": "text/html"})
            assert page.status == 200, guide
            assert not anchor or f'id="{anchor}"' in page.text, f"{guide}#{anchor}"


@cases("path", [README, *WRITTEN])
def test_a_guide_is_easy_to_read(path: Path) -> None:
    """By the grade of school in which one understands it."""
    assert grade(prose(path)) <= 9


def test_the_grade_of_a_text_grows_with_its_sentences_and_words() -> None:
    """Short sentences of short words are for children."""
    assert grade(["The cat sat. The dog ran."]) < 1
    long = (
        "Notwithstanding organisational considerations, implementation necessitates documentation"
    )
    assert grade([long]) > 20
    counted = [syllables(word) for word in ("the", "page", "table", "file", "enquiry")]
    assert counted == [1, 1, 2, 1, 3]
