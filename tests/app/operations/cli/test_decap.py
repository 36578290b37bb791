"""`majlis schema --decap`: a collection of each kind, built-in or declared, in both languages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from app.operations.cli import main

CLINIC = Path(__file__).parents[4] / "docs" / "examples" / "clinic"


@pytest.fixture
def collections(monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, Any]]:
    """The collections of the clinic by name, with their fields by name."""
    monkeypatch.chdir(CLINIC.parent)
    monkeypatch.setenv("CONTENT_DIR", "clinic")
    printed = CliRunner().invoke(main, ["schema", "--decap"])
    assert printed.exit_code == 0, printed.output
    found = yaml.safe_load(printed.stdout)
    assert found["i18n"]["locales"] == ["en", "ar"]
    assert found["media_folder"] == "clinic/images"
    return {
        each["name"]: {**each, "fields": {field["name"]: field for field in each["fields"]}}
        for each in found["collections"]
    }


def test_a_declared_kind_is_a_collection(collections: dict[str, dict[str, Any]]) -> None:
    """With its names, and a widget for each type of field."""
    doctors = collections["doctors"]
    assert (doctors["label"], doctors["label_singular"]) == ("Doctors", "Doctor")
    assert doctors["folder"] == "clinic/doctors"
    fields = doctors["fields"]
    assert fields["specialty"]["widget"] == "select"
    assert fields["specialty"]["required"] is True
    assert {each["value"] for each in fields["specialty"]["options"]} >= {"cardiology"}
    assert (fields["branches"]["widget"], fields["branches"]["multiple"]) == ("relation", True)
    assert fields["branches"]["collection"] == "branches"
    assert [each["name"] for each in fields["fee"]["fields"]] == ["AED", "SAR"]
    assert fields["motto"]["i18n"] is True
    assert fields["experience"]["i18n"] == "duplicate"
    assert fields["since"]["widget"] == "datetime"


def test_values_of_a_trade_have_a_widget_for_each_part(
    collections: dict[str, dict[str, Any]],
) -> None:
    """Texts in each language, all else alike in both."""
    opening, place = (collections["branches"]["fields"][name] for name in ("opening", "place"))
    days, seasons, _ = opening["fields"]
    assert [each["name"] for each in days["fields"]][::6] == ["monday", "sunday"]
    assert (seasons["widget"], seasons["fields"][0]["i18n"]) == ("list", True)
    street = place["fields"][0]
    assert (street["name"], street["i18n"]) == ("street", True)
    assert collections["services"]["fields"]["duration"]["widget"] == "string"


def test_built_in_kinds_are_collections_too(collections: dict[str, dict[str, Any]]) -> None:
    """Posts have their text in both languages, and fields of the site among their own."""
    posts = collections["posts"]["fields"]
    assert [*posts][:2] == ["title", "shortDescription"]
    assert posts["body"] == {
        "name": "body",
        "label": "Text",
        "widget": "markdown",
        "required": False,
        "i18n": True,
    }
    assert posts["coverImage"]["widget"] == "image"
    assert posts["reviewedBy"]["collection"] == "doctors"
    assert {"pages", "cities", "services"} <= collections.keys()
    assert "products" not in collections  # of which the site has none
    assert "site" not in collections
