"""Where the things of documents are, and when they are open, as the API returns it."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from knowledge.edits import CLOCK, note
from knowledge.fields.front_matter import Common
from knowledge.fields.opening_hours import DAYS, OpeningClock, OpeningHours
from knowledge.fields.own_fields import OwnField, address_countries, own_fields
from knowledge.fields.trade_values import Located, StreetAddress
from knowledge.locales import cldr
from knowledge.locales.locale import Country
from knowledge.markdown.slugs import slugify
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView

Json = dict[str, Any]


_CODE_FIRST = (
    "AD AR AT AX AZ BA BE BG BL BY CH CL CV CY CZ DE DK DO DZ EE EH ES ET FI FO FR GE GF GL GN "
    "GP GR GT GW HR HT IS IT KG KW LA LI LR LT LU MA MC MD ME MF MG MK MQ MX MY MZ NC NE NL NO "
    "PF PL PM PT PY RE RO RS SE SI SJ SK SM SN SV TJ TM TN TR TZ UY UZ VA WF XK YT ZM"
)
"""The countries that write the postal code before the city, by Google's address data."""


def address_json(view: ContentView, resolved: Resolved, address: StreetAddress) -> Json:
    """Return an address with its text, which is empty if nothing is known."""
    language, country = view.locale.language, place_country(view, resolved)
    texts = {
        name: resolved.pick(getattr(address, name)) or None for name in ("street", "city", "region")
    }
    json: dict[str, Any] = {
        **texts,
        "postalCode": address.postal_code or None,
        "country": str(country) if country else None,
        "latitude": address.latitude,
        "longitude": address.longitude,
        "mapUrl": address.map_url or _map_url(address),
    }
    city = [texts["city"], json["postalCode"]]
    in_order = reversed(city) if country and country in _CODE_FIRST else city
    parts = [texts["street"], " ".join(filter(None, in_order)), texts["region"]]
    if country and country != view.locale.country:
        parts.append(cldr.country_name(country, language))
    json["text"] = language.comma.join(filter(None, parts)) or json["mapUrl"]
    return {key: each for key, each in json.items() if each is not None}


def _map_url(place: Located) -> str | None:
    if place.latitude is None or place.longitude is None:
        return None
    spot = f"{place.latitude}/{place.longitude}"
    query = f"?mlat={place.latitude}&mlon={place.longitude}#map=17/{spot}"
    return f"https://www.openstreetmap.org/{query}"


def place_country(view: ContentView, resolved: Resolved) -> Country | None:
    """Return the country in which a document is, by default that of the reader."""
    return known_country(view, resolved) or view.locale.country


def known_country(view: ContentView, resolved: Resolved) -> Country | None:
    """Return the country of a document's address, its only one, or that to which all it refers."""
    document = view.resolve_entry(resolved.entry, resolved.city)  # which a record is part of
    if document is None:
        return None
    found = _stated_country(document.fields)
    if found is None:
        there = set(_referred_countries(view, document.fields))
        found = there.pop() if len(there) == 1 else None
    return found


def _stated_country(fields: Common) -> Country | None:
    only = fields.countries or ()
    return next(address_countries(fields), only[0] if len(only) == 1 else fields.only_country)


def _referred_countries(view: ContentView, fields: Common) -> Iterator[Country]:
    for field in own_fields(type(fields)).values():
        if field.type == "reference":
            value: Any = getattr(fields, field.attribute) or []
            for slug in value if field.has_many else [value]:
                target = referred(view, field, slug) if slug else None
                if target is not None:
                    yield from address_countries(target.fields)


def referred(view: ContentView, field: OwnField, slug: str) -> Resolved | None:
    """Return the document that a reference names, None without one for these readers."""
    kind = view.snapshot.content_types.of_folder(field.declaration.to or "")
    return view.resolve(kind, slugify(slug)) if kind else None


def hours_json(view: ContentView, resolved: Resolved, hours: OpeningHours) -> Json:
    """Return opening hours, and whether it is open now where the time zone is known."""
    country = place_country(view, resolved)
    zone = hours.zone(cldr.time_zone(country) if country else None)
    now = view.now.astimezone(zone or UTC)
    first = cldr.first_weekday(country)
    week = (*DAYS[first:], *DAYS[:first])
    json: dict[str, Any] = {
        "days": _days(week, hours.days or {}),
        "seasons": [
            {**_period(resolved, each.name, each.starts, each.ends), "days": _days(week, each.days)}
            for each in hours.seasons or ()
            if each.ends.date() >= now.date()
        ],
        "exceptions": [
            {
                **_period(resolved, each.name, each.date, each.ends or each.date),
                "spans": spans_json(each.hours or ()),
            }
            for each in hours.exceptions or ()
            if (each.ends or each.date).date() >= now.date()
        ],
    }
    if zone is not None:
        json["timeZone"] = str(zone)
    if zone is not None and not view.is_static:
        note(CLOCK)
        state = OpeningClock(hours, zone).state(view.now)
        json |= {"open": state.is_open, "asOf": now.date().isoformat()}
        if state.changes_at:
            json["changesAt"] = state.changes_at
    return json


def _days(week: Sequence[str], days: Mapping[str, Sequence[str]]) -> list[dict[str, Any]]:
    return [{"day": day, "spans": spans_json(days.get(day, ()))} for day in week]


def spans_json(spans: Sequence[str]) -> list[dict[str, str]]:
    """Return when each span begins and ends."""
    return [dict(zip(("opens", "closes"), each.split("-"), strict=True)) for each in spans]


def _period(
    resolved: Resolved, name: Mapping[str, str] | None, first: datetime, last: datetime
) -> dict[str, str]:
    named = {"name": text} if (text := resolved.pick(name)) else {}
    return {**named, "from": f"{first:%Y-%m-%d}", "to": f"{last:%Y-%m-%d}"}
