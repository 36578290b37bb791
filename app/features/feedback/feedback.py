"""Feedback: the fields of a report about a page, their limits, and the report as stored."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints

from app.platform.field_errors import SubmittedFields
from knowledge.resources.base import PATH_KEYWORD, Resource

Kind = Literal["wrong", "outdated", "missing", "unclear", "broken", "translation", "other"]

MAX_PATH = 2_048
MAX_MESSAGE = 2_000


class Feedback(SubmittedFields, Resource):
    """A report that something is wrong with a page; unknown fields are ignored."""

    model_config = ConfigDict(strict=True, populate_by_name=False)

    path: Annotated[str, StringConstraints(pattern=r"^/[^\x00]*$")] = Field(
        max_length=MAX_PATH,
        description="Site path of the page; `#` and the id of a heading name a section. Its URL on"
        " this site is accepted too.",
        json_schema_extra={PATH_KEYWORD: "/pricing"},
    )
    message: Annotated[str, StringConstraints(pattern=r"^[^\x00]*[^\s\x00][^\x00]*$")] = Field(
        max_length=MAX_MESSAGE,
        description="What is wrong, and what would be right.",
        examples=["The price of the Growth plan is last year's."],
    )
    kind: Kind = Field("other", description="What is wrong with the page.", examples=["outdated"])

    @property
    def digest(self) -> str:
        """SHA-256 of the content, in hexadecimal; used to detect duplicates."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class StoredFeedback:
    """A report with its id and its time of receipt."""

    id: str
    received_at: datetime
    feedback: Feedback
