"""The values of fields that a site declares, as its pages and the API show them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from operator import itemgetter
from typing import Annotated, Any, NamedTuple, cast
from urllib.parse import urlencode

from pydantic import Field, SkipValidation, WithJsonSchema

from knowledge.addresses.addresses import page_of
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import WORDS
from knowledge.fields.field_types import Omittable, is_email
from knowledge.fields.front_matter import Fields
from knowledge.fields.interface_texts import interface_texts, name_of
from knowledge.fields.merging import is_text
from knowledge.fields.moments import is_day
from knowledge.fields.opening_hours import OpeningHours
from knowledge.fields.own_fields import OwnField, further_fields, own_fields
from knowledge.fields.prices import amount_with_vat, rate_text
from knowledge.fields.trade_values import Duration, Offer, Place, Rating, StreetAddress
from knowledge.locales import cldr
from knowledge.locales.locale import Country, localized_text
from knowledge.markdown.inline import plain_line
from knowledge.markdown.slugs import slugify
from knowledge.resources.base import Resource
from knowledge.resources.document_page import title_of
from knowledge.resources.own_places import (
    address_json,
    hours_json,
    known_country,
    place_country,
    referred,
)
from knowledge.resources.site_chrome import phone_url, web_url, whatsapp_url
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView, price_currency, vat_first, vat_rate


@dataclass(frozen=True, slots=True)
class OwnText:
    """One text of a value, and where it leads."""

    text: str
    path: str | None = None


@dataclass(frozen=True, slots=True)
class OwnAmount:
    """An amount and its currency, and all that the API returns of it."""

    amount: str
    currency: str
    json: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class OwnTyped(OwnText):
    """A value, as the API returns it, of a type that is written for readers in a way of its own.

    The text is for those who do not know the type.
    """

    type: str = ""
    json: Any = None


@dataclass(frozen=True, slots=True)
class OwnRecord(OwnText):
    """The values of a record, and their text for those who do not know their types."""

    values: tuple[Any, ...] = ()


TITLE = "title"
"""The order of lists by what documents are called."""

OwnShown = OwnText | OwnAmount | datetime | int | float
"""What readers see of a value."""


@dataclass(frozen=True, slots=True)
class OwnValue:
    """The value of a declared field for the readers of a locale.

    `json` is what the API returns. `shown` has what readers see: texts, numbers, dates, amounts.
    """

    field: OwnField
    label: str
    json: Any
    shown: tuple[OwnShown, ...]


def values_of(resolved: Resolved, field: OwnField) -> Sequence[str]:
    """Return the values of a field by which lists are filtered."""
    value = getattr(resolved.fields, field.attribute)
    values = value if field.has_many else [value]
    given = [each for each in values or () if each]
    return list(map(slugify, given)) if field.type == "reference" else given


def value_label(view: ContentView, field: OwnField, value: str) -> str | None:
    """Return what readers see of such a value; None if they do not see it."""
    if field.type == "choice":
        return localized_text(field.choices[value], view.locale.language) or value
    if field.type == "reference":
        target = referred(view, field, value)
        return title_of(target) if target else None
    return value


def sorted_by(
    view: ContentView, documents: Iterable[Resolved], attribute: str, *, is_reversed: bool
) -> list[Resolved]:
    """Return documents by the value of an attribute; those without it come last."""
    values = [(order_of(view, each, attribute), each) for each in documents]
    having = [pair for pair in values if pair[0] is not None]
    having.sort(key=itemgetter(0), reverse=is_reversed)
    return [*(each for _, each in having), *(each for value, each in values if value is None)]


def order_of(view: ContentView, resolved: Resolved, attribute: str) -> Any:
    """Return what a document is compared by: a number, an instant or a text; None without one.

    An amount is the one that comes first on pages, with VAT or without.
    """
    if attribute == TITLE:
        return title_of(resolved).casefold()
    value = getattr(resolved.fields, attribute)
    field = own_fields(type(resolved.fields)).get(attribute)
    if isinstance(value, Offer):
        value = value.lowest
    if field and isinstance(value, dict) and not is_text(value):  # amounts by currency
        return _first_amount(view, resolved, field, value)
    text = resolved.pick(value) if isinstance(value, dict) else value
    if text and field and field.type == "duration":
        return Duration(text).sort_value
    if isinstance(text, Rating):
        return text.sort_value
    return text.casefold() if isinstance(text, str) else text


def _first_amount(
    view: ContentView, resolved: Resolved, field: OwnField, amounts: Mapping[str, Decimal]
) -> Decimal | None:
    net, currency = local_amount(view, amounts)
    vat = _vat(view, resolved, field)
    return amount_with_vat(net, vat.rate, currency) if net and vat and vat.is_first else net


class _Vat(NamedTuple):
    """A rate of VAT in percent, 0 for none, and whether amounts with it are first."""

    rate: Decimal
    is_first: bool


def _vat(view: ContentView, resolved: Resolved, field: OwnField) -> _Vat | None:
    """Return the VAT where a document is; None if none is added, or the rate is not known."""
    if not field.declaration.vat:
        return None
    country = place_country(view, resolved)
    rate = vat_rate(view, country)
    return None if rate is None else _Vat(rate, vat_first(view, country))


def local_amount(view: ContentView, amounts: Mapping[str, Decimal]) -> tuple[Decimal | None, str]:
    """Return the amount for the readers, and its currency; if the site sets none, the first."""
    currency = price_currency(view) or next(iter(amounts), "")
    return amounts.get(currency), currency


OwnFields = Annotated[
    dict[str, Any],
    WithJsonSchema({"type": "object", "additionalProperties": True}),
]
"""The values of declared fields by name."""


class OwnBody(Resource):
    """The part of a document that the fields of the site's own declaration fill."""

    fields: Omittable[OwnFields] = None
    """The fields that the site declares for this kind, by name."""
    own: Annotated[tuple[OwnValue, ...], SkipValidation, Field(exclude=True)] = ()
    all_fields: Annotated[Mapping[str, Any], SkipValidation, Field(exclude=True)] = {}
    """The values of all fields by name, for templates; `None` of a field without one."""

    @property
    def picture(self) -> OwnText | None:
        """The first picture among the fields: its alternative text and path."""
        images = (each.shown[0] for each in self.own if each.field.type == "image")
        return next((each for each in images if isinstance(each, OwnText)), None)


def own_body(
    view: ContentView, resolved: Resolved, fields: Sequence[OwnField] | None = None
) -> dict[str, Any]:
    """Return the values of the fields of `OwnBody`, by default of those that the site declares."""
    if fields is None:
        fields = further_fields(type(resolved.fields))
    values = own_values(view, resolved, fields)
    json = {each.field.key: each.json for each in values}
    return {
        "own": values,
        "fields": json or None,
        "all_fields": {**{each.key: None for each in fields}, **json},
    }


def own_values(
    view: ContentView, resolved: Resolved, fields: Sequence[OwnField] | None = None
) -> tuple[OwnValue, ...]:
    """Return the declared fields of a document that have a value."""
    if fields is None:
        fields = further_fields(type(resolved.fields))
    found = (_own_value(view, resolved, field) for field in fields)
    return tuple(each for each in found if each is not None)


def contract_values(view: ContentView, resolved: Resolved) -> dict[str, Any]:
    """Return the values of a built-in kind by attribute, in the shape of its own operation.

    A picture is its path, with the alternative text beside it, and a reference the slug. Beside a
    number is the URL that dials it.
    """
    marked = own_fields(type(resolved.fields)).values()
    values = own_values(view, resolved, [field for field in marked if field.is_built_in])
    return _contract((each.field, each.json) for each in values)


def _contract(values: Iterable[tuple[OwnField, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for field, json in values:
        name = field.attribute
        if field.type == "image":
            found |= {name: json["src"], f"{name}_alt": json["alt"] or None}
        elif field.type in ("phone", "whatsapp"):
            found |= {name: json, f"{name}_url": _LINKS[field.type](json)}
        elif field.type == "reference":
            found[name] = [to["slug"] for to in json] if field.has_many else json["slug"]
        elif field.type == "records":
            keys = {each.key: each for each in field.fields}
            found[name] = [_contract((keys[key], row[key]) for key in row) for row in json]
        else:
            found[name] = json
    return found


def _own_value(view: ContentView, resolved: Resolved, field: OwnField) -> OwnValue | None:
    value = getattr(resolved.fields, field.attribute)
    if value in (None, "", [], {}):
        return None
    parts = list(_parts(view, resolved, field, value))
    if not parts:
        return None
    json = [json for json, _ in parts] if field.has_many else parts[0][0]
    label = localized_text(field.label, view.locale.language)
    return OwnValue(field, label, json, tuple(shown for _, shown in parts))


_Part = tuple[Any, OwnShown]
"""What the API returns of one value, and what readers see."""


def _parts(view: ContentView, resolved: Resolved, field: OwnField, value: Any) -> Iterator[_Part]:
    for each in value if field.has_many else [value]:
        if field.type in _READERS:
            yield from _READERS[field.type](view, resolved, field, each)
        else:
            yield each, OwnText(each) if isinstance(each, str) else each


def _choice(view: ContentView, resolved: Resolved, field: OwnField, value: str) -> Iterator[_Part]:
    text = localized_text(field.choices[value], view.locale.language) or value
    yield {"value": value, "label": text}, OwnText(text, _filtered(view, resolved, field, value))


def _money(
    view: ContentView, resolved: Resolved, field: OwnField, value: Mapping[str, Decimal]
) -> Iterator[_Part]:
    json = _amounts(view, resolved, field, value)
    if json:
        shown = json.get("amountWithVat") if json.get("vatFirst") else None
        yield json, OwnAmount(shown or json["amount"], json["currency"], json)


def _amounts(
    view: ContentView,
    resolved: Resolved,
    field: OwnField,
    least: Mapping[str, Decimal],
    most: Mapping[str, Decimal] | None = None,
) -> dict[str, Any]:
    """Return the amounts for the readers with their VAT; nothing without one for them."""
    net, currency = local_amount(view, least)
    if net is None:
        return {}
    vat = _vat(view, resolved, field)
    json: dict[str, Any] = {"currency": currency, **_amount("amount", net, currency, vat)}
    if currency in (most or {}):
        json |= _amount("amountTo", (most or {})[currency], currency, vat)
    if vat:
        json |= {"vatRate": rate_text(vat.rate), "vatFirst": vat.is_first}
    return json


def _amount(key: str, net: Decimal, currency: str, vat: _Vat | None) -> dict[str, str]:
    """Return an amount, and if VAT is added the one with it."""
    found = {key: cldr.amount_text(net, currency)}
    if vat and vat.rate:
        gross = amount_with_vat(net, vat.rate, currency)
        found[f"{key}WithVat"] = cldr.amount_text(gross, currency)
    return found


def _offer(view: ContentView, resolved: Resolved, field: OwnField, offer: Offer) -> Iterator[_Part]:
    json = _amounts(view, resolved, field, offer.lowest, offer.most)
    if not json:
        return
    if not offer.amount:
        json["isLeast"] = True
    if offer.per:
        json["per"] = offer.per
    if unit := resolved.pick(offer.unit):
        json["unit"] = unit
    yield json, OwnTyped(f"{json['currency']} {json['amount']}", type="offer", json=json)


def _date(view: ContentView, resolved: Resolved, _: OwnField, value: datetime) -> Iterator[_Part]:
    """Yield a day, or a time in the zone of the place if that is known."""
    country = None if is_day(value) else known_country(view, resolved)
    yield value, value.astimezone(cldr.time_zone(country)) if country else value


def _number(_: ContentView, __: Resolved, ___: OwnField, value: float) -> Iterator[_Part]:
    whole = int(value)
    yield (whole, whole) if whole == value else (value, value)


def _image(view: ContentView, resolved: Resolved, field: OwnField, value: str) -> Iterator[_Part]:
    path = view.picture(value, resolved) or ""
    alt = resolved.pick(getattr(resolved.fields, field.alternative or "", None)) or ""
    yield {"src": path, "alt": alt}, OwnText(alt, path)


def _localized(
    _: ContentView, resolved: Resolved, field: OwnField, value: Mapping[str, str]
) -> Iterator[_Part]:
    text = resolved.pick(value)
    if text:
        yield text, OwnText(plain_line(text) if field.declaration.markdown else text)


_YES, _NO = _("Yes"), _("No")


def _boolean(view: ContentView, _: Resolved, __: OwnField, value: bool) -> Iterator[_Part]:
    words, language = view.singleton(WORDS), view.locale.language
    name = name_of(_YES if value else _NO)
    own = getattr(words.fields, name, None) if words else None
    yield value, OwnText((own or {}).get(language) or interface_texts()[name].written(language))


def _country(view: ContentView, _: Resolved, __: OwnField, value: Country) -> Iterator[_Part]:
    yield str(value), OwnText(cldr.country_name(value, view.locale.language))


def _link(_: ContentView, __: Resolved, field: OwnField, value: str) -> Iterator[_Part]:
    yield value, OwnText(value, _LINKS[field.type](value))


def _mail_url(address: str) -> str | None:
    return f"mailto:{address.strip()}" if is_email(address.strip()) else None


_LINKS: Mapping[str, Callable[[str], str | None]] = {
    "mail": _mail_url,
    "phone": phone_url,
    "url": web_url,
    "whatsapp": whatsapp_url,
}
"""The URL to which a value of each type leads, if it is one that can."""


def _filtered(view: ContentView, resolved: Resolved, field: OwnField, option: str) -> str | None:
    """Return the path of the list with only those of an option, if it can be filtered by it."""
    kind = view.snapshot.kinds.by_name.get(resolved.entry.kind.folder)
    if kind is None or kind.list_page is None or not field.declaration.filter:
        return None
    return f"{view.locale.path}{kind.list_page.path}?{urlencode({field.key: option})}"


def _reference(view: ContentView, _: Resolved, field: OwnField, slug: str) -> Iterator[_Part]:
    target = referred(view, field, slug)
    if target is None:
        return
    kind, title, path = target.entry.kind, title_of(target), None
    if kind in view.snapshot.page_types.by_content_type:
        path = view.locale.path + page_of(kind, target.entry.slug, view.snapshot).path
    json = {"slug": target.entry.slug, "title": title, **({"path": path} if path else {})}
    yield json, OwnText(title, path)


def _place(_: ContentView, resolved: Resolved, __: OwnField, place: Place) -> Iterator[_Part]:
    address = resolved.pick(place.address)
    json = {
        "address": address,
        "mapUrl": place.map_url,
        "latitude": place.latitude,
        "longitude": place.longitude,
    }
    shown = address or place.map_url or f"{place.latitude}, {place.longitude}"
    given = {key: each for key, each in json.items() if each is not None}
    yield given, OwnText(shown, place.map_url)


def _address(
    view: ContentView, resolved: Resolved, __: OwnField, address: StreetAddress
) -> Iterator[_Part]:
    json = address_json(view, resolved, address)
    if "text" in json:
        yield json, OwnText(json["text"], web_url(json.get("mapUrl")))


def _hours(
    view: ContentView, resolved: Resolved, _: OwnField, hours: OpeningHours
) -> Iterator[_Part]:
    if hours.days or hours.seasons:  # a layer may have exceptions alone
        json = hours_json(view, resolved, hours)
        yield json, OwnTyped("", type="hours", json=json)


def _duration(_: ContentView, __: Resolved, ___: OwnField, value: str) -> Iterator[_Part]:
    yield str(value), OwnTyped(str(value), type="duration", json=str(value))


def _rating(_: ContentView, __: Resolved, ___: OwnField, rating: Rating) -> Iterator[_Part]:
    json: dict[str, Any] = {"value": float(rating.value), "best": float(rating.best or 5)}
    if rating.count is not None:
        json["count"] = rating.count
    yield json, OwnTyped(f"{json['value']:g}", type="rating", json=json)


def _record(
    view: ContentView, resolved: Resolved, field: OwnField, record: Fields
) -> Iterator[_Part]:
    of_record = replace(cast("Resolved[Any]", resolved), fields=record)
    values = own_values(view, of_record, field.fields)
    if values:
        parts = (shown for each in values for shown in each.shown)
        text = view.locale.language.comma.join(map(_in_words, parts))
        yield {each.field.key: each.json for each in values}, OwnRecord(text, values=values)


def _in_words(shown: OwnShown) -> str:
    if isinstance(shown, OwnText):
        return shown.text
    if isinstance(shown, OwnAmount):
        return f"{shown.currency} {shown.amount}"
    return shown.date().isoformat() if isinstance(shown, datetime) else str(shown)


_READERS: Mapping[str, Callable[[ContentView, Resolved, OwnField, Any], Iterator[_Part]]] = {
    "address": _address,
    "boolean": _boolean,
    "choice": _choice,
    "country": _country,
    "date": _date,
    "duration": _duration,
    "hours": _hours,
    "image": _image,
    "localizedText": _localized,
    "mail": _link,
    "money": _money,
    "number": _number,
    "offer": _offer,
    "phone": _link,
    "place": _place,
    "rating": _rating,
    "records": _record,
    "reference": _reference,
    "url": _link,
    "whatsapp": _link,
}
"""What reads one value of each type whose values are not shown as they are."""
