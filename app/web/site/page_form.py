"""Forms of pages: what a feature shows on a page besides its content."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from app.web.http.parameters import AnyParameter
from knowledge.addresses.addresses import Address
from knowledge.resources.base import Resource
from knowledge.resources.site_page import PageModel
from knowledge.views.content_view import ContentView
from renderers.html.contact_form import ContactForm


class PageForm(ABC):
    """The form of one page; a response that depends on its `parameters` is never cached."""

    parameters: tuple[AnyParameter, ...]

    @abstractmethod
    def shown(self, page: PageModel[Resource]) -> ContactForm:
        """Return the form, empty or with a confirmation."""

    @abstractmethod
    def has_token(self, view: ContentView) -> bool:
        """Return whether the form has a token, which no two visitors may share."""

    @abstractmethod
    def is_personal(self) -> bool:
        """Return whether the form shows what this request, or the page before, has."""

    @abstractmethod
    def headers(self) -> Mapping[str, str]:
        """Return the headers that the form needs."""


_FORMS: dict[Address, PageForm] = {}


def declare_form(address: Address, form: PageForm) -> None:
    """Add the form of a page; raises ValueError if it has another."""
    if _FORMS.setdefault(address, form) is not form:
        raise ValueError(f"The page {address.path} has two forms: remove one.")


def form_of(address: Address | None) -> PageForm | None:
    """Return the form of a page; None without one."""
    return _FORMS.get(address) if address else None
