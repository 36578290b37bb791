"""`majlis import`: what single generators do in their own way."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from contract.visitor import Visitor, write_tree
from imported_sites import imported, metadata, run, served_pages, served_words, words_of
from pictures import picture

from knowledge.markdown.raw_html import text_of

NIKOLA: dict[str, str | bytes] = {
    "conf.py": 'BLOG_TITLE = "Noor"\nSITE_URL = "https://n.example/"\nDEFAULT_LANG = "en"\n'
    'NAVIGATION_LINKS = {DEFAULT_LANG: (("/about/", "About"), ((("/x/", "X"),), "More"))}\n'
    'POSTS = (("posts/*.md", "posts", "post.tmpl"),)\nPAGES = (("pages/*.md", "", "p.tmpl"),)\n',
    "posts/first.md": "<!--\n.. title: First\n.. date: 2026-01-02 10:00:00 UTC+03:00\n"
    ".. tags: a, C++,\n.. author: Été\n-->\n\nWordfirst ![A](/images/a.png)\n",
    "images/a.png": picture("PNG", 2, 2),
    "posts/private.md": "<!--\n.. title: P\n.. status: private\n-->\n\nWordprivate\n",
    "posts/draft.meta": ".. title: D\n.. status: draft\n",
    "posts/draft.md": "Worddraft\n",
    "pages/about.md": "<!--\n.. title: About\n-->\n\nWordabout\n",
}
QUARTZ = {
    "quartz.config.ts": 'const config = { configuration: { pageTitle: "Garden", locale: "en-US",'
    ' baseUrl: "g.example", ignorePatterns: ["private", "templates"] } }\nexport default config\n',
    "README.md": "Wordreadme\n",
    "docs/index.md": "Wordtool\n",
    "content/index.md": "---\ntitle: Home\n---\nWordhome\n",
    "content/notes/Note A.md": "---\ntitle: Note A\naliases: [Old name]\n---\nWordnote\n",
    "content/private/p.md": "Wordprivate\n",
    "content/templates/t.md": "Wordtemplate\n",
}
HEXO: dict[str, str | bytes] = {
    "_config.yml": "title: Noor\nlanguage: [en]\ntimezone: Asia/Riyadh\ntheme: next\n"
    "new_post_name: :title.md\npermalink: :year/:month/:title/\npost_asset_folder: true\n",
    "_config.next.yml": "menu:\n  about: /about/ || fa fa-user\n",
    "scaffolds/post.md": "---\ntitle: '{{ title }}'\n---\nWordscaffold\n",
    "source/_posts/sub/Hello (1).md": "---\ntitle: Hello\ndate: 2026-01-02 10:00:00\n---\n"
    "Wordhello\n"
    "{% asset_img a.png A view %} {% post_link tax Taxes %} {% asset_link b.pdf %}\n\n"
    "{% codeblock lang:python %}\nWordcode\n{% endcodeblock %}\n"
    "{% codeblock %}\n```\nfenced\n```\n{% endcodeblock %}\n",
    "source/_posts/sub/Hello (1)/a.png": picture("PNG", 2, 2),
    "source/_posts/sub/Hello (1)/b.pdf": b"%PDF-1.4\n",
    "source/_posts/tax.md": "---\ntitle: Tax\ndate: 2026-01-03\n---\nWordtax\n",
    "source/_drafts/later.md": "---\ntitle: Later\n---\nWorddraft\n",
    "source/_data/team.md": "Worddata\n",
    "source/about/index.md": "---\ntitle: About\n---\nWordabout\n",
    "source/team/who/index.md": "---\ntitle: Who\n---\nWordwho\n",
    "source/notes.md": "---\ntitle: Notes\n---\nWordnotes\n",
    "source/images/c.png": picture("PNG", 2, 2),
}
PELICAN: dict[str, str | bytes] = {
    "pelicanconf.py": 'import os\nAUTHOR = SITENAME = "Noor"\nPATH = "content"\n'
    'TIMEZONE = "Asia/Riyadh"\n'
    'ARTICLE_URL = "{date:%Y}/{category}/{slug}/"\nARTICLE_SAVE_AS = ARTICLE_URL + "index.html"\n'
    'DEFAULT_PAGINATION = 1\nYEAR_ARCHIVE_SAVE_AS = "{date:%Y}/index.html"\n'
    'THEME = os.path.join("a")\n'
    'MENUITEMS = (("About", "/pages/about-us.html"),)\n',
    "publishconf.py": 'SITEURL = "https://n.example"\n',
    "content/news/2026-01-02-hi.md": "Title: What's new?\nTags: vat, tax;law\n"
    "Summary: In\n    short\n"
    "Authors: Sara; Omar\n\nWordhi [b]({filename}/b.md) [c]({tag}vat) ![A]({static}/images/A.png)\n"
    "![B]({attach}b.png)\n\n    echo {filename}x\n",
    "content/b.md": "Title: B\nDate: 2026-01-03 10:00\nSlug: b\nTranslation: false\n\nWordb\n",
    "content/b-ar.md": "Title: ب\nDate: 2026-01-03\nSlug: b\nLang: ar\n\nWordarabic\n",
    "content/draft.md": "Title: D\nDate: 2026-01-03\nStatus: draft\n\nWorddraft\n",
    "content/notes.md": "# Notes\n\nWordnotes\n",
    "content/undated.md": "Title: U\n\nWordundated\n",
    "content/pages/about.md": "Title: About us\nDate: 2020-01-02\n\nWordabout\n",
    "content/pages/hidden.md": "Title: H\nStatus: hidden\n\nWordhidden\n",
    "content/pages/start.md": "Title: Start\nSave_as: index.html\nStatus: hidden\n\nWordhome\n",
    "content/images/A.png": picture("PNG", 2, 2),
    "content/news/b.png": picture("PNG", 2, 2),
    "output/old.md": "Title: Old\nDate: 2026-01-03\n\nWordoutput\n",
}


def test_pelican_is_imported(tmp_path: Path) -> None:
    """By its settings, which are read and not run; what it skips or hides stays out."""
    folder = imported(tmp_path, PELICAN)
    words = served_words(folder)
    assert {"Wordhi", "Wordb", "Wordarabic", "Wordabout", "Wordhome"} <= words
    assert not {word for word in words if word.startswith("Word")} - {
        *("Wordhi", "Wordb", "Wordarabic", "Wordabout", "Wordhome")
    }
    post = metadata(folder, "posts/news/2026-01-02-hi.md")
    assert {key: post[key] for key in ("slug", "tags", "authors", "summary", "category")} == {
        "slug": "whats-new",
        "tags": ["vat, tax", "law"],
        "authors": ["Sara", "Omar"],
        "summary": "In short",
        "category": "news",
    }
    text = (folder / "posts/news/2026-01-02-hi.md").read_text()
    assert "[b](/b.md) [c](/tag/vat) ![A](/images/A.png)\n![B](/news/b.png)" in text
    assert "echo {filename}x" in text
    assert metadata(folder, "posts/b.md")["publishedAt"] == "2026-01-03T10:00:00+03:00"
    assert (folder / "posts/ar/b.md").is_file()


def test_addresses_of_pelican_are_kept(tmp_path: Path) -> None:
    """Of texts by their patterns, of terms, of years, of later pages and of attached files."""
    redirects = (imported(tmp_path, PELICAN) / "_redirects").read_text()
    for line in (
        "/2026/news/whats-new/ /blog/whats-new",
        "/2026/misc/b/ /blog/b",
        "/b-ar.html /ar/blog/b",
        "/pages/about-us.html /about-us",
        "/2026/ /blog",
        "/archives/ /blog",
        "/index2/ /blog",
        "/category/misc/ /blog",
        "/author/noor2/ /blog/author/noor",
        "/2026/news/whats-new/b.png /news/b.png",
    ):
        assert f"{line} 301\n" in redirects
    assert "draft" not in redirects


def test_hexo_is_imported(tmp_path: Path) -> None:
    """Its posts and pages with the files beside them, without drafts, data and scaffolds."""
    folder = imported(tmp_path, HEXO)
    words = served_words(folder)
    assert {word for word in words if word.startswith("Word")} == {
        *("Wordhello", "Wordtax", "Wordabout", "Wordwho", "Wordnotes", "Wordcode")
    }
    redirects = (folder / "_redirects").read_text()
    for line in (
        "/2026/01/sub/Hello%20(1)/ /blog/hello-1",
        "/2026/01/tax/ /blog/tax",
        "/2026/01/sub/Hello%20%281%29/a.png /posts/sub/Hello%20%281%29/a.png",
        "/team/who/ /who",
        "/notes.html /notes",
    ):
        assert f"{line} 301\n" in redirects
    text = (folder / "posts/sub/Hello (1).md").read_text()
    assert "![A view](<Hello (1)/a.png>) [Taxes](/posts/tax.md) [b.pdf](<Hello (1)/b.pdf>)" in text
    assert "```python\nWordcode\n```" in text
    assert "````\n```\nfenced\n```\n````" in text
    assert metadata(folder, "posts/sub/Hello (1).md")["publishedAt"] == "2026-01-02T10:00:00+03:00"
    assert (folder / "images/c.png").is_file()
    menu = (folder / "site/navigation.md").read_text()
    assert re.findall("label: (.*)\n  href: (.*)", menu) == [("About", "/about")]


def test_the_slug_of_a_post_of_material_is_its_title(tmp_path: Path) -> None:
    """As its theme for MkDocs makes it, in the blog's own form of addresses."""
    files = {
        "mkdocs.yml": "site_name: N\nplugins:\n- search\n"
        "- blog:\n    post_url_format: '{date}/{slug}'\n    post_url_date_format: yyyy\n",
        "docs/index.md": "# Home\n\nText.\n",
        "docs/blog/index.md": "# News\n\nText.\n",
        "docs/blog/posts/release-1.md": "---\ndate: 2026-01-02\n---\n# Noor v1.2.0\n\nText.\n",
        "docs/blog/posts/own.md": "---\ndate: 2026-01-03\nslug: mine\n---\n# Own\n\nText.\n",
    }
    redirects = (imported(tmp_path, files) / "_redirects").read_text()
    assert "/blog/2026/noor-v120/ /blog/noor-v120 301\n" in redirects
    assert "/blog/2026/mine/ /blog/mine 301\n" in redirects


def test_the_base_of_astro_begins_addresses(tmp_path: Path) -> None:
    """As its pages are below it on their server."""
    files = {
        "astro.config.mjs": "import s from '@astrojs/starlight';\n"
        "export default { site: 'https://s.example/', base: '/manual/' }\n",
        "src/content/docs/guides/start.md": "---\ntitle: Start\n---\nText.\n",
    }
    redirects = (imported(tmp_path, files) / "_redirects").read_text()
    assert "/manual/guides/start/ /docs/guides/start 301\n" in redirects


def test_zola_ignores_a_name_in_each_folder(tmp_path: Path) -> None:
    """The sign before a name stands for folders, too; each language has its start."""
    files = {
        "config.toml": "base_url = 'https://s.example/site'\nignored_content = ['*/README.md']\n"
        "[languages.fa]\n",
        "content/README.md": "Wordreadme\n",
        "content/a/README.md": "Wordreadme\n",
        "content/_index.md": "+++\ntitle = 'N'\n+++\nWordhome\n",
        "content/_index.fa.md": "+++\ntitle = 'N'\n+++\nWordhome\n",
    }
    folder = imported(tmp_path, files)
    assert "Wordreadme" not in served_words(folder)
    redirects = (folder / "_redirects").read_text().splitlines()
    assert {"/fa/ /home-fa 301", "/site/ / 301", "/site/fa/ /home-fa 301"} <= {*redirects}
    assert "/home/" not in "".join(redirects)


def test_an_address_that_a_program_computes_is_found_in_the_built_site(tmp_path: Path) -> None:
    """By the heading of its page, if only one page and one text have it."""
    page = "<html lang=en><title>{0} | N</title><body><h1>{0}</h1></body></html>"
    built = {
        "tools/who-we-are/index.html": page.format("Who we are"),
        "a/twice/index.html": page.format("Twice"),
        "b/twice/index.html": page.format("Twice"),
        "known/index.html": page.format("Known"),
    }
    write_tree(tmp_path / "built", built)
    files = {
        ".eleventy.js": "module.exports = () => ({ dir: { input: 'src' } })\n",
        "src/_redirects": "/old-contact  /known/\n",
        "src/CamelCase.md": "---\ntitle: Who we are\n---\nText.\n",
        "src/two.md": "# Twice\n\nText.\n",
        "src/known.md": "# Known\n\nText.\n",
    }
    write_tree(tmp_path / "source", files)
    run(tmp_path / "source", tmp_path / "content", "--built", str(tmp_path / "built"))
    redirects = (tmp_path / "content/_redirects").read_text()
    assert "/tools/who-we-are/ /camelcase 301\n" in redirects
    assert "/old-contact  /known/\n" in redirects
    assert "/twice/ /twice" not in redirects
    assert "/a/twice/" not in redirects


def test_rewrites_of_vitepress_are_addresses(tmp_path: Path) -> None:
    """Such as those of the main language, whose folder is no part of them."""
    files = {
        "docs/.vitepress/config.ts": "export default { title: 'S', rewrites: {"
        " 'en/:rest*': ':rest*' }, locales: { root: { lang: 'en' } } }\n",
        "docs/en/guide/start.md": "# Start\n\nText.\n",
        "docs/fa/guide/start.md": "# آغاز\n\nText.\n",
    }
    redirects = (imported(tmp_path, files) / "_redirects").read_text()
    assert "/guide/start /docs/guide/start 301\n" in redirects
    assert "/en/guide" not in redirects


def test_the_folder_of_posts_of_jekyll_is_their_category(tmp_path: Path) -> None:
    """Before those of the post itself, also in its address."""
    files = {
        "_config.yml": "permalink: pretty\n",
        "News/_posts/2026-01-02-hi.md": "---\ntitle: Hi\n---\nText.\n",
        "News/_posts/2026-01-03-tax.md": "---\ntitle: Tax\ncategories: law\n---\nText.\n",
    }
    folder = imported(tmp_path, files)
    assert (folder / "_redirects").read_text().splitlines() == [
        "/news/2026/01/02/hi/ /blog/hi 301",
        "/news/law/2026/01/03/tax/ /blog/tax 301",
    ]
    assert metadata(folder, "posts/News/2026-01-02-hi.md")["categories"] == ["News"]


def test_nikola_is_imported(tmp_path: Path) -> None:
    """Its `conf.py` is none of Sphinx; what a comment or a file beside a text says is kept."""
    folder = imported(tmp_path, NIKOLA)
    first = metadata(folder, "posts/first.md")
    assert (first["title"], first["date"], first["tags"]) == (
        "First",
        "2026-01-02 10:00:00+03:00",
        ["a", "C++"],
    )
    redirects = (folder / "_redirects").read_text()
    for line in (
        "/posts/first/ /blog/first",
        "/categories/c++/ /blog/tag/c-plus-plus",
        "/authors/ete/ /blog/author/été",
    ):
        assert f"{line} 301\n" in redirects
    assert (folder / "images/a.png").is_file()
    menu = (folder / "site/navigation.md").read_text()
    assert re.findall("label: (.*)\n  href: (.*)", menu) == [("About", "/about")]
    words = served_words(folder)
    assert {"Wordfirst", "Wordabout"} <= words
    assert words.isdisjoint({"Wordprivate", "Worddraft"})


@pytest.mark.parametrize("line", ["extensions = []\n", "# For Sphinx\nimport sphinx\n"])
def test_sphinx_is_refused(tmp_path: Path, line: str) -> None:
    """Its texts are more than markdown."""
    write_tree(tmp_path / "source", {"conf.py": line, "index.md": "# A\n"})
    done = run(tmp_path / "source", tmp_path / "out")
    assert done.exit_code == 1
    assert "a Sphinx site" in done.output


def test_a_garden_of_quartz_is_imported(tmp_path: Path) -> None:
    """Only its content, without what its configuration ignores."""
    folder = imported(tmp_path, QUARTZ)
    words = served_words(folder)
    assert {"Wordhome", "Wordnote"} <= words
    assert words.isdisjoint({"Wordprivate", "Wordtemplate", "Wordreadme", "Wordtool"})
    assert "/notes/Note-A /note-a 301" in (folder / "_redirects").read_text()
    seo = metadata(folder, "site/settings.md")["seo"]
    assert seo == {"pageTitle": "Garden"}


DOCUSAURUS = {
    "docusaurus.config.js": "module.exports = { presets: [['classic', { docs: {"
    " versions: { '1.0': { path: 'one' } }, "
    "onlyIncludeVersions: ['current', '2.0', '1.0'] } }]] };",
    "versions.json": '["2.0", "1.0", "0.9"]',
    "docs/a.md": "# A\n\nWordnext [b](./b.md)\n",
    "docs/b.md": "# B\n\nWordb\n",
    "versioned_docs/version-2.0/start.md": "---\nslug: /\n---\n# Start\n\nWordstart\n",
    "versioned_docs/version-2.0/a.md": "# A\n\nWordnew\n",
    "versioned_docs/version-1.0/a.md": "# A\n\nWordold\n",
    "versioned_docs/version-0.9/a.md": "# A\n\nWordgone\n",
    "i18n/ar/docusaurus-plugin-content-docs/version-2.0/a.md": "# أ\n\nWordarabic\n",
}


def test_versions_of_docusaurus_are_versions(tmp_path: Path) -> None:
    """Each with its address: the one that visitors get first, the next one, and former ones."""
    folder = imported(tmp_path, DOCUSAURUS)
    assert metadata(folder, "_kinds/docs.md")["versions"] == ["2.0", "next", "1.0"]
    redirects = (folder / "_redirects").read_text().splitlines()
    for line in (
        "/docs/a /docs/2-0/a",
        "/docs/ /docs/2-0",
        "/docs/one/a /docs/1-0/a",
        "/ar/docs/a /ar/docs/2-0/a",
    ):
        assert f"{line} 301" in redirects
    assert not any(line.startswith("/docs/next/b ") for line in redirects)  # it has its address
    with Visitor(content_dir=folder) as site:
        words = {
            path: words_of(text_of(site.get(path, {"Accept": "text/html"}).text))
            for path in ("/en/docs/2-0/a", "/en/docs/next/a", "/en/docs/1-0/a", "/ar/docs/2-0/a")
        }
        canonical = site.get("/en/docs/1-0/a", {"Accept": "text/html"}).text
        assert site.get("/en/docs/0-9/a").status == 404
    shown = ["Wordnew", "Wordnext", "Wordold", "Wordarabic"]
    assert [word in each for word, each in zip(shown, words.values(), strict=True)] == [True] * 4
    assert re.search(r'<link rel="canonical" href="[^"]*/en/docs/2-0/a"', canonical)
    menu = canonical.partition('class="versions"')[2].partition("</ul>")[0]
    assert text_of(menu.partition(">")[2]).split() == ["Start", "Next", "1.0"]


def test_quartz_may_publish_only_what_says_so(tmp_path: Path) -> None:
    """With its plugin ExplicitPublish."""
    plugin = "    Plugin.ExplicitPublish(),\n"
    files = {**QUARTZ, "quartz.config.ts": QUARTZ["quartz.config.ts"] + f"/*\n*/\n{plugin}"}
    files["content/open.md"] = "---\npublish: true\n---\nWordopen\n"
    words = served_words(imported(tmp_path, files))
    assert "Wordopen" in words
    assert "Wordnote" not in words


def test_a_readme_and_the_page_of_docs_are_both_kept(tmp_path: Path) -> None:
    """The first is the start, the second a page in its folder."""
    folder = imported(
        tmp_path,
        {
            "README.md": "# Project\n\nWordreadme\n",
            "docs/index.md": "# Docs\n\nWorddocs\n",
            "docs/other.md": "# Other\n\nWordother\n",
        },
    )
    pages = {path: words_of(text_of(html)) for path, html in served_pages(folder)}
    assert "Wordreadme" in pages["/en/docs"]
    assert "Worddocs" in pages["/en/docs/docs/docs"]
    assert "Wordother" in pages["/en/docs/docs/other"]


def test_of_a_double_key_the_last_counts(tmp_path: Path) -> None:
    """As in Jekyll; the report names the file."""
    text = "---\ntitle: A\npublished: true\ntags:\n- a\npublished: false\ntags: [b]\n---\nText.\n"
    write_tree(tmp_path / "source", {"_config.yml": "title: J\n", "_posts/2026-01-02-a.md": text})
    done = run(tmp_path / "source", tmp_path / "content")
    assert (
        "1 files had a key twice, of which the last counts: _posts/2026-01-02-a.md" in done.output
    )
    found = metadata(tmp_path / "content", "posts/2026-01-02-a.md")
    assert (found["published"], found["tags"]) == ("false", ["b"])


def test_hugo_leaves_signs_out_of_addresses(tmp_path: Path) -> None:
    """Of names of files with spaces."""
    files = {
        "hugo.toml": "title = 'S'\n",
        "content/posts/A: b (c).md": "---\ntitle: T\n---\nText.\n",
    }
    folder = imported(tmp_path, files)
    assert "/posts/a-b-c/ /blog/a-b-c 301" in (folder / "_redirects").read_text()


def test_the_page_of_missing_addresses_is_none(tmp_path: Path) -> None:
    """Each site has its own."""
    folder = imported(tmp_path, {"_config.yml": "", "404.md": "Gone.\n", "a.md": "# A\n\nText.\n"})
    assert not (folder / "pages/404.md").exists()


def test_a_folder_of_translations_may_be_below_others(tmp_path: Path) -> None:
    """It is one if its texts are in the folder above, too; a folder `vi` about an editor is not."""
    files: dict[str, str | bytes] = {
        "mkdocs.yml": "site_name: Guide\nsite_url: https://m.example/\n",
        "docs/index.md": "# Guide\n\nWordstart\n",
        "docs/use/setup.md": "# Setup\n\nWordsetup\n",
        "docs/use/ar/setup.md": "# الإعداد\n\nكلمة\n",
        "docs/use/de/setup.md": "# Aufbau\n\nWordgerman\n",
        "docs/use/vi/keys.md": "# Keys\n\nWordkeys\n",
        "docs/use/vi/index.md": "# Editor\n\nWordeditor\n",
        "docs/use/os/index.md": "# System\n\nWordsystem\n",
    }
    with Visitor(content_dir=imported(tmp_path, files)) as visitor:
        assert "كلمة" in visitor.get("/ar/docs/use/setup").text
        assert "Wordsetup" in visitor.get("/en/docs/use/setup").text
        assert visitor.get("/use/ar/setup/").headers["location"] == "/ar/docs/use/setup"
        assert visitor.get("/en/docs/de/use/setup").headers["content-language"] == "de"
        for path in ("vi/keys", "vi", "os"):
            assert visitor.get(f"/en/docs/use/{path}").headers["content-language"] == "en"


def test_lists_of_jekyll_and_files_without_a_text(tmp_path: Path) -> None:
    """Later pages of a list lead to it; files of front matter alone are named."""
    files: dict[str, str | bytes] = {
        "_config.yml": "title: Noor\npaginate: 1\npaginate_path: /news/page:num/\n"
        "collections: {people: {output: true}}\n",
        "_people/sara.md": "---\nname: Sara\nrole: Lawyer\n---\n",
        **{f"_posts/2026-01-0{day}-a{day}.md": f"Wordday{day}\n" for day in (1, 2, 3)},
    }
    write_tree(tmp_path / "source", files)
    done = run(tmp_path / "source", tmp_path / "content")
    assert (
        "1 files have no text, of which templates may make pages: _people/sara.md." in done.output
    )
    redirects = (tmp_path / "content" / "_redirects").read_text().splitlines()
    assert {"/news/ /blog 301", "/news/page2/ /blog 301", "/news/page3/ /blog 301"} <= {*redirects}
    assert "/news/page4/ /blog 301" not in redirects
