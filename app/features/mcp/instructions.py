"""Instructions: what the server tells agents about itself and the site, once."""

from __future__ import annotations

from collections.abc import Sequence

from app.features.mcp.server import ENDPOINT
from app.features.mcp.tool import Tool, ToolContext
from knowledge.documents.body import one_line
from knowledge.locales import cldr
from knowledge.locales.locale import Language, Locales
from knowledge.resources.site_chrome import brand, site_title
from knowledge.views.content_view import ContentView

_NAME_CHARACTERS = 60
_TITLE_CHARACTERS = 120


def instructions(context: ToolContext, tools: Sequence[Tool]) -> str:
    """Return the instructions; clients may show only the first 512 characters, so these suffice."""
    view = context.view(context.locale)
    name = one_line(brand(view), _NAME_CHARACTERS)
    readership = _readership(view.snapshot.locales)
    named_tools = "; ".join(f"{tool.name}: {tool.title}" for tool in tools)
    parts = (
        f"What the site of {name} publishes, {readership}, as its editors keep it now.",
        f"All tools only read. {named_tools}.",
        "Every result has the URL to cite.",
        _locale_hint(view),
        f"The title of the site is: {one_line(site_title(view), _TITLE_CHARACTERS)}.",
        f"The same content as an overview is at {view.base_url}/llms.txt.",
    )
    return " ".join(filter(None, parts))


def _readership(locales: Locales) -> str:
    languages = [cldr.language_name(each, Language.EN) for each in locales.languages]
    countries = f" for {', '.join(locales.countries)}" if locales.countries else ""
    return f"in {' and '.join(languages)}{countries}"


def _locale_hint(view: ContentView) -> str:
    """Return how to read in another locale; nothing if there is only one."""
    if len(view.snapshot.locales.all) == 1:
        return ""
    query = "country=…&lang=…" if view.snapshot.locales.countries else "lang=…"
    return (
        f"Texts are for {view.locale.path} unless a call or the address ({ENDPOINT}?{query}) names"
        " another locale."
    )
