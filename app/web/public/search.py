"""Search: passages that answer a question."""

from quart import Blueprint, Response

from app.publishing.content.assumed_locale import assume_country, in_language_of
from app.publishing.content.passage_finder import answers_to
from app.publishing.content.search_pages import own_passages
from app.services import edition
from app.web.extensions import Channel
from app.web.http import parameters
from app.web.http.parameters import Parameter
from app.web.http.responses import respond
from app.web.http.route_policy import SEARCH, policy
from app.web.http.search_requests import KIND, asked_kinds, note_search
from app.web.openapi.operation import operation
from indexes.passages.queries import MAX_CHARACTERS, has_word, shortened
from knowledge.addresses.addresses import Address
from knowledge.resources.base import resource_in
from knowledge.resources.home import HOME_PAGE
from knowledge.resources.queries import SearchFit
from knowledge.resources.search import Answers, Question, answers
from knowledge.views.content_view import ContentView

routes = Blueprint("search", __name__)


def _query(value: str) -> str:
    if not value:
        raise ValueError("this parameter is required")
    if not has_word(shortened(value)):
        raise ValueError(f"its first {MAX_CHARACTERS} characters have no word")
    return value


QUERY = Parameter(
    "q",
    "A question or words, with a letter or digit of any script. Any word may match; texts with all"
    " of them come first. Quotes ask for a phrase. What is longer than"
    f" {MAX_CHARACTERS} characters is cut.",
    "how can I reach you",
    {"type": "string", "minLength": 1, "pattern": parameters.WITHOUT_NUL},
    _query,
    "",
    "words with a letter or digit",
    required=True,
)
LIMIT = parameters.integer(
    "limit", "Maximum number of passages.", example=3, default=8, low=1, high=20
)
MAX_TOKENS = parameters.integer(
    "maxTokens",
    "Maximum number of tokens of all texts together.",
    example=800,
    default=2_000,
    low=100,
    high=8_000,
)


FIELDS = parameters.fields_of(Answers)


def _example(view: ContentView) -> Answers:
    passages = own_passages(view, Address(HOME_PAGE))
    return answers(
        view,
        Question("how can I reach you", limit=1),
        passages,
        None,
        SearchFit(relevance=0.8),
    )


@routes.get("/search")
@policy(SEARCH)
@operation(Answers, _example, query=(QUERY, *parameters.LOCALE, KIND, LIMIT, MAX_TOKENS, FIELDS))
def search_passages() -> Response:
    """Search the text of all pages, and get the passages that answer.

    Without a `country`, one that the query names by its name, currency or city is assumed, else the
    default; `assumed` says which. Without a `lang`, it is that in which the query is written. At
    most three passages are of the same page, unless it is the best one. `relevance` says how well
    they fit, and `notFound` which words occur nowhere on the site; if little fits, `note` says so,
    and `contact` is where the company answers. If nothing is found, `suggestion` is another query
    that has results. A program can read the answer as markdown and quote it. While the index is
    being made, the status is 503.
    """
    asked = QUERY.read()
    text = shortened(asked)
    view, assumed = parameters.view(), None
    if parameters.argument(parameters.COUNTRY.name) is None:
        view, assumed = assume_country(text, view)
    if parameters.argument(parameters.LANG.name) is None:
        view = in_language_of(text, view)
    question = Question(text, text != asked, LIMIT.read(), MAX_TOKENS.read(), assumed)
    found = answers_to(edition().passages, view, question, asked_kinds())
    note_search(Channel.API, text, len(found.items))
    return respond(resource_in(view.locale, found), fields=FIELDS.read())
