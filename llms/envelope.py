"""The parts of an llms.txt before and after its list of pages.

Neither lists the sitemap or the feed, because agents would read them as text.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import quote_plus

from babel.lists import format_list

from knowledge.diagnostics.messages import mark as _
from knowledge.documents.body import one_line
from knowledge.fields.content_types import SETTINGS
from knowledge.fields.field_types import BilingualString
from knowledge.fields.settings_fields import AgentGuide
from knowledge.locales import cldr
from knowledge.locales.locale import localized_text
from knowledge.resources.listing import private_paths
from knowledge.resources.site import site_settings
from knowledge.resources.site_map import developers_page
from knowledge.views.content_view import ContentView
from llms.mcp_server import McpServer
from llms.page_lines import LlmsSection
from llms.phrases import (
    Link,
    country_name,
    line,
    link_lines,
    locale_lines,
    locale_name,
    published_parts,
    say,
    site_name,
    use_when,
)
from renderers.pages.content import enquiry_text
from renderers.representation import MediaType, suffixed_path

_TITLE_CHARACTERS = 120
_SUMMARY_CHARACTERS = 400
_OWN_CHARACTERS = 1_500


_PRIVATE = _("Never request these paths, which robots.txt disallows:")


@dataclass(frozen=True, slots=True)
class Envelope:
    """The head and the last sections of an llms.txt file."""

    head: str
    tail: tuple[LlmsSection, ...]

    @property
    def size(self) -> int:
        """The number of characters of head and tail."""
        return len(self.head) + sum(len(section.text) for section in self.tail)


_GUIDE = Link(
    _("Guide to the API"),
    "/developers.md",
    _("you write a program that reads this content or sends enquiries"),
)
_CONTRACT = Link(
    _("OpenAPI 3.1 contract"),
    "/developers.md#resources",
    _(
        "you need every path, parameter and schema: /openapi.json has them, /openapi/search.json"
        " those of one subject; they are descriptions, not a sandbox"
    ),
)
_SEARCH = _(
    "you have a question: /api/public/v1/search?q=%(words)s returns the passages that answer, in"
    " markdown to quote; set q, country and lang, and maxTokens to your budget",
    "country",
)
_SEARCH_ANYWHERE = _(
    "you have a question: /api/public/v1/search?q=%(words)s returns the passages that answer, in"
    " markdown to quote; set q and maxTokens to your budget"
)
_QUESTION = _("how do I begin")
_HEALTH = Link(
    _("Health of the service"),
    "/developers.md#health",
    _("requests fail and you want to know whether the service is up: ask /api/public/v1/health"),
)
_PARTNER_LINKS = (
    Link(
        _("Status of the ERP integration"),
        "/developers.md#status",
        _(
            "you need to know whether the partner interface is configured: ask /api/erp/status,"
            " which is open to all"
        ),
    ),
    Link(
        _("Orders and products for ERP systems"),
        "/developers.md#partner-interface",
        _(
            "you work for an approved partner: /api/orders, /api/products and"
            " /api/erp/orders/ need a partner token as bearer or as X-Ecom-Api-Token"
        ),
    ),
)
_WHOLE_SERVICE = Link(_("The whole service"), "/llms.txt", _("you need the API or all countries"))
_WHEN_ANY = _(
    "Use this site when you need what %(site)s publishes: %(parts)s, or the public JSON API behind"
    " it."
)
_WHEN_STATIC = _("Use this site when you need what %(site)s publishes: %(parts)s.")
_MCP_SERVER = _("MCP server")
_MCP_REASON = _("your client speaks the Model Context Protocol: connect it to %(url)s")
_MCP_GUIDE = "/developers.md#model-context-protocol"
_LOCALES = _("Other countries and languages")
_LANGUAGES = _("Other languages")
_OPTIONAL = "Optional"
"""A word of the format, in any language."""


def service_envelope(view: ContentView, partners: bool, mcp: McpServer | None = None) -> Envelope:
    """Return the envelope of `/llms.txt`, with the interfaces and all locales."""
    site = site_name(view)
    locales = view.snapshot.open_locales
    others = section(view, _heading(view), locale_lines(view, locales) if len(locales) > 1 else ())
    text = _paragraph(view, _when_service(view, mcp))
    beginning = head(site, summary(view), text) + _private(view)
    if view.is_static:
        return Envelope(beginning, (others,))
    partner_lines = link_lines(view, *_PARTNER_LINKS) if partners else ()
    links = link_lines(view, _GUIDE, _CONTRACT)
    interfaces = (*_mcp_lines(view, mcp), _search_line(view), *links)
    tail = (
        section(view, _("API for developers"), interfaces),
        section(view, _("Partner interface"), partner_lines),
        others,
        section(view, _OPTIONAL, link_lines(view, _HEALTH)),
    )
    return Envelope(beginning, tail)


def locale_envelope(view: ContentView, mcp: McpServer | None = None) -> Envelope:
    """Return the envelope of `/{cc}/{lang}/llms.txt`, with links to `/llms.txt` and all locales."""
    site = site_name(view)
    others = (locale for locale in view.snapshot.open_locales if locale != view.locale)
    links = () if view.is_static else (_WHOLE_SERVICE,)
    lines = [*link_lines(view, *links), *locale_lines(view, others)]
    guide = () if view.is_static else (_guide(view),)
    optional = (*link_lines(view, *guide), *_mcp_lines(view, mcp, view.locale.query))
    tail = (section(view, _heading(view), lines), section(view, _OPTIONAL, optional))
    title = f"{site}: {locale_name(view, view.locale)}"
    text = _paragraph(view, _own(view, _agents(view).use_in_country) or _when_any(view))
    return Envelope(head(title, summary(view), text) + _private(view), tail)


def _paragraph(view: ContentView, when: str) -> str:
    return " ".join(filter(None, (when, enquiry_text(view), _how(view))))


_HOW = _(
    "Every link below leads to markdown. The same text answers `Accept: text/markdown` at the"
    " page's own address, which is the link without `.md`; cite that address. A date is that of"
    " the last change. Reading needs no key; the JSON API allows 120 requests per client address"
    " in 60 seconds."
)
_HOW_STATIC = _(
    "Every link below leads to markdown; the page's own address is the link without `.md`: cite"
    " that address. A date is that of the last change."
)


def _how(view: ContentView) -> str:
    return say(view, _HOW_STATIC if view.is_static else _HOW)


def _guide(view: ContentView) -> Link:
    """Return the link to the manual in the language of a locale."""
    page = developers_page(view.locale.language, view.snapshot.locales)
    return _GUIDE._replace(path=suffixed_path(page.path, MediaType.MARKDOWN))


def _mcp_lines(view: ContentView, mcp: McpServer | None, query: str = "") -> Iterator[str]:
    """Yield the line that tells where the MCP server is, if it runs."""
    if mcp:
        url = f"{view.absolute(mcp.path)}{query and '?'}{query}"
        reason = say(view, _MCP_REASON, url=url)
        yield line(view, say(view, _MCP_SERVER), _MCP_GUIDE, reason)


def _search_line(view: ContentView) -> str:
    """Return the line of the search, with a question that the site answers."""
    question = _own(view, _agents(view).question) or say(view, _QUESTION)
    template = _SEARCH if view.snapshot.countries else _SEARCH_ANYWHERE
    reason = use_when(view, say(view, template, words=quote_plus(question)))
    return line(view, say(view, _("Search")), "/developers.md#search", reason)


def _when_service(view: ContentView, mcp: McpServer | None) -> str:
    """Return when to use `/llms.txt`; a static export has no API of which the site could tell."""
    if view.is_static:
        return _when_any(view)
    agents = _agents(view)
    limits = _own(view, (mcp and agents.limits_with_mcp) or agents.limits)
    return f"{_own(view, agents.use) or _when_any(view)} {limits}".rstrip()


def _when_any(view: ContentView) -> str:
    template = _WHEN_STATIC if view.is_static else _WHEN_ANY
    parts = format_list(published_parts(view), locale=cldr.formats(None, view.locale.language))
    return say(view, template, site=site_name(view), parts=parts)


def _agents(view: ContentView) -> AgentGuide:
    settings = view.singleton(SETTINGS)
    return (settings and settings.fields.agents) or AgentGuide()


def _own(view: ContentView, text: BilingualString | None) -> str:
    """Return a text of the site with its names, `""` if there is none."""
    own = one_line(localized_text(text, view.locale.language), _OWN_CHARACTERS)
    return own.replace("{site}", site_name(view)).replace("{country}", country_name(view))


def _heading(view: ContentView) -> str:
    return _LOCALES if view.snapshot.countries else _LANGUAGES


def part_envelope(view: ContentView, number: int) -> Envelope:
    """Return the envelope of `llms-{number}.txt`, with a link to the first file."""
    name, template = locale_name(view, view.locale), _("%(site)s: %(locale)s, part %(number)s")
    title = say(view, template, site=site_name(view), locale=name, number=number)
    why = say(view, _("Pages for which the first file had no room."))
    back = section(view, _OPTIONAL, locale_lines(view, [view.locale]))
    return Envelope(head(title, why, _how(view)), (back,))


def section(view: ContentView, heading: str, lines: Iterable[str]) -> LlmsSection:
    """Return a section with its heading, a marked text, in the view's language."""
    return LlmsSection(say(view, heading), tuple(lines))


def head(title: str, description: str, paragraph: str) -> str:
    """Return the head of a file: a title, a one-line quote and a paragraph."""
    title = one_line(title, _TITLE_CHARACTERS)
    return f"# {title}\n\n> {one_line(description, _SUMMARY_CHARACTERS)}\n\n{paragraph}\n"


def summary(view: ContentView) -> str:
    """Return the site's meta description in the view's language, or a generic summary."""
    authored = (site_settings(view).seo.meta_description or {}).get(view.locale.language)
    if authored:
        return authored
    generic = (
        _("What %(site)s publishes for its readers: %(country)s.")
        if view.locale.country
        else _("What %(site)s publishes for its readers.")
    )
    return say(view, generic, site=site_name(view), country=country_name(view))


def _private(view: ContentView) -> str:
    """Return the private paths; below a heading, parsers of the format expect links only."""
    paths = private_paths(view.snapshot).items()
    bullets = (
        f"- `{path}`: {say(view, why) if isinstance(why, str) else _own(view, why)}\n"
        for path, why in paths
    )
    return f"\n{say(view, _PRIVATE)}\n\n{''.join(bullets)}"
