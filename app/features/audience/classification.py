"""Classification of user agents: known ones by name, others by their kind.

A header that no list knows is a browser if it looks like one, and otherwise stays unknown.
Importing this module reads half a megabyte of patterns, so only a counted audience imports it.

The functions of agents for AI are those of https://github.com/ai-robots-txt/ai.robots.txt (commit
738c80d, 2026-08-22, MIT) and of their operators' own pages; the libraries and coding agents send
these names by default.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from crawleruseragents import CRAWLER_USER_AGENTS_DATA

from app.features.audience.model import Agent, Reader

_LITERAL = re.compile(r"(?:[\w \-:!;,@#/]|\\[./\-() ])+")
_SYNTAX = re.compile(r"\\[sSd]|\[\\s\\S\]\*|[\\^$(){}+*?]|\|.*")
_ALTERNATIVES = re.compile(r"\[(\w)\w*\]|\((?:\^\|)?([\w ]{0,200}+)[^)]{0,200}+\)")


class Pattern(NamedTuple):
    """A regular expression of a list and the agent that it finds; a higher `rank` wins."""

    expression: str
    agent: Agent
    rank: tuple[int, int]

    @property
    def literal(self) -> str | None:
        """The text that it finds, if it is no more than a text."""
        is_literal = _LITERAL.fullmatch(self.expression)
        return re.sub(r"\\(.)", r"\1", self.expression) if is_literal else None


def _name_of(expression: str) -> str:
    r"""Return a readable name for a pattern.

    >>> _name_of(r"Googlebot\/"), _name_of("[wW]get"), _name_of("Ahrefs(Bot|SiteAudit)")
    ('Googlebot', 'wget', 'AhrefsBot')
    >>> _name_of(r"(^| )sentry\/"), _name_of(r"Spider[\s\S]*spider\.com"), _name_of("^curl")
    ('sentry', 'Spiderspider.com', 'curl')
    """
    plain = _ALTERNATIVES.sub(lambda match: match[1] or match[2], expression)
    return _SYNTAX.sub("", plain.replace("[\\s\\S]*", "")).strip(" /-;:()")


_BY_TAG: Mapping[str, Reader] = {
    "ai-crawler": Reader.AI_TRAINING,
    "search-engine": Reader.SEARCH_ENGINE,
    "monitoring": Reader.MONITORING,
    "http-library": Reader.LIBRARY,
    "browser-automation": Reader.LIBRARY,
}
"""The class of an agent by its tags, the first that it has; others are of another purpose."""


def patterns() -> Iterator[Pattern]:
    """Yield the patterns of both lists. A library is what an agent is if it is nothing else."""
    for reader, agents in KNOWN_AGENTS.items():
        first = 3 if reader is Reader.CODING_AGENT else 1 if reader is Reader.LIBRARY else 2
        for expression, name in agents:
            yield Pattern(expression, Agent(name, reader), (first, len(expression)))
    for entry in CRAWLER_USER_AGENTS_DATA:
        expression, tags = entry["pattern"], entry["tags"]
        reader = next((reader for tag, reader in _BY_TAG.items() if tag in tags), Reader.OTHER)
        rank = (0 if reader is Reader.LIBRARY else 1, len(expression))
        yield Pattern(expression, Agent(_name_of(expression), reader), rank)


UNKNOWN = Agent("unknown", Reader.UNKNOWN)
UNNAMED = Agent("none", Reader.UNKNOWN)
"""The agent of a request without User-Agent."""
_MAX_LENGTH = 512
"""Of a longer header only the beginning is read."""
_CACHE_SIZE = 2_048
_PREFIX = 3


class Classifier:
    """Finds the agent of a header; most patterns are texts, found by their first letters."""

    def __init__(self) -> None:
        self._texts: defaultdict[str, list[tuple[str, Pattern]]] = defaultdict(list)
        self._others: list[tuple[re.Pattern[str], Pattern]] = []
        for pattern in patterns():
            text = pattern.literal
            if text is None:
                self._others.append((re.compile(pattern.expression), pattern))
            else:
                self._texts[text[:_PREFIX]].append((text, pattern))
        self.agent_of = lru_cache(_CACHE_SIZE)(self._agent_of)
        """Return the agent of a header; recent results are remembered in memory."""

    def _agent_of(self, header: bytes) -> Agent:
        name = header[:_MAX_LENGTH].decode("latin-1").strip()
        if not name:
            return UNNAMED
        found = max(self._matching(name), key=lambda pattern: pattern.rank, default=None)
        return found.agent if found else _browser(name) or UNKNOWN

    def _matching(self, name: str) -> Iterator[Pattern]:
        for start in range(len(name) - _PREFIX + 1):
            for text, pattern in self._texts.get(name[start : start + _PREFIX], ()):
                if name.startswith(text, start):
                    yield pattern
        for expression, pattern in self._others:
            if expression.search(name):
                yield pattern


_BROWSERS = (
    ("Edge", re.compile(r"Edg(A|iOS)?/")),
    ("Opera", re.compile(r"OPR/")),
    ("Samsung Internet", re.compile(r"SamsungBrowser/")),
    ("Firefox", re.compile(r"(Firefox|FxiOS)/")),
    ("Chrome", re.compile(r"(Chrome|CriOS)/")),
    ("Safari", re.compile(r"\A(?>.*?Version/).*Safari/")),
)
_NO_BROWSER = re.compile(r"compatible;|https?:|bot\b|crawl|spider|Electron/", re.IGNORECASE)


def _browser(name: str) -> Agent | None:
    if not name.startswith("Mozilla/5.0 (") or _NO_BROWSER.search(name):
        return None
    found = (browser for browser, pattern in _BROWSERS if pattern.search(name))
    return next((Agent(browser, Reader.BROWSER) for browser in found), None)


_NAMES: Mapping[Reader, str] = {
    Reader.AI_TRAINING: """
        AI2Bot Amazonbot anthropic-ai Applebot-Extended bedrockbot Brightbot Bytespider CCBot
        ChatGLM-Spider Claude-Web cohere-ai cohere-training-data-crawler Cotoyogi DeepSeekBot
        Diffbot FacebookBot FriendlyCrawler Google-CloudVertexBot Google-Extended GPTBot ICC-Crawler
        img2dataset LAIONDownloader omgili PanguBot SBIntuitionsBot TikTokSpider Timpibot
        VelenPublicWebCrawler YandexAdditional
    """,
    Reader.AI_SEARCH: """
        AddSearchBot AISearchBot amazon-kendra Amzn-SearchBot Andibot Aranet-SearchBot
        atlassian-bot AzureAI-SearchBot Channel3Bot Claude-SearchBot Cloudflare-AutoRAG
        iaskspider iAskBot LinkupBot meta-webindexer OAI-SearchBot PerplexityBot TavilyBot
        YouBot ZanistaBot
    """,
    Reader.AI_ASSISTANT: """
        amazon-QBusiness Amazon-Bedrock-AgentCore-Browser AmazonBuyForMe Amzn-User bigsur.ai
        ChatGPT-User Claude-User DuckAssistBot Gemini-Deep-Research Google-Agent
        GoogleAgent-Mariner GoogleAgent-URLContext IsonAI-User kagi-fetcher Kimi-User LinerBot
        Manus-User MistralAI-User NovaAct openai-mcp PhindBot Poggio-Citations Shap-User
        TongyiBot TwinAgent YiyanBot
    """,
}
"""Agents that send their names as they are, by class."""

_PATTERNS: Mapping[Reader, Sequence[tuple[str, str]]] = {
    Reader.AI_TRAINING: (
        ("Ai2Bot-Dolma", "AI2Bot"),
        ("Kangaroo Bot", "Kangaroo Bot"),
        ("[Cc]laude[Bb]ot", "ClaudeBot"),
        ("[Mm]eta-[Ee]xternal[Aa]gent", "meta-externalagent"),
        ("[Ww]ebzio-[Ee]xtended", "webzio-extended"),
    ),
    Reader.AI_SEARCH: (("Exa(Search)?Bot", "ExaBot"), ("Querit(-Search)?Bot", "QueritBot")),
    Reader.AI_ASSISTANT: (
        ("Anchor Browser", "Anchor Browser"),
        ("ChatGPT Agent", "ChatGPT Agent"),
        ("(Google-)?NotebookLM", "Google-NotebookLM"),
        ("[Mm]eta-[Ee]xternal[Ff]etcher", "meta-externalfetcher"),
        ("Perplexity-?User", "Perplexity-User"),
    ),
    Reader.CODING_AGENT: (
        ("[Cc]laude-([Cc]ode|cli)", "Claude Code"),
        ("^[Cc]odex", "Codex"),
        ("Cursor/", "Cursor"),
        ("Devin", "Devin"),
        ("(Google-)?Gemini-?CLI", "Gemini CLI"),
        ("GitHubCopilot", "GitHub Copilot"),
        ("[Oo]pen[Cc]ode", "opencode"),
        ("Trae/", "Trae"),
        ("Code/1[.].*Electron/", "Visual Studio Code"),
        ("Windsurf/", "Windsurf"),
    ),
    Reader.LIBRARY: (
        ("^Bun/", "Bun"),
        ("^Dart/", "Dart"),
        ("^Deno/", "Deno"),
        ("GuzzleHttp/", "Guzzle"),
        ("^Java/", "Java"),
        ("^insomnia/", "Insomnia"),
        ("^node$", "Node.js"),
        ("PostmanRuntime/", "Postman"),
        ("^Python/[0-9.]+$", "Python"),
        ("^reqwest/", "reqwest"),
        ("^Ruby", "Ruby"),
        ("undici", "undici"),
    ),
    Reader.MONITORING: (
        ("^Blackbox Exporter", "Blackbox Exporter"),
        ("^ELB-HealthChecker", "ELB-HealthChecker"),
        ("^GoogleHC/", "GoogleHC"),
        ("^Consul Health Check", "Consul"),
        ("^kube-probe/", "kube-probe"),
    ),
}
"""Pairs of a pattern and the name of the agent, by class."""

KNOWN_AGENTS: Mapping[Reader, Sequence[tuple[str, str]]] = {
    reader: (*((name, name) for name in _NAMES.get(reader, "").split()), *pairs)
    for reader, pairs in _PATTERNS.items()
}
"""Pairs of a pattern and the name of the agent, by class. They precede the other list, and of two
that match the longer pattern wins, and a coding agent before the assistant that it belongs to."""
