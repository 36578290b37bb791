"""Followers: those who are told of every change of a page through the outbox."""
