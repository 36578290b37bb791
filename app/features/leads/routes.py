"""Leads: enquiries, the only public write."""

from collections.abc import Mapping
from typing import Any

from quart import Blueprint, Response, request

from app.features.leads import submission
from app.features.leads.model import Lead
from app.features.leads.service import Leads
from app.platform.asgi.caching import Caching
from app.platform.submitted_fields import is_absent
from app.services import services
from app.web.http import bodies, parameters
from app.web.http.origins import OriginNotAllowed, may_submit
from app.web.http.request_context import current_request
from app.web.http.responses import represent
from app.web.http.route_policy import Cors, RoutePolicy, policy
from app.web.openapi.operation import RequestHeader, operation
from knowledge.blocks.form import SiteForm
from knowledge.locales.locale import Country, Language, Locale
from knowledge.resources.base import LocalizedResource
from knowledge.resources.forms import enquiry_form, enquiry_forms
from renderers import json


def _asked(sent: Mapping[str, Any]) -> SiteForm:
    """Return the form that a body names, as the visitors of its locale see it."""
    view = parameters.main_view()
    country, language = Country.parse(str(sent.get("localeCountry", ""))), sent.get("localeLang")
    chosen = Locale(country or view.locale.country, view.locale.language)
    if isinstance(language, str) and language in (*Language,):
        chosen = chosen.in_language(Language(language))
    if chosen in view.snapshot.open_locales:
        view = view.for_locale(chosen)
    name = sent["form"]
    asked = enquiry_form(view, name) if isinstance(name, str) else None
    if asked is None:
        raise submission.UnknownForm([each.name for each in enquiry_forms(view)])
    return asked


routes = Blueprint("leads", __name__)

LEAD = RoutePolicy(bucket=submission.LEADS_BUCKET, cors=Cors.ALLOWED, allows_origin=may_submit)

_IDEMPOTENCY_KEY = RequestHeader(
    submission.KEY_HEADER,
    "Makes the request safe to repeat for 24 hours: the same key gives the same lead.",
    "8e03978e-40d5-43dd-bc93-6894a57f9324",
    submission.KEY_PATTERN,
)


@routes.post("/leads")
@policy(LEAD)
@operation(
    submission.LeadReceipt,
    lambda _: submission.LeadReceipt(id="0b6f2f5e-6c1d-4b6e-9a35-3f1f0c6d2a41"),
    body=Lead,
    headers=(_IDEMPOTENCY_KEY,),
    errors=(403, 409, 413, 415, 422, 503),
)
async def post_lead() -> Response:
    """Send an enquiry; 200 means that it is stored on disk.

    The same content sent again within 10 minutes, or with the same Idempotency-Key within 24
    hours, gives the same lead with the same id. A form of the site has fields of its own: `form`
    names it, and `answers` has what is none of the fields here.

    Browsers may send leads from pages of this site and of origins that the operator allows;
    from other pages they get 403. This is decided by the headers `Origin` and `Sec-Fetch-Site`,
    so clients that send neither header are not restricted.
    """
    with submission.counted(services().metrics, submission.LeadChannel.API) as count:
        context = current_request.get()
        key = submission.idempotency_key(context.client, request.headers.get(submission.KEY_HEADER))
        # A response before the body is read would close the connection.
        sent = await bodies.read_json()
        if not context.is_readable:
            raise OriginNotAllowed
        asked = _asked(sent) if not is_absent(sent.get("form")) else None
        submitted = await submission.submit_lead(
            services().part(Leads).store,
            services().part(Leads).spam_filter,
            submission.LeadSender(context.client),
            sent,
            services().clock(),
            parameters.site_snapshot(),
            key,
            asked=asked,
        )
        count(submitted)
    return represent(
        json.render(LocalizedResource(submission.LeadReceipt(id=submitted.id))), Caching.NEVER
    )
