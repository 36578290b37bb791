"""Feedback: what readers and agents report about pages."""
