"""The resources of the MCP server: the llms.txt of each locale, every page, and the skill."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from app.features.mcp.pages import FoundPage, PageId, guide_text, text_parts
from app.features.mcp.tool import ToolContext, shortened
from knowledge.addresses.addresses import parse_address, split_locale
from knowledge.locales.locale import Locale
from knowledge.resources.errors import NotFound
from knowledge.resources.seo import is_visible_route
from knowledge.resources.site_map import site_map
from knowledge.views.content_view import ContentView
from llms.phrases import guide_path, locale_name
from llms.skill import Skill, site_skill
from renderers.markdown import renderer as markdown
from renderers.representation import MediaType, split_suffix

SKILLS_EXTENSION = "io.modelcontextprotocol/skills"
"""The extension SEP-2640 of the protocol, by which clients find and read the site's skill."""

_PART = re.compile(r"(.*)\?part=([1-9]\d{0,5})", re.ASCII)


def list_resources(context: ToolContext) -> Sequence[ResourceEntry]:
    """Return the llms.txt of each locale, that of the call first."""
    locales = context.edition.snapshot.open_locales
    first = [context.locale] if context.locale in locales else []
    return [_guide_entry(context, each) for each in dict.fromkeys((*first, *locales))]


def _guide_entry(context: ToolContext, locale: Locale) -> ResourceEntry:
    path = guide_path(locale)
    name = locale_name(context.view(context.locale), locale)
    return ResourceEntry(
        uri=context.base_url + path,
        name=path.removeprefix("/"),
        title=f"llms.txt: {name}",
        description=f"The pages for readers with this country and language, by topic: {name}",
        media_type=MediaType.MARKDOWN,
    )


def list_templates(context: ToolContext) -> Sequence[ResourceTemplate]:
    """Return the URIs of the markdown of all pages."""
    locale = "{country}/{lang}" if context.edition.snapshot.open.countries else "{lang}"
    return [
        ResourceTemplate(
            uri_template=f"{context.base_url}/{locale}/{{+path}}{MediaType.MARKDOWN.suffix}",
            name="page",
            title="A page as markdown",
            description="The text of a page; list_pages and llms.txt have the paths. The path of a"
            " home page is index.",
            media_type=MediaType.MARKDOWN,
        )
    ]


def read_resource(context: ToolContext, uri: str) -> ResourceText:
    """Return the text of a resource; raises UnknownResource.

    A text that is too long for one answer comes in parts, each with the URI of the next one.
    """
    if uri.startswith("skill:"):
        return _skill(context, uri)
    part = _PART.fullmatch(uri)
    whole, number = (part[1], int(part[2])) if part else (uri, 1)
    text = _text(context, unquote(whole.removeprefix(context.base_url)))
    if text is None or not uri.startswith(f"{context.base_url}/"):
        guide = context.base_url + guide_path(context.locale)
        problem = f"There is no resource {shortened(uri)}."
        raise UnknownResource(f"{problem} The pages are listed in {guide}.")
    parts = text_parts(text)
    if number > len(parts):
        raise UnknownResource(f"{shortened(whole)} has {len(parts)} parts.")
    shown = parts[number - 1]
    if number < len(parts):
        shown += f"\n\n> {number}/{len(parts)}: <{whole}?part={number + 1}>"
    return ResourceText(uri, MediaType.MARKDOWN, f"{shown}\n")


def _skill(context: ToolContext, uri: str) -> ResourceText:
    """Return the skill, byte for byte, as its digest is that of these bytes."""
    skill = current_skill(context)
    if uri != skill_uri(skill):
        raise UnknownResource(f"There is no resource {shortened(uri)}. skills/list has the skills.")
    return ResourceText(uri, MediaType.MARKDOWN, skill.text)


def current_skill(context: ToolContext) -> Skill:
    """Return the skill as it is now; it is the same for all locales."""
    view = context.view(context.edition.snapshot.locales.default)
    pages = site_map(view.snapshot, view.now)
    return site_skill(view, pages, context.server)


def skill_uri(skill: Skill) -> str:
    """Return the URI of the `SKILL.md`, whose last folder has the name of the skill."""
    return f"skill://{skill.name}/SKILL.md"


def skill_entry(skill: Skill) -> Mapping[str, object]:
    """Return a skill as `skills/list` and `skills/get` describe it: its front matter, its files."""
    uri = skill_uri(skill)
    size = len(skill.text.encode())
    return {
        "uri": uri,
        "frontmatter": {"name": skill.name, "description": skill.description},
        "resources": [{"uri": uri, "digest": skill.digest, "size": size}],
    }


def _text(context: ToolContext, path: str) -> str | None:
    """Return the text at a path, None if there is none."""
    locale, rest = split_locale(path)
    if locale not in context.edition.snapshot.open_locales:
        return None
    view = context.view(locale)
    return guide_text(view, rest, context.server) or _page(view, path)


def _page(view: ContentView, path: str) -> str | None:
    canonical, media_type = split_suffix(path)
    address = parse_address(split_locale(canonical)[1], view.snapshot)
    if media_type is not MediaType.MARKDOWN or not address or not is_visible_route(view, address):
        return None
    try:
        page = FoundPage(view, address, PageId(canonical)).model
    except NotFound:
        return None
    return markdown.render(page).body.decode()


class UnknownResource(Exception):
    """There is no resource of a URI; the text says what to do."""


@dataclass(frozen=True, slots=True)
class ResourceEntry:
    """A resource in the list of resources."""

    uri: str
    name: str
    title: str
    description: str
    media_type: str


@dataclass(frozen=True, slots=True)
class ResourceTemplate:
    """The URIs of many resources, as a template (RFC 6570)."""

    uri_template: str
    name: str
    title: str
    description: str
    media_type: str


@dataclass(frozen=True, slots=True)
class ResourceText:
    """What a resource says."""

    uri: str
    media_type: str
    text: str
