"""The pipeline: what surrounds the handlers."""
