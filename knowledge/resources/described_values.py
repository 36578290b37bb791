"""The values of declared fields in the terms of schema.org, from what the API returns of them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from knowledge.fields.prices import merchant_price
from knowledge.locales.locale import Country

Node = dict[str, Any]

_OPTIONS: Mapping[str, str] = {
    "availability": "{}",
    "eventAttendanceMode": "{}EventAttendanceMode",
    "eventStatus": "Event{}",
    "itemCondition": "{}Condition",
    "suitableForDiet": "{}Diet",
}
"""Properties whose values schema.org lists: a choice such as `gluten-free` is `GlutenFreeDiet`."""

_SALARIES = ("baseSalary", "estimatedSalary")
_UNITS: Mapping[str, str] = {
    "hour": "HUR",
    "day": "DAY",
    "week": "WEE",
    "month": "MON",
    "year": "ANN",
}
"""The code of UN/CEFACT for the time that an offer is for; a night has none."""

QUANTITIES = ("depth", "floorSize", "height", "occupancy", "weight", "width")
"""The properties of numbers that schema.org has as quantities."""


def typed(name: str, properties: Mapping[str, object]) -> Node:
    """Return a node with those of the properties that have a value."""
    given = {key: each for key, each in properties.items() if each is not None}
    return {"@type": name, **given}


def option(name: str, json: Node) -> str:
    """Return a choice: the word of schema.org if the property has such, else its text."""
    value: str = json["value"]
    if name == "employmentType":
        return value.upper().replace("-", "_")
    if name in _OPTIONS:
        words = value.replace("_", "-").split("-")
        camel = "".join(each[:1].upper() + each[1:] for each in words)
        return f"https://schema.org/{_OPTIONS[name].format(camel)}"
    return str(json["label"])


def place(json: Node, country: Country | None) -> Node:
    """Return the address of a place in its parts, and where it is on a map."""
    street = json.get("street", json.get("address"))
    address = {
        "streetAddress": street,
        "addressLocality": json.get("city"),
        "addressRegion": json.get("region"),
        "postalCode": json.get("postalCode"),
        "addressCountry": json.get("country") or (country and str(country)),
    }
    geo = {name: json.get(name) for name in ("latitude", "longitude")}
    node = {
        "address": typed("PostalAddress", address) if street or json.get("city") else None,
        "hasMap": json.get("mapUrl"),
        "geo": None if None in geo.values() else {"@type": "GeoCoordinates", **geo},
    }
    return {name: each for name, each in node.items() if each is not None}


def money(name: str, json: Node, country: Country | None) -> Node:
    """Return an amount as the property has it: an offer, a salary, or the amount alone."""
    currency = json["currency"]
    if name in _SALARIES:
        return {"@type": "MonetaryAmount", "currency": currency, "value": _salary(json)}
    if name != "offers":
        return {"@type": "MonetaryAmount", "value": json["amount"], "currency": currency}
    gross, most = json.get("amountWithVat"), json.get("amountToWithVat", json.get("amountTo"))
    price, per = merchant_price(json["amount"], gross, country), json.get("per")
    specification = {
        "price": price,
        "minPrice": price if most or json.get("isLeast") else None,
        "maxPrice": most,
        "priceCurrency": currency,
        "valueAddedTaxIncluded": price == gross if gross else None,
        "unitText": json.get("unit", per if per not in _UNITS else None),
        "unitCode": _UNITS.get(per or ""),
    }
    return {
        "@type": "Offer",
        "price": price,
        "priceCurrency": currency,
        "priceSpecification": typed("UnitPriceSpecification", specification),
        "availability": "https://schema.org/InStock",
    }


def _salary(json: Node) -> Node:
    ends = {"minValue": float(json["amount"])} if json.get("isLeast") else {}
    if "amountTo" in json:
        ends["maxValue"] = float(json["amountTo"])
    period = json["per"].upper() if "per" in json else None
    return typed(
        "QuantitativeValue", {**(ends or {"value": float(json["amount"])}), "unitText": period}
    )


def rating(json: Node) -> Node:
    """Return a rating."""
    names = {"ratingValue": "value", "bestRating": "best", "ratingCount": "count"}
    return typed("AggregateRating", {name: json.get(key) for name, key in names.items()})


def opening_hours(json: Node) -> Iterator[Node]:
    """Yield the usual hours, then seasons and exceptions with the days for which they are valid.

    schema.org tells a closed day of these as one that opens and closes at midnight.
    """
    yield from _week(json["days"], {})
    for season in json["seasons"]:
        yield from _week(season["days"], _valid(season), names_closed=True)
    for exception in json["exceptions"]:
        for span in exception["spans"] or [_CLOSED]:
            yield _span(span, _valid(exception))


_CLOSED: Mapping[str, str] = {"opens": "00:00", "closes": "00:00"}


def _valid(period: Node) -> Node:
    return {"validFrom": period["from"], "validThrough": period["to"]}


def _week(days: Sequence[Node], valid: Node, *, names_closed: bool = False) -> Iterator[Node]:
    found: dict[tuple[str, ...], list[str]] = {}
    for each in days:
        for span in each["spans"] or ([_CLOSED] if names_closed else []):
            found.setdefault((span["opens"], span["closes"]), []).append(each["day"].capitalize())
    for (opens, closes), names in found.items():
        yield {"dayOfWeek": names, **_span({"opens": opens, "closes": closes}, valid)}


def _span(span: Mapping[str, str], valid: Node) -> Node:
    closes = "23:59" if span["closes"] == "24:00" else span["closes"]
    return {"@type": "OpeningHoursSpecification", "opens": span["opens"], "closes": closes, **valid}
