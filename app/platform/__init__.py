"""Platform: database, deliveries, observability, limits, and other parts without a feature."""
