"""The opening hours of a site's documents: the instants at which its pages say something else.

The documents themselves do not change then, so that this is no part of their schedule.
"""

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime, timedelta, tzinfo

from knowledge.fields.content_types import AnyContentType
from knowledge.fields.kind_fields import FieldType
from knowledge.fields.opening_hours import OpeningClock, OpeningHours
from knowledge.fields.own_fields import address_countries, own_fields
from knowledge.locales import cldr
from knowledge.locales.locale import Country
from knowledge.snapshot.layer_resolution import Entry

_DAY = timedelta(days=1)
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class OpeningClocks:
    """When each entry with opening hours opens and closes, and when its days begin.

    The next instant is asked for often, and known until then.
    """

    def __init__(self, clocks: Iterable[tuple[OpeningClock, Entry]] = ()) -> None:
        self._clocks = tuple(clocks)
        self._between = (_LONG_AGO, _LONG_AGO)

    def around(self, now: datetime) -> tuple[datetime, datetime | None]:
        """Return the last instant up to `now` and the next one, which is None without clocks."""
        if not self._clocks:
            return _LONG_AGO, None
        last, following = self._between
        if not last <= now < following:
            found = {
                each.astimezone(UTC) for clock, _ in self._clocks for each in clock.changes(now)
            }
            last = max(each for each in found if each <= now)
            following = min(each for each in found if each > now)
            self._between = last, following
        return last, following

    def entries_between(self, since: datetime, now: datetime) -> AbstractSet[Entry]:
        """Return the entries whose state may differ after `since`, up to `now`."""
        return {
            entry
            for clock, entry in self._clocks
            if now - since > _DAY or any(since < each <= now for each in clock.changes(now))
        }


NO_CLOCKS = OpeningClocks()


def opening_clocks(
    entries: Mapping[AnyContentType, Mapping[str, Entry]], countries: Iterable[Country]
) -> OpeningClocks:
    """Return the clocks of all entries, in each time zone in which their hours may be read.

    An entry may be where another one is to which it refers, whose address is in any country.
    """
    addresses = {
        country
        for entry in _having(entries, "address")
        for each in entry.documents
        for country in address_countries(each.fields)
    }
    zones = {cldr.time_zone(each) for each in (*countries, *addresses)}
    return OpeningClocks(
        clock for entry in _having(entries, "hours") for clock in _of_entry(entry, zones)
    )


def _having(
    entries: Mapping[AnyContentType, Mapping[str, Entry]], type_: FieldType
) -> Iterator[Entry]:
    """Yield the entries of kinds that have a field of a type."""
    for kind, found in entries.items():
        if any(each.type == type_ for each in own_fields(kind.fields).values()):
            yield from found.values()


def _of_entry(entry: Entry, zones: Iterable[tzinfo]) -> Iterator[tuple[OpeningClock, Entry]]:
    values = (
        getattr(each.fields, name)
        for each in entry.documents
        for name in own_fields(type(each.fields))
    )
    hours = [each for each in values if isinstance(each, OpeningHours)]
    named = (each for document in entry.documents for each in document.fields.countries or ())
    found = {*zones, *map(cldr.time_zone, named)}
    found |= {zone for each in hours if (zone := each.zone(None))}
    return ((OpeningClock(each, zone), entry) for each in hours for zone in found)
