"""robots.txt: which paths crawlers may fetch and how they may use the content.

Groups do not inherit rules, so each group repeats all of them. `Allow: /` is last, for crawlers
that apply the first matching rule instead of the longest one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knowledge.content_view import absolute
from knowledge.resources.site_map import PRIVATE_PATHS, SiteMap, is_private
from knowledge.resources.site_parts import private_paths
from knowledge.snapshot import Snapshot
from llms import ai_catalog
from llms.content_signal import content_usage
from renderers.representation import Representation
from renderers.sitemap import INDEX_PATH

MEDIA_TYPE = "text/plain; charset=utf-8"

SEARCH_CRAWLERS = (
    "OAI-SearchBot",
    "Claude-SearchBot",
    "PerplexityBot",
    "DuckAssistBot",
    "Amazonbot",
)
USER_FETCHERS = ("ChatGPT-User", "Claude-User", "Perplexity-User", "MistralAI-User")
TRAINING_CRAWLERS = (
    "GPTBot",
    "ClaudeBot",
    "Google-Extended",
    "Applebot-Extended",
    "CCBot",
    "Bytespider",
    "meta-externalagent",
)
_GROUPS = (
    ("Everyone", ("*",)),
    ("Assistants that search", SEARCH_CRAWLERS),
    ("Assistants that fetch a page for the person they speak with", USER_FETCHERS),
    ("Crawlers that gather text to train models", TRAINING_CRAWLERS),
)


def robots_txt(
    site_map: SiteMap, snapshot: Snapshot, base_url: str, signal: str, *, mcp: bool = False
) -> Representation:
    """Render the file; `signal` is the Content-Signal, from which Content-Usage is derived.

    `mcp` says whether the MCP server runs; then the file names the AI catalog too.
    """
    rules = (
        *(f"Allow: {path}" for path in _allow_exceptions(site_map)),
        *(f"Disallow: {path}" for path in disallowed_paths(snapshot)),
    )
    groups = ("\n".join(_group(purpose, agents, rules, signal)) for purpose, agents in _GROUPS)
    pointers = f"Sitemap: {absolute(base_url, INDEX_PATH)}\n"
    if mcp:
        pointers += f"Agentmap: {absolute(base_url, ai_catalog.PATH)}\n"
    return Representation(MEDIA_TYPE, "\n\n".join((*groups, pointers)).encode())


def disallowed_paths(snapshot: Snapshot) -> tuple[str, ...]:
    """Return all private paths, at the root and under each locale, including closed ones."""
    roots = ("", *(locale.path for locale in snapshot.locales.all))
    return tuple(root + path for root in roots for path in private_paths(snapshot))


def _group(
    purpose: str, agents: tuple[str, ...], rules: Sequence[str], signal: str
) -> Iterator[str]:
    yield f"# {purpose}"
    yield from (f"User-agent: {agent}" for agent in agents)
    yield f"Content-Signal: {signal}"
    usage = content_usage(signal)
    if usage:
        yield f"Content-Usage: {usage}"
    yield from rules
    yield "Allow: /"


def _allow_exceptions(site_map: SiteMap) -> Iterator[str]:
    """Yield public paths that start with a private path but are not below it.

    Otherwise `Disallow: /ae/en/account` would exclude `/ae/en/accounting` too.
    """
    for page in site_map.pages:
        path = page.address.path
        if path.startswith(tuple(PRIVATE_PATHS)) and not is_private(path):
            yield from (absolute("", locale.path + path) for locale in page.locales)
