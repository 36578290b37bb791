"""Pelican: articles and pages in markdown, by `pelicanconf.py`, of which only literals are read."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from posixpath import normpath
from typing import Any

from app.operations.importing.configuration import read_text, text_at
from app.operations.importing.document import SourceDocument, as_date, withheld_by
from app.operations.importing.generators.python import SLUG, literals, slug_of
from app.operations.importing.links import with_targets
from app.operations.importing.site_files import front_matter_text
from app.operations.importing.source import (
    PAGES,
    POSTS,
    REPOSITORY_FILES,
    MenuLink,
    SiteConfiguration,
    Source,
    Tree,
    texts_of,
)
from knowledge.markdown.slugs import term_slug

_USUAL: Mapping[str, Any] = {
    "ARTICLE_PATHS": [""],
    "PAGE_PATHS": ["pages"],
    "STATIC_PATHS": ["images"],
    "ARTICLE_URL": "{slug}.html",
    "ARTICLE_LANG_URL": "{slug}-{lang}.html",
    "PAGE_URL": "pages/{slug}.html",
    "PAGE_LANG_URL": "pages/{slug}-{lang}.html",
    "CATEGORY_URL": "category/{slug}.html",
    "TAG_URL": "tag/{slug}.html",
    "AUTHOR_URL": "author/{slug}.html",
    "FILENAME_METADATA": r"(?P<date>\d{4}-\d{2}-\d{2}).*",
    "DEFAULT_LANG": "en",
    "OUTPUT_PATH": "output",
}
_ABOUT_FILE = ("url", "save_as", "template", "translation")
_PERIODS = ("YEAR", "MONTH", "DAY")
_FILES = ("filename", "static", "attach")


def read_pelican(root: Path) -> Source | None:
    """Return the source of a Pelican site, or None: its texts are where its settings say."""
    if not (root / "pelicanconf.py").is_file():
        return None
    written: dict[str, Any] = {}
    for name in ("pelicanconf.py", "publishconf.py"):
        if (root / name).is_file():
            written |= literals(read_text(root / name))
    settings = {**_USUAL, **{key: each for key, each in written.items() if each is not None}}
    content = root / (text_at(settings, "PATH") or "content")
    site = _Site(settings, content if content.is_dir() else root)
    return Source(
        "Pelican",
        root,
        list(site.trees()),
        SiteConfiguration(
            title=text_at(settings, "SITENAME"),
            description=text_at(settings, "SITEDESCRIPTION") or text_at(settings, "SITESUBTITLE"),
            base_url=text_at(settings, "SITEURL"),
            language=site.language,
            time_zone=text_at(settings, "TIMEZONE"),
            menu=list(_menu(settings.get("MENUITEMS"))),
            redirects=site.redirects,
        ),
        not_imported=["Themes, plugins and texts in reStructuredText are not imported."],
        completed=site.completed,
        former=lambda file: site.addresses.get(file, ()),
    )


def _menu(entries: object) -> Iterator[MenuLink]:
    for entry in entries if isinstance(entries, tuple | list) else ():
        match entry:
            case [str(label), str(target), *_]:
                yield MenuLink(label, target)


_KEY = re.compile(r" {0,3}([\w-]+):[ \t]*(.*)")
_MORE = re.compile(r" {4,}|\t")
_END = re.compile(r"-{3}|\.{3}")


def header(text: str) -> tuple[dict[str, Any], str]:
    r"""Return what the lines at the head of a text say about it, and its body.

    >>> header("Title: A\nTags: b,\n      c\n\nText")
    ({'title': 'A', 'tags': 'b, c'}, 'Text')
    """
    fence, _, rest = text.lstrip("\n").partition("\n")
    lines = (rest if fence.rstrip() == "---" else text.lstrip("\n")).split("\n")
    found: dict[str, list[str]] = {}
    key = ""
    while lines:
        if match := _KEY.match(lines[0]):
            key = match[1].lower()
            found.setdefault(key, []).append(match[2].strip())
        elif key and lines[0].strip() and _MORE.match(lines[0]):
            found[key].append(lines[0].strip())
        else:
            break
        del lines[0]
    if lines and (not lines[0].strip() or _END.match(lines[0])):
        del lines[0]
    return {name: " ".join(each) for name, each in found.items()}, "\n".join(lines)


_TOKEN = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
_TARGET = re.compile(r"[{|](filename|static|attach|index|category|tag|author)[|}](.*)")
"""The target of a link that begins with what it leads to, and its path."""


@dataclass(frozen=True, slots=True)
class _Site:
    """The settings of a site with the usual ones, and what its texts say."""

    settings: Mapping[str, Any]
    content: Path
    addresses: dict[Path, Sequence[str]] = field(default_factory=dict)
    """The addresses of each text."""

    redirects: dict[str, str] = field(default_factory=lambda: {"archives.html": "/blog"})
    """Where the addresses of lists lead."""

    @property
    def language(self) -> str:
        return text_at(self.settings, "DEFAULT_LANG")

    @property
    def _category(self) -> str:
        """The category of addresses of texts without one, which is none for their readers."""
        return text_at(self.settings, "DEFAULT_CATEGORY") or "misc"

    def trees(self) -> Iterator[Tree]:
        """Yield pages before articles, whose usual folder has all others in it."""
        excluded = {Path(text_at(self.settings, "OUTPUT_PATH")).name, *REPOSITORY_FILES}
        seen: set[Path] = set()
        for key, target in (("PAGE", PAGES), ("ARTICLE", POSTS), ("STATIC", PAGES)):
            for name in texts_of(self.settings.get(f"{key}_PATHS")):
                folder = self.content / name
                is_known = any(folder.is_relative_to(each) for each in seen)
                if folder.is_dir() and folder not in seen and not (key == "STATIC" and is_known):
                    seen.add(folder)
                    yield Tree(
                        folder,
                        target,
                        asset_root=self.content,
                        subfolder=name.strip("/") if target == POSTS else "",
                        is_root=target == PAGES,  # pages, also where most of them have a date
                        excluded=frozenset(excluded),
                    )

    def completed(self, documents: Sequence[SourceDocument]) -> Sequence[SourceDocument]:
        """Return the documents with the front matter that they have here."""
        read = list(map(self._read, documents))
        self._note_lists(each for each in read if each.tree.target == POSTS)
        languages: dict[object, set[object]] = defaultdict(set)
        for document in read:
            languages[_identity(document)].add(document.own.get("lang"))
        return [
            self._translated(each) if len(languages[_identity(each)]) > 1 else each for each in read
        ]

    def _read(self, document: SourceDocument) -> SourceDocument:
        is_fenced = document.own and document.text.lstrip().startswith("---")
        own, body = (
            ({key.lower(): each for key, each in document.own.items()}, document.body)
            if is_fenced
            else header(document.text)
        )
        is_post = document.tree.target == POSTS
        own = {**(self._usual(document) if is_post else {}), **own}
        for key in ("tags", "authors"):
            if isinstance(text := own.get(key), str):
                own[key] = _names(text)
        is_named = self.settings.get("SLUGIFY_SOURCE") == "basename"
        source = document.path.stem if is_named else str(own.get("title") or "")
        own["slug"] = own.get("slug") or self._slug(source)
        self.addresses[document.file] = list(self._addresses(own, "ARTICLE" if is_post else "PAGE"))
        is_home = own.get("save_as") == "index.html"
        if is_home and own.get("status") == "hidden":  # it is only hidden from lists
            del own["status"]
        lacking = (each for each in ("title", *(["date"] if is_post else ())) if not own.get(each))
        own = {key: each for key, each in own.items() if each and key not in _ABOUT_FILE}
        body = with_targets(body, self._linked(document))
        return replace(
            document.rewritten(f"{front_matter_text(own)}\n{body}"),
            own=own,
            withheld_by="".join(f"it has no {each}" for each in [*lacking][:1]),
            given_name="home" if is_home else "",
        )

    def _usual(self, document: SourceDocument) -> Mapping[str, Any]:
        """Return what the name and the folder of an article, and the settings, say about it."""
        written = {"category": "DEFAULT_CATEGORY", "author": "AUTHOR"}
        found: dict[str, Any] = {key: self.settings.get(name) for key, name in written.items()}
        default = self.settings.get("DEFAULT_DATE")
        with suppress(TypeError, ValueError):
            found["date"] = datetime(*default) if isinstance(default, tuple) else None  # noqa: DTZ001
        folder = document.file.parent
        if self.settings.get("USE_FOLDER_AS_CATEGORY", True) and folder != self.content:
            found["category"] = folder.name
        with suppress(re.error):
            match = re.match(text_at(self.settings, "FILENAME_METADATA"), document.path.stem)
            named = match.groupdict() if match else {}
            found |= {key.lower(): each for key, each in named.items() if each}
        return found

    def _slug(self, name: str) -> str:
        is_unicode = self.settings.get("SLUGIFY_USE_UNICODE") is True
        substitutions = self.settings.get("SLUG_REGEX_SUBSTITUTIONS")
        return slug_of(name, substitutions or SLUG, is_unicode=is_unicode)

    def _addresses(self, own: Mapping[str, Any], kind: str) -> Iterator[str]:
        """Yield the addresses of a text: that of links to it, and that of its file."""
        language = str(own.get("lang") or self.language).lower()
        is_translation = str(own.get("translation")).lower() == "true"
        is_main = language == self.language and not is_translation
        values = {
            **own,
            "lang": language,
            "category": self._slug(str(own.get("category") or self._category)),
            "author": self._slug(next(iter(_authors(own)), "")),
            "date": as_date(own.get("date")),
        }
        for name in ("URL", "SAVE_AS"):
            key = f"{kind}_{'' if is_main else 'LANG_'}"
            usual = text_at(self.settings, f"{key}{name}") or _USUAL[f"{key}URL"]
            if address := _expanded(str(own.get(name.lower()) or usual), values):
                yield address

    def _note_lists(self, articles: Iterable[SourceDocument]) -> None:
        """Note where the lists of terms were, and the later pages of each list."""
        counts: Counter[tuple[str, str]] = Counter()
        archives = [text_at(self.settings, f"{each}_ARCHIVE_SAVE_AS") for each in _PERIODS]
        for own in (each.own for each in articles if not withheld_by(each)):
            found = (_expanded(each, {"date": as_date(own.get("date"))}) for each in archives)
            self.redirects.update(dict.fromkeys(filter(None, found), "/blog"))
            counts["", ""] += 1
            counts["category", str(own.get("category", ""))] += 1
            counts.update(("tag", str(each)) for each in texts_of(own.get("tags")))
            counts.update(("author", str(each)) for each in _authors(own))
        size = self.settings.get("DEFAULT_PAGINATION")
        for (kind, name), count in counts.items():
            last = -(-count // size) if isinstance(size, int) and size > 0 else 1
            pattern = text_at(self.settings, f"{kind.upper()}_URL") if kind else "index.html"
            address = _expanded(pattern, {"slug": self._slug(name or self._category)})
            if address is not None:
                new = f"/blog/{kind}/{term_slug(name)}" if name else "/blog"
                stem = f"{address}index" if address.endswith("/") else address.removesuffix(".html")
                later = {f"{stem}{number}.html": new for number in range(2, last + 1)}
                self.redirects.update(later)
                if address not in ("/", f"{new.removeprefix('/blog')}.html"):
                    self.redirects[address] = new

    def _translated(self, document: SourceDocument) -> SourceDocument:
        """Return a text that has translations: they share its name, each in its language."""
        language = str(document.own.get("lang") or self.language)
        own = "" if language == self.language else language
        tree = replace(document.tree, language=own)
        return replace(document, given_name=str(document.own["slug"]), tree=tree)

    def _linked(self, document: SourceDocument) -> Callable[[str], str]:
        """Return what makes a path of a target that begins with what it leads to."""
        folder = document.file.relative_to(self.content).parent.as_posix()

        def linked(target: str) -> str:
            match = _TARGET.fullmatch(target)
            if match is None:
                return target
            kind, path = match.groups()
            if kind in _FILES:
                new = normpath(path if path.startswith("/") else f"/{folder}/{path}")
                if kind == "attach" and not path.startswith("/"):
                    above = self.addresses[document.file][-1].rpartition("/")[0]
                    self.redirects[normpath(f"{above}/{path}")] = new
                return new
            return "/" if kind == "index" else f"/{kind}/{path.lstrip('/')}"

        return linked


def _identity(document: SourceDocument) -> tuple[str, object]:
    """Return what translations of a text share: their kind and slug, else nothing."""
    return document.tree.target, document.own.get("slug") or document.file


def _authors(own: Mapping[str, Any]) -> list[str]:
    return texts_of(own.get("authors") or own.get("author") or ())


def _names(text: str) -> list[str]:
    return [each.strip() for each in text.split(";" if ";" in text else ",") if each.strip()]


def _expanded(pattern: str, values: Mapping[str, Any]) -> str | None:
    """Return an address by a pattern such as `{date:%Y}/{slug}.html`; None without a value.

    >>> _expanded("{date:%Y}/{slug}/index.html", {"date": datetime(2026, 1, 2), "slug": "a"})
    '/2026/a/'
    """
    for match in _TOKEN.finditer(pattern):
        value = values.get(match[1])
        if isinstance(value, datetime):
            value = value.strftime(match[2] or "%Y-%m-%d")
        if not isinstance(value, str) or not value:
            return None
        pattern = pattern.replace(match[0], value, 1)
    return f"/{pattern.lstrip('/')}".removesuffix("index.html") if pattern else None
