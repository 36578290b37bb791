"""The interface's words: both catalogues are complete, compiled and alike."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from jinja2.ext import babel_extract

from knowledge.locale import Language
from renderers.translation import CATALOGS, translations

RENDERERS = CATALOGS.parent
PLACEHOLDER = re.compile(r"%\((\w+)\)s")
CALLS = {"_", "gettext", "say"}
PLURALS = {Language.EN: 2, Language.AR: 6}
MARKED = {
    ("contact_form.py", "text"),
    ("error_page.py", "title"),
    ("error_page.py", "explanation"),
    ("titles.py", "name"),
    ("markdown_blog.py", "name"),
    ("markdown_products.py", "_AVAILABILITY"),
    ("markdown_products.py", "name"),
    ("markdown_writer.py", "message"),  # `MarkdownContext.say` itself
    ("templating.py", "text"),  # `_` of the templates itself
}
"""Where what is asked for stands in a table or is an argument, whose texts are marked."""


def catalog(language: Language) -> Catalog:
    """The committed texts of a language."""
    with (CATALOGS / language / "LC_MESSAGES" / "messages.po").open("rb") as text:
        return read_po(text)


def keys(found: Catalog) -> set[str]:
    """What a catalogue has texts for; the singular stands for its plural."""
    return {first_form(message.id) for message in found} - {""}


def first_form(key: object) -> str:
    """A message's key as one text."""
    return str(key[0]) if isinstance(key, (list, tuple)) else str(key)


def template_messages() -> Iterator[str]:
    """Every text that a template asks for."""
    for path in (RENDERERS / "templates").rglob("*.html"):
        with path.open("rb") as source:
            options: dict[str, Any] = {"trim_blocks": "true", "lstrip_blocks": "true"}
            for _, _, message, _ in babel_extract(source, ["_", "ngettext"], (), options):
                yield message if isinstance(message, str) else str((message or ("",))[0])


def code_messages() -> Iterator[str]:
    """Every text that a renderer asks for, or marks as one that it will ask for."""
    for path in RENDERERS.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and _name(node.func) in CALLS and node.args:
                yield from _constants(node.args[0], path)


def _name(function: ast.expr) -> str:
    return str(getattr(function, "attr", getattr(function, "id", "")))


def _constants(asked: ast.expr, path: Path) -> Iterator[str]:
    """The text itself; a variable may hold only what was marked, see MARKED."""
    if isinstance(asked, ast.Constant) and isinstance(asked.value, str):
        yield asked.value
    else:
        place = (path.name, ast.unparse(asked).partition("[")[0])
        assert place in MARKED, f"{path.name}:{asked.lineno}: mark the text by _()"


@pytest.mark.parametrize("language", list(Language))
def test_the_catalogue_has_every_text_asked_for_and_no_other(language: Language) -> None:
    """In all forms of a page, errors and titles among them."""
    asked = {*template_messages(), *code_messages()}
    assert {"Page not found", "Customer stories", "Published", "Index of this site"} <= asked
    assert keys(catalog(language)) == asked


@pytest.mark.parametrize("language", list(Language))
def test_every_text_is_there_with_its_placeholders(language: Language) -> None:
    """No text is empty, and none asks for what is not given."""
    for message in catalog(language):
        if not message.id:
            continue
        string = message.string or ""
        texts = [string] if isinstance(string, str) else list(string)
        assert len(texts) == (1 if isinstance(message.id, str) else PLURALS[language])
        assert all(texts), message.id
        wanted = message.id if isinstance(message.id, str) else message.id[1]
        allowed = set(PLACEHOLDER.findall(wanted))
        assert all(set(PLACEHOLDER.findall(text)) <= allowed for text in texts)


@pytest.mark.parametrize("language", list(Language))
def test_what_was_compiled_is_what_is_committed(language: Language) -> None:
    """A catalogue edited after the last build is noticed."""
    compiled = translations(language)
    for message in catalog(language):
        if isinstance(message.id, str) and message.id:
            assert compiled.gettext(message.id) == message.string, "run make install"


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (0, "لا مقالات"),
        (1, "مقال واحد"),
        (2, "مقالان"),
        (3, "3 مقالات"),
        (11, "11 مقالًا"),
        (100, "100 مقال"),
        (103, "103 مقالات"),
    ],
)
def test_arabic_counts_in_six_forms(number: int, expected: str) -> None:
    """As CLDR has them."""
    form = translations(Language.AR).ngettext("%(num)s article", "%(num)s articles", number)
    assert form % {"num": number} == expected


def test_no_template_speaks_for_itself() -> None:
    """Every word a reader sees or hears comes from a catalogue or the content."""
    letters = r"[A-Za-z\u0600-\u06ff]"
    seen = re.compile(rf">\s*{letters}[^<{{]*<")
    heard = re.compile(rf'\b(?:alt|aria-label|placeholder|title)="[^"]*{letters}')
    for path in (RENDERERS / "templates").rglob("*.html"):
        text = re.sub(r"{[{%#].*?[}%#]}", "", path.read_text(), flags=re.DOTALL)
        assert {found.strip("<> \n") for found in seen.findall(text)} <= {"llms.txt"}, path.name
        assert heard.findall(text) == [], path.name
