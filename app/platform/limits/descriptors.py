"""Descriptors: how many files and connections a process may have open."""

from __future__ import annotations

import resource

MAX_DESCRIPTORS = 65_536
"""Highest soft limit to request. Some programs iterate over all numbers up to the limit."""

MAX_CONNECTIONS = 4_096
"""Highest default limit of open connections. An idle connection takes about 10 kB."""

RESERVED_DESCRIPTORS = 96
"""Descriptors reserved for content files, databases, Redis, webhooks and the monitoring port."""


def raise_descriptor_limit() -> None:
    """Raise the soft limit of open files to the hard limit, up to MAX_DESCRIPTORS."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    target = MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MAX_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < target:
        resource.setrlimit(resource.RLIMIT_NOFILE, (target, hard))


def descriptor_limit() -> int:
    """Return the maximum number of descriptors that the process may have open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MAX_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft


def connections_for(descriptors: int) -> int:
    """Return a connection limit that leaves descriptors for everything else.

    >>> [connections_for(descriptors) for descriptors in (64, 256, 1_024, 65_536)]
    [32, 160, 928, 4096]
    """
    return min(max(descriptors // 2, descriptors - RESERVED_DESCRIPTORS), MAX_CONNECTIONS)


def connections_per_client_for(connections: int) -> int:
    """Return the connection limit per client: at most half of the total limit.

    >>> [connections_per_client_for(connections) for connections in (1, 32, 160, 4_096)]
    [1, 16, 80, 256]
    """
    return max(1, min(connections // 2, 256))
