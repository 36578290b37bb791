"""Sveltia CMS: people without git edit a site in a browser, with the page that Majlis writes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import copy, copytree
from threading import Thread
from urllib.parse import urlsplit

import pytest
from cases import cases
from click.testing import CliRunner
from clients import installed
from contract.visitor import Visitor
from live.chromium import DESKTOP, chromium
from live.server import eventually, majlis
from playwright.sync_api import Browser, Page, Route
from starters import starter

from app.operations.cli import main

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
HTML = {"Accept": "text/html"}
SECONDS = 60_000

KIND = """---
singular: { en: Dish, ar: طبق }
plural: { en: Dishes, ar: الأطباق }
fields:
  price: { type: money, label: { en: Price, ar: السعر }, required: true, show: card }
  vegetarian: { type: boolean, label: { en: Vegetarian, ar: نباتي } }
  goesWith: { type: reference, to: dishes, many: true, label: { en: Goes with, ar: يقدم مع } }
---
"""
DISH = """---
# The dish of the house.
title: "Kabsa"
shortDescription: Rice, lamb and raisins, for two.
price: { SAR: 48, AED: "52.00" }  # with salad
vegetarian: no
goesWith: [salad]
seo:
    keywords: 'rice, lamb'
---

* Rice
* Lamb

:::{faq} Questions {#questions}

### Is it hot?

No.

:::
"""
SALAD = "---\ntitle: Salad\nprice: { SAR: 12 }\nvegetarian: yes\n---\n\nTomatoes.\n"
ARABIC_DISH = "---\ntitle: كبسة\nshortDescription: أرز ولحم، لشخصين.\n---\n\nأرز ولحم.\n"

FILL = """async (files) => {
  const root = await navigator.storage.getDirectory();
  await root.getDirectoryHandle(".git", { create: true });
  for (const [path, text] of Object.entries(files)) {
    const folders = path.split("/");
    const name = folders.pop();
    let folder = root;
    for (const each of folders) folder = await folder.getDirectoryHandle(each, { create: true });
    const file = await (await folder.getFileHandle(name, { create: true })).createWritable();
    await file.write(text);
    await file.close();
  }
}"""
READ = """async () => {
  const found = {};
  const read = async (folder, path) => {
    for await (const [name, handle] of folder.entries()) {
      if (handle.kind === "directory") await read(handle, `${path}${name}/`);
      else found[path + name] = await (await handle.getFile()).text();
    }
  };
  await read(await navigator.storage.getDirectory(), "");
  return found;
}"""
PICKER = "window.showDirectoryPicker = () => navigator.storage.getDirectory();"
"""Answers the dialog by the private folder of the page, which has the same handles."""


class Files(SimpleHTTPRequestHandler):
    """Serves files, and logs nothing."""

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the files of a folder, and return the address."""
    handler = partial(Files, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://localhost:{server.server_port}"
        finally:
            server.shutdown()


def from_packages(route: Route) -> None:
    """Answer requests to elsewhere: for words of the editor from its package, no others."""
    name = urlsplit(route.request.url).path.rpartition("/")[2]
    file = installed.npm("@sveltia/cms/package.json").parent / "locales" / name
    if file.is_file():
        route.fulfill(path=file, headers={"Access-Control-Allow-Origin": "*"})
    else:
        route.abort()


class Editor:
    """The editor of a site in a browser, with the files of the site in its private folder."""

    def __init__(self, browser: Browser, address: str, site: Path, language: str) -> None:
        self.site = site
        self.address = f"{address}/index.html"
        self.page: Page = browser.new_page(**DESKTOP, locale=language)
        self.page.set_default_timeout(SECONDS)
        self.page.route(lambda url: not url.startswith(address), from_packages)
        self.page.add_init_script(PICKER)
        self.page.goto(f"{address}/empty.html")
        self.page.evaluate(FILL, self.on_disk())
        self.page.goto(self.address)
        begin = {"en": "Work with Local Repository", "ar": "العمل مع مستودع محلي"}[language]
        self.page.get_by_role("button", name=begin).click()

    def on_disk(self) -> dict[str, str]:
        """Return the texts of the site by path."""
        files = [path for path in self.site.rglob("*") if path.suffix in (".md", ".svg", ".css")]
        return {
            path.relative_to(self.site.parent).as_posix(): path.read_text(encoding="utf-8")
            for path in files
        }

    def open(self, path: str) -> Page:
        """Open the form of a document."""
        self.page.goto(f"{self.address}#/collections/{path}")
        self.page.get_by_role("textbox").first.wait_for()
        return self.page

    def save(self, button: str = "Save") -> Mapping[str, tuple[str, str]]:
        """Save, write to the disk what is new, and return it after what was there."""
        before = self.on_disk()
        self.page.get_by_role("button", name=button, exact=True).click()
        eventually(lambda: self.page.evaluate(READ) != before)
        self.page.get_by_role("button", name=button, exact=True).wait_for(state="hidden")
        changed = {
            path: (before.get(path, ""), text)
            for path, text in self.page.evaluate(READ).items()
            if before.get(path) != text
        }
        for path, (_, text) in changed.items():
            (self.site.parent / path).write_text(text, encoding="utf-8")
        return changed


@contextmanager
def editing(site: Path, language: str) -> Iterator[Editor]:
    """Write and serve the page of the editor of a site, and open it in a browser."""
    folder = site.parent
    variables = {"CONTENT_DIR": str(site)}
    printed = majlis("schema", "--editor", "admin", folder=folder, variables=variables)
    assert printed.returncode == 0, printed.stderr
    sveltia = installed.npm("@sveltia/cms/dist/sveltia-cms.mjs").parent
    copytree(sveltia, folder / "admin", dirs_exist_ok=True)
    copytree(installed.npm("yaml/browser/dist/index.js").parent, folder / "admin" / "yaml")
    with served(folder / "admin") as address, chromium() as browser:
        yield Editor(browser, address, site, language)


@pytest.fixture
def restaurant(tmp_path: Path) -> Path:
    """A site of two languages with dishes, as the guides write them."""
    site = starter(tmp_path / "site", "company", "both", "sa,ae")
    (site / "_kinds" / "dishes.md").write_text(KIND)
    (site / "dishes").mkdir()
    for name, text in (("kabsa", DISH), ("kabsa.ar", ARABIC_DISH), ("salad", SALAD)):
        (site / "dishes" / f"{name}.md").write_text(text)
    return site


def checked(site: Path) -> str:
    """Return what `majlis check` says of a site, which has no problem."""
    done = CliRunner().invoke(main, ["check", "--all", str(site)])
    assert done.exit_code == 0, done.output
    return done.output


SAVE = """
import { formatOf } from "./format.js";
const [text, changes] = JSON.parse(process.argv[2]);
const leaf = (name, widget = "string") => ({ name, widget });
const texts = [leaf("en"), leaf("ar")];
const fields = [
  { name: "title", widget: "object", fields: texts },
  leaf("code"), leaf("about"), leaf("hot", "boolean"), leaf("sold", "boolean"),
  { name: "price", widget: "object", fields: [leaf("SAR", "number"), leaf("KWD", "number")] },
  {
    name: "links",
    widget: "list",
    fields: [leaf("href"), { name: "label", widget: "object", fields: texts }],
  },
  leaf("tags", "list"),
  leaf("noon"), leaf("words", "list"),
  { name: "place", widget: "object", fields: [leaf("city")] },
];
const format = formatOf(fields, { locales: ["en", "ar"], default_locale: "en" });
const values = format.fromFile(text.trim());
process.stdout.write(format.toFile({ ...values, sold: values.sold ?? false, ...changes }).trim());
"""
"""Reads a file as the editor does, and saves it with changes; `sold` is a switch that is off."""

FILE = """---
# A comment.
title: Soup
code: 1.10   # of the till
about: >
  Folded
  text.
hot: yes
price: { SAR: 12, KWD: "0.500" }
links:
  - { id: a, href: /a, label: { en: A, ar: أ } }
tags: [2026, soup]
noon: [12:00, 13:00]
place: Main street
words: a, b
old.key: { 1: one }
---

* Text.
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program of Node.js with the format of the editor."""
    copytree(installed.npm("yaml/browser/dist/index.js").parent, tmp_path / "yaml")
    copy(ROOT / "app/operations/cli/editor_page/format.js", tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "save.js").write_text(SAVE)
    return tmp_path / "save.js"


@cases(
    ("changes", "replaced", "by"),
    (
        ({}, "", ""),
        (
            {"noon": "12:00", "place": None, "words": ["a, b"]},
            "",
            "",
        ),  # which the editor cannot show
        ({"place": {"city": "Riyadh"}}, "place: Main street", "place:\n  city: Riyadh"),
        ({"title": {"en": "Stew"}}, "title: Soup", "title: Stew"),
        ({"title": {"en": "No"}}, "title: Soup", 'title: "No"'),
        (
            {"title": {"en": "Soup", "ar": "شوربة"}},
            "title: Soup",
            "title:\n  en: Soup\n  ar: شوربة",
        ),
        ({"code": "1.20"}, "1.10", '"1.20"'),
        ({"code": ""}, "code: 1.10   # of the till\n", ""),
        ({"about": "New"}, ">\n  Folded\n  text.", "New"),
        ({"hot": False}, "yes", "no"),
        ({"sold": True}, "one }\n", "one }\nsold: true\n"),
        ({"price": {"SAR": 12, "KWD": 0.75}}, '"0.500"', '"0.750"'),
        ({"price": {"SAR": 12.5, "KWD": 0.5}}, "12,", "12.50,"),
        ({"price": {"SAR": 12}}, '{ SAR: 12, KWD: "0.500" }', "{ SAR: 12 }"),
        ({"tags": ["2026", "stew"]}, "soup]", "stew]"),
        ({"tags": ["2026"]}, "[2026, soup]", '[ "2026" ]'),
        (
            {"links": [{"id": "a", "href": "/b", "label": {"en": "A", "ar": "ب"}}]},
            "href: /a, label: { en: A, ar: أ }",
            "href: /b, label: { en: A, ar: ب }",
        ),
        ({"body": "New."}, "* Text.", "New."),
    ),
)
def test_a_saved_file_differs_in_what_was_edited(
    program: Path, changes: object, replaced: str, by: str
) -> None:
    """Keys without a field, comments and quotes stay."""
    given = json.dumps([FILE, changes])
    done = installed.run(installed.node(), program, given, folder=program.parent)
    assert done.returncode == 0, done.stderr
    assert done.stdout == FILE.replace(replaced, by, 1).strip()


def test_the_guide_has_the_versions_that_are_tested() -> None:
    """Of the editor, whose scripts see the tokens of authors."""
    guide = (ROOT / "docs" / "authoring.md").read_text(encoding="utf-8")
    lock = json.loads((ROOT / "tests/clients/package-lock.json").read_text(encoding="utf-8"))
    for name in ("@sveltia/cms", "yaml"):
        version = lock["packages"][f"node_modules/{name}"]["version"]
        assert set(re.findall(rf"(?<!\w){name}@(\d[\d.]*\d)", guide)) == {version}


def test_a_changed_price_changes_one_line(restaurant: Path) -> None:
    """Comments, quotes, the text and the Arabic file stay, and the page has the price."""
    with editing(restaurant, "en") as editor:
        page = editor.open("dishes/entries/kabsa")
        page.get_by_text("Salad", exact=True).first.wait_for()  # which it goes with
        page.get_by_role("spinbutton", name="SAR").fill("49.5")
        changed = editor.save()
    new = DISH.replace("SAR: 48,", "SAR: 49.50,")
    assert changed == {"site/dishes/kabsa.md": (DISH, new)}
    checked(restaurant)
    with Visitor(content_dir=restaurant) as visitor:
        assert "49.50" in visitor.get("/sa/en/dishes/kabsa", HTML).text
        assert "52.00" in visitor.get("/ae/en/dishes/kabsa", HTML).text


def test_a_new_document_is_named_as_the_command_names_it(restaurant: Path) -> None:
    """The Arabic file has what is written in Arabic, and neither prices nor empty keys."""
    with editing(restaurant, "en") as editor:
        page = editor.open("dishes/new")
        page.get_by_role("textbox", name="Title").first.fill("Lentil soup: our best")
        page.get_by_role("spinbutton", name="SAR").fill("18.5")
        page.get_by_role("textbox", name="Title").nth(1).fill("شوربة العدس")
        changed = editor.save()
    assert {path: text for path, (_, text) in changed.items()} == {
        "site/dishes/lentil-soup-our-best.md": (
            '---\ntitle: "Lentil soup: our best"\nprice:\n  SAR: "18.50"\n---\n'
        ),
        "site/dishes/lentil-soup-our-best.ar.md": "---\ntitle: شوربة العدس\n---\n",
    }
    checked(restaurant)
    for path in changed:
        (restaurant.parent / path).unlink()
    named = [
        CliRunner()
        .invoke(main, ["new", "dish", *words, "--folder", str(restaurant)])
        .stdout.strip()
        for words in (
            ("Lentil soup: our best",),
            ("شوربة العدس", "--slug", "lentil-soup-our-best"),
        )
    ]
    assert named == [str(restaurant.parent / path) for path in changed]


def test_an_arabic_site_is_edited_in_arabic(tmp_path: Path) -> None:
    """Its labels, the words of the editor, and the names of its files."""
    site = starter(tmp_path / "site", "company", "ar", "sa")
    (site / "_kinds" / "dishes.md").write_text(KIND)
    (site / "dishes").mkdir()
    dish = "---\ntitle: كبسة\nprice: { SAR: 48 }  # مع السلطة\n---\n\nأرز ولحم.\n"
    (site / "dishes" / "kabsa.md").write_text(dish)
    with editing(site, "ar") as editor:
        page = editor.open("dishes/entries/kabsa")
        page.get_by_text("السعر").first.wait_for()
        page.get_by_role("textbox", name="العنوان").fill("كبسة اللحم")
        page.get_by_role("spinbutton", name="SAR").fill("50")
        changed = editor.save("حفظ")
        new = dish.replace("كبسة\n", "كبسة اللحم\n").replace("48", "50")
        assert changed == {"site/dishes/kabsa.md": (dish, new)}
        page = editor.open("dishes/new")
        page.get_by_role("textbox", name="العنوان").fill("شوربة العدس")
        page.get_by_role("spinbutton", name="SAR").fill("18")
        assert [*editor.save("حفظ")] == ["site/dishes/شوربة-العدس.md"]
    checked(site)
    with Visitor(content_dir=site) as visitor:
        assert "كبسة اللحم" in visitor.get("/sa/ar/dishes/kabsa", HTML).text
