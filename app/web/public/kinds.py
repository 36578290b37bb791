"""Kinds: the documents of the site by kind, those that it declares and built-in ones."""

from itertools import chain

from quart import Blueprint, Response

from app.web.http import parameters
from app.web.http.responses import respond
from app.web.openapi.operation import FINDS_ONE, PathParameter, operation
from knowledge.diagnostics.messages import Text
from knowledge.fields.content_types import KIND as DECLARED
from knowledge.fields.content_types import OPTIONAL_KINDS
from knowledge.resources import kind_pages
from knowledge.resources.base import resource_in
from knowledge.resources.entry_queries import read_query, written_filters
from knowledge.resources.errors import InvalidArgument
from knowledge.resources.kind_documents import all_kinds, entries, kind_named
from knowledge.resources.queries import ENTRIES_SHOWN, EntryQuery
from knowledge.views.content_view import ContentView

_LONGEST_VALUE = 100
"""How much of a value that is allowed an error names."""

KINDS = (DECLARED, *OPTIONAL_KINDS)

routes = Blueprint("kinds", __name__)


def _kind(view: ContentView) -> str | None:
    """Return a kind for examples: the first one with documents."""
    having = (each.name for each in all_kinds(view.snapshot) if entries(view, each))
    return next(having, None)


def _slug(view: ContentView) -> str | None:
    documents = chain.from_iterable(entries(view, each) for each in all_kinds(view.snapshot))
    return next((each.entry.slug for each in documents), None)


KIND = PathParameter("Name of a kind of the site, from the list of kinds.", _kind)
SLUG = PathParameter("Slug of a published document, from the list of its kind.", _slug)


FILTER = parameters.Parameter[dict[str, list[str]]](
    "filter",
    "Values of fields that the list names in `filters`, each as `field:value`, by commas. Of "
    "several values of a field documents have one; `field:-value` leaves out those that have it, "
    "and `price:10..50` is a range, of which one end may be missing.",
    None,
    {"type": "string", "pattern": parameters.WITHOUT_NUL},
    written_filters,
    {},
    "field:value, by commas",
    repeats=True,
)


SORT = parameters.text(
    "sort", "Field by which to sort, of `sorts`; with `-` the greatest first.", example="-price"
)


PAGE_SIZE = parameters.integer(
    "pageSize", "Documents per page.", example=2, default=ENTRIES_SHOWN, low=1, high=ENTRIES_SHOWN
)

FIELDS = parameters.fields_of(kind_pages.EntryList)


@routes.get("/kinds")
@operation(kind_pages.KindList, kind_pages.kind_list, query=parameters.LOCALE, kinds=KINDS)
def list_kinds() -> Response:
    """List the kinds of documents of the site, with the fields that they have."""
    view = parameters.view()
    return respond(resource_in(view.locale, kind_pages.kind_list(view)))


@routes.get("/kinds/<kind>")
@operation(
    kind_pages.EntryList,
    kind_pages.entry_list,
    path=(KIND,),
    query=(*parameters.LOCALE, FILTER, SORT, parameters.PAGE, PAGE_SIZE, FIELDS),
    errors=FINDS_ONE,
    kinds=KINDS,
)
def list_entries(kind: str) -> Response:
    """List the published documents of a kind, with what it can be filtered by.

    An unknown field or value of `filter` is refused with those that there are.
    """
    view = parameters.view()
    page, size = parameters.PAGE.read(), PAGE_SIZE.read()
    query = EntryQuery(page, FILTER.read(), SORT.read() or "", size)
    declared = kind_named(view, kind)
    read = read_query(view, declared, query.wanted, "", declared.filters, in_words=False)
    for wrong in read.wrong:
        field = wrong.name.removeprefix(FILTER.name).removeprefix(".")
        problem = f"{field} has no value “{wrong.value}”" if field else f"no field “{wrong.value}”"
        allowed = wrong.instead(_LONGEST_VALUE)
        raise InvalidArgument(
            FILTER.name, problem, Text("{}: and {}", field, allowed) if field else allowed
        )
    found = resource_in(view.locale, kind_pages.entry_list(view, kind, query))
    return respond(found, fields=FIELDS.read())


@routes.get("/kinds/<kind>/<path:slug>")
@operation(
    kind_pages.EntryDetail,
    kind_pages.entry_detail,
    path=(KIND, SLUG),
    query=parameters.LOCALE,
    errors=FINDS_ONE,
    kinds=KINDS,
)
def get_entry(kind: str, slug: str) -> Response:
    """Get one published document of a kind, with its fields, sections and SEO metadata.

    A document that is not translated is returned in the other language; see `Content-Language`.
    The slug of a document in a folder may have slashes, such as `guide/setup`.
    """
    return respond(kind_pages.entry_detail(parameters.view(), kind, slug))
