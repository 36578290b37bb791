"""Gathering of all facts, each once, at the same time, and within a few seconds."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine, Iterator
from difflib import get_close_matches
from typing import Any

from pydantic_settings import DotEnvSettingsSource

from app.features.key_files import shared_keys
from app.operations.doctor.facts import Facts, PublicFacts, ReceiverFacts, RedisFacts
from app.operations.doctor.files import folder_facts, folders_of
from app.operations.doctor.peers import peers_of
from app.operations.doctor.receivers import receiver_facts, receivers_of
from app.operations.doctor.stores import redis_facts
from app.operations.doctor.web import public_facts
from app.platform.clock import Clock
from app.platform.database.database import WAIT_SECONDS
from app.platform.database.inspection import DatabaseState, inspect
from app.platform.database.shared_keys import fingerprint
from app.platform.database.url import sqlite_file
from app.settings import Settings

_SIMILARITY = 0.8


async def gather(settings: Settings, clock: Clock, *, offline: bool) -> Facts:
    """Return the facts; offline, without those of other services and of the public address."""
    async with asyncio.TaskGroup() as tasks:
        database = tasks.create_task(_database(settings, clock, offline=offline))
        redis = tasks.create_task(_redis(settings, offline=offline))
        public = tasks.create_task(_public(settings, clock, offline=offline))
        receivers = [
            tasks.create_task(asked) for asked in ([] if offline else _receivers(settings))
        ]
    return Facts(
        settings=settings,
        now=clock(),
        user=os.geteuid(),
        similar_names=dict(_similar_names()),
        folders=[folder_facts(*each) for each in folders_of(settings)],
        database=database.result(),
        keys=[(key, fingerprint(key.path)) for key in shared_keys(settings)],
        redis=redis.result(),
        public=public.result(),
        receivers=[receiver.result() for receiver in receivers],
        peers=peers_of(settings.port),
    )


async def _database(settings: Settings, clock: Clock, *, offline: bool) -> DatabaseState | None:
    if offline and sqlite_file(settings.database_url) is None:
        return None
    return await inspect(settings.database_url, WAIT_SECONDS, clock)


async def _redis(settings: Settings, *, offline: bool) -> RedisFacts | None:
    return None if offline or not settings.redis_url else await redis_facts(settings.redis_url)


def _receivers(settings: Settings) -> Iterator[Coroutine[Any, Any, ReceiverFacts]]:
    for receiver in receivers_of(settings):
        yield receiver_facts(receiver.variable, receiver.url)


async def _public(settings: Settings, clock: Clock, *, offline: bool) -> PublicFacts | None:
    return None if offline else await public_facts(settings, clock)


def _similar_names() -> Iterator[tuple[str, str]]:
    """Yield the variables that are no settings but resemble one, with that."""
    ours = {name.upper() for name in Settings.model_fields}
    in_file = (name.upper() for name in DotEnvSettingsSource(Settings).env_vars)
    for name in sorted({*os.environ, *in_file} - ours):
        for similar in get_close_matches(name, ours, 1, _SIMILARITY):
            yield name, similar
