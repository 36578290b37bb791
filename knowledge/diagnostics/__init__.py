"""Diagnostics: what is wrong with content, as kinds with codes and messages."""
