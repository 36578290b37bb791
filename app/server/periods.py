"""The periods of a start and a stop, which the supervisor knows without a server."""

from __future__ import annotations

STARTUP_SECONDS = 120.0
"""Maximum time for the start. The application first reads all content."""

GRACEFUL_SECONDS = 25.0
"""Maximum time for responses in progress after a stop signal."""

DRAIN_SECONDS = 0.5
"""How long responses ask clients to disconnect before idle connections are closed."""
