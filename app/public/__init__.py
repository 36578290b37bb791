"""The public JSON API: route declarations, one module per kind of resource."""

from app.public import (
    blog,
    cities,
    countries,
    health,
    leads,
    locales,
    localized,
    pages,
    seo,
    site,
    testimonials,
)

BLUEPRINTS = (
    health.routes,
    site.routes,
    pages.routes,
    localized.routes,
    countries.routes,
    cities.routes,
    testimonials.routes,
    blog.routes,
    locales.routes,
    seo.routes,
    leads.routes,
)
