"""Authors: editors who rewrite and break their pages, and one who publishes many files at once."""

from __future__ import annotations

import json
from time import monotonic

from soak.stamps import GROUP, broken_page, group, newest, page
from soak.world import World

_API = "/api/public/v1"
_LIVE_SECONDS = 15.0
"""Time after which an edit counts as lost; the service promises one second."""

_PAUSE_SECONDS = 0.02
_LOOKS = 4
"""Number of new connections in a row that must show an edit."""


class Author:
    """Base class: waits after each edit until it is visible."""

    def __init__(self, world: World, name: str) -> None:
        self._world = world
        self._chance = world.chance(name)
        self._caller = world.caller()
        self.version = 0

    def see(self, name: str, path: str, expected: tuple[int, ...] = (200,)) -> None:
        """Request on new connections until several in a row show the version."""
        began, looks = monotonic(), 0
        while looks < _LOOKS and not self._world.over.is_set():
            looks = looks + 1 if self._shows(name, path, expected) else 0
            if not looks and monotonic() - began > _LIVE_SECONDS:
                self._world.ledger.broke("every edit becomes visible", f"{name} {self.version}")
                return
            if not looks:
                self._world.over.wait(_PAUSE_SECONDS)
        if looks == _LOOKS:
            self._world.ledger.edited(monotonic() - began)

    def _shows(self, name: str, path: str, expected: tuple[int, ...]) -> bool:
        self._caller.close()
        answer = self._caller.ask("edit", path, expected=expected)
        versions = newest(answer.body) if answer and answer.status == 200 else {}
        return bool(versions.get(name)) and max(versions[name]) >= self.version


class Editor(Author):
    """Rewrites one page repeatedly."""

    def __init__(self, world: World, name: str) -> None:
        super().__init__(world, name)
        self._name = name
        self._path = f"{_API}/pages/soak-{name}"

    def act(self) -> None:
        """Make one edit."""
        self._write()
        self.see(self._name, self._path)

    def _write(self) -> None:
        self.version += 1
        in_place = self._chance.random() < 0.3
        self._world.tree.write(page(self._name, self.version), in_place=in_place)


class PageBreaker(Editor):
    """An editor that breaks the page before each edit."""

    def act(self) -> None:
        """Break the page, wait until health reports it, then fix it."""
        broken = broken_page(self._name)
        self._world.tree.write(broken)
        self._wait_for_health(next(iter(broken)))
        self._write()
        self.see(self._name, self._path, expected=(200, 404))

    def _wait_for_health(self, path: str) -> None:
        began = monotonic()
        while not self._world.over.is_set():
            answer = self._caller.ask("health", f"{_API}/health")
            error = json.loads(answer.body)["bootstrapError"] if answer else None
            if error is not None and error.startswith(path):
                return
            if monotonic() - began > _LIVE_SECONDS:
                self._world.ledger.broke("health names the broken file", f"{path}: {error}")
                return
            self._world.over.wait(_PAUSE_SECONDS)


class Publisher(Author):
    """Publishes releases in which several files change; no response may show only some of them."""

    def act(self) -> None:
        """Publish one release."""
        self.version += 1
        self._world.tree.publish(group(self.version))
        self.see(GROUP, f"{_API}/blog/posts?pageSize=24&lang=en")
