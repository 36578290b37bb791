"""`majlis check --fix`: mends what is unambiguous, and changes nothing else in a file."""

from __future__ import annotations

import shutil
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from contract.visitor import write_tree

import knowledge
from app.operations.cli import main
from knowledge.snapshot.loading import load_content

SAMPLE = Path(knowledge.__file__).parent / "content"


def fix(folder: Path, *words: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(main, ["check", str(folder), "--fix", *words])


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder."""
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


MENDED = [
    pytest.param("title: A: b", 'title: "A: b"', id="colon"),
    pytest.param("title: A: b # note", 'title: "A: b" # note', id="colon and comment"),
    pytest.param("title:   @home", 'title:   "@home"', id="at sign"),
    pytest.param("title: `code`", 'title: "`code`"', id="backtick"),
    pytest.param("title: *star", 'title: "*star"', id="asterisk"),
    pytest.param("title: [Draft] Plan", 'title: "[Draft] Plan"', id="bracket"),
    pytest.param('title: A: "b"', "title: 'A: \"b\"'", id="quotes inside"),
    pytest.param("title: 'It's here'", "title: 'It''s here'", id="apostrophe in quotes"),
    pytest.param("tags:\n  - @a\n  - b", 'tags:\n  - "@a"\n  - b', id="list item"),
    pytest.param("title: 1.10", 'title: "1.10"', id="number for a text"),
    pytest.param("tags: [12:30, x, no]", 'tags: ["12:30", x, "no"]', id="in a list"),
    pytest.param("version: 1.10", 'version: "1.10"', id="number of an unknown key"),
    pytest.param("seo:\n\ttitle: A", "seo:\n  title: A", id="tab"),
    pytest.param(
        "seo:\n\tnoIndex: true\n\ttitle: A: b",
        'seo:\n  noIndex: true\n  title: "A: b"',
        id="tabs and quotes",
    ),
    pytest.param(
        "stats:\n    title: A\nseo:\n\ttitle: B",
        "stats:\n    title: A\nseo:\n    title: B",
        id="tab in a text with other indentation",
    ),
    pytest.param("date:   2026-05-01  # day", "publishedAt:   2026-05-01  # day", id="date"),
    pytest.param("'lastmod': 2026-05-01", "updatedAt: 2026-05-01", id="quoted key"),
    pytest.param("draft: true", "published: false", id="draft"),
    pytest.param("published: 2026-05-01", "publishedAt: 2026-05-01", id="date in published"),
    pytest.param("summary: >\n  Long\n  text", "excerpt: >\n  Long\n  text", id="block"),
    pytest.param("cover: {src: x.png}", "coverImage: {src: x.png}", id="nested image"),
    pytest.param(
        "{date: 2026-05-01, lastmod: 2026-05-02, draft: yes}",
        "{publishedAt: 2026-05-01, updatedAt: 2026-05-02, published: false}",
        id="flow",
    ),
    pytest.param(
        "excerpt: |\n  A\n  \tb: c\nheading: A: b",
        'excerpt: |\n  A\n  \tb: c\nheading: "A: b"',
        id="tab in a block of text",
    ),
]


def test_a_fault_is_mended_and_all_else_stays(tmp_path: Path) -> None:
    """Comments, order, quotes, spaces, line ends and the body; each mended fault is told.

    Each fault is in a file of its own for each line end, and each start of a file.
    """
    texts, expected = {}, {}
    for case, end, start in product(MENDED, ("\n", "\r\n"), ("", "\ufeff", "\n")):
        before, after = map(str, case.values)
        other = "" if before.startswith("{") else "other:  'x'   # kept\n"
        frame = f"{start}---\n# mine\n{other}{{}}\n---\n\n* Body\t\n\n## A\n"
        path = f"posts/{case.id}, {end!r}, {start!r}.md".replace("\\", "").replace(" ", "-")
        texts[path] = frame.replace("{}", before).replace("\n", end).encode()
        expected[path] = frame.replace("{}", after).replace("\n", end).encode()
    folder = write_tree(tmp_path, texts)
    done = fix(folder)
    assert contents(folder) == {str(folder / path): text for path, text in expected.items()}
    assert [path for path in texts if f"mended  {path}:" not in done.stderr] == []
    again = fix(folder)
    assert "mended" not in again.stderr
    assert contents(folder) == {str(folder / path): text for path, text in expected.items()}


LEFT = [
    pytest.param("title: A\ntitle: B\ndate: 2026-05-01", id="duplicate key"),
    pytest.param("published: perhaps\ndate: 2026-05-01", id="invalid value"),
    pytest.param('title: "A" b\ndate: 2026-05-01', id="text after quotes"),
    pytest.param("title: A: b\n  and more", id="value of two lines"),
    pytest.param("tags: [@a, b]", id="list on one line"),
    pytest.param("a: [", id="never closed"),
    pytest.param("date: soon\npublishedAt: 2026-05-01", id="both keys"),
    pytest.param("lastmod: soon", id="invalid value of another generator"),
    pytest.param("categories: [a, b]", id="two categories"),
    pytest.param("sortOrder: 010\npublished: no", id="values that are no texts"),
]


def test_what_cannot_be_mended_is_left_byte_for_byte(tmp_path: Path) -> None:
    """With everything else in the file."""
    texts = enumerate(str(case.values[0]) for case in LEFT)
    files = {f"posts/{number}.md": f"---\n{text}\n---\n\nx\n" for number, text in texts}
    folder = write_tree(tmp_path, files)
    before = contents(folder)
    assert "mended" not in fix(folder).stderr
    assert contents(folder) == before


@pytest.mark.parametrize("data", [b"---\ndate: 2026-05-01\n---\n\xff", b"---\rdate: x\r---\r"])
def test_a_file_that_is_no_text_with_known_line_ends_is_left(tmp_path: Path, data: bytes) -> None:
    """The command ends."""
    folder = write_tree(tmp_path, {"posts/a.md": data})
    fix(folder)
    assert (folder / "posts/a.md").read_bytes() == data


def test_toml_keys_are_renamed(tmp_path: Path) -> None:
    """Only those above the tables."""
    text = (
        '+++\ntitle = "A"\n"date" = 2026-05-01 # day\ndraft = true\n[extra]\ndate = "x"\n+++\nx\n'
    )
    folder = write_tree(tmp_path, {"posts/a.md": text})
    fix(folder)
    assert (folder / "posts/a.md").read_text() == (
        '+++\ntitle = "A"\npublishedAt = 2026-05-01 # day\npublished = false\n'
        '[extra]\ndate = "x"\n+++\nx\n'
    )


def test_sections_of_a_translation_get_the_ids_of_the_original(tmp_path: Path) -> None:
    """At a heading, also one with closing signs or underlined, and at a directive."""
    original = "## A {#a}\n\nx\n\n## B {#b}\n\nx\n\nC {#c}\n---\n\n:::{cta} D\n:id: d\n\nx\n:::\n"
    arabic = "## ا\n\nس\n\n## ب ##\n\nس\n\nج\n---\n\n:::{cta} د\n\nس\n:::\n"
    folder = write_tree(
        tmp_path,
        {"pages/x.md": original, "pages/x.ar.md": f"---\ntitle: A: ب\n---\n{arabic}"},
    )
    fix(folder)
    assert (folder / "pages/x.ar.md").read_text("utf-8") == (
        '---\ntitle: "A: ب"\n---\n## ا {#a}\n\nس\n\n## ب {#b} ##\n\nس\n\nج {#c}\n---\n\n'
        ":::{cta} د\n:id: d\n\nس\n:::\n"
    )
    assert (folder / "pages/x.md").read_text() == original
    assert "mended" not in fix(folder).stderr


def test_a_dry_run_shows_a_diff_and_writes_nothing(tmp_path: Path) -> None:
    """It exits with 1 if there is something to mend."""
    folder = write_tree(tmp_path, {"posts/a.md": "---\ndate: 2026-05-01\ntitle: A\n---\nx\n"})
    before = contents(folder)
    done = fix(folder, "--dry-run")
    assert done.exit_code == 1
    assert "--- a/posts/a.md\n+++ b/posts/a.md\n" in done.stdout
    assert "\n-date: 2026-05-01\n+publishedAt: 2026-05-01\n title: A\n" in done.stdout
    assert contents(folder) == before
    fix(folder)
    clean = fix(folder, "--dry-run")
    assert (clean.exit_code, clean.stdout) == (0, "")


@pytest.mark.slow
def test_the_sample_reads_the_same_after_fixing(tmp_path: Path) -> None:
    """No value of any document changes, and a second run changes no file."""
    folder = tmp_path / "content"
    shutil.copytree(SAMPLE, folder)
    before = load_content(folder)
    assert fix(folder).exit_code == 0
    mended, after = contents(folder), load_content(folder)
    for path, file in before.files.items():
        other = after.files[path].document
        assert file.document is not None
        assert other is not None
        assert file.document.fields == other.fields
        assert file.document.body == other.body
    assert "mended" not in fix(folder).stderr
    assert contents(folder) == mended


def test_a_file_is_replaced_as_a_whole_with_its_permissions(tmp_path: Path) -> None:
    """A link stays a link, and nothing is left beside the file."""
    folder = write_tree(tmp_path, {"posts/a.md": "---\ndate: 2026-05-01\n---\nx\n"})
    real = folder / "posts/a.md"
    real.chmod(0o640)
    (folder / "pages").mkdir()
    (folder / "pages/b.md").symlink_to(real)
    fix(folder)
    assert real.stat().st_mode & 0o777 == 0o640
    assert (folder / "pages/b.md").is_symlink()
    assert sorted(path.name for path in real.parent.iterdir()) == ["a.md"]


def test_the_report_is_about_the_mended_files(tmp_path: Path) -> None:
    """The rest is for the author."""
    text = "---\ntitle: A: b\n---\n[x](/gone)\n"
    folder = write_tree(tmp_path, {"posts/a.md": text})
    done = fix(folder)
    assert done.exit_code == 1
    assert "invalid-yaml" not in done.stdout
    assert "broken-link" in done.stdout


def test_a_dry_run_needs_fix(tmp_path: Path) -> None:
    """A check writes nothing anyway."""
    done = CliRunner().invoke(main, ["check", str(tmp_path), "--dry-run"])
    assert done.exit_code == 2
    assert "--dry-run needs --fix" in done.stderr
