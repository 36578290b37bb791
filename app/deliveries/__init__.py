"""Deliveries: an outbox of orders pushed to a webhook, with retries and a log of attempts."""
