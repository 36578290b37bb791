"""`majlis new`: a document of any kind, which a check passes and only a preview shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from contract.visitor import write_tree
from gulf import write_site

from app.operations.cli import main
from app.platform.clock import utc_now
from knowledge.checks.front_matter_schema import schema_names
from knowledge.documents import front_matter
from knowledge.documents.files import SourceFile
from knowledge.snapshot.loading import load_content


@pytest.fixture(autouse=True)
def content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the content folder, which has one product."""
    folder = write_site(
        tmp_path / "content",
        {
            "products/till.md": "---\ntitle: Till\nid: 41\nsku: T\nprices: {AED: '1.00'}\n---\n",
            "posts/2025-01-01-known.md": "---\ntitle: Known\n---\nx\n",
        },
    )
    monkeypatch.setenv("CONTENT_DIR", str(folder))
    return folder


def new(*words: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(main, ["new", *words])


MADE = [
    (["post", "Hello, world: part 2"], "posts/hello-world-part-2.md"),
    (["post", "مرحبا بالعالم"], "posts/مرحبا-بالعالم.ar.md"),
    (["post", "About ERP", "--lang", "ar", "--slug", "erp"], "posts/erp.ar.md"),
    (["page", "@home #1 *now*"], "pages/home-1-now.md"),
    (["page", "1.10"], "pages/1-10.md"),
    (["registry", "Our ERP", "--slug", "erp"], "registry/erp.md"),
    (["module", "Stock"], "modules/stock.md"),
    (["industry", "Retail"], "industries/retail.md"),
    (["category", "News"], "categories/news.md"),
    (["tag", "Tax"], "tags/tax.md"),
    (["author", "Hessa Al Mutairi"], "authors/hessa-al-mutairi.md"),
    (["category", "أخبار"], "categories/أخبار.md"),
    (["testimonial", "Sara"], "testimonials/sara.md"),
    (["testimonial", "سارة"], "testimonials/سارة.ar.md"),
    (["product", "Scanner"], "products/scanner.md"),
    (["city", "Riyadh", "--country", "sa"], "cities/riyadh.md"),
    (["country", "Egypt", "--slug", "eg"], "countries/eg.md"),
    (["site", "Wahat", "--slug", "settings"], "site/settings.md"),
    (["site", "Blog", "--slug", "blog"], "site/blog.md"),
    (["kind", "Courses"], "_kinds/courses.md"),
    (["form", "Booking"], "forms/booking.md"),
]


@pytest.mark.parametrize(("words", "path"), MADE, ids=str)
def test_a_new_document_passes_the_check(content: Path, words: list[str], path: str) -> None:
    """The command prints its path, and the title is read as it was typed."""
    made = new(*words)
    assert made.exit_code == 0, made.output
    assert made.stdout.strip() == str(content / path)
    checked = CliRunner().invoke(main, ["check", str(content), "--all"])
    serious = [line for line in checked.stdout.splitlines() if line.startswith(("err", "warn"))]
    assert [line for line in serious if path in line] == []
    metadata = front_matter.parse(SourceFile(path, (content / path).read_text("utf-8"))).metadata
    assert words[1] in str(metadata)


def test_every_kind_can_be_made() -> None:
    """The tests above make each."""
    kinds = {"site" if name.startswith("site-") else name for name in schema_names()}
    assert {words[0] for words, _ in MADE} == kinds


def test_a_new_post_is_a_draft_of_today(content: Path) -> None:
    """The command says how to see it."""
    made = new("post", "Hello")
    text = (content / "posts/hello.md").read_text()
    assert f"publishedAt: {utc_now():%Y-%m-%d}\n" in text
    assert "published: false" in text
    assert "majlis preview posts/hello.md" in made.stderr
    (document,) = (load_content(content).files["posts/hello.md"].document,)
    assert document is not None
    assert document.fields.published is False


def test_a_new_product_has_the_next_number(content: Path) -> None:
    """Partners use it as a cursor."""
    new("product", "Scanner")
    assert "id: 42\n" in (content / "products/scanner.md").read_text()


REFUSED = [
    pytest.param(["post", "!?"], "no letter or digit", id="no slug"),
    pytest.param(["post", "Known"], "“known” is already used by", id="slug of another name"),
    pytest.param(["page", "Blog"], "reserved by the site", id="reserved address"),
    pytest.param(["registry", "Shop"], "--slug with one of: erp, solutions", id="registry"),
    pytest.param(["city", "Riyadh"], "needs its country, such as --country sa", id="city"),
    pytest.param(["article", "x"], "testimonial", id="unknown kind"),
]


@pytest.mark.parametrize(("words", "message"), REFUSED)
def test_what_a_check_would_refuse_is_not_written(
    content: Path, words: list[str], message: str
) -> None:
    """The folder stays as it is."""
    before = sorted(content.rglob("*"))
    made = new(*words)
    assert made.exit_code != 0
    assert message in made.stderr
    files = sorted(path for path in content.rglob("*") if path.is_file())
    assert files == [path for path in before if path.is_file()]


def test_no_file_is_overwritten(content: Path) -> None:
    """The command says what to do."""
    new("post", "Hello")
    path = content / "posts/hello.md"
    path.write_text("mine")
    made = new("post", "Hello")
    assert made.exit_code == 1
    assert "is there already. Use another --slug." in made.stderr
    assert path.read_text() == "mine"


def test_another_folder_may_be_named(tmp_path: Path) -> None:
    """It need not be the one that is served."""
    folder = write_tree(tmp_path / "other", {"pages/a.md": "x"})
    assert new("page", "B", "--folder", str(folder)).exit_code == 0
    assert (folder / "pages/b.md").exists()


def test_a_long_title_makes_a_short_name(content: Path) -> None:
    """File systems allow 255 bytes, of which an Arabic letter takes two."""
    made = new("post", "كلمة " * 100)
    assert made.exit_code == 0, made.output
    (path,) = (path for path in (content / "posts").iterdir() if path.name.endswith(".ar.md"))
    assert len(path.name.encode()) < 200
    assert not path.name.startswith("-")
