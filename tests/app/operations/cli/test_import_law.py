"""The law of an import: published words are served or listed, withheld ones are neither."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import import_module
from itertools import product
from pathlib import Path

import pytest
from cases import cases
from contract.visitor import write_tree
from imported_sites import LAYOUTS, imported, metadata, run, served_pages, served_words, words_of

from app.operations.importing.generators import read_source
from knowledge.checks.content_linter import check_content
from knowledge.checks.site_checks import redirect_diagnostics
from knowledge.fields.content_types import PAGE, POST
from knowledge.locales.locale import OtherLanguage
from knowledge.snapshot.loading import load_content

DATED = "---\ntitle: {0} title\ndate: 2026-01-02\n---\n\nWord{0} of a post.\n"
PLAIN = "---\ntitle: {0} title\n---\n\nWord{0} of a page.\n"


def text(path: str, name: str, template: str) -> tuple[str, str]:
    """Return a file of a name."""
    return path.format(name), template.format(name)


@pytest.mark.parametrize("generator", LAYOUTS)
def test_every_word_of_the_source_is_served(generator: str, tmp_path: Path) -> None:
    """Home, list and section pages, equal names, reserved names, deep folders."""
    layout = LAYOUTS[generator]
    deep = layout.page.replace("{}", "team/diary/{}")
    files = dict(
        [
            (layout.home, "# Welcome\n\nWordhome: opening hours are 8 to 5.\n"),
            text(layout.page, "about", PLAIN),
            text(layout.page, "products", PLAIN),
            text(layout.page, "search", PLAIN),
            text(layout.page, "blog", PLAIN),
            text(layout.page, f"team/{layout.section}", PLAIN),
            text(layout.page, "team/about", PLAIN),
            text(
                layout.page, "other/about", PLAIN.replace("title: {0}", "slug: about\ntitle: {0}")
            ),
            text(deep, "one", DATED),
            text(deep, "two", DATED),
            *([text(layout.post, "hello", DATED)] if layout.post else ()),
            *([(layout.introduction, "# Our list\n\nWordlist.\n")] if layout.introduction else ()),
        ]
    )
    folder = imported(tmp_path, layout.source(files))
    expected = {word for each in files.values() for word in words_of(each) if "Word" in word}
    assert len(expected) >= len(files) - 2
    assert expected - served_words(folder) == set()
    posts = load_content(folder).snapshot.entries[POST]
    assert {"one", "two"} <= posts.keys()


@pytest.mark.parametrize("generator", LAYOUTS)
def test_texts_keep_their_language(generator: str, tmp_path: Path) -> None:
    """Those in a third language as well, of two files of one name, with their old addresses."""
    layout = LAYOUTS[generator]
    files: dict[str, str] = {}
    for name in ("one", "two"):
        files |= dict(
            [
                text(layout.english, name, DATED),
                text(layout.persian, name, "---\ntitle: سلام {0}\ndate: 2026-01-02\n---\n\nمتن.\n"),
                text(layout.arabic, name, "---\ntitle: مرحبا {0}\ndate: 2026-01-02\n---\n\nنص.\n"),
            ]
        )
    folder = imported(tmp_path, layout.source(files))
    loaded = load_content(folder)
    languages: dict[str, list[str]] = {}
    for kind in (PAGE, POST):
        for entry in loaded.snapshot.entries.get(kind, {}).values():
            for document in entry.documents:
                title = str(document.fields.title)
                assert ("سلام" in title) == (document.text_language == OtherLanguage("fa")), title
                assert ("مرحبا" in title) == (document.text_language == "ar"), title
                languages.setdefault(str(document.text_language), []).append(entry.slug)
    assert {each: len(slugs) for each, slugs in languages.items()} == {"en": 2, "ar": 2, "fa": 2}
    assert sorted(languages["ar"]) == sorted(languages["en"])
    persian = [slug for slug in languages["fa"] if "fa" in slug.split("-")]
    assert len(persian) == 2
    if generator != "Obsidian":
        redirects = (folder / "_redirects").read_text()
        assert all(f"/{slug} 301" in redirects for slug in persian)
        for line in redirects.splitlines():
            former, new, _ = line.split()
            if new.endswith("/blog"):
                continue  # a list
            assert ("/fa/" in former) == any(new.endswith(slug) for slug in persian), line
            assert ("/ar/" in former) == new.startswith("/ar/"), line


HIDDEN_KEYS = """
draft: true|Draft: true|DRAFT: yes|isDraft: true|is_draft: true|Is-Draft: on|unlisted: true
publish: false|published: false|Published: no|isPublished: false|is_published: false
private: true|hidden: true|status: draft|Status: Private|status: unlisted|visibility: private
visibility: members|permalink: false|public: false|listed: false|hide: true
visibility: team|draft: soon|publish: maybe|expiryDate: 2021-01-01|unpublishdate: 2021-01-01
date: 2199-01-01|publishDate: 2199-01-01|embargo: 2199-01-01|scheduled: true
password: abc|access: staff|memberCount: 3|hiddenInHomeList: true|published: 0|wip: 60 %
"""


@cases("key", HIDDEN_KEYS.strip().replace("\n", "|").split("|"))
def test_what_a_key_withholds_stays_withheld(key: str, tmp_path: Path) -> None:
    """Also where the value is not understood: such a page is imported, but not published."""
    folder = tmp_path / key.replace(":", "").replace(" ", "-")
    layout = LAYOUTS["Astro"]
    secret = f"---\ntitle: Plan\n{key}\n---\n\nSecretword.\n"
    files = dict([("src/content/blog/en/plan.md", secret), text(layout.post, "open", DATED)])
    words = served_words(imported(folder, layout.source(files)))
    assert "Secretword" not in words
    assert "Wordopen" in words
    assert (folder / "content/posts/en/blog/plan.md").exists()


SECRET = "---\ntitle: Plan\n---\n\nSecretword.\n"
DATED_SECRET = "---\ntitle: Plan\ndate: 2026-01-02\n---\n\nSecretword.\n"
WITHHELD: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "an embargo of a section": (
        "Hugo",
        {
            "content/plans/_index.md": "---\ntitle: P\ncascade: {embargo: 2199-01-01}\n---\n",
            "content/plans/a.md": DATED_SECRET,
        },
    ),
    "a collection without output": (
        "Jekyll",
        {"_config.yml": "collections: {internal: {output: false}}", "_internal/a.md": SECRET},
    ),
    "a collection in a list": (
        "Jekyll",
        {"_config.yml": "collections: [internal]", "_internal/a.md": SECRET},
    ),
    "defaults of a folder": (
        "Jekyll",
        {
            "_config.yml": "defaults: [{scope: {path: plans}, values: {published: false}}]",
            "plans/a.md": SECRET,
        },
    ),
    "excluded paths": (
        "Jekyll",
        {"_config.yml": "exclude: [plans, '*.txt']", "plans/a.md": SECRET},
    ),
    "hidden folders": ("Jekyll", {"docs/_plans/a.md": SECRET, "docs/_a.md": SECRET}),
    "exclude_docs": (
        "MkDocs",
        {
            "mkdocs.yml": "site_name: S\nexclude_docs: |\n  plans/\n  *.tmp.md\n",
            "docs/plans/a.md": SECRET,
            "docs/b.tmp.md": SECRET,
        },
    ),
    "draft_docs": (
        "MkDocs",
        {"mkdocs.yml": "site_name: S\ndraft_docs: |\n  plans/\n", "docs/plans/a.md": SECRET},
    ),
    "data of a folder": (
        "Eleventy",
        {"plans/a.md": SECRET, "plans/plans.json": '{"draft": true}', "b/c.md": SECRET}
        | {"b/b.11tydata.js": "module.exports = { permalink: false }"},
    ),
    ".eleventyignore": ("Eleventy", {"plans/a.md": SECRET, ".eleventyignore": "plans\n"}),
    "no permalink": ("Eleventy", {"a.md": SECRET.replace("title", "permalink: false\ntitle")}),
    "build": ("Hugo", {"content/a.md": SECRET.replace("title", "build: {render: never}\ntitle")}),
    "_build": ("Hugo", {"content/a.md": SECRET.replace("title", "_build: {list: false}\ntitle")}),
    "headless": ("Hugo", {"content/a/index.md": SECRET.replace("title", "headless: true\ntitle")}),
    "files of a page": (
        "Hugo",
        {"content/a/index.md": PLAIN.format("A"), "content/a/b.md": SECRET},
    ),
    "cascade": (
        "Hugo",
        {"content/a/_index.md": "---\ncascade: {draft: true}\n---\n", "content/a/b/c.md": SECRET},
    ),
    "cascade with a target": (
        "Hugo",
        {
            "content/a/_index.md": "+++\n[[cascade]]\ndraft = true\n[cascade._target]\n"
            'path = "/a/**"\n+++\n',
            "content/a/b.md": SECRET,
        },
    ),
    "ignoreFiles": (
        "Hugo",
        {"hugo.toml": 'baseURL = "/"\nignoreFiles = ["plans"]', "content/plans/a.md": SECRET},
    ),
    "front matter in JSON": (
        "Hugo",
        {"content/a.md": '{\n"title": "Plan", "draft": true\n}\n\nSecretword.\n'},
    ),
    "front matter in named JSON": (
        "Eleventy",
        {"a.md": '---json\n{"title": "Plan", "draft": true}\n---\n\nSecretword.\n'},
    ),
    "front matter in named TOML": (
        "Eleventy",
        {"a.md": '---toml\ntitle = "Plan"\ndraft = true\n---\n\nSecretword.\n'},
    ),
    "lines above the text": (
        "MkDocs",
        {"docs/a.md": "Title: Plan\nDate: 2026-01-01\nStatus: draft\n\nSecretword.\n"},
    ),
    "a section that is a draft": (
        "Zola",
        {"content/a/_index.md": "+++\ndraft = true\n+++\n", "content/a/b.md": SECRET},
    ),
    "a page that is not rendered": (
        "Zola",
        {"content/a.md": "+++\ntitle = 'Plan'\nrender = false\n+++\n\nSecretword.\n"},
    ),
    "parts of pages": ("Docusaurus", {"docs/_part.md": SECRET, "docs/_parts/a.md": SECRET}),
    "a locale that is off": (
        "Docusaurus",
        {
            "docusaurus.config.js": "module.exports = { i18n: { locales: ['en'] } };",
            "i18n/ar/docusaurus-plugin-content-docs/current/a.md": SECRET,
        },
    ),
    "hidden collections": ("Astro", {"src/content/blog/_a.md": SECRET}),
    "srcExclude": (
        "VitePress",
        {
            "docs/.vitepress/config.ts": "export default { srcExclude: ['plans/**'] }",
            "docs/plans/a.md": SECRET,
        },
    ),
    "publish": ("Obsidian", {"Notes/a.md": SECRET.replace("title", "publish: false\ntitle")}),
}


@cases(("generator", "files"), WITHHELD.values())
def test_what_a_generator_withholds_stays_withheld(
    generator: str, files: Mapping[str, str], tmp_path: Path
) -> None:
    """By its configuration, its files of data, its sections and its names."""
    folder = tmp_path / str(abs(hash(repr(files))))
    layout = LAYOUTS[generator]
    open_text = dict([text(layout.post or layout.page, "open", DATED)])
    words = served_words(imported(folder, {**layout.source(open_text), **files}))
    assert "Secretword" not in words
    assert "Wordopen" in words


def test_what_is_left_out_is_listed(tmp_path: Path) -> None:
    """By file and number of words, with exit 1 unless the author allows it."""
    broken = "---\ntitle: [\n---\n\nOne two three.\n"
    files = {**LAYOUTS["Jekyll"].source({}), "index.html": "---\n---\n<p>Four {{ x }} five</p>\n"}
    write_tree(tmp_path / "source", {**files, "broken.md": broken, "about.md": PLAIN})
    result = run(tmp_path / "source", tmp_path / "content")
    assert result.exit_code == 1
    assert "index.html: 2 words (.html is not read)" in result.output
    assert "broken.md: 4 words" in result.output or "broken.md: 3 words" in result.output
    assert run(tmp_path / "source", tmp_path / "other", "--allow-loss").exit_code == 0


def test_defaults_of_the_configuration_are_written(tmp_path: Path) -> None:
    """Language, author and category of Jekyll's `defaults`; the file's own keys stay."""
    configuration = (
        "timezone: Asia/Riyadh\n"
        "defaults:\n  - scope: {path: '', type: posts}\n"
        "    values: {author: Salma, category: tax, lang: ar, layout: post}\n"
    )
    files = {
        "_config.yml": configuration,
        "_posts/2026-01-03-a.md": "---\ntitle: T\nauthor: Omar\n"
        "date: 2026-01-03 23:30:00\n---\nنص\n",
    }
    written = metadata(imported(tmp_path, files), "posts/2026-01-03-a.md")
    assert {key: written[key] for key in ("author", "category", "lang", "publishedAt")} == {
        "author": "Omar",
        "category": "tax",
        "lang": "ar",
        "publishedAt": "2026-01-03T23:30:00+03:00",
    }
    assert "layout" not in written


def test_addresses_of_eleventy_follow_the_data_of_a_folder(tmp_path: Path) -> None:
    """Its `permalink`, where it is no program."""
    files = {
        **LAYOUTS["Eleventy"].files,
        "content/posts/2026-01-02-hi.md": "---\ntitle: Hi\n---\nText.\n",
        "content/posts/posts.11tydata.js": "module.exports = { permalink:"
        " '/{{ page.date | toDatePath }}/{{ page.fileSlug }}/' }",
    }
    redirects = (imported(tmp_path, files) / "_redirects").read_text()
    assert redirects == "/2026/01/02/hi/ /blog/hi 301\n"


def test_the_language_of_the_configuration_is_kept(tmp_path: Path) -> None:
    """A site in Persian is not one in Arabic."""
    files = {
        "docs/.vitepress/config.ts": "export default { title: 'V', lang: 'fa-IR' }",
        "docs/guide.md": "# متن\n\nمتن بدون حروف خاص\n",
    }
    folder = imported(tmp_path, files)
    assert metadata(folder, "docs/guide.md")["lang"] == "fa-IR"
    pages = dict(served_pages(folder))
    assert any('lang="fa-IR"' in html and 'dir="rtl"' in html for html in pages.values())


def test_a_bad_entry_costs_only_itself(tmp_path: Path) -> None:
    """In `aliases` and `tags`, with a warning."""
    files = {
        "astro.config.mjs": "export default {}",
        "src/content/blog/a.md": "---\ntitle: A\ndate: 2026-01-02\ntags: [[x, y], {a: b}, z]\n"
        "aliases: [{a: b}, /old]\n---\nText.\n",
    }
    loaded = load_content(imported(tmp_path, files))
    (document,) = loaded.snapshot.entries[POST]["a"].documents
    fields = document.fields
    assert getattr(fields, "tags", None) == ["z"]
    assert fields.aliases == ["/old"]
    assert sum("is no text" in each.message for each in loaded.diagnostics) == 3


def test_a_renamed_post_keeps_the_date_of_its_name(tmp_path: Path) -> None:
    """Also one in a third language, whose addresses are kept as well."""
    files = {
        "_config.yml": "permalink: /:title/",
        "_posts/en/2026-01-02-a.md": "# A\n",
        "_posts/ar/2026-01-02-a.md": "# ا\n",
        "_posts/de/2026-01-02-a.md": "# A\n",
        "other/_posts/2026-01-03-a.md": "# Another\n",
    }
    folder = imported(tmp_path, files)
    posts = load_content(folder).snapshot.entries[POST]
    dates = {slug: f"{posts[slug].documents[0].fields.published_at:%d}" for slug in posts}
    assert dates == {"a": "02", "de-a": "02", "other-a": "03"}
    assert len(posts["a"].documents) == 2
    redirects = (folder / "_redirects").read_text()
    assert "/de/a/ /blog/de-a 301" in redirects
    assert "/ar/a/ /ar/blog/a 301" in redirects


def test_slugs_and_the_base_of_docusaurus_make_addresses(tmp_path: Path) -> None:
    """A slug that begins with a slash is the whole path; posts with one have no date in it."""
    files = {
        "docusaurus.config.js": "module.exports = { url: 'https://x.example', baseUrl: '/base/' };",
        "docs/a/b.md": "---\nslug: /c/d\n---\n# D\n",
        "blog/2026-01-02-e.md": "---\nslug: f\n---\n# F\n",
    }
    redirects = (imported(tmp_path, files) / "_redirects").read_text()
    assert "/base/docs/c/d /docs/c/d 301" in redirects
    assert "/base/blog/f /blog/f 301" in redirects
    assert "/blog/f" not in redirects.replace("/base/blog/f", "").replace(" /blog/f", "")


FORMER: dict[str, tuple[str, Mapping[str, str], str]] = {
    "capitals and spaces of Hugo": (
        "Hugo",
        {"content/docs/VAT Guide.md": "# VAT\n"},
        "/docs/vat-guide/ /vat-guide 301",
    ),
    "a slug under a key with a capital": (
        "Hugo",
        {"content/docs/a.md": "---\nSlug: vat-guide\n---\n# VAT\n"},
        "/docs/vat-guide/ /vat-guide 301",
    ),
    "a date in the name of a post of Hugo": (
        "Hugo",
        {"content/posts/2026-01-02-vat.md": "# VAT\n"},
        "/posts/2026-01-02-vat/ /blog/vat 301",
    ),
    "a date in the name of a page": (
        "Jekyll",
        {"2026-01-02-vat.md": "# VAT\n"},
        "/2026-01-02-vat.html /2026-01-02-vat 301",
    ),
    "signs in the name of a post of Jekyll": (
        "Jekyll",
        {"_config.yml": "permalink: /:title/\n", "_posts/2026-01-02-دليل:-الضريبة.md": "# ا\n"},
        "/دليل-الضريبة/ /blog/",
    ),
    "a name that Zola makes a slug": (
        "Zola",
        {"content/docs/VAT guide.md": "+++\n+++\n# VAT\n"},
        "/docs/vat-guide/ /vat-guide 301",
    ),
    "the list of a folder of dated texts": (
        "Hugo",
        {f"content/talks/{name}.md": DATED.format(name) for name in ("a", "b")},
        "/talks/ /blog 301",
    ),
    "prefixes of a plugin for languages": (
        "Jekyll",
        {
            "_config.yml": "languages: [en, he]\nlang: en\n",
            "vat.he.md": "---\nlang: he\n---\n# x\n",
        },
        "/he/vat.html /vat",
    ),
    "a second folder of documentation": (
        "Docusaurus",
        {
            "docusaurus.config.js": "module.exports = { plugins: [["
            "'@docusaurus/plugin-content-docs',"
            " { id: 'api', path: 'api', routeBasePath: 'reference' }]] };",
            "api/vat.md": "# VAT\n",
        },
        "/reference/vat /docs/api/vat 301",
    ),
}


_CURRENT = "i18n/de/docusaurus-plugin-content-docs/current"
_STARLIGHT = "import s from '@astrojs/starlight'; export default {{ integrations: [s({})] }};"
FORMER |= {
    f"a text that a language of {generator} does not have": (generator, files, rule)
    for generator, files, rule in (
        (
            "Starlight",
            {
                "astro.config.mjs": _STARLIGHT.format("{ defaultLocale: 'en' }"),
                "src/content/docs/en/vat.md": "# VAT\n",
                "src/content/docs/ar/zakat.md": "# الزكاة\n",
            },
            "/ar/vat/ /ar/docs/vat 301",
        ),
        (
            "Docusaurus",
            {"docs/vat.md": "# VAT\n", f"{_CURRENT}/zakat.md": "# Zakat\n"},
            "/de/docs/vat /docs/vat 301",
        ),
    )
}


FORMER |= {
    f"redirects of the configuration of {generator}": (
        generator,
        {file: settings, layout.format("guide/vat"): "# VAT\n"},
        rule,
    )
    for generator, file, settings, layout, rule in (
        (
            "MkDocs",
            "mkdocs.yml",
            "plugins: [search, {redirects: {redirect_maps: {old.md: 'guide/vat.md#a'}}}]\n",
            "docs/{}.md",
            "/old/ /docs/guide/vat#a 301",
        ),
        (
            "Astro",
            "astro.config.mjs",
            "export default { redirects: { '/old': '/guide/vat' } }\n",
            "src/pages/{}.md",
            "/old/ /vat 301",
        ),
        (
            "Docusaurus",
            "docusaurus.config.js",
            (
                "module.exports = { plugins: [['@docusaurus/plugin-client-redirects',"
                " { redirects: [{ from: ['/old', '/b'], to: '/docs/guide/vat' }] }]] };"
            ),
            "docs/{}.md",
            "/old/ /docs/guide/vat 301",
        ),
    )
}


@cases(("generator", "files", "rule"), FORMER.values())
def test_addresses_of_the_source_lead_to_its_texts(
    generator: str, files: Mapping[str, str], rule: str, tmp_path: Path
) -> None:
    """By the generator's rules for names, dates, languages and folders; `check` finds no fault."""
    folder = imported(tmp_path / str(abs(hash(repr(files)))), {**LAYOUTS[generator].files, **files})
    assert rule in (folder / "_redirects").read_text()
    loaded = load_content(folder)
    problems = redirect_diagnostics(loaded.snapshot, datetime.now(UTC))
    assert [each.message for each in problems] == []


def test_a_permalink_in_another_language_begins_with_it(tmp_path: Path) -> None:
    """With the plugin that builds a site for each language."""
    files = {
        "_config.yml": "languages: [en, he]\ndefault_lang: en\n",
        "about.en.md": "---\ntitle: About\npermalink: /info/\n---\n",
        "about.he.md": "---\ntitle: אודות\nlang: he\npermalink: info/\n---\n",
    }
    folder = imported(tmp_path, files)
    written = {path.name: metadata(folder, f"pages/{path.name}") for path in folder.glob("pages/*")}
    assert {each["permalink"] for each in written.values()} == {"/info/", "/he/info/"}


def test_views_of_a_vault_are_left_out_of_notes(tmp_path: Path) -> None:
    """They list notes by a query; the note stays, and `check` names what is missing."""
    files = {
        ".obsidian/app.json": "{}",
        "Books.md": "Read:\n\n![[Books.base]]\n",
        "Books.base": "views: []\n",
    }
    folder = imported(tmp_path, files)
    shown = dict(served_pages(folder))["/en/books"]
    assert "Read:" in shown
    assert "Books.base" not in shown
    assert ["![[Books.base]]" in each.message for each in load_content(folder).diagnostics] == [
        True
    ]


def test_templates_of_routes_are_no_pages(tmp_path: Path) -> None:
    """VitePress makes a page for each of their parameters."""
    layout = LAYOUTS["VitePress"]
    files = dict(
        [("docs/guide/[name].md", "Secretword {{ name }}\n"), text(layout.page, "a", PLAIN)]
    )
    words = served_words(imported(tmp_path, layout.source(files)))
    assert "Worda" in words
    assert "Secretword" not in words


def test_the_menu_of_mkdocs_gives_titles(tmp_path: Path) -> None:
    """To texts without a title and a heading; markup is left out of labels."""
    files = {
        "mkdocs.yml": "nav:\n  - The <b>first</b>&nbsp;: a.md\n  - More: [{Second: b.md}]\n",
        "docs/a.md": "Text.\n",
        "docs/b.md": "Text.\n",
        "docs/c.md": "# Third\n",
    }
    folder = imported(tmp_path, files)
    assert metadata(folder, "docs/b.md")["title"] == "Second"
    assert "The first" in (folder / "site/navigation.md").read_text()
    problems = check_content(load_content(folder), datetime.now(UTC))
    assert "missing-field" not in {str(each.kind) for each in problems}


def test_documentation_of_many_pages_is_served(tmp_path: Path) -> None:
    """Its tree names all of them, at the address that the source's home page led to."""
    files = {f"docs/{number}.md": f"# Page {number}\n" for number in range(30)}
    pages = dict(served_pages(imported(tmp_path, LAYOUTS["MkDocs"].source(files))))
    assert all(f"/docs/{number}" in pages["/en/docs"] for number in range(30))


def test_a_site_without_a_menu_links_its_home_text(tmp_path: Path) -> None:
    """The home page itself has its title and description alone."""
    layout = LAYOUTS["Hugo"]
    files = layout.source({layout.home: "---\ntitle: Welcome\n---\n\nOur opening hours.\n"})
    pages = dict(served_pages(imported(tmp_path, files)))
    assert 'href="/en/home"' in pages["/en"]
    assert "Our opening hours." in pages["/en/home"]
    assert "Our opening hours." not in pages["/en"]


def test_templates_of_a_vault_are_left_out(tmp_path: Path) -> None:
    """A vault is one without its settings, too: its notes link each other."""
    files = {f"Notes/{name}.md": f"See [[{name}]].\n" for name in ("One", "Two", "Three")}
    files["Templates/Note.md"] = "Secretword {{title}}\n"
    write_tree(tmp_path / "source", files)
    result = run(tmp_path / "source", tmp_path / "content")
    assert result.output.startswith("Obsidian source imported")
    assert "Secretword" not in served_words(tmp_path / "content")


@pytest.mark.parametrize("generator", LAYOUTS)
def test_copies_of_programs_are_left_out(generator: str, tmp_path: Path) -> None:
    """They are no omissions: their originals are imported."""
    layout = LAYOUTS[generator]
    files = dict([(layout.home, "# Welcome\n\nWordhome.\n"), text(layout.page, "vat", PLAIN)])
    files[layout.page.format("vat.sync-conflict-20260501-101500-ABCDEFG")] = "Wordcopied."
    folder = imported(tmp_path, layout.source(files))
    assert "Wordvat" in served_words(folder)
    assert "Wordcopied" not in "".join(each.read_text() for each in folder.rglob("*.md"))


MODULES = {
    "Hugo": "hugo_zola",
    "Jekyll": "jekyll",
    "Docusaurus": "javascript",
    "VitePress": "javascript",
    "Astro": "javascript",
    "MkDocs": "folders",
    "Eleventy": "folders",
}
ODD: tuple[object, ...] = (
    None,
    True,
    3,
    "x",
    [],
    [1],
    [[1]],
    [{"a": 1}],
    {},
    {"a": None},
    {"en": 3},
    {"main": [None]},
)
_KEY = re.compile(r'"([A-Za-z_]\w{1,25})"')


@pytest.mark.slow
@pytest.mark.parametrize("generator", MODULES)
def test_a_configuration_may_have_any_values(generator: str, tmp_path: Path) -> None:
    """A key that its reader looks at may have a value of another type: it is no reason to stop."""
    layout = LAYOUTS[generator]
    file = next(iter(layout.files))
    module = import_module(f"app.operations.importing.generators.{MODULES[generator]}")
    keys = sorted(set(_KEY.findall(inspect.getsource(module))))
    assert len(keys) > 10
    write_tree(tmp_path, layout.source(dict([text(layout.page, "about", PLAIN)])))
    path = tmp_path / {"Hugo": "hugo.json"}.get(generator, file)
    (tmp_path / file).unlink()
    for key, value in product(keys, ODD):
        for settings in ({key: value}, {"plugins": [{key: value}]}, {"params": {key: value}}):
            written = json.dumps(settings)
            is_data = path.suffix in (".json", ".yml")
            path.write_text(written if is_data else f"export default ({written})")
            read_source(tmp_path)
