"""Hexo: posts with the files beside them, and pages, as `_config.yml` says."""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from app.operations.importing.configuration import (
    Configuration,
    first_file,
    first_text,
    read_configuration,
    text_at,
    texts_at,
)
from app.operations.importing.document import SourceDocument
from app.operations.importing.source import (
    PAGES,
    PLAIN,
    POSTS,
    MenuLink,
    SiteConfiguration,
    Source,
    Tree,
    existing,
    ignored_paths,
    texts_of,
)
from knowledge.markdown.generator_syntax.code import fence_of

_OF_HEXO = frozenset(("archive_dir", "new_post_name", "public_dir"))
"""Settings that Jekyll, whose file has the same name, does not have."""


def read_hexo(root: Path) -> Source | None:
    """Return the source of a Hexo site, or None. Its posts are in `source/_posts`."""
    file = first_file(root, "_config.yml", "_config.yaml")
    settings = read_configuration(file) if file else {}
    content = root / (text_at(settings, "source_dir") or "source")
    if _OF_HEXO.isdisjoint(settings) or not content.is_dir():
        return None
    address = _pattern(settings)
    drafts = "" if settings.get("render_drafts") is True else "a draft"
    posts = [
        Tree(content / "_posts", POSTS, address),
        Tree(content / "_drafts", POSTS, address, subfolder="drafts", withheld_by=drafts),
    ]
    pages = Tree(content, PAGES, f"{PLAIN}.html", asset_root=content, is_root=True)
    return Source(
        "Hexo",
        root,
        [*(each for each in posts if existing(each.folder)), pages],
        SiteConfiguration(
            title=text_at(settings, "title"),
            description=first_text(settings, "description", "subtitle"),
            base_url=text_at(settings, "url"),
            language=next(iter(texts_of(settings.get("language"))), ""),
            time_zone=text_at(settings, "timezone"),
            menu=list(_menu(root, text_at(settings, "theme"))),
        ),
        not_imported=["Themes, and tags of plugins, are not imported."],
        has_folders=settings.get("post_asset_folder") is True,
        is_unpublished=ignored_paths(content, ["_*", "!/_posts", "!/_drafts"]),
        completed=lambda documents: [_with_markdown(each) for each in documents],
    )


def _pattern(settings: Configuration) -> str:
    """Return the pattern of the addresses of posts.

    A date in the name of a file is a part of its title, unless names of new posts have one.
    """
    name = "name" if ":year" in text_at(settings, "new_post_name") else "filename"
    tokens = {":title": f":folders/:{name}", ":name": f":{name}", ":post_title": ":titleslug"}
    pattern = text_at(settings, "permalink") or ":year/:month/:day/:title/"
    return "/" + re.sub(r":\w+", lambda match: tokens.get(match[0], match[0]), pattern)


def _menu(root: Path, theme: str) -> Iterator[MenuLink]:
    """Yield the menu of the theme, whose targets may have an icon after `||`."""
    file = first_file(root, f"_config.{theme}.yml", f"themes/{theme}/_config.yml")
    for label, target in texts_at(read_configuration(file) if file else {}, "menu").items():
        yield MenuLink(label[:1].upper() + label[1:], target.partition("||")[0].strip())


_TAG = re.compile(r"\{%-?\s*+(asset_img|asset_link|asset_path|post_link)\s++([^%{}]++)%\}")
# No line of code begins with a tag: otherwise each opening would be compared with all that follows.
_CODE = re.compile(
    r"^\{% *+(codeblock|code)\b([^%{}\n]*+)%\}\n((?:(?!\{%)[^\n]*+\n)*+)\{% *+end\1 *+%\}",
    re.MULTILINE,
)
_LANGUAGE = re.compile(r"\blang:(\S+)")


def _with_markdown(document: SourceDocument) -> SourceDocument:
    """Return a text with the tags of Hexo as markdown."""
    text = document.text
    if "{%" not in text:
        return document
    text = _TAG.sub(partial(_link, document.path.stem), text)
    return document.rewritten(_CODE.sub(_fenced, text))


def _link(name: str, match: re.Match[str]) -> str:
    """Return a link to a post, or to a file beside the post of a name."""
    target, *words = match[2].rstrip("- ").split()
    label = " ".join(each.strip("\"'") for each in words)
    if match[1] == "post_link":
        return f"[{label or target}](/posts/{target.removesuffix('.md')}.md)"
    file = f"{name}/{target}"
    if match[1] == "asset_path":
        return file
    return f"![{label}](<{file}>)" if match[1] == "asset_img" else f"[{label or target}](<{file}>)"


def _fenced(match: re.Match[str]) -> str:
    language = _LANGUAGE.search(match[2])
    return fence_of(f"\n{match[3]}", language[1] if language else "")
