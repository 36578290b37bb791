"""Executors, circuit breakers, deadlines and background tasks."""
