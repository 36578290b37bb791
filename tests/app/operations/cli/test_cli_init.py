"""`majlis init`: a small, complete site to start from."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app.operations.cli import main
from app.operations.starters import KINDS
from app.platform import sample
from app.platform.settings import SAMPLE_CONTENT
from hatch_build import archive_sample
from knowledge.snapshot.loading import load_content


def run(*arguments: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(main, ["init", *arguments])


def files(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder, by path."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def texts(folder: Path) -> dict[str, str]:
    """Return the files written, by path."""
    return {path: data.decode() for path, data in files(folder).items()}


@pytest.mark.parametrize(("kind", "language"), list(product(KINDS, ("en", "ar", "both"))))
def test_a_starter_passes_the_check(kind: str, language: str, tmp_path: Path) -> None:
    """With a name that has to be quoted; `check` has nothing to say."""
    folder = tmp_path / "site"
    result = run(str(folder), "--kind", kind, "--lang", language, "--name", 'Noor: "one" \\ co')
    assert result.exit_code == 0, result.output
    checked = CliRunner().invoke(main, ["check", str(folder)])
    assert checked.exit_code == 0, checked.output
    assert ": 0 errors, 0 warnings, 0 notices" in checked.output
    settings = load_content(folder).snapshot.entries
    assert settings
    assert ("lang: ar" if language == "ar" else "lang: en") in texts(folder)["site/settings.md"]
    assert any(path.endswith(".ar.md") for path in texts(folder)) == (language == "both")


@pytest.mark.parametrize("language", ["en", "ar", "both"])
def test_a_price_of_the_hotel_stands_once(language: str, tmp_path: Path) -> None:
    """In the file of the first language, below the title; the other one has texts alone."""
    run(str(tmp_path / "site"), "--kind", "hotel", "--lang", language)
    written = texts(tmp_path / "site")
    assert written["rooms/suite.md"].index("title:") < written["rooms/suite.md"].index("USD: 449")
    assert language != "both" or "USD" not in written["rooms/suite.ar.md"]
    arabic = re.search("[\u0621-\u064a]", written["forms/booking.md"])
    assert bool(arabic) == (language != "en")


def test_a_country_has_its_rate_of_vat(tmp_path: Path) -> None:
    """As facts of the Gulf; `check` asks for that of another country, once there are prices."""
    folder = tmp_path / "site"
    run(str(folder), "--countries", "ae,sa,qa,om,kw,bh,eg")
    countries = load_content(folder).snapshot.countries
    rates = {str(country): settings.vat_rate for country, settings in countries.items()}
    assert rates == {"AE": 5, "SA": 15, "QA": 0, "OM": 5, "KW": 0, "BH": 10, "EG": None}
    assert "missing-vat-rate" not in CliRunner().invoke(main, ["check", str(folder)]).output
    (folder / "products").mkdir()
    product = "---\nid: 1\nsku: A\ntitle: Dates\nprices: {SAR: '45.00'}\n---\nText.\n"
    (folder / "products" / "dates.md").write_text(product)
    checked = CliRunner().invoke(main, ["check", str(folder), "--format", "json"])
    found = [(each["file"], each["code"]) for each in json.loads(checked.output)["diagnostics"]]
    assert found == [("countries/eg.md", "missing-vat-rate")]


def test_what_names_a_deleted_service_is_known(tmp_path: Path) -> None:
    """The check says in which files and lines."""
    folder = tmp_path / "site"
    run(str(folder), "--kind", "company")
    (folder / "services" / "energy.md").unlink()
    checked = CliRunner().invoke(main, ["check", str(folder), "--format", "json"])
    found = {(each["file"], each["code"]) for each in json.loads(checked.output)["diagnostics"]}
    assert found == {
        ("pages/about.md", "broken-link"),
        ("registry/faqs.md", "broken-link"),
        ("site/navigation.md", "broken-menu-link"),
    }


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_keys_of_the_theme_are_those_of_a_theme(language: str, tmp_path: Path) -> None:
    """Without the marks of comments the file is one, whose only fault is that it has no logo."""
    folder = tmp_path / "site"
    run(str(folder), "--kind", "company", "--lang", language)
    theme = folder / "site" / "theme.md"
    _, *lines = [line for line in theme.read_text().splitlines() if line.startswith("#")]
    theme.write_text("\n".join(["---", *(line.removeprefix("# ") for line in lines), "---", ""]))
    checked = CliRunner().invoke(main, ["check", str(folder), "--format", "json"])
    codes = [each["code"] for each in json.loads(checked.output)["diagnostics"]]
    assert codes == ["missing-logo", "missing-logo"]


@pytest.mark.parametrize("kind", ["company", "docs"])
def test_a_site_begins_with_a_look(kind: str, tmp_path: Path) -> None:
    """Its theme names it, whether or not the starter has one."""
    folder = tmp_path / "site"
    run(str(folder), "--kind", kind, "--look", "public")
    assert (folder / "site/theme.md").read_text().startswith("---\nlook: public\n")
    assert CliRunner().invoke(main, ["check", str(folder)]).exit_code == 0


def test_arabic_files_have_the_arabic_name(tmp_path: Path) -> None:
    """English ones have the other one, and both without the option."""
    names = ("--lang", "both", "--name", "Rimal", "--name-ar", "رمال")
    run(str(tmp_path / "site"), *names)
    written = {
        path: text for path, text in texts(tmp_path / "site").items() if path.endswith(".md")
    }
    assert [path for path, text in written.items() if "رمال" in text] != []
    assert all(path.endswith(".ar.md") for path, text in written.items() if "رمال" in text)
    assert [path for path, text in written.items() if ".ar." in path and "Rimal" in text] == []
    assert [path for path, text in written.items() if "Rimal" in text] != []
    run(str(tmp_path / "one"), *names[:4])
    named = [path for path, text in texts(tmp_path / "one").items() if "Rimal" in text]
    assert {".ar." in path for path in named} == {True, False}


def test_editors_know_the_front_matter(tmp_path: Path) -> None:
    """Visual Studio Code has a schema for each kind of file."""
    run(str(tmp_path / "site"), "--kind", "blog")
    settings = json.loads((tmp_path / "site/.vscode/settings.json").read_text())
    schemas = [name for name, globs in settings["yaml.schemas"].items() if "posts" in str(globs)]
    assert schemas == ["./.vscode/majlis/post.schema.json"]
    assert (tmp_path / "site" / schemas[0]).exists()


def test_countries_are_those_asked_for(tmp_path: Path) -> None:
    """None without the option."""
    run(str(tmp_path / "with"), "--countries", "sa,ae")
    run(str(tmp_path / "without"))
    assert {path.stem for path in (tmp_path / "with/countries").iterdir()} == {"sa", "ae"}
    assert not (tmp_path / "without/countries").exists()


def test_the_name_is_that_of_the_folder_by_default(tmp_path: Path) -> None:
    """In words."""
    run(str(tmp_path / "dental-clinic"))
    assert 'pageTitle: "Dental clinic"' in texts(tmp_path / "dental-clinic")["site/settings.md"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--countries", "sa,xq"), "“xq” is not a country"),
        (("--name", "two\nlines"), "Write the name in one line"),
        (("--kind", "shop"), "'shop' is not one of"),
    ],
)
def test_invalid_options_write_nothing(
    arguments: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    """The message says which one, and what is wrong."""
    result = run(str(tmp_path / "site"), *arguments)
    assert result.exit_code != 0
    assert message in result.output
    assert not (tmp_path / "site").exists()


def test_files_are_never_overwritten(tmp_path: Path) -> None:
    """A folder that is not empty is refused."""
    (tmp_path / "note.txt").write_text("mine")
    result = run(str(tmp_path))
    assert result.exit_code == 1
    assert "is not empty" in result.output
    assert texts(tmp_path) == {"note.txt": "mine"}


def test_the_sample_is_the_same_from_a_checkout_and_from_the_archive_of_a_wheel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All its files, and no choice of another site beside it."""
    checkout, installed, wheel = (tmp_path / name for name in ("checkout", "installed", "wheel"))
    assert "has the sample" in run(str(checkout), "--sample").output
    wheel.mkdir()
    archive_sample(SAMPLE_CONTENT, wheel / "content.tar.xz")
    monkeypatch.setattr(sample, "SAMPLE_CONTENT", wheel / "content")
    monkeypatch.setattr(sample, "_ARCHIVE", wheel / "content.tar.xz")
    assert "has the sample" in run(str(installed), "--sample").output
    assert files(checkout) == files(installed)
    order = "_orders/sample.jsonl"
    assert sample.read_sample(order) == (SAMPLE_CONTENT / order).read_bytes()
    refused = run(str(tmp_path / "other"), "--sample", "--kind", "blog")
    assert refused.exit_code == 2
    assert "leave --kind out" in refused.output


def test_a_start_without_content_says_how_to_get_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a wheel, whose sample is not unpacked."""
    missing = tmp_path / "content"
    monkeypatch.setattr("app.operations.cli.serve.SAMPLE_CONTENT", missing)
    result = CliRunner().invoke(main, ["serve", "--check"], env={"CONTENT_DIR": str(missing)})
    assert result.exit_code == 1
    assert "majlis init FOLDER writes a new site" in result.output


@pytest.mark.parametrize(("countries", "code"), [("om,qa", "+968"), ("", "+971")])
def test_telephone_numbers_are_of_the_first_country(
    countries: str, code: str, tmp_path: Path
) -> None:
    """Those of the house and of its restaurants are of one plan."""
    run(str(tmp_path / "site"), "--kind", "hotel", "--lang", "both", "--countries", countries)
    texts = [file.read_text() for file in (tmp_path / "site").glob("[sd]*/*.md")]
    numbers = {number for text in texts for number in re.findall(r'"(\+[^"]+)"', text)}
    assert len(numbers) == 3
    assert {number[: len(code)] for number in numbers} == {code}
    assert len({number[:-2] for number in numbers}) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_no_arabic_sentence_depends_on_the_gender_of_the_name(kind: str, tmp_path: Path) -> None:
    """A name may be feminine or plural: it follows no verb and no adjective follows it."""
    name = "فنادق سدرة"
    run(str(tmp_path / "site"), "--kind", kind, "--lang", "ar", "--name", name)
    texts = "".join(file.read_text() for file in (tmp_path / "site").rglob("*.md"))
    words = re.findall(rf"(\S*) ?{name}(\S?)", texts)
    assert {before.strip('"') for before, _ in words} <= {"", "في", "عن", "دليل"}
