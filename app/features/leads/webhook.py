"""Webhooks of leads: signed events, or for a CRM the bodies that a mapping describes.

The mapping is a YAML file with the shape of the body. In it stand placeholders, which are mappings:

- `{field: email}`: the value of a field of the lead, named as in the API. Further keys: `values`
  replaces values, `default` stands for a missing one, `prefix` is written before it.
- `{field: answers}`: the answers to a form of the site, one in a line, with their labels.
- `{fields: [name, company], join: ", "}`: several fields as one text.
- `{variable: CRM_TOKEN}`: an environment variable, so that no secret is in the file.
- `{literal: …}`: a value as it is, in case it looks like a placeholder.

What a lead has no value for is left out. Values never become part of a template text, so no lead
can change the shape of the body.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.features.leads.exports import FIELDS, fields_of
from app.features.leads.model import StoredLead
from app.features.leads.notices import LeadNotice, notice_of
from app.features.leads.store import LeadStore
from app.platform.deliveries.delivery import AttemptResult, Delivery
from app.platform.deliveries.http_client import WebhookSender
from knowledge.fields.value_problems import value_problem
from knowledge.fields.yaml import BoundedLoader
from knowledge.resources.base import Resource


class LeadWebhookSender:
    """Reads what a notice is about, and posts it."""

    def __init__(
        self,
        store: LeadStore,
        url: str,
        secret: str = "",
        mapping: LeadMapping | None = None,
        texts: Callable[[StoredLead], str] = lambda _: "",
    ) -> None:
        self._store = store
        self._texts = texts
        self._mapping = mapping
        self._webhook = WebhookSender(url, secret, headers=mapping.headers if mapping else None)

    async def aclose(self) -> None:
        """Close the HTTP client."""
        await self._webhook.aclose()

    async def send(self, delivery: Delivery, at: datetime) -> AttemptResult:
        """Post once; raises StoreUnavailable, so that it is sent when its lease has expired."""
        subject = await read_subject(self._store, delivery)
        if isinstance(subject, AttemptResult):
            return subject
        if isinstance(subject, Quarantined):
            body = quarantine_event(subject)
        elif self._mapping:
            fields = told_fields(subject)
            texts = {"answers": self._texts(subject), "products": subject.lead.product_list}
            given = {name: text for name, text in texts.items() if text}
            body = self._mapping.body_of({**fields, **given})
        else:
            body = lead_event(subject)
        return await self._webhook.send(replace(delivery, body=body), at)


@dataclass(frozen=True, slots=True)
class Quarantined:
    """The leads that were quarantined from `since` to `until`, as they are now."""

    since: datetime
    until: datetime
    count: int
    first: Sequence[StoredLead]


MOST_LISTED = 20


async def read_subject(
    store: LeadStore, delivery: Delivery
) -> StoredLead | Quarantined | AttemptResult:
    """Return what the notice of a delivery is about, or the result if nobody may be told of it."""
    notice = notice_of(delivery)
    if isinstance(notice, LeadNotice):
        stored = await store.get(notice.lead)
        return stored or AttemptResult(error="the lead was deleted or anonymised", final=True)
    first: list[StoredLead] = []
    count = 0
    async for each in store.all(quarantined=True, since=notice.since, until=notice.until):
        count += 1
        if len(first) < MOST_LISTED:
            first.append(each)
    if not count:
        return AttemptResult(error="no lead of that day is in quarantine any more", final=True)
    return Quarantined(notice.since, notice.until, count, first)


class LeadData(Resource):
    """The payload: the fields of a lead that have a value, named as in the API."""

    lead: Mapping[str, Any]


class LeadCreated(Resource):
    """The event of a lead; `timestamp` is when it was received."""

    type: Literal["lead.created"] = "lead.created"
    timestamp: datetime
    data: LeadData


class QuarantineData(Resource):
    """The payload: how many leads were quarantined within a time, and the first of them."""

    since: datetime
    until: datetime
    count: int = Field(ge=0)
    leads: Sequence[Mapping[str, Any]]


class LeadsQuarantined(Resource):
    """The event of the leads in quarantine; `timestamp` is the end of the time."""

    type: Literal["leads.quarantined"] = "leads.quarantined"
    timestamp: datetime
    data: QuarantineData


def told_fields(stored: StoredLead) -> Mapping[str, Any]:
    """Return what receivers are told of a lead that is not in quarantine."""
    return {name: value for name, value in fields_of(stored).items() if name != "quarantined"}


def lead_event(stored: StoredLead) -> bytes:
    """Return the body for a lead; the same lead has the same body in each attempt."""
    event = LeadCreated(timestamp=stored.received_at, data=LeadData(lead=told_fields(stored)))
    return event.model_dump_json().encode()


def quarantine_event(listed: Quarantined) -> bytes:
    """Return the body for leads in quarantine."""
    leads = [told_fields(stored) for stored in listed.first]
    data = QuarantineData(since=listed.since, until=listed.until, count=listed.count, leads=leads)
    return LeadsQuarantined(timestamp=listed.until, data=data).model_dump_json().encode()


_ABSENT = object()
"""The value of a placeholder whose field a lead does not have."""


class InvalidMapping(ValueError):
    """The file is no mapping; the message names the file, the place and the remedy."""


class _Placeholder(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Field(_Placeholder):
    field: str
    values: dict[str, Any] = Field(default_factory=dict)
    default: Any = _ABSENT
    prefix: str = ""

    def value(self, fields: Mapping[str, object]) -> Any:
        found = fields.get(self.field)
        if found is None:
            return self.default
        if str(found) in self.values:
            return self.values[str(found)]
        return f"{self.prefix}{found}" if self.prefix else found

    @property
    def names(self) -> Sequence[str]:
        return (self.field,)


class _Fields(_Placeholder):
    fields: list[str]
    join: str = " "

    def value(self, fields: Mapping[str, object]) -> Any:
        texts = [str(fields[name]) for name in self.fields if fields.get(name) is not None]
        return self.join.join(texts) if texts else _ABSENT

    @property
    def names(self) -> Sequence[str]:
        return self.fields


class _Variable(_Placeholder):
    variable: str
    prefix: str = ""


class _Literal(_Placeholder):
    literal: Any

    def value(self, _fields: Mapping[str, object]) -> Any:
        return self.literal

    names: Sequence[str] = ()


_PLACEHOLDERS: Mapping[str, type[_Placeholder]] = {
    "field": _Field,
    "fields": _Fields,
    "variable": _Variable,
    "literal": _Literal,
}
"""The kinds of placeholders, by the key of which each has one."""


@dataclass(frozen=True, slots=True)
class LeadMapping:
    """The shape of the body for each lead, and headers that are sent with it."""

    body: Any
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)  # may hold a token

    def body_of(self, fields: Mapping[str, object]) -> bytes:
        """Return the body for a lead with these fields, as JSON."""
        value = _filled(self.body, fields)
        return json.dumps(value, ensure_ascii=False).encode()


def read_mapping(path: Path, environment: Mapping[str, str]) -> LeadMapping:
    """Return the mapping in a file, with its variables replaced; raises InvalidMapping."""
    try:
        text = path.read_text(encoding="utf-8")
        parsed = yaml.load(text, BoundedLoader)  # noqa: S506  # of SafeLoader
    except (OSError, UnicodeError) as error:
        raise InvalidMapping(f"{path} cannot be read: {error}") from None
    except yaml.YAMLError as error:
        raise InvalidMapping(f"{path} is no YAML: {error}") from None
    reader = _Reader(path, environment)
    if not isinstance(parsed, dict) or "body" not in parsed:
        raise reader.error("", "write a mapping with `body`, and `headers` if needed")
    if unknown := set(parsed) - {"body", "headers"}:
        raise reader.error(str(min(unknown, key=str)), "there are only `body` and `headers`")
    return LeadMapping(reader.read(parsed["body"], "body"), reader.headers(parsed.get("headers")))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the values of one file, and names the place of what is wrong."""

    path: Path
    environment: Mapping[str, str]

    def error(self, place: str, problem: str) -> InvalidMapping:
        where = f" at {place}" if place else ""
        return InvalidMapping(f"{self.path}{where}: {problem}")

    def headers(self, value: Any) -> Mapping[str, str]:
        """Return the headers, of texts and variables only."""
        read = self.read(value or {}, "headers")
        if not isinstance(read, dict):
            raise self.error("headers", "write a mapping of names and values")
        for name, text in read.items():
            if not isinstance(text, str) or not (text.isascii() and text.isprintable()):
                raise self.error(f"headers.{name}", "use one line of ASCII text, or a variable")
            if not name.replace("-", "").isalnum() or not name.isascii():
                raise self.error(f"headers.{name}", "use letters, digits and hyphens")
        return read

    def read(self, value: Any, place: str) -> Any:
        """Return a value of the file with placeholders as objects, and variables replaced."""
        if isinstance(value, dict):
            if any(mark in value for mark in _PLACEHOLDERS):
                return self._placeholder(value, place)
            for key in value:
                if not isinstance(key, str):
                    raise self.error(place, f"the key {key!r} is no text; write it in quotes")
            return {key: self.read(each, f"{place}.{key}") for key, each in value.items()}
        if isinstance(value, list):
            return [self.read(each, f"{place}[{number}]") for number, each in enumerate(value)]
        if value is None or isinstance(value, str | int | float | bool):
            return value
        raise self.error(place, f"a {type(value).__name__} is no JSON; write it in quotes")

    def _placeholder(self, value: dict[str, Any], place: str) -> Any:
        """Return a placeholder, or the value of a variable."""
        mark = next(mark for mark in _PLACEHOLDERS if mark in value)
        try:
            placeholder: Any = _PLACEHOLDERS[mark].model_validate(value)
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(map(str, first["loc"]))
            raise self.error(
                f"{place}.{name}", f"{value_problem(first)}; see docs/leads.md"
            ) from None
        if isinstance(placeholder, _Variable):
            if not self.environment.get(placeholder.variable):
                problem = f"the environment variable {placeholder.variable} is not set"
                raise self.error(place, problem)
            return placeholder.prefix + self.environment[placeholder.variable]
        for name in placeholder.names:
            if name not in FIELDS:
                raise self.error(place, f"there is no field {name}; there are {', '.join(FIELDS)}")
        return placeholder


def _filled(value: Any, fields: Mapping[str, object]) -> Any:
    """Return a value with its placeholders replaced; what has no value is left out."""
    if isinstance(value, _Field | _Fields | _Literal):
        return value.value(fields)
    if isinstance(value, dict):
        filled = {key: _filled(each, fields) for key, each in value.items()}
        return {key: each for key, each in filled.items() if each is not _ABSENT}
    if isinstance(value, list):
        return [each for each in (_filled(each, fields) for each in value) if each is not _ABSENT]
    return value
