"""The city list of a country."""

from __future__ import annotations

from knowledge.fields.content_types import CITY
from knowledge.fields.field_types import BilingualString, Omittable
from knowledge.fields.schemas import CityFields
from knowledge.resources.base import CountryCode, Resource
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView


class CityItem(Resource):
    """One city, with its office; `industries` and `services` are slugs."""

    slug: str
    """Slug of the city, as in paths."""
    country_code: CountryCode
    """Country of the city."""
    name: BilingualString
    """Name of the city."""
    focus: Omittable[BilingualString] = None
    """What the company does in the city."""
    industries: Omittable[list[str]] = None
    """Slugs of the industries it serves there."""
    services: Omittable[list[str]] = None
    """Slugs of the services it offers there."""
    address: Omittable[BilingualString] = None
    """Address of the office."""
    phone: Omittable[str] = None
    """Telephone number of the office."""
    whatsapp: Omittable[str] = None
    """WhatsApp number of the office."""
    hours: Omittable[BilingualString] = None
    """Opening hours of the office, for people."""
    map_url: Omittable[str] = None
    """URL of a map with the office."""
    latitude: Omittable[float] = None
    """Latitude of the office in degrees."""
    longitude: Omittable[float] = None
    """Longitude of the office in degrees."""


class CityList(Resource):
    """The cities of one country."""

    cities: list[CityItem]
    """The cities in their order."""


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
