"""A built-in kind exists on a site only if the content has it."""

from __future__ import annotations

from pathlib import Path

import pytest
from cases import cases
from click.testing import CliRunner
from conftest import Content, Visit
from contract.visitor import Visitor

from app.operations.cli import main
from app.services import services_of
from knowledge.fields.content_types import CONTENT_TYPES, OPTIONAL_KINDS
from knowledge.fields.interface_texts import interface_texts
from knowledge.fields.kind_texts import words_of
from knowledge.snapshot.loading import load_content
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.edit_effects import EVERYTHING, touched

NAVIGATION = (
    "---\nheaderLinks:\n- {label: Stories, href: /testimonials}\n- {label: About, href: /about}\n"
    "---\n"
)
FILES = {
    "pages/about.md": "---\ntitle: {en: About, ar: عنا}\n---\nText.\n",
    "site/navigation.md": NAVIGATION,
}
MODULE = "---\ntitle: {en: Wash, ar: غسيل}\n---\nText.\n"
PATHS = (
    *("/products", "/products/one", "/products/compare", "/testimonials", "/modules/one"),
    *("/industries/one", "/cities/riyadh", "/cities/riyadh/about"),
)
FORMS = ("text/html", "text/markdown", "application/json")


@pytest.fixture
def plain(shared_visit: Visit) -> Visitor:
    """A site with a page, and without any built-in kind."""
    return shared_visit(FILES, mcp=True)


@cases("path", PATHS)
def test_its_pages_are_not_there(plain: Visitor, path: str) -> None:
    """In no form, nor in a map; nor does the API know their metadata."""
    for form in FORMS:
        assert plain.get(f"/ae/en{path}", {"Accept": form}).status == 404
    for suffix in (".md", ".json", ".xml"):
        assert plain.get(f"/ae/en{path}{suffix}").status == 404
    assert plain.get(f"/api/public/v1/seo-page?path=/ae/en{path}").json["noIndex"]
    assert f"/ae/en{path}<" not in plain.get("/sitemap.xml").text


def test_menus_leave_its_links_out(plain: Visitor) -> None:
    """As they would lead nowhere."""
    links = plain.get("/api/public/v1/navigation").json["headerLinks"]
    assert [each["label"] for each in links] == ["About"]


def test_the_operations_of_the_contract_stay(plain: Visitor) -> None:
    """With empty lists; those of one document give 404, and the contract names none of them."""
    api = "/api/public/v1"
    home = plain.get(f"{api}/homepage").json
    assert [home[name]["items"] for name in ("modules", "industries", "testimonials")] == [[]] * 3
    assert plain.get(f"{api}/testimonials").json["items"] == []
    assert plain.get(f"{api}/cities").json["cities"] == []
    for kind in ("module", "industry", "other"):
        assert plain.get(f"{api}/locale-content/software/{kind}/one").status == 404
        assert plain.get(f"/api/software-detail/{kind}/one").status == 404
    paths = plain.get("/openapi.json").json["paths"]
    assert [each for each in paths if "software" in each or "testimonials" in each] == []
    assert f"{api}/cities" not in paths


def snapshot_of(folder: Path) -> Snapshot:
    """Return the snapshot of a content folder."""
    return load_content(folder).snapshot


@cases(
    ("path", "text"),
    [
        ("modules/wash.md", MODULE),
        ("modules/wash.md", MODULE.replace("title", "published: false\ntitle")),
        ("_kinds/modules.md", "---\nsingular: {en: Wash}\nplural: {en: Washes}\n---\n"),
    ],
)
def test_a_document_or_a_declaration_makes_it_exist(content: Content, path: str, text: str) -> None:
    """A draft too, as its author looks at it."""
    folder = content({**FILES, path: text})
    snapshot = snapshot_of(folder)
    assert {kind for kind in OPTIONAL_KINDS if snapshot.has(kind)} == {
        CONTENT_TYPES.named("modules")
    }
    assert "module" in {page.name for page in snapshot.page_types.all}
    (folder / path).unlink()


def test_the_text_of_its_list_makes_it_exist(content: Content) -> None:
    """`site/testimonials.md` is the text of a list that has nothing in it yet."""
    snapshot = snapshot_of(content({**FILES, "site/testimonials.md": "---\npage: {}\n---\n"}))
    assert snapshot.has(CONTENT_TYPES.named("testimonials"))


def test_the_first_document_touches_everything(content: Content) -> None:
    """As menus, maps and the API then name the kind; a second one does not."""
    folder = content(FILES)
    before = load_content(folder)
    (folder / "modules").mkdir()
    (folder / "modules/wash.md").write_text(MODULE)
    first = load_content(folder, before)
    (folder / "modules/iron.md").write_text(MODULE)
    second = load_content(folder, first)
    assert touched(before, first) == EVERYTHING
    assert not touched(first, second).everything
    assert second.snapshot.kinds is first.snapshot.kinds


def test_a_running_site_gets_the_kind(visit: Visit) -> None:
    """With the first file of its folder."""
    visitor = visit(FILES)
    assert visitor.get("/ae/en/modules/wash").status == 404
    services = services_of(visitor.quart)
    folder = Path(services.settings.content_dir)
    (folder / "modules").mkdir()
    (folder / "modules/wash.md").write_text(MODULE)
    services.content_store.reload()
    assert visitor.get("/ae/en/modules/wash").status == 200


def test_its_words_are_texts_of_the_interface() -> None:
    """Each name that `majlis words` leaves out is one of a text."""
    assert words_of(OPTIONAL_KINDS) <= interface_texts().keys()


def test_schemas_are_those_of_the_site(content: Content) -> None:
    """That of another kind is printed for who asks, as it may be the next one."""
    folder = content({**FILES, "modules/wash.md": MODULE})
    environment = {"CONTENT_DIR": str(folder)}
    printed = CliRunner().invoke(main, ["schema"], env=environment).stdout
    assert '"module": {' in printed
    assert '"product": {' not in printed
    asked = CliRunner().invoke(main, ["schema", "product"], env=environment)
    assert '"sku"' in asked.stdout
