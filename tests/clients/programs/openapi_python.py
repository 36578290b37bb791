"""A program that uses the API, with the client that openapi-python-client generates."""

import json
import sys
from typing import assert_never

from wahat_api import Client, models
from wahat_api.api.blog import list_posts
from wahat_api.api.leads import post_lead
from wahat_api.api.pages import get_page
from wahat_api.api.site import get_site_settings
from wahat_api.types import Unset

SAUDI, ARABIC = models.Country.SA, models.Language.AR
ENQUIRY = models.Lead(email="noor@example.com", topic=models.Topic.DEMO, name=None)


def words(section: models.PageSection) -> str:
    """Return what a frontend shows of a section; the checker knows that there is no other type."""
    match section.type_:
        case models.SectionType.FAQ:
            items = [] if isinstance(section.items, Unset) else section.items
            return ",".join(item.question for item in items)
        case (
            models.SectionType.RICHTEXT
            | models.SectionType.CTA
            | models.SectionType.FEATUREGRID
            | models.SectionType.BULLETLIST
            | models.SectionType.IMAGE
            | models.SectionType.STATS
        ):
            return "" if isinstance(section.body, Unset) else section.body
        case other:
            assert_never(other)


with Client(base_url=sys.argv[1]) as client:
    settings = get_site_settings.sync(client=client)
    page = get_page.sync("pricing", client=client, country=SAUDI, lang=ARABIC)
    posts = list_posts.sync(client=client, country=SAUDI, lang=ARABIC, search="مخزون")
    lead = post_lead.sync(client=client, body=ENQUIRY)
    missing = get_page.sync_detailed("no-such-page", client=client)

assert isinstance(settings, models.SiteSettings)
assert isinstance(page, models.PageDetail)
assert isinstance(posts, models.PostList)
assert isinstance(lead, models.LeadReceipt)
assert isinstance(missing.parsed, models.ErrorEnvelope)
visit = {
    "email": settings.site_settings.primary_email,
    "title": page.page.title,
    "sections": [words(section) for section in page.page.sections],
    "posts": [post.slug for post in posts.items],
    "total": posts.pagination.total,
    "stored": lead.ok,
    "status": missing.status_code,
    "code": missing.parsed.error.code,
}
json.dump(visit, sys.stdout)
