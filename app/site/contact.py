"""The contact page's form, which works without JavaScript: shown, taken in, answered."""

from __future__ import annotations

from collections.abc import Mapping

from quart import Response, request

from app.asgi.caching import Caching
from app.database.errors import StoreUnavailable
from app.http import bodies, parameters
from app.http.csrf import check_origin
from app.http.responses import redirect, represent
from app.http.workloads import in_executor
from app.leads.outcome import Channel, count_outcome
from app.leads.submission import submit_lead
from app.leads.validation import InvalidLead
from app.services import services
from knowledge.addresses import Address, Page
from knowledge.errors import NotFound
from knowledge.locale import Locale
from knowledge.resources.base import Resource
from knowledge.resources.site_page import PageModel, PageQuery, site_page
from renderers import html
from renderers.contact_form import ContactForm, fault_text

CONTACT = Address(Page.CONTENT, "contact")
SENT = parameters.TextParameter(
    name="sent", description="Whether the form was sent, and thanks are due.", example="1"
)
FORM_PARAMETERS = (SENT,)
"""What `contact_form` reads."""


def contact_form(page: PageModel[Resource]) -> ContactForm | None:
    """The form to show on a page: the contact page has one, empty or with thanks."""
    if page.address != CONTACT:
        return None
    return ContactForm(page.path, sent=SENT.name in request.args)


async def take_form(locale: Locale | None) -> Response:
    """Take the form in; lead to its thanks, or show it again with what was typed."""
    check_origin()
    if locale is None:
        raise NotFound("There is no such locale.", "See /llms.txt for what there is.")
    page = site_page(parameters.view_of(locale), CONTACT, PageQuery())
    at = services()
    try:
        with count_outcome(at.metrics, Channel.FORM) as count:
            typed = await bodies.read_form()
            filled = {name: value for name, value in typed.items() if value}
            submitted = await submit_lead(at.leads, filled | _known(page), at.clock())
            count(submitted.outcome)
    except InvalidLead as error:
        faults = {name: fault.name.lower() for name, fault in error.faults.items()}
        return await in_executor(_again, page, 400, typed, faults)
    except StoreUnavailable:
        return await in_executor(_again, page, 503, typed)
    return redirect(f"{page.path}?{SENT.name}=1", 303, Caching.NEVER)


def _known(page: PageModel[Resource]) -> dict[str, str]:
    """What need not be asked."""
    return {
        "sourcePage": page.path,
        "localeCountry": page.locale.country.slug,
        "localeLang": page.locale.language,
    }


def _again(
    page: PageModel[Resource],
    status: int,
    typed: Mapping[str, str],
    faults: Mapping[str, str] | None = None,
) -> Response:
    language = page.locale.language
    named = (faults or {}).items()
    errors = {name: fault_text(name, fault, language) for name, fault in named}
    form = ContactForm(page.path, typed, errors, failed=not errors)
    return represent(html.render(page, form), Caching.NEVER, status)
