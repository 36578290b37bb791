"""Publication keys of other generators: what is not yet, no longer, or not for all readers.

The names below are the only table of them. Names are compared without case, hyphens and
underscores: `isDraft`, `is_draft` and `Is-Draft` are one. What a source shows only to those who
know the address, such as an `unlisted` page, is withheld as well: this site lists all that it
publishes. A value that is not understood withholds a text, too.
"""

import re
from collections.abc import Iterator, Mapping
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


DATES = ("date", "pubDate")
"""The keys of a date that `publishedAt` replaces; beside other times, the latest counts."""

TIMES: Mapping[str, tuple[str, ...]] = {
    "publishedAt": (
        *("publishDate", "publishedDate", "datePublished", "publicationDate", "pubDatetime"),
        *("publishDatetime", "publishTime", "publishAt", "publishOn", "publishedOn", "publishFrom"),
        *("scheduled", "scheduledAt", "scheduledFor", "scheduledDate", "scheduleDate", "goLive"),
        *("embargo", "embargoed", "embargoDate", "embargoUntil", "embargoedUntil", "goLiveAt"),
        "visibleFrom",
    ),
    "unpublishAt": (
        *("expiryDate", "expiry", "expires", "expiresAt", "expiresOn", "expireAt", "expireDate"),
        *("expirationDate", "expiration", "unpublishDate", "unpublishOn", "publishUntil"),
        *("publishedUntil", "visibleUntil", "withdrawAt"),
    ),
}
"""The keys of other generators for the times of publication and withdrawal, by ours."""

_HIDING = _names(
    "draft isdraft private isprivate hidden ishidden hide unlisted isunlisted headless unpublished"
    " notpublished eleventyexcludefromcollections deleted isdeleted trashed wip iswip"
    " workinprogress archived isarchived disabled isdisabled expired isexpired"
)
_SHOWING = _names(
    "publish published ispublished public ispublic listed islisted visible isvisible render"
    " enabled isenabled approved isapproved dgpublish"
)
_RESTRICTING = _names(
    "password passwordprotected protected isprotected encrypted encrypt isencrypted membersonly"
    " memberonly formembers subscribersonly restricted isrestricted secret issecret confidential"
    " paywall paywalled"
)
_AUDIENCES = _names("visibility access accesslevel")
"""Keys of texts that are not for all, unless the value says so."""

_STATES = _names(
    "status state poststatus pagestatus entrystatus articlestatus contentstatus publishstatus"
    " publishingstatus publicationstatus publicationstate workflowstatus workflowstate reviewstatus"
)
_WITHHELD_STATES = _names(
    "draft drafts private hidden unlisted unpublished notpublished pending review inreview members"
    " member paid premium subscribers internal password protected secret trash withdrawn wip"
    " inprogress workinprogress idea todo scheduled future embargoed restricted archived"
    " deleted disabled inactive expired rejected unapproved confidential مسودة"
)
_PUBLIC = _names(
    "public published publish visible listed everyone all anyone open free live active approved"
    " final done"
)
_UNRESTRICTED = _names("false no off none never")
_OPEN_STATES = _names("status state")
"""Keys that authors also use for what has nothing to do with publication, as in `seedling`."""

_LENIENT = _names("hide render")
"""Keys that other tools use for parts of a page, as in `hide: [toc]`."""

_TELLING = (
    *("publish", "draft", "private", "secret", "hidden", "restrict", "expire", "visib"),
    *("embargo", "member", "paywall"),
)
"""What a name contains that may withhold a text in a way which is not known here."""

_HARMLESS = _names("publisher publishers")
_UNINDEXED = _names("noindex robotsnoindex isnoindex sitemapexclude sitemapignore")
_EXCLUDED = _names("disable exclude ignore noindex")
_BLOCKS = _names("params extra build sitemap seo meta head robots")
_THEME_BLOCKS = _names("params extra")
_TRUE = _names("true yes on 1 y")
_WORD = re.compile(r"\w+")
_FALSE = _names("false no off 0 n never none link")
_BUILD = _names("render list")


class Verdict(Enum):
    """What a key says about the publication of its text."""

    WITHHELD = auto()
    """It is not published."""

    RESTRICTED = auto()
    """It is not for all, or the value is not understood, so it is not published."""

    UNCLEAR = auto()
    """It is published, as the key is not known; an import does not publish it."""


class Finding(NamedTuple):
    """A key about publication, by its place in the front matter, with its value."""

    keys: tuple[str, ...]
    value: object
    verdict: Verdict

    @property
    def name(self) -> str:
        """The keys as one text."""
        return ".".join(self.keys)


class Publication(NamedTuple):
    """What the keys of a text say about its publication."""

    findings: tuple[Finding, ...] = ()
    unindexed_by: str = ""
    """The key that keeps it out of search engines."""

    times: tuple[tuple[str, str, object], ...] = ()
    """The times of publication and withdrawal: our key, the one at the top, and the value."""

    @property
    def withheld_by(self) -> Finding | None:
        """The first key that withholds the text."""
        return next((each for each in self.findings if each.verdict is not Verdict.UNCLEAR), None)


def publication_of(
    metadata: Mapping[str, object], own: frozenset[str] = frozenset()
) -> Publication:
    """Return what front matter says about publication; `own` has folded names of other meaning.

    >>> [each.name for each in publication_of({"Is-Draft": "true", "dg-publish": 0}).findings]
    ['Is-Draft', 'dg-publish']
    >>> publication_of({"visibility": "team"}).withheld_by.verdict.name
    'RESTRICTED'
    """
    findings, times, unindexed_by = [], [], ""
    for keys, value in _keys(metadata):
        name = folded(keys[-1])
        if len(keys) == 1 and _is_unindexed(name, value):
            unindexed_by = unindexed_by or keys[0]
        if len(keys) == 1 and name in own:
            continue
        if _is_time(name, value):
            times.append((time_key(name) or "publishedAt", keys[0], value))
        elif verdict := _verdict(name, value):
            findings.append(Finding(keys, value, verdict))
    return Publication(tuple(findings), unindexed_by, tuple(times))


def _keys(metadata: Mapping[str, object]) -> Iterator[tuple[tuple[str, ...], object]]:
    """Yield the keys with a value, and those in the blocks of themes."""
    for key, value in metadata.items():
        if value is not None and value != "":
            yield (key,), value
        if isinstance(value, dict) and folded(key) in _THEME_BLOCKS:
            inner = ((str(name), each) for name, each in value.items())
            yield from (((key, name), each) for name, each in inner if each not in (None, ""))


@lru_cache(maxsize=1_024)
def folded(text: str) -> str:
    """Return a name as names are compared."""
    return text.replace("_", "").replace("-", "").replace(" ", "").strip().lower()


_OWN_TIMES = frozenset(map(folded, TIMES))
_TIME_KEYS = {folded(name): key for key, names in TIMES.items() for name in (key, *names)}


def time_key(name: str) -> str | None:
    """Return our key for that of a time of publication or withdrawal in any spelling, or None."""
    return _TIME_KEYS.get(folded(name))


def _is_time(name: str, value: object) -> bool:
    """Return whether a value has to be a time; `scheduled: true` and `published: soon` are none."""
    has_digits = any(map(str.isdecimal, str(value)))
    if name in ("publish", "published"):
        return has_digits and _truth(value) is None
    is_switch = not has_digits and _truth(value) is not None
    return name in _TIME_KEYS and (name in _OWN_TIMES or not is_switch)


def _verdict(name: str, value: object) -> Verdict | None:
    """Return what a key says; None if it does not withhold its text."""
    truth = _truth(value)
    if name in ("build", "permalink"):  # of Hugo and Eleventy
        options = value.items() if isinstance(value, dict) and name == "build" else ()
        values = [each for key, each in options if folded(str(key)) in _BUILD] or [value]
        return Verdict.WITHHELD if any(_truth(each) is False for each in values) else None
    if name in _STATES:
        return _verdict_of_state(name, value)
    if name in _RESTRICTING | _AUDIENCES:
        is_public = _are_all(value, _PUBLIC if name in _AUDIENCES else _UNRESTRICTED)
        return None if is_public else Verdict.RESTRICTED
    if name in _HIDING | _SHOWING or name in _TIME_KEYS:
        is_withheld = truth is (name not in _SHOWING)
        doubtful = Verdict.RESTRICTED if truth is None and name not in _LENIENT else None
        return Verdict.WITHHELD if is_withheld else doubtful
    return _verdict_of_name(name, truth)


def _verdict_of_name(name: str, truth: bool | None) -> Verdict | None:
    """Return the verdict on a name that is not known: `false` hides nothing."""
    telling = [each for each in _TELLING if each in name]
    is_harmless = name in _HARMLESS or (truth is False and not {"publish", "visib"} & {*telling})
    return Verdict.UNCLEAR if telling and not is_harmless else None


def _verdict_of_state(name: str, value: object) -> Verdict | None:
    words = {folded(word) for each in _items(value) for word in (each, *_WORD.findall(each))}
    if words & _WITHHELD_STATES:
        return Verdict.WITHHELD
    return None if name in _OPEN_STATES or _are_all(value, _PUBLIC) else Verdict.RESTRICTED


def _are_all(value: object, words: frozenset[str]) -> bool:
    items = _items(value)
    return bool(items) and all(folded(each) in words for each in items)


def _items(value: object) -> list[str]:
    return [str(each) for each in (value if isinstance(value, list) else [value])]


def _truth(value: object) -> bool | None:
    text = str(value).strip().lower()
    return True if text in _TRUE else False if text in _FALSE else None


def _is_unindexed(name: str, value: object) -> bool:
    """Return whether a key keeps its text out of search engines or the sitemap."""
    if name in _UNINDEXED:
        return _truth(value) is True
    if name == "sitemap":
        is_excluded = isinstance(value, dict) and any(
            _truth(each) is True for key, each in value.items() if folded(str(key)) in _EXCLUDED
        )
        return is_excluded or _truth(value) is False
    if name == "robots" and not isinstance(value, dict):
        return any(word in str(value).lower() for word in ("noindex", "none"))
    return name in _BLOCKS and any(_is_unindexed(*each) for each in _entries(value))


def _entries(value: object) -> Iterator[tuple[str, object]]:
    """Yield the entries of a block, and the tags of a head by name and content."""
    if isinstance(value, dict):
        yield from ((folded(str(key)), each) for key, each in value.items())
        attributes = value.get("attrs", value)
        if isinstance(attributes, dict) and "content" in attributes:
            yield folded(str(attributes.get("name"))), attributes["content"]
    elif isinstance(value, list):
        for each in value:
            yield from _entries(each)
