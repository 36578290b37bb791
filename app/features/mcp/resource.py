"""Resources: texts of the site that agents read by their URI."""

from __future__ import annotations

from dataclasses import dataclass


class UnknownResource(Exception):
    """There is no resource of a URI; the text says what to do."""


@dataclass(frozen=True, slots=True)
class ResourceEntry:
    """A resource in the list of resources."""

    uri: str
    name: str
    title: str
    description: str
    media_type: str


@dataclass(frozen=True, slots=True)
class ResourceTemplate:
    """The URIs of many resources, as a template (RFC 6570)."""

    uri_template: str
    name: str
    title: str
    description: str
    media_type: str


@dataclass(frozen=True, slots=True)
class ResourceText:
    """What a resource says."""

    uri: str
    media_type: str
    text: str
