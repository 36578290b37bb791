"""`majlis schema --decap`: a collection of each kind, in the languages and words of its site."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from examples import CLINIC
from starters import starter

from app.operations.cli import main

Collections = Mapping[str, Mapping[str, Any]]


def by_name(fields: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return fields by name, with the fields within them."""
    return {
        each["name"]: {**each, "fields": by_name(each["fields"])} if "fields" in each else each
        for each in fields
    }


def configured(site: Path) -> dict[str, Any]:
    """Return what the command prints for a site."""
    with chdir(site.parent):
        environment = {"CONTENT_DIR": site.name}
        printed = CliRunner().invoke(main, ["schema", "--decap"], env=environment)
    assert printed.exit_code == 0, printed.output
    found: dict[str, Any] = yaml.safe_load(printed.stdout)
    return found


def collections_of(site: Path) -> dict[str, dict[str, Any]]:
    """Return the collections of a site by name, with their fields or files by name."""
    found = configured(site)["collections"]
    return {
        each["name"]: {
            **each,
            "fields": by_name(each.get("fields", [])),
            "files": by_name(each.get("files", [])),
        }
        for each in found
    }


@pytest.fixture(scope="module")
def clinic() -> dict[str, dict[str, Any]]:
    """The collections of the clinic, which writes texts as `{ en: …, ar: … }`."""
    return collections_of(CLINIC)


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The collections of a new site, which has a file for each language."""
    return collections_of(
        starter(tmp_path_factory.mktemp("a") / "site", "company", "both", "sa,ae")
    )


def test_the_files_are_named_as_the_guides_name_them() -> None:
    """`name.md` has the main language; pictures have the folder of the site."""
    found = configured(CLINIC)
    i18n = found["i18n"]
    assert (i18n["locales"], i18n["default_locale"]) == (["en", "ar"], "en")
    assert i18n["omit_default_locale_from_filename"] is True
    assert (found["media_folder"], found["public_folder"]) == ("clinic/images", "/images")


def test_a_declared_kind_is_a_collection(clinic: Collections) -> None:
    """With its names, its address, and a widget for each type of field."""
    doctors = clinic["doctors"]
    assert (doctors["label"], doctors["label_singular"]) == ("Doctors", "Doctor")
    assert doctors["folder"] == "clinic/doctors"
    assert doctors["preview_path"] == "sa/{{locale}}/doctors/{{slug}}"
    fields = doctors["fields"]
    assert fields["specialty"]["widget"] == "select"
    assert fields["specialty"]["required"] is True
    assert {each["value"] for each in fields["specialty"]["options"]} >= {"cardiology"}
    assert (fields["branches"]["widget"], fields["branches"]["multiple"]) == ("relation", True)
    assert fields["branches"]["collection"] == "branches"
    assert [*fields["fee"]["fields"]] == ["AED", "SAR"]
    assert "i18n" not in fields["fee"]
    assert "i18n" not in fields["experience"]
    assert fields["since"]["widget"] == "datetime"
    assert fields["since"]["format"] == "YYYY-MM-DD"
    assert "format" not in clinic["classes"]["fields"]["startsAt"]  # with the time of the day


def test_values_of_a_trade_have_a_widget_for_each_part(clinic: Collections) -> None:
    """Those in a list have texts of both languages."""
    opening, place = (clinic["branches"]["fields"][name]["fields"] for name in ("opening", "place"))
    assert [*opening["days"]["fields"]][::6] == ["monday", "sunday"]
    assert opening["seasons"]["widget"] == "list"
    assert [*opening["seasons"]["fields"]["name"]["fields"]] == ["en", "ar"]
    assert place["street"]["label"] == "Street"
    assert clinic["services"]["fields"]["duration"]["widget"] == "string"


def test_a_text_is_edited_where_the_site_has_it(clinic: Collections, company: Collections) -> None:
    """Both languages in one file, or each in its own, as in the lists of menus."""
    title = clinic["doctors"]["fields"]["title"]
    assert (title["widget"], [*title["fields"]]) == ("object", ["en", "ar"])
    assert [each["required"] for each in title["fields"].values()] == [True, False]
    assert clinic["doctors"]["identifier_field"] == "title.en"
    assert company["services"]["fields"]["title"]["i18n"] is True
    assert company["services"]["identifier_field"] == "title"
    links = [
        each["site"]["files"]["navigation"]["fields"]["headerLinks"] for each in (clinic, company)
    ]
    assert [each.get("i18n") for each in links] == [None, True]
    assert [each["fields"]["label"]["widget"] for each in links] == ["object", "string"]
    paragraphs = clinic["site"]["files"]["home"]["fields"]["about"]["fields"]["paragraphs"]
    assert (paragraphs["widget"], [*paragraphs["fields"]]) == ("list", ["en", "ar"])


def test_built_in_kinds_are_collections_if_the_site_has_them(clinic: Collections) -> None:
    """Posts have their text in both languages, and fields of the site among their own."""
    posts = clinic["posts"]["fields"]
    assert [*posts][:3] == ["title", "shortDescription", "reviewedBy"]
    assert posts["body"] == {
        "name": "body",
        "label": "Text",
        "widget": "markdown",
        "modes": ["raw", "rich_text"],
        "required": False,
        "i18n": True,
    }
    assert posts["coverImage"]["widget"] == "image"
    assert posts["reviewedBy"]["collection"] == "doctors"
    assert "relatedModules" not in posts  # of which the site has none
    assert [*clinic] == [
        *("cities", "pages", "registry", "posts"),
        *("branches", "classes", "doctors", "services", "site"),
    ]
    assert clinic["registry"]["create"] is False  # its names are fixed


def test_the_documents_of_the_site_are_files(clinic: Collections) -> None:
    """The words with what they say by default."""
    files = clinic["site"]["files"]
    assert [*files] == ["home", "navigation", "words", "settings"]
    assert files["home"]["file"] == "clinic/site/home.{{locale}}.md"
    assert files["words"]["fields"]["search"]["label"] == "Search"
    company = files["settings"]["fields"]["siteSettings"]["fields"]
    assert [*company][:3] == ["primaryEmail", "phoneDisplay", "whatsapp"]


def test_an_arabic_site_has_an_arabic_editor(tmp_path: Path) -> None:
    """Each label and hint, also within a place."""
    site = starter(tmp_path / "site", "company", "ar", "")
    place = "place: { type: place, label: { ar: المكان } }"
    kind = f"---\nsingular: {{ ar: فرع }}\nplural: {{ ar: الفروع }}\nfields:\n  {place}\n---\n"
    (site / "_kinds" / "branches.md").write_text(kind, encoding="utf-8")
    found = collections_of(site)
    assert found["branches"]["fields"]["place"]["fields"]["mapUrl"]["label"] == "الخريطة"
    assert (found["pages"]["label"], found["pages"]["label_singular"]) == ("الصفحات", "صفحة")
    assert found["services"]["fields"]["response"]["label"] == "سرعة الاستجابة"
    assert found["site"]["files"]["home"]["file"] == "site/site/home.md"

    def texts(fields: Mapping[str, Any]) -> list[str]:
        own = [text for each in fields.values() for text in (each["label"], each.get("hint", ""))]
        inner = [texts(each.get("fields", {})) for each in fields.values()]
        return [*own, *(text for each in inner for text in each)]

    all_fields = [each["fields"] for each in found.values()]
    all_fields += [each["fields"] for each in found["site"]["files"].values()]
    said = [text for fields in all_fields for text in texts(fields) if text]
    assert [text for text in said if text.isascii()] == []


def test_the_page_keeps_the_backend_that_is_set(tmp_path: Path) -> None:
    """It is written again when kinds change; what is no configuration stays as it is."""
    starter(tmp_path / "site", "company", "en", "")
    configuration = tmp_path / "admin" / "config.yml"

    def write() -> Any:
        with chdir(tmp_path):
            words = ["schema", "--editor", "admin"]
            return CliRunner().invoke(main, words, env={"CONTENT_DIR": "site"})

    assert write().exit_code == 0
    assert {each.name for each in configuration.parent.iterdir()} == {
        *("config.yml", "index.html", "majlis.js", "format.js")
    }
    own = {"name": "gitlab", "repo": "me/site"}
    configuration.write_text(yaml.safe_dump({"backend": own}))
    assert write().exit_code == 0
    assert yaml.safe_load(configuration.read_text())["backend"] == own
    configuration.write_text("- a list")
    assert "is no configuration" in write().output
    assert configuration.read_text() == "- a list"
