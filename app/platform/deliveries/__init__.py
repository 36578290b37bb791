"""Deliveries: an outbox of messages to other services, with retries and a log of attempts."""
