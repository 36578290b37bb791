"""The partner interface: API tokens, lock-out, and access to orders and deliveries."""
