"""Leads: the one public write, from body to disk, and never lost."""
