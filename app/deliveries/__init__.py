"""Deliveries: orders pushed to a webhook, each kept until it has arrived or is given up aloud."""
