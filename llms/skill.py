"""The agent skill of the site: how to find, read and cite what it publishes.

The text is generated from what the site is, so that it is always true: it speaks of no kind of
page, no form and no interface that the site does not have. It is in English, as skills are read
by models.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import groupby
from urllib.parse import urlsplit

from babel.lists import format_list

from knowledge.addresses.addresses import page_of
from knowledge.documents.body import one_line
from knowledge.fields.content_types import POST, PRODUCT, REGISTRY, AnyContentType
from knowledge.fields.page_type import PageGroup, PageType
from knowledge.locales import cldr
from knowledge.locales.locale import Language
from knowledge.markdown.slugs import slugify
from knowledge.markdown.tokens import estimate_tokens
from knowledge.resources import queries
from knowledge.resources.forms import purpose_forms
from knowledge.resources.search import kinds_by_group
from knowledge.resources.seo import is_visible_route
from knowledge.resources.site import form_options
from knowledge.resources.site_map import SiteMap, published_types
from knowledge.views.content_view import ContentView, absolute
from llms import phrases
from llms.envelope import summary
from llms.mcp_server import McpServer
from renderers.blocks.context import link_text
from renderers.html.page_links import json_feed_path
from renderers.markdown.renderer import MEDIA_TYPE
from renderers.representation import Representation

INDEX_PATH = "/.well-known/agent-skills/index.json"
INDEX_MEDIA_TYPE = "application/json"
SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"


_MOST_COUNTRIES = 8


@dataclass(frozen=True)
class Skill:
    """The skill: its name, when to use it, and its text as markdown with front matter."""

    name: str
    description: str
    text: str

    @property
    def path(self) -> str:
        """The site path of its `SKILL.md`."""
        return skill_path(self.name)

    @cached_property
    def digest(self) -> str:
        """The digest of the bytes that are served at its path."""
        return f"sha256:{sha256(self.text.encode()).hexdigest()}"


def skill_path(name: str) -> str:
    """Return the path at which the text of a skill is served."""
    return f"/.well-known/agent-skills/{name}/SKILL.md"


def render_skill(skill: Skill) -> Representation:
    """Render `SKILL.md`."""
    tokens = estimate_tokens(skill.text)
    return Representation(MEDIA_TYPE, skill.text.encode(), Language.EN, tokens=tokens)


def render_index(skill: Skill, base_url: str) -> Representation:
    """Render the index of skills, with the digest of the text."""
    entry = {
        "name": skill.name,
        "type": "skill-md",
        "description": skill.description,
        "url": absolute(base_url, skill.path),
        "digest": skill.digest,
    }
    body = json.dumps({"$schema": SCHEMA, "skills": [entry]}, ensure_ascii=False, indent=2)
    return Representation(INDEX_MEDIA_TYPE, f"{body}\n".encode(), Language.EN)


_NAME_CHARACTERS, _DESCRIPTION_CHARACTERS = 50, 1024
_MOST_LOCALES = 40
"""More locales than this are left to llms.txt, which names all."""


def site_skill(view: ContentView, site_map: SiteMap, mcp: McpServer | None) -> Skill:
    """Return the skill of the site, in the words of its English pages if it has any."""
    view = phrases.in_english(view)
    pages = sorted({entry.address.page for entry in site_map.pages}, key=lambda page: page.order)
    kinds = published_types(view.snapshot, site_map)
    name, description = _name(view), _description(view, kinds)
    text = phrases.render_text(
        "skill.md",
        base=view.base_url,
        name=name,
        description=json.dumps(description, ensure_ascii=False),
        site=link_text(phrases.site_name(view)),
        summary=one_line(summary(view), _DESCRIPTION_CHARACTERS),
        locales=_locale_lines(view),
        home=view.locale.path,
        query=view.locale.query,
        has_countries=bool(view.snapshot.countries),
        has_prices=PRODUCT in kinds,
        groups=[(_heading(view, group), paths) for group, paths in _paths_by_group(pages)],
        kinds=_filters(view, kinds),
        feed=json_feed_path(view) if POST in kinds else None,
        contact=_contact_path(view),
        form=form_options(view),
        wishes=purpose_forms(view),
        mcp=mcp,
        tools=mcp.tools_of(view.snapshot) if mcp else (),
    )
    return Skill(name, description, text)


def _name(view: ContentView) -> str:
    """Return the name of the skill: ASCII letters of the site's name, else of its host."""
    host = urlsplit(view.base_url).hostname or ""
    words = slugify(phrases.site_name(view)), slugify(host), "site"
    word = next(each for each in words if each and each.isascii())
    return f"{word[:_NAME_CHARACTERS].rstrip('-')}-knowledge"


def _description(view: ContentView, kinds: frozenset[AnyContentType]) -> str:
    parts = [phrases.say(view, name) for kind, name in phrases.PARTS if kind in kinds]
    if _contact_path(view):
        parts.append(phrases.say(view, phrases.CONTACT))
    site, languages = phrases.site_name(view), sorted(view.snapshot.locales.languages, reverse=True)
    published = f": {_listed(parts)}" if parts else ""
    spoken = _listed([cldr.language_name(each, Language.EN) for each in languages])
    text = (
        f"Find, read and cite what {site} publishes{published}, in {spoken}{_countries(view)}."
        f" Use it when a question is about {site}, or when its pages may hold the answer."
    )
    return one_line(text, _DESCRIPTION_CHARACTERS)


def _countries(view: ContentView) -> str:
    countries = view.snapshot.open.countries
    if not countries:
        return ""
    if len(countries) > _MOST_COUNTRIES:
        return f", for {len(countries)} countries"
    names = [cldr.country_name(country, Language.EN) for country in countries]
    return f", for {_listed(names)}"


def _listed(words: list[str]) -> str:
    return format_list(words, locale="en_GB")


def _contact_path(view: ContentView) -> str | None:
    contact = page_of(REGISTRY, "contact", view.snapshot)
    return view.locale.path + contact.path if is_visible_route(view, contact) else None


def _locale_lines(view: ContentView) -> list[tuple[str, str, str]]:
    """Return the name, the path and the guide of each locale; none if there are too many."""
    locales = view.snapshot.open_locales
    if len(locales) > _MOST_LOCALES:
        return []
    return [
        (phrases.locale_name(view, each), each.path, phrases.guide_path(each)) for each in locales
    ]


def _paths_by_group(pages: Iterable[PageType]) -> Iterable[tuple[PageGroup, list[str]]]:
    """Yield each group of pages with the paths of its types; that of the home page is empty."""
    for group, types in groupby(pages, key=lambda page: page.group):
        paths = [page.path for page in types if page.path]
        if paths:
            yield group, paths


def _heading(view: ContentView, group: PageGroup) -> str:
    if group is queries.COMPANY and not view.snapshot.countries:
        return "Pages"
    return phrases.say(view.for_locale(view.locale.in_language(Language.EN)), group.heading)


def _filters(view: ContentView, published: frozenset[AnyContentType]) -> list[str]:
    """Return the values of `kind` by which a search can be filtered."""
    present = {kind.singular for kind in published}
    kinds = (kind for group in kinds_by_group(view.snapshot.page_types).values() for kind in group)
    return [kind for kind in dict.fromkeys(kinds) if kind in present]
