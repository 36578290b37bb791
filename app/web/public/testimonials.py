"""Testimonials."""

from quart import Blueprint, Response

from app.web.http import parameters
from app.web.http.responses import respond
from app.web.openapi.operation import operation
from knowledge.fields.content_types import TESTIMONIAL
from knowledge.resources import testimonials
from knowledge.resources.base import resource_in

routes = Blueprint("testimonials", __name__)


@routes.get("/testimonials")
@operation(
    testimonials.TestimonialList,
    testimonials.testimonial_list,
    query=parameters.LOCALE,
    kinds=(TESTIMONIAL,),
)
def list_testimonials() -> Response:
    """List the testimonials in the requested language, with the texts of their section."""
    view = parameters.view()
    return respond(resource_in(view.locale, testimonials.testimonial_list(view)))
