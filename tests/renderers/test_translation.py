"""Translations of the interface: both catalogs are complete, compiled and consistent."""

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
TRANSLATION_FUNCTIONS = {"_", "gettext"}
PLURALS = {Language.EN: 2, Language.AR: 6}
MARKED_VARIABLES = {
    ("contact_form.py", "text"),
    ("error_page.py", "title"),
    ("error_page.py", "explanation"),
    ("titles.py", "name"),
    ("markdown/blog.py", "name"),
    ("markdown/bodies.py", "_AVAILABILITY"),
    ("markdown/bodies.py", "name"),
    ("markdown/context.py", "message"),  # `MarkdownContext.gettext` itself
    ("html/templating.py", "text"),  # `_` of the templates itself
}
"""Variables that are translated, by file: all their texts are marked with `_()` elsewhere."""


def catalog(language: Language) -> Catalog:
    """Read the committed catalog of a language."""
    with (CATALOGS / language / "LC_MESSAGES" / "messages.po").open("rb") as text:
        return read_po(text)


def message_ids(messages: Catalog) -> set[str]:
    """Return the message ids of a catalog; a plural message counts by its singular."""
    return {singular_id(message.id) for message in messages} - {""}


def singular_id(message_id: object) -> str:
    """Return a message id, or the singular of a plural message."""
    return str(message_id[0]) if isinstance(message_id, (list, tuple)) else str(message_id)


def template_messages() -> Iterator[str]:
    """Yield the message ids that templates use."""
    for path in (RENDERERS / "templates").rglob("*.html"):
        with path.open("rb") as source:
            options: dict[str, Any] = {"trim_blocks": "true", "lstrip_blocks": "true"}
            for _, _, message, _ in babel_extract(source, ["_", "ngettext"], (), options):
                yield message if isinstance(message, str) else str((message or ("",))[0])


def code_messages() -> Iterator[str]:
    """Yield the message ids that renderers translate or mark for translation."""
    for path in RENDERERS.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Call)
                and _name(node.func) in TRANSLATION_FUNCTIONS
                and node.args
            ):
                yield from _constants(node.args[0], path)


def _name(function: ast.expr) -> str:
    return str(getattr(function, "attr", getattr(function, "id", "")))


def _constants(argument: ast.expr, path: Path) -> Iterator[str]:
    """Yield the argument if it is a literal; a variable must be in MARKED_VARIABLES."""
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        yield argument.value
    else:
        file = path.relative_to(RENDERERS).as_posix()
        variable = (file, ast.unparse(argument).partition("[")[0])
        assert variable in MARKED_VARIABLES, f"{file}:{argument.lineno}: mark the text with _()"


@pytest.mark.parametrize("language", list(Language))
def test_the_catalog_has_exactly_the_messages_in_use(language: Language) -> None:
    """The messages of HTML, Markdown, errors and titles."""
    used = {*template_messages(), *code_messages()}
    assert {"Page not found", "Customer stories", "Published", "Index of this site"} <= used
    assert message_ids(catalog(language)) == used


@pytest.mark.parametrize("language", list(Language))
def test_every_message_is_translated_with_its_placeholders(language: Language) -> None:
    """No translation is empty or has a placeholder that its message id does not have."""
    for message in catalog(language):
        if not message.id:
            continue
        string = message.string or ""
        texts = [string] if isinstance(string, str) else list(string)
        assert len(texts) == (1 if isinstance(message.id, str) else PLURALS[language])
        assert all(texts), message.id
        plural_id = message.id if isinstance(message.id, str) else message.id[1]
        allowed = set(PLACEHOLDER.findall(plural_id))
        assert all(set(PLACEHOLDER.findall(text)) <= allowed for text in texts)


@pytest.mark.parametrize("language", list(Language))
def test_compiled_catalogs_are_up_to_date(language: Language) -> None:
    """The test fails if a catalog was edited after the last build."""
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
def test_arabic_has_six_plural_forms(number: int, expected: str) -> None:
    """The plural categories of CLDR: zero, one, two, few, many and other."""
    text = translations(Language.AR).ngettext("%(num)s article", "%(num)s articles", number)
    assert text % {"num": number} == expected


def test_templates_contain_no_untranslated_text() -> None:
    """Every visible or spoken text comes from a catalog or from the content."""
    letters = r"[A-Za-z\u0600-\u06ff]"
    visible = re.compile(rf">\s*{letters}[^<{{]*<")
    spoken = re.compile(rf'\b(?:alt|aria-label|placeholder|title)="[^"]*{letters}')
    for path in (RENDERERS / "templates").rglob("*.html"):
        text = re.sub(r"{[{%#].*?[}%#]}", "", path.read_text(), flags=re.DOTALL)
        assert {match.strip("<> \n") for match in visible.findall(text)} <= {"llms.txt"}, path.name
        assert spoken.findall(text) == [], path.name
