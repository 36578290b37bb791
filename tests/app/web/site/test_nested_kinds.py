"""Kinds whose documents keep their folders in their addresses, and have versions."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

import pytest
from cases import cases
from contract.visitor import Visitor
from page_scripts import own_scripts, own_sources

from knowledge.diagnostics.diagnostic import DiagnosticKind
from knowledge.snapshot.loading import load_content

API = "/api/public/v1/kinds/help"
DECLARATION = """---
singular: { en: Topic, ar: موضوع }
plural: { en: Help, ar: المساعدة }
nested: true
versions: [v2, v1]
layout: documentation
editUrl: https://git.example.com/edit/{path}
---
The text of the declaration.
"""
SITE = {
    "_kinds/help.md": DECLARATION,
    "site/settings.md": "---\nseo: { pageTitle: Sanad }\n---\n",
    "help/index.md": "---\ntitle: Help with Sanad\n---\n\nStart here.\n",
    "help/v1/guide/install.md": "---\ntitle: Install\n---\n\nUse the zebra tape.\n",
    "help/v1/guide/gone.md": "---\ntitle: Gone\n---\n\nRemoved since.\n",
    "help/v2/index.md": "---\ntitle: Version 2\n---\n\nAll of it.\n",
    "help/v2/index.ar.md": "---\ntitle: الإصدار ٢\n---\n\nكل ما فيه.\n",
    "help/v2/guide/README.md": "# Guide\n\nRead [how to install](install.md) or [start](../../).\n",
    "help/v2/guide/install.md": "# Install\n\nUse the walrus disk, then the [guide](README.md).\n",
    "help/v2/guide/Set Up/First.Run.md": "---\naliases: [old-run]\n---\n\n# First run\n\nBegin.\n",
    "help/ar/v2/guide/install.md": "---\ntitle: التثبيت\n---\n\nاستخدم القرص.\n",
    "help/v2/guide/other.md": "---\ntitle: Other\nslug: renamed\n---\n\nNamed by its key.\n",
    "help/v2/guide/moved.md": "---\ntitle: Moved\nslug: /v2/moved/here\n---\n\nElsewhere.\n",
}
FIRST_RUN = "/en/help/v2/guide/set-up/first-run"


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Write files into a folder, and return it."""
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """A site whose help has folders and versions."""
    folder = write(tmp_path_factory.mktemp("nested"), SITE)
    assert load_content(folder).diagnostics == ()
    with Visitor(content_dir=folder) as visitor:
        yield visitor


@cases(
    ("path", "words"),
    [
        ("/en/help", "Start here"),
        ("/en/help/v2", "All of it"),
        ("/ar/help/v2", "كل ما فيه"),
        ("/en/help/v2/guide", "Read"),
        ("/ar/help/v2/guide/install", "استخدم القرص"),
        (FIRST_RUN, "Begin"),
        ("/en/help/v2/guide/renamed", "Named by its key"),
        ("/en/help/v2/moved/here", "Elsewhere"),
    ],
)
def test_folders_are_part_of_addresses(site: Visitor, path: str, words: str) -> None:
    """Each format of a page, and of the page of a folder, is at the address of the file."""
    for suffix, accept in ((".md", "*/*"), ("", "text/html"), (".json", "*/*")):
        reply = site.get(path + suffix, {"Accept": accept})
        assert reply.status == 200
        assert words in reply.text
    assert site.get(f"{path}/").headers["Location"] == path


@cases(
    "path", ["/en/help/guide/install", "/en/help/install", "/en/help/help", "/en/help/v2//guide"]
)
def test_other_paths_are_no_pages(site: Visitor, path: str) -> None:
    """Neither a part of the address nor the slug of the list is an address."""
    assert site.get(path).status == 404


def test_links_redirects_and_breadcrumbs_know_the_folders(site: Visitor) -> None:
    """A relative link, one to a folder, an old name beside the page, and the pages above it."""
    text = site.get("/en/help/v2/guide.md").text
    assert "/en/help/v2/guide/install.md)" in text
    assert "/en/help.md)" in text
    moved = site.get("/en/help/v2/guide/set-up/old-run")
    assert (moved.status, moved.headers["Location"]) == (301, FIRST_RUN)
    html = site.get(FIRST_RUN, {"Accept": "text/html"}).text
    crumbs = html[html.index('class="wrap crumbs"') :].partition("</nav>")[0]
    assert [path in crumbs for path in ('"/en/help"', '"/en/help/v2"', '"/en/help/v2/guide"')] == [
        True
    ] * 3


def test_the_api_has_slugs_with_slashes(site: Visitor) -> None:
    """A document by its slug, and the list with those slugs, as in the contract."""
    entry = site.get(f"{API}/v2/guide/set-up/first-run?lang=en").json["entry"]
    assert (entry["slug"], entry["title"]) == ("v2/guide/set-up/first-run", "First run")
    items = site.get(f"{API}?lang=en").json["items"]
    assert {"v2/guide", "v1/guide/install"} <= {each["slug"] for each in items}
    assert site.get(f"{API}/v2/guide/nothing").status == 404
    assert (
        f"{API.removesuffix('/help')}/{{kind}}/{{slug}}" in site.get("/openapi.json").json["paths"]
    )


def test_a_document_names_what_stands_beside_it(site: Visitor) -> None:
    """The documents around it in the order of folders, the same page of each version, its file."""
    install = site.get(f"{API}/v2/guide/install?lang=en").json
    assert install["prev"]["path"] == "/en/help/v2/guide"
    assert install["next"]["slug"] == "v2/guide/renamed"
    assert install["editUrl"] == "https://git.example.com/edit/help/v2/guide/install.md"
    assert [(each["version"], each["path"], each["current"]) for each in install["versions"]] == [
        ("v2", "/en/help/v2/guide/install", True),
        ("v1", "/en/help/v1/guide/install", False),
    ]
    gone = site.get(f"{API}/v1/guide/gone?lang=en").json
    assert gone["versions"][0] == {
        "version": "v2",
        "title": "Version 2",
        "path": "/en/help/v2",
        "current": False,
    }
    arabic = site.get(f"{API}/v2/guide/install?lang=ar").json
    assert arabic["editUrl"].endswith("/help/ar/v2/guide/install.md")
    assert site.get("/en/help.md").text.count("\n  - [") == 3


def test_only_documentation_has_scripts_of_its_own(site: Visitor) -> None:
    """Its policy has the hash of each script in the page, that of other pages only those of all."""
    page = site.get("/en/help/v2/guide/install", {"Accept": "text/html"})
    scripts = re.findall("<script>(.*?)</script>", page.text, re.DOTALL)
    digests = [b64encode(sha256(each.encode()).digest()).decode() for each in scripts]
    (allowed,) = re.findall("script-src ([^;]*);", page.headers["Content-Security-Policy"])
    assert {f"'sha256-{each}'" for each in digests} <= {*allowed.split()}
    assert len(own_scripts(page.text)) == 2  # of the contents, and of the menu of the page
    home = site.get("/en", {"Accept": "text/html"})
    assert own_sources(home.headers) == set()
    assert 'action="/en/search"' in home.text
    assert "/en/help/v2/guide" in home.text


def test_only_the_newest_version_is_listed(site: Visitor) -> None:
    """Search, maps and llms.txt have the newest version; an older one names it as canonical."""
    maps = site.get("/sitemap.xml").text + site.get("/en/llms.txt").text
    assert "/help/v2/guide/install" in maps
    assert "/help/v1/" not in maps
    found = [site.get(f"/en/search.json?q={word}").text for word in ("walrus", "zebra")]
    assert "/help/v2/guide/install" in found[0]
    assert "/help/v1/" not in found[1]
    for page, canonical in (("install", "v2/guide/install"), ("gone", "v1/guide/gone")):
        old = site.get(f"/en/help/v1/guide/{page}", {"Accept": "text/html"})
        assert f'/en/help/{canonical}"' in old.text[old.text.index('rel="canonical"') :][:120]
        assert "noindex" not in old.text


def test_an_edit_moves_a_page(tmp_path: Path) -> None:
    """Files in folders come and go, and a changed declaration moves all of them."""
    folder = write(tmp_path, SITE)
    before = load_content(folder)
    (folder / "help/v2/guide/index.md").write_text("# Guide again\n", encoding="utf-8")
    twice = load_content(folder, before)
    assert [each.kind for each in twice.diagnostics] == [DiagnosticKind.DUPLICATE_SLUG]
    flat = re.sub("(nested|versions|layout|editUrl): .*\n", "", DECLARATION)
    write(folder, {"_kinds/help.md": flat})
    (folder / "help/v2/guide/index.md").unlink()
    after = load_content(folder, twice)
    kind = after.snapshot.content_types.named("help")
    assert "first-run" in after.snapshot.entries[kind]


def test_a_kind_may_have_the_content_folder_itself(tmp_path: Path) -> None:
    """Its documents lie beside the folders of kinds; a site within them is another one."""
    root = DECLARATION.replace("nested: true", "nested: true\nfolder: .")
    files = {
        "_kinds/help.md": root,
        "README.md": "# Start\n",
        "guide/install.md": "# Install\n\nSee [the page](../pages/about.md).\n",
        "guide/install.ar.md": "# التثبيت\n",
        "ar/guide/update.md": "# التحديث\n",
        "pages/about.md": "# About\n",
        "examples/shop/site/settings.md": "---\ncurrency: SAR\n---\n",
        "examples/shop/pages/about.md": "# Shop\n",
        "examples/shop/_kinds/offers.md": "# Offers\n",
    }
    loaded = load_content(write(tmp_path, files))
    assert loaded.diagnostics == ()
    help_kind = loaded.snapshot.content_types.named("help")
    assert list(loaded.snapshot.entries[help_kind]) == ["guide/install", "guide/update", "help"]
    own = {"_kinds/shop.md": root.replace("Topic", "Product")}
    both = load_content(write(tmp_path, own))
    assert [each.kind for each in both.diagnostics] == [DiagnosticKind.INVALID_KIND]
    assert "two kinds" in both.diagnostics[0].message


GROUPED = DECLARATION.replace(
    "layout: documentation\n",
    """layout: documentation
groupBy: topic
fields:
  topic:
    type: choice
    show: nothing
    choices: { run: { en: Run it, ar: شغّله }, write: { en: Write, ar: اكتب } }
""",
)


def test_a_menu_may_have_groups(tmp_path: Path) -> None:
    """In the order of the options; a folder is in that of its first page, others come last."""
    files = {
        "help/v2/pages.md": "---\ntopic: write\n---\n# Pages\n",
        "help/v2/guide/install.md": "---\ntopic: run\n---\n# Install\n",
        "help/v2/guide/update.md": "# Update\n",
        "help/notes.md": "# Notes\n",
        "help/notes.ar.md": "# ملاحظات\n",
    }
    content = write(tmp_path, {"_kinds/help.md": GROUPED, **files})
    with Visitor(content_dir=content) as visitor:
        listed = visitor.get("/en/help.md").text.partition("- Run it")
        assert re.findall(r"- \[?(\w+)", listed[2]) == [
            *("Guide", "Install", "Update"),
            *("Write", "Pages", "Notes"),
            *("Next", "Edit"),  # page
        ]
        assert "شغّله" in visitor.get("/ar/help", {"Accept": "text/html"}).text
        page = visitor.get("/en/help/v2/guide/install", {"Accept": "text/html"}).text
        assert "<b>Run it</b>" in page
        assert "Update" in visitor.get("/en/help/v2/guide/update").text
        assert visitor.get(f"{API}/v2/guide/update?lang=en").json["next"]["slug"] == "v2/pages"
    for wrong in (
        GROUPED.replace("groupBy: topic", "groupBy: topics"),
        GROUPED.replace("show: nothing", "many: true"),
    ):
        found = load_content(write(tmp_path, {"_kinds/help.md": wrong})).diagnostics[0]
        assert found.kind is DiagnosticKind.INVALID_KIND
        assert found.message.startswith("groupBy: “topic")


def test_versions_need_folders(tmp_path: Path) -> None:
    """A declaration of versions without folders is an error, with what to do."""
    flat = DECLARATION.replace("nested: true\n", "")
    (found,) = load_content(write(tmp_path, {"_kinds/help.md": flat})).diagnostics
    assert (found.kind, found.line) == (DiagnosticKind.INVALID_KIND, 4)
    assert "nested: true" in (found.suggestion or "")


def test_a_declaration_with_versions_has_a_list_before_its_first_document(tmp_path: Path) -> None:
    """It stands there with its text, and with documents that are in no folder of a version."""
    content = write(tmp_path, {"_kinds/help.md": DECLARATION})
    with Visitor(content_dir=content) as visitor:
        assert "The text of the declaration." in visitor.get("/en/help").text
    write(content, {"help/guide/install.md": "# Install\n\nUse it.\n"})
    with Visitor(content_dir=content) as visitor:
        assert 'href="/en/help/guide/install"' in visitor.get("/en/help").text


def test_a_text_above_the_list_that_is_there_in_the_other_language_alone_is_marked(
    tmp_path: Path,
) -> None:
    """The list and its titles are in the reader's language."""
    arabic = "---\ntitle: المساعدة\n---\n\nدليل Sanad من 10–20 صفحة.\n"
    files = {**SITE, "_kinds/help.md": DECLARATION.replace("The text of the declaration.\n", "")}
    del files["help/index.md"]
    folder = write(tmp_path, {**files, "help/index.ar.md": arabic})
    with Visitor(content_dir=folder) as visitor:
        html = {"Accept": "text/html"}
        english, own = (visitor.get(f"/{each}/help", html).text for each in ("en", "ar"))
    marked = re.search(r'<div class="foreign" lang="ar" dir="rtl">(.*?)</div>', english, re.DOTALL)
    assert marked
    assert '<bdi dir="ltr">10–20</bdi>' in marked[1]
    assert "Version 2" not in marked[1]
    assert "دليل Sanad" in own
    assert 'class="foreign"' not in own
