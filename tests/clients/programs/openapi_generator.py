"""A program that uses the API, with the client that openapi-generator writes in Python."""

import json
import sys
from typing import assert_never

import wahat_generated as api

SAUDI, ARABIC = api.Country.SA, api.Language.AR
ENQUIRY = api.Lead(email="noor@example.com", topic=api.Topic.DEMO, name=None)


def words(section: api.PageSection) -> str:
    """Return what a frontend shows of a section; the checker knows that there is no other type."""
    match section.type:
        case api.SectionType.FAQ:
            return ",".join(item.question for item in section.items or ())
        case (
            api.SectionType.RICHTEXT
            | api.SectionType.CTA
            | api.SectionType.FEATUREGRID
            | api.SectionType.BULLETLIST
            | api.SectionType.IMAGE
            | api.SectionType.STATS
        ):
            return section.body or ""
        case other:
            assert_never(other)


with api.ApiClient(api.Configuration(host=sys.argv[1])) as client:
    settings = api.SiteApi(client).get_site_settings()
    page = api.PagesApi(client).get_page("pricing", country=SAUDI, lang=ARABIC).page
    posts = api.BlogApi(client).list_posts(country=SAUDI, lang=ARABIC, search="مخزون")
    lead = api.LeadsApi(client).post_lead(ENQUIRY)
    try:
        api.PagesApi(client).get_page("no-such-page")
    except api.exceptions.NotFoundException as error:
        missing = error

visit = {
    "email": settings.site_settings.primary_email,
    "title": page.title,
    "sections": [words(section) for section in page.sections],
    "posts": [post.slug for post in posts.items],
    "total": posts.pagination.total,
    "stored": lead.ok,
    "status": missing.status,
    "code": json.loads(missing.body or "{}")["error"]["code"],
}
json.dump(visit, sys.stdout)
