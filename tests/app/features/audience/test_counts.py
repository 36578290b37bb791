"""Counts: what requests leave behind in memory, and that it is bounded and not personal."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from contract.visitor import NOW, FakeClock, Visitor
from live.server import environment

from app.features.audience.counting import Audience
from app.features.audience.model import (
    MAX_KEYS,
    Batch,
    MissedKey,
    PageKey,
    SearchKey,
    SignatureKey,
    Tally,
)
from app.services import Services
from app.web.pipeline.surfaces import OTHERS

GPT = {"User-Agent": "Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)"}
TODAY = NOW.date()


@pytest.fixture(scope="module")
def visitor() -> Iterator[Visitor]:
    """An application that counts its readers, with the sample content."""
    with Visitor(audience=True) as visitor:
        yield visitor


def counted(visitor: Visitor) -> Batch:
    """Take what was counted since the last time."""
    services: Services = visitor.quart.extensions["majlis"]
    assert services.part(Audience)
    return services.part(Audience).counts.take()


@pytest.fixture(autouse=True)
def begin_again(visitor: Visitor) -> None:
    """Forget what earlier tests have counted."""
    counted(visitor)


@pytest.mark.parametrize(
    ("target", "accept", "page", "form"),
    [
        ("/ae/en/erp", "text/html", "/ae/en/erp", "html"),
        ("/ae/en/erp?utm_source=x", "text/markdown", "/ae/en/erp", "markdown"),
        ("/ae/en/erp.md", "*/*", "/ae/en/erp", "markdown"),
        ("/ae/en/index.json", "*/*", "/ae/en", "json"),
        ("/api/public/v1/countries?lang=en", "*/*", "/api/public/v1/countries", "json"),
        ("/llms.txt", "*/*", "/llms.txt", "llms.txt"),
        ("/ae/en/llms-full.txt", "*/*", "/ae/en/llms-full.txt", "llms.txt"),
        ("/ae/en/blog/feed.xml", "*/*", "/ae/en/blog/feed.xml", "feed"),
        ("/robots.txt", "*/*", "/robots.txt", "other"),
        ("/robots.txt", "text/plain", "/robots.txt", "other"),
        ("/ae/en/erp", "text/plain", "/ae/en/erp", "markdown"),
        ("/developers.md", "*/*", "/developers", "markdown"),
    ],
)
def test_a_response_is_counted_by_page_form_and_reader(
    visitor: Visitor, target: str, accept: str, page: str, form: str
) -> None:
    """Once when it is made, and once more from the response cache."""
    for _ in range(2):
        assert visitor.get(target, {**GPT, "Accept": accept}).status == 200
    batch = counted(visitor)
    assert batch.pages == {PageKey(TODAY, page, form, 200, "ai-training"): 2}
    assert [*batch.agents.items()] == [((TODAY, "GPTBot", "ai-training", form), 2)]


def test_a_page_after_the_last_of_a_list_is_no_missing_page(visitor: Visitor) -> None:
    """The list is there; nobody needs to write or redirect it."""
    assert visitor.get("/ae/en/blog?page=99").status == 404
    assert counted(visitor).missed == {}


def test_a_304_has_the_form_that_the_page_would_have_had(visitor: Visitor) -> None:
    """It has no media type."""
    etag = visitor.get("/ae/en/erp", {"Accept": "text/markdown"}).headers["ETag"]
    counted(visitor)
    visitor.get("/ae/en/erp", {"Accept": "text/markdown", "If-None-Match": etag})
    assert [key[1:4] for key in counted(visitor).pages] == [("/ae/en/erp", "markdown", 304)]


def test_a_missing_page_is_counted_with_the_page_that_links_to_it(visitor: Visitor) -> None:
    """That is a path of this site, or only the host of another."""
    for referer in ("https://www.wahat.example/ae/en/erp?q=1", "https://chatgpt.com/c/12", ""):
        visitor.get("/ae/en/no-such-page", {**GPT, "Referer": referer})
    batch = counted(visitor)
    missed = {(key.path, key.origin) for key in batch.missed}
    assert missed == {
        ("/ae/en/no-such-page", origin) for origin in ("/ae/en/erp", "chatgpt.com", "")
    }
    assert {key.page for key in batch.pages} == {OTHERS}


@pytest.mark.parametrize(
    ("target", "channel"),
    [
        ("/ae/en/search?q={}", "site"),
        ("/ae/en/blog?search={}", "blog"),
        ("/api/public/v1/blog/posts?search={}", "blog"),
        ("/api/public/v1/search?q={}&country=ae&lang=en", "api"),
    ],
)
def test_a_search_is_counted_with_its_hits(visitor: Visitor, target: str, channel: str) -> None:
    """Also from the response cache; no response tells that it was counted."""
    for query in ("VAT", "VAT", "%20vat%20", "zzqqzz"):
        reply = visitor.get(target.format(query))
        assert reply.status == 200
        assert "Majlis-Search" not in reply.headers
    hits = {
        (key.channel, key.query, key.hits > 0): n for key, n in counted(visitor).searches.items()
    }
    assert hits == {(channel, "vat", True): 3, (channel, "zzqqzz", False): 1}


def test_a_search_is_counted_once_for_all_pages_of_its_results(visitor: Visitor) -> None:
    """Whoever turns the page has not searched again."""
    visitor.get("/ae/en/search?q=erp&page=2")
    assert not counted(visitor).searches


def test_a_search_that_the_client_has_already_is_counted(visitor: Visitor) -> None:
    """Its response is a 304, without the header of searches."""
    etag = visitor.get("/ae/en/search?q=payroll").headers["ETag"]
    reply = visitor.get("/ae/en/search?q=payroll", {"If-None-Match": etag})
    assert reply.status == 304
    assert "Majlis-Search" not in reply.headers
    assert sum(counted(visitor).searches.values()) == 2


@pytest.mark.parametrize(
    ("header", "signer"),
    [
        pytest.param('sig1="https://chatgpt.com"', "chatgpt.com", id="dictionary"),
        pytest.param('"https://Bot.Example/key?user=noor"', "bot.example", id="string"),
        pytest.param('a="https://a.example", b="https://b.example"', "a.example", id="two"),
        pytest.param("https://chatgpt.com", "unknown", id="no structured field"),
        pytest.param('sig1="data:application/json,{}"', "unknown", id="keys in the header"),
        pytest.param('sig1="https://[::1"', "unknown", id="no URL"),
        pytest.param('"https://203.0.113.9/"', "unknown", id="address"),
        pytest.param('"https://971501234567.example"', "(not kept)", id="number"),
        pytest.param('"https://' + "a." * 3_000 + 'example"', "unknown", id="very long"),
        pytest.param("", "unknown", id="empty"),
    ],
)
def test_a_claimed_signature_is_counted_by_its_host(
    visitor: Visitor, header: str, signer: str
) -> None:
    """Once more beside the response, with the agent that the request names besides."""
    visitor.get("/ae/en/erp", {**GPT, "Signature-Agent": header})
    batch = counted(visitor)
    assert batch.signatures == {SignatureKey(TODAY, signer, "GPTBot", "ai-training"): 1}
    assert sum(batch.agents.values()) == 1
    visitor.get("/ae/en/erp", GPT)
    assert counted(visitor).signatures == {}


def test_the_flood_of_signers_is_bounded() -> None:
    """All above the bound count together by class."""
    signatures = Tally[SignatureKey](limit=2)
    for number in range(9):
        signatures.add(SignatureKey(TODAY, f"{number}.example", "curl", "library"))
    assert signatures.numbers[SignatureKey(TODAY, OTHERS, OTHERS, "library")] == 7


PERSONAL = (
    ("/ae/en/search?q=noor%40example.com", "noor"),
    ("/ae/en/search?q=%2B971%2050%20123%204567", "123"),
    ("/ae/en/search?q=%D9%A0%D9%A5%D9%A0%D9%A1%D9%A2%D9%A3%D9%A4%D9%A5%D9%A6%D9%A7", "٠٥٠"),
    ("/ae/en/noor@example.com", "noor"),
    ("/ae/en/971501234567", "97150"),
    ("/ae/en/erp?email=noor@example.com", "noor"),
    ("/preview/abc.0123456789abcdefghijABCDEFGHIJ0123456789xyz", "abcdefghij"),
    ("/preview/0123456789-abcdefghijABCDEFGHIJ-0123456789xyz", "abcdefghij"),
    ("/api/orders/SO-1001-noor", "noor"),
)


@pytest.mark.parametrize(("target", "personal"), PERSONAL)
def test_nothing_personal_is_kept(visitor: Visitor, target: str, personal: str) -> None:
    """Neither addresses nor cookies, no e-mail address, no telephone number, no token, no query."""
    headers = {
        "User-Agent": "curl/8 noor@example.com 198.51.100.7",
        "Cookie": "session=noor",
        "Referer": "https://noor:secret@www.wahat.example/u/noor@example.com?name=noor",
        "X-Forwarded-For": "198.51.100.7",
        "Authorization": "Bearer noor",
    }
    visitor.ask("GET", target, headers, peer="203.0.113.9")
    batch = counted(visitor)
    kept = repr([*batch.pages, *batch.agents, *batch.missed, *batch.searches])
    for secret in (personal, "noor", "secret", "198.51.100", "203.0.113", "session", "curl/8"):
        assert secret not in kept
    assert batch.total >= 1


def test_memory_is_bounded_against_floods() -> None:
    """Of random paths, agents and queries all above the bound count together."""
    missed, searches = Tally[MissedKey](), Tally[SearchKey]()
    for number in range(2 * MAX_KEYS):
        missed.add(MissedKey(TODAY, f"/{number}", f"{number}.example", "unknown"))
        searches.add(SearchKey(TODAY, "site", f"{number}", number % 3))
    assert sum(missed.numbers.values()) == sum(searches.numbers.values()) == 2 * MAX_KEYS
    assert len(missed.numbers) == MAX_KEYS + 1
    assert len(searches.numbers) == MAX_KEYS + 2
    assert missed.numbers[MissedKey(TODAY, OTHERS, "", "unknown")] == MAX_KEYS


def test_each_day_counts_for_itself() -> None:
    """The day is that of UTC at the response."""
    clock = FakeClock()
    with Visitor(clock, audience=True) as visitor:
        visitor.get("/robots.txt")
        clock.move(timedelta(days=1))
        visitor.get("/robots.txt")
        days = {key.day for key in counted(visitor).pages}
    assert days == {TODAY, TODAY + timedelta(days=1)}


def test_a_stop_loses_nothing(tmp_path: Path) -> None:
    """What came since the last write is written."""
    url = f"sqlite:///{tmp_path}/majlis.db"
    with Visitor(audience=True, audience_write_seconds=3_600, database_url=url) as visitor:
        visitor.get("/robots.txt", GPT)
    with closing(sqlite3.connect(tmp_path / "majlis.db")) as connection:
        rows = connection.execute("SELECT agent, number FROM audience_agents").fetchall()
    assert rows == [("GPTBot", 1)]


def test_the_metrics_count_forms_classes_and_searches(visitor: Visitor) -> None:
    """With few labels: no page, no agent, no words. They go on counting after a write."""
    services: Services = visitor.quart.extensions["majlis"]
    assert services.part(Audience)

    def samples() -> dict[tuple[str, ...], float]:
        assert services.part(Audience)
        found = services.part(Audience).counts.metrics_samples()
        return {(family.name, *labels): number for family, labels, number in found}

    reads = ("majlis_audience_reads", "markdown", "ai-training")
    vain = ("majlis_audience_searches_in_vain", "site")
    before = samples()
    visitor.get("/ae/en/erp.md", GPT)
    counted(visitor)
    visitor.get("/ae/en/erp.md", GPT)
    visitor.get("/ae/en/search?q=qqzzqq")
    after = samples()
    assert after[reads] - before.get(reads, 0) == 2
    assert after[vain] - before.get(vain, 0) == 1


@pytest.mark.parametrize(
    "target",
    [
        "/ae/en/erp",
        "/ae/en/search?q=vat",
        "/ae/en/blog?search=vat",
        "/ae/en/nope",
        "/llms.txt",
        "/",
    ],
)
def test_counting_changes_no_answer(visitor: Visitor, sample: Visitor, target: str) -> None:
    """Neither a header nor a byte."""
    for _ in range(2):
        counting, plain = visitor.get(target), sample.get(target)
        assert (counting.status, counting.body) == (plain.status, plain.body)
        assert [*counting.headers] == [*plain.headers]


def test_an_answer_does_not_depend_on_the_agent(visitor: Visitor) -> None:
    """Readers are counted, and answered as before."""
    plain = visitor.get("/ae/en/erp", {"Accept": "*/*"})
    for agent in ("GPTBot/1.3", "curl/8", "Claude-User (claude-code/2.1.86)"):
        reply = visitor.get("/ae/en/erp", {"Accept": "*/*", "User-Agent": agent})
        assert (reply.status, reply.body) == (plain.status, plain.body)
        assert [*reply.headers] == [*plain.headers]


def test_switched_off_it_costs_nothing() -> None:
    """No task runs, and the patterns of agents are not even read."""
    program = (
        "import sys; from app import factory; from app.settings import Settings;"
        "app = factory.create_app(Settings(_env_file=None));"
        "print(*(name for name, _ in factory._background_tasks(app.extensions['majlis'])));"
        "sys.exit('crawleruseragents' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env=environment(),
        check=True,
    )
    assert "watch" in ran.stdout
    assert "audience" not in ran.stdout
