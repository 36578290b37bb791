"""robots.txt: what crawlers may fetch, and what may be done with it.

Groups do not inherit, so each repeats every rule. `Allow: /` comes last, for readers that take
the first rule that fits rather than the longest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from knowledge.content_view import absolute
from knowledge.locale import all_locales
from knowledge.resources.site_map import PRIVATE_PATHS, SiteMap, is_private
from renderers.representation import Representation
from renderers.sitemap import INDEX_PATH

MEDIA_TYPE = "text/plain; charset=utf-8"
DEFAULT_SIGNAL = "search=yes, ai-input=yes, ai-train=no"
"""The default value of Content-Signal, in this file and on answers."""

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
_TRAINING = re.compile(r"\bai-train\s*=\s*(yes|no)\b", re.IGNORECASE)


def robots_txt(site_map: SiteMap, base_url: str, signal: str = DEFAULT_SIGNAL) -> Representation:
    """The file; `signal` is the one setting that Content-Signal and Content-Usage come from."""
    groups = ("\n".join(_group(purpose, agents, site_map, signal)) for purpose, agents in _GROUPS)
    pointer = f"Sitemap: {absolute(base_url, INDEX_PATH)}\n"
    return Representation(MEDIA_TYPE, "\n\n".join((*groups, pointer)).encode())


def disallowed_paths() -> tuple[str, ...]:
    """Every private path, at the root and under each locale, open or not."""
    roots = ("", *(locale.path for locale in all_locales()))
    return tuple(root + path for root in roots for path in PRIVATE_PATHS)


def content_usage(signal: str) -> str | None:
    """The signal's word on training as Content-Usage says it, None where it has none.

    >>> content_usage(DEFAULT_SIGNAL)
    'train-ai=n'
    """
    found = _TRAINING.search(signal)
    return f"train-ai={found[1][0].lower()}" if found else None


def _group(purpose: str, agents: tuple[str, ...], site_map: SiteMap, signal: str) -> Iterator[str]:
    yield f"# {purpose}"
    yield from (f"User-agent: {agent}" for agent in agents)
    yield f"Content-Signal: {signal}"
    usage = content_usage(signal)
    if usage:
        yield f"Content-Usage: {usage}"
    yield from (f"Allow: {path}" for path in _allow_exceptions(site_map))
    yield from (f"Disallow: {path}" for path in disallowed_paths())
    yield "Allow: /"


def _allow_exceptions(site_map: SiteMap) -> Iterator[str]:
    """Public pages that a rule would catch only because it fits the start of any path.

    `Disallow: /ae/en/account` would hide `/ae/en/accounting` too.
    """
    for page in site_map.pages:
        path = page.address.path
        if path.startswith(PRIVATE_PATHS) and not is_private(path):
            yield from (absolute("", locale.path + path) for locale in page.locales)
