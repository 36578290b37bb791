"""robots.txt: which paths crawlers may fetch and how they may use the content.

Groups do not inherit rules, so all agents that may fetch the pages stand in one group (RFC 9309),
with every rule once. `Allow: /` is last, for crawlers that apply the first matching rule instead
of the longest one. What the content may be used for is sent as headers with the file and each page
too. Here Content-Signal is a directive of the group that may fetch the pages, where checkers look
for it; Content-Usage is a comment, as they call a directive that they do not know an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from knowledge.fields.page_type import PAGE_TYPES, PageType
from knowledge.resources.listing import PRIVATE_PATHS, is_private, private_paths
from knowledge.resources.site_map import SiteMap
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import absolute
from llms.content_signal import content_usage, forbids_grounding, forbids_training
from renderers.feeds.sitemap import INDEX_PATH
from renderers.representation import Representation

MEDIA_TYPE = "text/plain; charset=utf-8"

SEARCH_CRAWLERS = (
    "OAI-SearchBot",
    "Claude-SearchBot",
    "PerplexityBot",
    "DuckAssistBot",
    "Amzn-SearchBot",
)
USER_FETCHERS = ("ChatGPT-User", "Claude-User", "Perplexity-User", "MistralAI-User")
TRAINING_CRAWLERS = (
    "AI2Bot",
    "Amazonbot",
    "anthropic-ai",
    "Applebot-Extended",
    "Bytespider",
    "CCBot",
    "ClaudeBot",
    "cohere-training-data-crawler",
    "Diffbot",
    "GPTBot",
    "ICC-Crawler",
    "img2dataset",
    "LAIONDownloader",
    "meta-externalagent",
    "omgili",
)
"""Crawlers that gather content to train models; Applebot-Extended is a name in robots.txt only."""

GOOGLE_EXTENDED = "Google-Extended"
"""A name in robots.txt only: whether Gemini trains with the content, and bases answers on it."""


def robots_txt(site_map: SiteMap, snapshot: Snapshot, base_url: str, signal: str) -> Representation:
    """Render the file; `signal` is the Content-Signal, from which Content-Usage is derived.

    If it forbids training, crawlers that train models may fetch nothing. Of Google-Extended that
    holds only if it forbids answers from the content too, since one name stands for both uses.
    """
    kept_out: tuple[str, ...] = TRAINING_CRAWLERS if forbids_training(signal) else ()
    if kept_out and forbids_grounding(signal):
        kept_out = (*kept_out, GOOGLE_EXTENDED)
    named = (*SEARCH_CRAWLERS, *USER_FETCHERS, *TRAINING_CRAWLERS, GOOGLE_EXTENDED)
    readers = ("*", *(agent for agent in named if agent not in kept_out))
    rules = (
        *([f"Content-Signal: {signal}"] if signal.strip() else []),
        *(f"Allow: {path}" for path in _allow_exceptions(site_map)),
        *(f"Disallow: {pattern}" for pattern in _disallowed(snapshot)),
        "Allow: /",
    )
    parts = (
        *([f"# Content-Usage: {usage}"] if (usage := content_usage(signal)) else []),
        *([_group(kept_out, ("Disallow: /",))] if kept_out else []),
        _group(readers, rules),
        f"Sitemap: {absolute(base_url, INDEX_PATH)}\n",
    )
    return Representation(MEDIA_TYPE, "\n\n".join(parts).encode())


def prepare(site_map: SiteMap) -> None:
    """Find the exceptions, for which all pages are looked at."""
    _allow_exceptions(site_map)


def _disallowed(snapshot: Snapshot) -> Iterator[str]:
    """Yield patterns of all private paths; a folder has one for all locales, so the file is small.

    A path has one for each locale, as `/*/cart` would match `/ae/en/blog/cart-systems`.
    """
    yield from private_paths(snapshot)
    for path in private_paths(snapshot):
        if path.endswith("/"):
            yield f"/*{path}"
        else:
            yield from (locale.path + path for locale in snapshot.locales.all)


def _group(agents: Iterable[str], rules: Sequence[str]) -> str:
    return "\n".join((*(f"User-agent: {agent}" for agent in agents), *rules))


def _allow_exceptions(site_map: SiteMap) -> Sequence[str]:
    """Return public paths that start with a private path but are not below it.

    Otherwise `Disallow: /ae/en/account` would exclude `/ae/en/accounting` too.
    """
    return site_map.once(_allow_exceptions, lambda: tuple(_exceptions(site_map)))


def _exceptions(site_map: SiteMap) -> Iterator[str]:
    types = frozenset(filter(_may_start_private, PAGE_TYPES.listed))
    for page in site_map.pages:
        if page.address.page not in types:
            continue
        path = page.address.path
        if path.startswith(tuple(PRIVATE_PATHS)) and not is_private(path):
            yield from (absolute("", locale.path + path) for locale in page.locales)


def _may_start_private(page: PageType) -> bool:
    """Return whether a page of a type may have a path that starts with a private one."""
    fixed = page.path.partition("{")[0]
    return any(path.startswith(fixed) or fixed.startswith(path) for path in PRIVATE_PATHS)
