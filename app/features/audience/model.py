"""The model of the audience: readers, and the counts of what they read, in memory and bounded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

from app.features.audience import AUDIENCE_READS, AUDIENCE_SEARCHES, AUDIENCE_SEARCHES_IN_VAIN
from app.platform.observability.metrics import Sample
from app.web.pipeline.surfaces import OTHERS


class Reader(StrEnum):
    """What an agent reads for."""

    BROWSER = "browser"
    """A person with a browser."""
    SEARCH_ENGINE = "search-engine"
    AI_TRAINING = "ai-training"
    """Collects texts from which models learn, or data for them."""
    AI_SEARCH = "ai-search"
    """Fills the index of a search that answers with a model."""
    AI_ASSISTANT = "ai-assistant"
    """Fetches a page because a person asks an assistant for something."""
    CODING_AGENT = "coding-agent"
    MCP_CLIENT = "mcp-client"
    """Calls tools at `/mcp` under a name of its own."""
    MONITORING = "monitoring"
    LIBRARY = "library"
    """A program that only tells the library or the automated browser with which it was written."""
    OTHER = "other"
    """A known agent of another purpose, such as link previews, feeds or optimization of sites."""
    UNKNOWN = "unknown"


class Agent(NamedTuple):
    """An agent by its name in the lists, such as `GPTBot`; never what a request sent."""

    name: str
    reader: Reader


MAX_KEYS = 10_000
"""How many different things are counted in memory at a time; all others count together."""


class PageKey(NamedTuple):
    """Responses of a page in one form to one class of readers."""

    day: date
    page: str
    form: str
    status: int
    reader: str

    def merged(self) -> PageKey:
        """Return the key of all other pages."""
        return self._replace(page=OTHERS)


class AgentKey(NamedTuple):
    """Responses to an agent in one form."""

    day: date
    agent: str
    reader: str
    form: str

    def merged(self) -> AgentKey:
        """Return the key of all other agents of the class."""
        return self._replace(agent=OTHERS)


class MissedKey(NamedTuple):
    """Requests for a path at which there is no page, and where the link to it stood."""

    day: date
    path: str
    origin: str
    reader: str

    def merged(self) -> MissedKey:
        """Return the key of all other paths."""
        return self._replace(path=OTHERS, origin="")


class SearchKey(NamedTuple):
    """Searches for the same words with the same number of hits."""

    day: date
    channel: str
    query: str
    hits: int

    def merged(self) -> SearchKey:
        """Return the key of all other searches that found something, or nothing."""
        return self._replace(query=OTHERS, hits=min(self.hits, 1))


class SignatureKey(NamedTuple):
    """Responses to requests that claim to be signed, by whom, and what their User-Agent says."""

    day: date
    signer: str
    agent: str
    reader: str

    def merged(self) -> SignatureKey:
        """Return the key of all other signers of the class."""
        return self._replace(signer=OTHERS, agent=OTHERS)


ReadKey = tuple[date, str, str, int, Agent]
"""Day, page, form, status and agent of a response: a plain tuple, as each request makes one."""

AnyKey = TypeVar("AnyKey", PageKey, AgentKey, MissedKey, SearchKey, SignatureKey)
"""What is counted, beginning with the day in UTC."""


class Tally(Generic[AnyKey]):
    """A bounded number of counters."""

    def __init__(self, limit: int = MAX_KEYS) -> None:
        self._limit = limit
        self.numbers: dict[AnyKey, int] = {}

    def add(self, key: AnyKey, number: int = 1) -> None:
        """Add to a counter."""
        before = self.numbers.get(key)
        if before is None:
            if len(self.numbers) >= self._limit:
                key = key.merged()
            before = self.numbers.get(key, 0)
        self.numbers[key] = before + number

    def add_all(self, numbers: Mapping[AnyKey, int]) -> None:
        """Add to several counters."""
        for key, number in numbers.items():
            self.add(key, number)


@dataclass(frozen=True, slots=True)
class Batch:
    """Counts that have yet to be written."""

    pages: Mapping[PageKey, int]
    agents: Mapping[AgentKey, int]
    missed: Mapping[MissedKey, int]
    searches: Mapping[SearchKey, int]
    signatures: Mapping[SignatureKey, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """The number of responses and searches in it."""
        return sum(self.pages.values()) + sum(self.searches.values())


class Counts:
    """The counts of one process."""

    def __init__(self) -> None:
        self._reads: dict[ReadKey, int] = {}
        self._pages = Tally[PageKey]()
        self._agents = Tally[AgentKey]()
        self._missed = Tally[MissedKey]()
        self._searches = Tally[SearchKey]()
        self._signatures = Tally[SignatureKey]()
        self._read_totals: dict[tuple[str, str], int] = {}
        self._search_totals: dict[tuple[str, bool], int] = {}

    def read(self, day: date, page: str, form: str, status: int, agent: Agent) -> None:
        """Count a response."""
        reads, key = self._reads, (day, page, form, status, agent)
        if key not in reads and len(reads) >= MAX_KEYS:
            key = (day, OTHERS, form, status, agent)
        reads[key] = reads.get(key, 0) + 1

    def missed(self, key: MissedKey) -> None:
        """Count a request for a path without page."""
        self._missed.add(key)

    def search(self, key: SearchKey) -> None:
        """Count a search."""
        self._searches.add(key)
        total = key.channel, key.hits == 0
        self._search_totals[total] = self._search_totals.get(total, 0) + 1

    def signature(self, key: SignatureKey) -> None:
        """Count a request that claims to be signed."""
        self._signatures.add(key)

    def take(self) -> Batch:
        """Return all counts, and begin again."""
        self._divide_reads()
        batch = Batch(
            self._pages.numbers,
            self._agents.numbers,
            self._missed.numbers,
            self._searches.numbers,
            self._signatures.numbers,
        )
        self._pages, self._agents = Tally(), Tally()
        self._missed, self._searches, self._signatures = Tally(), Tally(), Tally()
        return batch

    def put_back(self, batch: Batch) -> None:
        """Add the counts of a batch that could not be written."""
        self._pages.add_all(batch.pages)
        self._agents.add_all(batch.agents)
        self._missed.add_all(batch.missed)
        self._searches.add_all(batch.searches)
        self._signatures.add_all(batch.signatures)

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield what was counted since the start, without pages, agents and words."""
        self._divide_reads()
        for (form, reader), number in self._read_totals.items():
            yield AUDIENCE_READS, (form, reader), number
        for channel in {channel for channel, _ in self._search_totals}:
            in_vain = self._search_totals.get((channel, True), 0)
            found = self._search_totals.get((channel, False), 0)
            yield AUDIENCE_SEARCHES, (channel,), found + in_vain
            yield AUDIENCE_SEARCHES_IN_VAIN, (channel,), in_vain

    def _divide_reads(self) -> None:
        """Count the reads by page and by agent; doing so for each would take longer."""
        reads, self._reads = self._reads, {}
        for (day, page, form, status, agent), number in reads.items():
            self._pages.add(PageKey(day, page, form, status, agent.reader.value), number)
            self._agents.add(AgentKey(day, agent.name, agent.reader.value, form), number)
            total = form, agent.reader.value
            self._read_totals[total] = self._read_totals.get(total, 0) + number
