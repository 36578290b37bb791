"""Notifications of leads: who is told, and what webhooks, CRMs and people get."""
