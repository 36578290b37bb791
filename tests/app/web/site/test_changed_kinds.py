"""Built-in kinds that a site declares otherwise: with other names, at other addresses."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from cases import cases
from contract.visitor import Visitor
from examples import CLINIC

import knowledge
from app.services import services_of
from knowledge.snapshot.loading import load_content

SAMPLE = Path(knowledge.__file__).parent / "content"
HTML = {"Accept": "text/html"}
DECLARED = {
    "modules": ("Service", "Services", "خدمة", "الخدمات", "/services"),
    "industries": ("Sector", "Sectors", "مجال", "المجالات", "/what-we-know/sectors"),
    "posts": ("News item", "News", "خبر", "الأخبار", "/news"),
    "products": ("Device", "Devices", "آلة", "الآلات", "/devices"),
    "cities": ("Place", "Places", "مكان", "الأماكن", "/places"),
    "testimonials": ("Review", "Reviews", "تقييم", "التقييمات", "/reviews"),
}
MOVED = {"modules": "Services", "blog": "News", "cities": "Places"}
OLD = tuple(f"/{name}" for name in ("modules", "industries", "blog", "products", "cities"))


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample with a few of its posts, and all its kinds renamed and moved."""
    root = tmp_path_factory.mktemp("sample")
    shutil.copytree(SAMPLE, root, dirs_exist_ok=True)
    for post in sorted((root / "posts").glob("*.md"))[12:]:
        post.unlink()
    (root / "_kinds").mkdir()
    for name, (one, all_of_them, arabic, arabic_plural, path) in DECLARED.items():
        (root / f"_kinds/{name}.md").write_text(
            f"---\nsingular: {{ en: {one}, ar: {arabic} }}\n"
            f"plural: {{ en: {all_of_them}, ar: {arabic_plural} }}\npath: {path}\n---\n",
            encoding="utf-8",
        )
    for name, line in (("categories", "path: /topics"), ("tags", "path: /subjects")):
        (root / f"_kinds/{name}.md").write_text(f"---\n{line}\n---\n", encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def moved(content: Path) -> Iterator[Visitor]:
    """A service of that site, for tests that only read."""
    with Visitor(content_dir=content) as visitor:
        yield visitor


def site_paths(visitor: Visitor, locale: str) -> list[str]:
    """Return the paths of a locale in the site map."""
    found = re.findall(r"<loc>https?://[^/]+(/[^<]*)</loc>", visitor.get("/sitemap.xml").text)
    return sorted({path for path in found if path.startswith(locale)})


def linked(text: str) -> set[str]:
    """Return the paths below a locale that a page of any format names."""
    return set(
        re.findall(r"""(?<![\w./])(?:https?://[^/"'\s<>)]+)?/sa/(?:en|ar)(/[\w/.-]+)""", text)
    )


@pytest.mark.slow
@pytest.mark.parametrize("locale", ["/sa/en", "/sa/ar"])
def test_nothing_leads_to_a_former_address(moved: Visitor, locale: str) -> None:
    """All pages of a locale in all formats, its maps, feeds and searches; each link is a page."""
    paths = site_paths(moved, locale)
    assert len(paths) > 60
    targets: set[str] = set()
    for path in paths:
        for suffix in ("", ".md", ".json"):
            reply = moved.get((path if path.count("/") > 2 else f"{path}/index") + suffix, HTML)
            reply = reply if suffix or path.count("/") > 2 else moved.get(path, HTML)
            assert reply.status == 200, (path, suffix)
            targets |= linked(reply.text)
    for path in (
        *("/llms.txt", "/llms-full.txt", "/news/feed.xml", "/news/feed.json", "/nothing"),
        *("/search?q=invoice", "/devices?sort=price", "/devices/compare", "/news?search=tax"),
    ):
        targets |= linked(moved.get(f"{locale}{path}", HTML).text)
    found = moved.get("/api/public/v1/search?country=sa&q=invoices&pageSize=50").text
    targets |= linked(found) | linked(moved.get("/api/public/v1/blog/posts?country=sa").text)
    assert [each for each in targets if f"{each}/".startswith(tuple(f"{o}/" for o in OLD))] == []
    for target in sorted(targets):
        assert moved.get(f"{locale}{target}").status in (200, 304), target


@cases(
    ("path", "target"),
    [
        pytest.param("/sa/en/modules/point-of-sale", "/sa/en/services/point-of-sale", id="page"),
        pytest.param(
            "/sa/ar/modules/point-of-sale.md?a=1",
            "/sa/ar/services/point-of-sale.md?a=1",
            id="format",
        ),
        pytest.param("/modules/point-of-sale", "/ae/en/services/point-of-sale", id="no locale"),
        pytest.param("/sa/en/modules", "/sa/en/services", id="overview"),
        pytest.param("/sa/en/modules/", "/sa/en/services", id="slash"),
        pytest.param("/sa/en/industries.json", "/sa/en/what-we-know/sectors.json", id="nested"),
        pytest.param("/sa/en/blog?page=2", "/sa/en/news?page=2", id="list"),
        pytest.param("/sa/en/blog/feed.xml", "/sa/en/news/feed.xml", id="feed"),
        pytest.param(
            "/sa/en/blog/category/tax-and-compliance/feed.json",
            "/sa/en/topics/tax-and-compliance/feed.json",
            id="feed of a category",
        ),
        pytest.param("/sa/en/blog/author/layth-haddad", None, id="no such author"),
        pytest.param(
            "/sa/en/products/compare?items=a", "/sa/en/devices/compare?items=a", id="comparison"
        ),
        pytest.param("/sa/en/cities/riyadh/erp", "/sa/en/places/riyadh/erp", id="in a city"),
        pytest.param("/sa/en/testimonials", "/sa/en/reviews", id="testimonials"),
        pytest.param("/rss.xml", "/ae/en/news/feed.xml", id="usual feed"),
        pytest.param("/sa/en/modules/nothing", None, id="no such page"),
    ],
)
def test_a_former_address_redirects(moved: Visitor, path: str, target: str | None) -> None:
    """Permanently, in every format, with locale and query."""
    reply = moved.get(path)
    assert (reply.status, reply.headers.get("Location")) == (301 if target else 404, target)


def test_the_api_has_its_paths(moved: Visitor) -> None:
    """Only the paths of pages in it are others."""
    page = moved.get("/api/public/v1/locale-content/software/module/point-of-sale?country=sa")
    other = moved.get("/sa/en/services/point-of-sale.json")
    assert page.status == other.status == 200
    assert page.json["page"]["slug"] == other.json["page"]["slug"] == "point-of-sale"
    listed = moved.get("/api/public/v1/pages/modules?country=sa").json
    assert {each["path"].rpartition("/")[0] for each in listed["listing"][0]["items"]} == {
        "/sa/en/services"
    }
    metadata = moved.get("/api/public/v1/seo-page?path=/sa/en/services/point-of-sale").json
    assert "/sa/en/services/point-of-sale" in str(metadata)
    assert "/modules/" not in str(metadata)


def test_an_overview_of_the_site_takes_the_place_of_the_built_in_one(tmp_path: Path) -> None:
    """`pages/services.md` lists the modules, and `pages/modules.md` is a page like any other."""
    for folder in ("_kinds", "modules", "pages"):
        (tmp_path / folder).mkdir()
    (tmp_path / "_kinds/modules.md").write_text("---\npath: /services\n---\n")
    (tmp_path / "modules/repair.md").write_text("---\ntitle: Repair\n---\nWe repair.\n")
    overview = tmp_path / "pages/services.md"
    (tmp_path / "pages/modules.md").write_text("---\ntitle: Old list\n---\nText.\n")
    with Visitor(content_dir=tmp_path) as visitor:
        store = services_of(visitor.quart).content_store
        assert "Old list" in visitor.get("/en/services", HTML).text
        assert visitor.get("/en/modules").headers["Location"] == "/en/services"
        overview.write_text("---\ntitle: What we do\n---\nText with [one](/modules/repair).\n")
        (tmp_path / "modules/advice.md").write_text("---\ntitle: Advice\n---\nWe advise.\n")
        store.reload()
        page = visitor.get("/en/services", HTML).text
        assert "What we do" in page
        assert '<a href="/en/services/repair">one</a>' in page
        assert '<a href="/en/services/advice">Advice</a>' in page
        assert "Old list" in visitor.get("/en/modules", HTML).text


def test_a_declaration_has_former_addresses(tmp_path: Path) -> None:
    """Those of its list, for all below it; the documents keep theirs."""
    shutil.copytree(CLINIC, tmp_path / "site")
    declaration = tmp_path / "site/_kinds/doctors.md"
    text = declaration.read_text(encoding="utf-8")
    edited = text.replace("---\n", "---\npath: /team\naliases: [/doctors, /about/physicians]\n", 1)
    declaration.write_text(edited, encoding="utf-8")
    layla = tmp_path / "site/doctors/layla-haddad.md"
    lines = layla.read_text(encoding="utf-8").replace("---\n", "---\naliases: [dr-layla]\n", 1)
    layla.write_text(lines, encoding="utf-8")
    about = tmp_path / "site/pages/about.md"
    about.write_text(
        f"{about.read_text(encoding='utf-8')}\n[All](/doctors), [one](/doctors/dr-layla)\n"
    )
    assert load_content(tmp_path / "site").diagnostics == ()
    with Visitor(content_dir=tmp_path / "site") as visitor:
        for former, present in (
            ("/sa/en/doctors", "/sa/en/team"),
            ("/sa/ar/doctors/layla-haddad.md?a=1", "/sa/ar/team/layla-haddad.md?a=1"),
            ("/sa/en/about/physicians/layla-haddad", "/sa/en/team/layla-haddad"),
            ("/sa/en/doctors/dr-layla", "/sa/en/team/layla-haddad"),
        ):
            reply = visitor.get(former)
            assert (reply.status, reply.headers.get("Location")) == (301, present)
        page = visitor.get("/sa/en/about", HTML).text
        assert '<a href="/sa/en/team">All</a>, <a href="/sa/en/team/layla-haddad">one</a>' in page


def test_documents_of_a_declared_kind_have_pages_in_a_city(tmp_path: Path) -> None:
    """A layer of a city changes text and fields for its readers, and has an address there."""
    shutil.copytree(CLINIC, tmp_path / "site")
    layer = tmp_path / "site/doctors/layla-haddad.sa.riyadh.md"
    layer.write_text("---\nexperience: 19\n---\n\nShe is in Riyadh on Mondays.\n")
    path = "/cities/riyadh/doctors/layla-haddad"
    assert load_content(tmp_path / "site").diagnostics == ()
    with Visitor(content_dir=tmp_path / "site") as visitor:
        for suffix in ("", ".md", ".json"):
            reply = visitor.get(f"/sa/en{path}{suffix}", {} if suffix else HTML)
            assert reply.status == 200
            assert "in Riyadh on Mondays" in reply.text
        assert visitor.get(f"/sa/en{path}.json").json["entry"]["fields"]["experience"] == 19
        assert visitor.get(f"/ae/en{path}").status == 404
        general = visitor.get("/sa/en/doctors/layla-haddad.json").json["entry"]
        assert general["fields"]["experience"] == 18
        assert f"/sa/en{path}</loc>" in visitor.get("/sitemap.xml").text
        assert f'href="/sa/en{path}"' in visitor.get("/sa/en/cities/riyadh", HTML).text
        other = visitor.get("/sa/en/cities/riyadh/doctors/omar-nasser", HTML)
        assert (
            'rel="canonical" href="https://www.wahat.example/sa/en/doctors/omar-nasser"'
            in other.text
        )
        found = visitor.get("/api/public/v1/search?country=sa&q=Mondays").json["items"]
        assert f"/sa/en{path}" in {each["page"]["path"] for each in found}


def test_a_declaration_chooses_template_and_type(tmp_path: Path) -> None:
    """Also of a built-in kind: for all its documents."""
    for folder in ("_kinds", "_templates", "modules"):
        (tmp_path / folder).mkdir()
    (tmp_path / "_kinds/modules.md").write_text(
        "---\ntemplate: service\nschemaType: Service\nparent: /search\n"
        "fields: { area: { type: text, schemaProperty: areaServed } }\n---\n"
    )
    (tmp_path / "modules/repair.md").write_text("---\ntitle: Repair\narea: Jeddah\n---\nText.\n")
    (tmp_path / "_templates/service.html").write_text(
        '{% extends "majlis/content.html" %}{% block main %}<p>ours</p>{{ super() }}{% endblock %}'
    )
    assert load_content(tmp_path).diagnostics == ()
    with Visitor(content_dir=tmp_path) as visitor:
        page = visitor.get("/en/modules/repair", HTML).text
    assert "<p>ours</p>" in page
    assert '"@type": "Service"' in page or '"@type":"Service"' in page
    assert "Jeddah" in page.partition("application/ld+json")[2].partition("</script>")[0]
    assert '<a href="/en/search">' in page


@cases(
    ("name", "lines", "message"),
    [
        pytest.param("pages", "path: /texts", "path: this cannot be set", id="pages"),
        pytest.param("registry", "plural: Texts", "plural: this cannot be set", id="registry"),
        pytest.param("countries", "aliases: /lands", "aliases: this cannot be set", id="countries"),
        pytest.param("tags", "plural: Subjects", "plural: this cannot be set", id="tags"),
        pytest.param("posts", "sort: title", "sort: this cannot be set", id="order"),
        pytest.param("posts", "schemaType: Event", "schemaType: this cannot be set", id="type"),
        pytest.param("modules", "path: /blog", "The path /blog", id="taken"),
        pytest.param("modules", "path: /search", "The path /search", id="taken by a list"),
        pytest.param("posts", "aliases: [../x]", "is no address of a list", id="alias"),
    ],
)
def test_what_cannot_be_changed_is_named(
    tmp_path_factory: pytest.TempPathFactory, name: str, lines: str, message: str
) -> None:
    """With its line and what to do; the kind stays as it is."""
    root = tmp_path_factory.mktemp("site")
    (root / "_kinds").mkdir()
    (root / f"_kinds/{name}.md").write_text(f"---\n{lines}\n---\n")
    (found,) = load_content(root).diagnostics
    assert message in found.message
    assert (found.path, found.line) == (f"_kinds/{name}.md", 2)
    assert found.suggestion
