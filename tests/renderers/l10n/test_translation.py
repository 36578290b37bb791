"""Translations of the interface: both catalogs are complete, compiled and consistent."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from configparser import ConfigParser
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from babel.util import pathmatch
from cases import cases
from jinja2.ext import babel_extract
from live.documents import ROOT

from knowledge.diagnostics.messages import mark
from knowledge.fields.interface_texts import CATALOGS
from knowledge.locales.locale import Language
from renderers.l10n.translation import translations

RENDERERS = CATALOGS.parent
PLACEHOLDER = re.compile(r"%\((\w+)\)s")
TRANSLATION_FUNCTIONS = {"_", "gettext", "translate"}
PLURALS = {Language.EN: 2, Language.AR: 6}
MARKED_VARIABLES = {
    ("app/features/leads/mail.py", "label"),
    ("app/features/leads/mail.py", "asked.wanted.noun"),
    ("llms/page_lines.py", "form.wanted.noun"),
    ("renderers/pages/content.py", "noun"),
    ("renderers/pages/content.py", "text"),
    ("app/features/leads/mail.py", "message"),  # `_text` itself
    ("app/features/leads/contact_page.py", "title"),
    ("app/features/newsletter/service.py", "line"),
    ("llms/phrases.py", "message"),  # `say` itself
    ("renderers/blocks/contact.py", "_NETWORKS"),
    ("renderers/blocks/contact.py", "label"),
    ("renderers/l10n/formats.py", "_AVAILABILITY"),
    ("renderers/l10n/formats.py", "_PERIODS"),
    ("renderers/blocks/section.py", "label"),
    ("renderers/pages/home.py", "usual"),
    ("renderers/pages/kind.py", "texts"),
    ("renderers/l10n/field_words.py", "_PER"),
    ("renderers/pages/search.py", "sentence"),
    ("renderers/l10n/field_words.py", "near if is_near else far"),
    ("renderers/html/renderer.py", "title"),
    ("renderers/html/renderer.py", "text"),
    ("renderers/html/renderer.py", "button"),
    ("renderers/html/renderer.py", "form.outcome"),
    ("app/features/newsletter/routes.py", "_AGAIN"),
    ("knowledge/diagnostics/messages.py", "_COMMA"),
    ("knowledge/diagnostics/messages.py", "text"),
    ("knowledge/diagnostics/messages.py", "text.template"),
    ("renderers/markdown/errors.py", "asked"),
    ("renderers/markdown/errors.py", "title"),
    ("renderers/markdown/errors.py", "explanation"),
    ("renderers/page_rendering.py", "title"),
    ("llms/llms_txt.py", "group.heading"),
    ("renderers/feeds/post_feeds.py", "page.page.title"),
    ("renderers/html/page_links.py", "page.page.title"),
    ("renderers/html/page_links.py", "text"),
    ("renderers/markdown/navigation.py", "each.page.title"),
    ("llms/page_lines.py", "page.index_title or page.title"),
    ("renderers/l10n/translation.py", "default"),
    ("renderers/l10n/translation.py", "word.default"),
    ("renderers/l10n/translation.py", "message"),  # `translate` itself
    ("renderers/pages/content.py", "_TITLES"),
    ("renderers/pages/post.py", "name"),
    ("renderers/pages/search.py", "group.heading"),
    ("renderers/pages/product.py", "_NAMES"),
    ("renderers/pages/product.py", "_RELAXED"),
    ("renderers/pages/product.py", "title"),
    ("renderers/pages/product.py", "NOTHING"),
    ("renderers/pages/product.py", "TOO_MANY"),
    ("renderers/pages/product.py", "UNKNOWN"),
    ("renderers/pages/product.py", "_NET"),
    ("renderers/pages/product.py", "name"),
    ("renderers/markdown/renderer.py", "name"),
    ("renderers/blocks/context.py", "message"),  # `MarkdownContext.gettext` itself
    ("renderers/html/extensions.py", "_CALLOUT_LABELS"),
    ("app/publishing/content/passage_finder.py", "address.page.title"),
    ("renderers/html/templating.py", "text"),  # `_` of the templates itself
}
"""Variables that are translated, by file: all their texts are marked with `_()` elsewhere."""


def catalog(language: Language) -> Catalog:
    """Read the committed catalog of a language."""
    with (CATALOGS / language / "LC_MESSAGES" / "messages.po").open("rb") as text:
        return read_po(text)


def message_ids(messages: Catalog) -> set[str]:
    """Return the keys of a catalog; a plural message counts by its singular."""
    return {key(message) for message in messages if message.id}


def key(message: Message) -> str:
    """Return a message id, or the singular of a plural message, with its context."""
    message_id = message.id if isinstance(message.id, str) else message.id[0]
    return mark(message_id, message.context)


def template_messages() -> Iterator[str]:
    """Yield the message ids that templates use."""
    for path in (RENDERERS / "templates").rglob("*.html"):
        with path.open("rb") as source:
            options: dict[str, Any] = {"trim_blocks": "true", "lstrip_blocks": "true"}
            for _, _, message, _ in babel_extract(source, ["_", "ngettext"], (), options):
                if message:  # None for a variable, whose texts are marked elsewhere
                    yield message if isinstance(message, str) else str(message[0])


def python_files() -> Iterator[str]:
    """Yield the paths of the files in which `babel.cfg` looks for texts."""
    rules = ConfigParser()
    rules.read(ROOT / "babel.cfg")
    for method, pattern in (rule.split(": ") for rule in rules.sections()):
        for path in (ROOT / pattern.partition("/")[0]).rglob("*.py"):
            file = path.relative_to(ROOT).as_posix()
            if method == "python" and pathmatch(pattern, file):
                yield file


def code_messages() -> Iterator[str]:
    """Yield the keys of the texts that code translates or marks for translation."""
    for file in python_files():
        for node in ast.walk(ast.parse((ROOT / file).read_text())):
            if isinstance(node, ast.Call) and _name(node.func) == "ngettext":
                yield from (str(each.value) for each in node.args[:1] if type(each) is ast.Constant)
            elif (
                isinstance(node, ast.Call)
                and _name(node.func) in TRANSLATION_FUNCTIONS
                and not _is_method_of_bytes(node.func)
                and node.args
            ):
                yield from _keys(node, file)


def _name(function: ast.expr) -> str:
    return str(getattr(function, "attr", getattr(function, "id", "")))


def _is_method_of_bytes(function: ast.expr) -> bool:
    """Return whether it is `bytes.translate`; ours is a function."""
    return isinstance(function, ast.Attribute) and function.attr == "translate"


def _keys(call: ast.Call, file: str) -> Iterator[str]:
    """Yield the key of a literal; a variable must be in MARKED_VARIABLES."""
    if all(isinstance(argument, ast.Constant) for argument in call.args):
        yield mark(*(ast.literal_eval(argument) for argument in call.args))
    elif not (isinstance(call.args[0], ast.Call) and _name(call.args[0].func) == "_"):
        variable = (file, ast.unparse(call.args[0]).partition("[")[0])
        assert variable in MARKED_VARIABLES, f"{file}:{call.lineno}: mark the text with _()"


@cases("language", list(Language))
def test_the_catalog_has_exactly_the_messages_in_use(language: Language) -> None:
    """The messages of HTML, Markdown, errors, titles and llms.txt."""
    used = {*template_messages(), *code_messages()}
    assert {"Page not found", "Customer stories", "Published", "Index of this site"} <= used
    assert message_ids(catalog(language)) == used


@cases("language", list(Language))
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
        assert all("%" not in PLACEHOLDER.sub("", text) for text in texts), "write %(name)s"


@cases("language", list(Language))
def test_compiled_catalogs_are_up_to_date(language: Language) -> None:
    """The test fails if a catalog was edited after the last build."""
    compiled = translations(language)
    for message in catalog(language):
        if isinstance(message.id, str) and message.id:
            assert compiled.gettext(key(message)) == message.string, "run make install"


@cases(
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
