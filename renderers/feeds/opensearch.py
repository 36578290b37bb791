"""The OpenSearch description of a locale's search, at `/{cc}/{lang}/opensearch.xml`.

Browsers offer the search page as a search engine with it; programs find the search of the API.
Browsers and the search box of pages show the suggestions while somebody types.
"""

import json
from collections.abc import Iterator, Sequence

from knowledge.diagnostics.messages import mark as _
from knowledge.resources.search import SEARCH_PAGE
from knowledge.resources.site_chrome import brand
from knowledge.views.content_view import ContentView
from renderers.feeds import document, element, xml_text
from renderers.html.page_links import opensearch_path
from renderers.images.drawings import FAVICON, FAVICON_TYPE
from renderers.l10n.translation import in_site_texts, translate
from renderers.representation import Representation

MEDIA_TYPE = "application/opensearchdescription+xml"
SUGGESTIONS_TYPE = "application/x-suggestions+json"
SUGGESTIONS_PATH = f"{SEARCH_PAGE.path}/titles"
"""The path below a locale; no page can have it, as that of the search is reserved."""


@in_site_texts
def render(view: ContentView) -> Representation:
    """Render the description of the search in the view's locale."""
    return Representation(MEDIA_TYPE, document(_description(view)), view.locale.language)


def render_suggestions(view: ContentView, typed: str, titles: Sequence[str]) -> Representation:
    """Render the titles that begin as typed."""
    body = json.dumps([typed, titles], ensure_ascii=False).encode()
    return Representation(SUGGESTIONS_TYPE, body, view.locale.language)


API_PATH = "/api/public/v1/search"

_SHORT_NAME_CHARACTERS, _LONG_NAME_CHARACTERS = 16, 48
"""The limits of OpenSearch 1.1."""

_TERMS = "{searchTerms}"


def _description(view: ContentView) -> Iterator[str]:
    locale, name = view.locale, brand(view)
    about = translate(_("Search all pages of %(name)s."), locale.language, name=name)
    yield '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">'
    yield element("ShortName", _shortened(name, _SHORT_NAME_CHARACTERS))
    yield element("LongName", _shortened(name, _LONG_NAME_CHARACTERS))
    yield element("Description", about)
    yield _url(view, "text/html", f"{locale.path}{SEARCH_PAGE.path}?q={_TERMS}")
    yield _url(view, "application/json", f"{API_PATH}?q={_TERMS}&{locale.query}")
    suggestions = f"{locale.path}{SUGGESTIONS_PATH}?q={_TERMS}"
    yield _url(view, SUGGESTIONS_TYPE, suggestions, relation="suggestions")
    yield _url(view, MEDIA_TYPE, opensearch_path(locale), relation="self")
    icon = xml_text(view.absolute(FAVICON))
    yield f'<Image width="32" height="32" type="{FAVICON_TYPE}">{icon}</Image>'
    yield element("Language", locale.tag)
    yield element("InputEncoding", "UTF-8")
    yield element("OutputEncoding", "UTF-8")
    yield "</OpenSearchDescription>"


def _url(view: ContentView, media_type: str, template: str, relation: str = "results") -> str:
    """Return the URL template of a form of the results; its placeholder is not encoded."""
    target = xml_text(view.base_url + template)
    return f'<Url type="{media_type}" rel="{relation}" template="{target}"/>'


def _shortened(name: str, limit: int) -> str:
    """Return the words of a name that fit; of one long word, its beginning.

    >>> _shortened("Wahat", 16), _shortened("The Gulf Bakery Company", 16), _shortened("x" * 20, 16)
    ('Wahat', 'The Gulf Bakery', 'xxxxxxxxxxxxxxxx')
    """
    if len(name) <= limit:
        return name
    words, is_cut_at_space, _rest = name[: limit + 1].rpartition(" ")
    return words.rstrip() if is_cut_at_space else name[:limit]
