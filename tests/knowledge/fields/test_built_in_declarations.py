"""The declarations of built-in kinds: what a site could write in `_kinds/`, and the only ones."""

from __future__ import annotations

from cases import cases

from knowledge.fields import yaml
from knowledge.fields.content_types import CONTENT_TYPES
from knowledge.fields.field_types import ValidationContext
from knowledge.fields.kind_faults import faults
from knowledge.fields.kind_fields import FieldDeclaration, KindFields, declared_fields, own_fields
from knowledge.fields.kind_files import DECLARATIONS, built_in_declaration
from knowledge.locales.locale import Language

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
    """Each field is marked as one that the kind shows in its own way."""
    content_type = CONTENT_TYPES.named(name)
    assert content_type.declared is not None
    own = own_fields(content_type.fields).values()
    assert [each.key for each in own] == list(content_type.declared.fields or {})
    assert all(each.is_built_in for each in own)


def test_a_built_in_field_may_be_a_fact() -> None:
    """Then pages show it as they show a field of a site."""
    fields = {
        "shelf": FieldDeclaration(type="text"),
        "aisle": FieldDeclaration(type="text", show="fact"),
    }
    made = declared_fields(KindFields(fields=fields), is_built_in=True)
    assert [each.is_built_in for each in made] == [True, False]
