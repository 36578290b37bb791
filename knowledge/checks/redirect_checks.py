"""Checks of redirects: rules that lead nowhere, and addresses that two things claim."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from knowledge.addresses.addresses import entry_at, parse_address, split_locale
from knowledge.addresses.former_addresses import AddressSearch
from knowledge.diagnostics.diagnostic import Diagnostic, Severity
from knowledge.diagnostics.kinds import DiagnosticKind
from knowledge.snapshot.layer_resolution import Entry
from knowledge.snapshot.old_addresses import normal_path
from knowledge.snapshot.redirect_rules import REDIRECTS_FILE, RedirectRule
from knowledge.snapshot.snapshot import Snapshot

_REMOVE = "Remove the line, or correct it."


def redirect_diagnostics(snapshot: Snapshot, now: datetime) -> Iterator[Diagnostic]:
    """Yield what is wrong with the redirects of a snapshot."""
    for claim in snapshot.old_addresses.values():
        page = _page_at(snapshot, claim.path)
        if page is not None and page is not claim.entry:
            message = f"The old address {claim.path} is the address of {page.path}."
            suggestion = "Remove it: a redirect hides no page."
            path, kind = claim.document.path, DiagnosticKind.DUPLICATE_OLD_ADDRESS
            yield Diagnostic(path, message, suggestion, severity=Severity.WARNING, kind=kind)
    rules = snapshot.redirects
    for rule, first in rules.shadowed:
        message = f"The old address {rule.source} is already in line {first.line}, which wins."
        yield _of_rule(rule, message)
    search = AddressSearch(snapshot, snapshot.default_locale, now)
    for rule in rules.rules:
        problem = _claimed(snapshot, rule) or _problem(search, rule)
        if problem:
            yield _of_rule(rule, problem)


def _page_at(snapshot: Snapshot, path: str) -> Entry | None:
    address = parse_address(split_locale(path)[1])
    return entry_at(snapshot, address) if address else None


def _claimed(snapshot: Snapshot, rule: RedirectRule) -> str | None:
    """Return by what the old path of a rule is taken, or None."""
    path = normal_path(rule.source)
    claim = snapshot.old_addresses.get(path)
    if claim:
        return f"The old address {rule.source} leads to {claim.document.path}, which lists it."
    page = _page_at(snapshot, path) if path else None
    return f"The old address {rule.source} is the address of {page.path}." if page else None


def _problem(search: AddressSearch, rule: RedirectRule) -> str | None:
    """Return why a rule leads nowhere, or None; what placeholders will match is not known."""
    if unknown := rule.unknown_placeholders:
        return f"The new address {rule.target} has :{unknown[0]}, which {rule.source} has not."
    if rule.has_placeholders or search.target(rule, rule.location({}), rule.status, ()):
        return None
    if rule in search.snapshot.redirects.loops:
        return f"The redirect from {rule.source} leads in a circle."
    if search.found(rule.target_path) is None:
        return f"The new address {rule.target} does not exist, or is not published."
    return None


def _of_rule(rule: RedirectRule, message: str) -> Diagnostic:
    kind = DiagnosticKind.UNUSED_REDIRECT
    return Diagnostic(REDIRECTS_FILE, message, _REMOVE, rule.line, Severity.WARNING, kind=kind)
