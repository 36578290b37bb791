"""The edge: configurations of shared caches in front of the service."""
