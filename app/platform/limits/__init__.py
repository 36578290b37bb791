"""Rate limits for each client, counted before a request is processed."""
