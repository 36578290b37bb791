"""robots.txt, read by two crawlers' parsers: who may fetch what, and what for."""

from __future__ import annotations

from urllib.robotparser import RobotFileParser

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import BASE_URL, Reply, Visitor
from crawleruseragents import CRAWLER_USER_AGENTS_DATA
from gulf import all_locales
from protego import Protego

from app.features.audience.classification import KNOWN_AGENTS, Classifier, _name_of
from app.features.audience.model import Agent, Reader
from llms import content_usage
from llms.well_known import GOOGLE_EXTENDED, SEARCH_CRAWLERS, TRAINING_CRAWLERS, USER_FETCHERS

READERS = (
    *("*", "Googlebot", "Applebot", "bingbot", GOOGLE_EXTENDED),
    *(*SEARCH_CRAWLERS, *USER_FETCHERS),
)
ROOTS = ("", *(locale.path for locale in all_locales()))
OWN = ("/cart", "/cart/1", "/checkout", "/account")
"""Of a customer: private at the root and under each locale."""

FOLDERS = ("/api/admin/users", "/cms/api/x")
PRIVATE = (*(root + path for root in ROOTS for path in OWN), *FOLDERS)
PUBLIC = (
    *(f"{root}/erp" for root in ROOTS),
    *("/", "/llms.txt", "/sitemap.xml", "/ae/en/erp.md", "/api/public/v1/pages"),
)
SIGNALS = ("Content-Signal", "Content-Usage")


def rules(visitor: Visitor) -> Protego:
    """Parse the robots.txt of the visitor's service, as Scrapy does."""
    return Protego.parse(visitor.get("/robots.txt").text)


def simple_rules(visitor: Visitor) -> RobotFileParser:
    """Parse it as Python does: the first rule wins, and there are no wildcards."""
    parser = RobotFileParser()
    parser.parse(visitor.get("/robots.txt").text.splitlines())
    return parser


def signals(reply: Reply) -> tuple[str | None, ...]:
    """Return what the headers of a response allow to use it for."""
    return tuple(reply.headers.get(name) for name in SIGNALS)


@cases("crawler", READERS)
def test_readers_may_fetch_what_is_public_and_nothing_private(
    sample: Visitor, crawler: str
) -> None:
    """Everyone, assistants that search, and those that fetch a page for the person they talk to."""
    robots, simple = rules(sample), simple_rules(sample)
    assert [path for path in PUBLIC if not robots.can_fetch(BASE_URL + path, crawler)] == []
    assert [path for path in PUBLIC if not simple.can_fetch(crawler, BASE_URL + path)] == []
    assert [path for path in PRIVATE if simple.can_fetch(crawler, BASE_URL + path)] == []
    folders = [root + path for root in ROOTS for path in FOLDERS]
    assert [
        path for path in (*PRIVATE, *folders) if robots.can_fetch(BASE_URL + path, crawler)
    ] == []


@cases("crawler", TRAINING_CRAWLERS)
def test_crawlers_that_train_models_may_fetch_nothing_while_training_is_forbidden(
    sample: Visitor, crawler: str
) -> None:
    """As it is by default."""
    robots, simple = rules(sample), simple_rules(sample)
    assert [path for path in PUBLIC if robots.can_fetch(BASE_URL + path, crawler)] == []
    assert [path for path in PUBLIC if simple.can_fetch(crawler, BASE_URL + path)] == []


@pytest.mark.parametrize("signal", ["ai-train=yes", "search=yes"])
def test_else_they_may_fetch_what_others_may(visit: Visit, signal: str) -> None:
    """A site that does not say no allows it."""
    robots = rules(visit({"pages/x.md": "---\ntitle: X\n---\n"}, content_signal=signal))
    for crawler in (*TRAINING_CRAWLERS, GOOGLE_EXTENDED, "ChatGPT-User", "*"):
        assert robots.can_fetch(f"{BASE_URL}/ae/en/x", crawler)
        assert not robots.can_fetch(f"{BASE_URL}/api/admin/x", crawler)


@pytest.mark.parametrize(
    ("signal", "is_kept_out"),
    [
        pytest.param("ai-input=yes, ai-train=no", False, id="answers are allowed"),
        pytest.param("ai-train=no", False, id="answers are not forbidden"),
        pytest.param("ai-input=no, ai-train=yes", False, id="training is allowed"),
        pytest.param("ai-input=no, ai-train=no", True, id="neither is allowed"),
    ],
)
def test_google_extended_is_kept_out_if_neither_of_its_uses_is_allowed(
    visit: Visit, signal: str, *, is_kept_out: bool
) -> None:
    """It governs training and answers of Gemini at once; other crawlers that train do not."""
    robots = rules(visit({"pages/x.md": "---\ntitle: X\n---\n"}, content_signal=signal))
    assert robots.can_fetch(f"{BASE_URL}/ae/en/x", GOOGLE_EXTENDED) is not is_kept_out
    assert robots.can_fetch(f"{BASE_URL}/ae/en/x", "GPTBot") is ("ai-train=no" not in signal)


def test_crawlers_that_train_models_are_known(sample: Visitor) -> None:
    """Those that the lists of such crawlers name, whose operators say that they obey."""
    robots = rules(sample)
    named = ("cohere-training-data-crawler", "img2dataset", "LAIONDownloader", "omgili")
    others = ("cohere-ai", "Timpibot", "PanguBot", "DeepSeekBot", "Kangaroo Bot")
    for crawler in (*named, *others, "ICC-Crawler", "Diffbot", "GPTBot", "Applebot-Extended"):
        assert not robots.can_fetch(f"{BASE_URL}/ae/en/erp", crawler)


NOT_KEPT_OUT = """
    newsai Anomura ApifyBot ApifyWebsiteContentCrawler Brightbot Claude-Web FacebookBot
    FirecrawlAgent ShapBot TikTokSpider
    imageSpider laion-huggingface-processor Spiderspider.com ExteContextCrawl Flyriverbot crawl4ai
    KunatoCrawler TerraCotta HenkBot semantic-visions TaraGroup_Intelligent_Bot Thinkbot
    TSM-turingos KendraBot Google-CloudVertexBot ImageMind Novellum linkReader Spawning-AI
    The_Knowledge_AI Google-Extended
"""
"""AI crawlers of the data that are tools, retired, of several purposes, or of no stated one."""


def test_every_ai_crawler_of_the_kept_data_is_decided() -> None:
    """A new one is kept out, reads, or is named here, before the data that has it is used."""
    classifier = Classifier()
    readers = {Reader.AI_SEARCH, Reader.AI_ASSISTANT, Reader.CODING_AGENT}
    tagged = [
        Agent(_name_of(entry["pattern"]), Reader.AI_TRAINING)
        for entry in CRAWLER_USER_AGENTS_DATA
        if "ai-crawler" in entry["tags"]
    ]
    found = {agent.name: classifier.agent_of(agent.name.encode()) for agent in tagged}
    undecided = {
        name
        for name, agent in found.items()
        if agent.reader not in readers and agent.name not in TRAINING_CRAWLERS
    }
    assert {name.replace(" ", "_") for name in undecided} == set(NOT_KEPT_OUT.split())
    kept_out = {agent.reader for agent in found.values() if agent.name in TRAINING_CRAWLERS}
    assert kept_out == {Reader.AI_TRAINING}


def test_the_agents_are_of_the_classes_in_which_they_are_counted() -> None:
    """One that searches or answers a person is never kept out as one that trains."""
    named = {
        reader: {name for _, name in KNOWN_AGENTS[reader]}
        for reader in (Reader.AI_TRAINING, Reader.AI_SEARCH, Reader.AI_ASSISTANT)
    }
    assert {*TRAINING_CRAWLERS, GOOGLE_EXTENDED} <= named[Reader.AI_TRAINING]
    others = named[Reader.AI_SEARCH] | named[Reader.AI_ASSISTANT]
    assert {*SEARCH_CRAWLERS, *USER_FETCHERS} <= others


def test_the_file_is_small_and_has_only_directives_that_checkers_know(visit: Visit) -> None:
    """At most 2 kB for twelve locales with a shop; Lighthouse calls others unknown directives."""
    product = "---\nid: 1\ntitle: P\n---\nText.\n"
    reply = visit({"products/p.md": product}, mcp=True).get("/robots.txt")
    assert len(reply.body) <= 2_000
    lines = [line for line in reply.text.splitlines() if line and not line.startswith("#")]
    names = {line.partition(":")[0] for line in lines}
    assert names == {"User-agent", "Content-Signal", "Allow", "Disallow", "Sitemap"}


def test_the_content_signal_stands_once_in_the_group_of_readers(visit: Visit) -> None:
    """With no empty line in the group, at which some parsers end it; without a signal, no line."""
    page = {"pages/x.md": "---\ntitle: X\n---\n"}
    groups = visit(page).get("/robots.txt").text.split("\n\n")
    (readers,) = (group.splitlines() for group in groups if "User-agent: *" in group.splitlines())
    (signal,) = (group for group in groups if "Content-Signal:" in group)
    assert signal.splitlines() == readers
    assert "Content-Signal: search=yes, ai-input=yes, ai-train=no" in readers
    assert "Content-Signal" not in visit(page, content_signal="").get("/robots.txt").text


@pytest.mark.parametrize("crawler", ["*", "ChatGPT-User"])
def test_a_public_path_that_starts_like_a_private_one_is_allowed(
    visit: Visit, crawler: str
) -> None:
    """`/ae/en/accounting` is a page, `/ae/en/account` is not."""
    product = "---\nid: 1\ntitle: P\n---\nText.\n"
    page = "---\ntitle: A\n---\nText.\n"
    robots = rules(visit({"pages/accounting.md": page, "products/p.md": product}))
    assert robots.can_fetch(f"{BASE_URL}/ae/en/accounting", crawler)
    assert not robots.can_fetch(f"{BASE_URL}/ae/en/account", crawler)
    assert not robots.can_fetch(f"{BASE_URL}/ae/en/account/1", crawler)


def test_the_sitemap_is_listed_once(sample: Visitor) -> None:
    """Its URL is absolute."""
    assert list(rules(sample).sitemaps) == [f"{BASE_URL}/sitemap.xml"]


@pytest.mark.parametrize(
    ("signal", "usage"),
    [
        pytest.param("search=yes, ai-input=yes, ai-train=no", "train-ai=n, search=y", id="default"),
        pytest.param("AI-Train = NO", "train-ai=n", id="upper case and spaces"),
        pytest.param("search=no", "search=n", id="search only"),
        pytest.param("ai-input=yes", None, id="no category of AIPREF"),
        pytest.param("x-search=yes, research=no, search=maybe", None, id="other words"),
    ],
)
def test_content_usage_tells_what_content_signal_tells(
    visit: Visit, signal: str, usage: str | None
) -> None:
    """In the headers of pages, markdown and robots.txt; there in a comment and a directive too."""
    site = visit({"pages/x.md": "---\ntitle: X\n---\nText.\n"}, content_signal=signal)
    assert content_usage(signal) == usage
    for path in ("/ae/en/x", "/ae/en/x.md", "/llms.txt", "/developers.md", "/robots.txt"):
        assert signals(site.get(path)) == (signal, usage)
    assert signals(site.get("/ae/en/x.json")) == (None, None)
    lines = site.get("/robots.txt").text.splitlines()
    assert [line for line in lines if line.startswith("Content-Signal")] == [
        f"Content-Signal: {signal}"
    ]
    comments = [f"# Content-Usage: {usage}"] if usage else []
    assert [line for line in lines if line.startswith("#")] == comments


def test_the_settings_name_private_paths(visit: Visit) -> None:
    """With the reason of each, in place of those of a shop, whose addresses are then ordinary."""
    reason = "{en: what members see, ar: ما يراه الأعضاء}"
    visitor = visit(
        {
            "pages/account.md": "---\ntitle: Open an account\n---\nText.\n",
            "pages/portal-guide.md": "---\ntitle: Guide\n---\nText.\n",
            "pages/portal-guide.ar.md": "---\ntitle: الدليل\n---\nنص الدليل.\n",
            "products/p.md": "---\nid: 1\ntitle: P\n---\nText.\n",
            "site/settings.md": f"---\nprivatePaths: {{/portal: {reason}}}\n---\n",
        }
    )
    robots, arabic = rules(visitor), visitor.get("/ae/ar/llms.txt").text
    for path, may_fetch in {"portal": False, "portal-guide": True, "account": True}.items():
        for crawler in ("*", "ChatGPT-User"):
            assert robots.can_fetch(f"{BASE_URL}/ae/en/{path}", crawler) is may_fetch
        assert (f"/ae/en/{path}.md" in visitor.get("/ae/en/llms.txt").text) is may_fetch
    assert "- `/portal`: ما يراه الأعضاء\n" in arabic
    assert "cart" not in arabic + visitor.get("/robots.txt").text
