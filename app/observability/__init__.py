"""What operators see of the service: metrics and the log."""
