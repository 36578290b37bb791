"""Sources of all generators with a text in each place, and what is served after an import."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner, Result
from contract.visitor import Visitor, write_tree

from app.operations.cli import main
from knowledge.documents.files import read_document
from knowledge.documents.front_matter import parse
from knowledge.markdown.raw_html import text_of

_WORD = re.compile(r"\w+")
_LOCATION = re.compile(r"<loc>https?://[^/]+(/[^<]*)</loc>")


@dataclass(frozen=True)
class Layout:
    """Where a generator has its texts: patterns with the name of a text."""

    files: Mapping[str, str]
    home: str
    page: str
    post: str = ""
    """Where dated texts are; a generator of pages alone has none."""

    introduction: str = ""
    """The text about a list of posts."""

    persian: str = ""
    arabic: str = ""
    english: str = ""
    """The same texts as in the other languages."""

    section: str = "index"
    """The name of the page of a folder."""

    def source(self, texts: Mapping[str, str]) -> dict[str, str]:
        """Return the files of a source: its configuration, and texts by path."""
        return {**self.files, **texts}


LAYOUTS: Mapping[str, Layout] = {
    "Hugo": Layout(
        {"hugo.toml": 'baseURL = "https://s.example/"\ndefaultContentLanguage = "en"\n'},
        "content/_index.md",
        "content/{}.md",
        "content/posts/{}.md",
        "content/posts/_index.md",
        "content/posts/{}/index.fa.md",
        "content/posts/{}/index.ar.md",
        english="content/posts/{}/index.en.md",
        section="_index",
    ),
    "Jekyll": Layout(
        {"_config.yml": "url: https://s.example\ninclude: [_pages]\n"},
        "index.md",
        "_pages/{}.md",
        "_posts/2026-01-02-{}.md",
        persian="fa/{}.md",
        arabic="ar/{}.md",
        english="{}.md",
    ),
    "Zola": Layout(
        {"config.toml": 'base_url = "https://s.example"\n'},
        "content/_index.md",
        "content/{}.md",
        "content/blog/{}.md",
        "content/blog/_index.md",
        "content/blog/{}.fa.md",
        "content/blog/{}.ar.md",
        english="content/blog/{}.md",
        section="_index",
    ),
    "Astro": Layout(
        {"astro.config.mjs": "export default { site: 'https://s.example' }\n"},
        "src/pages/index.md",
        "src/pages/{}.md",
        "src/content/blog/en/{}.md",
        persian="src/content/blog/fa/{}.md",
        arabic="src/content/blog/ar/{}.md",
        english="src/content/blog/en/{}.md",
    ),
    "Starlight": Layout(
        {"astro.config.mjs": "import s from '@astrojs/starlight';\nexport default {}\n"},
        "src/content/docs/index.mdx",
        "src/content/docs/guides/{}.md",
        persian="src/content/docs/fa/guides/{}.md",
        arabic="src/content/docs/ar/guides/{}.md",
        english="src/content/docs/guides/{}.md",
    ),
    "Docusaurus": Layout(
        {"docusaurus.config.js": "module.exports = { i18n: { defaultLocale: 'en' } };\n"},
        "src/pages/index.md",
        "docs/{}.md",
        "blog/2026-01-02-{}.md",
        persian="i18n/fa/docusaurus-plugin-content-docs/current/{}.md",
        arabic="i18n/ar/docusaurus-plugin-content-docs/current/{}.md",
        english="docs/{}.md",
    ),
    "Eleventy": Layout(
        {".eleventy.js": "module.exports = () => ({ dir: { input: '.' } })\n"},
        "index.md",
        "{}.md",
        "content/posts/{}.md",
        "content/posts/index.md",
        "fa/{}.md",
        "ar/{}.md",
        english="{}.md",
    ),
    "VitePress": Layout(
        {"docs/.vitepress/config.ts": "export default { title: 'S', lang: 'en' }\n"},
        "docs/index.md",
        "docs/guide/{}.md",
        "docs/posts/{}.md",
        persian="docs/fa/guide/{}.md",
        arabic="docs/ar/guide/{}.md",
        english="docs/guide/{}.md",
    ),
    "MkDocs": Layout(
        {"mkdocs.yml": "site_name: S\n"},
        "docs/index.md",
        "docs/guide/{}.md",
        "docs/blog/posts/{}.md",
        "docs/blog/index.md",
        "docs/guide/{}.fa.md",
        "docs/guide/{}.ar.md",
        english="docs/guide/{}.md",
    ),
    "Obsidian": Layout(
        {".obsidian/app.json": "{}"},
        "index.md",
        "Notes/{}.md",
        "posts/{}.md",
        persian="Notes/{}.fa.md",
        arabic="Notes/{}.ar.md",
        english="Notes/{}.md",
    ),
}


def run(source: Path, target: Path, *options: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(main, ["import", str(source), "--into", str(target), *options])


def imported(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Import a source in a folder that keeps both; return the content folder."""
    write_tree(folder / "source", files)
    result = run(folder / "source", folder / "content")
    assert result.exit_code == 0, result.output
    return folder / "content"


def metadata(folder: Path, path: str) -> Mapping[str, object]:
    """Return the front matter of an imported file."""
    return parse(read_document(folder, path)).metadata


def served_pages(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the address and the HTML of each page that the sitemaps of a content folder name."""
    with Visitor(content_dir=folder) as site:
        maps = [site.get("/sitemap.xml").text]
        maps += [site.get(path).text for path in _LOCATION.findall(maps[0]) if ".xml" in path]
        for path in dict.fromkeys(path for each in maps for path in _LOCATION.findall(each)):
            if ".xml" not in path:
                yield path, site.get(path, {"Accept": "text/html"}).text


def served_words(folder: Path) -> set[str]:
    """Return the words of all pages."""
    return {word for _, html in served_pages(folder) for word in words_of(text_of(html))}


def words_of(text: str) -> set[str]:
    """Return the words of a text."""
    return set(_WORD.findall(text))
