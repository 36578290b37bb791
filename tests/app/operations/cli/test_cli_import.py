"""`majlis import`: unchanged sources of other generators become content folders."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import pytest
from cases import cases
from click.testing import CliRunner
from contract.visitor import write_tree
from imported_sites import imported, metadata, run
from permissions import bound_by_permissions
from pictures import picture
from repositories import Origin

from app.operations.cli import main
from app.operations.cli.serve import refuse_foreign_source
from app.operations.importing.generators import read_source
from knowledge.addresses.addresses import Address
from knowledge.addresses.links import resolve_link
from knowledge.fields.content_types import PAGE as CONTENT
from knowledge.fields.content_types import POST as POSTS
from knowledge.snapshot.loading import load_content

POST = "---\ntitle: Hello\ndate: 2024-05-01\n---\n\nText of the post.\n"
PAGE = "---\ntitle: About\n---\n\nText of the page.\n"

PNG = picture("PNG", 30, 20)

SOURCES: Mapping[str, Mapping[str, str | bytes]] = {
    "Hugo": {
        "hugo.toml": 'baseURL = "https://site.example/"\ntitle = "The site"\n'
        "[permalinks]\nposts = '/:year/:month/:slug/'\n"
        '[[menu.main]]\nname = "About"\npageRef = "/about"\nweight = 1\n',
        "content/posts/hello.md": POST,
        "content/about.md": PAGE,
        "static/images/logo.png": PNG,
    },
    "Jekyll": {
        "_config.yml": "title: The site\nurl: https://site.example\npermalink: /:year/:title/\n",
        "_posts/2024-05-01-hello.md": POST,
        "about.md": PAGE,
        "images/logo.png": PNG,
        "README.md": "# Not content\n",
        "_layouts/default.html": "<html>",
    },
    "Zola": {
        "config.toml": 'base_url = "https://site.example"\ntitle = "The site"\n',
        "content/blog/_index.md": '+++\ntitle = "Blog"\nsort_by = "date"\n+++\n',
        "content/blog/hello.md": "+++\ntitle = 'Hello'\ndate = 2024-05-01\n+++\n\nText.\n",
        "content/about.md": PAGE,
        "static/images/logo.png": PNG,
    },
    "Astro": {
        "astro.config.mjs": "export default defineConfig({ site: 'https://site.example' });\n",
        "src/consts.ts": "export const SITE_TITLE = 'The site';\n",
        "src/content/blog/hello.md": POST,
        "src/pages/about.md": PAGE,
        "public/images/logo.png": PNG,
    },
    "Starlight": {
        "astro.config.mjs": "import starlight from '@astrojs/starlight';\n"
        "export default defineConfig({ integrations: [starlight({ title: 'The site' })] });\n",
        "src/content/docs/hello.md": POST,
        "src/content/docs/guides/about.md": PAGE,
        "public/images/logo.png": PNG,
    },
    "Docusaurus": {
        "docusaurus.config.ts": "const config: Config = { title: 'The site',\n"
        "  presets: [['classic', { docs: { routeBasePath: 'guide' } }]],\n"
        "  themeConfig: { navbar: { items: [{ to: '/guide/start/about', label: 'About' }] } },\n"
        "};\nexport default config;\n",
        "blog/2024-05-01-hello.md": POST,
        "docs/01-start/02-about.md": PAGE,
        "static/images/logo.png": PNG,
    },
    "Eleventy": {
        "eleventy.config.js": "export default function (c) { return { dir: { input: 'src' } }; }\n",
        "src/_data/metadata.js": "export default { title: 'The site' };\n",
        "src/posts/hello.md": POST,
        "src/about.md": PAGE,
        "src/images/logo.png": PNG,
        "README.md": "# Not content\n",
    },
    "VitePress": {
        "docs/.vitepress/config.mts": "export default defineConfig({ title: 'The site',\n"
        "  themeConfig: { nav: [{ text: 'About', link: '/guide/about' }] } });\n",
        "docs/posts/hello.md": POST,
        "docs/guide/about.md": PAGE,
        "docs/public/images/logo.png": PNG,
    },
    "MkDocs": {
        "mkdocs.yml": "site_name: The site\nnav:\n  - About: about.md\n"
        "markdown_extensions:\n  - emoji: !!python/name:x.y\n",
        "docs/blog/posts/hello.md": POST,
        "docs/about.md": PAGE,
        "docs/images/logo.png": PNG,
    },
    "Obsidian": {
        ".obsidian/app.json": "{}",
        "posts/hello.md": POST,
        "Notes/About.md": PAGE,
        "Notes/logo.png": PNG,
    },
    "Markdown": {
        "README.md": "# The site\n\nSee [about](guide/about.md).\n",
        "CONTRIBUTING.md": "# Not content\n",
        ".gitignore": "build/\n",
        "build/not-content.md": PAGE,
        "posts/hello.md": POST,
        "guide/about.md": PAGE,
        "guide/logo.png": PNG,
    },
}

DOCUMENTATION = {"Starlight", "Docusaurus", "VitePress", "MkDocs", "Markdown"}
ADDRESSES = {
    "Hugo": {"/2024/05/hello/": "/blog/hello", "/posts/": "/blog"},
    "Jekyll": {"/2024/hello/": "/blog/hello"},
    "Zola": {},
    "Astro": {},
    "Starlight": {"/guides/about/": "/docs/guides/about", "/hello/": "/docs/hello"},
    "Docusaurus": {
        "/blog/2024/05/01/hello": "/blog/hello",
        "/guide/start/about": "/docs/start/about",
    },
    "Eleventy": {"/posts/hello/": "/blog/hello", "/posts/": "/blog"},
    "VitePress": {
        "/posts/": "/blog",
        "/posts/hello": "/blog/hello",
        "/guide/about": "/docs/guide/about",
    },
    "MkDocs": {
        "/blog/2024/05/01/hello/": "/blog/hello",
        "/about/": "/docs/about",
        "/images/logo.png": "/docs/images/logo.png",
    },
    "Obsidian": {},
    "Markdown": {},
}


@pytest.mark.parametrize("generator", SOURCES)
def test_texts_and_files_of_each_generator_are_imported(generator: str, tmp_path: Path) -> None:
    """Posts and pages as their kinds, images, the name of the site; no page that is none."""
    write_tree(tmp_path / "source", SOURCES[generator])
    result = run(tmp_path / "source", tmp_path / "content")
    assert result.exit_code == 0, result.output
    assert result.output.startswith(f"{generator} source imported into ")
    loaded = load_content(tmp_path / "content")
    assert loaded.diagnostics == ()
    kinds = {
        slug.rpartition("/")[2]: kind.folder
        for kind, entries in loaded.snapshot.entries.items()
        for slug in entries
    }
    pages = "docs" if generator in DOCUMENTATION else "pages"
    is_blog = generator != "Starlight"
    assert kinds["hello"] == ("posts" if is_blog else pages)
    assert kinds["about"] == pages
    assert "not-content" not in kinds
    assert any(path.endswith("logo.png") for path in loaded.snapshot.assets)
    if generator not in ("Obsidian", "Markdown"):
        settings = metadata(tmp_path / "content", "site/settings.md")
        assert settings["seo"] == {"pageTitle": "The site"}


@pytest.mark.parametrize("generator", SOURCES)
def test_old_addresses_lead_to_the_new_ones(generator: str, tmp_path: Path) -> None:
    """By the generator's rules and the site's own configuration."""
    folder = imported(tmp_path, SOURCES[generator])
    file = folder / "_redirects"
    lines = file.read_text().splitlines() if file.exists() else []
    assert {line.split()[0]: line.split()[1] for line in lines} == ADDRESSES[generator]


def test_files_of_one_name_get_names_of_their_own(tmp_path: Path) -> None:
    """None is lost; the report names them."""
    files = {
        "config.toml": 'base_url = "https://site.example"',
        "content/sales/start.md": PAGE,
        "content/stock/start.md": "Text without front matter.\n",
        "content/stock/blog.md": "+++\ntitle = 'B'\n+++\n",
    }
    write_tree(tmp_path / "source", files)
    result = run(tmp_path / "source", tmp_path / "content")
    assert "stock/start.md as pages/stock/stock-start.md" in result.output
    snapshot = load_content(tmp_path / "content").snapshot
    slugs = {slug for kind, entries in snapshot.entries.items() for slug in entries}
    assert {"start", "stock-start", "stock-blog"} <= slugs


def test_no_page_gets_an_address_that_the_site_has_itself(tmp_path: Path) -> None:
    """A list, or without countries the home page of a language."""
    files = {
        "config.toml": 'base_url = "https://site.example"',
        "content/a/products.md": PAGE,
        "content/b/en.md": PAGE,
    }
    loaded = load_content(imported(tmp_path, files))
    assert loaded.diagnostics == ()
    assert sorted(loaded.snapshot.entries[CONTENT]) == ["a-products", "b-en"]


def test_links_to_a_renamed_file_lead_to_it(tmp_path: Path) -> None:
    """Not to another page of its former name."""
    files = {
        "config.toml": 'base_url = "https://site.example"',
        "content/sales/start.md": PAGE,
        "content/stock/start.md": PAGE,
        "content/stock/next.md": "[Back](start.md)\n",
        "content/start.md": PAGE,
    }
    snapshot = load_content(imported(tmp_path, files)).snapshot
    for source, link in (
        ("pages/stock/next.md", "start.md"),
        ("pages/sales/other.md", "@/stock/start.md"),
        ("pages/other.md", "stock/start.md"),
    ):
        linked = resolve_link(snapshot, source, link)
        assert isinstance(linked, Address)
        assert linked.slug == "stock-start", link


def test_a_language_with_a_folder_of_its_own_is_imported_once(tmp_path: Path) -> None:
    """Hugo names folders in the one of all languages, which the importer reads as well."""
    languages = "".join(
        f'[languages.{name}]\ncontentDir = "content/{name}"\n' for name in ("en", "ar")
    )
    folder = imported(
        tmp_path,
        {
            "hugo.toml": f'defaultContentLanguage = "en"\n{languages}',
            "content/en/posts/hello.md": POST,
            "content/ar/posts/hello.md": POST.replace("Hello", "مرحبا"),
        },
    )
    assert {each.relative_to(folder).as_posix() for each in folder.glob("posts/**/*.md")} == {
        "posts/hello.md",
        "posts/ar/hello.md",
    }


def test_translations_become_layers(tmp_path: Path) -> None:
    """In the folder of their language; other languages get slugs of their own."""
    folder = imported(
        tmp_path,
        {
            "docusaurus.config.js": "module.exports = { i18n: { defaultLocale: 'en' } };",
            "docs/intro.md": PAGE,
            "i18n/ar/docusaurus-plugin-content-docs/current/intro.md": "# مقدمة\n",
            "i18n/fr/docusaurus-plugin-content-docs/current/intro.md": "# Introduction\n",
        },
    )
    assert (folder / "docs/intro.md").exists()
    assert (folder / "docs/ar/intro.md").read_text() == "# مقدمة\n"
    french = "---\nlang: fr\n---\n\n# Introduction\n"
    assert (folder / "docs/fr/intro.md").read_text() == french
    entries = load_content(folder).snapshot.entries
    kind = next(each for each in entries if str(each) == "docs")
    assert list(entries[kind]) == ["fr/intro", "intro"]


def test_a_date_in_the_address_of_a_text_is_its_date(tmp_path: Path) -> None:
    """Also below a section."""
    text = "+++\npath = 'inside/2024/05/01/hello'\n+++\n\nText.\n"
    files = {"config.toml": 'base_url = "https://site.example"', "content/blog/hello.md": text}
    assert metadata(imported(tmp_path, files), "posts/hello.md")["date"] == "2024-05-01"


def test_drafts_of_jekyll_stay_unpublished(tmp_path: Path) -> None:
    """They are imported as posts that nobody sees."""
    folder = imported(tmp_path, {"_config.yml": "title: T", "_drafts/idea.md": "# Idea\n"})
    assert metadata(folder, "posts/drafts/idea.md")["published"] == "false"


def test_an_arabic_source_without_a_language_is_an_arabic_site(tmp_path: Path) -> None:
    """A text in English stays one: its letters say so."""
    files = {
        "_config.yml": "title: مدونة\n",
        "_posts/2024-05-01-hello.md": "---\ntitle: مرحبا\n---\n\nنص المقالة الأولى.\n",
        "about.md": "# من نحن\n\nشركة في الكويت.\n",
        "english.md": "# About us\n\nA company in Kuwait.\n",
    }
    folder = imported(tmp_path, files)
    assert metadata(folder, "site/settings.md")["lang"] == "ar"
    loaded = load_content(folder)
    assert "lang" not in metadata(folder, "posts/2024-05-01-hello.md")
    (post,) = loaded.snapshot.entries[POSTS]["hello"].documents
    assert post.language == "ar"
    (english,) = loaded.snapshot.entries[CONTENT]["english"].documents
    assert english.language == "en"


@pytest.mark.parametrize("name", ["no", "yes", "off", "on", "n", "y"])
def test_keys_of_a_configuration_are_texts(name: str, tmp_path: Path) -> None:
    """YAML 1.1 reads the code of Norwegian as false."""
    languages = f"languages:\n  en:\n  {name}:\n    contentDir: content/{name}\n"
    files = {"hugo.yaml": languages, "content/en/a.md": PAGE, f"content/{name}/b.md": PAGE}
    folder = imported(tmp_path, files)
    assert {each.name for each in folder.glob("pages/**/*.md")} >= {"a.md"}
    assert list(folder.glob(f"pages/{name}/*b.md"))


def test_a_draft_has_no_old_address(tmp_path: Path) -> None:
    """Its former site had no page of it, so that a redirect would lead nowhere."""
    files = {
        **SOURCES["Hugo"],
        "content/posts/draft.md": POST.replace("---\n", "---\ndraft: true\n", 1),
    }
    folder = imported(tmp_path, files)
    assert (folder / "posts/draft.md").exists()
    assert "draft" not in (folder / "_redirects").read_text()


def test_the_dates_of_a_post_of_mkdocs_are_read(tmp_path: Path) -> None:
    """Its blog has a mapping of them."""
    date = "date:\n  created: 2024-05-01\n  updated: 2024-06-02\n"
    post = f"---\ntitle: Hello\n{date}---\n\nText.\n"
    folder = imported(tmp_path, {**SOURCES["MkDocs"], "docs/blog/posts/hello.md": post})
    loaded = load_content(folder)
    assert loaded.diagnostics == ()
    (document,) = loaded.snapshot.entries[POSTS]["hello"].documents
    assert document.fields.published_at == datetime(2024, 5, 1, tzinfo=UTC)
    assert document.fields.updated_at == datetime(2024, 6, 2, tzinfo=UTC)


def test_menu_entries_lead_to_the_new_addresses(tmp_path: Path) -> None:
    """Also where the generator's address was another one."""
    folder = imported(tmp_path, SOURCES["Docusaurus"])
    links = cast(list[dict[str, str]], metadata(folder, "site/navigation.md")["headerLinks"])
    assert [(link["label"], link["href"]) for link in links] == [("About", "/docs/start/about")]


def test_a_repository_says_which_of_its_folders_is_a_site(tmp_path: Path) -> None:
    """Its own files are imported as they are; code is not published, so that it is no loss."""
    files = {f"website/{path}": text for path, text in SOURCES["Docusaurus"].items()}
    source = {**files, "README.md": "# Tool\n", "notes.md": PAGE, "src/a.html": "<p>Some words</p>"}
    write_tree(tmp_path / "source", source)
    result = run(tmp_path / "source", tmp_path / "content")
    assert result.exit_code == 0, result.output
    assert "website/ is the source of a Docusaurus site: import it alone." in result.output
    assert (tmp_path / "content/docs/notes.md").exists()


def test_a_menu_entry_for_the_home_page_leads_to_the_start_of_the_documentation(
    tmp_path: Path,
) -> None:
    """MkDocs names its file, others its address."""
    files = {"mkdocs.yml": "nav:\n  - Home: index.md\n  - A: a.md\n", "docs/a.md": PAGE}
    for text, address in (("Welcome.\n", "/docs"), ("", "/")):
        folder = imported(
            tmp_path / address[1:], {**files, "docs/index.md": text} if text else files
        )
        links = cast(list[dict[str, str]], metadata(folder, "site/navigation.md")["headerLinks"])
        assert [link["href"] for link in links] == [address, "/docs/a"]
        assert load_content(folder).diagnostics == ()


def test_the_posts_of_a_blog_of_mkdocs_have_no_folder_more(tmp_path: Path) -> None:
    """Their pictures stand beside them, and the text about the list is a page."""
    files = {
        **SOURCES["MkDocs"],
        "docs/blog/index.md": "# Our blog\n\nNews.\n",
        "docs/blog/posts/hello.md": POST + "![Logo](hello.png)\n",
        "docs/blog/posts/hello.png": PNG,
    }
    folder = imported(tmp_path, files)
    names = {each.relative_to(folder).as_posix() for each in folder.glob("p*/**/*.*")}
    assert names == {"posts/hello.md", "posts/hello.png", "pages/about-blog.md"}


def test_redirects_of_the_source_are_kept(tmp_path: Path) -> None:
    """Those that it has for its own host."""
    files = {**SOURCES["Hugo"], "static/_redirects": "/older /2024/05/hello/ 301\n"}
    folder = imported(tmp_path, files)
    assert "/older /2024/05/hello/ 301\n" in (folder / "_redirects").read_text()


def test_the_report_names_what_is_left(tmp_path: Path) -> None:
    """Files that cannot be read or are not served, and where the site was."""
    write_tree(tmp_path / "source", {**SOURCES["Hugo"], "static/app.js": "x", "content/e.md": " "})
    output = run(tmp_path / "source", tmp_path / "content").output
    assert "1 files could not be read: e.md:1 The file is empty." in output
    assert "not copied: 1 .js" in output
    assert "https://site.example/" in output


def test_a_repository_is_cloned(tmp_path: Path) -> None:
    """Its newest commit; a fault of git ends the command."""
    origin = Origin(tmp_path)
    origin.push({"notes.md": "# Notes\n\nText.\n"})
    done = CliRunner().invoke(
        main, ["import", f"file://{origin.path}", "--into", str(tmp_path / "content")]
    )
    assert done.exit_code == 0, done.output
    assert "# Notes" in (tmp_path / "content/docs/notes.md").read_text("utf-8")
    done = CliRunner().invoke(main, ["import", f"file://{tmp_path}/none", "--into", "x"])
    assert done.exit_code == 1
    assert "cannot be cloned: " in done.output
    done = CliRunner().invoke(main, ["import", f"{tmp_path}/none", "--into", "x"])
    assert done.exit_code == 2
    assert "does not exist" in done.output


def test_a_folder_with_files_is_not_written_to(tmp_path: Path) -> None:
    """The command names it."""
    write_tree(tmp_path / "source", SOURCES["Hugo"])
    write_tree(tmp_path / "content", {"a.md": "A"})
    result = run(tmp_path / "source", tmp_path / "content")
    assert result.exit_code == 1
    assert "is not empty. Choose a new folder." in result.output
    assert [path.name for path in (tmp_path / "content").iterdir()] == ["a.md"]


DOUBLED = "a: &a0 {k: v}\n" + "".join(
    f"b{number}: &a{number} {{<<: [*a{number - 1}, *a{number - 1}]}}\n" for number in range(1, 18)
)
"""Mappings, each of which merges the one before twice."""


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"notes.txt": "A", "README.md": "A"}, "has no markdown files to import"),
        (
            {"conf.py": "extensions = []", "index.md": "A"},
            "of a Sphinx site, which is",
        ),
        ({"docs/conf.py": "project = 'A'", "docs/index.rst": "A"}, "of a Sphinx site, which is"),
        ({"_config.yml": "title: A", "_toc.yml": "root: a", "a.md": "A"}, "of a Jupyter Book site"),
        ({"myst.yml": "version: 1", "index.md": "(x)=\n# A"}, "of a MyST site, which is not"),
        ({"hugo.toml": "title = "}, "hugo.toml cannot be parsed"),
        ({"mkdocs.yml": "a: [", "docs/a.md": "A"}, "mkdocs.yml cannot be parsed"),
        ({"mkdocs.yml": DOUBLED, "docs/a.md": "A"}, "the aliases expand to more than 20000 values"),
    ],
)
def test_what_cannot_be_imported_is_named(
    files: Mapping[str, str | bytes], message: str, tmp_path: Path
) -> None:
    """Nothing is written."""
    write_tree(tmp_path / "source", files)
    result = run(tmp_path / "source", tmp_path / "content")
    assert result.exit_code == 1
    assert message in result.output
    assert not (tmp_path / "content").exists()


@cases("generator", [each for each in SOURCES if each not in ("Obsidian", "Markdown")])
def test_the_check_of_a_source_names_its_generator_first(generator: str, tmp_path: Path) -> None:
    """With the command; the report of what is there follows."""
    root = write_tree(tmp_path / generator, SOURCES[generator])
    result = CliRunner().invoke(main, ["check", str(root)])
    first, *report = result.output.splitlines()
    assert re.fullmatch(
        rf"{re.escape(str(root))} is the source of an? .*{generator}.* site.*", first
    )
    assert f"majlis import {root} --into" in first
    assert any("files: " in line for line in report)


def test_a_source_is_not_served_but_explained(tmp_path: Path) -> None:
    """`majlis serve` names the generator and the command."""
    write_tree(tmp_path / "source", SOURCES["Hugo"])
    result = CliRunner().invoke(main, ["serve", str(tmp_path / "source")])
    assert result.exit_code == 1
    assert "is the source of a Hugo site" in result.output
    assert f"majlis import {tmp_path / 'source'} --into" in result.output


def test_a_repository_with_a_content_folder_is_not_served_but_explained(tmp_path: Path) -> None:
    """Also one that has other texts, which could be imported."""
    content = write_tree(tmp_path / "repository" / "content", {"site/settings.md": "---\n---\n"})
    write_tree(tmp_path / "repository", {"README.md": "# Tool\n", "notes.md": PAGE})
    result = CliRunner().invoke(main, ["serve", str(tmp_path / "repository")])
    assert result.exit_code == 1
    assert f"is not a content folder, but {content} is one" in result.output


def test_a_volume_with_a_folder_that_may_not_be_read_is_served() -> None:
    """A new file system has `lost+found`, which is for root; the content is on the way."""
    with tempfile.TemporaryDirectory() as name:
        volume = Path(name)
        volume.chmod(0o755)
        assert read_source(volume) is None  # its modules are imported before the user changes
        (volume / "lost+found").mkdir(mode=0o000)
        with bound_by_permissions():
            refuse_foreign_source(volume)


def test_documentation_keeps_its_folders(tmp_path: Path) -> None:
    """In addresses, with the numbers of files as their order; none gets a new name."""
    files = {
        "docusaurus.config.js": "module.exports = { title: 'Sanad' };",
        "docs/01-guide/index.md": "# Guide\n",
        "docs/01-guide/02-install.md": "# Install\n\nThen [configure](01-configure.md).\n",
        "docs/01-guide/01-configure.md": "# Configure\n",
        "docs/02-reference/install.md": "---\nsidebar_position: 9\n---\n# All options\n",
        "docs/02-reference/README.md": "# Reference\n",
        "docs/02-reference/moved.md": "---\nslug: /other/place\n---\n# Moved\n",
    }
    folder = imported(tmp_path, files)
    loaded = load_content(folder)
    assert loaded.diagnostics == ()
    kind = loaded.snapshot.content_types.named("docs")
    assert list(loaded.snapshot.entries[kind]) == [
        "guide",
        "guide/configure",
        "guide/install",
        "other/place",
        "reference",
        "reference/install",
    ]
    assert metadata(folder, "docs/01-guide/02-install.md")["sortOrder"] == "2"
    assert "sortOrder" not in metadata(folder, "docs/02-reference/install.md")
    linked = resolve_link(loaded.snapshot, "docs/01-guide/02-install.md", "01-configure.md")
    assert isinstance(linked, Address)
    assert linked.path == "/docs/guide/configure"
    assert not (folder / "_redirects").exists()


def test_the_first_page_of_documentation_is_its_start(tmp_path: Path) -> None:
    """With the title and the summary that a home page has in front matter."""
    files = {
        "docs/.vitepress/config.mts": "export default { title: 'Sanad' }",
        "docs/index.md": "---\nhero:\n  name: Sanad\n  tagline: Fast\n---\nWelcome.\n",
        "docs/guide/start.md": "# Start\n",
    }
    folder = imported(tmp_path, files)
    keys = metadata(folder, "docs/index.md")
    assert (keys["title"], keys["shortDescription"]) == ("Sanad", "Fast")
    assert not (folder / "site/home.md").exists()
    kind = load_content(folder).snapshot.content_types.named("docs")
    assert kind.is_nested
