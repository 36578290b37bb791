"""Extensions: the types of which features give instances, and what web asks of them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from app.platform.limits.rate_limits import Bucket
from app.web.openapi.operation import Tag
from app.web.pipeline import PipelineLayer
from knowledge.locales.locale import Locales
from knowledge.resources.errors import MajlisError
from knowledge.snapshot.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class AddedLayer:
    """A layer of the pipeline, next to another one on its way to the handler."""

    layer: type[PipelineLayer]
    inside: type[PipelineLayer]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractPart:
    """What the OpenAPI document says besides the operations of routes.

    `error_examples` are errors whose message is the example of a status. `buckets` are the limits
    of the feature for the manual, and `apis` the roots of its own APIs, for the API catalog, with
    the path of the status of each. `paths` returns the paths with the tag, if there are some that
    are no operations of the API. The operations with `own_tags`, and the sentence for the
    introduction, are left out where they are not useful.
    """

    error_examples: Mapping[int, MajlisError] = field(default_factory=dict)
    buckets: tuple[Bucket, ...] = ()
    apis: Mapping[str, str] = field(default_factory=dict)
    security_schemes: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    tag: Tag | None = None
    paths: Callable[[Locales], dict[str, Any]] | None = None
    schemas: Mapping[str, Any] = field(default_factory=dict)
    introduction: str = ""
    own_tags: tuple[str, ...] = ()
    is_useful: Callable[[Snapshot], bool] = lambda _: True


class WebhookReceivers(NamedTuple):
    """The operator has set receivers of webhooks, which get what the name says."""

    name: str


class Channel(StrEnum):
    """Where a search was made."""

    SITE = "site"
    BLOG = "blog"
    API = "api"
    MCP = "mcp"


class SearchCounter(ABC):
    """Counts searches; a service that counts no readers has none."""

    @abstractmethod
    def count_search(self, channel: Channel, query: str, hits: int) -> None:
        """Count a search and the number of its hits."""


class FirstSeen(ABC):
    """Knows when the service has first seen pages as they are."""

    @abstractmethod
    async def seen_at(self, pattern: str) -> Mapping[str, datetime]:
        """Return the time of each page by its slug; raises StoreUnavailable."""
