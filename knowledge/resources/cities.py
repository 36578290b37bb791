"""The city list of a country."""

from __future__ import annotations

from knowledge.content_types import CITY
from knowledge.content_view import ContentView
from knowledge.fields import BilingualString, Omittable
from knowledge.layer_resolution import Resolved
from knowledge.resources.base import CountryCode, Resource
from knowledge.schemas import CityFields


class CityItem(Resource):
    """One city, with its office; `industries` and `services` are slugs."""

    slug: str
    country_code: CountryCode
    name: BilingualString
    focus: Omittable[BilingualString] = None
    industries: Omittable[list[str]] = None
    services: Omittable[list[str]] = None
    address: Omittable[BilingualString] = None
    phone: Omittable[str] = None
    whatsapp: Omittable[str] = None
    hours: Omittable[BilingualString] = None
    map_url: Omittable[str] = None
    latitude: Omittable[float] = None
    longitude: Omittable[float] = None


class CityList(Resource):
    """The cities of one country."""

    cities: list[CityItem]


def city_list(view: ContentView) -> CityList:
    """Return the cities of the view's country, by sortOrder."""
    return CityList(cities=view.each(view.resolve_all(CITY), lambda city: _item(view, city)))


def _item(view: ContentView, city: Resolved[CityFields]) -> CityItem:
    fields = city.fields
    return CityItem(
        slug=city.entry.slug,
        country_code=view.locale.country,
        name=fields.name or fields.title or {"en": city.entry.slug.title()},
        focus=fields.focus,
        industries=fields.industries,
        services=fields.services,
        address=fields.address,
        phone=fields.phone,
        whatsapp=fields.whatsapp,
        hours=fields.hours,
        map_url=fields.map_url,
        latitude=fields.latitude,
        longitude=fields.longitude,
    )
