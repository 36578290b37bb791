"""Changes: what happened to one page in one locale, and the records that show it.

A record has the version of the page's documents, its kind, and for each text that is published the
locales and a digest: `9f…e1 post ae/en,sa/en=1b…07 ae/ar,sa/ar=52…c9`. Equal versions at equal
times give equal records, so that only pages with another version are looked at again.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b

from knowledge.addresses.addresses import entry_at, parse_address, split_locale
from knowledge.fields.content_types import SITE
from knowledge.fields.merging import texts_in
from knowledge.locales.locale import Country, Language, Locale
from knowledge.resources.listing import listed_resolutions
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.snapshot.snapshot import Snapshot


class ChangeType(StrEnum):
    """What happened to a page."""

    PUBLISHED = "published"
    CHANGED = "changed"
    MOVED = "moved"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Change:
    """A page was published, changed, moved or is gone; `kind` is that of its document."""

    change: ChangeType
    path: str
    kind: str
    country: Country | None
    language: Language
    at: datetime
    moved_to: str | None = None


@dataclass(frozen=True, slots=True)
class RecordedChange:
    """A change with its number in the log; later changes have greater numbers."""

    number: int
    change: Change


@dataclass(frozen=True, slots=True)
class ChangePage:
    """Changes in the order of the log, where to read on, and whether more follow."""

    items: Sequence[RecordedChange]
    cursor: int
    more: bool


NO_RECORD = ""
"""The record of a page that does not exist."""
_DIGEST_BYTES = 8


def record_of(snapshot: Snapshot, path: str, version: str | None, now: datetime) -> str:
    """Return the record of a page by its path below a locale; without a version there is none."""
    address = parse_address(path, snapshot)
    if version is None or address is None:
        return NO_RECORD
    entry = entry_at(snapshot, address)
    kind = entry.kind if entry else SITE
    locales: dict[str, list[str]] = {}
    digests: dict[Resolved | None, str] = {}
    for locale, resolved in listed_resolutions(snapshot, address, now).items():
        if resolved not in digests:
            digests[resolved] = content_digest(resolved)
        locales.setdefault(digests[resolved], []).append(locale.path.removeprefix("/"))
    texts = (f"{','.join(paths)}={digest}" for digest, paths in locales.items())
    return " ".join((version, kind.singular, *texts))


def version_of(record: str) -> str | None:
    """Return the version of the documents of a record, None without a page.

    >>> version_of("9f post ae/en=1b"), version_of("")
    ('9f', None)
    """
    return record.partition(" ")[0] or None


def content_digest(resolved: Resolved | None) -> str:
    """Return a digest of a page's own content; a list without a document has none.

    It covers the documents in the language of the page, and texts borrowed from the other language.
    """
    if resolved is None:
        return "0"
    digest = blake2b(digest_size=_DIGEST_BYTES)
    own = [each for each in resolved.documents if each.layer.matches_language(resolved.language)]
    for document in own:
        digest.update(document.digest)
    if len(own) < len(resolved.documents):
        digest.update(repr(list(_borrowed(resolved))).encode(errors="surrogatepass"))
    return digest.hexdigest()


def _borrowed(resolved: Resolved) -> Iterator[str]:
    """Yield the texts that the page shows in the other language."""
    language = resolved.language
    for text in texts_in(resolved.fields):
        if language not in text:
            yield text.get(language.other, "")


def changes_between(path: str, before: str, after: str, at: datetime) -> Iterator[Change]:
    """Yield the changes of a page in each of its locales, from one record to the next."""
    was, now = _digests(before), _digests(after)
    kind = _kind(after) or _kind(before)
    for locale_path in (*now, *(each for each in was if each not in now)):
        change = _change_type(was.get(locale_path), now.get(locale_path))
        if change is not None:
            locale = _locale(locale_path)
            page = locale.path + path
            yield Change(change, page, kind, locale.country, locale.language, at)


def _change_type(before: str | None, after: str | None) -> ChangeType | None:
    if before == after:
        return None
    if before is None:
        return ChangeType.PUBLISHED
    return ChangeType.GONE if after is None else ChangeType.CHANGED


def _digests(record: str) -> Mapping[str, str]:
    """Return the digest of each locale in which the page is published.

    >>> _digests("9f post ae/en,sa/en=1b ae/ar=52")
    {'ae/en': '1b', 'sa/en': '1b', 'ae/ar': '52'}
    """
    texts = (text.split("=") for text in record.split(" ")[2:])
    return {locale: digest for locales, digest in texts for locale in locales.split(",")}


def _kind(record: str) -> str:
    return record.split(" ")[1] if record else ""


def _locale(path: str) -> Locale:
    """Return the locale of a path that a record names; raises ValueError for any other."""
    locale, _ = split_locale(f"/{path}")
    if locale is None:
        raise ValueError(path)
    return locale
