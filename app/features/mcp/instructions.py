"""Instructions: what the server tells a client of itself and of the site, before any call.

Clients may show only the first 512 characters, so these say what the site is about, which tools
there are, and what to cite.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.features.mcp.server import ENDPOINT
from app.features.mcp.tool import Tool, ToolContext
from knowledge.documents.body import one_line
from knowledge.locales import cldr
from knowledge.locales.locale import Language
from knowledge.resources.site_chrome import site_title
from knowledge.views.content_view import ContentView
from llms.phrases import in_english
from llms.subjects import SiteWords
from renderers.pages.content import enquiry_text

_TITLE_CHARACTERS = 120
_TOKENS = 36
_TOKENS_WITH_PLACES = 80
"""How many tokens the subjects of one language may have, alone and with the countries."""


def instructions(context: ToolContext, tools: Sequence[Tool]) -> str:
    """Return the instructions for the locale of a request."""
    return " ".join(filter(None, _sentences(context.view(context.locale), tools)))


def _sentences(view: ContentView, tools: Sequence[Tool]) -> Iterator[str]:
    english = in_english(view)
    words = SiteWords.of(english)
    yield f"What the site of {words.site} publishes for readers{words.places}, {_spoken(view)}."
    yield words.fill("Subjects: {subjects}.", _TOKENS)
    yield "Every result has the URL to cite, which leads to its passage."
    named_tools = "; ".join(f"{tool.name}: {tool.title}" for tool in tools)
    yield f"All tools only read. {named_tools}."
    yield _locale_hint(view)
    yield from _in_other_languages(english)
    yield enquiry_text(english) or ""
    yield f"The title of the site is: {one_line(site_title(view), _TITLE_CHARACTERS)}."
    yield f"The same content as an overview is at {view.base_url}/llms.txt."


def _spoken(view: ContentView) -> str:
    languages = view.snapshot.locales.languages
    return f"in {' and '.join(cldr.language_name(each, Language.EN) for each in languages)}"


def _in_other_languages(view: ContentView) -> Iterator[str]:
    """Yield the subjects in each other language of the site, for questions in it."""
    for language in view.snapshot.open.languages:
        locale = view.locale.in_language(language)
        if locale != view.locale and locale in view.snapshot.open_locales:
            words = SiteWords.of(view.for_locale(locale))
            yield words.fill("{site}{places}: {subjects}.", _TOKENS_WITH_PLACES)


def _locale_hint(view: ContentView) -> str:
    """Return how to name the readers' locale; nothing if there is only one."""
    if len(view.snapshot.locales.all) == 1:
        return ""
    names = ("country", "lang") if view.snapshot.locales.countries else ("lang",)
    query = "&".join(f"{name}=…" for name in names)
    return (
        f"Pages differ by {' and '.join(names)}: name the reader's in the call, in a query or in"
        f" the address ({ENDPOINT}?{query})."
    )
