"""The declarations of built-in kinds: what a site could write in `_kinds/`, and the only ones."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from cases import cases

from knowledge.fields import yaml
from knowledge.fields.content_types import CONTENT_TYPES
from knowledge.fields.field_types import ValidationContext
from knowledge.fields.kind_faults import faults
from knowledge.fields.kind_fields import (
    DECLARATIONS,
    FieldDeclaration,
    KindFields,
    built_in_declaration,
)
from knowledge.fields.own_fields import declared_fields, own_fields
from knowledge.locales.locale import Language

ROOT = Path(__file__).parents[3]
NAMES = sorted(path.stem for path in DECLARATIONS.iterdir())


@cases("name", NAMES)
def test_a_declaration_has_the_grammar_of_a_site(name: str) -> None:
    """Read as one of a site, it is the same, and has no fault."""
    text = (DECLARATIONS / f"{name}.yaml").read_text("utf-8")
    context = ValidationContext(language=Language.EN)
    declared = KindFields.parse(yaml.load(text), context)
    assert declared == built_in_declaration(name)
    found = faults("clinics", declared, frozenset(map(str, CONTENT_TYPES)))
    taken = ("fields", "id")  # a number for partners, where other kinds have a text
    assert [each for each in found if each.keys != taken] == []


@cases("name", NAMES)
def test_a_built_in_kind_is_made_of_its_declaration(name: str) -> None:
    """Each field is marked as one that the kind shows in its own way, but for facts."""
    content_type = CONTENT_TYPES.named(name)
    assert content_type.declared is not None
    own = own_fields(content_type.fields).values()
    assert [each.key for each in own] == list(content_type.declared.fields or {})
    assert all(each.is_built_in != (each.declaration.show == "fact") for each in own)


def test_a_built_in_field_may_be_a_fact() -> None:
    """Then pages show it as they show a field of a site."""
    fields = {
        "shelf": FieldDeclaration(type="text"),
        "aisle": FieldDeclaration(type="text", show="fact"),
    }
    made = declared_fields(KindFields(fields=fields), is_built_in=True)
    assert [each.is_built_in for each in made] == [True, False]


PAGE = """
from datetime import UTC, datetime
from pathlib import Path
from knowledge.addresses.addresses import parse_address
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_page import site_page
from knowledge.snapshot.loading import load_content
from knowledge.views.content_view import ContentView
from renderers import json
from renderers.html import renderer as html
from renderers.markdown import renderer as markdown
snapshot = load_content(Path(sys.argv[1])).snapshot
view = ContentView(snapshot, snapshot.default_locale, datetime.now(UTC), "https://a.example")
page = site_page(view, parse_address("/products/lamp", snapshot), PageQuery())
print(*(each.render(page).body.decode() for each in (html, markdown)), sep="\\0", end="\\0")
print(json.render(page.answer).body.decode())
"""


def test_a_field_that_is_added_as_a_fact_is_on_the_page(tmp_path: Path) -> None:
    """In all forms, by one entry of the declaration."""
    copied(tmp_path)
    file = tmp_path / "knowledge/fields/declarations/products.yaml"
    added = "  shade: { type: text, label: { en: Colour of the shade, ar: اللون }, show: fact }\n"
    file.write_text(f"{file.read_text('utf-8')}{added}", "utf-8")
    content = tmp_path / "content"
    (content / "products").mkdir(parents=True)
    product = "---\nid: 1\ntitle: Lamp\nsku: L1\nprices: { AED: 10 }\nshade: Saffron\n---\nText.\n"
    (content / "products/lamp.md").write_text(product, "utf-8")
    page, text, contract = run(tmp_path, PAGE, str(content)).split("\0")
    assert "Colour of the shade" in page
    assert "Saffron" in page
    assert "**Colour of the shade**: Saffron" in text
    assert '"shade":"Saffron"' in contract.replace('": "', '":"')


def copied(folder: Path) -> None:
    """Copy the code of the declarations."""
    ignored = shutil.ignore_patterns("content", "__pycache__")
    for name in ("knowledge", "renderers/translations"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)


def test_an_edited_declaration_makes_all_files_new(tmp_path: Path) -> None:
    """They are parsed again at the next start, as after any other change of the code."""
    copied(tmp_path)
    before = version_of(tmp_path)
    file = tmp_path / "knowledge/fields/declarations/cities.yaml"
    file.write_text(file.read_text("utf-8").replace("max: 90\n", "max: 80\n"), "utf-8")
    assert version_of(tmp_path) != before


def version_of(folder: Path) -> str:
    """Return the version of parsed files of a copy of the code."""
    version = "from knowledge.documents.parsed_files import parsing_version"
    return run(folder, f"{version}\nprint(parsing_version())")


def run(folder: Path, program: str, *arguments: str) -> str:
    """Run a program with the code of a folder, and return what it prints."""
    program = f"import sys; sys.path.insert(0, {str(folder)!r})\n{program}"
    command = [sys.executable, "-P", "-c", program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return done.stdout
