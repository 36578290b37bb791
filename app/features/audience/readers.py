"""Readers: the classes of agents that read the site."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


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
