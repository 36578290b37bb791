"""Built-in kinds that a site declares otherwise: with other names, at other addresses."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import quote

import pytest
from cases import cases
from contract.visitor import Visitor
from examples import CLINIC
from mcp_calls import call

from app.platform.clock import utc_now
from app.services import services_of
from knowledge.checks.content_linter import check_content
from knowledge.diagnostics.diagnostic import Severity
from knowledge.snapshot.loading import load_content

HTML = {"Accept": "text/html"}
DECLARED = {
    "modules": ("Services", "الخدمات", "/services"),
    "industries": ("Sectors", "المجالات", "/what-we-know/sectors"),
    "posts": ("News", "الأخبار", "/news"),
    "products": ("Devices", "الآلات", "/devices"),
    "cities": ("Places", "الأماكن", "/places"),
    "testimonials": ("Reviews", "التقييمات", "/reviews"),
}
LINKS = (
    "[a](/modules/one) [b](/services/one) [c](../modules/two.md) [d](/blog) [e](/blog/feed.xml)"
    " [f](/industries) [g](/products/compare?items=one) [h](/blog/category/gamma) [i](/cities)"
)
FILES = {
    "countries/sa.md": "name: { en: Saudi Arabia, ar: السعودية }",
    "site/settings.md": "name: { en: Noor, ar: نور }",
    "site/home.md": "title: { en: Noor, ar: نور }",
    "cities/riyadh.md": "name: { en: Riyadh, ar: الرياض }\ncountryCode: SA\nservices: [one]\n"
    "industries: [one]",
    "authors/omar.md": "name: { en: Omar, ar: عمر }",
    "pages/modules.md": "title: { en: Our work, ar: عملنا }",
    "pages/cities.md": "title: { en: Where we are, ar: أين نحن }",
    "registry/industries.md": "title: { en: Whom we serve, ar: من نخدم }",
    "testimonials/a.md": "customerName: Zain\nquote: { en: Fine, ar: جيد }",
    "_kinds/categories.md": "path: /topics",
    "_kinds/tags.md": "path: /subjects",
}
NAMES = re.compile(
    r"\b(?:modules?|industr(?:y|ies)|products?|articles?|blog|cit(?:y|ies)|testimonials?|stories)\b"
    "|وحدة|وحدات|قطاع|جهاز|أجهزة|منتج|مقال|مدونة|مدينة|المدن|آراء",
    re.IGNORECASE,
)
"""The names of the built-in kinds."""

OLD = re.compile(r"/(?:modules|industries|blog|products|cities|testimonials)(?=[/.?#]|$)")
PATHS = (
    *("/news?search=text", "/news?search=nowhere", "/news?page=9", "/devices?stock=in"),
    *("/devices?minPrice=999", "/devices/compare", "/devices/compare?items=one,two,nowhere"),
    *("/devices/compare?items=one,two,three,four", "/search?q=text", "/search?q=nowhere"),
    *("/nowhere", "/news/feed.xml", "/news/feed.json", "/topics/gamma/feed.xml", "/llms.txt"),
    *("/llms-full.txt", "/topics/gamma", "/subjects/delta", "/news/author/omar"),
)
"""Pages of a locale that the site map does not have, and its files."""


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with documents of all kinds, which are all renamed and moved."""
    root, files = tmp_path_factory.mktemp("site"), dict(FILES)
    for name, (plural, arabic, path) in DECLARED.items():
        files[f"_kinds/{name}.md"] = f"plural: {{ en: {plural}, ar: {arabic} }}\npath: {path}"
    files["_kinds/posts.md"] += "\nchapter: { en: To read, ar: للقراءة }"
    for number, slug in enumerate(("one", "two", "three", "four"), 1):
        title = f"title: {{ en: Alpha {slug}, ar: ألف {number} }}"
        files |= dict.fromkeys((f"modules/{slug}.md", f"industries/{slug}.md"), title)
        files[f"posts/{slug}.md"] = (
            f"{title}\npublishedAt: 2026-05-01\ncategory: Gamma\ntags: [delta]\nauthor: omar"
        )
        files[f"products/{slug}.md"] = (
            f"{title}\nid: {number}\nsku: s{number}\nprices: {{ SAR: 10.00 }}\ncategory: Gamma"
        )
    for path, lines in files.items():
        (root / path).parent.mkdir(exist_ok=True)
        body = "" if path.startswith("_kinds/") else f"Text: {LINKS}\n"
        (root / path).write_text(f"---\n{lines}\n---\n\n{body}", encoding="utf-8")
        if body:
            arabic = f"---\ntitle: ألف\n---\n\nنص: {LINKS}\n"
            (root / path.replace(".md", ".ar.md")).write_text(arabic, encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def moved(content: Path) -> Iterator[Visitor]:
    """A service of that site, for tests that only read."""
    with Visitor(content_dir=content) as visitor:
        yield visitor


@pytest.fixture(scope="module")
def pages(moved: Visitor) -> Mapping[str, Mapping[str, str]]:
    """By language the texts of all pages in all formats, and of the files, by path."""
    listed = re.findall(r"<loc>https?://[^/]+(/[^<]*)</loc>", moved.get("/sitemap.xml").text)
    return {language: _texts(moved, listed, f"/sa/{language}") for language in ("en", "ar")}


def _texts(visitor: Visitor, listed: Iterable[str], home: str) -> Mapping[str, str]:
    own = {path for path in listed if path.startswith(f"{home}/")}
    paths = {f"{path}{each}" for path in own for each in ("", ".md", ".json")}
    paths |= {home, f"{home}/index.md", *(f"{home}{each}" for each in PATHS)}
    return {path: visitor.get(path, HTML).text for path in sorted(paths)}


@cases("language", ["en", "ar"])
def test_nothing_leads_to_a_former_address(
    moved: Visitor, pages: Mapping[str, Mapping[str, str]], language: str
) -> None:
    """Neither links nor data of pages, maps, feeds, searches; and every link is a page."""
    found = dict(pages[language])
    assert len(found) > 90
    api = "/api/public/v1"
    for path in ("search?q=text", "blog/posts?", "products?", "pages/modules?", "cities?"):
        found[path] = moved.get(f"{api}/{path}&country=sa&lang={language}").text
    for path, text in found.items():
        for target in re.findall(rf"/sa/{language}(/[^\"'\s<>()\\]*)", text):
            assert not OLD.match(target), (path, target)
    links = {
        each
        for text in found.values()
        for each in re.findall(rf'href="(/sa/{language}/[^"#]*)', text)
    }
    assert len(links) > 40
    for link in links:
        past_the_end = "page=9" in link
        status = moved.get(link.replace("&amp;", "&")).status
        assert status == (404 if past_the_end else 200), link


@cases("language", ["en", "ar"])
def test_nobody_reads_a_former_name(pages: Mapping[str, Mapping[str, str]], language: str) -> None:
    """On pages, in their attributes, in markdown and in llms.txt."""
    for path, text in pages[language].items():
        if path.endswith(".json"):
            continue
        shown = re.sub(r"<script.*?</script>|<style.*?</style>", "", text, flags=re.DOTALL)
        words = " ".join(re.findall(r'(?:aria-label|title|alt|placeholder)="([^"]*)"', shown))
        visible = re.sub(r"<[^>]*>|\]\([^)]*\)|https?://\S+|/api/\S+|^- .*/api/.*$", " ", shown)
        assert not NAMES.findall(f"{visible} {words}"), path
    riyadh = pages[language][f"/sa/{language}/places/riyadh"]
    assert {"en": ">Services in Riyadh", "ar": ">الخدمات في الرياض"}[language] in riyadh
    counted = pages[language][f"/sa/{language}/devices"]
    assert {"en": "Devices: 4, priced for", "ar": "الآلات: 4، بأسعار"}[language] in counted


@cases(
    ("language", "chapters"),
    [
        ("en", ["Services", "Sectors", "Devices", "Places", "To read"]),
        ("ar", ["الخدمات", "المجالات", "الآلات", "الأماكن", "للقراءة"]),
    ],
)
def test_all_below_a_kind_is_in_its_chapter(
    moved: Visitor, pages: Mapping[str, Mapping[str, str]], language: str, chapters: list[str]
) -> None:
    """Categories and tags are in that of the posts, also where they stand elsewhere."""
    home = f"/sa/{language}"
    headings = re.findall("^## (.*)", pages[language][f"{home}/llms.txt"], re.MULTILINE)
    assert headings[1:-2] == chapters
    search = moved.get(f"{home}/search?q={quote({'en': 'text', 'ar': 'نص'}[language])}", HTML).text
    filters = re.findall(r'<a href="[^"]*kind=[^"]*"[^>]*>([^<]*)', search)
    assert [each.strip() for each in filters[1:]] == chapters


@cases(
    ("path", "target"),
    [
        pytest.param("/sa/en/modules/one", "/sa/en/services/one", id="page"),
        pytest.param("/sa/ar/modules/one.md?a=1", "/sa/ar/services/one.md?a=1", id="format"),
        pytest.param("/modules/one", "/sa/en/services/one", id="no locale"),
        pytest.param("/sa/en/modules", "/sa/en/services", id="overview"),
        pytest.param("/sa/en/modules/", "/sa/en/services", id="slash"),
        pytest.param("/sa/en/industries.json", "/sa/en/what-we-know/sectors.json", id="nested"),
        pytest.param("/sa/en/blog?page=2", "/sa/en/news?page=2", id="list"),
        pytest.param("/sa/en/blog/feed.xml", "/sa/en/news/feed.xml", id="feed"),
        pytest.param(
            "/sa/en/blog/category/gamma/feed.json",
            "/sa/en/topics/gamma/feed.json",
            id="feed of a category",
        ),
        pytest.param("/sa/en/blog/author/omar", "/sa/en/news/author/omar", id="author"),
        pytest.param("/sa/en/products/compare?items=a", "/sa/en/devices/compare?items=a", id="two"),
        pytest.param("/sa/en/cities/riyadh/modules", "/sa/en/places/riyadh/modules", id="city"),
        pytest.param("/sa/en/testimonials", "/sa/en/reviews", id="testimonials"),
        pytest.param("/rss.xml", "/sa/en/news/feed.xml", id="usual feed"),
        pytest.param("/tags/delta", "/sa/en/subjects/delta", id="usual list"),
        pytest.param("/sa/en/modules/nothing", None, id="no such page"),
    ],
)
def test_a_former_address_redirects(moved: Visitor, path: str, target: str | None) -> None:
    """Permanently, in every format, with locale and query."""
    reply = moved.get(path)
    assert (reply.status, reply.headers.get("Location")) == (301 if target else 404, target)


def test_the_api_has_its_paths(moved: Visitor) -> None:
    """Only the paths of pages in it are others."""
    page = moved.get("/api/public/v1/locale-content/software/module/one?country=sa")
    other = moved.get("/sa/en/services/one.json")
    assert page.status == other.status == 200
    assert page.json["page"]["slug"] == other.json["page"]["slug"] == "one"
    listed = moved.get("/api/public/v1/pages/modules?country=sa").json
    paths = {each["path"].rpartition("/")[0] for each in listed["listing"][0]["items"]}
    assert paths == {"/sa/en/services"}
    metadata = moved.get("/api/public/v1/seo-page?path=/sa/en/services/one").json
    assert "/sa/en/services/one" in str(metadata)


def test_agents_find_the_present_addresses(moved: Visitor) -> None:
    """With the tools of MCP, also by a former one."""
    listed = call(moved, "list_pages", "/sa/en", kind="module")["pages"]
    assert {each["id"].rpartition("/")[0] for each in listed} == {"/sa/en/services"}
    fetched = call(moved, "fetch", "/sa/en", id="/sa/en/modules/one")
    assert "/sa/en/services/one" in str(fetched["url"])


def test_the_check_knows_links_written_either_way(content: Path) -> None:
    """Nothing of the site is a broken link, and no declaration is wrong."""
    found = check_content(load_content(content), utc_now())
    assert [str(each) for each in found if each.severity is not Severity.NOTICE] == []


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


def test_words_of_the_site_come_before_the_name_of_a_kind(tmp_path: Path) -> None:
    """Also in titles of lists and in chapters."""
    for folder in ("_kinds", "posts", "site"):
        (tmp_path / folder).mkdir()
    (tmp_path / "_kinds/posts.md").write_text("---\nplural: { en: News, ar: الأخبار }\n---\n")
    (tmp_path / "site/words.md").write_text("---\nblog: { en: Journal, ar: المجلة }\n---\n")
    (tmp_path / "posts/a.md").write_text("---\ntitle: A\npublishedAt: 2026-05-01\n---\nText.\n")
    with Visitor(content_dir=tmp_path) as visitor:
        assert "<title>Journal" in visitor.get("/en/blog", HTML).text
        assert "\n## Journal\n" in visitor.get("/en/llms.txt").text


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
    """With its line and what to do."""
    root = tmp_path_factory.mktemp("site")
    (root / "_kinds").mkdir()
    (root / f"_kinds/{name}.md").write_text(f"---\n{lines}\n---\n")
    (found,) = load_content(root).diagnostics
    assert message in found.message
    assert (found.path, found.line) == (f"_kinds/{name}.md", 2)
    assert found.suggestion
