"""Platform: database, deliveries, observability, limits, and other parts without a feature."""

from importlib.metadata import version

VERSION = version("majlis")
"""The version of the installed distribution."""
