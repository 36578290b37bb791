"""Classification: real User-Agent strings, and the agents that they are."""

from __future__ import annotations

import re

from cases import cases
from crawleruseragents import CRAWLER_USER_AGENTS_DATA

from app.features.audience.classification import UNKNOWN, UNNAMED, Classifier, patterns
from app.features.audience.model import Agent, Reader

AGENTS = Classifier()
CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
BOT = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; "


@cases(
    ("header", "name", "reader"),
    [
        (f"{CHROME}Chrome/142.0.0.0 Safari/537.36", "Chrome", Reader.BROWSER),
        (f"{CHROME}Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0", "Edge", Reader.BROWSER),
        (
            "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
            "Firefox",
            Reader.BROWSER,
        ),
        (
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15"
                " (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
            ),
            "Safari",
            Reader.BROWSER,
        ),
        (
            (
                "Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko)"
                " SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36"
            ),
            "Samsung Internet",
            Reader.BROWSER,
        ),
        (
            "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
            "Googlebot",
            Reader.SEARCH_ENGINE,
        ),
        (f"{BOT}bingbot/2.0; +http://www.bing.com/bingbot.htm)", "bingbot", Reader.SEARCH_ENGINE),
        (f"{BOT}GPTBot/1.3; +https://openai.com/gptbot)", "GPTBot", Reader.AI_TRAINING),
        (f"{BOT}ClaudeBot/1.0; +claudebot@anthropic.com)", "ClaudeBot", Reader.AI_TRAINING),
        ("CCBot/2.0 (https://commoncrawl.org/faq/)", "CCBot", Reader.AI_TRAINING),
        (
            "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
            "meta-externalagent",
            Reader.AI_TRAINING,
        ),
        (
            f"{BOT}OAI-SearchBot/1.3; +https://openai.com/searchbot)",
            "OAI-SearchBot",
            Reader.AI_SEARCH,
        ),
        (
            f"{BOT}PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)",
            "PerplexityBot",
            Reader.AI_SEARCH,
        ),
        (
            (
                "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0;"
                " +https://openai.com/bot"
            ),
            "ChatGPT-User",
            Reader.AI_ASSISTANT,
        ),
        (
            f"{BOT}Claude-User/1.0; +Claude-User@anthropic.com)",
            "Claude-User",
            Reader.AI_ASSISTANT,
        ),
        ("openai-mcp/1.0.0", "openai-mcp", Reader.AI_ASSISTANT),
        (
            "Mozilla/5.0 (compatible; GoogleAgent-URLContext)",
            "GoogleAgent-URLContext",
            Reader.AI_ASSISTANT,
        ),
        (
            "Claude-User (claude-code/2.1.86; +https://support.anthropic.com/)",
            "Claude Code",
            Reader.CODING_AGENT,
        ),
        ("claude-cli/2.0.0 (external, claude-vscode)", "Claude Code", Reader.CODING_AGENT),
        ("Cursor/2.1.0", "Cursor", Reader.CODING_AGENT),
        ("opencode-smartfetch/1.0", "opencode", Reader.CODING_AGENT),
        (
            f"{CHROME}Code/1.115.0 Chrome/142.0.7444.265 Electron/39.8.5 Safari/537.36",
            "Visual Studio Code",
            Reader.CODING_AGENT,
        ),
        ("curl/8.14.1", "curl", Reader.LIBRARY),
        ("python-httpx/0.28.1", "httpx", Reader.LIBRARY),
        ("axios/1.8.4", "axios", Reader.LIBRARY),
        ("node", "Node.js", Reader.LIBRARY),
        ("undici", "undici", Reader.LIBRARY),
        ("Python/3.12 aiohttp/3.12.15", "aiohttp", Reader.LIBRARY),
        (f"{CHROME}HeadlessChrome/142.0.0.0 Safari/537.36", "HeadlessChrome", Reader.LIBRARY),
        ("kube-probe/1.33", "kube-probe", Reader.MONITORING),
        (
            "Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
            "UptimeRobot",
            Reader.MONITORING,
        ),
        (
            "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
            "facebookexternalhit",
            Reader.OTHER,
        ),
        ("WhatsApp/2.23.20.0", "WhatsApp", Reader.OTHER),
        ("nodemon-of-noor/1.0", "unknown", Reader.UNKNOWN),
        ("Mozilla/5.0 (compatible; SomethingNew/1.0; +https://new.example)", "unknown", "unknown"),
        ("", "none", Reader.UNKNOWN),
    ],
)
def test_an_agent_is_known_by_its_header(header: str, name: str, reader: Reader) -> None:
    """Its name is that of a list, and one that no list knows stays unknown."""
    assert AGENTS.agent_of(header.encode()) == Agent(name, reader)


def test_every_example_of_the_list_is_found() -> None:
    """Looking patterns up by their first letters finds what trying all of them would find."""
    for entry in CRAWLER_USER_AGENTS_DATA:
        for header in entry["instances"]:
            found = {pattern.expression for pattern in AGENTS._matching(header)}
            assert entry["pattern"] in found or len(header) > 512, header


def test_names_are_those_of_the_lists() -> None:
    """They are short, readable, and hold nothing of a request."""
    for pattern in patterns():
        assert re.fullmatch(r"[\w .\-!/'&:@;,#+]{2,64}", pattern.agent.name), pattern


def test_a_long_header_is_read_to_a_bound() -> None:
    """Neither its time nor its memory grows with it."""
    assert AGENTS.agent_of(b"x" * 600 + b"GPTBot") == UNKNOWN
    assert AGENTS.agent_of(b"  ") == UNNAMED
