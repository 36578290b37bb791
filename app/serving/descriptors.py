"""Descriptors: how many files and sockets may be open, and how many of them serve clients."""

from __future__ import annotations

import resource

MOST_DESCRIPTORS = 65_536
"""The process asks for no more; some programs walk through all numbers up to the limit."""

MOST_CONNECTIONS = 4_096
"""The default limit of open connections is never higher. An idle one takes about 10 kB."""

RESERVED_DESCRIPTORS = 96
"""Kept for content files, databases, Redis, webhooks and the monitoring port."""


def raise_descriptor_limit() -> None:
    """Raise the soft limit of open files to the hard one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def descriptor_limit() -> int:
    """How many descriptors the process may have open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft


def connections_for(descriptors: int) -> int:
    """The limit of open connections that leaves descriptors for everything else.

    >>> [connections_for(descriptors) for descriptors in (64, 256, 1_024, 65_536)]
    [32, 160, 928, 4096]
    """
    return min(max(descriptors // 2, descriptors - RESERVED_DESCRIPTORS), MOST_CONNECTIONS)


def connections_per_client_for(connections: int) -> int:
    """The limit for one client: it never takes more than half of what there is.

    >>> [connections_per_client_for(connections) for connections in (1, 32, 160, 4_096)]
    [1, 16, 80, 256]
    """
    return max(1, min(connections // 2, 256))
